"""Empty Earth: Brockton: one attack, or several in a row, from the declaration to the Injury.

Rules of the page "Combat" with what neighbouring pages of its site say about Armor, cubes and
reactions. The game is its publisher's; no text of it is in here, and affray is not affiliated
with them.
"""

from pathlib import Path

from affray.core.system import System
from affray.systems.empty_earth import fight
from affray.systems.empty_earth.hints import HINTS
from affray.systems.empty_earth.map.drawing import drawing
from affray.systems.empty_earth.map.picture import picture
from affray.systems.empty_earth.questions import FIELDS, OBJECTIVES
from affray.systems.empty_earth.rulings import RULINGS
from affray.systems.empty_earth.sequel import LASTS, RESETS, after
from affray.systems.empty_earth.sheet import Setup
from affray.systems.empty_earth.state import Exchange
from affray.systems.empty_earth.steps import STEPS, declare

__all__ = ["SYSTEM"]

SYSTEM: System[Exchange] = System(
    id="empty-earth",
    title="Empty Earth: Brockton",
    edition='rules page "Combat" of the game\'s site, as far as published',
    credit="Empty Earth: Brockton belongs to its publisher; affray is unaffiliated.",
    prefix="EE",
    actors=("attacker", "defender"),
    steps=STEPS,
    start=STEPS[0],
    setup=Setup,
    declare=declare,
    fields=FIELDS,
    objectives=OBJECTIVES,
    rulings=RULINGS,
    folder=Path(__file__).parent,
    picture=picture,
    drawing=drawing,
    fight=fight.FIGHT,
    hints=HINTS,
    after=after,
    lasts=LASTS,
    resets=RESETS,
    tracks=("cubes",),
    roster_keys={
        "attacker": "fighters",
        "defender": "fighters",
        "attacks": "weapons",
        "weapon": "weapons",
        "armor": "armor",
        "condition": "conditions",
        "conditions": "conditions",
        "injury_deck": "injuries",
        "map": "maps",
    },
)
