"""Advice at the decisions of a whole fight: chances to win after each option."""

from __future__ import annotations

import pytest

from affray.app.fight import Fight
from affray.app.fight_advice import advise_deeds
from affray.app.fight_chances import ask_chances
from affray.core.errors import AnswerError, LimitError, SetupError
from affray.engine.budget import Budget

LONG = Budget(seconds=60)


def test_in_a_fight_of_two_it_is_exact_and_agrees_with_the_chances() -> None:
    """The computer attacks whenever it can: so attacking is worth what the fight is worth."""
    fight = Fight.begin("eclipse-phase", "w6")
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
    asked = fight.answer(fight.asked.options[0].name if fight.asked else "")
    with pytest.raises(AnswerError, match="your table decides this"):
        advise_deeds(asked, LONG)
    with pytest.raises(AnswerError, match="this is a roll, nothing to choose"):
        advise_deeds(asked.answer("plain"), LONG)
    with pytest.raises(SetupError, match="this game is one exchange"):
        advise_deeds(Fight.begin("grid-battles", "ford"), LONG)
    with pytest.raises(LimitError):
        advise_deeds(Fight.begin("empty-earth", "brockton"), Budget(seconds=1e-9))
