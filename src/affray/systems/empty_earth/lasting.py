"""What lasts after a fight, and what the end of a Stage brings before the next one."""

from __future__ import annotations

from affray.core.errors import SetupError
from affray.core.fight import Rest
from affray.core.names import unknown
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.empty_earth.aftermath import enacted
from affray.systems.empty_earth.conditions import HELD, written
from affray.systems.empty_earth.sheet import Fighter, Setup
from affray.systems.empty_earth.standing import called
from affray.systems.empty_earth.state import Condition
from affray.systems.empty_earth.tables import REACTIONS

__all__ = ["RESTS", "leaves"]

STAGE = "stage"
RESTS = (
    Rest(STAGE, "the Stage ends: its effects come upon all player characters, Conditions that "
         "last for it are over, Injuries are old ones"),
)  # fmt: skip


@cites("EE-25", "EE-46", "EE-47", "EE-52", "EE-53", "EE-56", "EE-59")
def leaves(situation: Setup, sheet: Fighter, condition: Condition, rest: str) -> Fighter:
    """The fighter who comes into the next fight: Vitality, Injuries, cubes, Conditions.

    Shields and what lasts until the own turn are over. A Stage that an Injury has ended ends for
    everybody, whether a rest says so or not, and its effects have come then.

    Raises:
        SetupError: an Enemy or Ally who is defeated, and gone; no rest has this name.
    """
    if rest not in {"", STAGE}:
        raise unknown("rest", rest, [STAGE])
    now = condition.now
    if now.fallen == "defeated":
        raise SetupError(f"{called(sheet, sheet.side)} is defeated and gone (EE-53)")
    ends = rest == STAGE or condition.ended
    if ends:
        brought = {effect.condition.name for effect in situation.stage_end if effect.condition}
        lasts = brought if condition.ended else set[str]()
        kept = (one for one in now.conditions if one.left == HELD or one.card.name in lasts)
        now = now._replace(conditions=tuple(kept))
    if ends and sheet.side == "pc" and not condition.ended:
        for effect in situation.stage_end:
            now = enacted(effect, now, sheet.vitality_max)
    return replace(
        sheet,
        vitality=now.vitality,
        shields=0,
        injuries=now.injuries,
        injured_this_stage=now.taken and now.injuries > 0 and not ends,
        reactions=REACTIONS["between turns"],
        armor_active=False,
        cubes=now.cubes,
        cubes_max=sheet.most_cubes if sheet.income.number else None,
        conditions=written(now.conditions),
    )
