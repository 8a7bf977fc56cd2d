"""Emlia by brute force: all faces of all dice, hits spent step by step.

Plain numbers and dicts go in, numbers and Fractions come out. Readings of the rules are keywords;
their defaults are the project's. Clause ids and ambiguity numbers (B1...) stand in docstrings.

Where the digest is silent, these readings were chosen:

* `clamp="open"` has no lower end either: at difficulty 1 or less a 1 is a success and also a 1.
* `compare="above"` compares with the clamped number: at D10 nothing succeeds.
* Rule `half`: the excess is counted above floor(dice / 2).
* No dice: a failure without excess.
* `stack_rows="highest"` keeps the last row of each ladder (range, ratio, small target). The row
  "enemy outnumbered in skirmish" is no rung of a ladder and always adds.
* The small-target rows need a focus: without one the target is the whole enemy group. The focus
  rows do not need Supporting Fire; the outnumbering rows of Aimed Fire do.
* `rank_stack="worst"` keeps one row of flank, rear and fronts on either side; "aligned" adds.
* `focus_penalty="once"`: the table's value is what step 1.3 adds. `"both"`: the table's value is in
  all difficulty numbers (and in their highest), step 1.3 adds 1 more.
* A body of one unit follows EM-41: each H' hits are one point, threshold rolls come after all
  points. A body of two or more follows EM-53, also when only one of them still lives: what costs
  a roll is spent whole, and the roll is made at once.
* No hits, nothing happens: old markers alone never make a point.
* Markers pay before new hits. A marker that is more than the price stays. Damage already carried
  to a threshold makes the next roll cheaper.
* The Hits attribute makes the groups, not H' (floors may make two groups cost the same).
* Sizes count members not yet marked as casualties; the key `size` overrides that. Units that are
  dead at the start make no group.
* 2.1.2 repeats step 2.1 k times: k rolls for a group with a threshold.
* Step 2.3 is one step 2.1 for the focused unit itself, never k of them.
* A group of several units: points go round, largest first; who cannot be hurt (dead, or too
  dear) is passed over; the round goes on from the last unit served until the attack ends.
* Limit and threshold both: a step buys a roll, or the last points that the members can take.
  Rolls that are due are made even if the last member was just marked.
* A threshold alone marks nobody: only the table does.
* `k_scope="first"`: only the first group of each cycle that step 2.1 can hurt.
* `group_size="live"`: order and k are worked out anew after each point.
* All dead: what is left is lost, under both readings of `markers_owner`.
* `h_floor="outright"`: at H' 0 or less one hit makes the damage that kills one character
  (or, without characters that damage kills, that brings one roll).
* Rolls after "destroyed" are not made.
* Levels come from the printed level and all members lost so far, rounded once. A unit printed with
  one member loses levels by damage points (`dragon_diminish="damage"`). No members: level 0.
* In `fight` sides without dice stay; rounds are counted to the end or to a state that can no
  longer change.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import factorial, floor
from typing import Literal, NamedTuple, NotRequired, TypedDict, TypeVar, Unpack

T = TypeVar("T")
Dist = dict[T, Fraction]

# ------------------------------------------------------------------ names of the readings

Rule = Literal["d10_6_cancel", "d6_4", "d12_7", "d20_11", "d10_6_nocancel", "botch", "half", "none"]
Clamp = Literal["sides", "open"]  # B2
Compare = Literal["at_least", "above"]  # B3
DiceFrom = Literal["level", "members"]  # B4
Diminish = Literal["subtract", "per_value"]  # B5
StackRows = Literal["cumulative", "highest"]  # B6
SupportSkirmish = Literal["replaces", "adds"]  # B7
FocusSkirmish = Literal["adds", "replaces"]  # B7, for focusing
FocusPenalty = Literal["once", "both"]  # B8
RankStack = Literal["add", "worst"]  # B9
MultiFrontCount = Literal["additional", "all"]  # B10
HFloor = Literal["one", "outright"]  # B11
Markers = Literal["persist", "resolution", "discarded"]  # B12
GroupSize = Literal["start", "live"]  # B13
KScope = Literal["every", "first"]  # B14
GroupBy = Literal["hits", "unit"]  # B15
MarkersOwner = Literal["able", "largest"]  # B16
FocusMerge = Literal["yes", "no"]  # B17
FocusCap = Literal["after", "inside"]  # B18
AutoSuccess = Literal["all", "one"]  # B19
DragonDiminish = Literal["damage", "none"]  # B23

SIDES: dict[Rule, int] = {
    "d10_6_cancel": 10, "d6_4": 6, "d12_7": 12, "d20_11": 20,
    "d10_6_nocancel": 10, "botch": 10, "half": 10, "none": 10,
}  # fmt: skip
BASE: dict[Rule, int] = {
    "d10_6_cancel": 6, "d6_4": 4, "d12_7": 7, "d20_11": 11,
    "d10_6_nocancel": 6, "botch": 6, "half": 6, "none": 6,
}  # fmt: skip


def tally(pairs: Iterable[tuple[T, Fraction]]) -> Dist[T]:
    """Add up the probabilities of equal outcomes; what cannot happen is left out."""
    dist: Dist[T] = {}
    for x, p in pairs:
        if p:
            dist[x] = dist.get(x, Fraction(0)) + p
    return dist


def mean(dist: Mapping[T, Fraction], of: Callable[[T], int]) -> Fraction:
    """Average of one number of the outcome."""
    return sum((of(x) * p for x, p in dist.items()), Fraction(0))


def chance(dist: Mapping[T, Fraction], event: Callable[[T], bool]) -> Fraction:
    """Probability of an event."""
    return sum((p for x, p in dist.items() if event(x)), Fraction(0))


# ------------------------------------------------------------------ the check: EM-2 to EM-6


class Check(NamedTuple):
    """Net successes; whether nothing came of it and nothing went wrong; excess 1s (a fumble)."""

    net: int
    failure: bool
    excess: int


def clamped(number: int, rule: Rule = "d10_6_cancel", *, clamp: Clamp = "sides") -> int:
    """Difficulty number held within 2..sides (B2)."""
    if clamp == "open":
        return number
    return max(2, min(SIDES[rule], number))


def difficulty(modifier: int, rule: Rule = "d10_6_cancel", *, clamp: Clamp = "sides") -> int:
    """Base less the sum of the modifiers, clamped after everything (EM-2, EM-3)."""
    return clamped(BASE[rule] - modifier, rule, clamp=clamp)


def is_success(
    face: int,
    number: int,
    rule: Rule = "d10_6_cancel",
    *,
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
) -> bool:
    """One die against the difficulty number (EM-4, B3)."""
    number = clamped(number, rule, clamp=clamp)
    return face >= number if compare == "at_least" else face > number


def judged(n_dice: int, successes: int, ones: int, rule: Rule) -> Check:
    """Result of a check from what its dice show (EM-4, B1)."""
    if rule == "none":
        excess = 0
        net = successes
    elif rule == "botch":
        excess = ones if successes == 0 else 0
        net = successes
    elif rule == "half":
        excess = ones - n_dice // 2 if 2 * ones > n_dice else 0
        net = 0 if excess else successes
    elif rule == "d10_6_nocancel":
        excess = ones - successes if ones > successes else 0
        net = 0 if excess else successes
    else:
        excess = max(0, ones - successes)
        net = max(0, successes - ones)
    return Check(net, net == 0 and excess == 0, excess)


def check(
    faces: Sequence[int],
    number: int,
    rule: Rule = "d10_6_cancel",
    *,
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
) -> Check:
    """Result of the rolled faces at a difficulty number (EM-4, B1 to B3)."""
    assert all(1 <= face <= SIDES[rule] for face in faces), faces
    successes = sum(is_success(f, number, rule, clamp=clamp, compare=compare) for f in faces)
    ones = sum(face == 1 for face in faces)
    return judged(len(faces), successes, ones, rule)


def check_distribution(
    n_dice: int,
    number: int,
    rule: Rule = "d10_6_cancel",
    *,
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
) -> Dist[Check]:
    """All results of a check, by rolling all faces of all dice; for few dice."""
    sides = range(1, SIDES[rule] + 1)
    p = Fraction(1, SIDES[rule] ** n_dice)
    return tally(
        (check(faces, number, rule, clamp=clamp, compare=compare), p)
        for faces in product(sides, repeat=n_dice)
    )


def check_counted(
    n_dice: int,
    number: int,
    rule: Rule = "d10_6_cancel",
    *,
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
) -> Dist[Check]:
    """The same distribution by counting dice that show a 1, another success, another failure."""
    sides = SIDES[rule]
    good = [
        face
        for face in range(2, sides + 1)
        if is_success(face, number, rule, clamp=clamp, compare=compare)
    ]
    one_is_good = is_success(1, number, rule, clamp=clamp, compare=compare)
    p_one = Fraction(1, sides)
    p_good = Fraction(len(good), sides)
    p_bad = 1 - p_one - p_good
    pairs = []
    for ones in range(n_dice + 1):
        for others in range(n_dice - ones + 1):
            bad = n_dice - ones - others
            ways = factorial(n_dice) // (factorial(ones) * factorial(others) * factorial(bad))
            successes = others + ones if one_is_good else others
            p = ways * p_one**ones * p_good**others * p_bad**bad
            pairs.append((judged(n_dice, successes, ones, rule), p))
    return tally(pairs)


# ------------------------------------------------------------------ the modifier tables

Rows = dict[str, int]  # row of the table -> its modifier; their sum is what the check gets
Hiding = Literal["none", "partial", "total"]
Band = Literal["short", "medium", "long"]


def rungs(many: int, few: int, *, more_than: bool) -> int:
    """How many of the rows outnumbered, 2:1, 3:1 apply.

    `more_than` is Aimed Fire's wording (more than 2:1); else 2:1 itself is enough (EMV-8, EMV-10).
    """
    n = 0
    for times in (1, 2, 3):
        if many > times * few or (times > 1 and not more_than and many == times * few):
            n += 1
    return n


def ladder(rows: Rows, n: int, stack_rows: StackRows) -> Rows:
    """First n rows of rows that repeat: all of them, or the last only (B6)."""
    items = list(rows.items())[:n]
    if stack_rows == "highest":
        items = items[-1:]
    return dict(items)


def rows_aim(
    *,
    band: Band = "short",
    concealment: Hiding = "none",
    cover: Literal["none", "partial"] = "none",
    forfeit_move: bool = False,
    elev_over: bool = False,
    unaware: bool = False,
    double_pace: bool = False,
    support: bool = False,
    in_skirmish: bool = False,
    friends: int = 0,
    enemies: int = 0,
    focus: bool = False,
    target: int = 0,
    stack_rows: StackRows = "cumulative",
    support_skirmish: SupportSkirmish = "replaces",
    focus_skirmish: FocusSkirmish = "adds",
    focus_penalty: FocusPenalty = "once",
) -> Rows:
    """Rows of T-AIM that apply (EM-30, EM-33; B6, B7, B8).

    `friends` and `enemies` are the members in the combat that is shot into; `target` are the
    members of the focused unit, out of `enemies`.
    """
    rows: Rows = {}
    n = {"short": 0, "medium": 1, "long": 2}[band]
    rows |= ladder({"out_short": -1, "out_medium": -1}, n, stack_rows)
    if concealment == "partial":
        rows["conceal_partial"] = -1
    if concealment == "total":
        rows["conceal_total"] = -3
    if cover == "partial":
        rows["cover_partial"] = -2
    if forfeit_move:
        rows["forfeit_move"] = 2
    if elev_over:
        rows["elev_over"] = 1
    if unaware:
        rows["unaware"] = 1
    if double_pace:
        rows["double_pace"] = -4
    if support:
        if not in_skirmish or support_skirmish == "adds":
            rows["support"] = -2
        if in_skirmish:
            rows["support_skirmish"] = -4
        n = rungs(friends, enemies, more_than=True)
        rows |= ladder({"enemy_out": -1, "enemy_out2": -1, "enemy_out3": -2}, n, stack_rows)
        if in_skirmish and friends > enemies:
            rows["enemy_out_skirmish"] = -1
        n = rungs(enemies, friends, more_than=True)
        rows |= ladder({"friend_out": 1, "friend_out2": 1, "friend_out3": 2}, n, stack_rows)
    if focus:
        if not in_skirmish or focus_skirmish == "adds":
            rows["focus"] = -2
        if in_skirmish:
            rows["focus_skirmish"] = -1
        if focus_penalty == "both":
            rows["focus_step"] = -1
        n = 0
        if target and enemies:
            n = (4 * target < enemies) + (10 * target < enemies)
        rows |= ladder({"small4": -1, "small10": -1}, n, stack_rows)
    return rows


def rows_vol(
    *,
    band: Band = "medium",
    blind: bool = False,
    in_sight: bool = False,
    vertical_cover: Literal["none", "partial"] = "none",
) -> Rows:
    """Rows of T-VOL that apply (EM-31); under total vertical cover the object above is hit."""
    rows: Rows = {}
    if band == "short":
        rows["in_short"] = -2
    if band == "long":
        rows["out_medium"] = -4
    if blind:
        rows["blind"] = -6
    if in_sight:
        rows["in_sight"] = 2
    if vertical_cover == "partial":
        rows["vcover_partial"] = -2
    return rows


def rows_cc(
    *,
    attackers: int = 1,
    subject: int = 1,
    concealment: Hiding = "none",
    cover: Hiding = "none",
    rough: bool = False,
    charged: bool = False,
    double_pace: bool = False,
    target_elev: bool = False,
    elev_over: bool = False,
    focus: bool = False,
    stack_rows: StackRows = "cumulative",
    focus_penalty: FocusPenalty = "once",
) -> Rows:
    """Rows of T-CC that apply (EM-32; B6, B8); `attackers`, `subject`: members in the combat."""
    rows: Rows = {}
    if concealment == "partial":
        rows["conceal_partial"] = -1
    if concealment == "total":
        rows["conceal_total"] = -2
    if cover == "partial":
        rows["cover_partial"] = -2
    if cover == "total":
        rows["cover_total"] = -4
    if rough:
        rows["rough"] = -1
    n = rungs(attackers, subject, more_than=False)
    rows |= ladder({"out1": 1, "out2": 1, "out3": 2}, n, stack_rows)
    if charged:
        rows["charged"] = 1
    if double_pace:
        rows["double_pace"] = -2
    if target_elev:
        rows["target_elev"] = -1
    if elev_over:
        rows["elev_over"] = 1
    if focus:
        rows["focus"] = -1
        if focus_penalty == "both":
            rows["focus_step"] = -1
    return rows


def rows_dis(
    *,
    source: int = 1,
    subject: int = 1,
    concealment: Hiding = "none",
    cover: Hiding = "none",
    rough: bool = False,
    charged: bool = False,
    stack_rows: StackRows = "cumulative",
) -> Rows:
    """Rows of T-DIS that apply (EM-36; B6); `source` disengages from `subject`, in members."""
    rows: Rows = {}
    if concealment == "partial":
        rows["conceal_partial"] = 1
    if concealment == "total":
        rows["conceal_total"] = 2
    if cover == "partial":
        rows["cover_partial"] = 2
    if cover == "total":
        rows["cover_total"] = 4
    if rough:
        rows["rough"] = -1
    if charged:
        rows["src_charged"] = -4
    n = rungs(subject, source, more_than=False)
    rows |= ladder({"src_out1": -1, "src_out2": -1, "src_out3": -2}, n, stack_rows)
    n = rungs(source, subject, more_than=False)
    rows |= ladder({"sub_out1": 1, "sub_out2": 1, "sub_out3": 2}, n, stack_rows)
    return rows


def strongest(rows: Rows, rank_stack: RankStack) -> Rows:
    """All rows, or the first of the largest (B9)."""
    if rank_stack == "add" or not rows:
        return rows
    key = max(rows, key=lambda row: abs(rows[row]))
    return {key: rows[key]}


def rows_rank(
    *,
    side: Literal["front", "flank", "rear"] = "front",
    fronts: int = 1,
    aligned: bool = False,
    rank_stack: RankStack = "add",
) -> Rows:
    """Rows of T-RANK for the ranked unit's own attack on an enemy at that side (EM-20, EM-23)."""
    rows: Rows = {}
    if side == "flank":
        rows["to_flank"] = -1
    if side == "rear":
        rows["to_rear"] = -2
    if fronts > 1:
        rows["to_multi"] = -2
    rows = strongest(rows, rank_stack)
    if aligned:
        rows["aligned"] = -1
    return rows


