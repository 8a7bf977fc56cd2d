"""From where figures stand to what an attack asks: Zones away, sight, who is near."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.map.geometry import Lie
from affray.systems.empty_earth.map.sight import line_between
from affray.systems.empty_earth.map.ways import bordering, distance, open_to
from affray.systems.empty_earth.map.zones import Figure, Ground
from affray.systems.empty_earth.sheet import Setup
from affray.systems.empty_earth.tables import MELEE_ZONES

__all__ = ["LIES", "Stance", "exchanged", "ground_of", "in_words", "stance_of", "stance_on"]


LIES: Mapping[Lie, str] = {
    "clear": "nothing between them",
    "touches": "the line between them touches a wall",
    "runs_along": "the line between them runs along a wall",
    "blocked": "the line between them is blocked",
}


class Stance(NamedTuple):
    """How the attacker stands to the defender.

    Attributes:
        zones: how many Zones away the defender is, as the ruling counts them; None: no way leads
            there.
        adjacent: whether both stand in one Zone.
        line: how the straight line between them lies to black and green walls.
        hostiles: figures hostile to the attacker in the attacker's Zone.
    """

    zones: int | None = 0
    adjacent: bool = True
    line: Lie = "clear"
    hostiles: int = 0


@lru_cache(maxsize=4096)
def ground_of(setup: Setup) -> Ground | None:
    """The map of a setup with everybody on it; None without a map."""
    if setup.map is None:
        return None
    attacker, defender = setup.attacker, setup.defender
    return Ground(
        setup.map,
        Figure(name=attacker.name, zone=attacker.zone, friend_of="attacker"),
        Figure(name=defender.name, zone=defender.zone, friend_of="defender"),
        setup.figures,
        defender.is_down,
    )


def stance_of(setup: Setup, rulings: Rulings) -> Stance:
    """How the attacker stands to the defender: read off the map, or as somebody says."""
    ground = ground_of(setup)
    return _as_said(setup, rulings) if ground is None else stance_on(ground, rulings)


@cites("EE-10", "EE-11", "EE-13", "EE-14")
@lru_cache(maxsize=4096)
def stance_on(ground: Ground, rulings: Rulings) -> Stance:
    """How the attacker stands to the defender on a map."""
    chart, one, other = ground.chart, ground.attacker.zone, ground.defender.zone
    hostile = [figure.zone for figure in ground.others if figure.friend_of == "defender"]
    if not ground.defender_down or rulings[rule.LYING] == "counts":
        hostile.append(other)
    counted = bordering if rulings[rule.ZONES] == "borders" else open_to
    return Stance(
        distance(counted(chart, rulings), one, other),
        one == other,
        line_between(chart, one, other, rulings),
        hostile.count(one),
    )


def _as_said(setup: Setup, rulings: Rulings) -> Stance:
    away = setup.distance_zones or 0
    zones = away
    if rulings[rule.ZONES] == "openings" and setup.distance_through_openings is not None:
        zones = setup.distance_through_openings
    adjacent = away <= MELEE_ZONES["adjacent"]
    counts = not setup.defender.is_down or rulings[rule.LYING] == "counts"
    hostiles = (setup.hostile_in_own_zone or 0) + (adjacent and counts)
    return Stance(zones, adjacent, setup.line_of_sight or "clear", hostiles)


def in_words(stance: Stance) -> str:
    """A stance for people."""
    away = "no way leads there"
    if stance.zones is not None:
        away = f"{stance.zones} Zone{'' if stance.zones == 1 else 's'} away"
    lie = "same Zone" if stance.adjacent else LIES[stance.line]
    return f"{away}; {lie}; {stance.hostiles or 'nobody'} hostile in the attacker's Zone"


def exchanged(figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    """Figures on the map once attacker and defender have exchanged their parts."""
    return tuple([
        replace(
            figure, friend_of="attacker" if figure.friend_of == "defender" else "defender"
        )
        for figure in figures
    ])  # fmt: skip
