"""Movement that ends in contact: charging, aligning to an enemy, wrapping round it."""

from __future__ import annotations

from math import atan, atan2, ceil, cos, degrees, floor, inf, isfinite, pi, sin

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.emlia.table.contact import (
    AROUND,
    SIDES,
    Contact,
    Edge,
    Side,
    checked,
    contact_of,
    edge_length,
    hostile,
    two_of,
)
from affray.systems.emlia.table.figures import (
    corners,
    direction,
    dot,
    first_touch,
    gap_between,
    hair_of,
    is_deep,
    middle_of,
    parts,
    to_local,
    to_table,
    touches,
    towards,
)
from affray.systems.emlia.table.placing import Placement, Point, Table
from affray.systems.emlia.table.terrain import reach_of, slows_at, spent_on, stretches

__all__ = ["BEND", "Charge", "Envelopment", "align", "charge", "envelop", "march"]

BEND = 0.1
"""Degrees up to which a drawn path is still straight."""
ROUNDING = 1e-9
"""Part of a base up to which a difference comes from rounding."""


@cites("EM-35")
class Charge(NamedTuple):
    """The end of a charge.

    Attributes:
        arrives: whether it touches its target.
        moved: how far it went.
        end: where the unit stands afterwards.
        met: name of the unit that stopped it; empty: nobody did.
        edge: the edge of the target that it touches; None: it doesn't.
        spent: movement that it took; more than `moved` over ground that slows.
    """

    arrives: bool
    moved: float
    end: Placement
    met: str = ""
    edge: Edge | None = None
    spent: float = 0.0

    @property
    def side(self) -> Side | None:
        """The side of the target that it touches."""
        return None if self.edge is None else SIDES[self.edge]


@cites("EM-35")
def charge(table: Table, unit: str, target: str | tuple[str, ...], reach: float) -> Charge:
    """Run straight at an enemy, with a movement of `reach`.

    The line leads from the unit's boundary to the nearest point of the target's, or as the table's
    path is drawn. The unit goes along it as it stands, and turns its front there at the end
    where there is room. A unit of either side that it runs into stops it. Where several units are
    the target they have one boundary, friends in their skirmish included.

    Raises:
        SetupError: a target of its own side; a reach below 0; a path that bends or leads past the
            target; units that overlap.
        UnknownNameError: no such unit on this table.
    """
    checked(table)
    names = (target,) if isinstance(target, str) else target
    own = replace(table.of(unit), around=())
    aims = [part for name in names for part in parts(two_of(table, unit, name)[1])]
    if all(aim.side == own.side for aim in aims):
        raise SetupError(f"{unit!r} charges {names[0]!r} of its own side; allowed: an enemy")
    if not (isfinite(reach) and reach >= 0):
        raise SetupError(f"reach of the charge is {reach}; allowed: a number, 0 or more")
    heading = _straight(table) if table.path else None
    for aim in aims:
        if touches(own, aim):
            return Charge(True, 0.0, own, "", contact_of(own, aim).edge_of_other)
    if heading is None:
        gap, aim = min(((gap_between(own, aim), aim) for aim in aims), key=lambda row: row[0])
        heading = direction(own, aim)
    else:
        ways = [(first_touch(own, aim, heading, inf), aim) for aim in aims]
        met_aims = [(way, aim) for way, aim in ways if way is not None]
        if not met_aims:
            raise SetupError(
                f"the path leads past {' and '.join(map(repr, names))}; allowed: a charge "
                "directly at its target (EM-35)"
            )
        gap, aim = min(met_aims, key=lambda row: row[0])
    ground = stretches(table, own, heading, gap)
    arrives = spent_on(ground, gap) <= reach + hair_of(own, aim)
    way = gap if arrives else reach_of(ground, reach)
    others = [
        part
        for other in table.placements
        if other.unit != unit and other.unit not in names
        for part in parts(other)
    ]
    met = [
        (found, other.unit)
        for other in others
        if (found := first_touch(own, other, heading, way)) is not None
    ]
    if met:
        way, name = min(met, key=lambda row: row[0])
        stopped = _shifted(own, heading, way)
        return Charge(False, way, stopped, name, spent=spent_on(ground, way))
    stands = _shifted(own, heading, way)
    turned = _turned(stands, heading, aim if arrives else None)
    others += [other for other in aims if other != aim]
    fits = not is_deep(turned, aim) and touches(turned, aim) is arrives
    free = all(not touches(turned, other) or touches(stands, other) for other in others)
    room = all(not is_deep(turned, other) for other in others)
    end = turned if fits and free and room else stands
    edge = contact_of(end, aim).edge_of_other if arrives else None
    return Charge(arrives, min(way, reach), end, "", edge, spent_on(ground, way))


