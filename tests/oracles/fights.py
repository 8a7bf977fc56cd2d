"""The games of `tests/fight_systems.py` in plain arithmetic, solved as one dense linear system.

Each game is a function from a state to what follows, written from the rule in words; nothing of
affray is used. States are all combinations of what can be written down, reachable or not. A
state is (who acts, what is left of the round, ...both fighters...), as each game likes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

End = Literal["one", "other", "drawn", "ended"]
ENDS: tuple[End, ...] = ("one", "other", "drawn", "ended")
State = tuple[int, ...]
Branch = tuple[Fraction, "State | End", int]
"""How likely, where to, and how many rounds begin on the way."""
Hits = Sequence[tuple[int, Fraction]]
HALF = Fraction(1, 2)
Hurt = Callable[["Slugger", "Slugger", int, int], Hits]
"""What can be done to somebody: by whom, to whom, what both have left."""


class Answer(NamedTuple):
    """The probability of each end and of none, and the mean number of rounds (None: endless)."""

    won: tuple[Fraction, Fraction]
    drawn: Fraction
    ended: Fraction
    endless: Fraction
    rounds: Fraction | None


def solved(
    states: Iterable[State], follow: Callable[[State], list[Branch]], begin: list[Branch]
) -> Answer:
    """All states at once, by elimination."""
    every = list(states)
    after = {state: follow(state) for state in every}
    # who can get to an end at all
    ends: set[Hashable] = set(ENDS)
    while True:
        more = {
            state
            for state in every
            if state not in ends and any(p and to in ends for p, to, _ in after[state])
        }
        if not more:
            break
        ends |= more
    able = [state for state in every if state in ends]
    place = {state: number for number, state in enumerate(able)}
    width = len(ENDS) + 1
    table = []
    for state in able:
        row = [Fraction(0)] * (len(able) + width)
        row[place[state]] += 1
        for chance, to, rounds in after[state]:
            row[len(able) + width - 1] += chance * rounds
            if isinstance(to, str):
                row[len(able) + ENDS.index(to)] += chance
            elif to in place:
                row[place[to]] -= chance
        table.append(row)
    for here in range(len(able)):
        pivot = next(r for r in range(here, len(able)) if table[r][here])
        table[here], table[pivot] = table[pivot], table[here]
        head = table[here][here]
        table[here] = [x / head if x else x for x in table[here]]
        for other in range(len(able)):
            times = table[other][here]
            if other != here and times:
                table[other] = [
                    x - times * y if y else x
                    for x, y in zip(table[other], table[here], strict=True)
                ]
    total = [Fraction(0)] * width
    for chance, to, rounds in begin:
        total[-1] += chance * rounds
        if isinstance(to, str):
            total[ENDS.index(to)] += chance
        elif to in place:
            total = [
                x + chance * y for x, y in zip(total, table[place[to]][len(able) :], strict=True)
            ]
    endless = 1 - sum(total[:4], start=Fraction(0))
    return Answer((total[0], total[1]), total[2], total[3], endless, None if endless else total[4])


# -- dice ------------------------------------------------------------------------------------------


@cache
def sums(dice: int, sides: int, armor: int) -> Hits:
    """Damage of dice that are added up, above armor."""
    share = Fraction(1, sides**dice)
    found: dict[int, Fraction] = {}
    for faces in product(range(1, sides + 1), repeat=dice):
        damage = max(0, sum(faces) - armor)
        found[damage] = found.get(damage, Fraction(0)) + share
    return list(found.items())


@cache
def counted(dice: int, sides: int, hits: int) -> Hits:
    """How many dice show at least so much."""
    share = Fraction(1, sides**dice)
    found: dict[int, Fraction] = {}
    for faces in product(range(1, sides + 1), repeat=dice):
        n = len([face for face in faces if face >= hits])
        found[n] = found.get(n, Fraction(0)) + share
    return list(found.items())


def coin_or(first: str) -> list[tuple[Fraction, int]]:
    """Who goes first, if it is settled once."""
    if first == "coin":
        return [(HALF, 0), (HALF, 1)]
    return [(Fraction(1), 0 if first == "one" else 1)]


def mixed(parts: list[tuple[Fraction, Answer]]) -> Answer:
    """Several ways to begin as one."""

    def mean(of: Callable[[Answer], Fraction]) -> Fraction:
        return sum((share * of(answer) for share, answer in parts), start=Fraction(0))

    endless = mean(lambda a: a.endless)
    return Answer(
        (mean(lambda a: a.won[0]), mean(lambda a: a.won[1])),
        mean(lambda a: a.drawn),
        mean(lambda a: a.ended),
        endless,
        None if endless else mean(lambda a: a.rounds or Fraction(0)),
    )


# -- the games -------------------------------------------------------------------------------------


class Slugger(NamedTuple):
    """Points, dice and their sides, armor, and what some games add to it."""

    hp: int
    dice: int = 1
    sides: int = 4
    armor: int = 0
    hits: int = 0
    heals: int = 0
    bleeds: int = 0
    yields: int = -1
    speed: int = 0
    quickness: int = 0


def blow(mine: Slugger, theirs: Slugger) -> Hits:
    """What an attack can do."""
    if mine.hits:
        return counted(mine.dice, mine.sides, mine.hits)
    return sums(mine.dice, mine.sides, theirs.armor)


def end_of(one: int, other: int) -> End | None:
    """Who has won with points like these."""
    if one > 0 and other > 0:
        return None
    if one <= 0 and other <= 0:
        return "drawn"
    return "one" if other <= 0 else "other"


def turns(one: Slugger, other: Slugger, first: str, *, actions: int = 1) -> Answer:
    """Blows in turn, points back at the start of an own turn, and who is low gives up.

    A state: who goes first, how many blows of the round are done, points of both.
    """
    both = one, other

    def over(points: Sequence[int]) -> End | None:
        end = end_of(points[0], points[1])
        if end is None and any(p <= who.yields for p, who in zip(points, both, strict=True)):
            return "ended"
        return end

    def follow(state: State) -> list[Branch]:
        starts, done, *points = state
        acts = starts if done < actions else 1 - starts
        if done % actions == 0:
            points[acts] = min(both[acts].hp, points[acts] + both[acts].heals)
        following = (done + 1) % (2 * actions)
        branches: list[Branch] = []
        for damage, chance in blow(both[acts], both[1 - acts]):
            left = list(points)
            left[1 - acts] = max(0, left[1 - acts] - damage)
            end = over(left)
            if end:
                branches.append((chance, end, 0))
            else:
                branches.append((chance, (starts, following, *left), int(following == 0)))
        return branches

    parts = []
    for share, starts in coin_or(first):
        begin: list[Branch] = [(Fraction(1), (starts, 0, one.hp, other.hp), 1)]
        states = [
            state
            for state in product(
                (starts,), range(2 * actions), range(1, one.hp + 1), range(1, other.hp + 1)
            )
            if not over(state[2:])
        ]
        parts.append((share, solved(states, follow, begin)))
    return mixed(parts)


def at_once(one: Slugger, other: Slugger) -> Answer:
    """Both strike in every round and take it together; who strikes first doesn't matter."""

    def follow(state: State) -> list[Branch]:
        branches: list[Branch] = []
        for (a, p), (b, q) in product(blow(one, other), blow(other, one)):
            left = max(0, state[0] - b), max(0, state[1] - a)
            end = end_of(*left)
            branches.append((p * q, end or left, int(not end)))
        return branches

    states = product(range(1, one.hp + 1), range(1, other.hp + 1))
    return solved(states, follow, [(Fraction(1), (one.hp, other.hp), 1)])


