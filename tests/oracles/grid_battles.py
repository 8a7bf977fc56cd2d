"""Grid Battles combats by brute force: all faces of all dice, fights by linear equations.

A die is six words of symbols: `d` Damage, `b` Bonus Damage, `s` Shield, `-` nothing. Every roll of
every round is walked through as it lies on the table; nothing is added up beforehand. Where the
rules can be read in several ways `Rulings` names the readings; its defaults are the project's.
Clause ids stand in docstrings.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)
Dist = dict[T, Fraction]
Die = tuple[str, ...]
Faces = tuple[str, ...]
Kind = Literal["attack_die", "defence_die", "damage", "bonus_damage", "shield"]
Part = Literal["round_attacker", "round_defender"]

# The faces of the published dice are pictures; these are the project's assumption.
DICE: dict[str, Die] = {
    "yellow": ("d", "d", "d", "b", "b", "b"),
    "blue": ("d", "d", "d", "d", "dd", "bb"),
    "red": ("d", "d", "dd", "dd", "ddd", "bb"),
    "brown": ("-", "-", "-", "-", "s", "s"),
    "grey": ("-", "-", "-", "s", "s", "s"),
    "black": ("-", "-", "s", "s", "s", "ss"),
}
GONE_AT = {"zero": 0, "below": -1}
SYMBOL: dict[Kind, str] = {"damage": "d", "bonus_damage": "b", "shield": "s"}


# ------------------------------------------------------------------ readings and sheets


@dataclass(frozen=True)
class Rulings:
    """One field per ambiguity; the comment gives its number, the first reading is the default."""

    bonus_dice: Literal["defence", "attack"] = "defence"  # the pool of a defence die
    battle_back: Literal["adjacent", "able", "ability"] = "adjacent"
    advantage: Literal["units", "terrain", "support"] = "units"
    negative: Literal["zero", "heals"] = "zero"
    removal: Literal["zero", "below"] = "zero"
    strikes_back: Literal["always", "chosen"] = "always"  # chosen by `declines`
    whose_hex: Literal["declared", "own", "enemy", "both"] = "declared"
    stacking: Literal["add", "best"] = "add"
    fatigue: Literal["may", "fresh"] = "may"
    close_shots: Literal["fights", "shoots", "never"] = "fights"


BOOK = Rulings()


class Bonus(NamedTuple):
    """A gift of a hex: dice or symbols, for a part, to the unit in it or the one that faces it."""

    kind: Kind
    to: Part
    whose_hex: Literal["own", "enemy"] = "own"
    times: int = 1
    die: Die = ()


class Ground(NamedTuple):
    """The gifts of a hex to the unit on it.

    It may grant Advantage to them as Round Attacker, or deny everybody Advantage over them; what
    denies comes first (A-3).
    """

    bonuses: tuple[Bonus, ...] = ()
    advantage: Literal["none", "grants", "denies"] = "none"


PLAIN = Ground()


class Unit(NamedTuple):
    """One counter. `most` is the health of a fresh one.

    `advantage_over` names types of units, or classes that they belong to (`kinds`).
    """

    health: int
    attack: tuple[Die, ...] = (DICE["yellow"],)
    defence: tuple[Die, ...] = (DICE["brown"],)
    type: str = "Light Cav"
    kinds: tuple[str, ...] = ()
    advantage_over: frozenset[str] = frozenset()
    reach: int = 1
    most: int = 0
    can_battle_back: bool = False
    tired: bool = False


@dataclass(frozen=True)
class Combat:
    """One unit attacks another (GB-1, GB-2), each on a hex that may give something.

    The pairs are the attacker's and the defender's: whether something else says that they have
    Advantage (None: nothing does), whether a unit of their side stands next to the enemy.
    """

    attacker: Unit
    defender: Unit
    attacker_hex: Ground = PLAIN
    defender_hex: Ground = PLAIN
    distance: int = 1
    sees: bool = True
    declines: bool = False
    said: tuple[bool | None, bool | None] = (None, None)
    supported: tuple[bool, bool] = (False, False)


class Round(NamedTuple):
    """The pools and symbols of one round as its dice are picked up."""

    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    advantage: bool = False
    attack_symbols: str = ""
    defence_symbols: str = ""


class Outcome(NamedTuple):
    """One combat resolved: hits of both rounds (None: no Battle Back), healths afterwards.

    A unit that is gone has the health at which it is removed.
    """

    hits: int
    hits_back: int | None
    attacker: int
    defender: int


def tally(pairs: Iterable[tuple[T, Fraction]]) -> Dist[T]:
    """Add up the probabilities of equal outcomes."""
    dist: Dist[T] = {}
    for x, p in pairs:
        dist[x] = dist.get(x, Fraction(0)) + p
    return dist


def marginal(dist: Mapping[T, Fraction], of: Callable[[T], Hashable]) -> Dist[Hashable]:
    """Distribution of one fact of the outcome."""
    return tally((of(x), p) for x, p in dist.items())


def mean(dist: Mapping[int, Fraction]) -> Fraction:
    """The expected number."""
    return sum((x * p for x, p in dist.items()), Fraction(0))


def rolls(dice: Sequence[Die]) -> Iterator[Faces]:
    """Every way the dice can fall, all equally likely."""
    return product(*dice)


# ------------------------------------------------------------------ one round


def count(symbol: str, faces: Iterable[str], more: str = "") -> int:
    """Count a symbol on the table."""
    return sum(face.count(symbol) for face in faces) + more.count(symbol)


def hits(faces: Faces, shields: Faces, round_: Round, *, rulings: Rulings = BOOK) -> int:
    """Scored hits of faces as they lie (GB-11 to GB-15, GB-26 to GB-28)."""
    return unshielded(damage_of(faces, round_), shields_of(shields, round_), rulings)


def damage_of(faces: Faces, round_: Round) -> int:
    """Damage on the table; Bonus Damage counts with Advantage (GB-11, GB-12)."""
    bonus = count("b", faces, round_.attack_symbols) if round_.advantage else 0
    return count("d", faces, round_.attack_symbols) + bonus


def shields_of(faces: Faces, round_: Round) -> int:
    """Shields on the table (GB-13)."""
    return count("s", faces, round_.defence_symbols)


def unshielded(damage: int, shields: int, rulings: Rulings) -> int:
    """What shields leave of damage (GB-14, GB-15, A-4)."""
    left = damage - shields
    return max(0, left) if rulings.negative == "zero" else left


@cache
def hit_odds(round_: Round, *, rulings: Rulings = BOOK) -> Dist[int]:
    """Scored hits of one round, all faces walked through; the same round only once."""
    damages = Counter(damage_of(faces, round_) for faces in rolls(round_.attack))
    shields = Counter(shields_of(faces, round_) for faces in rolls(round_.defence))
    every = damages.total() * shields.total()
    return tally(
        (unshielded(damage, against, rulings), Fraction(n * m, every))
        for damage, n in damages.items()
        for against, m in shields.items()
    )


def granted(
    part: Part,
    own: Sequence[Bonus],
    enemy: Sequence[Bonus],
    *,
    advantage: bool = False,
    rulings: Rulings = BOOK,
) -> list[Bonus]:
    """Gather the gifts of both hexes to one part in a round (GB-21, GB-29, A-11, A-12)."""
    found = []
    for bonus, where in [(x, "own") for x in own] + [(x, "enemy") for x in enemy]:
        wanted = bonus.whose_hex if rulings.whose_hex == "declared" else rulings.whose_hex
        if bonus.to == part and wanted in {where, "both"}:
            found.append(bonus)
    if rulings.stacking == "add":
        return found
    best: dict[Kind, Bonus] = {}
    for bonus in found:
        kept = best.setdefault(bonus.kind, bonus)
        if worth(bonus, advantage=advantage) > worth(kept, advantage=advantage):
            best[bonus.kind] = bonus
    return list(best.values())


def worth(bonus: Bonus, *, advantage: bool) -> int:
    """Count the symbols that matter on all faces of a bonus: the best has most."""
    if not bonus.die:
        return bonus.times
    return bonus.times * sum(count(symbol, bonus.die) for symbol in ("dbs" if advantage else "ds"))


def has_advantage(combat: Combat, *, back: bool = False, rulings: Rulings = BOOK) -> bool:
    """Decide whether the Round Attacker has Advantage (GB-12, A-3)."""
    now = swapped(combat) if back else combat
    if now.said[0] is not None:
        return now.said[0]
    if now.defender_hex.advantage == "denies":
        return False
    if now.attacker_hex.advantage == "grants":
        return True
    if rulings.advantage == "support":
        return now.supported[0]
    known = {now.defender.type, *now.defender.kinds} & now.attacker.advantage_over
    return rulings.advantage == "units" and bool(known)


def faced(combat: Combat, *, back: bool = False, rulings: Rulings = BOOK) -> Round:
    """Pools and symbols of the first round or of Battle Back (GB-8, GB-22 to GB-29)."""
    now = swapped(combat) if back else combat
    advantage = has_advantage(now, rulings=rulings)
    by_hex, against_hex = now.attacker_hex.bonuses, now.defender_hex.bonuses
    attack, defence = list(now.attacker.attack), list(now.defender.defence)
    on_attack, on_defence = "", ""
    bonuses = granted("round_attacker", by_hex, against_hex, advantage=advantage, rulings=rulings)
    bonuses += granted("round_defender", against_hex, by_hex, advantage=advantage, rulings=rulings)
    for bonus in bonuses:
        if bonus.kind == "attack_die":
            attack += [bonus.die] * bonus.times
        elif bonus.kind == "defence_die":
            pool = defence if rulings.bonus_dice == "defence" else attack
            pool += [bonus.die] * bonus.times
        elif bonus.kind == "shield":
            on_defence += "s" * bonus.times
        else:
            on_attack += SYMBOL[bonus.kind] * bonus.times
    return Round(tuple(attack), tuple(defence), advantage, on_attack, on_defence)


# ------------------------------------------------------------------ one combat


def battles_back(combat: Combat, *, rulings: Rulings = BOOK) -> bool:
    """Decide whether survivors may Battle Back, health aside (A-2, A-10, A-13)."""
    unit = combat.defender
    if rulings.strikes_back == "chosen" and combat.declines:
        return False
    if unit.tired and rulings.fatigue == "fresh":
        return False
    if rulings.battle_back == "ability":
        return unit.can_battle_back
    if rulings.battle_back == "able":
        return may_attack(swapped(combat), rulings=rulings)
    shot = combat.attacker.reach > 1 and rulings.close_shots == "shoots"
    return combat.distance == 1 and not shot


def may_attack(combat: Combat, *, rulings: Rulings = BOOK) -> bool:
    """Decide whether the attacker may attack: adjacent, or in reach and in sight (GB-46, A-17)."""
    if combat.attacker.reach == 1:
        return combat.distance == 1
    if combat.distance == 1:
        return rulings.close_shots != "never"
    return combat.distance <= combat.attacker.reach and combat.sees


def lose(unit: Unit, scored: int, *, rulings: Rulings = BOOK) -> int:
    """A unit's health after hits (GB-16); what is too much is lost.

    Hits below nothing give health back, never more than a fresh unit has (A-4).
    """
    most = max(unit.most, unit.health)
    return min(most, max(GONE_AT[rulings.removal], unit.health - scored))


def is_gone(health: int, *, rulings: Rulings = BOOK) -> bool:
    """Decide whether a unit with this health is removed (GB-16, A-5)."""
    return health <= GONE_AT[rulings.removal]


def resolve(
    combat: Combat,
    first: tuple[Faces, Faces],
    back: tuple[Faces, Faces] | None = None,
    *,
    rulings: Rulings = BOOK,
) -> Outcome:
    """One combat with these faces: (attack, defence) of each round (GB-3 to GB-9).

    `back` is looked at only when there is a Battle Back, and must be there then.
    """
    scored = hits(*first, faced(combat, rulings=rulings), rulings=rulings)
    answer = None
    if back is not None:
        answer = hits(*back, faced(combat, back=True, rulings=rulings), rulings=rulings)
    return settle(combat, scored, answer, rulings=rulings)


def settle(combat: Combat, scored: int, answer: int | None, *, rulings: Rulings = BOOK) -> Outcome:
    """One combat with these hits: those of the attack come off before Battle Back (GB-9)."""
    attacker, defender = combat.attacker.health, lose(combat.defender, scored, rulings=rulings)
    if is_gone(defender, rulings=rulings) or not battles_back(combat, rulings=rulings):
        return Outcome(scored, None, attacker, defender)
    if answer is None:
        raise ValueError("there is a Battle Back; its faces are needed")
    return Outcome(scored, answer, lose(combat.attacker, answer, rulings=rulings), defender)


@cache
def combat_odds(combat: Combat, *, rulings: Rulings = BOOK) -> Dist[Outcome]:
    """Outcomes of one combat; the faces of both rounds are walked through one round at a time."""
    first = hit_odds(faced(combat, rulings=rulings), rulings=rulings)
    back = hit_odds(faced(combat, back=True, rulings=rulings), rulings=rulings)
    return tally(
        (settle(combat, scored, answer, rulings=rulings), p * q)
        for scored, p in first.items()
        for answer, q in back.items()
    )


# ------------------------------------------------------------------ several combats


class Row(NamedTuple):
    """After a row of attacks: the healths, how many attacks were made, hits there and back."""

    attackers: tuple[int, ...]
    target: int
    made: int = 0
    hits: int = 0
    hits_back: int = 0


def row_odds(combats: Sequence[Combat], *, destroy: int = 0, rulings: Rulings = BOOK) -> Dist[Row]:
    """Attacks one after another on one target, by units that attack once each (GB-46).

    The target is that of the first combat, with the health it has left. It is over when the target
    is removed, or as soon as either side has destroyed `destroy` units (GB-47, A-18).
    """
    start = Row(tuple(x.attacker.health for x in combats), combats[0].defender.health)
    reached: Dist[Row] = {start: Fraction(1)}
    for place, combat in enumerate(combats):
        pairs: list[tuple[Row, Fraction]] = []
        for row, p in reached.items():
            lost = sum(is_gone(health, rulings=rulings) for health in row.attackers)
            if is_gone(row.target, rulings=rulings) or (destroy and lost >= destroy):
                pairs.append((row, p))
                continue
            now = replace(combat, defender=combat.defender._replace(health=row.target))
            for end, q in combat_odds(now, rulings=rulings).items():
                attackers = list(row.attackers)
                attackers[place] = end.attacker
                there, back = row.hits + end.hits, row.hits_back + (end.hits_back or 0)
                after = Row(tuple(attackers), end.defender, row.made + 1, there, back)
                pairs.append((after, p * q))
        reached = tally(pairs)
    return reached


# ------------------------------------------------------------------ to the death


class Death(NamedTuple):
    """Solve a fight to the death: the winner, and the number of combats.

    `won` and `lost` are the first attacker's; `never` is the chance that it does not end. The
    means of all combats and of those that the first attacker began are None then.
    """

    won: Fraction
    lost: Fraction
    never: Fraction
    combats: Fraction | None
    rounds: Fraction | None


State = tuple[int, int, int]
"""Health of the one who attacked first, health of the other, who attacks next (0 or 1)."""


def swapped(combat: Combat) -> Combat:
    """The other one attacks, from where it stands."""
    return replace(
        combat,
        attacker=combat.defender,
        defender=combat.attacker,
        attacker_hex=combat.defender_hex,
        defender_hex=combat.attacker_hex,
        said=combat.said[::-1],
        supported=combat.supported[::-1],
    )


def elimination(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations: each row holds the coefficients and, last, the right side."""
    rows = [list(row) for row in rows]
    n = len(rows)
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i] != 0:
                times = rows[k][i]
                rows[k] = [x - times * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[n] for row in rows]