def rows_rank_enemy(
    *,
    side: Literal["front", "flank", "rear"] = "front",
    fronts: int = 1,
    rank_stack: RankStack = "add",
    multi_front_count: MultiFrontCount = "additional",
) -> Rows:
    """Rows of T-RANK for an enemy who attacks a ranked unit from that side (EM-23, B9, B10)."""
    rows: Rows = {}
    if side == "flank":
        rows["from_flank"] = 1
    if side == "rear":
        rows["from_rear"] = 2
    if fronts > 1:
        n = fronts - 1 if multi_front_count == "additional" else fronts
        rows["from_extra_front"] = 2 * n
    return strongest(rows, rank_stack)


def rank_morale(sides: Sequence[Literal["front", "flank", "rear"]]) -> int:
    """Morale of one round in ranked combat with enemies at these sides (EM-24)."""
    return -sides.count("flank") - 2 * sides.count("rear") - max(0, len(sides) - 1)


# ------------------------------------------------------------------ mixed difficulty: EM-51, EM-52


def mixed_difficulty(
    groups: Sequence[tuple[int, int]],
    focus: int | None = None,
    *,
    table: int = 1,
    rule: Rule = "d10_6_cancel",
    clamp: Clamp = "sides",
    focus_merge: FocusMerge = "yes",
    focus_cap: FocusCap = "after",
    focus_penalty: FocusPenalty = "once",
) -> int:
    """Difficulty number against a mixed body by steps 1.1 to 1.3 (B8, B17, B18).

    `groups` are (members, modifier) of each sub-unit, without the rows for focusing; `focus` is
    the place of the focused one in this list. `table` is what the action's table takes for
    focusing: 1 for Close Combat, 2 for Aimed Fire (3 in a skirmish).
    """
    numbers = [BASE[rule] - modifier for _, modifier in groups]
    members = [n for n, _ in groups]
    step = 0
    if focus is not None and focus_penalty == "once":
        step = table
    if focus is not None and focus_penalty == "both":
        numbers = [number + table for number in numbers]
        step = 1
    # 1.1, or 1.3: where to start, and how many are in that group
    start = min(numbers) if focus is None else numbers[focus]
    if focus is not None and focus_merge == "no":
        group = members[focus]
    else:
        group = sum(n for n, number in zip(members, numbers, strict=True) if number == start)
    # 1.2: those harder to hit
    higher = sum(n for n, number in zip(members, numbers, strict=True) if number > start)
    # 1.2.1: one more for each full group of them, no more than the highest
    result = start
    while higher >= group:
        higher -= group
        result += 1
    highest = max(numbers)
    if focus_cap == "inside":
        return clamped(min(result + step, highest), rule, clamp=clamp)
    return clamped(min(result, highest) + step, rule, clamp=clamp)


