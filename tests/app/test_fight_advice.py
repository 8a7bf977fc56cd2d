"""Advice at the decisions of a whole fight: chances to win after each option."""

from __future__ import annotations

import gc
from functools import partial
from time import process_time

import pytest

from affray.app.best import best_within
from affray.app.fight import Fight
from affray.app.fight_advice import advise_deeds, advise_fight
from affray.app.fight_chances import ask_chances
from affray.app.inputs.fight_changes import FightChanges
from affray.app.rolling import Roll
from affray.app.sources import Answers, Shipped
from affray.app.views.advice import AdviceView
from affray.core.errors import AnswerError, LimitError, SetupError, UnknownNameError
from affray.engine import budget as budgets
from affray.engine.budget import Budget
from affray.engine.exchange.sources import Seeded

LONG = Budget(seconds=60)


def as_assumed(fight: Fight) -> Fight:
    """The fight once everything that is asked of the scene is as usual."""
    while fight.question is not None and fight.question.kind == "situation":
        fight = fight.answer(fight.question.usual)
    return fight


def test_in_a_fight_of_two_it_is_exact_and_agrees_with_the_chances() -> None:
    """The computer attacks whenever it can: so attacking is worth what the fight is worth."""
    fight = as_assumed(Fight.begin("eclipse-phase", "w6"))
    advice = advise_deeds(fight, LONG)
    assert (advice.known, advice.how, advice.looks) == ("exact", "exact", 0)
    attack, _, passing = advice.options
    assert advice.best == attack.name == "attack: Duellist B"
    assert attack.value == pytest.approx(ask_chances(fight, LONG).one.value, abs=1e-9)
    assert attack.value is not None
    assert passing.value is not None
    assert 0 < passing.value < attack.value < 1
    assert passing.cost == pytest.approx(attack.value - passing.value)


def test_among_many_it_is_an_estimate_that_says_so() -> None:
    advice = advise_deeds(Fight.begin("empty-earth", "brockton"), Budget(seconds=60, battles=64))
    assert advice.known == "estimate"
    assert "played out by the computer with seed 1" in advice.how
    assert sum(row.visits for row in advice.options) == advice.looks == 64
    for row in advice.options:
        assert row.low is not None
        assert row.value is not None
        assert row.high is not None
        assert row.low <= row.value <= row.high
    again = advise_deeds(Fight.begin("empty-earth", "brockton"), Budget(seconds=60, battles=64))
    assert again.options == advice.options, "the same seed, the same estimate"


def test_an_option_within_an_exchange_is_followed_to_the_end_of_the_fight() -> None:
    fight = Fight.begin("empty-earth", "brockton").answer("attack: Husk 1")
    advice = advise_deeds(fight, Budget(seconds=60, battles=32))
    assert [row.name for row in advice.options] == ["no", "activate"]
    assert advice.actor == "Ada"


def test_there_is_none_where_nothing_is_decided_or_known() -> None:
    fight = Fight.begin("grid-battles", "against-cavalry")
    with pytest.raises(AnswerError, match="your table decides this"):
        advise_deeds(fight, LONG)
    known = as_assumed(fight)
    rolls = known.answer(known.asked.options[0].name if known.asked else "")
    with pytest.raises(AnswerError, match="this is a roll, nothing to choose"):
        advise_deeds(rolls, LONG)
    with pytest.raises(SetupError, match="this game is one exchange"):
        advise_deeds(Fight.begin("grid-battles", "ford"), LONG)
    with pytest.raises(LimitError):
        advise_deeds(Fight.begin("empty-earth", "brockton"), Budget(seconds=1e-9))


# -- beside what an exchange is worth --------------------------------------------------------------

FEW = Budget(seconds=60, battles=12, places=20_000)
WITHIN = [
    ("eclipse-phase", "shot-on-the-run", "damage"), ("empty-earth", "brockton", "damage"),
    ("affinity", "novices", "damage"), ("emlia", "skirmish", "damage"),
    ("grid-battles", "ford", "units"),
]  # fmt: skip
"""A fight of each system, and an objective of its exchanges; that of the map is one exchange."""


def at_a_choice(fight: Fight) -> Fight:
    """A fight at the first choice inside an exchange."""
    dice = Seeded(1)
    while fight.session.exchange is None or fight.asked is None or fight.asked.dice is not None:
        question = fight.asked
        assert question is not None  # it isn't over before anybody has chosen
        if question.dice is not None:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
        else:
            fight = fight.answer(question.options[0].name)
    return fight


