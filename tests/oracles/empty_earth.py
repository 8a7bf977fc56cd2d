"""Empty Earth attacks by brute force: all faces of all dice, both sides choosing by minimax.

A die shows 1..sides. Every roll, reroll, focus and dodge is walked through as it lies on the
table; nothing is sorted or put into classes. The attacker maximises, the defender minimises a
utility of the outcome. Where the rules can be read in several ways `Rulings` names the
readings; its defaults are the project's. Clause ids stand in docstrings.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from operator import sub
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)
Dist = dict[T, Fraction]
Faces = tuple[int, ...]
Reroll = Literal["none", "one", "subset"]

REGAIN = range(1, 7)


# ------------------------------------------------------------------ readings and sheets


@dataclass(frozen=True)
class Rulings:
    """One field per ambiguity, as the room calls them; the first reading is the default."""

    dodge: Literal["pool", "per_die", "all"] = "pool"
    post_roll: Literal["attacker", "defender"] = "attacker"
    focus: Literal["one", "split"] = "one"
    focus_amount: Literal["exact", "up_to"] = "exact"  # A-5b
    focus_limit: Literal["none", "die"] = "none"  # A-5c
    crowd: Literal["each_die", "damage"] = "each_die"
    shields: Literal["spent", "stay"] = "spent"
    negative: Literal["zero", "adds"] = "zero"


BOOK = Rulings()


@dataclass(frozen=True)
class Attack:
    """One attack line with all that was committed before the roll, and the dodge against it.

    `crowded` says that the penalty for ranged attacks applies (EE-14). `reroll` and `focus` are
    the attacker's, used once after the roll; the `dodge_` fields are the defender's. A Center is
    a dodge against an essential attack. `unmodified` counts dice whose unmodified value reaches
    it (EE-45), with `unmodified_must_hit` only those that hit.
    """

    dice: tuple[int, ...]
    defence: int
    damage: int = 1
    piercing: int = 0
    flat: int = 0
    aim: int = 0
    crowded: bool = False
    reroll: Reroll = "none"
    focus: int = 0
    dodge: tuple[int, ...] = ()
    dodge_flat: int = 0
    dodge_reroll: Reroll = "none"
    dodge_focus: int = 0
    unmodified: int | None = None
    unmodified_must_hit: bool = False


class Target(NamedTuple):
    """The one who is attacked. Only a player character (`pc`) draws Injuries."""

    vitality: int
    shields: int = 0
    dr: int = 0
    pc: bool = False
    vitality_max: int = 1_000
    injuries: int = 0
    incapacitated: bool = False


class Outcome(NamedTuple):
    """One attack resolved. `target` is the defender afterwards."""

    hits: int
    regular: int
    piercing: int
    final: int
    on_hit: bool
    on_damage: bool
    counter: bool
    unmodified: int
    drew_injury: bool
    target: Target


Utility = Callable[[tuple[Outcome, ...]], Fraction | int]


def total_final(outcomes: tuple[Outcome, ...]) -> int:
    """Utility: Final Damage over all attacks."""
    return sum(o.final for o in outcomes)


def total_hits(outcomes: tuple[Outcome, ...]) -> int:
    """Utility: hits over all attacks."""
    return sum(o.hits for o in outcomes)


def vitality_lost(start: int) -> Utility:
    """Utility: how far Vitality ends below its start."""
    return lambda outcomes: start - outcomes[-1].target.vitality


def any_effect(outcomes: tuple[Outcome, ...]) -> int:
    """Utility: 1 when some effect on unmodified values fired."""
    return int(any(o.unmodified for o in outcomes))


def tally(pairs: Iterable[tuple[T, Fraction]]) -> Dist[T]:
    """Add up the probabilities of equal outcomes."""
    dist: Dist[T] = {}
    for x, p in pairs:
        dist[x] = dist.get(x, Fraction(0)) + p
    return dist


def marginal(dist: Mapping[T, Fraction], of: Callable[[T], Hashable]) -> Dist[Hashable]:
    """Distribution of one fact of the outcome."""
    return tally((of(x), p) for x, p in dist.items())


def chance(dist: Mapping[T, Fraction], event: Callable[[T], bool]) -> Fraction:
    """Probability of an event."""
    return sum((p for x, p in dist.items() if event(x)), Fraction(0))


def rolls(dice: Sequence[int]) -> Iterator[Faces]:
    """Every way the dice can fall, all equally likely."""
    return product(*(range(1, sides + 1) for sides in dice))


# ------------------------------------------------------------------ reading the dice


def modified(
    naturals: Faces, attack: Attack, focus: Faces = (), *, rulings: Rulings = BOOK
) -> Faces:
    """Attack dice before the dodge: focus, printed modifier, Aim, penalty (EE-36 to EE-40)."""
    each = attack.flat + attack.aim
    if attack.crowded and rulings.crowd == "each_die":
        each -= 1
    added = focus or (0,) * len(naturals)
    return tuple(face + extra + each for face, extra in zip(naturals, added, strict=True))


@cache
def focus_options(
    naturals: Faces, dice: Faces, points: int, *, rulings: Rulings = BOOK
) -> list[Faces]:
    """Every way to put Focus [points] on dice; not using it comes first (A-5)."""
    amounts: list[Faces] = []
    for option in product(range(points + 1), repeat=len(naturals)):
        if sum(option) > points:
            continue
        if rulings.focus == "one" and sum(x > 0 for x in option) > 1:
            continue
        if rulings.focus_amount == "exact" and sum(option) not in (0, points):
            continue
        amounts.append(option)
    if rulings.focus_limit == "die":
        amounts = [
            tuple(
                min(x, sides - face) for x, face, sides in zip(option, naturals, dice, strict=True)
            )
            for option in amounts
        ]
    return sorted(set(amounts), key=lambda option: (sum(option), option))


def dodge_points(faces: Faces, attack: Attack, *, rulings: Rulings = BOOK) -> Faces:
    """Value each dodge die (EE-39), never below 0 unless ruled (A-25)."""
    worth = tuple(face + attack.dodge_flat for face in faces)
    return worth if rulings.negative == "adds" else tuple(max(0, x) for x in worth)


@cache
def dodge_spreads(values: Faces, points: Faces, *, rulings: Rulings = BOOK) -> list[Faces]:
    """Attack dice after every way to apply the dodge (EE-41, A-1); the least used comes first."""
    if not points or not values:
        return [values]
    taken = _dodges_taken(len(values), points, rulings.dodge)
    return [tuple(map(sub, values, off)) for off in taken]


@cache
def _dodges_taken(n: int, points: Faces, dodge: str) -> list[Faces]:
    """What the dodge may take off each of so many attack dice."""
    taken: list[Faces] = []
    if dodge == "all":
        taken = [(sum(points),) * n]
    elif dodge == "pool":
        pool = sum(points)
        if pool < 0:
            taken = [tuple(pool if i == j else 0 for j in range(n)) for i in range(n)]
        else:
            taken = [t for t in product(range(pool + 1), repeat=n) if sum(t) <= pool]
    else:
        for goals in product(range(-1, n), repeat=len(points)):  # -1: left unused
            taken.append(
                tuple(
                    sum(x for x, goal in zip(points, goals, strict=True) if goal == i)
                    for i in range(n)
                )
            )
    taken.sort(key=lambda t: (sum(t), t))
    return taken


def outcomes(
    naturals: Faces, values: Faces, attack: Attack, target: Target, *, rulings: Rulings = BOOK
) -> list[Outcome]:
    """Steps 7 to 9 and what Vitality 0 brings (EE-42 to EE-54).

    One outcome; six equally likely ones when an Injury is drawn and Vitality is regained.
    """
    landed = [value > attack.defence for value in values]
    hits = sum(landed)
    regular = hits * attack.damage
    if attack.crowded and rulings.crowd == "damage":
        regular = max(0, regular - 1)
    piercing = hits * attack.piercing
    absorbed = min(target.shields, regular)
    final = max(0, regular - absorbed - target.dr) + piercing
    effects = 0
    if attack.unmodified is not None:
        for face, hit in zip(naturals, landed, strict=True):
            effects += face >= attack.unmodified and (hit or not attack.unmodified_must_hit)

    shields = target.shields - absorbed if rulings.shields == "spent" else target.shields
    vitality = max(0, target.vitality - final)
    drops = final > 0 and vitality == 0 and target.pc and not target.incapacitated
    after = target._replace(vitality=vitality, shields=shields)
    drew_injury = drops and target.injuries == 0
    if drops and not drew_injury:
        after = after._replace(incapacitated=True)
    afters = [after]
    if drew_injury:
        afters = [
            after._replace(injuries=1, vitality=min(target.vitality_max, face)) for face in REGAIN
        ]
    counter = final == 0 and not target.incapacitated
    return [
        Outcome(
            hits, regular, piercing, final, hits > 0, final > 0, counter, effects, drew_injury, x
        )
        for x in afters
    ]


# ------------------------------------------------------------------ both sides at their best


@dataclass(frozen=True, eq=False)
class Node:
    """Value of a position under best play, and what is equally likely to come of it then.

    `end` is what it comes to where all is over; `nodes` are as many positions otherwise.
    """

    value: Fraction | int
    nodes: Sequence["Node"] = ()
    end: tuple[Outcome, ...] = ()

    @cached_property
    def ends(self) -> Dist[tuple[Outcome, ...]]:
        """Where best play ends; only what is really played is counted."""
        if not self.nodes:
            return {self.end: Fraction(1)}
        share = Fraction(1, len(self.nodes))
        rows = ((node, share * n) for node, n in Counter(self.nodes).items())
        return tally((end, p * q) for node, p in rows for end, q in node.ends.items())


Memo = dict[tuple[Hashable, ...], Node]
"""What the same faces came to before: who has still to move, all faces, and Focus so far."""


def _average(nodes: Sequence[Node]) -> Node:
    if len(nodes) == 1:
        return nodes[0]
    total = sum(n * node.value for node, n in Counter(nodes).items())
    return Node(Fraction(total, len(nodes)), nodes)


def _highest(nodes: Iterable[Node]) -> Node:
    return max(nodes, key=lambda node: node.value)


def _lowest(nodes: Iterable[Node]) -> Node:
    return min(nodes, key=lambda node: node.value)


def _chosen_dice(n_dice: int, reroll: Reroll) -> Iterator[tuple[int, ...]]:
    """List the dice that may be picked up together; none comes first."""
    most = {"none": 0, "one": 1, "subset": n_dice}[reroll]
    for size in range(min(most, n_dice) + 1):
        yield from combinations(range(n_dice), size)


def _rerolled(faces: Faces, dice: Sequence[int], chosen: tuple[int, ...]) -> Iterator[Faces]:
    """Every way the chosen dice can fall again; the others stay."""
    for fresh in rolls([dice[i] for i in chosen]):
        new = dict(zip(chosen, fresh, strict=True))
        yield tuple(new.get(i, face) for i, face in enumerate(faces))


def _fallen(
    whose: tuple[Hashable, ...],
    then: Callable[[Faces], Node],
    memo: Memo,
    roll: tuple[Faces, Sequence[int], tuple[int, ...]],
) -> Node:
    """The average over all ways in which chosen dice can fall again.

    Whatever they showed before, the same comes of it: `memo` has it if it was asked before, and
    what each way comes to.
    """
    faces, dice, chosen = roll
    kept = tuple(0 if i in chosen else face for i, face in enumerate(faces))
    key = ("fallen", whose, kept)
    if key not in memo:
        nodes = []
        for fresh in _rerolled(faces, dice, chosen):
            one = ("shown", whose, fresh)
            if one not in memo:
                memo[one] = then(fresh)
            nodes.append(memo[one])
        memo[key] = _average(nodes)
    return memo[key]


@dataclass(frozen=True)
class Table:
    """One attack being played out on raw faces. `then` values each outcome."""

    attack: Attack
    target: Target
    rulings: Rulings
    then: Callable[[Outcome], Node]

    def roll(self) -> Node:
        """Attack and dodge dice fall together (EE-32, EE-33)."""
        memo: Memo = {}
        first = self._attacker if self.rulings.post_roll == "attacker" else self._defender
        return _average(
            [
                first(faces, dodges, memo)
                for faces in rolls(self.attack.dice)
                for dodges in rolls(self.attack.dodge)
            ]
        )

    def _attacker(
        self,
        faces: Faces,
        dodges: Faces,
        memo: Memo,
        dodge_focus: Faces | None = None,
    ) -> Node:
        """Reroll, then focus; rerolling first is never worse (A-8)."""
        attack = self.attack

        def focused(naturals: Faces) -> Node:
            options = focus_options(naturals, attack.dice, attack.focus, rulings=self.rulings)
            if dodge_focus is None:
                return _highest(self._defender(naturals, dodges, memo, x) for x in options)
            return _highest(self._spread(naturals, x, dodges, dodge_focus, memo) for x in options)

        key = ("attacker", faces, dodges, (), dodge_focus or ())
        if key not in memo:
            memo[key] = _highest(
                _fallen(
                    ("attacker", dodges, dodge_focus), focused, memo, (faces, attack.dice, chosen)
                )
                for chosen in _chosen_dice(len(faces), attack.reroll)
            )
        return memo[key]

    def _defender(
        self,
        naturals: Faces,
        dodges: Faces,
        memo: Memo,
        focus: Faces | None = None,
    ) -> Node:
        """The same with the dodge dice; `focus` is the attacker's, unless he still has to move."""
        attack = self.attack

        def focused(shown: Faces) -> Node:
            options = focus_options(shown, attack.dodge, attack.dodge_focus, rulings=self.rulings)
            if focus is None:
                return _lowest(self._attacker(naturals, shown, memo, x) for x in options)
            return _lowest(self._spread(naturals, focus, shown, x, memo) for x in options)

        key = ("defender", naturals, dodges, focus or (), ())
        if key not in memo:
            memo[key] = _lowest(
                _fallen(
                    ("defender", naturals, focus), focused, memo, (dodges, attack.dodge, chosen)
                )
                for chosen in _chosen_dice(len(dodges), attack.dodge_reroll)
            )
        return memo[key]

    def _spread(
        self,
        naturals: Faces,
        focus: Faces,
        dodges: Faces,
        dodge_focus: Faces,
        memo: Memo,
    ) -> Node:
        """The defender applies the dodge (EE-41)."""
        key = ("spread", naturals, dodges, focus, dodge_focus)
        if key not in memo:
            shown = tuple(x + y for x, y in zip(dodges, dodge_focus, strict=True))
            points = dodge_points(shown, self.attack, rulings=self.rulings)
            if points and self.rulings.dodge != "per_die":
                points = (sum(points),)  # a pool, whichever dice it is from
            values = modified(naturals, self.attack, focus, rulings=self.rulings)
            memo[key] = self._dodge(naturals, values, points, memo)
        return memo[key]

    def _dodge(self, naturals: Faces, values: Faces, points: Faces, memo: Memo) -> Node:
        key = ("dodge", naturals, values, points)
        if key not in memo:
            memo[key] = _lowest(
                self._settle(naturals, left, memo)
                for left in dodge_spreads(values, points, rulings=self.rulings)
            )
        return memo[key]

    def _settle(self, naturals: Faces, values: Faces, memo: Memo) -> Node:
        shown = () if self.attack.unmodified is None else naturals  # else only values count
        key = ("settled", shown, values)
        if key not in memo:
            ends = outcomes(naturals, values, self.attack, self.target, rulings=self.rulings)
            memo[key] = _average([self.then(end) for end in ends])
        return memo[key]