# ------------------------------------------------------------------ damage: EM-40 to EM-56


class Effect(TypedDict, total=False):
    """What a row of a threshold table does."""

    bonus: int  # to all later rolls
    next_bonus: int  # to the next roll only
    destroyed: bool
    casualties: int
    name: str


class Unit(TypedDict):
    """A unit that is hit. Missing keys are 0, None, False or, for `full`, the members."""

    name: str
    members: int  # not yet removed, marked casualties included
    hits: int  # the Hits attribute
    base: NotRequired[int]  # base damage of the attack
    marked: NotRequired[int]  # casualties not yet removed
    markers: NotRequired[int]
    damage: NotRequired[int]  # all points so far
    limit: NotRequired[int | None]
    threshold: NotRequired[int | None]
    table: NotRequired[Sequence[tuple[int, int | None, Effect]]]  # low, high (None: or more)
    die: NotRequired[int]  # of the threshold table
    bonus: NotRequired[int]
    next_bonus: NotRequired[int]
    destroyed: NotRequired[bool]
    size: NotRequired[int]  # for the order of groups
    standing: NotRequired[int]  # the same, with the marked, as long as somebody is not (B42)
    full: NotRequired[int]  # members as printed
    skills: NotRequired[Mapping[str, tuple[int, int | Fraction]]]  # printed level, diminish


