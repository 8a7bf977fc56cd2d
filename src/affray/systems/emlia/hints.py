"""What engines may know of these rules to be quick; see `affray.core.hints`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, cast

from affray.core.hints import Hidden, Hints
from affray.core.node import At, fill_each
from affray.systems.emlia.disengage import count_disengage, pin_enemies
from affray.systems.emlia.fight import Condition, Force, Ranks, calm
from affray.systems.emlia.harm import take_hits
from affray.systems.emlia.questions import tally
from affray.systems.emlia.roll import count_last_check
from affray.systems.emlia.sheet import Unit
from affray.systems.emlia.state import Exchange, Held

__all__ = ["HINTS"]

TALLY = frozenset({"successes", "ones", "net", "fumble", "hits", "friend_hits", "dice",
                   "difficulty"})  # fmt: skip
"""Fields of the checks themselves, which are forgotten once hits are there (`Exchange.tells`)."""


def forget(at: At[Exchange], needed: frozenset[str]) -> At[Exchange]:
    """A place after a roll, without what only fields that nobody needs look at."""
    x = at.facts
    if needed <= {"successes", "ones"} and at.step in LAST:
        return At(at.step, x._replace(stands=(), attempts=(), waiting=()))
    if not x.tells or needed & TALLY:
        return at
    return At(at.step, x._replace(tells=False))


LAST = frozenset({count_last_check, count_disengage})
"""Steps that count the last check there is."""


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
    return condition.markers if isinstance(condition, Ranks) else condition.stands


def visible(condition: Condition) -> Condition:
    """A condition as exchanges see it: what is marked doesn't show before the round is over."""
    if type(condition) is Ranks:  # exchanges ask for this more often than for anything else
        if not (condition[1] or condition[2]):
            return condition
        return Ranks(condition[0], 0, 0, condition[3])
    assert isinstance(condition, Force)  # the only other one
    return Force(tuple([calm(stand) for stand in condition.stands]), condition.rulings)


def _veiled(condition: Condition, part: Any) -> Condition:
    if isinstance(condition, Ranks):
        return condition._replace(markers=part)
    return condition._replace(hits=part)


ROLLED = ("successes", "ones", "difficulty", "dice")
"""Outcome fields that are known once all dice are rolled."""

HINTS: Hints[Exchange, Unit, Condition] = Hints(
    fixes={
        count_last_check: ROLLED,
        take_hits: ("net", "fumble"),
        count_disengage: ROLLED,
        pin_enemies: ("net", "fumble"),
    },
    forget=forget,
    columns={"successes": _tallies(0), "ones": _tallies(1)},
    needed=frozenset({"damage"}),
    hidden=Hidden(_part, visible, _veiled),
    seams=frozenset({count_last_check}),
)
