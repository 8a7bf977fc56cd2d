"""The chance that the attack which has just begun hits: exact, of nothing but that attack."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from affray.core.node import At, Chance, Choice, End, Facts, Go, fill
from affray.core.reading import distribution
from affray.engine.budget import clock_in_force
from affray.engine.exchange.best import solve
from affray.engine.exchange.odds import odds
from affray.engine.fight.played.position import Exchange, Position

__all__ = ["chance_to_hit"]


def chance_to_hit(here: Position) -> Fraction | None:
    """The chance that the attack hits that goes on; None: none does, or it depends on a decision.

    What is still open in an exchange is decided for the objective of the fight. In a game that is
    one exchange only the attack is followed whose dice come next.

    Raises:
        LimitError: the budget in force is spent.
    """
    need, fight = here.need, here.contest.fight
    if not isinstance(need, Exchange):
        return None
    at = need.session.here
    if here.whole is not None:
        return _followed(at, here.whole.hits, {})
    if need.deed.on != "foe" or not fight.hits:
        return None
    game = need.session.game._replace(start=at)
    solution = solve(game, here.contest.objective)
    found = odds(game, fight.hits, decide=solution.decide, minding=solution.minds)
    rows = found.fractions().items()
    return sum((chance for value, chance in rows if is_hit(value)), Fraction(0))


def is_hit(value: object) -> bool:
    """Whether a value of the field that tells of hits is one."""
    return isinstance(value, int | Fraction) and value > 0


def _followed(
    at: At[Facts],
    hits: Callable[[At[Facts]], bool | None],
    known: dict[At[Facts], Fraction | None],
) -> Fraction | None:
    """The chance from a place on; `known` has that of places that were met."""
    if at in known:
        return known[at]
    clock_in_force().poll()
    hit, found = hits(at), None
    if hit is not None:
        return Fraction(hit)
    node = at.step.rule(at.facts)
    if isinstance(node, Go):
        found = _followed(node.at, hits, known)
    elif isinstance(node, Chance):
        found = _rolled(node, hits, known)
    else:
        assert isinstance(node, Choice | End)
    known[at] = found
    return found


def _rolled(
    roll: Chance[Facts],
    hits: Callable[[At[Facts]], bool | None],
    known: dict[At[Facts], Fraction | None],
) -> Fraction | None:
    total = Fraction(0)
    for reading, chance in distribution(roll.dice, roll.read).fractions().items():
        found = _followed(fill(roll.then, roll.into, reading), hits, known)
        if found is None:
            return None
        total += chance * found
    return total
