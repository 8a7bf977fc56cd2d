"""A feint, as another package would bring it: both decide under cover, then all is shown."""

from pathlib import Path
from typing import Annotated, NamedTuple

from annotated_types import Ge, Le

from affray.core.fight import Fight, Role, Scene
from affray.core.node import At, End, Go, Node, Option, choose
from affray.core.ruling import Rulings
from affray.core.sheet import INFORMS, sheet
from affray.core.step import step
from affray.core.system import Field, Objective, System

WAYS = ("high", "low")


@sheet
class Fencer:
    """Somebody with a blade."""

    name: Annotated[str, INFORMS] = "somebody"
    source: Annotated[str, INFORMS] = ""
    hp: Annotated[int, Ge(1), Le(20)] = 2


@sheet
class Setup:
    """A pass between two."""

    attacker: Fencer = Fencer()
    defender: Fencer = Fencer()


class Pass(NamedTuple):
    """The facts of a pass."""

    blow: str = ""
    guard: str = ""
    hit: bool = False


class Body(NamedTuple):
    """A condition."""

    hp: int


@step("FE-1", sealed=True)
def choose_blow(x: Pass) -> Node[Pass]:
    """The attacker strikes high or low, and covers it."""
    options = [Option(way, At(choose_guard, x._replace(blow=way))) for way in WAYS]
    return choose("attacker", "where do you strike?", options)


@step("FE-2", sealed=True)
def choose_guard(x: Pass) -> Node[Pass]:
    """The defender guards high or low, and covers it."""
    options = [Option(way, At(compare, x._replace(guard=way))) for way in WAYS]
    return choose("defender", "where do you guard?", options)


@step("FE-3")
def compare(x: Pass) -> Node[Pass]:
    """Both are uncovered: a blow hits where nobody guards."""
    return Go(stop, x._replace(hit=x.blow != x.guard))


@compare.says
def _(before: Pass, after: Pass) -> str:
    return f"Struck {after.blow}, guarded {after.guard}: {'a hit' if after.hit else 'a parry'}."


@step("FE-3")
def stop(x: Pass) -> Node[Pass]:
    """The pass is over."""
    return End(x)


def declare(setup: Setup, rulings: Rulings) -> At[Pass]:
    """The blow comes first."""
    return At(choose_blow, Pass())


def declare_in_a_fight(scene: Scene[Setup, Body]) -> At[Pass]:
    """Conditions change nothing in a pass."""
    return declare(scene.setup, scene.rulings)


def effect(outcome: Pass, role: Role) -> int:
    """The target takes the hit."""
    return int(outcome.hit and role == "target")


FIGHT: Fight[Pass, Setup, Fencer, Body, int] = Fight(
    enter=lambda sheet, rulings: Body(sheet.hp),
    declare=declare_in_a_fight,
    effect=effect,
    apply=lambda sheet, body, lost: Body(max(0, body.hp - lost)),
    is_out=lambda sheet, body: body.hp <= 0,
    vitals=lambda sheet, body: body.hp,
    harm=lambda lost: lost,
)

SYSTEM: System[Pass] = System(
    id="feint",
    title="Feint",
    edition="first",
    credit="Invented.",
    prefix="FE",
    actors=("attacker", "defender"),
    steps=(choose_blow, choose_guard, compare, stop),
    start=choose_blow,
    setup=Setup,
    declare=declare,
    fields=(Field("hit", "whether it hits", lambda x: x.hit, "FE-3"),),
    objectives=(Objective("hit", "chance to hit", lambda x: int(x.hit), "attacker", "hit"),),
    rulings=(),
    folder=Path(__file__).parent,
    roster_keys={"attacker": "fighters", "defender": "fighters"},
    fight=FIGHT,
    picture=lambda x: f"blow {x.blow or '?'}, guard {x.guard or '?'}",
)
