"""A roll that nobody looks at until the end, with random payoffs: to be solved in two ways.

The hidden roll is held aside through two choices, a roll and a way out. `without_aside` takes
the promise back, so that the same rules are worked out place by place.
"""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, cast

from hypothesis import strategies as st

from affray.core.dice import Die, Pool
from affray.core.hints import Hints
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, choose
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine.exchange.game import Game
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


@step("TY-2")
def first(x: Veil) -> Node[Veil]:
    """The attacker takes a side, or leaves."""
    left, right = At(stir, x), At(stir, x._replace(path=4))
    away = At(leave, x._replace(path=N_PATHS - 1))
    return choose(
        "attacker",
        "side?",
        [Option("left", left), Option("right", right, 1), Option("away", away)],
    )


@step("TY-3")
def stir(x: Veil) -> Node[Veil]:
    """A die falls beside the hidden one."""
    pool = Pool((Die("noise", (0, 1), (1, 2)), 1))
    return Chance("defender", "noise", pool, TheFace(), "noise", At(second, x))


@step("TY-4")
def second(x: Veil) -> Node[Veil]:
    """The defender answers."""
    down, up = At(reveal, x), At(reveal, x._replace(path=x.path + 2))
    return choose("defender", "answer?", [Option("down", down), Option("up", up, 1)])


@step("TY-5")
def reveal(x: Veil) -> Node[Veil]:
    """The hidden die is looked at."""
    return End(x._replace(path=x.path + x.noise, noise=0))


@step("TY-6")
def leave(x: Veil) -> Node[Veil]:
    """It ends without a look at the hidden die; what it is worth depends on it all the same."""
    return Go(close, x) if x.noise else End(x)


@step("TY-7")
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
    hints=Hints(
        aside={
            first: ("hidden",),
            stir: ("hidden",),
            second: ("hidden", "noise"),
            leave: ("hidden",),
            close: ("hidden",),
        }
    ),
)

_WHOLE = [Fraction(n) for n in range(-2, 3)]
_PARTS = sorted({Fraction(n, of) for of in range(1, 4) for n in range(-2 * of, 2 * of + 1)})
_WORTHS = st.one_of(st.sampled_from(_WHOLE), st.sampled_from(_PARTS))
_ROWS = st.tuples(*[st.tuples(_WORTHS, _WORTHS)] * N_PATHS)
VEILS = st.lists(st.tuples(_ROWS, st.integers(1, 3)), min_size=1, max_size=4).map(
    lambda rows: Veil(tuple(row for row, _ in rows), tuple(weight for _, weight in rows))
)


def game_of(veil: Veil) -> Game:
    return Game(SYSTEM, SYSTEM.declared(Setup(veil)))


def without_aside(game: Game) -> Game:
    """The same exchange of a system that leaves nothing aside."""
    hints = replace(game.system.hints, aside={})
    return game._replace(system=game.system.with_hints(hints))
