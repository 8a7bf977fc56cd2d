"""Affinity: one action of a turn, from the choice of action and exertion to the Hit Dice it costs.

Rules of the combat chapter of 16 February with what its sister chapters say where it leaves
something to them; earlier and later printings are profiles. The game is its author's; no text of
it is in here, and affray is not affiliated with them.
"""

from pathlib import Path

from affray.core.system import System
from affray.systems.affinity import fight
from affray.systems.affinity.hints import HINTS
from affray.systems.affinity.questions import FIELDS, OBJECTIVES
from affray.systems.affinity.rulings import ERRATA, PROFILES, RULINGS
from affray.systems.affinity.sequel import LASTS, RESETS, after
from affray.systems.affinity.sheet import Setup
from affray.systems.affinity.state import Exchange
from affray.systems.affinity.steps import STEPS, declare

__all__ = ["SYSTEM"]

SYSTEM: System[Exchange] = System(
    id="affinity",
    title="Affinity",
    edition="combat chapter of 2026-02-16",
    credit="Affinity belongs to its author; affray is unaffiliated.",
    prefix="AF",
    actors=("attacker", "defender", "ally"),
    steps=STEPS,
    start=STEPS[0],
    setup=Setup,
    declare=declare,
    fields=FIELDS,
    objectives=OBJECTIVES,
    rulings=RULINGS,
    profiles=PROFILES,
    errata=ERRATA,
    folder=Path(__file__).parent,
    fight=fight.FIGHT,
    hints=HINTS,
    after=after,
    lasts=LASTS,
    resets=RESETS,
    roster_keys={
        "attacker": "fighters",
        "defender": "fighters",
        "combatant": "fighters",
        "actions": "actions",
        "layers": "layers",
        "grants": "layers",
        "conditions": "conditions",
    },
)  # fmt: skip
