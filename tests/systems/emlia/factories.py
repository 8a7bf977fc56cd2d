"""Small makers: units that nothing modifies, and ways to run what they do.

A unit of 10 in close formation with Hits 1 attacks another of 10: nobody is outnumbered, the
difficulty is 6, and every hit is a point of damage and a casualty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.exchange import best
from affray.engine.exchange.game import Game
from affray.systems.emlia import SYSTEM as ROOM
from affray.systems.emlia.gear import Own, Row, Skill, Weapon
from affray.systems.emlia.sheet import Contact, Other, Setup, Troop, Unit
from tests.systems.playing import (
    asked,
    chance,
    closed,
    dice,
    joint,
    line,
    mean,
    odds,
    offered,
    play,
    played,
    question,
    value,
)

__all__ = [
    "Contact",
    "Own",
    "Row",
    "Setup",
    "Troop",
    "Unit",
    "Weapon",
    "asked",
    "at",
    "body",
    "chance",
    "closed",
    "dice",
    "ends",
    "friend",
    "game",
    "hits",
    "joint",
    "line",
    "mean",
    "odds",
    "offered",
    "other",
    "play",
    "played",
    "question",
    "setup",
    "skill",
    "unit",
    "value",
]  # some are handed on, beside what is made here

SYSTEM = cast("System[Facts]", ROOM)

SHORT = {"cc": "close_combat", "aim": "aimed_fire", "vol": "volley_fire"}


def skill(name: str, level: int, diminish: int | str = 0) -> Skill:
    """A skill; `cc`, `aim` and `vol` stand for the basic ones."""
    return Skill(skill=SHORT.get(name, name), level=level, diminish=diminish)


def unit(name: str = "", members: int = 10, *, cc: int | None = None, **changes: Any) -> Unit:
    """A unit; `cc`, `aim` and `vol` are levels of its skills, which don't diminish."""
    levels = {"cc": cc, "aim": changes.pop("aim", None), "vol": changes.pop("vol", None)}
    skills = tuple(skill(key, n) for key, n in levels.items() if n is not None)
    skills = changes.pop("skills", skills)
    return Unit(name=name, members=members, skills=skills, **changes)


def other(made: Unit, **changes: Any) -> Other:
    """One more unit of the enemy's side."""
    return Other(who=made, **changes)


def friend(made: Unit, **changes: Any) -> Other:
    """One more unit of the attacker's side."""
    return Other(who=made, side="friend", **changes)


def setup(
    attacker: Unit | int = 4, defender: Unit | None = None, *others: Other, **changes: Any
) -> Setup:
    """Close combat unless `action` says otherwise; a number stands for the attacker's level."""
    by = unit("A", cc=attacker) if isinstance(attacker, int) else attacker
    made = {"action": "close_combat", "focus": "none", **changes}
    return Setup(attacker=by, defender=defender or unit("B"), others=others, **made)


def body(*units: Unit, level: int = 4, **changes: Any) -> Setup:
    """A close combat attack on several units as one body; as many attack as they are."""
    many = sum(made.members for made in units)
    attacker = changes.pop("attacker", unit("X", many, cc=level))
    return setup(attacker, units[0], *[other(made) for made in units[1:]], **changes)


def hits(number: int, *units: Unit, base: int = 0, **changes: Any) -> Setup:
    """So many hits on units: all are unaware, so every die of so many is a success."""
    made = tuple(replace(one, unaware=True) for one in units)
    many = sum(one.members for one in made)
    attacker = unit("X", many, cc=number, weapons=(Weapon(damage=base),))
    return body(*made, attacker=attacker, **changes)


def game(made: Setup, rulings: Mapping[str, str] | None = None, **settled: str) -> Game:
    """A game in which these choices are settled and all others open."""
    held = Rulings.pick(SYSTEM.rulings, rulings or {})
    start = SYSTEM.declared(made, held)
    return Game(SYSTEM, start).settle({name: (option,) for name, option in settled.items()})


def at(made: Setup, rulings: Mapping[str, str] | None = None) -> int:
    """The difficulty of the check."""
    session = asked(game(made, rulings))
    checks: Any = getattr(session.here.facts, "checks")  # noqa: B009  # facts of any room
    return int(checks[0].difficulty)


def ends(end: Mapping[str, Any], **wanted: object) -> None:
    """The outcome has these fields."""
    assert {name: end[name] for name in wanted} == wanted


def objective(name: str) -> Any:
    """What somebody wants."""
    return best.objective_named(SYSTEM, name)
