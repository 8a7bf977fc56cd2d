"""Promises to engines that make them quick; see `affray.core.hints`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, cast

from affray.core.dice import Die, Face, Pool
from affray.core.hints import Hidden, Hints
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, fill_each
from affray.core.reading import Counts, count_sums
from affray.core.unknown import is_unknown
from affray.systems.emlia.aftermath import end_activation
from affray.systems.emlia.alike import DAMAGE, alike_hits
from affray.systems.emlia.disengage import count_disengage, pin_enemies
from affray.systems.emlia.fight import Mates, calm
from affray.systems.emlia.harm import (
    allocate_hits,
    apply_row,
    next_attack,
    take_hits,
)
from affray.systems.emlia.numbers import core_check, least_face
from affray.systems.emlia.outnumbered import against
from affray.systems.emlia.questions import EIGHT, tally
from affray.systems.emlia.reading import counted_of, successes_of, tally_of
from affray.systems.emlia.roll import count_check, count_last_check
from affray.systems.emlia.rulings import MARKED
from affray.systems.emlia.scenes import same_scene
from affray.systems.emlia.shared_hits import allocations
from affray.systems.emlia.sheet import Unit
from affray.systems.emlia.standing import Condition, Force, Ranks, has_tables
from affray.systems.emlia.state import (
    Exchange,
    Held,
    Status,
    Terms,
)
from affray.systems.emlia.tables import LEAST

__all__ = ["HINTS"]

TALLY = frozenset({"successes", "ones", "net", "fumble", "hits", "friend_hits", "dice",
                   "difficulty"})  # fmt: skip
"""Outcome fields of the checks themselves."""
LAST = frozenset({count_last_check, count_disengage})
"""Steps that count the last check there is."""
COUNTS = LAST | {count_check}
DEALT = DAMAGE | {"damage_by"} | {f"damage_{n}" for n in EIGHT}
"""Points of damage, of all enemies and of each."""
ENDLESS = Status(1_000_000)
"""A unit that runs out of members under no attack."""
NOBODY = Status(0)
"""Stands for troops at which nobody looks any more."""


def forget(roll: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """Drop from a roll all facts that none of the needed fields depends on."""
    step, x = roll.then
    if step in COUNTS:
        if needed <= {"successes", "ones"} and step in LAST:
            return roll._replace(then=At(step, x._replace(statuses=(), checks=(), waiting=())))
        if not needed & TALLY:
            return _forget_check(roll, needed)
    elif step is apply_row and not needed & TALLY:
        done = x._replace(successes=0, ones=0, net=0, excess=0, hits=0, friendly=0)
        if x.turn + 1 == len(x.waiting):
            done = done._replace(checks=(), waiting=(), turn=0)
        return roll._replace(then=At(step, done))
    return roll


def _forget_check(roll: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """A check of which only the outcome matters, not the dice."""
    step, x = roll.then
    turn, check = x.turn, x.checks[x.turn]
    ones, above = _lasting(x.terms)
    fumbles = step is count_disengage or bool(check.friends)
    read = Canceled(ones, check.difficulty + above, check.sides, fumbles)
    spent = check._replace(dice=check.dice if ones == "half" else 0, difficulty=0)
    checks = (*x.checks[:turn], spent, *x.checks[turn + 1 :])
    statuses, held = x.statuses, x.held
    if needed <= DEALT and step is not count_disengage:
        first = x.terms.target  # nobody looks at those who attack any more
        known = _struck if is_unknown(held) else _struck_before
        struck, held = known(x.terms, statuses, held)
        statuses = (NOBODY,) * first + struck
    then = At(step, x._replace(checks=checks, statuses=statuses, held=held))
    return Chance(roll.actor, roll.ask, roll.dice, read, roll.into, then)


def _struck(
    terms: Terms, statuses: tuple[Status, ...], held: object
) -> tuple[tuple[Status, ...], object]:
    """The statuses of those who are hit, with no more than hits look at; and what is held still.

    A troop without a table takes points and markers, whoever is marked already, so the members
    that are left say all; but for a reading of B42, by which sizes count those who are marked.
    """
    first = terms.target
    after = first + 1 + len(terms.setup.defender.joined)
    target: tuple[Status, ...] = statuses[first:after]
    if is_unknown(held):
        if not has_tables(terms.setup.defender):  # what is held will replace it
            target = tuple([ENDLESS if status.members else NOBODY for status in target])
    elif isinstance(held, tuple):
        target, held = held, None
    every = zip(terms.troops[first:], (*target, *statuses[after:]), strict=True)
    if terms.rulings[MARKED] == "all":
        return (*target, *statuses[after:]), held
    return tuple([
        status if party.troop.threshold is not None else _left(status) for party, status in every
    ]), held  # fmt: skip


_struck_before = lru_cache(maxsize=1024)(_struck)
"""The same, kept for the options of one attack."""


def _left(status: Status) -> Status:
    """A troop without a table, with no more of it than hits look at."""
    members, marked, damage, _, _, _, markers, *_ = status
    left = members - marked
    marked = int(not left and members > 0)
    return NOBODY._replace(members=left + marked, marked=marked, damage=damage, markers=markers)


# -- fights ------------------------------------------------------------------------------------


def around(context: Hashable) -> Hashable:
    """Mates of a target without their marks, where that makes no difference.

    If all are as easy to hit as each other, the check does not depend on how many there are; hits
    look at those who are left.
    """
    return context if context is None else _around(cast("Mates", context))


@lru_cache(maxsize=16384)
def _around(mates: Mates) -> Mates:
    found = [now for _, now in mates if now is not None]
    if not all(now.mingles == "alike" and now.rulings[MARKED] != "all" for now in found):
        return mates
    return tuple([
        (unit, now if now is None or has_tables(unit) else _thinned(now)) for unit, now in mates
    ])  # fmt: skip


def _thinned(now: Force) -> Force:
    statuses = [
        _left(status)._replace(exposed=status.exposed, unaware=status.unaware)
        for status in now.statuses
    ]
    return Force(tuple(statuses), now.rulings, mingles=now.mingles)


@lru_cache(maxsize=512)
def _lasting(terms: Terms) -> tuple[str, int]:
    """The effect of ones, and an addition to the difficulty."""
    return core_check(terms).ones, least_face(0, terms.rulings)


class Canceled(NamedTuple):
    """The fewest successes and ones that come to the same: what they cancel is left out.

    Attributes:
        ones: their effect.
        difficulty: the least face that is a success.
        sides: of the dice.
        fumbles: whether ones in excess do anything.
    """

    ones: str
    difficulty: int
    sides: int
    fumbles: bool = False

    def kept(self, tally: tuple[int, int], dice: int) -> tuple[int, int]:
        """What is left of successes and ones."""
        net, excess = counted_of(self.ones, tally, dice)
        if not excess or not self.fumbles:
            return net, 0
        return 0, excess + (dice // 2 if self.ones == "half" else 0)

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, int]:
        """The net count of these faces."""
        successes, ones = tally_of(self.difficulty, self.sides)(faces)
        return self.kept((successes, ones), len(faces))

    def counted(self, pool: Pool) -> Counts[tuple[int, int]]:
        """By sums, a success being 1 and a cancelling one -1; else by binomials."""
        counts: Counts[tuple[int, int]] = {}
        if self.ones not in {"cancel", "nothing"}:
            for tally, ways in tally_of(self.difficulty, self.sides).counted(pool).items():
                key = self.kept((tally[0], tally[1]), pool.size)
                counts[key] = counts.get(key, 0) + ways
            return counts
        sums: Counts[int] = count_sums(_worths(pool, self))
        lost = [total for total in sums if total <= 0]
        if lost and not self.fumbles:
            counts[0, 0] = sum(map(sums.pop, lost))
        for total, ways in sums.items():
            key = (total, 0) if total > 0 else _kept_of_sum(self, total)
            counts[key] = counts.get(key, 0) + ways
        return counts


def _when_last(x: Exchange) -> frozenset[str]:
    """Hits of the last attack have been dealt with: no more damage comes."""
    return DEALT if x.turn + 1 >= len(x.waiting) else frozenset()


@lru_cache(maxsize=4096)
def _kept_of_sum(read: Canceled, total: int) -> tuple[int, int]:
    """What is left where a success is worth 1 and a one -1: it is the same with any dice."""
    return read.kept((max(0, total), max(0, -total)), 0)


def _worths(pool: Pool, read: Canceled) -> Pool:
    """The dice of a pool with what each face is worth on it."""
    return Pool(*((_worth(die, read), number) for die, number in pool.groups))


@lru_cache(maxsize=512)
def _worth(die: Die, read: Canceled) -> Die:
    """A die with what each face is worth on it: a success 1, a one that cancels it -1."""
    one = int(read.difficulty <= LEAST["one"]) - (read.ones == "cancel")
    worth = dict.fromkeys(successes_of(read.difficulty, read.sides), 1) | {LEAST["one"]: one}
    weights: dict[int, int] = {}
    for face, weight in die.weighted:
        value = worth.get(face, 0)
        weights[value] = weights.get(value, 0) + weight
    values = sorted(weights)
    return Die(f"worth of {die.name}", values, [weights[v] for v in values])


def _tallies(number: int) -> Callable[[Exchange, str, Sequence[object]], Sequence[object]]:
    """Successes, or ones, for all readings of a roll at once."""

    def of(x: Exchange, into: str, values: Sequence[object]) -> Sequence[object]:
        counted = x.ones if number else x.successes
        if into == "rolled" and not counted and type(values[0]) is tuple:  # tallies, all of them
            return list(map(itemgetter(number), cast("Sequence[tuple[int, int]]", values)))
        read = tally(number)
        return [read(facts) for facts in fill_each(At(count_last_check, x), into, values)]

    return of


def _part(condition: Condition) -> Held:
    return condition.markers if isinstance(condition, Ranks) else condition.statuses


def visible(condition: Condition) -> Condition:
    """A condition as exchanges see it: what is marked doesn't show before the round is over."""
    if type(condition) is Ranks:  # exchanges ask for this more often than for anything else
        if not (condition[1] or condition[2]):
            return condition
        return Ranks(condition[0], 0, 0, condition[3])
    assert isinstance(condition, Force)  # the only other one
    return Force(tuple([calm(status) for status in condition.statuses]), condition.rulings)


def _veiled(condition: Condition, part: Any) -> Condition:
    if isinstance(condition, Ranks):
        return Ranks(condition[0], condition[1], part, condition[3])  # quicker than `_replace`
    return condition._replace(hits=part)


ROLLED = ("successes", "ones", "difficulty", "dice")
"""Outcome fields that are known once all dice are rolled."""

HINTS: Hints[Exchange, Unit, Condition] = Hints(
    fixes={
        end_activation: DEALT,
        count_last_check: ROLLED,
        take_hits: ("net", "fumble"),
        count_disengage: ROLLED,
        pin_enemies: ("net", "fumble"),
    },
    fixes_where={next_attack: _when_last},
    forget=forget,
    columns={"successes": _tallies(0), "ones": _tallies(1)},
    needed=frozenset({"damage"}),
    decides={"damage": ("damage",)},
    several={allocate_hits: allocations},
    plain={count_last_check: alike_hits},
    against=against,
    around=around,
    scenes=same_scene,
    hidden=Hidden(_part, visible, _veiled),
    seams=frozenset({count_last_check}),
)
