"""Looking back: luck by what rolls were worth, and what decisions cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from affray.app.inputs.setups import load
from affray.core.node import Chance
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.hindsight import Hindsight, hindsight
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive

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