def solve(
    attacks: Sequence[Attack],
    target: Target,
    utility: Utility,
    *,
    rulings: Rulings = BOOK,
) -> Node:
    """Attacks in a row on one target, both sides at their best for `utility` of all outcomes.

    Equally good options: the attacker takes the one that rerolls fewest dice, then the least
    focus; so does the defender, then the one that uses the least dodge; then the first in order
    of position.
    """

    def after(done: tuple[Outcome, ...]) -> Node:
        if len(done) == len(attacks):
            return Node(utility(done), end=done)
        now = done[-1].target if done else target
        table = Table(attacks[len(done)], now, rulings, cache(lambda end: after((*done, end))))
        return table.roll()

    return after(())


def distribution(
    attack: Attack, target: Target, utility: Utility = total_final, *, rulings: Rulings = BOOK
) -> Dist[Outcome]:
    """Outcomes of one attack under best play."""
    ends = solve([attack], target, utility, rulings=rulings).ends
    return tally((end[0], p) for end, p in ends.items())


def best_value(
    attack: Attack, target: Target, utility: Utility = total_final, *, rulings: Rulings = BOOK
) -> Fraction:
    """Value of one attack under best play."""
    return Fraction(solve([attack], target, utility, rulings=rulings).value)


def value_of_declarations(
    attacks: Sequence[Sequence[Attack]],
    target: Target,
    utility: Utility = total_final,
    *,
    defender_first: bool = True,
    rulings: Rulings = BOOK,
) -> Fraction:
    """Lay out commitments before the roll (EE-29, EE-30): row by defender, column by attacker.

    A-3: by default the defender commits first and the attacker knows it.
    """
    values = [
        [best_value(attack, target, utility, rulings=rulings) for attack in row] for row in attacks
    ]
    if defender_first:
        return min(max(row) for row in values)
    return max(min(row[j] for row in values) for j in range(len(values[0])))