@cites("EM-60", "EM-66")
def march(table: Table, unit: str, heading: Point, movement: float) -> Charge:
    """Go straight ahead in a direction, a step of length 1, until the movement is spent.

    The unit goes as it stands, and turns its front there at the end where there is room. Those
    who stood round an enemy go with the others. A unit of either side in the way stops it there.

    Raises:
        SetupError: units that overlap.
        UnknownNameError: no such unit on this table.
    """
    checked(table)
    own = replace(table.of(unit), around=())
    ground = stretches(table, own, heading, movement)
    way = reach_of(ground, movement)
    others = [
        (part, other.unit)
        for other in table.placements
        if other.unit != unit
        for part in parts(other)
    ]
    met = [
        (found, name)
        for part, name in others
        if (found := first_touch(own, part, heading, way)) is not None
    ]
    if met:
        way, name = min(met, key=lambda row: row[0])
        return Charge(False, way, _shifted(own, heading, way), name, spent=spent_on(ground, way))
    stands = _shifted(own, heading, way)
    turned = _turned(stands, heading, None)
    fits = all(
        not is_deep(turned, part) and (not touches(turned, part) or touches(stands, part))
        for part, _ in others
    )
    return Charge(False, way, turned if fits else stands, spent=spent_on(ground, way))


def _straight(table: Table) -> Point:
    """The direction of a drawn path."""
    path = table.path
    first = towards(path[0], path[1])
    for number in range(1, len(path) - 1):
        after = towards(path[number], path[number + 1])
        cross = first[0] * after[1] - first[1] * after[0]
        bend = abs(degrees(atan2(cross, first[0] * after[0] + first[1] * after[1])))
        if bend > BEND:
            x, y = path[number]
            raise SetupError(
                f"a charge goes in a straight line; the path bends by {bend:.3g} degrees at point "
                f"{number + 1} ({x:g}, {y:g}); allowed: no bend (EM-35)"
            )
    return towards(path[0], path[-1])


def _degrees(heading: Point) -> float:
    """The facing along a way; rounded, so that a bit less than 0 is 0 and not 360."""
    return round(degrees(atan2(*heading)), 9) % 360


def _shifted(placement: Placement, heading: Point, way: float) -> Placement:
    if not way:
        return placement
    x, y = placement.x + way * heading[0], placement.y + way * heading[1]
    return replace(placement, x=x, y=y)


def _turned(placement: Placement, heading: Point, aim: Placement | None) -> Placement:
    """The unit with its front where it reaches farthest along its way, and on what it reached."""
    facing = _degrees(heading)
    turn = abs(facing - placement.facing) % 360
    if min(turn, 360 - turn) < 1e-6:
        return placement
    if placement.shape == "ring":
        return replace(placement, facing=facing)
    ahead = max(dot(corner, heading) for corner in corners(placement))
    place = (placement.x, placement.y)
    forward = ahead - dot(place, heading)
    x, y = place[0] + forward * heading[0], place[1] + forward * heading[1]
    if aim is not None:
        # Whatever it touched stays on its front edge.
        right = (heading[1], -heading[0])
        start, end = contact_of(placement, aim).stretch
        point = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        aside = dot((x - point[0], y - point[1]), right)
        half = placement.frontage / 2
        back = max(-half, min(half, aside)) - aside
        x, y = x + back * right[0], y + back * right[1]
    return replace(placement, x=x, y=y, facing=facing)


