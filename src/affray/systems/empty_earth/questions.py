"""The outcome fields that can be asked for, and the objectives of each side."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.ruling import Rulings
from affray.core.system import Field, Objective, a_chance, none_or_more
from affray.systems.empty_earth.aftermath import added
from affray.systems.empty_earth.map.placed import stance_on
from affray.systems.empty_earth.map.zones import Ground
from affray.systems.empty_earth.state import Exchange, FighterState

__all__ = ["FIELDS", "OBJECTIVES"]


def _all(name: str) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        return getattr(added(x), name)

    return of


def _struck(name: str) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        return getattr(x.defending, name)

    return of


def _striking(name: str) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        return getattr(_attacker(x), name)

    return of


def _cubes(who: str, color: str) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        condition = _attacker(x) if who == "attacker" else x.defending
        return getattr(condition.cubes, color)

    return of


def _fallen(word: str) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        return x.defending.fallen == word

    return of


def _attacker(x: Exchange) -> FighterState:
    return x.terms.striker


def damage(x: Exchange) -> int:
    """Final Damage of all attacks."""
    return x.final + (x.past.damage if x.past else 0)


def _hit(x: Exchange) -> bool:
    return x.hits > 0 or (x.past is not None and x.past.on_hit)


def _on_map(read: Callable[[Ground, Rulings], object]) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        ground = x.terms.ground
        return "" if ground is None else read(ground, x.rulings)

    return of


def _has_map(x: Exchange) -> bool:
    return x.terms.ground is not None


def _away(ground: Ground, rulings: Rulings) -> object:
    zones = stance_on(ground, rulings).zones
    return "no way" if zones is None else zones


FIELDS: tuple[Field[Exchange], ...] = (
    Field("damage", "Final Damage, all attacks together", damage, "EE-43", "points", ("final",)),
    Field("hits", "attack dice that hit", _all("hits"), "EE-42", "hits"),
    Field("regular", "regular damage before reduction", _all("regular"), "EE-17", "points"),
    Field("piercing", "piercing damage", _all("piercing"), "EE-21", "points"),
    Field("vitality", "the defender's Vitality afterwards", _struck("vitality"), "EE-46",
          "points"),
    Field("shields", "Shields that are left", _struck("shields"), "EE-25", "tokens"),
    Field("on_hit", "whether effects on hit take place", _hit, "EE-23"),
    Field("on_damage", "whether effects on damage take place", _all("on_damage"), "EE-24"),
    Field("counter", "whether an attack did no damage and so can be countered",
          _all("counter"), "EE-44"),
    Field("counters", "whether the defender Counters", _all("strikes_back"), "EE-44"),
    Field("unmodified", "effects on unmodified values that fired", _all("unmodified"), "EE-45",
          "effects"),
    Field("injuries", "Injuries that the defender holds", _struck("injuries"), "EE-47",
          "injuries"),
    Field("downed", "whether the defender's Vitality reached 0", lambda x: x.downed, "EE-46"),
    Field("incapacitated", "whether a PC can't move or act", _fallen("incapacitated"), "EE-50"),
    Field("defeated", "whether an Enemy or Ally is gone", _fallen("defeated"), "EE-53"),
    Field("stage_ended", "whether the Stage ended", lambda x: x.stage_ended, "EE-52"),
    Field("stage_effects", "effects of the end of the Stage that were enacted",
          lambda x: x.enacted, "EE-59"),
    Field("conditions", "Conditions that the defender suffers afterwards", _struck("named"),
          "EE-23"),
    Field("attacker_conditions", "Conditions that the attacker suffers afterwards",
          _striking("named"), "EE-56"),
    Field("retaliation", "Final Damage that retaliation did to the attacker",
          lambda x: x.retaliated, "EE-55", "points"),
    Field("counter_damage", "Final Damage that Counters did", lambda x: x.countered, "EE-44",
          "points"),
    Field("attacker_vitality", "the attacker's Vitality afterwards", _striking("vitality"),
          "EE-46", "points"),
    Field("attacker_shields", "Shields that the attacker has left", _striking("shields"), "EE-25",
          "tokens"),
    Field("attacker_injuries", "Injuries that the attacker holds", _striking("injuries"), "EE-47",
          "injuries"),
    Field("attacker_out", "whether the attacker is defeated or incapacitated",
          lambda x: _attacker(x).fallen != "", "EE-55"),
    Field("attacker_injured_this_stage", "whether the attacker took an Injury in this Stage",
          _striking("taken"), "EE-47"),
    Field("attacker_reactions", "Dodges and Centers that the attacker has left",
          _striking("reactions"), "EE-61", "reactions", of_purse=True),
    Field("attacker_armor_active", "whether the active effect of the attacker's Armor lasts",
          _striking("active"), "EE-60"),
    Field("injured_this_stage", "whether the defender took an Injury in this Stage",
          _struck("taken"), "EE-47"),
    Field("armor_active", "whether the active effect of the defender's Armor lasts",
          _struck("active"), "EE-60"),
    Field("reactions", "Dodges and Centers that the defender has left", _struck("reactions"),
          "EE-61", "reactions", of_purse=True),
    Field("cubes", "cubes of all colors that the attacker has left",
          lambda x: _attacker(x).cubes.number, "EE-30", "cubes", of_purse=True),
    *(
        Field(f"{who}_{color}_cubes", f"{color} cubes that the {who} has left",
              _cubes(who, color), "EE-30", "cubes", of_purse=True)
        for who in ("attacker", "defender")
        for color in ("red", "blue", "black")
    ),
    Field("zone", "the Zone in which the attacker stands",
          _on_map(lambda ground, _: ground.attacker.zone), "EE-10", fits=_has_map),
    Field("zones_away", "how many Zones the defender is away", _on_map(_away), "EE-11", "Zones",
          fits=_has_map),
    Field("line_of_sight", "the way the line between the two lies to black and green lines",
          _on_map(lambda ground, rulings: stance_on(ground, rulings).line), "EE-13",
          fits=_has_map),
    Field("hostiles", "figures hostile to the attacker in the attacker's Zone",
          _on_map(lambda ground, rulings: stance_on(ground, rulings).hostiles), "EE-14",
          "figures", fits=_has_map),
)  # fmt: skip

OBJECTIVES: tuple[Objective[Exchange], ...] = (
    Objective("damage", "expected Final Damage", damage, "attacker", "damage",
              comes_to=none_or_more),
    Objective("hit", "chance of at least one hit", lambda x: int(_hit(x)), "attacker", "on_hit",
              comes_to=a_chance),
    Objective("wound", "chance of any Final Damage", lambda x: int(damage(x) > 0), "attacker",
              "damage", comes_to=a_chance),
    Objective("effect", "chance that an effect on unmodified values fires",
              lambda x: int(added(x).unmodified > 0), "attacker", "unmodified",
              comes_to=a_chance),
    Objective("kill", "chance that the defender's Vitality reaches 0", lambda x: int(x.downed),
              "attacker", "downed", comes_to=a_chance),
    Objective("trade", "expected Final Damage, less that of Counters and retaliation",
              lambda x: damage(x) - x.countered - x.retaliated, "attacker"),
    Objective("survive", "chance that the defender's Vitality stays above 0",
              lambda x: int(not x.downed), "defender", "downed", comes_to=a_chance),
    Objective("unhurt", "chance that no damage gets through", lambda x: int(not damage(x)),
              "defender", "damage", comes_to=a_chance),
)  # fmt: skip
