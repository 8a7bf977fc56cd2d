"""Looking back: luck by what rolls were worth, and what decisions cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, cast

import pytest

from affray.app.inputs.setups import load
from affray.core.dice import Pool, d
from affray.core.node import At, Chance, End, Facts, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Objective
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.hindsight import Hindsight, hindsight
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from tests.core.assembling import assembled

F = Fraction


def looked_back(
    system: str, name: str, faces: tuple[int, ...], choices: tuple[str, ...], objective: str = ""
) -> Hindsight:
    game = load(system, name).game
    session = drive(Session(game), Script(faces, choices))
    return hindsight(session, solve(game, objective_named(game.system, objective, game.start)))


def test_luck_is_what_the_roll_was_worth_not_its_faces() -> None:
    """Jinx against a target of 65: 96 misses unless it is flipped to 69; 1719/2000 to begin with.

    A flip costs a point and is worth it, so 96 is as good as any other roll that still hits.
    """
    found = looked_back("eclipse-phase", "jinx-shoots", (96,), ("flip",), "hit")
    (roll,), (choice,) = found.rolls[:1], found.choices[:1]
    assert (roll.actor, roll.faces) == ("attacker", (96,))
    assert roll.expected == F(1719, 2000)
    assert roll.worth == F(97, 100)
    assert roll.gain == F(97, 100) - F(1719, 2000)
    assert (choice.taken.name, choice.best.name) == ("flip", "flip")
    assert choice.taken.cost == 0


def test_what_another_option_would_have_been_worth() -> None:
    found = looked_back("eclipse-phase", "jinx-shoots", (96,), ("none",), "hit")
    (choice,) = found.choices[:1]
    assert (choice.taken.name, choice.best.name) == ("none", "flip")
    assert choice.taken.cost == choice.best.value - choice.taken.value > 0


@pytest.mark.parametrize(("system", "name"), [("empty-earth", "o4p"), ("affinity", "layered")])
def test_percentiles_are_those_of_every_roll_counted(system: str, name: str) -> None:
    """Of the first roll, face by face: the share that is worth less, and half of the same."""
    game = load(system, name).game
    solution = solve(game, objective_named(game.system, "", game.start))
    session = Session(game)
    while session.question is not None and session.question.dice is None:
        session = session.answer(session.question.options[0].name)
    assert session.question is not None
    node = session.here.step.rule(session.here.facts)
    assert isinstance(node, Chance)
    every = list(product(*(die.faces for die in node.dice.dice)))
    judged = {faces: hindsight(session.answer(faces), solution).rolls[-1] for faces in every}
    wants = judged[every[0]].wants
    worths = [wants * roll.worth for roll in judged.values()]
    for roll in judged.values():
        mine = wants * roll.worth
        below = sum(worth < mine for worth in worths)
        same = sum(worth == mine for worth in worths)
        assert roll.percentile == F(2 * below + same, 2 * len(every))
        assert roll.open is (same < len(every))
    assert sum(roll.percentile for roll in judged.values()) == F(len(every), 2)
    assert sum(roll.gain for roll in judged.values()) == 0


def test_what_was_settled_beforehand_is_not_judged() -> None:
    found = looked_back("empty-earth", "o4p", (6, 4), ())
    assert {choice.step for choice in found.choices} == set()


class Gamble(NamedTuple):
    """A die that counts, one that doesn't, and a stake in between."""

    counts: int = 0
    idle: int = 0
    stake: int = 0


@step("TY-1")
def throw(x: Gamble) -> Node[Gamble]:
    """A die of no matter."""
    return Chance("defender", "idle", Pool((d(4), 1)), SumOfDice(), "idle", At(stake, x))


@step("TY-1")
def stake(x: Gamble) -> Node[Gamble]:
    """The defender, who wants it small, stakes something; two ways are as good."""
    ways = {"much": 5, "low": 1, "as low": -1, "more": 2}
    options = [Option(name, At(again, x._replace(stake=n))) for name, n in ways.items()]
    return choose("defender", "how much?", options)


@step("TY-1")
def again(x: Gamble) -> Node[Gamble]:
    """The defender rolls a die that counts, in three ways."""
    return Chance("defender", "counts", Pool((d(4), 1)), SumOfDice(), "counts", At(stop, x))


@step("TY-1")
def stop(x: Gamble) -> Node[Gamble]:
    """It is over."""
    return End(x)


WON: Objective[Any] = Objective(
    "won", "It is won.", lambda x: abs(x.stake) * max(x.counts, 2), "attacker"
)


def gambled(idle: int, stake: str, counts: int) -> Hindsight:
    game = Game(GAMBLING, cast("At[Facts]", At(throw, Gamble())))
    session = drive(Session(game), Script((idle, counts), (stake,)))
    return hindsight(session, solve(game, GAMBLING.objectives[0]))


GAMBLING = assembled((throw, stake, again, stop), objectives=(WON,))


@pytest.mark.parametrize(
    ("counts", "worth", "percentile"),
    [(1, 2, F(3, 4)), (2, 2, F(3, 4)), (3, 3, F(3, 8)), (4, 4, F(1, 8))],
)
def test_of_a_roll_of_no_matter_none_is_lucky(
    counts: int, worth: int, percentile: Fraction
) -> None:
    """Of 1, 2, 3 and 4 the first two come to the same; less is better."""
    found = gambled(3, "low", counts)
    assert [tuple(roll) for roll in found.rolls] == [
        ("defender", "idle", "throw", "1d4", (3,), F(11, 4), F(11, 4), -1, F(1, 2), False),
        (
            "defender", "counts", "again", "1d4", (counts,), worth, F(11, 4), -1, percentile, True,
        ),
    ]  # fmt: skip
    assert [roll.gain for roll in found.rolls] == [0, F(11, 4) - worth]


@pytest.mark.parametrize(
    ("taken", "best", "cost"),
    [("low", "low", 0), ("as low", "as low", 0), ("much", "low", 11), ("more", "low", F(11, 4))],
)
def test_of_options_as_good_the_one_that_was_taken_is_best(
    taken: str, best: str, cost: Fraction
) -> None:
    (choice,) = gambled(1, taken, 1).choices
    assert (choice.actor, choice.ask, choice.step) == ("defender", "how much?", "stake")
    assert (choice.taken.name, choice.taken.cost) == (taken, cost)
    assert choice.best.name == best
    assert [one.name for one in choice.options] == ["much", "low", "as low", "more"]