class TableRollNeededError(Exception):
    """The threshold rolls handed to `allocate` do not suffice."""

    def __init__(self, name: str, die: int, alike: dict[int, int]) -> None:
        """`alike`: of the faces with the same effect the first one, and how many they are."""
        super().__init__(name, die)
        self.name = name
        self.die = die
        self.alike = alike


class Suffered(NamedTuple):
    """What one attack did to one unit; `damage`, `markers`, `bonus`... as they are after it."""

    points: int
    casualties: int
    rolls: int  # threshold rolls that came due
    markers: int
    damage: int
    bonus: int
    next_bonus: int
    destroyed: bool
    left: int  # members not marked
    came_up: tuple[str, ...]  # rows of its table, by name, in order


class Spent(NamedTuple):
    """One step of the allocation: who took how many points for how many new hits."""

    name: str
    points: int
    hits: int
    left: int


class Allocation(NamedTuple):
    """Where the hits of one attack went."""

    by: dict[str, Suffered]
    lost: int
    trace: list[Spent]

    def points(self) -> dict[str, int]:
        """Damage points by unit."""
        return {name: suffered.points for name, suffered in self.by.items()}

    def markers(self) -> dict[str, int]:
        """Hit markers by unit, after the attack."""
        return {name: suffered.markers for name, suffered in self.by.items()}


