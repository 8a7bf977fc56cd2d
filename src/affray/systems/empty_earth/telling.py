"""A fighter's condition for the people at the table, and what a game master may set."""

from __future__ import annotations

from typing import Literal

from affray.core.errors import SetupError
from affray.core.fight import Gauge, Threshold, Told, gauged
from affray.core.mending import Mend, mending
from affray.core.names import unknown
from affray.core.sheet import replace
from affray.core.step import cites
from affray.core.telling import counted
from affray.systems.empty_earth.cards import Affliction
from affray.systems.empty_earth.conditions import HELD, Suffered
from affray.systems.empty_earth.sheet import Cubes, Fighter, Setup
from affray.systems.empty_earth.state import Condition, FighterState
from affray.systems.empty_earth.tables import REACTIONS

__all__ = ["mended", "placed", "told"]

Color = Literal["red", "blue", "black"]
COLORS: tuple[Color, ...] = ("red", "blue", "black")
MOST = 100
"""Points of a kind that a game master hands out at most."""


@cites("EE-25", "EE-46", "EE-47", "EE-50", "EE-53", "EE-56", "EE-60", "EE-61")
def told(fighter: Fighter, condition: Condition) -> tuple[Told, ...]:
    """Vitality, Shields, Injuries, cubes, reactions, Conditions, and the Zone on a map."""
    now = condition.now
    falls = "incapacitated" if fighter.side == "pc" else "defeated"
    vitality = Gauge(now.vitality, fighter.vitality_max, (Threshold(0, falls),))
    lines = [
        gauged("Vitality", vitality, _fallen(now), "vitality")._replace(bar=vitality.left),
        Told(
            "Shields",
            now.shields,
            "each takes a point of damage (EE-25)",
            "shields",
            short=counted(now.shields, "Shield") if now.shields else "",
        ),
    ]
    if fighter.side == "pc":
        hurt = counted(now.injuries, "Injury", "Injuries") if now.injuries else ""
        lines.append(Told("Injuries", now.injuries, _of_injuries(now), "injuries", short=hurt))
        lines += [Told(f"{color} cubes", getattr(now.cubes, color), "", color) for color in COLORS]
    if fighter.worn.dodge or fighter.worn.center:
        reacts = "a Dodge or Center until the next own turn (EE-61)"
        lines.append(Told("reactions", now.reactions, reacts, "reactions", news="none"))
    if now.active:
        does = "until the next own turn (EE-60)"
        lines.append(Told("Armor", "active", does, "armor", short="Armor active"))
    lines += [
        Told(one.card.name, _turns(one), _does(one.card), news="ends", short=one.card.name)
        for one in now.conditions
    ]
    if condition.zone:
        zone = condition.zone
        lines.append(Told("Zone", zone, "", "at", short=f"in {zone}", is_place=True))
    return tuple(line for line in lines if line.value != 0 or line.key in {"vitality", "reactions"})


@cites("EE-11", "EE-70")
def placed(setup: Setup, fighter: Fighter, condition: Condition, value: object) -> Condition:
    """A fighter whom a game master puts into another Zone of the map.

    Raises:
        SetupError: there is no map; the Zone is none of its.
    """
    if setup.map is None:
        raise SetupError(
            "at: there are no Zones without a map; allowed: set distance_zones (EE-11)"
        )
    if value not in setup.map.names:
        raise unknown("Zone of the map", str(value), setup.map.names)
    return condition._replace(zone=str(value))


def _fallen(now: FighterState) -> str:
    if now.fallen == "incapacitated":
        return "neither moves nor acts until revived (EE-50)"
    return "defeated, and gone (EE-53)" if now.fallen else ""


def _of_injuries(now: FighterState) -> str:
    if not now.injuries:
        return ""
    return "at 0 Vitality they neither move nor act until revived (EE-50)"


def _turns(one: Suffered) -> str:
    if one.left == HELD:
        return "as long as the Injury is held"
    if not one.left:
        return "for the Stage"
    return "until the next own turn" if one.left == 1 else f"for {one.left} own turns"


@cites("EE-56")
def _does(card: Affliction) -> str:
    numbers = {
        "to each die": card.each_die, "to Physical Defense": card.phys_def,
        "to Essence Defense": card.ess_def, "to Damage Resistance": card.dr,
    }  # fmt: skip
    parts = [f"{value:+d} {what}" for what, value in numbers.items() if value]
    parts += ["no Dodge or Center"] if card.no_reactions else []
    parts += ["no actions"] if card.no_actions else []
    return f"{', '.join(parts)} (EE-56)" if parts else ""


# -- the game master's hand ------------------------------------------------------------------------


def _of_pc(most: int) -> Mend[Fighter, Condition]:
    def allowed(fighter: Fighter, _: Condition) -> range:
        return range(most + 1 if fighter.side == "pc" else 0)

    def put(fighter: Fighter, condition: Condition, value: int | str) -> Condition:
        now = condition.now
        return condition._replace(
            now=now._replace(injuries=int(value), taken=now.taken or bool(value))
        )

    return Mend("injuries", allowed, put)


def _vitality(fighter: Fighter, condition: Condition, value: int | str) -> Condition:
    fallen: Literal["", "incapacitated", "defeated"] = ""
    if not value:
        fallen = "incapacitated" if fighter.side == "pc" else "defeated"
    return condition._replace(now=condition.now._replace(vitality=int(value), fallen=fallen))


def _shields(fighter: Fighter, condition: Condition, value: int | str) -> Condition:
    return condition._replace(now=condition.now._replace(shields=int(value)))


def _reactions(fighter: Fighter, condition: Condition, value: int | str) -> Condition:
    return condition._replace(now=condition.now._replace(reactions=int(value)))


def _armor(fighter: Fighter, condition: Condition, value: int | str) -> Condition:
    return condition._replace(now=condition.now._replace(active=bool(value)))


def _cubes(color: Color) -> Mend[Fighter, Condition]:
    def put(fighter: Fighter, condition: Condition, value: int | str) -> Condition:
        cubes: Cubes = replace(condition.now.cubes, **{color: int(value)})
        return condition._replace(now=condition.now._replace(cubes=cubes))

    return Mend(color, lambda _, __: range(MOST + 1), put)


mended = mending(
    Mend[Fighter, Condition](
        "vitality", lambda fighter, _: range(fighter.vitality_max + 1), _vitality
    ),
    Mend[Fighter, Condition]("shields", lambda _, __: range(MOST + 1), _shields),
    _of_pc(MOST),
    *map(_cubes, COLORS),
    Mend[Fighter, Condition](
        "reactions", lambda _, __: range(REACTIONS["between turns"] + 1), _reactions
    ),
    Mend[Fighter, Condition](
        "armor", lambda fighter, _: range(2 if fighter.armor is not None else 0), _armor
    ),
)
