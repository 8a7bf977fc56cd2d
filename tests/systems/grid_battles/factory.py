"""Small makers: a combat that nothing modifies, games on small maps, and ways to run them.

The unit that others are made from attacks with a yellow die, defends with a brown one, has 3
health and 4 movement points, like the Light Cavalry. `WORKED` dice have every face that is needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from affray.core.dice import Face
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import Objective, System
from affray.engine.exchange import best
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.grid_battles import SYSTEM as ROOM
from affray.systems.grid_battles.sheet import (
    Bonus,
    DiceSet,
    Ground,
    Placed,
    Scenario,
    Setup,
    Terrain,
    Unit,
)
from affray.systems.grid_battles.state import Board, Exchange
from tests.systems.playing import asked, closed, joint, line, offered, play, played, question, value

__all__ = [
    "asked",
    "closed",
    "joint",
    "line",
    "offered",
    "play",
    "played",
    "question",
    "value",
]  # handed on, beside what is made here


SYSTEM = cast("System[Facts]", ROOM)

WORKED = DiceSet(
    yellow=("-", "d", "b", "db", "dd", "ddd"),
    blue=("-", "d", "b", "bb", "dd", "db"),
    red=("-", "d", "dd", "db", "ddb", "ddd"),
    brown=("-", "-", "-", "s", "s", "ss"),
    grey=("-", "-", "-", "s", "s", "ss"),
    black=("-", "-", "s", "s", "ss", "ss"),
)
SURE = DiceSet(
    yellow=("d",) * 6, blue=("dd",) * 6, red=("ddd",) * 6,
    brown=("-",) * 6, grey=("-",) * 6, black=("-",) * 6,
)  # fmt: skip
"""Every attack does what its color says, nothing is shielded."""

UNIT = Unit(name="Rider", attack=("yellow",), defence=("brown",), health=3, move=4)
BOW = replace(UNIT, name="Bow", range_hexes=4)
WOODS = Terrain(
    name="woods", blocks=True, move_cost=2, hampers=True,
    bonuses=(Bonus(kind="defence_die", colour="brown"),),
)  # fmt: skip
HILL = Terrain(name="hill", blocks=True, move_cost=2, bonuses=(Bonus(kind="shield"),))
SETUP = Setup(attacker=UNIT, defender=UNIT, dice=WORKED)

NAMES = tuple(field.name for field in SYSTEM.fields)


def unit(**changes: Any) -> Unit:
    return replace(UNIT, **changes)


def setup(attacker: Unit = UNIT, defender: Unit = UNIT, **changes: Any) -> Setup:
    return replace(SETUP, attacker=attacker, defender=defender, **changes)


def giving(kind: str, *, number: int = 1, colour: str = "", whose: str = "own") -> Terrain:
    """Terrain with one bonus."""
    bonus = Bonus(
        kind=cast("Any", kind),
        count=number,
        colour=cast("Any", colour),
        whose_hex=cast("Any", whose),
    )
    return Terrain(name="place", bonuses=(bonus,))


def game(made: Setup, rulings: Mapping[str, str] | None = None, **settled: str) -> Game:
    """A game in which these choices are settled and all others open."""
    held = Rulings.pick(SYSTEM.rulings, rulings or {})
    start = SYSTEM.declared(made, held)
    return Game(SYSTEM, start).settle({name: (option,) for name, option in settled.items()})


def fought(made: Setup, *faces: Face, **rulings: str) -> dict[str, object]:
    """Every outcome field of a combat with these faces, under these rulings."""
    return play(game(made, rulings), *faces)


def facts_of(session: Session) -> Exchange:
    facts = session.here.facts
    assert isinstance(facts, Exchange)
    return facts


def board_of(session: Session) -> Board:
    return facts_of(session).game


# -- games -----------------------------------------------------------------------------------


def placed(*rows: tuple[Unit, str]) -> tuple[Placed, ...]:
    return tuple(Placed(unit=one, hex=label) for one, label in rows)


def scenario(
    one: Sequence[tuple[Unit, str]],
    other: Sequence[tuple[Unit, str]],
    hexes: Mapping[str, Terrain] | None = None,
    **changes: Any,
) -> Setup:
    """A game on a map of five columns and four rows, with sure dice."""
    dice = changes.pop("dice", SURE)
    made = Scenario(
        columns=changes.pop("columns", 5),
        rows=changes.pop("rows", 4),
        hexes=tuple(Ground(hex=label, terrain=kind) for label, kind in (hexes or {}).items()),
        one=placed(*one),
        other=placed(*other),
        **changes,
    )
    return Setup(scenario=made, dice=dice)


def duel(at: str, where: str, **changes: Any) -> Setup:
    """A rider of each player on these hexes."""
    return scenario([(UNIT, at)], [(UNIT, where)], **changes)


# -- engines ---------------------------------------------------------------------------------


def objective(name: str) -> Objective[Facts]:
    return best.objective_named(SYSTEM, name)
