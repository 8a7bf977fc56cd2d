"""What holds for whatever is accepted: an exchange, a game that is played, a duel."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import NamedTuple

from affray.app.files import saved
from affray.app.inputs.setups import Loaded
from affray.core.actor import role_of
from affray.core.errors import AnswerError, LimitError, SetupError
from affray.core.node import At, Choice, Facts, Option
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Answer, Session
from affray.testing.material import random_faces

__all__ = ["LONGEST", "Whim", "hold_for_exchange", "hold_for_game"]

LONGEST = 600
"""Answers after which a game played at random is given up."""


class Whim(NamedTuple):
    """Somebody who decides by a seed: the same place, the same option, in every use.

    Attributes:
        seed: what it goes by.
        actor: whose choices it decides; "" for everybody's.
    """

    seed: int
    actor: str = ""

    def narrow(self, at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
        """The one option that it takes, or all where somebody else decides."""
        if self.actor and role_of(choice.actor) != self.actor:
            return choice.options
        names = [option.name for option in choice.options]
        dice = random.Random(f"{self.seed} {at.step.name} {names} {choice.about}")
        return (choice.options[dice.randrange(len(names))],)


def hold_for_exchange(loaded: Loaded, seed: int, budget: Budget) -> str:
    """Odds, values and a game agree; says how far the exchange could be worked out."""
    game = loaded.game._replace(narrow=Whim(seed).narrow)
    names = [field.name for field in game.system.fields[:3]]
    try:
        with spending(budget):
            joint = outcomes(game, names)
    except LimitError:
        return "too large"
    chances = joint.fractions()
    assert sum(chances.values()) == 1, "the odds don't add up to one"
    assert all(0 < chance <= 1 for chance in chances.values()), "an outcome without a chance"
    _game_agrees(game, seed, frozenset(chances), names)
    try:
        with spending(budget):
            _values_hold(loaded.game, seed)
    except LimitError:
        return "priced"
    return "solved"


def _game_agrees(
    game: Game, seed: int, possible: frozenset[tuple[object, ...]], names: list[str]
) -> None:
    """A game that is played comes to one of the outcomes that have a chance."""
    session, dice = Session(game), random.Random(seed)
    for _ in range(LONGEST):
        question = session.question
        if question is None:
            break
        assert question.dice is not None, "a choice was asked that was decided beforehand"
        session = session.answer(random_faces(question.dice, dice))
    outcome = session.outcome
    if outcome is None:
        return
    found = []
    for name in names:
        field = game.system.field_named(name)
        assert field is not None
        found.append(field.of(outcome))
    assert tuple(found) in possible, f"played to {found}, which has no chance"


def _values_hold(game: Game, seed: int) -> None:
    """What is solved is worth what its own odds say, and no habit is better for either side."""
    wish = game.system.objectives[seed % len(game.system.objectives)]
    solution = solve(game, wish)
    optimum = solution.value
    assert _mean(game, solution, wish.utility) == optimum, "the value is not the mean"
    for actor in game.system.actors:
        whim = game._replace(narrow=Whim(seed, actor).narrow)
        worth = solve(whim, wish).value
        if actor == wish.actor:
            assert worth <= optimum, f"a whim of {actor} beats the best option"
        else:
            assert worth >= optimum, f"a whim of {actor} beats the best answer"


def _mean(game: Game, solution: Solution, utility) -> Fraction:  # type: ignore[no-untyped-def]  # facts of any system
    from affray.engine.exchange.flow import flow

    ended = flow(game, solution.decide)
    worth = Fraction(0)
    for total, finals in ended.items():
        worth += (
            sum(
                (weight * Fraction(utility(facts)) for facts, weight in finals.items()), Fraction(0)
            )
            / total
        )
    return worth


def hold_for_game(loaded: Loaded, seed: int) -> str:
    """A wrong answer changes nothing; undo, replay and a saved game lead to the same place."""
    session, dice = Session(loaded.game), random.Random(seed)
    for number in range(LONGEST):
        question = session.question
        if question is None:
            break
        wrong = Answer(faces=(10**9,)) if question.dice is None else Answer(option="no such option")
        try:
            session.answer(wrong)
        except AnswerError:
            pass
        else:
            raise AssertionError(f"{wrong} was accepted at {question.step}")
        if question.dice is None:
            after = session.answer(dice.choice(question.options).name)
        else:
            after = session.answer(random_faces(question.dice, dice))
        if number < 20:
            back = after.undo()
            assert (back.here, back.log) == (session.here, session.log), "undo is not the inverse"
        session = after
    again = Session.replay(loaded.game, session.answers)
    assert (again.here, again.log) == (session.here, session.log), "replay differs"
    kept = json.loads(json.dumps(saved.to_saved(loaded, session)))
    found = saved.restore(loaded.game.system, kept, "kept")
    assert not found.notes, found.notes
    restored = found.session
    assert (restored.here.facts, restored.log) == (session.here.facts, session.log), "saved differs"
    return "over" if session.question is None else "long"


def refused(error: Exception) -> str:
    """Check the message of a refusal: short, printable, a sentence with something in it."""
    text = str(error)
    assert text.strip(), f"an empty message of {type(error).__name__}"
    assert len(text) <= 2_000, f"a message of {len(text)} characters"
    assert text.count("\n") <= 24, "a message longer than a screen"
    assert all(sign.isprintable() or sign in "\n" for sign in text), f"control codes in {text!r}"
    return "refused by the rules" if type(error) is SetupError else "refused"
