"""Any small game tree as a system: the facts hold the tree that is left to walk."""

from fractions import Fraction
from typing import NamedTuple, TypeAlias, cast

from hypothesis import strategies as st

from affray.core.dice import Die, Face, Pool
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine.exchange.game import Game
from tests.core.assembling import Setup, assembled

ACTORS = ("attacker", "defender")


class Leaf(NamedTuple):
    """The end: what it is worth to each side."""

    attacker: Fraction
    defender: Fraction


class Fork(NamedTuple):
    """One side picks a branch; each costs so many points."""

    actor: str
    branches: tuple["Tree", ...]
    spends: tuple[int, ...]


class Roll(NamedTuple):
    """Dice pick a branch."""

    weights: tuple[int, ...]
    branches: tuple["Tree", ...]


Tree: TypeAlias = Leaf | Fork | Roll


class Walk(NamedTuple):
    """The facts: what is left of the tree, and what the last die showed."""

    tree: Tree
    face: int = 0


class Shown(NamedTuple):
    """The face of one die."""

    def __call__(self, faces: tuple[Face, ...]) -> Face:
        return faces[0]


def name_of(branch: int) -> str:
    return f"branch {branch}"


@step("TY-1")
def walk(x: Walk) -> Node[Walk]:
    """Look at the tree."""
    tree = x.tree
    if isinstance(tree, Leaf):
        return End(x)
    if isinstance(tree, Roll):
        die = Die("die", range(len(tree.weights)), tree.weights)
        return Chance("attacker", "roll", Pool((die, 1)), Shown(), "face", At(turn, x))
    options = tuple(
        Option(name_of(number), At(walk, Walk(branch)), spends)
        for number, (branch, spends) in enumerate(zip(tree.branches, tree.spends, strict=True))
    )
    return Choice(tree.actor, "where to?", options, (("depth", depth(tree)),))


@step("TY-2")
def turn(x: Walk) -> Node[Walk]:
    """Take the branch that the die showed."""
    assert isinstance(x.tree, Roll)
    return Go(walk, Walk(x.tree.branches[x.face]))


def depth(tree: Tree) -> int:
    if isinstance(tree, Leaf):
        return 0
    return 1 + max(map(depth, tree.branches))


def leaf(x: Walk) -> Leaf:
    assert isinstance(x.tree, Leaf)
    return x.tree


WISHES = {
    "attacker": cast(
        "Objective[Facts]",
        Objective[Walk]("a", "The attacker's.", lambda x: leaf(x).attacker, "attacker"),
    ),
    "defender": cast(
        "Objective[Facts]",
        Objective[Walk]("d", "The defender's.", lambda x: leaf(x).defender, "defender"),
    ),
}
SYSTEM: System[Facts] = assembled(
    (walk, turn),
    fields=(
        Field[Walk]("attacker", "The attacker's.", lambda x: leaf(x).attacker, "TY-1"),
        Field[Walk]("defender", "The defender's.", lambda x: leaf(x).defender, "TY-1"),
    ),
    objectives=tuple(WISHES.values()),
)


def game_of(tree: Tree) -> Game:
    return Game(SYSTEM, SYSTEM.declared(Setup(Walk(tree))))


def place(tree: Tree) -> At[Facts]:
    return cast("At[Facts]", At(walk, Walk(tree)))


# -- random trees ----------------------------------------------------------------------------

WHOLE = [Fraction(n) for n in range(-3, 4)]
PARTS = sorted({Fraction(n, of) for of in range(1, 5) for n in range(-3 * of, 3 * of + 1)})
WORTHS = st.one_of(st.sampled_from(WHOLE), st.sampled_from(PARTS))  # few, so that ties are common
LEAVES = st.builds(Leaf, WORTHS, WORTHS)


def _grown(smaller: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    branches = st.lists(smaller, min_size=1, max_size=3).map(tuple)
    forks = st.builds(
        lambda actor, under, spends: Fork(actor, under, spends[: len(under)]),
        st.sampled_from(ACTORS),
        branches,
        st.tuples(*[st.integers(0, 2)] * 3),
    )
    rolls = st.builds(
        lambda weights, under: Roll(weights[: len(under)], under),
        st.tuples(*[st.integers(1, 4)] * 3),
        branches,
    )
    return st.one_of(forks, rolls)


TREES: st.SearchStrategy[Tree] = st.recursive(LEAVES, _grown, max_leaves=12)


def forks(tree: Tree) -> list[Fork]:
    """Every fork, from the root on; equal ones as often as they stand."""
    if isinstance(tree, Leaf):
        return []
    own = [tree] if isinstance(tree, Fork) else []
    return own + [fork for branch in tree.branches for fork in forks(branch)]
