"""Odds beyond the budget: exact bounds from what has ended, or a sample with intervals.

Probability flows through an exchange from the start to the ends (`affray.engine.exchange.flow`).
Where it has to stop, what has ended is known exactly, and the rest may come to anything: so each
chance has an exact lower and an exact upper bound. Where too little has ended for that to say much,
the exchange is played again and again instead, and each share has Wilson's interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.system import Field
from affray.engine.advice.walking import Walk
from affray.engine.budget import Budget, clock_in_force, spending
from affray.engine.exchange.flow import Decide, Flow
from affray.engine.exchange.game import Game
from affray.engine.fight.sampled.estimate import Estimate, share_of

__all__ = ["MOST_PLAYS", "EndedOdds", "Played", "ended_of", "played", "within"]

MOST_PLAYS = 20_000
"""Plays of a sample, if time allows: a chance is then known to less than one percent."""

Values = tuple[object, ...]
Conditions = Sequence[tuple[Field[Facts], Callable[[object], bool]]]


class EndedOdds(NamedTuple):
    """What has ended: for each value its probability, and how much is still open.

    Attributes:
        chances: probability of each value, with all that is known to hold.
        open: probability of what has not ended.
    """

    chances: Mapping[Values, Fraction]
    open: Fraction


class Played(NamedTuple):
    """A sample: how often each value came up, among so many plays that count, and plays in all."""

    counts: Mapping[Values, int]
    n: int
    plays: int


def ended_of(
    game: Game, fields: Sequence[Field[Facts]], given: Conditions, decide: Decide
) -> EndedOdds:
    """Let probability flow as far as the budget in force allows.

    Raises:
        LimitError: somebody asked to stop.
    """
    needed = frozenset(field.name for field in (*fields, *(field for field, _ in given)))
    flow = Flow(game, decide, needed=needed)
    try:
        flow.run_on()  # what is left open is not settled either
    except LimitError as limit:
        if limit.limit not in {"seconds", "places", "bytes"}:
            raise
    chances: dict[Values, Fraction] = {}
    is_open = Fraction(1)
    for total, finals in flow.all_finals().items():
        for facts, weight in finals.items():
            chance = Fraction(weight, total)
            is_open -= chance
            if all(test(field.of(facts)) for field, test in given):
                value = tuple([field.of(facts) for field in fields])
                chances[value] = chances.get(value, Fraction(0)) + chance
    return EndedOdds(chances, is_open)


def within(ended: EndedOdds, holds: Callable[[Values], bool]) -> tuple[Fraction, Fraction]:
    """The least and the greatest chance of what holds, whatever the open rest comes to."""
    chance = sum((p for value, p in ended.chances.items() if holds(value)), start=Fraction(0))
    known = sum(ended.chances.values(), start=Fraction(0))
    most = known + ended.open
    if not most:
        return Fraction(0), Fraction(0)
    # What is known to hold narrows what counts: the rest may count in full, or not at all.
    return chance / most, (chance + ended.open) / most


def played(
    game: Game,
    fields: Sequence[Field[Facts]],
    given: Conditions,
    decide: Decide,
    *,
    seed: int,
    seconds: float | None = None,
) -> Played:
    """Play to the end again and again, as often as usual or as the budget in force allows.

    Args:
        game: the exchange.
        fields: what is asked of each outcome.
        given: what is known to hold; other plays don't count.
        decide: who decides.
        seed: of the dice.
        seconds: how long at most; None: as the budget in force says.

    Raises:
        LimitError: somebody asked to stop, or not one play counted.
    """
    walk = Walk(game, frozenset(), Random(seed))
    counts: dict[Values, int] = {}
    n = plays = 0
    outer = clock_in_force()
    with spending(Budget(seconds=seconds)) as clock:
        while plays < MOST_PLAYS:
            limit = clock.over() if plays else ""
            if limit == "interrupted" or (limit == "bytes" and outer.over() == "bytes"):
                clock.poll()
            if limit:
                break
            outcome = walk.to_the_end(game.start, decide)
            plays += 1
            clock.tell("plays", plays, MOST_PLAYS)
            if all(test(field.of(outcome)) for field, test in given):
                n += 1
                value = tuple([field.of(outcome) for field in fields])
                counts[value] = counts.get(value, 0) + 1
    if not n:
        names = ", ".join(field.name for field, _ in given)
        raise LimitError(
            f"{game.system.id}: in {plays:,} plays the condition on {names} never held; allow "
            "more time",
            limit="seconds",
            states=walk.places,
        )
    return Played(counts, n, plays)


def share(found: Played, holds: Callable[[Values], bool]) -> Estimate:
    """How often something held in a sample, with its interval."""
    return share_of(sum(m for value, m in found.counts.items() if holds(value)), found.n)