def to_the_death(
    combat: Combat,
    *,
    order: Literal["same", "turns"] = "same",
    rulings: Rulings = BOOK,
) -> Death:
    """Combats until one is removed: the same unit always attacks, or both take turns.

    When both take turns, a round is a turn of each: whoever is second attacks a tired unit (A-13).
    """
    steps: dict[State, Dist[State]] = {}
    start: State = (combat.attacker.health, combat.defender.health, 0)
    waiting = [start]
    while waiting:
        state = waiting.pop()
        one, other, who = state
        if state in steps or is_gone(one, rulings=rulings) or is_gone(other, rulings=rulings):
            continue
        now = replace(
            combat,
            attacker=combat.attacker._replace(health=one),
            defender=combat.defender._replace(health=other),
        )
        if who:
            now = replace(now, attacker=now.attacker._replace(tired=True))
        after = 0 if order == "same" else 1 - who
        ends = combat_odds(swapped(now) if who else now, rulings=rulings)
        steps[state] = tally(
            ((end.defender, end.attacker, after), p)
            if who
            else ((end.attacker, end.defender, after), p)
            for end, p in ends.items()
        )
        waiting += steps[state]
    ending = _can_end(steps, rulings=rulings)
    if start not in ending:
        return Death(Fraction(0), Fraction(0), Fraction(1), None, None)
    states = sorted(ending)

    def solved(gain: Callable[[State], int], each: Callable[[State], int]) -> Fraction:
        rows = []
        for state in states:
            row = [Fraction(int(state == column)) for column in states] + [Fraction(each(state))]
            for then, p in steps[state].items():
                if then in ending:
                    row[states.index(then)] -= p
                else:
                    row[-1] += p * gain(then)
            rows.append(row)
        return elimination(rows)[states.index(start)]

    def nothing(state: State) -> int:
        return 0

    won = solved(lambda end: int(is_gone(end[1], rulings=rulings)), nothing)
    lost = solved(lambda end: int(is_gone(end[0], rulings=rulings)), nothing)
    if won + lost < 1:
        return Death(won, lost, 1 - won - lost, None, None)
    rounds = solved(nothing, lambda state: int(state[2] == 0))
    return Death(won, lost, Fraction(0), solved(nothing, lambda state: 1), rounds)


def _can_end(steps: Mapping[State, Mapping[State, Fraction]], *, rulings: Rulings) -> set[State]:
    """The states from which somebody may be removed some time."""
    found: set[State] = set()
    while True:
        more = {
            state
            for state, thens in steps.items()
            if any(
                then in found or any(is_gone(health, rulings=rulings) for health in then[:2])
                for then in thens
            )
        }
        if more == found:
            return found
        found = more
