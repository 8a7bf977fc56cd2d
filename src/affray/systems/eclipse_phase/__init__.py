"""Eclipse Phase, second edition: one attack from its declaration to the wounds.

Rules of the text "Resolving Combat" with the chapters it leans on. The game is by Posthuman
Studios (CC BY-NC-SA 4.0); no text of it is in here, and affray is not affiliated with them.
"""

from pathlib import Path

from affray.core.ruling import Rulings
from affray.core.system import Gap, System
from affray.systems.eclipse_phase import fight
from affray.systems.eclipse_phase.condition import POOLS
from affray.systems.eclipse_phase.gear import BREAKABLE
from affray.systems.eclipse_phase.hints import HINTS
from affray.systems.eclipse_phase.questions import FIELDS, OBJECTIVES
from affray.systems.eclipse_phase.rulings import AMMUNITION, RULINGS, TURNS
from affray.systems.eclipse_phase.sequel import BEYOND, LASTS, RESETS, after
from affray.systems.eclipse_phase.sheet import Setup
from affray.systems.eclipse_phase.state import Exchange
from affray.systems.eclipse_phase.steps import STEPS, declare

__all__ = ["SYSTEM"]


def _never_runs_dry(setup: Setup, rulings: Rulings) -> bool:
    """Whether somebody has a weapon with rounds, or one that is used up, and nobody counts them."""
    weapons = setup.attacker.weapons if setup.weapon is None else (setup.weapon,)
    runs_dry = any(one.is_fired or BREAKABLE.intersection(one.traits) for one in weapons)
    return runs_dry and rulings[AMMUNITION] == "plenty"


def _attacks_only(setup: Setup, rulings: Rulings) -> bool:
    """Whether turns of a fight are attacks and nothing else."""
    return rulings[TURNS] == "attacks"


SYSTEM: System[Exchange] = System(
    id="eclipse-phase",
    title="Eclipse Phase 2e",
    edition="second edition, first printing",
    credit="Eclipse Phase is by Posthuman Studios, CC BY-NC-SA 4.0; affray is unaffiliated.",
    prefix="EP",
    actors=("attacker", "defender"),
    steps=STEPS,
    start=STEPS[0],
    setup=Setup,
    declare=declare,
    fields=FIELDS,
    objectives=OBJECTIVES,
    rulings=RULINGS,
    folder=Path(__file__).parent,
    fight=fight.FIGHT,
    hints=HINTS,
    after=after,
    lasts=LASTS,
    resets=RESETS,
    beyond=BEYOND,
    gaps=(
        Gap(
            "EP-79",
            "Every attack finds a full magazine, and nothing is used up (H-3; the reading "
            "ammunition=counted counts rounds).",
            _never_runs_dry,
        ),
        Gap(
            "EP-27",
            "A turn is an attack, with closing in first where it is needed (H-4; the reading "
            "turns=actions has quick actions, moves, full defense, aiming and extra actions).",
            _attacks_only,
        ),
    ),
    tracks=(*POOLS, "rounds"),
    roster_keys={
        "attacker": "fighters",
        "defender": "fighters",
        "others": "fighters",
        "weapon": "weapons",
        "weapons": "weapons",
        "ammo": "ammo",
        "payload": "weapons",
        "pieces": "armor",
    },
)