@pytest.mark.parametrize(("system", "name", "objective"), WITHIN)
def test_in_an_exchange_the_chance_to_win_stands_beside_its_objective(
    system: str, name: str, objective: str
) -> None:
    fight = at_a_choice(Fight.begin(system, name))
    assert fight.asked is not None
    advice = advise_fight(fight, objective, FEW)
    beside = advice.in_fight
    assert advice.objective == objective
    assert beside is not None
    offered = [option.name for option in fight.asked.options]
    assert [row.name for row in advice.options] == offered
    assert [row.name for row in beside.options] == offered
    assert beside.objective == "win"
    assert beside.how == "exact" or beside.how.startswith("estimate: ")
    for row in beside.options:
        assert row.value is not None, "every option has its chance"
        assert row.low is not None
        assert row.high is not None
        assert 0 <= row.low <= row.value <= row.high <= 1
        assert (row.low == row.high) == (row.known == "exact")


@pytest.mark.parametrize(("system", "name", "objective"), WITHIN)
def test_to_win_may_be_all_that_is_wanted(system: str, name: str, objective: str) -> None:
    """Of the advice, or of the fight; an objective that is asked for is told all the same."""
    fight = at_a_choice(Fight.begin(system, name))
    advice = advise_fight(fight, "win", FEW)
    assert (advice.objective, advice.in_fight) == ("win", None)
    to_win = at_a_choice(Fight.begin(system, name, FightChanges(objective="win")))
    assert advise_fight(to_win, "", FEW).objective == "win"
    assert advise_fight(to_win, objective, FEW).objective == objective


def test_the_chance_beside_is_that_of_the_fight_from_there_on() -> None:
    """Plain attacks against plain attacks: several programs of others make it 18.341 %."""
    fight = at_a_choice(Fight.begin("eclipse-phase", "w6"))
    beside = advise_fight(fight, "", Budget(seconds=60, battles=1_000)).in_fight
    assert beside is not None
    assert (beside.known, beside.looks) == ("estimate", 1_000)
    plain = next(row for row in beside.options if row.name == "plain")
    assert plain.low is not None
    assert plain.high is not None
    assert plain.low < 0.18341 < plain.high < plain.low + 0.2


def test_without_time_for_fights_the_exchange_is_told_and_says_so() -> None:
    fight = at_a_choice(Fight.begin("empty-earth", "brockton"))
    advice = advise_fight(fight, "", Budget(seconds=60, battles=0))
    assert advice.in_fight is None
    assert advice.how == "exact; the chance to win is not known in time"


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("eclipse-phase", "pack"), ("empty-earth", "brockton"), ("affinity", "winter-pass"),
        ("emlia", "ford-meadow"), ("grid-battles", "ford"),
    ],
)  # fmt: skip
def test_all_of_it_takes_no_longer_than_it_may(
    system: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the processor's clock, for this machine may be busy."""
    fight = at_a_choice(Fight.begin(system, name))
    monkeypatch.setattr(budgets, "monotonic", process_time)
    gc.collect()
    gc.freeze()
    began = process_time()
    advise_fight(fight, "", Budget(seconds=0.6))
    took = process_time() - began
    gc.unfreeze()
    assert took < 2 * 0.6


# -- the best option to win ------------------------------------------------------------------------

FIRST_DECISIONS = [
    ("eclipse-phase", "w6", ()), ("empty-earth", "bo-husk", ("Bo",)),
    ("affinity", "novices", (5, 4, 3, 2, 2, 1)), ("emlia", "irregulars", ("Ghurn Irregulars",)),
    ("grid-battles", "siege", ()),
]  # fmt: skip
"""A fight of two of each system, and the dice that are rolled before anybody decides."""


@pytest.mark.parametrize(("system", "name", "dice"), FIRST_DECISIONS)
def test_best_takes_a_fight_that_is_to_be_won(
    system: str, name: str, dice: tuple[int | str, ...]
) -> None:
    view = best_within(
        system, Shipped(name), objective="win", answers=Answers(dice), budget=FEW
    )  # fmt: skip
    assert isinstance(view, AdviceView)
    assert view.objective == "win"
    assert view.best in [row.name for row in view.options]


def test_best_goes_on_from_answers() -> None:
    to_win = partial(best_within, "empty-earth", Shipped("bo-husk"), objective="win", budget=FEW)
    with pytest.raises(AnswerError, match="dice fall before anybody decides; give"):
        to_win()
    view = to_win(answers=Answers(("Bo",), ("attack: Husk",)))
    assert isinstance(view, AdviceView)
    assert [row.name for row in view.options] == ["no", "activate"]
    with pytest.raises(AnswerError, match="more answers than the fight asks for"):
        to_win(answers=Answers(("Bo", "Husk")))
    with pytest.raises(SetupError, match="a threshold is for one exchange"):
        to_win(threshold=1)


@pytest.mark.parametrize(
    ("system", "setup"),
    [
        ("eclipse-phase", "jinx-shoots"), ("empty-earth", "tie-misses"), ("affinity", "layered"),
        ("emlia", "mixed"), ("grid-battles", "one-damage"),
    ],
)  # fmt: skip
def test_one_exchange_can_not_be_won(system: str, setup: str) -> None:
    with pytest.raises(UnknownNameError, match="'win' is the chance to win a whole fight"):
        best_within(system, Shipped(setup), objective="win")