def hurried(one: Slugger, other: Slugger, die: int, *, slows: bool = True) -> Answer:
    """A die each, kept; in every round the quicker one first, whoever lost points is slower.

    Of equals the same one is first in every round, either of them by a coin.
    A state: who goes first in this round, whether it is the second turn, points of both.
    """
    both = one, other

    def order(lead: int, equals: int, left: Sequence[int]) -> int:
        lost = [who.hp - p if slows else 0 for who, p in zip(both, left, strict=True)]
        mine = (one.speed - lost[0] + lead, one.quickness)
        theirs = (other.speed - lost[1], other.quickness)
        return equals if mine == theirs else 0 if mine > theirs else 1

    parts = []
    for a, b, tie in product(range(1, die + 1), range(1, die + 1), (0, 1)):

        def follow(state: State, lead: int = a - b, equals: int = tie) -> list[Branch]:
            starts, second, *points = state
            acts = 1 - starts if second else starts
            branches: list[Branch] = []
            for damage, chance in blow(both[acts], both[1 - acts]):
                left = list(points)
                left[1 - acts] = max(0, left[1 - acts] - damage)
                end = end_of(left[0], left[1])
                if end:
                    branches.append((chance, end, 0))
                elif second:
                    branches.append((chance, (order(lead, equals, left), 0, *left), 1))
                else:
                    branches.append((chance, (starts, 1, *left), 0))
            return branches

        first = order(a - b, tie, (one.hp, other.hp))
        begin: list[Branch] = [(Fraction(1), (first, 0, one.hp, other.hp), 1)]
        states = product((0, 1), (0, 1), range(1, one.hp + 1), range(1, other.hp + 1))
        parts.append((Fraction(1, 2 * die * die), solved(states, follow, begin)))
    return mixed(parts)


