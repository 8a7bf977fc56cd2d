"""What an action looks at in two combatants: all else makes no difference to it."""

from __future__ import annotations

from functools import lru_cache

from affray.core.ruling import Rulings
from affray.core.unknown import is_unknown
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import cap_of
from affray.systems.affinity.numbers import (
    fewer_dice,
    harder,
    stage,
)
from affray.systems.affinity.sheet import Combatant
from affray.systems.affinity.state import CombatantState
from affray.systems.affinity.tables import RESOLVE

__all__ = ["as_actor", "as_target"]


@lru_cache(maxsize=4096)
def _alike(sheet: Combatant, resolve: int, rulings: Rulings, *, acts: bool) -> int:
    """The highest Resolve that makes no other difference to an action, or to its target.

    Resolve at its most can't rise, and the last point is its own stage: losing it is collapse.
    """
    if resolve <= RESOLVE["check"] or resolve >= sheet.resolve_max:
        return resolve

    def stages(at: int) -> tuple[object, ...]:
        if not acts:
            return (fewer_dice(at, rulings),)
        return *(harder(at, rank, rulings) for rank in (0, 1)), at <= stage(rulings, "no expert")

    same = (at for at in range(resolve, sheet.resolve_max) if stages(at) == stages(resolve))
    return max(same)


@lru_cache(maxsize=4096)
def _strain(sheet: Combatant, rulings: Rulings) -> tuple[int, int]:
    """Hit Dice lost, and dice exerted, up to which one more action can't make Resolve be checked.

    Each number is the greatest from which the most that an action can burn or exert is too few.
    """
    pools = [action.pool for action in sheet.actions]
    exerts = max(cap_of(sheet, CombatantState(), rulings, pool) for pool in (0, *pools))
    printed = 0
    if rulings[rule.NPC_BURN] != "none":
        printed = max(max(0, pool - sheet.prof) for pool in (0, *pools))
    most = sheet.level if rulings[rule.RESOLVE] == "core" else sheet.prof
    return sheet.prof + RESOLVE["over"] - exerts - printed - 1, most - exerts - 1


def as_actor(sheet: Combatant, now: CombatantState, rulings: Rulings) -> CombatantState:
    """The parts of the actor's condition that an action looks at, so that exchanges merge."""
    if rulings[rule.RESOLVE] == "off":
        watches = {"rush", "steady"} & set(sheet.universal)
        resolve = now.resolve if watches else 0
        return now._replace(layers=(), acted=False, resolve=resolve, gone=0, walked=False)
    lost, exerted = _strain(sheet, rulings)
    limited = rulings[rule.BUDGET] == "turn"
    return now._replace(
        layers=(),
        acted=False,
        gone=0,
        walked=False,
        resolve=_alike(sheet, now.resolve, rulings, acts=True),
        lost=now.lost if is_unknown(now.lost) or now.lost > lost else 0,
        exerted=now.exerted if limited or now.exerted > exerted else 0,
    )


def as_target(sheet: Combatant, now: CombatantState, rulings: Rulings) -> CombatantState:
    """The parts of the target's condition that an action looks at."""
    resolve = now.resolve
    if not now.down:
        watches = rulings[rule.RESOLVE] != "off"
        resolve = _alike(sheet, resolve, rulings, acts=False) if watches else 0
    return CombatantState(
        hd=now.hd,
        down=now.down,
        layers=now.layers,
        resolve=resolve,
        defending=now.defending,
        checked=now.checked,
        stabilized=now.stabilized,
        lost=now.lost,
        conditions=now.conditions,
    )
