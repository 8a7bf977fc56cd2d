"""What a fight without a map asks of the situation at the table: distance, sight, terrain."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TypeAlias

from affray.core.fight import ATTACK, Scene
from affray.core.matter import Matter, Offer, number_typed
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.grid_battles.numbers import swapped, why_no_battle_back, why_not
from affray.systems.grid_battles.sheet import MOST_HEXES, Bonus, Setup, Terrain
from affray.systems.grid_battles.state import Condition, Exchange

__all__ = ["MATTERS"]

OFTEN = (1, 2, 3)
"""Hexes that are offered; any other number can be typed."""

Here: TypeAlias = Scene[Setup, Condition]


def _between_units(here: Here) -> bool:
    return here.deed == ATTACK and here.setup.scenario is None


@cites("GB-46", "GB-60")
def _distances(here: Here) -> tuple[Offer, ...]:
    """Hexes between two units of which one shoots."""
    setup = here.setup
    if not _between_units(here) or not (setup.attacker.shoots or setup.defender.shoots):
        return ()
    return tuple(_at(here, hexes) for hexes in sorted({setup.distance_hexes, *OFTEN}))


def _at(here: Here, hexes: int) -> Offer:
    return Offer(hexes, str(hexes), _told(here, replace(here.setup, distance_hexes=hexes)))


def _told(here: Here, setup: Setup) -> str:
    """Whether the attack can be made, and whether the defender can strike back."""
    if why := why_not(setup, here.rulings):
        return f"no attack: {why}"
    back = why_no_battle_back(setup, here.rulings)
    back = back or why_not(swapped(setup), here.rulings) or ""
    return f"no Battle Back: {back}" if back else ""


def _distance(here: Here, text: str) -> Offer:
    return _at(here, number_typed(text, "hexes", MOST_HEXES, least=1))


@cites("GB-67")
def _sights(here: Here) -> tuple[Offer, ...]:
    """Line of Sight of a shot at a unit that is not adjacent."""
    setup = here.setup
    if not _between_units(here) or not setup.attacker.shoots or setup.distance_hexes == 1:
        return ()
    return tuple(
        Offer(sight, sight, _told(here, replace(setup, line_of_sight=sight)))
        for sight in ("clear", "blocked")
    )


@cache
def _terrains() -> tuple[Terrain, ...]:
    """The terrain of the roster."""
    with (Path(__file__).parent / "roster" / "terrain.toml").open("rb") as file:
        entries = tomllib.load(file)
    return tuple(
        Terrain(**{**entry, "bonuses": tuple(Bonus(**one) for one in entry.get("bonuses", ()))})
        for entry in entries.values()
    )


@cites("GB-2", "GB-5")
def _grounds(here: Here) -> tuple[Offer, ...]:
    """The terrain on which the defender stands, with what it gives."""
    if not _between_units(here):
        return ()
    known = {terrain.name: terrain for terrain in (*_terrains(), here.setup.defender_terrain)}
    return tuple(Offer(terrain, name, _given(terrain)) for name, terrain in known.items())


def _given(terrain: Terrain) -> str:
    told = [
        f"{bonus.count} {bonus.colour or bonus.kind} {'die' if bonus.colour else ''}".strip()
        for bonus in terrain.bonuses
    ]
    told += [f"{terrain.advantage} Advantage"] if terrain.advantage != "none" else []
    return ", ".join(told).replace("_", " ")


MATTERS: tuple[Matter[Exchange], ...] = (
    Matter(
        "distance_hexes", "How many hexes are {actor} and {target} apart?", "pair", _distances,
        _distance, "hexes", "Distance {actor} to {target}: {value} hexes",
    ),
    Matter("line_of_sight", "Is the Line of Sight clear?", "pair", _sights,
           told="Line of Sight clear from {actor} to {target}: {value}"),
    Matter(
        "defender_terrain", "On which terrain does {target} stand?", "target", _grounds,
        mirror="attacker_terrain", told="Terrain of {target}: {value}",
    ),
)  # fmt: skip