def struck(one: Slugger, other: Slugger, first: str, hurt: Hurt) -> Answer:
    """Blows in turn whose harm depends on what both have left."""
    both = one, other

    def follow(state: State) -> list[Branch]:
        starts, acts, *points = state
        branches: list[Branch] = []
        own, theirs = points[acts], points[1 - acts]
        for damage, chance in hurt(both[acts], both[1 - acts], own, theirs):
            left = list(points)
            left[1 - acts] = max(0, theirs - damage)
            end = end_of(left[0], left[1])
            new_round = int(acts != starts)
            branches.append((chance, end or (starts, 1 - acts, *left), 0 if end else new_round))
        return branches

    parts = []
    for share, starts in coin_or(first):
        states = product((starts,), (0, 1), range(1, one.hp + 1), range(1, other.hp + 1))
        begin: list[Branch] = [(Fraction(1), (starts, starts, one.hp, other.hp), 1)]
        parts.append((share, solved(states, follow, begin)))
    return mixed(parts)


def by_members(mine: Slugger, theirs: Slugger, own: int, left: int) -> Hits:
    """As many dice as there are members left; each hit takes one out."""
    return counted(own, mine.sides, mine.hits)


def finishing_off(mine: Slugger, theirs: Slugger, own: int, left: int) -> Hits:
    """A blow that gets through takes the last three points."""
    return [
        (left if damage and left <= 3 else damage, chance) for damage, chance in blow(mine, theirs)
    ]


def steady_or_wild(mine: Slugger, theirs: Slugger, own: int, left: int) -> Hits:
    """A blow, or all or nothing by a coin, whichever does more harm on average; a tie: a blow."""
    steady = blow(mine, theirs)
    mean = sum((damage * chance for damage, chance in steady), start=Fraction(0))
    return [(0, HALF), (left, HALF)] if Fraction(left, 2) > mean else steady


def wound_up(one: Slugger, other: Slugger, first: str) -> Answer:
    """Two blows a turn, of which only the first has strength: as if there were one."""
    return turns(one, other, first)


def bled(one: Slugger, other: Slugger, first: str) -> Answer:
    """Blows in turn; who has lost points and still stands loses more at the end of the round.

    Whoever is out after a blow has lost, before anybody bleeds.
    """
    both = one, other

    def bleed(points: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            max(0, p - (who.bleeds if p < who.hp else 0))
            for p, who in zip(points, both, strict=True)
        )

    def follow(state: State) -> list[Branch]:
        starts, acts, *points = state
        branches: list[Branch] = []
        for damage, chance in blow(both[acts], both[1 - acts]):
            left = list(points)
            left[1 - acts] = max(0, left[1 - acts] - damage)
            end = end_of(left[0], left[1])
            if end:
                branches.append((chance, end, 0))
            elif acts == starts:
                branches.append((chance, (starts, 1 - acts, *left), 0))
            else:
                bled_out = bleed(left)
                end = end_of(*bled_out)
                branches.append((chance, end or (starts, starts, *bled_out), int(not end)))
        return branches

    parts = []
    for share, starts in coin_or(first):
        states = product((starts,), (0, 1), range(1, one.hp + 1), range(1, other.hp + 1))
        begin: list[Branch] = [(Fraction(1), (starts, starts, one.hp, other.hp), 1)]
        parts.append((share, solved(states, follow, begin)))
    return mixed(parts)
