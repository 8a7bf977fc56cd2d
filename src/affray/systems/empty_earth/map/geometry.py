"""Points, lines and outlines on a grid of whole numbers. Nothing is rounded anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Literal

from affray.core.lazy import NamedTuple

__all__ = [
    "Lie", "Piece", "Point", "corners_meet", "gaps", "inside", "is_simple", "lie_of", "on_piece",
    "overlap", "pieces", "shared",
]  # fmt: skip

Point = tuple[int, int]
"""A place on the map: x to the right and y up, in units of its grid."""

Piece = tuple[Point, Point]
"""The straight piece between two different points."""

Lie = Literal["clear", "touches", "runs_along", "blocked"]
"""How a straight line lies to walls, from the best to the worst."""


def turn(a: Point, b: Point, c: Point) -> int:
    """On which side of the way from a to b the point c lies: above 0 left, below 0 right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def along(a: Point, b: Point, c: Point) -> int:
    """How far c lies along the way from a to b: 0 at a, `along(a, b, b)` at b."""
    return (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1])


def on_piece(piece: Piece, point: Point) -> bool:
    """Whether a point lies on a piece, ends included."""
    a, b = piece
    return turn(a, b, point) == 0 and 0 <= along(a, b, point) <= along(a, b, b)


def pieces(points: Sequence[Point], *, closed: bool = False) -> Iterator[Piece]:
    """The straight pieces of a line through these points; of an outline, if it is closed."""
    yield from pairwise((*points, points[0]) if closed else points)


def crosses(one: Piece, other: Piece) -> bool:
    """Whether two pieces cross within both, so that neither only touches the other."""
    a, b = one
    c, d = other
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def meets(one: Piece, other: Piece) -> bool:
    """Whether two pieces have any point in common."""
    return crosses(one, other) or any(
        on_piece(piece, point) for piece, ends in ((one, other), (other, one)) for point in ends
    )


# -- a line of sight and walls -----------------------------------------------------------------


class Contact(NamedTuple):
    """Where walls lie on a straight line without crossing it.

    Attributes:
        start, end: from where to where along the line; equal in a single point.
        left, right: whether a wall leaves from there to that side.
    """

    start: int
    end: int
    left: bool = False
    right: bool = False


def lie_of(one: Point, other: Point, walls: Iterable[Piece]) -> Lie:
    """How the straight line between two points lies to walls that hang together.

    Walls that meet on the line make one contact: if they leave it to both sides there is no gap
    to look through, and the line is blocked.

    >>> lie_of((0, 0), (4, 0), [((2, 0), (2, 3))])
    'touches'
    >>> lie_of((0, 0), (4, 0), [((2, 0), (2, 3)), ((2, 0), (2, -3))])
    'blocked'
    """
    contacts = []
    for piece in walls:
        if crosses((one, other), piece):
            return "blocked"
        contact = _contact(one, other, piece)
        if contact is not None:
            contacts.append(contact)
    lie: Lie = "clear"
    for contact in _joined(contacts):
        if contact.left and contact.right:
            return "blocked"
        if contact.start < contact.end:
            lie = "runs_along"
        elif lie == "clear":
            lie = "touches"
    return lie


def _contact(one: Point, other: Point, piece: Piece) -> Contact | None:
    """Where a piece that doesn't cross a straight line lies on it; None: nowhere."""
    sides = [turn(one, other, end) for end in piece]
    places = [
        along(one, other, end) for end, side in zip(piece, sides, strict=True) if not side
    ]  # fmt: skip
    if not places or max(places) < 0 or min(places) > along(one, other, other):
        return None
    return Contact(min(places), max(places), max(sides) > 0, min(sides) < 0)


def _joined(contacts: Iterable[Contact]) -> list[Contact]:
    """Contacts, those that meet put together."""
    found: list[Contact] = []
    for one in sorted(contacts):
        last = found[-1] if found else None
        if last is None or last.end < one.start:
            found.append(one)
            continue
        end, left, right = max(last.end, one.end), last.left or one.left, last.right or one.right
        found[-1] = Contact(last.start, end, left, right)
    return found


# -- outlines ----------------------------------------------------------------------------------


def is_simple(outline: Sequence[Point]) -> bool:
    """Whether an outline goes round one area and never meets itself."""
    sides = list(pieces(outline, closed=True))
    if len(sides) < 3 or any(a == b for a, b in sides):
        return False
    for (i, one), (j, other) in combinations(enumerate(sides), 2):
        if j == i + 1 or (i == 0 and j == len(sides) - 1):
            first, last = (one, other) if j == i + 1 else (other, one)
            a, b = first
            # Neighbors share their corner; they must not run back on each other.
            if turn(a, b, last[1]) == 0 and along(b, a, last[1]) > 0:
                return False
        elif meets(one, other):
            return False
    return True


def inside(outline: Sequence[Point], point: Point) -> bool | None:
    """Whether a point lies inside a simple outline; None: on the outline itself."""
    found = False
    for a, b in pieces(outline, closed=True):
        if on_piece((a, b), point):
            return None
        if (a[1] > point[1]) != (b[1] > point[1]):
            found ^= (turn(a, b, point) > 0) == (b[1] > a[1])
    return found


def overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two simple outlines share any area; sides and corners may meet."""
    if _apart(one, other):
        return False
    mine, theirs = list(pieces(one, closed=True)), list(pieces(other, closed=True))
    if any(crosses(a, b) for a in mine for b in theirs):
        return True
    leaves = False
    for sides, points, outline in ((mine, other, other), (theirs, one, one)):
        doubled = [(2 * x, 2 * y) for x, y in outline]
        for side in sides:
            for (ax, ay), (bx, by) in pairwise(_split(side, points)):
                there = inside(doubled, (ax + bx, ay + by))  # the middle, on the doubled grid
                if there:
                    return True
                leaves |= there is False
    return not leaves  # neither leaves the other: they are the same outline


def _apart(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether boxes round two outlines already lie apart."""
    return any(
        max(p[axis] for p in a) <= min(p[axis] for p in b)
        for axis in (0, 1)
        for a, b in ((one, other), (other, one))
    )


def _split(side: Piece, points: Iterable[Point]) -> list[Point]:
    """A piece from end to end, with those of the points that lie on it between."""
    a, b = side
    on = {point for point in points if on_piece(side, point)}
    return sorted({a, b, *on}, key=lambda point: along(a, b, point))


# -- borders -----------------------------------------------------------------------------------


def shared(one: Sequence[Point], other: Sequence[Point]) -> list[Piece]:
    """The straight pieces that two outlines have in common."""
    found = []
    for a, b in pieces(one, closed=True):
        for c, d in pieces(other, closed=True):
            if turn(a, b, c) or turn(a, b, d):
                continue
            common = {point for point in (a, b) if on_piece((c, d), point)}
            common |= {point for point in (c, d) if on_piece((a, b), point)}
            if len(common) == 2:
                first, last = sorted(common)
                found.append((first, last))
    return found


def corners_meet(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two outlines have any point in common, be it a corner."""
    return any(
        meets(a, b) for a in pieces(one, closed=True) for b in pieces(other, closed=True)
    )  # fmt: skip


def gaps(border: Piece, walls: Iterable[Piece]) -> bool:
    """Whether walls that lie on a border leave any of its length free."""
    a, b = border
    covered = sorted(
        (min(places), max(places))
        for c, d in walls
        if not turn(a, b, c) and not turn(a, b, d)
        for places in ((along(a, b, c), along(a, b, d)),)
    )
    reached = 0
    for start, end in covered:
        if start > reached:
            break
        reached = max(reached, end)
    return reached < along(a, b, b)
