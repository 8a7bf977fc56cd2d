"""The numbers of a check: difficulty against a mixed body, checks of an attack, Disengage."""

from __future__ import annotations

from functools import lru_cache

from affray.core.lazy import NamedTuple
from affray.core.modifier import Modifier, Total
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of, base_of, weapon_for
from affray.systems.emlia.engagement import body_of, friends_in_combat, strikers
from affray.systems.emlia.gear import CHECKS, CoreCheck
from affray.systems.emlia.modifiers import (
    ENEMIES_OUT,
    SOURCE_OUT,
    Rows,
    common_rows,
    focus_rows,
    growing,
    modifier,
    own_rows,
)
from affray.systems.emlia.state import Check, Decisions, Status, Terms
from affray.systems.emlia.strength import CheckInputs, bares, dice_of, members_of, odds_of
from affray.systems.emlia.tables import DIS, LEAST

__all__ = [
    "Mixed",
    "checks_of",
    "clamped",
    "core_check",
    "difficulty_of",
    "disengagement",
    "is_automatic",
    "least_face",
    "mixed_of",
    "numbers_of",
]  # fmt: skip


# -- difficulty ------------------------------------------------------------------------------


class Mixed(NamedTuple):
    """The steps towards the difficulty of a mixed body.

    Attributes:
        start: the number that it starts from; size: of the group with it.
        higher: members with a higher number. steps: full groups of them.
        cap: the highest number. penalty: for focusing.
        value: what it comes to, not yet held in range.
    """

    start: int
    size: int
    higher: int
    steps: int
    cap: int
    penalty: int
    value: int


@cites("EM-51", "EM-52")
def mixed_of(
    groups: tuple[tuple[int, int], ...], focus: int | None, penalty: int, rulings: Rulings
) -> Mixed:
    """Steps 1.1 to 1.3.

    Args:
        groups: members and difficulty number of each troop.
        focus: which of them is in focus; None: none.
        penalty: what focusing adds to the difficulty.
        rulings: those on focusing (B17, B18).
    """
    there = [number for number in range(len(groups)) if groups[number][0]] or [0]
    numbers = [groups[number][1] for number in there]
    start = min(numbers) if focus is None else groups[focus][1]
    alone = focus is not None and rulings[rule.MERGE] == "no"
    size = sum(groups[n][0] for n in there if groups[n][1] == start)
    if alone and focus is not None:
        size = groups[focus][0]
    higher = sum(groups[n][0] for n in there if groups[n][1] > start)
    steps, cap = higher // max(1, size), max(numbers)
    if rulings[rule.CAP] == "inside":
        value = min(cap, start + steps + penalty)
    else:
        value = min(cap, start + steps) + penalty
    return Mixed(start, size, higher, steps, cap, penalty, value)


@cites("EM-3")
def core_check(terms: Terms) -> CoreCheck:
    """The core check: the setup's own, else the one that the reading of B1 names."""
    return terms.setup.core_check or CHECKS[terms.rulings[rule.CHECK]]


@cites("EM-3")
def clamped(difficulty: int, check: CoreCheck, rulings: Rulings) -> int:
    """A difficulty within the range that there is (B2)."""
    if rulings[rule.CLAMP] == "open":
        return difficulty
    return max(LEAST["difficulty"], min(check.sides, difficulty))


@cites("EM-2", "EM-3", "EM-4")
def least_face(difficulty: int, rulings: Rulings) -> int:
    """The least face that is a success (B3)."""
    return difficulty + (rulings[rule.COMPARE] == "above")


def numbers_of(
    terms: Terms, decided: Decisions, inputs: CheckInputs, by: int
) -> tuple[tuple[Rows, int], ...]:
    """For each troop of the body all its modifiers and its difficulty number (step 1.1)."""
    base = core_check(terms).base
    shared = common_rows(terms, decided, inputs, by) + focus_rows(terms, decided, by)[0]
    found = []
    for own in own_rows(terms, decided, inputs, by):
        rows = own + shared
        found.append((rows, base - sum([row.value for row in rows])))
    return tuple(found)


_without_sizes = lru_cache(maxsize=4096)(numbers_of)
"""The same, kept, for attacks that ask for no sizes: all but shots at somebody in focus."""