def resolve(
    naturals: Faces,
    attack: Attack,
    target: Target,
    *,
    focus: Faces = (),
    dodges: Faces = (),
    utility: Utility = total_final,
    rulings: Rulings = BOOK,
) -> tuple[Faces, list[Outcome]]:
    """Given faces (after rerolls) and focus: the defender's best dodge, and what follows.

    Returns the attack dice after the dodge and the equally likely outcomes.
    """
    points = dodge_points(dodges, attack, rulings=rulings)
    values = modified(naturals, attack, focus, rulings=rulings)

    def worth(left: Faces) -> Fraction:
        ends = outcomes(naturals, left, attack, target, rulings=rulings)
        total = sum((Fraction(utility((end,))) for end in ends), Fraction(0))
        return total * Fraction(1, len(ends))

    best = min(dodge_spreads(values, points, rulings=rulings), key=worth)
    return best, outcomes(naturals, best, attack, target, rulings=rulings)


# ------------------------------------------------------------------ around the attack


def start_of_turn(target: Target) -> Target:
    """Shields are gone (EE-26)."""
    return target._replace(shields=0)


def revive(target: Target, face: int, *, black_cubes: int, by_another: bool = True) -> Target:
    """Another player spends three black cubes (EE-51); refused otherwise."""
    if not target.incapacitated or not by_another or black_cubes < 3:
        raise ValueError("only another player with three black cubes revives")
    return target._replace(vitality=min(target.vitality_max, face), incapacitated=False)