class Readings(TypedDict, total=False):
    """Readings of the allocation (B11 to B16)."""

    h_floor: HFloor
    markers: Markers
    group_size: GroupSize
    k_scope: KScope
    group_by: GroupBy
    markers_owner: MarkersOwner


class Standing:
    """A unit while the hits of one attack are spent."""

    def __init__(self, unit: Unit, rolls: list[int] | None, h_floor: HFloor) -> None:
        self.unit = unit
        self.rolls = rolls
        self.name = unit["name"]
        price = unit["hits"] - unit.get("base", 0)
        self.outright = price <= 0 and h_floor == "outright"  # B11
        self.price = max(1, price)  # EM-40
        self.limit = unit.get("limit")
        self.threshold = unit.get("threshold")
        self.damage = unit.get("damage", 0)
        self.markers = unit.get("markers", 0)
        self.bonus = unit.get("bonus", 0)
        self.next_bonus = unit.get("next_bonus", 0)
        self.destroyed = unit.get("destroyed", False)
        self.unmarked = unit["members"] - unit.get("marked", 0)
        self.start_size = unit.get("size", self.left)
        self.marked_count = "standing" in unit  # casualties that are marked count (B42)
        if self.marked_count and self.left:
            self.start_size = unit["standing"]
        self.points = 0
        self.casualties = 0
        self.rolls_due = 0
        self.came_up: list[str] = []

    @property
    def left(self) -> int:
        """Members not marked as casualties."""
        return 0 if self.destroyed else self.unmarked

    def room(self) -> int | None:
        """Points until all members are marked; None if damage marks nobody."""
        if self.left == 0:
            return 0
        if self.limit is not None:
            return self.left * self.limit - self.damage % self.limit
        return self.left if self.threshold is None else None

    def one_point(self) -> tuple[int, int]:
        """(points, hits) that a single unit takes at a time (EM-41)."""
        return self.killing() if self.outright else (1, self.price)

    def one_step(self) -> tuple[int, int]:
        """(points, hits) of one step 2.1: a threshold roll, or a point (EM-53)."""
        if self.outright:
            return self.killing()
        points = 1
        if self.threshold is not None:
            points = self.threshold - self.damage % self.threshold
            room = self.room()
            if room is not None:
                points = min(points, room)
        return points, points * self.price

    def killing(self) -> tuple[int, int]:
        """(points, hits) if one hit kills (B11)."""
        points = 1
        if self.limit is not None:
            points = self.limit - self.damage % self.limit
        elif self.threshold is not None:
            points = self.threshold - self.damage % self.threshold
        return points, 1

    def mark(self, n: int) -> None:
        """Mark characters as casualties, no more than there are."""
        n = min(n, self.left)
        self.casualties += n
        self.unmarked -= n

    def suffer(self, points: int) -> None:
        """Damage Limit first (EM-42); threshold rolls come due, but are not made yet."""
        for _ in range(points):
            self.damage += 1
            self.points += 1
            if self.limit is not None:
                if self.damage % self.limit == 0:
                    self.mark(1)
            elif self.threshold is None:
                self.mark(1)
            if self.threshold is not None and self.damage % self.threshold == 0:
                self.rolls_due += 1

    def row(self, face: int) -> int:
        """The place of the row of the table that a face of the threshold die leads to now."""
        total = face + self.bonus + self.next_bonus
        (place,) = [
            place
            for place, (low, high, _) in enumerate(self.unit["table"])
            if low <= total and (high is None or total <= high)
        ]
        return place

    def alike(self) -> dict[int, int]:
        """Of the faces that lead to the same row the first one, and how many they are."""
        rows = [self.row(face) for face in range(1, self.unit.get("die", 10) + 1)]
        return {1 + rows.index(row): rows.count(row) for row in rows}

    def roll_table(self, n: int) -> None:
        """Make n threshold rolls, each one's effect before the next (EM-43)."""
        if self.rolls is None or "table" not in self.unit:
            return
        for _ in range(n):
            if self.destroyed:
                return
            if not self.rolls:
                raise TableRollNeededError(self.name, self.unit.get("die", 10), self.alike())
            _, _, effect = self.unit["table"][self.row(self.rolls.pop(0))]
            self.next_bonus = 0
            self.came_up.append(effect.get("name", ""))
            self.bonus += effect.get("bonus", 0)
            self.next_bonus += effect.get("next_bonus", 0)
            self.destroyed = effect.get("destroyed", False)
            self.mark(effect.get("casualties", 0))

    def suffered(self) -> Suffered:
        """What the attack did."""
        return Suffered(
            self.points,
            self.casualties,
            self.rolls_due,
            self.markers,
            self.damage,
            self.bonus,
            self.next_bonus,
            self.destroyed,
            self.left,
            tuple(self.came_up),
        )


