"""What a fight asks of the situation at the table where there is no map: Zones and sight."""

from __future__ import annotations

from typing import TypeAlias, get_args

from affray.core.fight import ATTACK, Scene
from affray.core.matter import Matter, Offer, number_typed
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.empty_earth.cards import MOST_COUNTED
from affray.systems.empty_earth.map.geometry import Lie
from affray.systems.empty_earth.numbers import why_not
from affray.systems.empty_earth.sheet import Setup
from affray.systems.empty_earth.state import Condition, Exchange

__all__ = ["MATTERS"]

OFTEN = (0, 1, 2)
"""Zones that are offered; any other number can be typed."""

Here: TypeAlias = Scene[Setup, Condition]


def _shoots(here: Here) -> bool:
    fighters = here.setup.attacker, here.setup.defender
    return any(attack.reach == "ranged" for who in fighters for attack in who.attacks)


@cites("EE-9", "EE-11")
def _zones(here: Here) -> tuple[Offer, ...]:
    """Zones between two of whom one shoots, with the attacks that don't reach."""
    setup = here.setup
    if here.deed != ATTACK or setup.map is not None or not _shoots(here):
        return ()
    return tuple(_at(here, zones) for zones in sorted({setup.distance_zones or 0, *OFTEN}))


def _at(here: Here, zones: int) -> Offer:
    return Offer(zones, str(zones), _barred(here, replace(here.setup, distance_zones=zones)))


def _barred(here: Here, setup: Setup) -> str:
    """The attacks that can't be declared, with the clauses."""
    found = []
    for attack in setup.attacker.attacks:
        why = why_not(setup, attack, here.rulings)
        if why:
            found.append(f"no {attack.name or attack.reach}: {why}")
    return "; ".join(dict.fromkeys(found))


def _zone(here: Here, text: str) -> Offer:
    return _at(here, number_typed(text, "Zones", MOST_COUNTED))


@cites("EE-12", "EE-13")
def _sights(here: Here) -> tuple[Offer, ...]:
    """The line between two who aren't in the same Zone."""
    setup = here.setup
    if here.deed != ATTACK or setup.map is not None or not setup.distance_zones:
        return ()
    return tuple(
        Offer(lie, lie.replace("_", " "), _barred(here, replace(setup, line_of_sight=lie)))
        for lie in get_args(Lie)
    )


MATTERS: tuple[Matter[Exchange], ...] = (
    Matter(
        "distance_zones", "How many Zones away is {target} from {actor}?", "pair", _zones, _zone,
        "Zones", "Distance {actor} to {target}: {value} Zones",
    ),
    Matter(
        "line_of_sight", "How does the line from {actor} to {target} lie to walls?", "pair",
        _sights,
        told="Line from {actor} to {target}: {value}",
    ),
)  # fmt: skip
