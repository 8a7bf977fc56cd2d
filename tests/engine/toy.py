"""A coin-and-die duel, small enough to work out by hand, with everything an engine must bear.

For each target in turn: the attacker tosses a coin (crown: 1 in 3) and rolls a d8 on a crown, a
d6 on a cross; the defender rolls a d4 as guard; the attacker may spend a point to reroll; the
defender blocks (the guard counts) or gambles (a coin: crown saves all, cross nothing). What
exceeds guard and armor is damage. At the end there is a d6 of loot for each hit.

The guard is held aside while the attacker decides. Damage, hits and points are settled before
the loot is rolled; a duel without hits rolls no dice for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

from affray.core.dice import Die, Face, Pool, d
from affray.core.errors import LimitError
from affray.core.hints import Hints
from affray.core.modifier import Modifier, Total
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine.budget import Budget, spending
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game
from tests.core.assembling import assembled

COIN = Die("coin", ("crown", "cross"), (1, 2))


class Duel(NamedTuple):
    """The facts: armor of the targets still to come, and what lies on the table."""

    armor: tuple[int, ...]
    points: int = 0
    coin: str = ""
    die: int = 0
    guard: int = 0
    hits: int = 0
    damage: int = 0
    loot: int = 0


class TheFace(NamedTuple):
    """The only face there is."""

    def __call__(self, faces: tuple[Face, ...]) -> Face:
        return faces[0]


class Saved(NamedTuple):
    """What a gamble is worth as a guard."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return 99 if faces[0] == "crown" else 0


def attack_pool(coin: str) -> Pool:
    return Pool((d(8 if coin == "crown" else 6), 1))


@step("TY-1")
def toss_coin(x: Duel) -> Node[Duel]:
    """The attacker tosses the coin."""
    if not x.armor:
        return Go(count_loot, x)
    return Chance("attacker", "coin", Pool((COIN, 1)), TheFace(), "coin", At(roll_attack, x))


@step("TY-2")
def roll_attack(x: Duel) -> Node[Duel]:
    """The attacker rolls."""
    pool = attack_pool(x.coin)
    return Chance("attacker", "attack roll", pool, SumOfDice(), "die", At(roll_guard, x))


@roll_attack.says
def _(before: Duel, after: Duel) -> str:
    return f"The attack comes to {after.die}."


@step("TY-3")
def roll_guard(x: Duel) -> Node[Duel]:
    """The defender rolls the guard."""
    pool = Pool((d(4), 1))
    return Chance("defender", "guard", pool, SumOfDice(), "guard", At(choose_reroll, x))


@step("TY-4")
def choose_reroll(x: Duel) -> Node[Duel]:
    """The attacker may spend a point to roll again."""
    options = [Option("keep", At(choose_stance, x))]
    if x.points:
        again = At(reroll_attack, x._replace(points=x.points - 1, die=0))
        options.append(Option("reroll", again, 1, f"roll the {x.die} again"))
    closed = () if x.points else (("reroll", "no points left"),)
    return choose("attacker", "reroll?", options, (("die", x.die),), closed)


@step("TY-4", "TY-2")
def reroll_attack(x: Duel) -> Node[Duel]:
    """The attacker rolls again."""
    pool = attack_pool(x.coin)
    return Chance("attacker", "reroll", pool, SumOfDice(), "die", At(choose_stance, x))


@step("TY-5")
def choose_stance(x: Duel) -> Node[Duel]:
    """The defender blocks or gambles."""
    options = [Option("block", At(strike, x)), Option("gamble", At(roll_gamble, x))]
    return choose("defender", "stance?", options, (("die", x.die), ("guard", x.guard)))


@step("TY-5")
def roll_gamble(x: Duel) -> Node[Duel]:
    """The defender tosses for it."""
    return Chance("defender", "gamble", Pool((COIN, 1)), Saved(), "guard", At(strike, x))


def through(x: Duel) -> Total:
    """What gets through guard and armor, itemised."""
    less = (Modifier("guard", -x.guard, "TY-3"), Modifier("armor", -x.armor[0], "TY-6"))
    return Total(Modifier("attack", x.die, "TY-2"), less, low=-x.die, cap="TY-6")