@cites("EM-20")
def align(table: Table, unit: str, to: str) -> Placement:
    """Place a unit that aligns to an enemy it touches: its front flush with that enemy.

    A block turns and keeps what it touched on its front edge, as near to where it stood as that
    allows. A ring becomes a line along the touched edge: as many files as fit there, round where it
    touched.

    Raises:
        SetupError: units that aren't enemies in contact; two rings, which have no edge to align
            to; no room, as another unit stands there; units that overlap.
        UnknownNameError: no such unit on this table.
    """
    own, aim, seen = _in_contact(table, unit, to)
    start, end = seen.stretch
    point = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    half = own.frontage / 2
    if aim.shape == "ring":
        if own.shape == "ring":
            raise SetupError(f"{unit!r} and {to!r} are rings; allowed: a block, to align to it")
        ahead = towards(point, (aim.x, aim.y))
        right = (ahead[1], -ahead[0])
        middle = middle_of(own)
        aside = dot((middle[0] - point[0], middle[1] - point[1]), right)
        aside = max(-half, min(half, aside))
        x, y = point[0] + aside * right[0], point[1] + aside * right[1]
        after = replace(own, x=x, y=y, facing=_degrees(ahead), around=())
    else:
        edge = seen.edge_of_other
        along, room = _along(aim, edge, point), edge_length(aim, edge)
        files = own.files
        if own.shape == "ring":
            files = min(own.members, max(1, floor(room / own.base + ROUNDING)))
            half = min(files * own.base, room) / 2
            along = max(half, min(room - half, along))
        else:
            along = max(along - half, min(along + half, _along(aim, edge, middle_of(own))))
        at = _beside(own, aim, edge, along)
        after = replace(
            own,
            shape="block",
            radius=0.0,
            files=files,
            x=at.x,
            y=at.y,
            facing=at.facing,
            around=(),
        )
    others = [part for other in table.placements if other.unit != unit for part in parts(other)]
    for other in others:
        if is_deep(after, other):
            raise SetupError(f"{unit!r} has no room to align to {to!r}: {other.unit!r} is there")
    return after