def allocate(
    units: Sequence[Unit],
    hits: int,
    focus: str | None = None,
    *,
    rolls: list[int] | None = None,
    h_floor: HFloor = "one",
    markers: Markers = "persist",
    group_size: GroupSize = "start",
    k_scope: KScope = "every",
    group_by: GroupBy = "hits",
    markers_owner: MarkersOwner = "able",
) -> Allocation:
    """Spend the hits of one attack on a single unit or a mixed body (EM-40 to EM-56, B11 to B16).

    `focus` is the name of the focused unit. `rolls` are the faces of the threshold dice in the
    order they are rolled, taken out of the list; without them rolls are counted, not made.

    Raises:
        TableRollNeededError: more threshold rolls come due than are given.
    """
    body = [Standing(unit, rolls, h_floor) for unit in units]
    assert len({standing.name for standing in body}) == len(body), "names must differ"
    assert focus is None or focus in [one.name for one in body], focus
    if hits == 0:
        return Allocation({one.name: one.suffered() for one in body}, 0, [])
    if len(body) == 1:
        lost, trace = spend_on_one(body[0], hits, markers)
    else:
        lost, trace = spend_on_body(body, hits, focus, group_size, k_scope, group_by, markers_owner)
    return Allocation({one.name: one.suffered() for one in body}, lost, trace)


def spend_on_one(one: Standing, hits: int, markers: Markers) -> tuple[int, list[Spent]]:
    """EM-41 to EM-43 for a unit on its own; returns hits lost and the steps."""
    trace = []
    while one.room() != 0:
        points, price = one.one_point()
        new_hits = max(0, price - one.markers)
        if new_hits > hits:
            break
        one.markers = max(0, one.markers - price)
        hits -= new_hits
        one.suffer(points)
        trace.append(Spent(one.name, points, new_hits, hits))
    one.roll_table(one.rolls_due)
    if one.left == 0 or markers == "discarded":
        one.markers = 0
        return hits, trace
    one.markers += hits
    return 0, trace