def stage_ends(pcs: Sequence[Target]) -> bool:
    """Every player character holds an Injury (EE-52, A-14)."""
    return all(pc.injuries > 0 for pc in pcs)


def dodge_dice_rolled(
    kind: Literal["physical", "essential"],
    declared: Literal["none", "dodge", "center"],
    dice: tuple[int, ...],
) -> tuple[int, ...]:
    """A Dodge answers physical attacks, a Center essential ones (EE-33)."""
    fits = {"physical": "dodge", "essential": "center"}[kind]
    return dice if declared == fits else ()


def is_crowded(reach: Literal["melee", "ranged"], hostile_in_own_zone: int) -> bool:
    """Does the penalty for ranged attacks apply? Once, however many figures (EE-14, EE-15)."""
    return reach == "ranged" and hostile_in_own_zone > 0


def zones_away(borders: Iterable[tuple[str, str]], a: str, b: str) -> int | None:
    """Fewest borders to cross (A-10); None when there is no way."""
    edges = {(x, y) for pair in borders for x, y in (pair, pair[::-1])}
    seen, ring, steps = {a}, {a}, 0
    while ring:
        if b in ring:
            return steps
        ring = {y for x, y in edges if x in ring} - seen
        seen |= ring
        steps += 1
    return None


def may_attack(
    reach: Literal["melee", "ranged"], distance: int | None, *, attack_range: int = 0, sees: bool
) -> bool:
    """Melee in the same Zone, ranged within range and in sight (EE-9 to EE-12, EE-16)."""
    if distance is None:
        return False
    return distance == 0 if reach == "melee" else distance <= attack_range and sees


