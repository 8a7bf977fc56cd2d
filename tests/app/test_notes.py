"""Notes in views: what is assumed, and what was given and makes no difference."""

from __future__ import annotations

import warnings

import pytest

from affray.app.battle import Sampling, ask_battle
from affray.app.best import ask_best
from affray.app.duel import ask_duel
from affray.app.fight import Fight
from affray.app.inputs.fight_changes import FightChanges
from affray.app.odds import ask_odds
from affray.app.play import PlayedGame
from affray.app.sources import Changes, Table
from affray.core.telling import AffrayWarning, heard, note, unheard

ASSUMED = "corp_guard against ripper: distance_m = 10 is assumed"
UNNAMED = Changes(roster=(Table({"fighters": {"kit": {"like": "squire"}}}, "own.toml"),))
CHEAP = FightChanges(policies=("first", "first"))
SETUP = Table({"attacker": "fighter", "defender": "squire"})


def test_what_is_assumed_of_a_fight_stands_in_its_view_and_is_a_warning() -> None:
    names = ("corp_guard", "ripper")
    for ask in (
        lambda: ask_battle("eclipse-phase", names, sampling=Sampling(2)),
        lambda: ask_duel("eclipse-phase", names, changes=CHEAP),
    ):
        with pytest.warns(AffrayWarning, match=ASSUMED):
            view = ask()
        assert [told[: len(ASSUMED)] for told in view.notes] == [ASSUMED]


def test_roster_entries_that_nothing_names_stand_in_views_of_exchanges() -> None:
    told = ("roster entries that nothing here names: own.toml: fighters.kit",)
    for ask in (
        lambda: ask_odds("affinity", SETUP, changes=UNNAMED),
        lambda: ask_best("affinity", SETUP, changes=UNNAMED),
        lambda: PlayedGame.begin("affinity", SETUP, UNNAMED).view(),
        lambda: Fight.begin(
            "affinity", ("fighter", "squire"), FightChanges(roster=UNNAMED.roster)
        ).view(),
    ):
        with pytest.warns(AffrayWarning, match="nothing here names"):
            assert ask().notes == told


def test_notes_of_parts_are_those_of_the_whole_unless_nobody_is_to_hear_them() -> None:
    with warnings.catch_warnings(), heard() as outside:
        warnings.simplefilter("ignore")
        note("one")
        with heard() as inside:
            note("two")
        with unheard():
            note("three")
        assert (inside, outside) == (["two"], ["one", "two"])


def test_views_without_notes_have_none() -> None:
    assert ask_odds("affinity", SETUP).notes == ()
