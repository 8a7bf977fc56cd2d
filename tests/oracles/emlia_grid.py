"""Emlia: blocks on a table that all look along or across it, with exact numbers.

Blocks are plain dicts with the keys of a placement; facings are multiples of 90 degrees, and all
lengths are fractions with small denominators. Everything follows from rectangles and from counting
members one by one; nothing here knows angles, hairs or shapely.

What is read here: who stands along the stretch where two units meet is in contact; where they meet
in a point, whoever has that point on the edge of its base (EM-22). A corner counts for the edge
with the least penalty (EM-20); of two flanks for the right one.
"""

from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

Block = dict[str, Any]
Spot = tuple[Fraction, Fraction]
AHEAD = {0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)}
EDGES = ("front", "right", "rear", "left")
SIDE = {"front": "front", "left": "flank", "right": "flank", "rear": "rear"}


class Rect(NamedTuple):
    """What a block covers."""

    left: Fraction
    right: Fraction
    low: Fraction
    high: Fraction


def files_of(block: Block) -> int:
    """Members of the front rank."""
    return int(min(block["files"], block["members"]))


def ranks_of(block: Block) -> int:
    """Ranks; the last may have gaps."""
    return max(n // files_of(block) for n in range(block["members"])) + 1


def size_of(block: Block) -> tuple[Fraction, Fraction]:
    """Width and depth of a block."""
    width = files_of(block) * Fraction(block["base"])
    return width, ranks_of(block) * Fraction(block["depth"])


def on_table(block: Block, right: Fraction, ahead: Fraction) -> Spot:
    """A place told from the middle of the front."""
    x, y = AHEAD[block["facing"]]
    return (
        Fraction(block["x"]) + right * y + ahead * x,
        Fraction(block["y"]) - right * x + ahead * y,
    )


def from_front(block: Block, spot: Spot) -> Spot:
    """How far a place is to the right of the middle of the front, and ahead of it."""
    x, y = AHEAD[block["facing"]]
    dx, dy = spot[0] - Fraction(block["x"]), spot[1] - Fraction(block["y"])
    return dx * y - dy * x, dx * x + dy * y


LAID = ("x", "y", "facing", "files", "members", "base", "depth")


def rect_of(block: Block) -> Rect:
    """What a block covers on the table."""
    return _covered(*[block[key] for key in LAID])


@cache
def _covered(*laid: Any) -> Rect:
    """What a block covers; each that is laid alike is looked at once."""
    block = dict(zip(LAID, laid, strict=True))
    width, depth = size_of(block)
    spots = [on_table(block, side * width / 2, back)
             for side in (-1, 1) for back in (Fraction(0), -depth)]  # fmt: skip
    return Rect(min(x for x, _ in spots), max(x for x, _ in spots),
                min(y for _, y in spots), max(y for _, y in spots))  # fmt: skip


def gaps(one: Rect, other: Rect) -> tuple[Fraction, Fraction]:
    """How far apart two rectangles are along x and along y; below 0 where they overlap there."""
    return (
        max(other.left - one.right, one.left - other.right),
        max(other.low - one.high, one.low - other.high),
    )


def overlap(one: Block, other: Block) -> Fraction:
    """How far one has to move until the two only touch."""
    return max(Fraction(0), -max(gaps(rect_of(one), rect_of(other))))


def distance(one: Block, other: Block) -> float:
    """From boundary to boundary."""
    x, y = (max(Fraction(0), gap) for gap in gaps(rect_of(one), rect_of(other)))
    return sqrt(x * x + y * y)


def stretch(one: Block, other: Block) -> tuple[Spot, Spot] | None:
    """The two ends of where two blocks meet; None: they don't."""
    a, b = rect_of(one), rect_of(other)
    if max(gaps(a, b)) != 0:
        return None
    left, right = max(a.left, b.left), min(a.right, b.right)
    low, high = max(a.low, b.low), min(a.high, b.high)
    return (left, low), (right, high)


def edge_of(block: Block, ends: tuple[Spot, Spot]) -> str:
    """The edge of a block along which two ends lie."""
    width, depth = size_of(block)
    places = [from_front(block, end) for end in ends]
    lies = {
        "front": all(ahead == 0 for _, ahead in places),
        "right": all(right == width / 2 for right, _ in places),
        "rear": all(ahead == -depth for _, ahead in places),
        "left": all(right == -width / 2 for right, _ in places),
    }
    found = [edge for edge in EDGES if lies[edge]]
    return min(found, key=lambda edge: ("front", "flank", "rear").index(SIDE[edge]))


def lines_of(block: Block, edge: str) -> list[int]:
    """For each place along an edge how many members stand one behind the other."""
    front = files_of(block)
    where = [n % front if edge in ("front", "rear") else n // front
             for n in range(block["members"])]  # fmt: skip
    return [where.count(place) for place in range(max(where) + 1)]


def touching(block: Block, edge: str, ends: tuple[Spot, Spot]) -> list[int]:
    """Places along an edge whose members are in contact."""
    width, _ = size_of(block)
    wide = edge in ("front", "rear")
    pitch = Fraction(block["base"] if wide else block["depth"])
    told = [from_front(block, end) for end in ends]
    spots = [right + width / 2 if wide else -ahead for right, ahead in told]
    low, high = min(spots), max(spots)
    places = range(len(lines_of(block, edge)))
    if low == high:
        return [n for n in places if n * pitch <= low <= (n + 1) * pitch]
    return [n for n in places if min(high, (n + 1) * pitch) > max(low, n * pitch)]


class Meeting(NamedTuple):
    """Two blocks that touch, as the one sees it."""

    edge: str
    edge_of_other: str
    members: int
    theirs: int


def meeting(one: Block, other: Block) -> Meeting | None:
    """How two blocks touch; None: they don't."""
    ends = stretch(one, other)
    if ends is None:
        return None
    mine, theirs = edge_of(one, ends), edge_of(other, ends)
    return Meeting(mine, theirs, len(touching(one, mine, ends)), len(touching(other, theirs, ends)))


def fighters(one: Block, other: Block, reach: int) -> set[int]:
    """Members of the one in contact with the other, and those in reach behind them, by number."""
    ends = stretch(one, other)
    if ends is None:
        return set()
    edge, front, found = edge_of(one, ends), files_of(one), set()
    for place in touching(one, edge, ends):
        if edge in ("front", "rear"):
            line = [n for n in range(one["members"]) if n % front == place]
        else:
            line = [n for n in range(one["members"]) if n // front == place]
        if edge in ("rear", "right"):
            line.reverse()
        found |= set(line[: 1 + reach])
    return found


def fighting(one: Block, other: Block, reach: int) -> int:
    """Members of the one in contact with the other, and those in reach behind them."""
    return len(fighters(one, other, reach))


def engaged(blocks: list[Block], one: Block) -> list[Block]:
    """Enemies that touch a block, in the order of the table."""
    return [other for other in blocks if other["side"] != one["side"] and stretch(one, other)]


def fronts(blocks: list[Block], one: Block) -> int:
    """Edges of a block that enemies touch."""
    found = set()
    for other in engaged(blocks, one):
        seen = meeting(one, other)
        assert seen is not None
        found.add(seen.edge)
    return len(found)


def grown(blocks: list[Block], seed: set[str], links: list[tuple[str, str]]) -> set[str]:
    """Names that links lead to from some names, on and on."""
    found = set(seed)
    for _ in blocks:
        found |= {name for pair in links if found & set(pair) for name in pair}
    return found


def combats(
    blocks: list[Block], formation: dict[str, str], picks: dict[str, str]
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """For each block the units in its close combat, and those inside its boundary (EM-63).

    Enemies in contact are linked. Whoever is not in ranks and touches a unit inside a skirmish is
    linked too (B31). A skirmish holds nobody in ranks (B30: or leaves them out) and somebody in
    open formation, or, of close units alone, a reading of B29.
    """
    pairs = [(one, other) for n, one in enumerate(blocks) for other in blocks[n + 1 :]
             if stretch(one, other)]  # fmt: skip
    foes = [(a["unit"], b["unit"]) for a, b in pairs if a["side"] != b["side"]]
    mates = [(a["unit"], b["unit"]) for a, b in pairs if a["side"] == b["side"]]
    loose = {name for name, shape in formation.items() if shape != "ranked"}
    links = list(foes)

    def inside(name: str) -> set[str]:
        if picks["ranked_in_melee"] == "two":
            body = grown(blocks, {name}, [pair for pair in links if set(pair) <= loose])
        else:
            body = grown(blocks, {name}, links)
        fought = any(set(pair) <= body & loose for pair in foes)
        opened = "open" in {formation[one] for one in body}
        mixes = opened or picks["close_combat_of_close"] == "skirmish"
        return body if fought and mixes and body <= loose else {name}

    if picks["joins_skirmish"] == "boundary":
        for _ in blocks:
            links += [
                pair for pair in mates
                if set(pair) <= loose and any(len(inside(name)) > 1 for name in pair)
            ]  # fmt: skip
    names = [block["unit"] for block in blocks]
    engaged_too = {name for pair in links for name in pair}
    whole = {n: grown(blocks, {n}, links) if n in engaged_too else set[str]() for n in names}
    return whole, {name: inside(name) for name in names}


def morale(blocks: list[Block], one: Block, picks: dict[str, str]) -> int:
    """What a round costs a ranked block: every enemy's edge, and edges beyond one (EM-24)."""
    edges = [seen.edge for other in engaged(blocks, one) if (seen := meeting(one, other))]
    counted = edges if picks["morale_sides"] == "contacts" else sorted(set(edges))
    cost = sum({"front": 0, "left": 1, "right": 1, "rear": 2}[edge] for edge in counted)
    return -cost - max(0, len(set(edges)) - 1)


class Run(NamedTuple):
    """A charge straight ahead: how far, whether it arrives, who stops it, where it ends."""

    moved: Fraction
    arrives: bool
    met: str
    end: Block


def ahead_of(one: Block, other: Block) -> Fraction | None:
    """How far a block gets straight ahead until it meets another; None: it passes by."""
    a, b = rect_of(one), rect_of(other)
    x, y = AHEAD[one["facing"]]
    aside, along = gaps(a, b) if y else gaps(a, b)[::-1]
    if y:
        is_before = b.low >= a.high if y > 0 else b.high <= a.low
    else:
        is_before = b.left >= a.right if x > 0 else b.right <= a.left
    return along if aside < 0 and is_before else None


class Ground(NamedTuple):
    """A rectangle of ground, and what a length in it counts."""

    rect: Rect
    slows: Fraction


PARTS = 64
"""Of an inch: all that is drawn lies on whole parts."""
STEP = PARTS // 16
"""Movement is counted in sixteenths."""
Parts = tuple[int, int, int, int]
"""Left, right, low and high."""


def in_parts(rect: Rect) -> Parts:
    """A rectangle in whole parts of an inch."""
    parts = [side * PARTS for side in rect]
    assert all(side.denominator == 1 for side in parts), rect
    left, right, low, high = map(int, parts)
    return left, right, low, high


def moved(rect: Parts, heading: tuple[int, int], way: int) -> Parts:
    """A rectangle so many parts of an inch further on."""
    (left, right, low, high), (x, y) = rect, heading
    return left + x * way, right + x * way, low + y * way, high + y * way


def shared(one: Parts, other: Parts) -> bool:
    """Whether two rectangles have more in common than an edge."""
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def walked(one: Block, ground: list[Ground], way: Fraction, movement: Fraction) -> Fraction:
    """How far a block gets ahead, with so much movement, until it has gone a way (EM-66)."""
    return marched([], one, AHEAD[one["facing"]], movement, ground, way)[0]


def run(blocks: list[Block], one: Block, aim: Block, reach: Fraction, ground: list[Ground]) -> Run:
    """A charge at who stands straight ahead (EM-35); all lengths are whole sixteenths."""
    gap = ahead_of(one, aim)
    assert gap is not None
    way, met = walked(one, ground, gap, reach), ""
    arrives = way == gap
    for other in blocks:
        between = ahead_of(one, other) if other not in (one, aim) else None
        if between is not None and between < way:
            way, met = between, other["unit"]
    x, y = AHEAD[one["facing"]]
    end = {**one, "x": Fraction(one["x"]) + x * way, "y": Fraction(one["y"]) + y * way}
    return Run(way, arrives and not met, met, end)


def marched(
    blocks: list[Block],
    one: Block,
    heading: tuple[int, int],
    movement: Fraction,
    ground: list[Ground],
    most: Fraction | None = None,
) -> tuple[Fraction, list[str]]:
    """How far a block gets some way, sixteenth by sixteenth, and who stops it (EM-60, EM-66).

    Each step costs as much as the slowest ground under any part of it in the middle of the step.
    """
    here, far, left = in_parts(rect_of(one)), 0, movement * PARTS
    others = [(other["unit"], in_parts(rect_of(other))) for other in blocks if other is not one]
    areas = [(in_parts(area.rect), area.slows) for area in ground]
    while left and (most is None or far < most * PARTS):
        middle, after = moved(here, heading, far + STEP // 2), moved(here, heading, far + STEP)
        met = [name for name, rect in others if shared(after, rect)]
        if met:
            return Fraction(far, PARTS), met
        left -= STEP * max([Fraction(1), *[slows for rect, slows in areas if shared(middle, rect)]])
        if left < 0:
            break
        far += STEP
    return Fraction(far, PARTS), []