@cites("EM-21")
class Envelopment(NamedTuple):
    """Members in contact along each edge of a target, after wrapping round it.

    Attributes:
        front, right, rear, left: how many stand along that edge; a ring only has a front.
        start: the edge that the unit touched before.
        places: where those stand who came to those in contact before, each a unit of one.
    """

    front: int
    right: int
    rear: int
    left: int
    places: tuple[Placement, ...] = ()
    start: Edge = "front"

    @property
    def members(self) -> int:
        """All members in contact."""
        return self.front + self.right + self.rear + self.left

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Edges along which somebody stands."""
        return tuple([edge for edge, n in zip(AROUND, self[:4], strict=True) if n])


@cites("EM-21", "EM-66")
def envelop(table: Table, unit: str, target: str, movement: float) -> Envelopment:
    """Wrap round a touched enemy: who else of the unit finds a place along its boundary.

    Members not in contact walk from both ends of the stretch along the target's boundary, at most
    `movement` units of length, and stand there side by side, a base wide each, the nearest
    places first. Ground slows whoever has to stand on it on the way. An edge takes as many as fit
    on it, but at least one; who touches in a point only stands flush there. Nobody passes a place
    that another unit stands on. Members stand as in close formation: the ranks of the unit no
    longer matter.

    Raises:
        SetupError: units that aren't enemies in contact; movement below 0; units that overlap.
        UnknownNameError: no such unit on this table.
    """
    own, aim, seen = _in_contact(table, unit, target)
    if not (isfinite(movement) and movement >= 0):
        raise SetupError(f"movement is {movement}; allowed: a number, 0 or more")
    hair = hair_of(own, aim)
    others = [
        part for other in table.placements if other not in {own, aim} for part in parts(other)
    ]
    around = _round_ring if aim.shape == "ring" else _round_block
    walks, room = around(own, aim, seen)
    standing: dict[Edge, int] = dict.fromkeys(AROUND, 0)
    standing[seen.edge_of_other] = seen.members_of_one
    free = own.members - seen.members_of_one
    places: list[Placement] = []
    blocked: set[int] = set()
    far, spent = [0.0, 0.0], [0.0, 0.0]
    ordered = sorted(
        [(way, place) for way in (0, 1) for place in walks[way]],
        key=lambda row: (round(row[1].walked / hair), row[0]),
    )
    for way, place in ordered:
        walked = place.walked
        if len(places) == free or walked > movement + hair:
            break
        if way in blocked:
            continue
        cost = spent[way] + (walked - far[way]) * slows_at(table, place.at)
        full = walked + far[1 - way] > room + hair or cost > movement + hair
        if full or any(is_deep(place.at, o) for o in others):
            blocked.add(way)
            continue
        far[way], spent[way] = walked, cost
        places.append(place.at)
        standing[place.edge] += 1
    front, right, rear, left = [standing[edge] for edge in AROUND]
    return Envelopment(front, right, rear, left, tuple(places), seen.edge_of_other)


def _in_contact(table: Table, unit: str, enemy: str) -> tuple[Placement, Placement, Contact]:
    """Two enemies that touch, and their contact seen from the first."""
    own, aim = two_of(table, unit, enemy)
    for seen in hostile(table, unit):
        if seen.other == enemy:
            return own, aim, seen
    raise SetupError(f"{unit!r} doesn't touch an enemy {enemy!r}; allowed: after contact")


class _Place(NamedTuple):
    """Room for one member beside a target: how far it walked, along which edge, and where."""

    walked: float
    edge: Edge
    at: Placement


_Walks = tuple[list[_Place], list[_Place]]
"""Places clockwise from the stretch, and anticlockwise, nearest first."""


def _round_block(own: Placement, aim: Placement, seen: Contact) -> tuple[_Walks, float]:
    """Places along the edges of a block, and how long its boundary outside the stretch is."""
    lengths = [edge_length(aim, edge) for edge in AROUND]
    start = AROUND.index(seen.edge_of_other)
    ends = [_along(aim, seen.edge_of_other, point) for point in seen.stretch]
    low, high = max(0.0, min(ends)), min(max(ends), lengths[start])
    if high - low <= 4 * hair_of(own, aim):
        width = min(seen.members_of_one * own.base, lengths[start])
        low = min(max((low + high - width) / 2, 0.0), lengths[start] - width)
        high = low + width
    walks: _Walks = ([], [])
    # Each walk counts from where it comes onto an edge; the second one goes against the clock.
    for way, turn, taken in ((0, 1, high), (1, -1, lengths[start] - low)):
        walked = -taken
        for corner in range(4):
            edge = (start + turn * corner) % 4
            begin = taken if corner == 0 else 0.0
            fit = floor((lengths[edge] - begin) / own.base + ROUNDING)
            width = own.base if fit else lengths[edge]
            for slot in range(fit if corner == 0 else max(1, fit)):
                end = begin + (slot + 1) * width
                middle = end - width / 2
                at = _beside(own, aim, AROUND[edge], lengths[edge] - middle if way else middle)
                walks[way].append(_Place(walked + end, AROUND[edge], at))
            walked += lengths[edge]
    return walks, sum(lengths) - (high - low)


def _round_ring(own: Placement, aim: Placement, seen: Contact) -> tuple[_Walks, float]:
    """Places round a circle, and how long it is outside those in contact."""
    radius = aim.ring_radius
    step = 2 * atan(own.base / (2 * radius))
    point, _ = seen.stretch
    start = atan2(point[0] - aim.x, point[1] - aim.y)
    taken = seen.members_of_one * step
    walks: _Walks = ([], [])
    for way, turn in ((0, 1), (1, -1)):
        for slot in range(ceil(2 * pi / step)):
            angle = start + turn * (taken / 2 + (slot + 0.5) * step)
            ahead = (sin(angle), cos(angle))
            at = _one_of(
                own, aim.x + radius * ahead[0], aim.y + radius * ahead[1], degrees(angle) + 180
            )
            walks[way].append(_Place(radius * step * (slot + 1), "front", at))
    return walks, max(0.0, radius * (2 * pi - taken))


def _along(placement: Placement, edge: Edge, point: Point) -> float:
    """The position of a point along an edge, counted clockwise round the block."""
    right, ahead = to_local(placement, point)
    half, thick = placement.frontage / 2, placement.thickness
    along = {"front": right + half, "right": -ahead, "rear": half - right, "left": thick + ahead}
    return along[edge]


def _beside(own: Placement, aim: Placement, edge: Edge, along: float) -> Placement:
    """One member of a unit, flush with an edge of a block at a place along it."""
    half, thick = aim.frontage / 2, aim.thickness
    spots: dict[Edge, Point] = {
        "front": (along - half, 0.0),
        "right": (half, -along),
        "rear": (half - along, -thick),
        "left": (-half, along - thick),
    }
    x, y = to_table(aim, spots[edge])
    return _one_of(own, x, y, aim.facing + 180 + 90 * AROUND.index(edge))


def _one_of(own: Placement, x: float, y: float, facing: float) -> Placement:
    return Placement(
        unit=own.unit, side=own.side, x=x, y=y, facing=round(facing, 9) % 360, base=own.base,
        depth=own.depth, elevation=own.elevation,
    )  # fmt: skip
