"""Grid Battles: a combat between two units with its Battle Back, or a whole game on the map.

Rules of the page "Dice and Combat" with what neighbouring pages of its site say about turns,
movement and Line of Sight. The faces of the dice are pictures there; those used here are assumed
and stand in the roster. The game is its maker's; no text of it is in here, and affray is not
affiliated with them.
"""

from pathlib import Path

from affray.core.ruling import Rulings
from affray.core.system import Gap, System
from affray.systems.grid_battles import fight
from affray.systems.grid_battles.hints import HINTS
from affray.systems.grid_battles.map.drawing import drawing
from affray.systems.grid_battles.map.picture import picture
from affray.systems.grid_battles.questions import FIELDS, OBJECTIVES
from affray.systems.grid_battles.rulings import RULINGS
from affray.systems.grid_battles.sequel import LASTS, RESETS, after
from affray.systems.grid_battles.sheet import ASSUMED, Setup
from affray.systems.grid_battles.state import Exchange
from affray.systems.grid_battles.steps import STEPS, declare

__all__ = ["SYSTEM"]


def _rolls_assumed_dice(setup: Setup, _: Rulings) -> bool:
    return setup.dice == ASSUMED


SYSTEM: System[Exchange] = System(
    id="grid-battles",
    title="Grid Battles",
    edition='tutorial page "Dice and Combat" of the game\'s site, as far as published',
    credit="Grid Battles belongs to its maker; affray is unaffiliated.",
    prefix="GB",
    actors=("attacker", "defender", "one", "other"),
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
    picture=picture,
    drawing=drawing,
    gaps=(
        Gap(
            "GB-17a",
            "The faces of the dice are assumed: the book shows them as pictures.",
            _rolls_assumed_dice,
        ),
    ),
    roster_defaults={"dice": "assumed"},
    roster_keys={
        "attacker": "units",
        "defender": "units",
        "followers": "units",
        "unit": "units",
        "attacker_terrain": "terrain",
        "defender_terrain": "terrain",
        "terrain": "terrain",
        "dice": "dice",
        "scenario": "scenarios",
    },
)