def spend_on_body(
    body: Sequence[Standing],
    hits: int,
    focus: str | None,
    group_size: GroupSize,
    k_scope: KScope,
    group_by: GroupBy,
    markers_owner: MarkersOwner,
) -> tuple[int, list[Spent]]:
    """Steps 2 to 2.3 for a mixed body; returns hits lost and the steps."""
    trace: list[Spent] = []

    # 2: groups by Hits value, each with its units in the order they take points
    groups: list[list[Standing]] = []
    for one in body:
        if one.left == 0:
            continue
        same = [g for g in groups if group_by == "hits" and g[0].unit["hits"] == one.unit["hits"]]
        if same:
            same[0].append(one)
        else:
            groups.append([one])
    for group in groups:
        group.sort(key=lambda one: -one.start_size)  # stable: equal sizes keep list order
    turn = [0] * len(groups)  # who of each group is next

    def size(i: int) -> int:
        if group_size == "start":
            return sum(one.start_size for one in groups[i])
        return sum(
            one.start_size if one.marked_count and one.left else one.left for one in groups[i]
        )

    def ranking() -> list[int]:
        order = sorted(range(len(groups)), key=lambda i: -size(i))  # stable
        return [i for i in order if size(i) > 0]

    def times(i: int, *, first: bool) -> int:
        """2.1.2: how often step 2.1 is done at this group."""
        order = ranking()
        if k_scope == "first" and not first:
            return 1
        if i not in order or i == order[-1]:
            return 1
        return max(1, size(i) // size(order[order.index(i) + 1]))

    def step_2_1(one: Standing) -> bool:
        """Spend for one roll or one point, if that can be done."""
        nonlocal hits
        if one.left == 0:
            return False
        points, price = one.one_step()
        new_hits = max(0, price - one.markers)
        if new_hits > hits:
            return False
        one.markers = max(0, one.markers - price)
        hits -= new_hits
        rolls_before = one.rolls_due
        one.suffer(points)
        one.roll_table(one.rolls_due - rolls_before)
        if one.left == 0:
            one.markers = 0
        trace.append(Spent(one.name, points, new_hits, hits))
        return True

    def hurt(i: int) -> bool:
        """Step 2.1 for a group: the next of its units that can be hurt."""
        group = groups[i]
        for ahead in range(len(group)):
            place = (turn[i] + ahead) % len(group)
            if step_2_1(group[place]):
                turn[i] = (place + 1) % len(group)
                return True
        return False

    def cycle() -> bool:
        """2.1 to 2.2 once, from the largest group to the smallest; False if nothing was spent."""
        visited: list[int] = []
        spent = False
        while True:
            rest = [i for i in ranking() if i not in visited]
            if not rest:
                return spent
            i = rest[0]
            visited.append(i)
            first = not spent
            done = 0
            while done < times(i, first=first) and hurt(i):
                done += 1
                spent = True

    def extra() -> bool:
        """2.3: step 2.1 for the focused unit."""
        return any(one.name == focus and step_2_1(one) for one in body)

    extra()
    while True:
        in_cycle = cycle()
        in_extra = extra()
        if not in_cycle and not in_extra:
            break

    # 2.2, end: hit markers
    if hits == 0 or all(one.left == 0 for one in body):
        return hits, trace
    order = ranking()
    if markers_owner == "largest":
        groups[order[0]][0].markers += hits
        return 0, trace
    for i in order:
        for one in groups[i]:
            if one.left > 0:
                one.markers += hits
                return 0, trace
    raise AssertionError("somebody is alive, but in no group")


def after(unit: Unit, suffered: Suffered) -> Unit:
    """The unit after an attack: casualties marked, not yet removed."""
    changed = unit.copy()
    changed["full"] = unit.get("full", unit["members"])
    changed["damage"] = suffered.damage
    changed["marked"] = unit.get("marked", 0) + suffered.casualties
    changed["markers"] = suffered.markers
    changed["bonus"] = suffered.bonus
    changed["next_bonus"] = suffered.next_bonus
    changed["destroyed"] = suffered.destroyed
    return changed


# ------------------------------------------------------------------ odds of one attack


def outcomes(
    units: Sequence[Unit],
    hits: int,
    focus: str | None = None,
    **readings: Unpack[Readings],
) -> Iterator[tuple[Allocation, Fraction]]:
    """All ways the threshold dice can fall when these hits are spent."""

    def branch(rolls: list[int], p: Fraction) -> Iterator[tuple[Allocation, Fraction]]:
        try:
            yield allocate(units, hits, focus, rolls=list(rolls), **readings), p
        except TableRollNeededError as needed:
            for face, ways in needed.alike.items():
                yield from branch([*rolls, face], p * Fraction(ways, needed.die))

    yield from branch([], Fraction(1))


def attack_outcomes(
    dice: int,
    number: int,
    units: Sequence[Unit],
    focus: str | None = None,
    *,
    auto_success: AutoSuccess | None = None,
    rule: Rule = "d10_6_cancel",
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
    **readings: Unpack[Readings],
) -> Dist[tuple[Suffered, ...]]:
    """All ends of one attack: what each unit suffered, in the order of the list.

    `auto_success` says how many successes an automatic success has: all dice or one (EM-6, B19).
    """
    if auto_success is None:
        results = check_counted(dice, number, rule, clamp=clamp, compare=compare)
        hits = tally((result.net, p) for result, p in results.items())
    else:
        hits = {dice if auto_success == "all" else min(1, dice): Fraction(1)}
    return tally(
        (tuple(end.by.values()), p * q)
        for n, p in hits.items()
        for end, q in outcomes(units, n, focus, **readings)
    )


def attack_odds(
    dice: int,
    number: int,
    units: Sequence[Unit],
    focus: str | None = None,
    *,
    auto_success: AutoSuccess | None = None,
    rule: Rule = "d10_6_cancel",
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
    **readings: Unpack[Readings],
) -> Dist[tuple[int, ...]]:
    """Distribution of the damage points of one attack, by unit in the order of the list."""
    ends = attack_outcomes(
        dice, number, units, focus,
        auto_success=auto_success, rule=rule, clamp=clamp, compare=compare, **readings,
    )  # fmt: skip
    return tally((tuple(one.points for one in end), p) for end, p in ends.items())


def supporting_fire(
    dice: int,
    number: int,
    enemies: Sequence[Unit],
    friends: Sequence[Unit],
    focus: str | None = None,
    *,
    rule: Rule = "d10_6_cancel",
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
    **readings: Unpack[Readings],
) -> Dist[tuple[int, ...]]:
    """Points by unit, enemies first: successes hit enemies, each excess 1 hits friends (EM-33)."""
    pairs = []
    for result, p in check_counted(dice, number, rule, clamp=clamp, compare=compare).items():
        for foe, q in outcomes(enemies, result.net, focus, **readings):
            for own, r in outcomes(friends, result.excess, None, **readings):
                points = (*foe.points().values(), *own.points().values())
                pairs.append((points, p * q * r))
    return tally(pairs)


def free_strike(
    strikers: Sequence[tuple[int, int]],
    units: Sequence[Unit],
    *,
    auto_success: AutoSuccess = "all",
    rolls: list[int] | None = None,
    **readings: Unpack[Readings],
) -> list[Unit]:
    """The movers after one round of Free Strikes (EM-12, B19).

    `strikers` are (dice, base damage) of each unit that engages, in the order they strike.
    """
    body = [unit.copy() for unit in units]
    for dice, base in strikers:
        for unit in body:
            unit["base"] = base
        hits = dice if auto_success == "all" else min(1, dice)
        end = allocate(body, hits, rolls=rolls, **readings)
        body = [after(unit, end.by[unit["name"]]) for unit in body]
    return body


# ------------------------------------------------------------------ Resolution: EM-44, EM-45


def level_after(
    level: int,
    value: int | Fraction,
    lost: int,
    *,
    diminish: Diminish = "subtract",
) -> int:
    """Skill level when so many members are lost or out of reach (EM-22, EM-45, B5)."""
    if value == 0:
        return level
    fall = value * lost if diminish == "subtract" else lost // Fraction(value)
    return max(0, floor(level - fall))


def dice_of(level: int | None, members: int, *, dice_from: DiceFrom = "level") -> int:
    """Dice of a skill with Default yes: None is a unit without the skill (EM-3, EM-5, B4)."""
    if level is None:
        return 1
    return level if dice_from == "level" else members


def levels(
    unit: Unit,
    *,
    diminish: Diminish = "subtract",
    dragon_diminish: DragonDiminish = "damage",
) -> dict[str, int]:
    """Skill levels as Resolution sets them, from the members there then (EM-44, EM-45, B23)."""
    full = unit.get("full", unit["members"])
    lost = full - unit["members"]
    if full == 1 and dragon_diminish == "damage":
        lost = unit.get("damage", 0)
    found = {}
    for skill, (level, value) in unit.get("skills", {}).items():
        found[skill] = level_after(level, value, lost, diminish=diminish)
        if unit["members"] == 0:
            found[skill] = 0
    return found


def resolution(
    unit: Unit,
    *,
    markers: Markers = "persist",
    diminish: Diminish = "subtract",
    dragon_diminish: DragonDiminish = "damage",
) -> tuple[Unit, dict[str, int]]:
    """The unit after the Resolution Phase, and its levels: casualties leave, then skills drop."""
    changed = unit.copy()
    changed["full"] = unit.get("full", unit["members"])
    changed["members"] = unit["members"] - unit.get("marked", 0)
    if unit.get("destroyed", False):
        changed["members"] = 0
    changed["marked"] = 0
    if markers == "resolution" or changed["members"] == 0:
        changed["markers"] = 0
    return changed, levels(changed, diminish=diminish, dragon_diminish=dragon_diminish)


# ------------------------------------------------------------------ a fight to the end


class Fighter(TypedDict):
    """One of two single units in close combat."""

    members: int
    level: int
    diminish: int | Fraction
    hits: int
    base: NotRequired[int]  # base damage of its own weapon
    limit: NotRequired[int | None]
    modifier: NotRequired[int]  # to its attacks in all rounds, outnumbering apart


class Fight(NamedTuple):
    """Probabilities for the first side; expected rounds."""

    win: Fraction
    draw: Fraction
    loss: Fraction
    endless: Fraction  # both stand and nothing can change any more
    rounds: Fraction


class Side(NamedTuple):
    """One side between two rounds."""

    members: int
    damage: int
    markers: int


def fight(
    first: Fighter,
    second: Fighter,
    *,
    rule: Rule = "d10_6_cancel",
    clamp: Clamp = "sides",
    compare: Compare = "at_least",
    dice_from: DiceFrom = "level",
    diminish: Diminish = "subtract",
    stack_rows: StackRows = "cumulative",
    h_floor: HFloor = "one",
    markers: Markers = "persist",
    dragon_diminish: DragonDiminish = "damage",
) -> Fight:
    """Two units fight until one is gone: both strike, then casualties leave (EM-32, EM-44)."""

    def unit(own: Fighter, side: Side, enemy: Fighter) -> Unit:
        return {
            "name": "unit",
            "full": own["members"],
            "members": side.members,
            "hits": own["hits"],
            "base": enemy.get("base", 0),
            "limit": own.get("limit"),
            "damage": side.damage,
            "markers": side.markers,
            "skills": {"Close Combat": (own["level"], own["diminish"])},
        }

    def strike(own: Fighter, side: Side, enemy: Fighter, other: Side) -> Dist[Side]:
        """The other side at the end of the round."""
        level = levels(unit(own, side, enemy), diminish=diminish, dragon_diminish=dragon_diminish)[
            "Close Combat"
        ]
        rows = rows_cc(attackers=side.members, subject=other.members, stack_rows=stack_rows)
        modifier = sum(rows.values()) + own.get("modifier", 0)
        target = unit(enemy, other, own)
        ends = attack_outcomes(
            dice_of(level, side.members, dice_from=dice_from),
            difficulty(modifier, rule, clamp=clamp),
            [target],
            rule=rule, clamp=clamp, compare=compare, h_floor=h_floor, markers=markers,
        )  # fmt: skip
        pairs = []
        for (suffered,), p in ends.items():
            rest, _ = resolution(after(target, suffered), markers=markers)
            pairs.append((Side(rest["members"], rest["damage"], rest["markers"]), p))
        return tally(pairs)

    known: dict[tuple[Side, Side], Fight] = {}
    zero, one = Fraction(0), Fraction(1)

    def to_the_end(a: Side, b: Side) -> Fight:
        if a.members == 0 and b.members == 0:
            return Fight(zero, one, zero, zero, zero)
        if b.members == 0:
            return Fight(one, zero, zero, zero, zero)
        if a.members == 0:
            return Fight(zero, zero, one, zero, zero)
        if (a, b) in known:
            return known[a, b]
        nexts = tally(
            ((a_next, b_next), p * q)
            for b_next, p in strike(first, a, second, b).items()
            for a_next, q in strike(second, b, first, a).items()
        )
        stay = nexts.pop((a, b), zero)  # no other way leads back: damage and markers only grow
        if stay == 1:
            found = Fight(zero, zero, zero, one, zero)
        else:
            ends = [(to_the_end(*pair), p) for pair, p in nexts.items()]
            win, draw, loss, endless, rounds = (
                sum((end[i] * p for end, p in ends), zero) / (1 - stay) for i in range(5)
            )
            found = Fight(win, draw, loss, endless, 1 / (1 - stay) + rounds)
        known[a, b] = found
        return found

    return to_the_end(Side(first["members"], 0, 0), Side(second["members"], 0, 0))