Point = tuple[int, int]


class Wall(NamedTuple):
    """A coloured line on the map."""

    colour: str
    start: Point
    end: Point


def _side(a: Point, b: Point, c: Point) -> int:
    """Find the side of the line a-b that c is on: 1, 0 (on it) or -1."""
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (cross > 0) - (cross < 0)


def _overlap(a: Point, b: Point, wall: Wall) -> tuple[bool, bool]:
    """For a wall on the line a-b: do they share a point, do they share more than one?"""
    axis = 0 if a[0] != b[0] else 1
    low = max(min(a[axis], b[axis]), min(wall.start[axis], wall.end[axis]))
    high = min(max(a[axis], b[axis]), max(wall.start[axis], wall.end[axis]))
    return low <= high, low < high


def blocks(a: Point, b: Point, wall: Wall, *, touching: bool = False) -> bool:
    """Does this wall stop sight from a to b (EE-13)? A mere touch only if ruled so (A-9)."""
    if wall.colour not in ("black", "green"):
        return False
    ends = _side(a, b, wall.start), _side(a, b, wall.end)
    dots = _side(wall.start, wall.end, a), _side(wall.start, wall.end, b)
    if ends == (0, 0):
        touch, along = _overlap(a, b, wall)
        return touch if touching else along
    if ends[0] * ends[1] < 0 and dots[0] * dots[1] < 0:
        return True
    return touching and ends[0] * ends[1] <= 0 and dots[0] * dots[1] <= 0


def line_of_sight(
    a: Point, b: Point, walls: Iterable[Wall], *, same_zone: bool = False, touching: bool = False
) -> bool:
    """Can a straight line be drawn between two aim dots (EE-13)?"""
    return same_zone or not any(blocks(a, b, wall, touching=touching) for wall in walls)
