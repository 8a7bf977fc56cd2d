"""Empty Earth's map once more, by other means: windows beside a line, and cells of a grid.

Nothing of affray is read here. Sight is found out by looking: where a straight line meets walls,
a short window of it is moved aside by next to nothing, once to each side. If walls stand in both
of them, there is no way past, and the walls are crossed. Zones are sets of unit cells; they
border where cells lie side by side.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import gcd
from typing import NamedTuple

Point = tuple[Fraction | int, Fraction | int]
Segment = tuple[Point, Point]
Cell = tuple[int, int]

NEXT_TO_NOTHING = Fraction(1, 10**18)
SHORT = Fraction(1, 10**9)
"""Part of the line by which a window reaches beyond what it is put round: far more than the
window is moved aside, far less than things on small grids are apart."""


class Wall(NamedTuple):
    """A line of the map: its color and its points."""

    color: str
    points: tuple[tuple[int, int], ...]

    @property
    def segments(self) -> list[Segment]:
        return list(pairwise(self.points))


# -- sight -------------------------------------------------------------------------------------


def _solve(one: Segment, other: Segment) -> tuple[Fraction, Fraction] | None:
    """Shares of both at which the straight lines through them meet; None: parallel."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    under = ux * vy - uy * vx
    if not under:
        return None
    wx, wy = cx - ax, cy - ay
    return Fraction(wx * vy - wy * vx, under), Fraction(wx * uy - wy * ux, under)


