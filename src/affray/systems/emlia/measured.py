"""Read the situation off a table: distances, contacts, charges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.melee import Melees, melees_of
from affray.systems.emlia.sheet import Contact, Cover, Face, Formation, Other, Setup, Troop, Unit
from affray.systems.emlia.state import Terms
from affray.systems.emlia.table import contact, manoeuvres, terrain
from affray.systems.emlia.table.figures import HAIR
from affray.systems.emlia.table.placing import Area, Placement, Table

__all__ = ["Course", "Wrap", "aligned_ring", "aligned_table", "course_of", "course_to",
           "grounded",
           "skirmishes_of", "wrap_of"]  # fmt: skip


T = TypeVar("T", bound=Troop)


class Course(NamedTuple):
    """The course of a charge.

    Attributes:
        moved: how far. reaches: it gets to the target.
        met: the unit that stops it before; empty: nobody.
        left: movement that is left at its end.
        table: the table afterwards; None: there is none.
    """

    moved: float
    reaches: bool
    met: str = ""
    left: float = 0
    table: Table | None = None


@lru_cache(maxsize=512)
@cites("EM-10", "EM-13", "EM-22", "EM-30")
def grounded(setup: Setup, rulings: Rulings) -> Setup:
    """A setup with what its table shows: distance, contacts, close combats.

    Only the units of the target's close combat fight in it; units elsewhere on the table don't.
    All units of a skirmish have one boundary, so whoever touches one of them engages its enemies.

    Raises:
        SetupError: a unit that has no place, or a place of the other side; units that overlap;
            a distance or a contact that the table shows itself.
    """
    if setup.table is None:
        return setup
    _check_told(setup)
    table = _manned(setup, setup.table)
    contact.checked(table)
    names = _names(setup)
    mine, theirs = names[0], names[1]
    found = melees_of(table, _formations(setup), rulings)
    touching = theirs in contact.engaged(table, mine)
    near = touching or theirs in found.boundary(mine)
    others = tuple(
        _placed(
            setup, other, name, table,
            fights=name in found.combat(theirs), engages=name in found.boundary(mine),
        )
        for other, name in zip(setup.others, names[2:], strict=True)
    )  # fmt: skip
    away = _away(table, found, mine, theirs)
    return replace(
        setup,
        attacker=_grounded(setup.attacker, table.of(mine), table.terrain),
        defender=_grounded(setup.defender, table.of(theirs), table.terrain),
        others=others,
        table=table,
        distance=0.0 if near else away,
        engaged=near,
        contact=contact_on(setup, table, mine, theirs) if touching else Contact(),
    )


@cites("EM-63")
def _away(table: Table, found: Melees, mine: str, theirs: str) -> float:
    """From boundary to boundary; where only a friend is touched, to the nearest enemy."""
    gaps = {
        other: min(contact.distance(table, one, other) for one in found.boundary(mine))
        for other in found.boundary(theirs)
        if other not in found.boundary(mine)
    }
    side = table.of(theirs).side
    foes = [gap for other, gap in gaps.items() if table.of(other).side == side]
    return min(gaps.values(), default=0.0) or min(foes, default=0.0)


@cites("EM-63")
def skirmishes_of(terms: Terms) -> tuple[frozenset[str], ...]:
    """Names of the units in each skirmish on the table."""
    setup = terms.setup
    if setup.table is None:
        return ()
    return melees_of(setup.table, _formations(setup), terms.rulings).skirmishes


@cites("EM-10")
def _check_told(setup: Setup) -> None:
    """Raise a SetupError where a setup says in words what its table shows."""
    told = {
        "distance": setup.distance, "engaged": setup.engaged,
        "contact": setup.contact != Contact(),
    }  # fmt: skip
    for key, given in told.items():
        if given:
            raise SetupError(f"{key} with a table, which shows it; allowed: leave it out (EM-10)")
    for other in setup.others:
        for key, said in (("engages", other.engages), ("contact", other.contact != Contact())):
            if said:
                raise SetupError(
                    f"{key} of {other.who.name or 'another unit'!r} with a table, which shows it; "
                    "allowed: leave it out (EM-10)"
                )


def _formations(setup: Setup) -> tuple[tuple[str, Formation], ...]:
    """The formation of each unit on the table."""
    rows = zip(_names(setup), _units(setup), strict=True)
    return tuple([(name, unit.formation) for name, unit in rows])


def _units(setup: Setup) -> list[Unit]:
    """Attacker, defender, and the others."""
    return [setup.attacker, setup.defender, *[other.who for other in setup.others]]


def _names(setup: Setup) -> list[str]:
    """Names of the units as their places on the table call them."""
    parts = ["attacker", "defender", *[f"other-{n}" for n in range(1, len(setup.others) + 1)]]
    return [unit.name or part for unit, part in zip(_units(setup), parts, strict=True)]


def _manned(setup: Setup, table: Table) -> Table:
    """The table with each unit as strong as its sheet says; every unit must have a place."""
    sides = ["attacker", "defender"]
    sides += ["attacker" if other.side == "friend" else "defender" for other in setup.others]
    units = _units(setup)
    path = setup.path or table.path
    placements = {placement.unit: placement for placement in table.placements}
    for name, side, unit in zip(_names(setup), sides, units, strict=True):
        place = table.of(name)
        if place.side != side:
            raise SetupError(
                f"unit {name!r} stands on the table as one of the {place.side}; the setup has it "
                f"with the {side}"
            )
        if place.members not in {1, unit.members}:
            raise SetupError(
                f"unit {name!r} stands on the table with {place.members} members, and its sheet "
                f"has {unit.members}; allowed: leave it out on the table (EM-22)"
            )
        if len(place.around) >= unit.members:
            raise SetupError(
                f"unit {name!r} has {len(place.around)} members round an enemy and {unit.members} "
                "on its sheet; allowed: fewer than its members, somebody forms the block (EM-21)"
            )
        placements[name] = replace(place, members=unit.members)
    stray = [name for name in placements if name not in _names(setup)]
    if stray:
        raise SetupError(
            f"unit {stray[0]!r} stands on the table, but is nobody of the setup; known: "
            f"{', '.join(_names(setup))}"
        )
    return replace(table, placements=tuple(placements.values()), path=path)


@lru_cache(maxsize=2048)
@cites("EM-30", "EM-32", "EM-66")
def _grounded(unit: Unit, place: Placement, ground: tuple[Area, ...]) -> Unit:
    """A unit, and those who joined it, on the ground where it stands."""
    if place.elevation:
        unit = replace(unit, elevation=round(place.elevation))
    if not ground:
        return unit
    rough = any(area.rough and terrain.meets(place, area) for area in ground)
    inside = [area for area in ground if terrain.holds(place, area)]
    cover = _most([area.cover for area in inside])
    hidden = _most([area.concealment for area in inside])

    def on(troop: T) -> T:
        return replace(
            troop,
            rough=troop.rough or rough,
            cover=_most([troop.cover, cover]),
            concealment=_most([troop.concealment, hidden]),
        )

    return replace(on(unit), joined=tuple([on(troop) for troop in unit.joined]))


def _most(found: Sequence[Cover]) -> Cover:
    """The most of some cover or concealment."""
    if "total" in found:
        return "total"
    return "partial" if "partial" in found else "none"


@cites("EM-21", "EM-22", "EM-23")
def contact_on(setup: Setup, table: Table, one: str, other: str) -> Contact:
    """The contact of two units on a table, seen from the one.

    A unit that has wrapped round another touches it on several edges: the first is that of its
    block.
    """
    rows = [seen for seen in contact.hostile(table, one) if seen.other == other]
    reach = {name: unit.reach for name, unit in zip(_names(setup), _units(setup), strict=True)}
    mine, theirs = table.of(one), table.of(other)
    first = rows[0]
    return Contact(
        side=first.side_of_other, own_side=first.side_of_one,
        members=contact.fighting(mine, [theirs]),
        theirs=contact.fighting(theirs, [mine]),
        fighting=contact.fighting(mine, [theirs], reach[one]),
        theirs_fighting=contact.fighting(theirs, [mine], reach[other]),
        fronts=max(1, len(contact.fronts(table, other))),
        own_fronts=max(1, len(contact.fronts(table, one))),
        further=_further([seen.edge_of_other for seen in rows]),
        own_further=_further([seen.edge_of_one for seen in rows]),
    )  # fmt: skip


def _further(edges: list[contact.Edge]) -> tuple[Face, ...]:
    """The sides of all edges that differ from the first, each once."""
    more = [edge for edge in dict.fromkeys(edges) if edge != edges[0]]
    return tuple([contact.SIDES[edge] for edge in more])


def _placed(
    setup: Setup, other: Other, name: str, table: Table, *, fights: bool, engages: bool
) -> Other:
    """One more unit, with what the table shows of it."""
    mine, theirs, *_ = _names(setup)
    touched = contact.engaged(table, name)
    whom = theirs if other.side == "friend" else mine
    touch = Contact()
    if touched:
        touch = contact_on(setup, table, name, whom if whom in touched else touched[0])
    return replace(
        other,
        who=_grounded(other.who, table.of(name), table.terrain),
        fights=fights,
        engages=other.side == "enemy" and (engages or mine in touched),
        contact=touch,
    )


@lru_cache(maxsize=512)
@cites("EM-35", "EM-60", "EM-63")
def course_of(terms: Terms, movement: float) -> Course:
    """The course of a unit that moves straight at its target, by so much movement at most.

    On a table it goes to the nearest point of the target's boundary: in a skirmish that of all
    units in it. A unit in ranks goes to an enemy.

    Raises:
        SetupError: a path that bends, or leads past the target.
    """
    setup = terms.setup
    if setup.table is None:
        left = movement - setup.distance
        return Course(min(setup.distance, movement), left >= 0, left=max(0.0, left))
    return course_to(terms, terms.troops[terms.target].name, movement)


@cites("EM-35", "EM-60", "EM-63")
def course_to(terms: Terms, theirs: str, movement: float) -> Course:
    """The course on a table straight at an enemy of this name; as `course_of`.

    Raises:
        SetupError: as for `course_of`.
    """
    setup, mine = terms.setup, terms.troops[0].name
    assert setup.table is not None  # only asked on one
    aims = melees_of(setup.table, _formations(setup), terms.rulings).boundary(theirs)
    foes = {name for name in aims if setup.table.of(name).side == setup.table.of(theirs).side}
    if setup.attacker.formation == "ranked" or terms.rulings[rule.JOINS] == "enemies":
        aims = frozenset(foes)
    found = manoeuvres.charge(setup.table, mine, tuple(sorted(aims - {mine})), movement)
    left = max(0.0, movement - found.spent)
    return Course(found.moved, found.arrives, found.met, left, setup.table.moved(found.end))


# -- aligning and enveloping --------------------------------------------------------------------


@cites("EM-20")
def aligned_table(terms: Terms, unit: str, to: str) -> Table | None:
    """The table after a unit has aligned to an enemy; None: it stands so already.

    Raises:
        SetupError: there is no room beside other units.
    """
    table = terms.setup.table
    assert table is not None  # only asked on one
    after = manoeuvres.align(table, unit, to)
    before = table.of(unit)
    turned = abs((after.facing - before.facing + 180) % 360 - 180)
    near = max(abs(after.x - before.x), abs(after.y - before.y)) <= HAIR * before.base
    if after.shape == before.shape and turned < TURN and near:
        return None
    return table.moved(after)


TURN = 0.01
"""Degrees up to which a unit is aligned already."""


@cites("EM-20")
def aligned_ring(terms: Terms) -> tuple[str, Table] | None:
    """The skirmishers of attacker or target who may align to the other's ranks, and the table then.

    None where there are no such two in contact, or no room beside other units.
    """
    setup = terms.setup
    if setup.table is None:
        return None
    mine, theirs = terms.troops[0].name, terms.troops[terms.target].name
    if theirs not in contact.engaged(setup.table, mine):
        return None
    sides = ((mine, setup.defender.formation, theirs), (theirs, setup.attacker.formation, mine))
    for unit, formation, to in sides:
        if setup.table.of(unit).shape == "ring" and formation == "ranked":
            try:
                after = aligned_table(terms, unit, to)
            except SetupError:
                return None
            return None if after is None else (unit, after)
    return None


class Wrap(NamedTuple):
    """The gain of enveloping.

    Attributes:
        members: more of them in contact. sides: of the target on which it is fought besides.
        table: the table afterwards; None: there is none.
    """

    members: int
    sides: tuple[Face, ...] = ()
    table: Table | None = None


ROUND: dict[Face, tuple[Face, ...]] = {
    "front": ("flank", "flank", "rear"),
    "flank": ("rear", "front", "flank"),
    "rear": ("flank", "flank", "front"),
}
"""Sides that a unit comes to by wrapping round from one of them, in the order of `Setup.wrap`."""


@lru_cache(maxsize=512)
@cites("EM-21")
def wrap_of(terms: Terms, left: float) -> Wrap:
    """The gain of enveloping with so much movement left."""
    setup = terms.setup
    if setup.table is None:
        wraps = [members for members in setup.wrap if members]
        return Wrap(sum(wraps), ROUND[setup.contact.side][: len(wraps)])
    mine, theirs = terms.troops[0].name, terms.troops[terms.target].name
    own = setup.table.of(mine)
    if theirs not in contact.engaged(setup.table, mine) or own.shape == "ring":
        return Wrap(0)
    around = manoeuvres.envelop(setup.table, mine, theirs, left)
    if not around.places:
        return Wrap(0)
    spots = tuple([(place.x, place.y, place.facing) for place in around.places])
    table = setup.table.moved(replace(own, around=own.around + spots))
    found = [edge for edge in around.edges if edge != around.start]
    return Wrap(len(spots), tuple([contact.SIDES[edge] for edge in found]), table)