@step("TY-6")
def strike(x: Duel) -> Node[Duel]:
    """What gets through is damage."""
    damage = through(x).value
    after = Duel(x.armor[1:], x.points, hits=x.hits + (damage > 0), damage=x.damage + damage)
    return Go(toss_coin, after)


@strike.says
def _(before: Duel, after: Duel) -> tuple[str | Total, ...]:
    return ("A strike:", through(before), f"{after.damage - before.damage} gets through.")


@step("TY-7")
def count_loot(x: Duel) -> Node[Duel]:
    """The attacker rolls for loot, a die for each hit."""
    pool = Pool((d(6), x.hits))
    return Chance("attacker", "loot", pool, SumOfDice(), "loot", At(finish, x))


@step("TY-8")
def finish(x: Duel) -> Node[Duel]:
    """It is over."""
    return End(x)


STEPS = (
    toss_coin,
    roll_attack,
    roll_guard,
    choose_reroll,
    reroll_attack,
    choose_stance,
    roll_gamble,
    strike,
    count_loot,
    finish,
)

FIELDS: tuple[Field[Duel], ...] = (
    Field("damage", "How much gets through.", lambda x: x.damage, "TY-6", "points", ("harm",)),
    Field("hits", "How many strikes get through.", lambda x: x.hits, "TY-6"),
    Field("points", "What is left to spend.", lambda x: x.points, "TY-4"),
    Field("loot", "What there is to take.", lambda x: x.loot, "TY-7"),
)

DAMAGE: Objective[Duel] = Objective(
    "damage", "To do damage.", lambda x: x.damage, "attacker", "damage"
)
LOOT: Objective[Duel] = Objective("loot", "To take loot.", lambda x: x.loot, "attacker")
SPARE: Objective[Duel] = Objective("spare", "To spare hits.", lambda x: -x.hits, "defender", "hits")


def forget(roll: Chance[Duel], needed: frozenset[str]) -> Chance[Duel]:
    """Forget damage and hits where nobody asks for them."""
    at = roll.then
    x = at.facts
    if "damage" not in needed:
        x = x._replace(damage=0)
    if not needed & {"hits", "loot"}:
        x = x._replace(hits=0)
    return roll._replace(then=At(at.step, x))


DECIDED = ("damage", "hits", "points")
HINTS: Hints[Duel, Any, Any] = Hints(
    aside={choose_reroll: ("guard",), reroll_attack: ("guard",)},
    fixes={count_loot: DECIDED, finish: (*DECIDED, "loot")},
)


def duel_system(**hints: Any) -> System[Facts]:
    known = replace(HINTS, **hints)
    return assembled(STEPS, fields=FIELDS, objectives=(DAMAGE, LOOT, SPARE), hints=known)


SYSTEM = duel_system()
FORGETTING = duel_system(forget=forget)


def duel(
    *armor: int,
    points: int = 0,
    settled: Mapping[str, tuple[str, ...]] | None = None,
    system: System[Facts] = SYSTEM,
) -> Game:
    """A duel against targets with this armor (one target without any, if none is given)."""
    start = system.declared(_Sheet(Duel(armor or (0,), points)))
    return Game(system, start).settle(settled or {})


class _Sheet(NamedTuple):
    facts: Duel


BLOCK: Mapping[str, tuple[str, ...]] = {"choose_reroll": ("keep",), "choose_stance": ("block",)}
"""No reroll, always a block."""


def always(*names: str) -> Decide:
    """A policy: one option wherever it is on offer, else the next one, else the first there is."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        by_name = {option.name: option for option in choice.options}
        return next((by_name[name] for name in names if name in by_name), choice.options[0])

    return decide


def facts_of(x: Facts | None) -> Duel:
    assert isinstance(x, Duel)
    return x


def wish(objective: Objective[Duel]) -> Objective[Facts]:
    """An objective of the duel, as engines take it."""
    return cast("Objective[Facts]", objective)


def fewest_states(run: Callable[[int], object]) -> int:
    """The smallest limit on states that a computation keeps to: as many as it expands."""
    low, high = 0, 1
    while not _passes(run, high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _passes(run, middle) else (middle, high)
    return high


def _passes(run: Callable[[int], object], limit: int) -> bool:
    try:
        with spending(Budget(places=limit)):
            run(limit)
    except LimitError as error:
        assert error.states > limit  # noqa: PT017  # it is met again with a higher limit
        return False
    return True