def _apart(one: Segment, other: Segment) -> bool:
    """Whether all of a segment lies to the left of another, to the right, below or above it."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    return (
        max(ax, bx) < min(cx, dx)
        or max(cx, dx) < min(ax, bx)
        or max(ay, by) < min(cy, dy)
        or max(cy, dy) < min(ay, by)
    )


def stretch_on(sight: Segment, wall: Segment) -> tuple[Fraction, Fraction] | None:
    """From which to which share of a sight a wall lies on it; None: nowhere."""
    if _apart(sight, wall):
        return None
    met = _solve(sight, wall)
    if met is not None:
        s, t = met
        return (s, s) if 0 <= s <= 1 and 0 <= t <= 1 else None
    (ax, ay), (bx, by) = sight
    ux, uy = bx - ax, by - ay
    if any(ux * (y - ay) != uy * (x - ax) for x, y in wall):
        return None  # beside it
    long = ux * ux + uy * uy
    shares = sorted(Fraction((x - ax) * ux + (y - ay) * uy, long) for x, y in wall)
    if shares[1] < 0 or shares[0] > 1:
        return None
    return max(shares[0], Fraction(0)), min(shares[1], Fraction(1))


def _window(sight: Segment, start: Fraction, end: Fraction, aside: Fraction) -> Segment:
    """The part of a sight from share to share, and a little beyond, moved aside."""
    (ax, ay), (bx, by) = sight
    ux, uy = bx - ax, by - ay
    spots = [
        (ax + share * ux - aside * uy, ay + share * uy + aside * ux)
        for share in (start - SHORT, end + SHORT)
    ]
    return spots[0], spots[1]


def lies(sight: Segment, segments: Sequence[Segment]) -> str:
    """How a sight lies to walls that hang together."""
    found = sorted(stretch for wall in segments if (stretch := stretch_on(sight, wall)))
    groups: list[list[Fraction]] = []
    for start, end in found:
        if groups and start <= groups[-1][1]:
            groups[-1][1] = max(groups[-1][1], end)
        else:
            groups.append([start, end])
    for start, end in groups:
        sides = [
            any(stretch_on(_window(sight, start, end, aside), wall) for wall in segments)
            for aside in (NEXT_TO_NOTHING, -NEXT_TO_NOTHING)
        ]
        if all(sides):
            return "blocked"
    if any(start < end for start, end in groups):
        return "runs_along"
    return "touches" if groups else "clear"


ORDER = ("clear", "touches", "runs_along", "blocked")


def sight_between(
    dots: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]],
    walls: Sequence[Wall],
    *,
    joined: bool,
    every: bool,
) -> str:
    """How the lines between the dots of two Zones lie to black and green walls."""
    stops = [wall.segments for wall in walls if wall.color in {"black", "green"}]
    groups = [[piece for wall in stops for piece in wall]] if joined else stops
    found = [
        max((ORDER.index(lies(sight, group)) for group in groups), default=0)
        for sight in product(*dots)
    ]
    return ORDER[max(found) if every else min(found)]


# -- Zones of cells ----------------------------------------------------------------------------


class Chart(NamedTuple):
    """A map of rectangles on a grid, sheared and stretched where it is drawn.

    Attributes:
        columns, rows: how many cells.
        boxes: each Zone by name: first column, first row, and those after the last.
        walls: lines on the grid's half cells, so 1 is half of a cell.
        dots: aim dots in each Zone, on quarters of half cells.
        shear: by which whole numbers places on the grid become places of the drawing.
    """

    columns: int
    rows: int
    boxes: Mapping[str, tuple[int, int, int, int]]
    walls: tuple[Wall, ...]
    dots: Mapping[str, tuple[tuple[int, int], ...]]
    shear: tuple[int, int, int, int]

    def drawn(self, spot: tuple[int, int]) -> tuple[int, int]:
        """Where a place of the grid, in quarters of half cells, lies on the drawing."""
        a, b, c, d = self.shear
        return a * spot[0] + b * spot[1], c * spot[0] + d * spot[1]

    def cells(self, zone: str) -> Iterator[Cell]:
        x0, y0, x1, y1 = self.boxes[zone]
        return ((x, y) for x in range(x0, x1) for y in range(y0, y1))

    def bordering(self, *, corners: bool = False, stops: frozenset[str] = frozenset()) -> Ways:
        """For each Zone those beyond its sides, unless walls of these colors cover all of them."""
        owner = {cell: zone for zone in self.boxes for cell in self.cells(zone)}
        steps = [(1, 0), (0, 1), (-1, 0), (0, -1)]
        steps += [(1, 1), (1, -1), (-1, 1), (-1, -1)] if corners else []
        halves = _covered(self.walls, stops)
        ways: Ways = {zone: set() for zone in self.boxes}
        for (x, y), zone in owner.items():
            for dx, dy in steps:
                there = owner.get((x + dx, y + dy))
                if there in {None, zone}:
                    continue
                if stops and not (_halves(x, y, dx, dy) - halves):
                    continue
                ways[zone].add(str(there))
        return ways

    def away(self, ways: Ways, one: str, other: str) -> int | None:
        """How many Zones away another one is."""
        seen, queue = {one: 0}, deque([one])
        while queue:
            here = queue.popleft()
            for there in ways[here]:
                if there not in seen:
                    seen[there] = seen[here] + 1
                    queue.append(there)
        return seen.get(other)


Ways = dict[str, set[str]]
Half = tuple[tuple[int, int], tuple[int, int]]


def _halves(x: int, y: int, dx: int, dy: int) -> set[Half]:
    """The two half sides that a cell shares with the one beside it, on the grid of half cells."""
    if dx:
        at = 2 * (x + (dx > 0))
        return {((at, 2 * y + n), (at, 2 * y + n + 1)) for n in (0, 1)}
    at = 2 * (y + (dy > 0))
    return {((2 * x + n, at), (2 * x + n + 1, at)) for n in (0, 1)}


def _covered(walls: Sequence[Wall], stops: frozenset[str]) -> set[Half]:
    """Half sides of cells under walls of these colors that run along the grid."""
    found = set()
    for wall in walls:
        if wall.color not in stops:
            continue
        for (ax, ay), (bx, by) in pairwise(wall.points):
            if ax == bx:
                low, high = sorted((ay, by))
                found |= {((ax, n), (ax, n + 1)) for n in range(low, high)}
            elif ay == by:
                low, high = sorted((ax, bx))
                found |= {((n, ay), (n + 1, ay)) for n in range(low, high)}
    return found


# -- random maps -------------------------------------------------------------------------------

QUARTERS = 2
"""Steps of the drawing for each half cell, so that dots can stand beside what walls use."""


def _boxes(draw: random.Random, columns: int, rows: int) -> list[tuple[int, int, int, int]]:
    """A rectangle cut up into rectangles, again and again."""
    boxes = [(0, 0, columns, rows)]
    for _ in range(draw.randint(2, 9)):
        x0, y0, x1, y1 = box = draw.choice(boxes)
        across = draw.random() < 0.5
        low, high = (x0, x1) if across else (y0, y1)
        if high - low < 2:
            continue
        cut = draw.randint(low + 1, high - 1)
        boxes.remove(box)
        boxes += (
            [(x0, y0, cut, y1), (cut, y0, x1, y1)]
            if across
            else [(x0, y0, x1, cut), (x0, cut, x1, y1)]
        )
    return boxes


def random_chart(seed: int) -> Chart:
    """A map of three to ten Zones, some left out, with walls along the grid and across it."""
    draw = random.Random(seed)
    columns, rows = draw.randint(2, 5), draw.randint(2, 4)
    boxes = _boxes(draw, columns, rows)
    if len(boxes) > 3 and draw.random() < 0.4:
        boxes.remove(draw.choice(boxes))
    named = {f"z{n}": box for n, box in enumerate(boxes)}
    walls = tuple(_wall(draw, 2 * columns, 2 * rows) for _ in range(draw.randint(0, 7)))
    dots = {name: _dots(draw, box, walls) for name, box in named.items()}
    shears = ((1, 0, 0, 1), (1, 1, 0, 1), (2, -1, 1, 1), (0, 1, 1, 0), (3, 1, -1, 2))
    return Chart(columns, rows, named, walls, dots, draw.choice(shears))


class Scene(NamedTuple):
    """A sight on a small grid, and walls that leave its ends free."""

    one: tuple[int, int]
    two: tuple[int, int]
    walls: tuple[Wall, ...]


def random_scene(seed: int) -> Scene:
    """A scene so small that walls often touch the sight, run along it and meet on it."""
    draw = random.Random(seed)
    size = draw.randint(3, 5)
    spots = [(x, y) for x in range(size) for y in range(size)]
    while True:
        one, two = draw.sample(spots, 2)
        dx, dy = two[0] - one[0], two[1] - one[1]
        steps = gcd(dx, dy)
        near = [(one[0] + dx * n // steps, one[1] + dy * n // steps) for n in range(1, steps)]
        walls = []
        for _ in range(draw.randint(1, 4)):
            points = [draw.choice(spots)]
            for _ in range(draw.randint(1, 3)):
                among = near if len(near) > 1 and draw.random() < 0.5 else spots
                points.append(draw.choice([spot for spot in among if spot != points[-1]]))
            walls.append(Wall(draw.choice(("black", "green", "other")), tuple(points)))
        if not any(
            _is_on(wall, (QUARTERS * x, QUARTERS * y)) for wall in walls for x, y in (one, two)
        ):
            return Scene(one, two, tuple(walls))


def _dots(
    draw: random.Random, box: tuple[int, int, int, int], walls: Sequence[Wall]
) -> tuple[tuple[int, int], ...]:
    """One to three dots in a box, on no wall."""
    scale = 2 * QUARTERS
    x0, y0, x1, y1 = (scale * side for side in box)
    inside = [(x, y) for x in range(x0 + 1, x1) for y in range(y0 + 1, y1)]
    free = [spot for spot in inside if not any(_is_on(wall, spot) for wall in walls)]
    return tuple(draw.sample(free, draw.choice((1, 1, 1, 2, 3))))


def _is_on(wall: Wall, spot: tuple[int, int]) -> bool:
    """Whether a place, in quarters of half cells, lies on a wall."""
    x, y = spot
    pieces = pairwise([(QUARTERS * ax, QUARTERS * ay) for ax, ay in wall.points])
    return any(
        (bx - ax) * (y - ay) == (by - ay) * (x - ax)
        and min(ax, bx) <= x <= max(ax, bx)
        and min(ay, by) <= y <= max(ay, by)
        for (ax, ay), (bx, by) in pieces
    )


def _wall(draw: random.Random, columns: int, rows: int) -> Wall:
    """A line of a few pieces; most of them along the grid, so that much meets and runs along."""
    points = [(draw.randint(0, columns), draw.randint(0, rows))]
    for _ in range(draw.randint(1, 4)):
        x, y = points[-1]
        kind = draw.random()
        if kind < 0.4:
            x = draw.randint(0, columns)
        elif kind < 0.8:
            y = draw.randint(0, rows)
        else:
            x, y = draw.randint(0, columns), draw.randint(0, rows)
        if (x, y) != points[-1]:
            points.append((x, y))
    if len(points) < 2:
        x, y = points[0]
        points.append((x, y + 1) if y < rows else (x, y - 1))
    elif len(points) > 2 and draw.random() < 0.2:
        points.append(points[0])
    points = [p for n, p in enumerate(points) if not n or p != points[n - 1]]
    return Wall(draw.choice(("black", "green", "black", "green", "other")), tuple(points))


# -- duels on Zones in a row -------------------------------------------------------------------


class Duelist(NamedTuple):
    """A fighter with one die and one attack.

    Attributes:
        reach: Zones that a shot reaches; 0: melee.
        sides: of the attack die. damage: of a hit.
        defense, vitality: the own ones.
    """

    reach: int
    sides: int
    damage: int
    defense: int
    vitality: int


def hits(one: Duelist, other: Duelist, zones: int) -> Fraction:
    """The chance that an attack hits; a shot at somebody in the own Zone is at -1."""
    worse = 1 if one.reach and not zones else 0
    good = sum(face - worse > other.defense for face in range(1, one.sides + 1))
    return Fraction(good, one.sides)


def actor_wins(one: Duelist, other: Duelist, zones: int) -> Fraction:
    """The chance that the one who acts now wins, so many Zones from the other in a row.

    Who can't reach the other walks one Zone closer. Both can hit, so somebody wins.
    """
    if zones > one.reach:
        return 1 - actor_wins(other, one, zones - 1)
    chance, after = hits(one, other, zones), _after_hit(one, other, zones)
    if zones > other.reach:
        return chance * after + (1 - chance) * (1 - actor_wins(other, one, zones))
    back, lost = hits(other, one, zones), _after_hit(other, one, zones)
    both_miss = (1 - chance) * (1 - back)
    return (chance * after + (1 - chance) * back * (1 - lost)) / (1 - both_miss)


def strider_wins(one: Duelist, other: Duelist, zones: int) -> Fraction:
    """The same where one may walk a Zone closer and attack in one turn; who needn't walk stays."""
    if zones > one.reach + 1:
        return 1 - strider_wins(other, one, zones - 1)
    near = min(zones, one.reach)
    chance, after = hits(one, other, near), _after_stride(one, other, near)
    if near > other.reach:
        return chance * after + (1 - chance) * (1 - strider_wins(other, one, near))
    back, lost = hits(other, one, near), _after_stride(other, one, near)
    both_miss = (1 - chance) * (1 - back)
    return (chance * after + (1 - chance) * back * (1 - lost)) / (1 - both_miss)


def _after_stride(one: Duelist, other: Duelist, zones: int) -> Fraction:
    hurt = other._replace(vitality=other.vitality - one.damage)
    return Fraction(1) if hurt.vitality <= 0 else 1 - strider_wins(hurt, one, zones)


def _after_hit(one: Duelist, other: Duelist, zones: int) -> Fraction:
    """The chance that the one wins who has just hit."""
    hurt = other._replace(vitality=other.vitality - one.damage)
    return Fraction(1) if hurt.vitality <= 0 else 1 - actor_wins(hurt, one, zones)


def random_duel(seed: int) -> tuple[Duelist, Duelist, int]:
    """Two who can hit each other, and how many Zones they are apart."""
    draw = random.Random(seed)

    def duelist() -> Duelist:
        return Duelist(
            draw.choice((0, 0, 1, 2, 3)), draw.choice((4, 6, 8)), draw.randint(1, 3),
            draw.randint(0, 2), draw.randint(1, 5),
        )  # fmt: skip

    return duelist(), duelist(), draw.randint(0, 6)
