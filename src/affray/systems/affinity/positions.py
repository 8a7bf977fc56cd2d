"""Yards between the combatants of a fight, who all stand on one line between the two sides.

A combatant's place is the number of yards gone from where their side began, towards the foes. The
situation says how far apart both sides began. Whoever has gone past a foe counts as beside them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.affinity.attempts import why_out_of_range
from affray.systems.affinity.numbers import called, move_of
from affray.systems.affinity.sheet import Setup
from affray.systems.affinity.state import CombatantState, Exchange
from affray.systems.affinity.tables import MOVES, REACH

__all__ = ["Footing", "at_distance", "closing", "distance_after", "footing", "gained"]


class Footing(NamedTuple):
    """The distance at which an action begins, after the part of the free move that it needs.

    Attributes:
        yards: between the two. stepped: yards of the free move.
        way: 1 towards where the foes began, -1 back; 0 where nobody has to move.
        closes: the target is out of reach, so the action can only shorten the distance.
    """

    yards: int
    stepped: int = 0
    way: Literal[-1, 0, 1] = 0
    closes: bool = False


@lru_cache(maxsize=4096)
def at_distance(setup: Setup, yards: int) -> Setup:
    """The same setup at another distance."""
    return setup if setup.distance_yd == yards else replace(setup, distance_yd=yards)


def _reaches(setup: Setup, rulings: Rulings) -> bool:
    """An action of the attacker reaches the target."""
    harms = setup.towards == "foe"
    return any(
        (action.kind == "attack") == harms and why_out_of_range(setup, action, rulings) is None
        for action in setup.attacker.actions
    )


@cites("AF-62", "AF-70", "AF-72", "AF-78")
def footing(setup: Setup, both: tuple[CombatantState, CombatantState], rulings: Rulings) -> Footing:
    """The distance at which one combatant acts on another, in yards.

    The free move is used where an action needs it, and ends beside the target at the latest.

    Args:
        setup: with the distance at which both sides began.
        both: the conditions of the one who acts and of the other.
        rulings: those on ranges (A-13, A-25).

    Raises:
        SetupError: a friend is too far away.
    """
    actor, target = both
    gap = max(0, setup.distance_yd - actor.gone - target.gone)
    if setup.towards == "friend":
        gap = target.gone - actor.gone
    yards, close = abs(gap), REACH["melee"]
    if yards <= close:
        return Footing(yards)
    way: Literal[-1, 1] = 1 if gap > 0 else -1
    near = closing(at_distance(setup, yards), actor).stepped
    if _reaches(at_distance(setup, yards), rulings):
        return Footing(yards)
    if yards - near <= close or _reaches(at_distance(setup, yards - near), rulings):
        return Footing(yards - near, near, way)
    if setup.towards == "friend":
        raise SetupError(
            f"{called(setup.defender, 'friend')} is {yards} yards away; allowed: in reach (AF-70)"
        )
    return Footing(yards - near, near, way, closes=True)


@cites("AF-62", "AF-78")
def closing(setup: Setup, actor: CombatantState) -> Footing:
    """The distance once somebody out of reach has used the free move to come closer."""
    pace = 0
    if not actor.walked:
        pace = move_of(actor.conditions, MOVES["free"], difficult=setup.difficult)
    near = min(pace, setup.distance_yd)
    return Footing(setup.distance_yd - near, near, 1, closes=True)


@cites("AF-45", "AF-62", "AF-78")
def gained(x: Exchange) -> int:
    """Yards that the actor went towards where the foes began, as far as beside the target."""
    if x.done.deed == "disengage":
        return -x.moved
    if not x.way:
        return 0
    return x.way * (x.stepped + min(x.moved, x.terms.setup.distance_yd))


@cites("AF-72", "AF-78")
def distance_after(x: Exchange) -> int:
    """Yards between both when somebody has closed in, or was driven away."""
    setup = x.terms.setup
    if setup.hazard is not None or x.done.deed == "disengage":
        return setup.distance_yd + x.moved
    return setup.distance_yd - abs(x.way) * min(x.moved, setup.distance_yd)
