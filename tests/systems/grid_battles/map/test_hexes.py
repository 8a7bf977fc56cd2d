"""Hexes: vectors of the rules, symmetries, and an oracle that clips segments."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.core.errors import SetupError
from affray.systems.grid_battles.map.hexes import (
    Hex,
    Line,
    distance,
    from_label,
    is_clear,
    line,
    neighbors,
    to_label,
)

few = settings(max_examples=60, deadline=None)
offsets = st.tuples(st.integers(-7, 7), st.integers(-7, 7)).map(lambda at: Hex(*at))
boards = st.frozensets(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)).map(lambda at: Hex(*at)), max_size=30
)

START = Hex(0, 0)
BOTH = pytest.mark.parametrize("whole", [True, False])


def hexes(text: str) -> frozenset[Hex]:
    """'1,0 2,0' as hexes."""
    return frozenset(Hex(*map(int, pair.split(","))) for pair in text.split())


def sees(target: Hex, blocking: frozenset[Hex], *, whole: bool, start: Hex = START) -> bool:
    return is_clear(line(start, target), lambda hex_: hex_ not in blocking, whole=whole)


def moved(found: Line, move: Callable[[Hex], Hex]) -> Line:
    def of(some: frozenset[Hex]) -> frozenset[Hex]:
        return frozenset(move(hex_) for hex_ in some)

    return Line(of(found.crossed), tuple((of(left), of(right)) for left, right in found.sides))


def swapped(found: Line) -> Line:
    return found._replace(sides=tuple((right, left) for left, right in found.sides))


def back(found: Line) -> Line:
    """The same line as seen from its other end."""
    return swapped(found._replace(sides=found.sides[::-1]))


# -- the vectors of the rules -----------------------------------------------------------------

VECTORS = [
    pytest.param("1,0", "", [], id="adjacent"),
    pytest.param("3,0", "1,0 2,0", [], id="along a row"),
    pytest.param("2,1", "1,0 1,1", [], id="knight's step"),
    pytest.param("3,1", "1,0 1,1 2,0 2,1", [], id="one that a sampled line misses"),
    pytest.param("1,1", "", [("0,1", "1,0")], id="an edge"),
    pytest.param("2,2", "1,1", [("0,1", "1,0"), ("1,2", "2,1")], id="two edges"),
    pytest.param("2,-1", "", [("1,0", "1,-1")], id="an edge upwards"),
    pytest.param("4,-2", "2,-1", [("1,0", "1,-1"), ("3,-1", "3,-2")], id="two edges upwards"),
    pytest.param("4,1", "1,0 2,0 2,1 3,1", [("1,1", ""), ("", "3,0")], id="corners"),
    pytest.param("0,0", "", [], id="the same hex"),
]


@pytest.mark.parametrize(("target", "crossed", "sides"), VECTORS)
def test_gb61_gb66_what_lies_between(
    target: str, crossed: str, sides: list[tuple[str, str]]
) -> None:
    (end,) = hexes(target)
    wanted = Line(hexes(crossed), tuple((hexes(left), hexes(right)) for left, right in sides))
    assert line(START, end) == wanted
    assert line(end, START) == back(wanted)


@pytest.mark.parametrize(
    ("target", "blocking", "whole", "edges"),
    [
        pytest.param("3,0", "1,0", False, False, id="woods between"),
        pytest.param("3,0", "2,0", False, False, id="a friend between"),
        pytest.param("3,0", "3,0", True, True, id="the target on woods"),
        pytest.param("3,0", "0,0", True, True, id="the shooter on a hill"),
        pytest.param("1,0", "0,0 1,0", True, True, id="adjacent"),
        pytest.param("2,1", "1,0", False, False, id="first of two"),
        pytest.param("2,1", "1,1", False, False, id="second of two"),
        pytest.param("3,1", "1,0", False, False, id="first of four"),
        pytest.param("3,1", "1,1", False, False, id="second of four"),
        pytest.param("3,1", "2,0", False, False, id="third of four"),
        pytest.param("3,1", "2,1", False, False, id="fourth of four"),
        pytest.param("3,1", "3,0 0,1", True, True, id="beside the line"),
        pytest.param("1,1", "1,0", True, True, id="one side of an edge"),
        pytest.param("1,1", "0,1", True, True, id="the other side"),
        pytest.param("1,1", "1,0 0,1", False, False, id="both sides"),
        pytest.param("2,-1", "1,0", True, True, id="one side upwards"),
        pytest.param("2,-1", "1,0 1,-1", False, False, id="both sides upwards"),
        pytest.param("2,2", "1,1", False, False, id="between two edges"),
        pytest.param("2,2", "0,1 2,1", False, True, id="left here, right there"),
        pytest.param("2,2", "0,1 1,2", True, True, id="left twice"),
        pytest.param("2,2", "0,1 1,0", False, False, id="both sides of one edge"),
        pytest.param("4,-2", "1,0 3,-2", False, True, id="left here, right there, upwards"),
        pytest.param("4,1", "1,1", True, True, id="a corner on the left"),
        pytest.param("4,1", "3,0", True, True, id="a corner on the right"),
        pytest.param("4,1", "1,1 3,0", False, True, id="a corner on either side"),
        pytest.param("4,1", "2,0", False, False, id="between corners"),
    ],
)
def test_gb66_a6_sight_with_the_whole_line_and_edge_by_edge(
    target: str, blocking: str, whole: bool, edges: bool
) -> None:
    (end,) = hexes(target)
    assert sees(end, hexes(blocking), whole=True) is whole
    assert sees(end, hexes(blocking), whole=False) is edges


@BOTH
def test_gb65_s8_hexes_are_filled_whatever_the_picture_shows(whole: bool) -> None:
    """The published example names what the line crosses, not where the two stand."""
    archer, maceman = from_label("0200"), from_label("0303")
    between = line(archer, maceman)
    assert {to_label(hex_) for hex_ in between.crossed} == {"0201", "0302"}
    blocking = frozenset(map(from_label, ("0201", "0302")))
    assert not sees(maceman, blocking, whole=whole, start=archer)
    assert not sees(maceman, blocking - {from_label("0201")}, whole=whole, start=archer)
    assert sees(maceman, frozenset(), whole=whole, start=archer)


# -- an oracle: segments clipped at edges ------------------------------------------------

Point = tuple[int, int]
CORNERS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))


def middle(hex_: Hex) -> Point:
    """Where a center lies: two half widths to the next in the row, three half sides a row."""
    return 2 * hex_.q + hex_.r, 3 * hex_.r


def runs_inside(start: Point, end: Point, hex_: Hex, scale: int) -> bool:
    """Whether part of a segment runs through the inside of a hex, which is drawn to a scale."""
    x, y = middle(hex_)
    first, last = Fraction(0), Fraction(1)
    for (ax, ay), (bx, by) in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), strict=True):
        # Corners go clockwise: outside is to the left of every edge.
        nx, ny = ay - by, bx - ax
        edge = (nx * (x + ax) + ny * (y + ay)) * scale
        before = nx * start[0] + ny * start[1] - edge
        after = nx * end[0] + ny * end[1] - edge
        if before >= 0 and after >= 0:
            return False
        if before > 0 or after > 0:
            crosses = Fraction(before, before - after)
            first, last = (max(first, crosses), last) if before > 0 else (first, min(last, crosses))
    return first < last


def met(start: Point, end: Point, size: int, scale: int = 1) -> frozenset[Hex]:
    """All hexes around (0, 0) through whose inside a segment runs."""
    span = range(-size, size + 1)
    around = [Hex(q, r) for q in span for r in span]
    return frozenset(hex_ for hex_ in around if runs_inside(start, end, hex_, scale))


def shifted(end: Hex, side: int, size: int) -> frozenset[Hex]:
    """What the line from (0, 0) meets, ends left out, when it is shifted to its left (1) or right.

    No corner beside the line lies nearer to it than (-y, x) divided by its length squared; it is
    shifted by a tenth of that. The scale makes all numbers whole.
    """
    x, y = middle(end)
    scale = 10 * (x * x + y * y)
    dx, dy = -y * side, x * side
    return met((dx, dy), (x * scale + dx, y * scale + dy), size, scale) - {START, end}


def shares_the_segments(end: Hex) -> bool:
    """Whether the line to this hex is what the unshifted and both shifted segments meet."""
    found, size = line(START, end), max(abs(end.q), abs(end.r)) + 1
    lefts = frozenset[Hex]().union(*(left for left, _ in found.sides))
    rights = frozenset[Hex]().union(*(right for _, right in found.sides))
    return (
        met(middle(START), middle(end), size) - {START, end} == found.crossed
        and shifted(end, 1, size) == found.crossed | lefts
        and shifted(end, -1, size) == found.crossed | rights
        and not lefts & rights
    )


@pytest.mark.parametrize("row", range(-4, 5))
def test_gb61_gb66_lines_are_those_of_clipped_and_shifted_segments(row: int) -> None:
    ends = [Hex(q, row) for q in range(-4, 5) if (q, row) != START]
    assert [end for end in ends if not shares_the_segments(end)] == []


@pytest.mark.parametrize("end", [(7, 1), (8, 2), (-5, -5), (10, -5), (7, -4), (-3, 8)], ids=str)
def test_gb61_gb66_long_lines_are_those_of_segments_too(end: tuple[int, int]) -> None:
    assert shares_the_segments(Hex(*end))


@few
@given(offsets, offsets)
def test_gb66_places_come_in_order(start: Hex, end: Hex) -> None:
    steps = [
        {distance(start, hex_) for hex_ in left | right} for left, right in line(start, end).sides
    ]
    assert steps == sorted(steps, key=min)
    assert all(left or right for left, right in line(start, end).sides)


@pytest.mark.parametrize("n", range(1, 8))
def test_gb66_a_long_run_meets_an_edge_and_a_hex_in_turn(n: int) -> None:
    found = line(START, Hex(n, n))
    assert found.crossed == {Hex(k, k) for k in range(1, n)}
    assert found.sides == tuple(
        (frozenset({Hex(k, k + 1)}), frozenset({Hex(k + 1, k)})) for k in range(n)
    )


# -- symmetries -------------------------------------------------------------------------------


def turned(hex_: Hex) -> Hex:
    """A sixth of a turn around (0, 0)."""
    return Hex(-hex_.r, hex_.q + hex_.r)


def mirrored(hex_: Hex) -> Hex:
    return Hex(hex_.r, hex_.q)


@few
@given(offsets, offsets, offsets)
def test_gb61_lines_do_not_depend_on_where_they_start(start: Hex, end: Hex, by: Hex) -> None:
    def move(hex_: Hex) -> Hex:
        return Hex(hex_.q + by.q, hex_.r + by.r)

    assert line(move(start), move(end)) == moved(line(start, end), move)


@few
@given(offsets, offsets, st.integers(0, 5), st.booleans())
def test_gb61_lines_turn_and_mirror_with_the_board(
    start: Hex, end: Hex, turns: int, mirror: bool
) -> None:
    def move(hex_: Hex) -> Hex:
        for _ in range(turns):
            hex_ = turned(hex_)
        return mirrored(hex_) if mirror else hex_

    wanted = moved(line(start, end), move)
    assert line(move(start), move(end)) == (swapped(wanted) if mirror else wanted)
    assert distance(move(start), move(end)) == distance(start, end)


@few
@given(offsets, offsets)
def test_gb61_a_line_looked_at_from_its_other_end(start: Hex, end: Hex) -> None:
    assert line(end, start) == back(line(start, end))


@BOTH
@given(blocking=boards, start=offsets, end=offsets)
def test_gb66_sight_is_mutual(whole: bool, blocking: frozenset[Hex], start: Hex, end: Hex) -> None:
    there = sees(end, blocking, whole=whole, start=start)
    assert there == sees(start, blocking, whole=whole, start=end)


@given(blocking=boards, start=offsets, end=offsets)
def test_gb66_the_whole_line_sees_no_more_than_edge_by_edge(
    blocking: frozenset[Hex], start: Hex, end: Hex
) -> None:
    assert sees(end, blocking, whole=False, start=start) or not sees(
        end, blocking, whole=True, start=start
    )


@BOTH
@given(blocking=boards, end=offsets)
def test_gb64_the_hexes_at_both_ends_never_block(
    whole: bool, blocking: frozenset[Hex], end: Hex
) -> None:
    ends = frozenset((START, end))
    assert sees(end, blocking | ends, whole=whole) == sees(end, blocking - ends, whole=whole)


# -- distance, neighbors, labels -------------------------------------------------------------


def test_gb60_a20_range_is_the_fewest_steps() -> None:
    steps, reached = {START: 0}, [START]
    for hex_ in reached:
        for near in neighbors(hex_):
            if near not in steps and steps[hex_] < 6:
                steps[near] = steps[hex_] + 1
                reached.append(near)
    assert len(steps) == 1 + 6 * (1 + 2 + 3 + 4 + 5 + 6)
    for hex_, n in steps.items():
        assert distance(START, hex_) == distance(hex_, START) == n


def test_gb60_six_neighbours_in_a_circle() -> None:
    around = neighbors(Hex(2, -3))
    assert around[0] == Hex(3, -3)
    assert len(set(around)) == 6
    for one, other in zip(around, (*around[1:], around[0]), strict=True):
        assert distance(Hex(2, -3), one) == distance(one, other) == 1


@pytest.mark.parametrize(
    ("label", "hex_"),
    [
        ("0000", Hex(0, 0)),
        ("0100", Hex(1, 0)),
        ("0001", Hex(0, 1)),
        ("0201", Hex(2, 1)),
        ("0302", Hex(2, 2)),
        ("0003", Hex(-1, 3)),
        ("9999", Hex(50, 99)),
    ],
)
def test_labels_tell_the_column_then_the_row(label: str, hex_: Hex) -> None:
    assert from_label(label) == hex_
    assert to_label(hex_) == label


def test_labels_of_a_board_and_back() -> None:
    labels = [f"{column:02}{row:02}" for column in range(12) for row in range(12)]
    assert [to_label(from_label(label)) for label in labels] == labels
    assert len({from_label(label) for label in labels}) == len(labels)


def test_odd_rows_lie_half_a_hex_to_the_right() -> None:
    near = {to_label(hex_) for hex_ in neighbors(from_label("0201"))}
    assert near == {"0101", "0301", "0200", "0300", "0202", "0302"}
    near = {to_label(hex_) for hex_ in neighbors(from_label("0202"))}
    assert near == {"0102", "0302", "0101", "0201", "0103", "0203"}


@pytest.mark.parametrize("label", ["", "201", "00201", "02-1", "02x1", " 201", "٠٢٠١", "+1+1"])
def test_other_labels_are_refused(label: str) -> None:
    with pytest.raises(SetupError, match="allowed: four digits") as refused:
        from_label(label)
    assert repr(label) in str(refused.value)


@pytest.mark.parametrize("hex_", [Hex(-1, 0), Hex(0, -1), Hex(100, 0), Hex(0, 100), Hex(-1, 1)])
def test_hexes_beyond_two_digits_have_no_label(hex_: Hex) -> None:
    with pytest.raises(SetupError, match=f"row {hex_.r}; allowed: 0 to 99 for both"):
        to_label(hex_)


# -- speed ------------------------------------------------------------------------------------


def test_long_lines_are_kept() -> None:
    ends = [Hex(q, 30 - q) for q in range(31)]
    found = [line(Hex(1000, 1000), Hex(1000 + end.q, 1000 + end.r)) for end in ends]
    assert line(Hex(1000, 1000), Hex(1030, 1000)) is found[-1]
    assert len(found[-1].crossed) == 29
