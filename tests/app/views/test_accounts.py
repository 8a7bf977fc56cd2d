"""Short accounts: put together from what the lines of a log say of themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from affray.app.views.accounts import accounts, share_told, uncited
from affray.engine.exchange.session import LogLine

NAMES = {"attacker": "Ada", "defender": "Husk 1"}


def line(**said: Any) -> LogLine:
    kept: dict[str, Any] = {
        "step": "", "clauses": (), "title": "", "actor": "", "dice": "", "faces": (), "by": (),
        "option": "", "words": "", "totals": (), "says": "told at length",
    }  # fmt: skip
    return LogLine(**{**kept, **said})


def told(*lines: LogLine, **more: Any) -> list[str]:
    return [one.text for one in accounts(lines, NAMES, "Ada attacks Husk 1", **more)]


OPENS = line(opens="Ada shoots Husk 1")
ROLL = line(actor="attacker", faces=(7, 2), brief="against 5+", verdict="1 hit",
            chance=Fraction(1, 2))  # fmt: skip


def test_phrases_follow_what_opens_the_account() -> None:
    assert told(OPENS, ROLL, line(), line(brief="2 damage")) == [
        "Ada shoots Husk 1: 7 2 against 5+, 1 hit (50 %); 2 damage."
    ]


def test_a_sentence_stands_by_itself() -> None:
    assert told(line(brief="Ada moves up."), OPENS, line(brief="It jams."), line(brief="lost")) == [
        "Ada moves up. Ada shoots Husk 1. It jams. Lost."
    ]


def test_names_are_told_when_somebody_else_rolls() -> None:
    saved = line(actor="defender", faces=(3,), brief="to stand", verdict="failed")
    assert told(OPENS, saved, ROLL) == [
        "Ada shoots Husk 1: Husk 1: 3 to stand, failed; Ada: 7 2 against 5+, 1 hit (50 %)."
    ]


def test_roles_have_their_names() -> None:
    log = (OPENS, line(brief="The defender strikes back at the attacker."))
    assert told(*log) == ["Ada shoots Husk 1. Husk 1 strikes back at Ada."]


def test_an_account_that_no_line_opens_has_a_heading() -> None:
    assert told(line(), line(brief="2 damage")) == ["Ada attacks Husk 1: 2 damage."]
    assert told(line(says="")) == ["Ada attacks Husk 1."]
    assert told(line(brief="Nothing happens.")) == ["Nothing happens."]


def test_rules_that_say_nothing_in_short_are_told_at_length() -> None:
    log = (line(actor="attacker", faces=(3,), says="Struck high (X-1)."), line(says="A hit (X-2)."))
    assert told(*log, at_length=True) == ["Ada attacks Husk 1. 3 Struck high. A hit."]


def test_a_map_fight_has_an_account_for_each_deed() -> None:
    log = (line(), OPENS, ROLL, line(opens="Bo moves"), line(brief="2 m"))
    found = accounts(log, {}, "", each_deed=True)
    assert [one.text for one in found] == [
        "Ada shoots Husk 1: 7 2 against 5+, 1 hit (50 %).", "Bo moves: 2 m."
    ]  # fmt: skip
    assert [(one.first, one.end) for one in found] == [(0, 3), (3, 5)]
    assert accounts((line(says=""),), {}, "", each_deed=True) == ()


@pytest.mark.parametrize(
    ("chance", "words"),
    [(Fraction(1, 3), "33 %"), (Fraction(1), "100 %"), (Fraction(0), "0 %"),
     (Fraction(1, 500), "<1 %"), (Fraction(499, 500), ">99 %")],
)  # fmt: skip
def test_only_what_is_sure_is_0_or_100_percent(chance: Fraction, words: str) -> None:
    assert share_told(chance) == words


def test_clauses_are_left_out() -> None:
    assert uncited("It holds (EM-41). In range (in melee (EM-32)); (two) left (A-2, GB-47b).") == (
        "It holds. In range (in melee); (two) left."
    )
