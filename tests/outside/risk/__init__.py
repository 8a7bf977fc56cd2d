"""Armies of which both sides lose some in one roll: an own system with duels of many rounds."""

from pathlib import Path
from typing import Annotated, NamedTuple

from annotated_types import Ge, Le

from affray.core.dice import Face, Pool, d
from affray.core.fight import ATTACK, Fight, Role, Scene
from affray.core.node import At, Chance, End, Node
from affray.core.ruling import Rulings
from affray.core.sheet import INFORMS, sheet
from affray.core.step import step
from affray.core.system import Field, Objective, System


@sheet
class Army:
    """Armies in a territory.

    Attributes:
        armies: how many there are.
        attacks: whether they attack.
    """

    name: Annotated[str, INFORMS] = "somebody"
    source: Annotated[str, INFORMS] = ""
    armies: Annotated[int, Ge(1), Le(99)] = 5
    attacks: bool = True


@sheet
class Setup:
    """One territory attacks another."""

    attacker: Army = Army()
    defender: Army = Army(attacks=False)


class Facts(NamedTuple):
    """The facts of a roll."""

    rolls: int
    faces: int
    attack: tuple[int, ...] = ()
    lost: int = 0
    taken: int = 0


class Left(NamedTuple):
    """A condition."""

    armies: int


class Highest(NamedTuple):
    """The faces, highest first."""

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        return tuple(sorted(map(int, faces), reverse=True))


class Lost(NamedTuple):
    """How many armies the attacker loses."""

    attack: tuple[int, ...]

    def __call__(self, faces: tuple[Face, ...]) -> int:
        pairs = zip(self.attack, sorted(map(int, faces), reverse=True), strict=False)
        return sum(mine <= theirs for mine, theirs in pairs)


@step("RI-1")
def roll_attack(x: Facts) -> Node[Facts]:
    """The attacker rolls."""
    pool = Pool((d(6), x.rolls))
    return Chance("attacker", "attack", pool, Highest(), "attack", At(roll_defense, x))


@step("RI-1", "RI-2")
def roll_defense(x: Facts) -> Node[Facts]:
    """The defender rolls, and the dice are compared."""
    pool = Pool((d(6), x.faces))
    return Chance("defender", "defense", pool, Lost(x.attack), "lost", At(stop, x))


@step("RI-2")
def stop(x: Facts) -> Node[Facts]:
    """Armies are removed."""
    return End(x._replace(attack=(), taken=min(x.rolls, x.faces) - x.lost))


def _declared(attacker: int, defender: int) -> At[Facts]:
    return At(roll_attack, Facts(min(3, attacker), min(2, defender)))


def _declare(setup: Setup, rulings: Rulings) -> At[Facts]:
    return _declared(setup.attacker.armies, setup.defender.armies)


def _in_a_fight(scene: Scene[Setup, Left]) -> At[Facts]:
    return _declared(scene.actor.armies, scene.target.armies)


def _effect(outcome: Facts, role: Role) -> int:
    return {"actor": outcome.lost, "target": outcome.taken}.get(role, 0)


FIGHT: Fight[Facts, Setup, Army, Left, int] = Fight(
    enter=lambda sheet, rulings: Left(sheet.armies),
    declare=_in_a_fight,
    effect=_effect,
    apply=lambda sheet, left, lost: Left(max(0, left.armies - lost)),
    is_out=lambda sheet, left: left.armies <= 0,
    vitals=lambda sheet, left: left.armies,
    harm=lambda lost: lost,
    deeds=lambda sheet, left: (ATTACK,) if sheet.attacks else (),
)

SYSTEM: System[Facts] = System(
    id="risk",
    title="Dice compared in pairs",
    edition="first",
    credit="Invented.",
    prefix="RI",
    actors=("attacker", "defender"),
    steps=(roll_attack, roll_defense, stop),
    start=roll_attack,
    setup=Setup,
    declare=_declare,
    fields=(
        Field("taken", "armies that the defender loses", lambda x: x.taken, "RI-2"),
        Field("lost", "armies that the attacker loses", lambda x: x.lost, "RI-2"),
    ),
    objectives=(Objective("damage", "the most losses", lambda x: x.taken, "attacker"),),
    rulings=(),
    folder=Path(__file__).parent,
    fight=FIGHT,
)
