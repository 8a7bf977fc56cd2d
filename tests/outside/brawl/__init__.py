"""A brawl, as another package would bring it: a blow of one die, and blows until one lies down."""

from pathlib import Path
from typing import Annotated, NamedTuple

from annotated_types import Ge, Le

from affray.core.dice import Pool, d
from affray.core.fight import Fight, Role, Scene
from affray.core.hints import Hints, hides
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.core.sheet import INFORMS, sheet
from affray.core.step import step
from affray.core.system import Field, Objective, System


@sheet
class Brawler:
    """Somebody in a brawl."""

    name: Annotated[str, INFORMS] = "somebody"
    source: Annotated[str, INFORMS] = ""
    hp: Annotated[int, Ge(1), Le(20)] = 4
    strength: Annotated[int, Ge(0), Le(3)] = 0
    armor: Annotated[int, Ge(0), Le(3)] = 0


@sheet
class Setup:
    """A blow between two."""

    attacker: Brawler = Brawler()
    defender: Brawler = Brawler()


class Blow(NamedTuple):
    """The facts of a blow."""

    strength: int
    armor: int
    again: bool = True
    rolled: int = 0
    damage: int = 0


class Body(NamedTuple):
    """A condition."""

    hp: int


@step("BR-1")
def roll_blow(x: Blow) -> Node[Blow]:
    """The attacker rolls a die."""
    return Chance("attacker", "blow", Pool((d(6), 1)), SumOfDice(), "rolled", At(roll_again, x))


@step("BR-2")
def roll_again(x: Blow) -> Node[Blow]:
    """The attacker may roll once more; the new face stands."""
    options = [Option("keep", At(strike, x._replace(again=False)))]
    if x.again:
        options.append(Option("again", At(roll_blow, x._replace(again=False, rolled=0))))
    return choose("attacker", "again?", options, (("face", x.rolled),))


@step("BR-3")
def strike(x: Blow) -> Node[Blow]:
    """What exceeds the armor is damage."""
    damage = max(0, x.rolled + x.strength - x.armor)
    return Go(stop, Blow(0, 0, again=False, damage=damage))


@strike.says
def _(before: Blow, after: Blow) -> str:
    return f"A blow for {after.damage}."


@step("BR-3")
def stop(x: Blow) -> Node[Blow]:
    """The blow is over."""
    return End(x)


def declare(setup: Setup, rulings: Rulings) -> At[Blow]:
    """The roll comes first."""
    return At(roll_blow, Blow(setup.attacker.strength, setup.defender.armor))


def declare_in_a_fight(scene: Scene[Setup, Body]) -> At[Blow]:
    """Conditions change nothing in a blow."""
    return declare(scene.setup, scene.rulings)


def effect(outcome: Blow, role: Role) -> int:
    """The target takes the damage."""
    return outcome.damage if role == "target" else 0


FIGHT: Fight[Blow, Setup, Brawler, Body, int] = Fight(
    enter=lambda sheet, rulings: Body(sheet.hp),
    declare=declare_in_a_fight,
    effect=effect,
    apply=lambda sheet, body, damage: Body(max(0, body.hp - damage)),
    is_out=lambda sheet, body: body.hp <= 0,
    vitals=lambda sheet, body: body.hp,
    harm=lambda damage: damage,
)

SYSTEM: System[Blow] = System(
    id="brawl",
    title="Brawl",
    edition="first",
    credit="Invented.",
    prefix="BR",
    actors=("attacker", "defender"),
    steps=(roll_blow, roll_again, strike, stop),
    start=roll_blow,
    setup=Setup,
    declare=declare,
    fields=(Field("damage", "points of damage", lambda x: x.damage, "BR-3", unit="points"),),
    objectives=(
        Objective("damage", "the most damage", lambda x: x.damage, "attacker", "damage"),
        Objective("hit", "to hurt at all", lambda x: int(x.damage > 0), "attacker", "damage"),
    ),
    hints=Hints(fixes={stop: ("damage",)}, hidden=hides("hp")),
    rulings=(),
    folder=Path(__file__).parent,
    roster_keys={"attacker": "fighters", "defender": "fighters"},
    fight=FIGHT,
)
