"""The exact odds of the digests' worked examples, from the start and from the middle."""

from __future__ import annotations

from fractions import Fraction

import pytest

from affray.app.odds import ask_odds
from affray.app.sources import Answers, Changes, Shipped, Table

JINX = ("eclipse-phase", Shipped("jinx-shoots"))
UNSPENT = Changes(settle={"spend_after_attack": ("none",)})


def test_odds_from_the_middle_agree_with_o10() -> None:
    view = ask_odds(*JINX, ["net"], answers=Answers((96, 7), ("flip",)))
    assert view.stats is not None
    assert view.stats.mean == Fraction(16207, 1200)


def test_odds_given_a_condition_agree_with_o10() -> None:
    view = ask_odds(*JINX, ["wounds"], given=["superior=2", "hit=true"], changes=UNSPENT)
    chances = {row.value: row.exactly for row in view.rows}
    assert (chances[0], chances[4]) == (Fraction(289, 2000), Fraction(1, 36000))
    assert view.given == ("superior=2", "hit=true")


@pytest.mark.parametrize(
    ("field", "chance"),
    [("prone", Fraction(10869407, 50000000)), ("knocked_out", Fraction(267441551, 4500000000))],
)
def test_odds_of_the_whole_attack_agree_with_o11(field: str, chance: Fraction) -> None:
    """The vector's exhuman checks against 75 less 10 for each wound, the fresh ones included."""
    shot = {
        "attacker": {"like": "jinx", "size": "medium", "insight": 0, "moxie": 0},
        "defender": {"like": "exhuman", "threat": 0},
        "weapon": "medium_pistol",
        "distance_m": 10,
        "choose": {"choose_mode": "burst", "choose_called_shot": "none",
                   "choose_defence": "fray", "choose_fire": "damage",
                   "spend_before_attack": "none"},
    }  # fmt: skip
    rows = ask_odds("eclipse-phase", Table(shot, "o11"), [field], changes=UNSPENT).rows
    assert {row.value: row.exactly for row in rows}[True] == chance


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("o4p", {0: "25/36", 1: "13/48", 2: "5/144"}),
        ("o4d", {0: "5/8", 1: "49/144", 2: "5/144"}),
        ("o5p", {0: "959/1152", 1: "4/27", 2: "11/576", 3: "1/3456"}),
        ("o5d", {0: "3/4", 1: "385/1728", 2: "31/1152", 3: "1/3456"}),
    ],
)
def test_odds_of_empty_earth_agree_with_the_count(name: str, expected: dict[int, str]) -> None:
    view = ask_odds("empty-earth", Shipped(name), ["hits"])
    assert {row.value: str(row.exactly) for row in view.rows} == expected
    assert view.rows[0].at_least == 1
    assert view.rows[-1].at_most == 1