@cites("EM-51", "EM-52")
def difficulty_of(terms: Terms, decided: Decisions, inputs: CheckInputs, by: int) -> Mixed:
    """The difficulty of a check against the body, mixed or not, not yet held in range."""
    body = body_of(terms, decided)
    attack = attack_of(terms.troops[by].troop, decided.action)
    if decided.focus is None or attack is None or attack.like != "aimed_fire":
        found = _without_sizes(terms, decided, inputs._replace(sizes=()), by)
    else:
        found = numbers_of(terms, decided, inputs, by)
    numbers = [number for _, number in found]
    sizes = inputs.sizes or (1,) * len(body)
    focus = body.index(decided.focus) if decided.focus is not None else None
    penalty = -sum(row.value for row in focus_rows(terms, decided, by)[1])
    return mixed_of(tuple(zip(sizes, numbers, strict=True)), focus, penalty, terms.rulings)


@cites("EM-6", "EM-32")
def is_automatic(terms: Terms, decided: Decisions, inputs: CheckInputs) -> bool:
    """An attack in close combat needs no roll if all its targets are unaware."""
    attack = attack_of(terms.troops[0].troop, decided.action)
    assert attack is not None  # only attacks are worked out
    return attack.like == "close_combat" and all(inputs.unaware)


@lru_cache(maxsize=16384)
@cites("EM-3", "EM-32", "EM-33", "EM-40", "EM-50")
def checks_of(terms: Terms, decided: Decisions, inputs: CheckInputs) -> tuple[Check, ...]:
    """The checks of an attack: one for each troop that makes it."""
    setup, rulings = terms.setup, terms.rulings
    body, automatic = body_of(terms, decided), is_automatic(terms, decided, inputs)
    check, found = core_check(terms), []
    for by, crew in inputs.crews:
        troop = terms.troops[by].troop
        attack = attack_of(troop, decided.action)
        assert attack is not None
        weapon = weapon_for(troop, attack, setup.weapon if by == 0 else "")
        difficulty = clamped(difficulty_of(terms, decided, inputs, by).value, check, rulings)
        found.append(Check(
            by=by,
            dice=crew.dice,
            sides=check.sides,
            difficulty=difficulty,
            automatic=automatic,
            base=base_of(weapon, attack, setup.distance, charged=by in inputs.charged),
            each=attack.own.hits if attack.own is not None else 1,
            body=body,
            bare=automatic,
            friends=friends_in_combat(terms, decided) if attack.support else (),
            focus=decided.focus,
        ))  # fmt: skip
    return tuple(found)


# -- Disengage -------------------------------------------------------------------------------


@cites("EM-36")
def disengagement(terms: Terms, statuses: tuple[Status, ...], decided: Decisions) -> Total:
    """The modifiers of Disengage and Distract, itemised as bonuses to the check.

    Concealment, cover and ground are those of the unit that tries it.
    """
    troop, rulings = terms.troops[0].troop, terms.rulings
    friends = members_of(terms, statuses, decided, "friend")
    enemies = members_of(terms, statuses, decided, "enemy")
    rows: list[Modifier] = []
    crew = dice_of(troop, statuses[0], "close_combat", rulings)
    if crew.bonus:
        rows.append(Modifier(crew.label, crew.bonus, crew.clause))
    if troop.concealment != "none":
        rows.append(modifier(DIS, f"conceal_{troop.concealment}",
                         f"{troop.concealment} concealment", "EM-36"))  # fmt: skip
    if troop.cover != "none" and not bares(terms, statuses, 0):
        rows.append(modifier(DIS, f"cover_{troop.cover}", f"{troop.cover} cover", "EM-36"))
    if troop.rough or any(terms.troops[place].troop.rough for place in strikers(terms)):
        rows.append(modifier(DIS, "rough", "rough terrain", "EM-36"))
    if statuses[0].charged:
        rows.append(modifier(DIS, "src_charged", "charged this turn", "EM-36"))
    rows += growing(DIS, SOURCE_OUT, odds_of(enemies, friends, strict=False), "EM-36", rulings)
    rows += growing(DIS, ENEMIES_OUT, odds_of(friends, enemies, strict=False), "EM-36", rulings)
    return Total(Modifier("to the check", 0, "EM-36"), tuple(rows))
