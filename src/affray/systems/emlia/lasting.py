"""What is left of a unit when a fight is over, for the next one."""

from __future__ import annotations

from typing import Any

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.emlia.aftermath import resolved, suffered_by
from affray.systems.emlia.sequel import remaining
from affray.systems.emlia.sheet import Setup, Troop, Unit
from affray.systems.emlia.standing import Condition, stands, troops_of
from affray.systems.emlia.state import Status
from affray.systems.emlia.strength import is_here

__all__ = ["leaves"]


@cites("EM-42", "EM-43", "EM-44", "EM-45", "EM-62")
def leaves(situation: Setup, unit: Unit, condition: Condition, rest: str) -> Unit:
    """The unit that comes into the next fight: its members, and the damage done to who is left.

    Casualties that are marked leave it first. Morale is whole again, formations are dressed anew,
    and hits left over as markers are gone: they belong to a fight.

    Raises:
        SetupError: nobody is left, or the unit is broken; a rest, of which there is none.
    """
    if rest:
        raise SetupError(f"rest {rest!r}; allowed: none, the text knows no rests")
    statuses = stands(unit, condition)
    called = unit.name or "the unit"
    if statuses[0].broken:
        raise SetupError(f"{called} is broken, and has left the field (EM-62)")
    pairs = zip(troops_of(unit), statuses, strict=True)
    left = remaining(unit, [_left(*pair, condition.rulings) for pair in pairs])
    if left is None:
        raise SetupError(f"nobody of {called} is left (EM-44)")
    return left


def _left(troop: Troop, status: Status, rulings: Rulings) -> Troop | None:
    """A troop once its casualties have left; None: nobody is there any more."""
    after = resolved(troop, status, rulings)
    if not is_here(after):
        return None
    keys: dict[str, Any] = {
        "members": after.members, "lost": after.lost, "damage": after.damage, "wear": after.wear,
        "bonus": after.bonus, "weaker": after.weaker, "came_up": after.rolled,
        "suffered": suffered_by(troop, after, rulings), "marked": 0, "markers": 0, "unfelt": 0,
        "next_bonus": 0, "exposed": 0, "pinned": 0, "charged": False, "double_paced": False,
        "aligned": False, "unaware": False,
    }  # fmt: skip
    return replace(troop, **keys)
