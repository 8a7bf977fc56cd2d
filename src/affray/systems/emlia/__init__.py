"""Emlia: one activation of a unit, from its action to the casualties that it causes.

The chapter on attacks and damage. What it takes from chapters that are not at hand (the check
itself, the turn, morale) is assumed, and open to rulings. The game is its author's; no text of it
is in here, and affray is not affiliated with them.
"""

from pathlib import Path

from affray.core.system import System
from affray.systems.emlia import fight
from affray.systems.emlia.gaps import GAPS
from affray.systems.emlia.hints import HINTS
from affray.systems.emlia.questions import FIELDS, OBJECTIVES, drawing, picture
from affray.systems.emlia.rulings import PROFILES, RULINGS
from affray.systems.emlia.sequel import BEYOND, RESETS, after
from affray.systems.emlia.sheet import Setup
from affray.systems.emlia.state import Exchange
from affray.systems.emlia.steps import STEPS, declare

__all__ = ["SYSTEM"]

SYSTEM: System[Exchange] = System(
    id="emlia",
    title="Emlia",
    edition="chapter on attacks and damage",
    credit="Emlia is by Riley August (CC BY-NC-SA 2.5 Canada); affray is unaffiliated.",
    prefix="EM",
    actors=("attacker", "defender"),
    steps=STEPS,
    start=STEPS[0],
    setup=Setup,
    declare=declare,
    fields=FIELDS,
    objectives=OBJECTIVES,
    rulings=RULINGS,
    profiles=PROFILES,
    folder=Path(__file__).parent,
    gaps=GAPS,
    fight=fight.FIGHT,
    hints=HINTS,
    after=after,
    resets=RESETS,
    beyond=BEYOND,
    picture=picture,
    drawing=drawing,
    roster_keys={
        "attacker": "units",
        "defender": "units",
        "who": "units",
        "joined": "units",
        "weapons": "weapons",
        "core_check": "checks",
    },
)  # fmt: skip
