"""What a fight without a table asks of the situation: how far, and whether it is in sight."""

from __future__ import annotations

from typing import TypeAlias

from affray.core.fight import ATTACK, Scene
from affray.core.matter import Matter, Offer, length_typed
from affray.core.step import cites
from affray.systems.emlia.actions import BANDS, attack_of, edges_before, own_fire, weapon_for
from affray.systems.emlia.gear import LONGEST, Weapon
from affray.systems.emlia.modifiers import RANGES, growing
from affray.systems.emlia.sheet import BookAction, Setup, Troop, Unit
from affray.systems.emlia.standing import Condition, troops_of
from affray.systems.emlia.state import Exchange
from affray.systems.emlia.tables import AIM, VOL

__all__ = ["MATTERS"]

OFTEN = (0.0, 10.0, 30.0)
"""Distances that are offered; any other can be typed."""
SHOTS: tuple[BookAction, ...] = ("aimed_fire", "volley_fire")

Here: TypeAlias = Scene[Setup, Condition]


def _shoots(unit: Unit) -> bool:
    return any(own_fire(troop, shot) for troop in troops_of(unit) for shot in SHOTS)


def _is_open(setup: Setup) -> bool:
    """Whether the attacker may shoot, as far as the situation says what is done."""
    attack = attack_of(setup.attacker, setup.action)  # type: ignore[arg-type]  # any name
    return setup.action == "open" or (attack is not None and attack.like != "close_combat")


@cites("EM-30", "EM-31")
def _distances(here: Here) -> tuple[Offer, ...]:
    """Distances to a unit, where either shoots."""
    setup = here.setup
    if here.deed != ATTACK or not _is_open(setup):
        return ()
    if not (_shoots(setup.attacker) or _shoots(setup.defender)):
        return ()
    edges = {edge for weapon in _bows(setup.attacker) for edge in (weapon.short, weapon.medium)}
    offered = {float(m) for m in (setup.distance, *(edges or OFTEN), 0.0)}
    return tuple(_at(here, distance) for distance in sorted(offered))


def _bows(troop: Troop) -> tuple[Weapon, ...]:
    """The weapons with which a troop shoots."""
    found = []
    for shot in SHOTS:
        attack = attack_of(troop, shot)
        weapon = None if attack is None else weapon_for(troop, attack)
        found += [] if weapon is None else [weapon]
    return tuple(dict.fromkeys(found))


def _at(here: Here, distance: float) -> Offer:
    told = [] if distance else ["in melee range (EM-32)"]
    for shot in SHOTS:
        attack = attack_of(here.setup.attacker, shot)
        weapon = None if attack is None else weapon_for(here.setup.attacker, attack)
        if weapon is None:
            continue
        edges = edges_before(weapon, distance)
        if BANDS[edges] is None:
            told.append(f"{weapon.name} out of range")
        elif shot == "aimed_fire":
            told += [str(row) for row in growing(AIM, RANGES, edges, "EM-30", here.rulings)]
        else:
            told.append(f"{weapon.name} at {BANDS[edges]} range (EM-31)")
    return Offer(distance, f"{distance:g}", "; ".join(dict.fromkeys(told)))


def _distance(here: Here, text: str) -> Offer:
    return _at(here, length_typed(text, "units of length", LONGEST))


@cites("EM-31")
def _sights(here: Here) -> tuple[Offer, ...]:
    """Whether those who shoot a volley see their target."""
    setup, troop = here.setup, here.setup.attacker
    volley = own_fire(troop, "volley_fire") and troop.formation == "close"
    if here.deed != ATTACK or not volley or not setup.distance or setup.blind:
        return ()
    return (Offer(False, "no"), Offer(True, "yes", f"{VOL['in_sight']:+d} target in sight (EM-31)"))


def _has_charged(outcome: Exchange) -> bool:
    return outcome.decided.action == "charge"


MATTERS: tuple[Matter[Exchange], ...] = (
    Matter(
        "distance", "How far away is {target} from {actor}?", "pair", _distances, _distance,
        "units of length", "Distance {actor} to {target}: {value}", lapses=_has_charged,
    ),
    Matter("in_sight", "Does {actor} see {target}?", "pair", _sights,
           told="{actor} sees {target}: {value}"),
)  # fmt: skip
