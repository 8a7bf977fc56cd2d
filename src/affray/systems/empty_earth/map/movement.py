"""A move: a figure walks to the next Zone, or stays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from affray.core.errors import RulesError
from affray.core.loop import Loop
from affray.core.node import At, Node, Option, Pointer, choose
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.systems.empty_earth import aftermath
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.conditions import forbidding
from affray.systems.empty_earth.map.placed import ground_of
from affray.systems.empty_earth.map.ways import open_to
from affray.systems.empty_earth.map.zones import STAY, Ground, Map
from affray.systems.empty_earth.numbers import why_not
from affray.systems.empty_earth.sheet import Setup
from affray.systems.empty_earth.standing import called, refreshed
from affray.systems.empty_earth.state import Exchange, FighterState

__all__ = ["STEPS", "STRIKE", "approach", "footholds", "steps_to_attack", "walk", "why_not_move"]

STRIKE: Loop[Exchange] = Loop("the attack after a step")


@cites("EE-50", "EE-56", "EE-70")
def why_not_move(setup: Setup, striker: FighterState, rulings: Rulings) -> str | None:
    """Why the attacker of a setup can't walk anywhere, or None."""
    who = called(setup.attacker, "attacker")
    if striker.fallen:
        return f"attacker: {who} has no Vitality left and can't move until revived (EE-50)"
    begins = setup.new_turn == "attacker"
    acting = refreshed(setup.attacker, striker, rulings) if begins else striker
    if ban := forbidding(acting.conditions, "no_actions"):
        return f"attacker: {who} can't move: {ban} (EE-56)"
    if not _next_zones(setup, rulings):
        return f"attacker: {who} can't leave {setup.attacker.zone!r}; no way is open (EE-70)"
    return None


def _map_of(setup: Setup) -> Map:
    if setup.map is None:
        raise RulesError("a move without a map; the setup refuses it")
    return setup.map


def _next_zones(setup: Setup, rulings: Rulings) -> tuple[str, ...]:
    return open_to(_map_of(setup), rulings)[setup.attacker.zone]


@lru_cache(maxsize=4096)
def steps_to_attack(setup: Setup, rulings: Rulings) -> Mapping[str, int]:
    """Count for each Zone the moves to the nearest one from which the attacker can attack.

    Zones from which no way leads to such a place are left out.
    """
    chart = _map_of(setup)
    ways, found = open_to(chart, rulings), dict[str, int]()
    front = [zone for zone in chart.names if _can_attack(setup, zone, rulings)]
    steps = 0
    while front:
        found.update(dict.fromkeys(front, steps))
        front = [zone for zone in ways if zone not in found and set(ways[zone]) & set(front)]
        steps += 1
    return found


def _can_attack(setup: Setup, zone: str, rulings: Rulings) -> bool:
    there = replace(setup, attacker=replace(setup.attacker, zone=zone))
    return any(not why_not(there, weapon, rulings) for weapon in setup.attacker.attacks)


@cites("EE-70")
@lru_cache(maxsize=4096)
def footholds(setup: Setup, rulings: Rulings) -> tuple[str, ...]:
    """Zones from which the attacker can attack in this turn: the own one first, if it is one.

    One can walk into the others first, where the readings allow it.
    """
    own = setup.attacker.zone
    if setup.map is None or rulings[rule.MOVES] != "and_attack":
        return (own,)
    zones = (own, *_next_zones(setup, rulings))
    return tuple(zone for zone in zones if _can_attack(setup, zone, rulings))


@step("EE-70")
def approach(x: Exchange) -> Node[Exchange]:
    """Before an attack a figure may walk into a Zone beside its own, and attack from there."""
    setup = x.terms.declared
    own, ground = setup.attacker.zone, ground_of(setup)
    if ground is None:
        raise RulesError("a step without a map; nobody can take one")
    options = []
    for zone in footholds(setup, x.rulings):
        there = replace(setup, attacker=replace(setup.attacker, zone=zone))
        figure = replace(ground.attacker, zone=zone)
        terms = replace(x.terms, setup=there, ground=ground._replace(attacker=figure))
        words = "attack from where the figure stands" if zone == own else "walk there first"
        name, after = (STAY, x) if zone == own else (zone, x._replace(terms=terms))
        options.append(Option(name, At(STRIKE.step, after), 0, words, points=Pointer(place=zone)))
    return choose(x.striker, "from where?", options)


@approach.says
def _(before: Exchange, after: Exchange) -> str:
    old, new = before.terms.declared.attacker.zone, after.terms.declared.attacker.zone
    return "" if old == new else f"{old} -> {new}."


@approach.briefly
def _(before: Exchange, after: Exchange) -> str:
    old, new = before.terms.declared.attacker.zone, after.terms.declared.attacker.zone
    who = called(before.terms.declared.attacker, before.striker)
    return "" if old == new else f"{who} walks from {old} to {new}."


@step("EE-50", "EE-70")
def walk(x: Exchange) -> Node[Exchange]:
    """A figure walks to a Zone beside its own; those on the way to an attack are named first."""
    setup, ground = x.terms.declared, _ground_of(x)
    near, far = steps_to_attack(setup, x.rulings), len(_map_of(setup).zones)
    zones = sorted(_next_zones(setup, x.rulings), key=lambda zone: near.get(zone, far))
    options = []
    for zone in zones:
        gone = ground._replace(attacker=replace(ground.attacker, zone=zone))
        after = x._replace(terms=replace(x.terms, ground=gone))
        words, there = _told(near.get(zone)), Pointer(place=zone)
        options.append(Option(zone, At(aftermath.next_attack, after), 0, words, points=there))
    stays = Pointer(place=ground.attacker.zone)
    words = "stay in the same Zone"
    options.append(Option(STAY, At(aftermath.next_attack, x), 0, words, points=stays))
    return choose(x.striker, "where to?", options)


def _ground_of(x: Exchange) -> Ground:
    if x.terms.ground is None:
        raise RulesError("a move without a map; the setup refuses it")
    return x.terms.ground


def _told(steps: int | None) -> str:
    if steps is None:
        return "no way leads from there to an attack"
    more = f"{steps} more move{'' if steps == 1 else 's'} to an attack"
    return more if steps else "an attack is possible from there"


@walk.says
def _(before: Exchange, after: Exchange) -> str:
    old, new = _ground_of(before).attacker.zone, _ground_of(after).attacker.zone
    return f"The {before.striker} stays in {old}." if old == new else f"{old} -> {new}."


@walk.opens
def _(before: Exchange, after: Exchange) -> str:
    old, new = _ground_of(before).attacker.zone, _ground_of(after).attacker.zone
    who = called(before.terms.declared.attacker, before.striker)
    return f"{who} stays in {old}" if old == new else f"{who} walks from {old} to {new}"


STEPS = (approach, walk)
"""The steps of this chapter."""
