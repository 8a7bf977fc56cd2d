"""Dice that are rolled again: an own system whose procedure may go on for ever."""

from pathlib import Path
from typing import Literal, NamedTuple

from affray.core.dice import Pool, d
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.core.sheet import sheet
from affray.core.step import step
from affray.core.system import Field, Objective, System


@sheet
class Setup:
    """Some d10; or one d6 of which ones are rolled again.

    Attributes:
        dice: how many dice are rolled.
        again: which faces are rolled again.
        more: whether the attacker may take one die more.
    """

    dice: int = 2
    again: Literal["tens", "ones"] = "tens"
    more: bool = False


class Facts(NamedTuple):
    """The facts: dice that are left, a face, hits."""

    again: str
    more: bool
    left: int
    face: int = 0
    hits: int = 0


def _begun(setup: Setup, rulings: Rulings) -> At[Facts]:
    return At(take_dice, Facts(setup.again, setup.more, setup.dice))


@step("AG-1")
def take_dice(x: Facts) -> Node[Facts]:
    """The attacker may take one die more."""
    options = [
        Option("no", At(roll_die, x)),
        Option("more", At(roll_die, x._replace(left=x.left + 1))),
    ]
    return choose("attacker", "one die more?", options if x.more else options[:1])


@step("AG-1")
def roll_die(x: Facts) -> Node[Facts]:
    """Roll the next die."""
    if not x.left:
        return End(x)
    pool = Pool((d(10 if x.again == "tens" else 6), 1))
    return Chance("attacker", "die", pool, SumOfDice(), "face", At(read_die, x._replace(face=0)))


@step("AG-2")
def read_die(x: Facts) -> Node[Facts]:
    """An 8 and more hits; some faces are rolled again."""
    again = x.face == (10 if x.again == "tens" else 1)
    return Go(roll_die, x._replace(hits=x.hits + (x.face >= 8), left=x.left - (not again)))


SYSTEM: System[Facts] = System(
    id="again",
    title="Dice that are rolled again",
    edition="first",
    credit="Invented.",
    prefix="AG",
    actors=("attacker", "defender"),
    steps=(take_dice, roll_die, read_die),
    start=take_dice,
    setup=Setup,
    declare=_begun,
    fields=(
        Field("hits", "hits", lambda x: x.hits, "AG-2"),
        Field("face", "the last face", lambda x: x.face, "AG-2"),
    ),
    objectives=(Objective("hit", "chance to hit", lambda x: int(x.hits > 0), "attacker"),),
    rulings=(),
    folder=Path(__file__).parent,
)
