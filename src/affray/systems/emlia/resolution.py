"""The Resolution Phase: casualties leave, skills shrink, markers and marks of the turn go."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor

from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.body import Stand, weakens_by_points
from affray.systems.emlia.harm import rows_of
from affray.systems.emlia.sheet import Skill, Troop

__all__ = ["level_of", "morale_of", "resolved", "speed_of"]


@lru_cache(maxsize=16384)
def _level(skill: Skill, gone: int, *, per_value: bool) -> int:
    """A skill level with so many members missing."""
    value = Fraction(skill.diminish)
    if not value:
        return skill.level
    fall = floor(gone / value) if per_value else value * gone
    return max(0, floor(skill.level - fall))


@cites("EM-22", "EM-44", "EM-45")
def level_of(troop: Troop, stand: Stand, skill: Skill, rulings: Rulings, out: int = 0) -> int:
    """The level of a skill as a troop is now; members who are marked still count.

    Members out of the combat (`out`), by distance or because they are pinned, do not.
    """
    gone = stand.lost + out
    if weakens_by_points(troop, rulings):
        gone += stand.points
    level = _level(skill, gone, per_value=rulings[rule.DIMINISH] == "per_value")
    return max(0, level - stand.weaker)


@cites("EM-43")
def speed_of(troop: Troop, stand: Stand) -> float:
    """The speed, as rolls on a troop's table have left it; of several the lowest counts."""
    speeds = [row.speed for row in rows_of(troop, stand) if row.speed is not None]
    return min([troop.speed, *speeds])


@cites("EM-62")
def morale_of(troop: Troop, stand: Stand) -> int | None:
    """Morale now; None: the troop has none."""
    return None if troop.morale is None else troop.morale + stand.morale


@cites("EM-24", "EM-44", "EM-45", "EM-61", "EM-62")
def resolved(troop: Troop, stand: Stand, rulings: Rulings, morale: int = 0) -> Stand:
    """A troop after the Resolution Phase.

    Casualties leave; points of damage are felt from now on; what held for the turn ends. A troop
    without morale leaves where a ruling says so; `morale` is what its position does to it in this
    round (EM-24).
    """
    members = 0 if stand.destroyed else stand.members - stand.marked
    gone = members <= 0
    after = stand._replace(
        members=max(0, members),
        marked=0,
        lost=stand.lost + stand.members - max(0, members),
        points=stand.points + stand.fresh,
        fresh=0,
        markers=0 if gone or rulings[rule.MARKERS] == "resolution" else stand.markers,
        morale=stand.morale + morale,
        exposed=stand.exposed if rulings[rule.EXPOSED] == "activation" else 0,
        pinned=0,
        charged=False,
        double_paced=False,
    )
    left = morale_of(troop, after)
    if rulings[rule.MORALE] == "on" and left is not None and left <= 0:
        return after._replace(broken=True)
    return after
