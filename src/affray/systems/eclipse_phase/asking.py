"""What a fight asks of the situation at the table: distance, cover, light, position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from affray.core.fight import ATTACK, Scene
from affray.core.matter import Matter, Offer, length_typed
from affray.core.modifier import Modifier
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.eclipse_phase.condition import Condition
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.modifiers import attack_modifiers
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange
from affray.systems.eclipse_phase.tables import (
    CLOSE_M,
    COVER,
    POINT_BLANK_M,
    SUPERIOR_POSITION,
    VISIBILITY,
)

__all__ = ["FIGHT_M", "MATTERS"]

FIGHT_M = 10
"""Meters between those who fight, unless the situation says otherwise: across a room."""
FARTHEST_M = 1_000_000
OFTEN_M = (POINT_BLANK_M, CLOSE_M, 30, 100)
"""Distances that are offered; any other can be typed."""

Here: TypeAlias = Scene[Setup, Condition]


def _weapons(setup: Setup) -> tuple[Weapon, ...]:
    return setup.attacker.weapons if setup.weapon is None else (setup.weapon,)


def _shoots(setup: Setup) -> bool:
    return any(not weapon.is_melee for weapon in _weapons(setup))


def _shoots_back(who: Combatant) -> bool:
    return any(not weapon.is_melee for weapon in who.weapons)


def _offered(here: Here, key: str, values: Iterable[tuple[Any, str]]) -> tuple[Offer, ...]:
    """Values of a key by name, with the modifiers that differ between them."""
    rows = [(value, name, _modifiers(here, key, value)) for value, name in values]
    return tuple(
        Offer(value, name, _told(_weapons(here.setup), found, [row for *_, row in rows]))
        for value, name, found in rows
    )


def _modifiers(here: Here, key: str, value: Any) -> list[list[Modifier]]:
    """The modifiers of an attack with each weapon, if a key of the situation has this value."""
    if key == "distance_m":
        value = max(0.0, value - _met(here))
    setup = replace(here.setup, **{key: value})
    return [
        attack_modifiers(
            Exchange(here.rulings, setup, weapon=weapon), setup.defender, trained=True
        )
        for weapon in _weapons(setup)
    ]  # fmt: skip


def _told(
    weapons: Sequence[Weapon], own: list[list[Modifier]], every: list[list[list[Modifier]]]
) -> str:
    """The modifiers that not all have, weapon by weapon where it makes a difference."""
    told: dict[str, list[str]] = {}
    for place, (weapon, terms) in enumerate(zip(weapons, own, strict=True)):
        common = set(every[0][place]).intersection(*(row[place] for row in every[1:]))
        words = ", ".join(str(term) for term in terms if term not in common and term.value)
        told.setdefault(words, []).append(weapon.name)
    told.pop("", None)
    if len(told) == 1:
        return next(iter(told))
    return "; ".join(f"{', '.join(names)} {words}" for words, names in told.items())


# -- distance ------------------------------------------------------------------------------------


def _met(here: Here) -> int:
    """Meters that both have come nearer since the fight began, from where distances count."""
    return here.actor.advance + here.target.advance


@cites("EP-32", "EP-74")
def _distances(here: Here) -> tuple[Offer, ...]:
    """Distances at which somebody shoots, or is shot at on the way."""
    setup, met = here.setup, _met(here)
    if here.deed.name != ATTACK.name or not (_shoots(setup) or _shoots_back(setup.defender)):
        return ()
    stands = float(FIGHT_M if setup.distance_m is None else setup.distance_m)
    now = max(0.0, stands - met)
    found = {now: stands, **{float(m): float(m + met) for m in OFTEN_M if m != now}}
    values = [(found[m], f"{m:g}") for m in (now, *sorted(found.keys() - {now}))]
    return _offered(here, "distance_m", values)


def _distance(here: Here, text: str) -> Offer:
    meters = length_typed(text, "meters", FARTHEST_M)
    words = _told(
        _weapons(here.setup),
        _modifiers(here, "distance_m", meters + _met(here)),
        [_modifiers(here, "distance_m", float(m + _met(here))) for m in (*OFTEN_M, meters)],
    )
    return Offer(meters + _met(here), f"{meters:g}", words)


# -- cover and light -----------------------------------------------------------------------------


@cites("EP-77")
def _covers(here: Here) -> tuple[Offer, ...]:
    """Cover against those who shoot."""
    if here.deed.name != ATTACK.name or not _shoots(here.setup):
        return ()
    return _offered(_at_hand(here), "cover", [(cover, cover) for cover in COVER])


@cites("EP-98")
def _lights(here: Here) -> tuple[Offer, ...]:
    """Visibility, the same for everybody."""
    if here.deed.name != ATTACK.name:
        return ()
    return _offered(_at_hand(here), "vision", [(light, light) for light in VISIBILITY])


@cites("EP-51", "EP-98")
def _positions(here: Here) -> tuple[Offer, ...]:
    """Who of both is in a superior position, and mates with them."""
    if here.deed.name != ATTACK.name:
        return ()
    one, other = here.setup.attacker.name, here.setup.defender.name
    better = f"{SUPERIOR_POSITION:+} to attack and defense"
    return (
        Offer("none", "none"),
        Offer("attacker", one, better),
        Offer("defender", other, better),
        Offer("both", "both", f"{better} of both"),
    )


def _at_hand(here: Here) -> Here:
    """The scene at some distance, where nobody has said one: it makes no difference."""
    if here.setup.distance_m is not None:
        return here
    return here._replace(setup=replace(here.setup, distance_m=float(FIGHT_M)))


def _has_moved(outcome: Exchange) -> bool:
    return outcome.moved != 0


MATTERS: tuple[Matter[Exchange], ...] = (
    Matter(
        "distance_m", "How many meters are there between {actor} and {target}?", "pair",
        _distances, _distance, "meters", "Distance {actor} to {target}: {value} m",
    ),
    Matter("cover", "What cover has {target}?", "target", _covers, lapses=_has_moved,
           told="Cover of {target}: {value}"),
    Matter(
        "vision", "How hard is it to see?", "fight", _lights, mirror="defender_vision",
        told="Visibility: {value}",
    ),
    Matter(
        "superior", "Who is in a superior position, {actor} or {target}?", "sides", _positions,
        told="Superior position, of one side over the other: {value}",
    ),
)  # fmt: skip
