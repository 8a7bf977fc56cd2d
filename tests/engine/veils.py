"""A roll that nobody looks at until the end, with random payoffs: to be solved in two ways.

The hidden roll is held aside through two choices, a roll and a way out. `without_aside` takes
the promise back, so that the same rules are worked out place by place.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple, cast

from hypothesis import strategies as st

from affray.core.dice import Die, Pool
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, choose
from affray.core.step import Field, Objective, System, step
from affray.engine.exchange.game import Game
from affray.engine.exchange.kernel import forget_kernels
from tests.core.assembling import Setup, assembled
from tests.engine.toy import TheFace

Pair = tuple[Fraction, Fraction]
"""Worth to attacker and defender."""

N_PATHS = 9
"""Two options, a coin, two options; and one way out."""


class Veil(NamedTuple):
    """The facts: a row of payoffs for each hidden face, and the path taken."""

    table: tuple[tuple[Pair, ...], ...]
    weights: tuple[int, ...]
    hidden: int = -1
    path: int = 0
    noise: int = 0


@step("TY-1")
def draw(x: Veil) -> Node[Veil]:
    """The hidden die is rolled."""
    pool = Pool((Die("veil", range(len(x.weights)), x.weights), 1))
    return Chance("attacker", "veil", pool, TheFace(), "hidden", At(first, x))


@step("TY-2", aside=("hidden",))
def first(x: Veil) -> Node[Veil]:
    """The attacker takes a side, or leaves."""
    left, right = At(stir, x), At(stir, x._replace(path=4))
    away = At(leave, x._replace(path=N_PATHS - 1))
    return choose(
        "attacker",
        "side?",
        [Option("left", left), Option("right", right, 1), Option("away", away)],
    )


@step("TY-3", aside=("hidden",))
def stir(x: Veil) -> Node[Veil]:
    """A die falls beside the hidden one."""
    pool = Pool((Die("noise", (0, 1), (1, 2)), 1))
    return Chance("defender", "noise", pool, TheFace(), "noise", At(second, x))


@step("TY-4", aside=("hidden", "noise"))
def second(x: Veil) -> Node[Veil]:
    """The defender answers."""
    down, up = At(reveal, x), At(reveal, x._replace(path=x.path + 2))
    return choose("defender", "answer?", [Option("down", down), Option("up", up, 1)])


@step("TY-5")
def reveal(x: Veil) -> Node[Veil]:
    """The hidden die is looked at."""
    return End(x._replace(path=x.path + x.noise, noise=0))


@step("TY-6", aside=("hidden",))
def leave(x: Veil) -> Node[Veil]:
    """It ends without a look at the hidden die; what it is worth depends on it all the same."""
    return Go(close, x) if x.noise else End(x)


@step("TY-7", aside=("hidden",))
def close(x: Veil) -> Node[Veil]:
    """Nothing is left."""
    return End(x)


STEPS = (draw, first, stir, second, reveal, leave, close)


def worth(x: Veil) -> Pair:
    return x.table[x.hidden][x.path]


WISHES = {
    "attacker": cast(
        "Objective[Facts]",
        Objective[Veil]("a", "The attacker's.", lambda x: worth(x)[0], "attacker"),
    ),
    "defender": cast(
        "Objective[Facts]",
        Objective[Veil]("d", "The defender's.", lambda x: worth(x)[1], "defender"),
    ),
}
SYSTEM: System[Facts] = assembled(
    STEPS,
    fields=(Field[Veil]("worth", "To both.", worth, "TY-5"),),
    objectives=tuple(WISHES.values()),
)

_WORTHS = st.one_of(st.integers(-2, 2).map(Fraction), st.fractions(-2, 2, max_denominator=3))
_ROWS = st.tuples(*[st.tuples(_WORTHS, _WORTHS)] * N_PATHS)
VEILS = st.lists(st.tuples(_ROWS, st.integers(1, 3)), min_size=1, max_size=4).map(
    lambda rows: Veil(tuple(row for row, _ in rows), tuple(weight for _, weight in rows))
)


def game_of(veil: Veil) -> Game:
    return Game(SYSTEM, SYSTEM.declared(Setup(veil)))


@contextmanager
def without_aside(system: System[Facts]) -> Iterator[None]:
    """The same steps, promising nothing."""
    promised: dict[Any, frozenset[str]] = {step: step.aside for step in system.steps}
    try:
        for each in promised:
            each.aside = frozenset()
        forget_kernels()  # they were made under the promises
        yield
    finally:
        for each, fields in promised.items():
            each.aside = fields
        forget_kernels()
