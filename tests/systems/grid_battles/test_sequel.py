"""The setup after a combat or a game: health that is left, units that are gone, the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.setups import load_raw
from affray.app.next_setup import next_setup, next_sheet
from affray.core.dice import Face
from affray.core.errors import SetupError
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from affray.systems.grid_battles.sheet import Goal, Setup

from .factory import SYSTEM

RIDER: dict[str, Any] = {
    "name": "Rider", "attack": ["yellow"], "defence": ["brown"], "health": 3, "move": 4,
}  # fmt: skip


def follow(
    raw: dict[str, Any], *faces: Face, options: tuple[str, ...] = (), **rulings: str
) -> tuple[Setup, Setup]:
    """The setup before and after an exchange with these faces."""
    loaded = load_raw(SYSTEM, raw, "given", rulings=rulings)
    session = drive(Session(loaded.game), Script(faces, options))
    before, after = loaded.setup, next_sheet(loaded, session)
    assert isinstance(before, Setup)
    assert isinstance(after, Setup)
    return before, after


def healths(setup: Setup) -> list[int]:
    return [unit.health for unit in (setup.attacker, *setup.followers, setup.defender)]


PAIR: dict[str, Any] = {"attacker": RIDER, "defender": RIDER, "dice": "worked"}


def test_gb16_both_keep_the_health_that_is_left() -> None:
    before, after = follow(PAIR, "d", "-", "dd", "-")
    assert healths(after) == [1, 2]
    assert [after.attacker.health_max, after.defender.health_max] == [3, 3]
    assert replace(after, attacker=before.attacker, defender=before.defender) == before


def test_gb16_a_combat_without_a_hit_leaves_the_setup_as_it_was() -> None:
    before, after = follow(PAIR, "-", "-", "-", "-")
    assert after == before


def test_gb9_followers_keep_theirs_and_who_is_removed_is_left_out() -> None:
    """The first falls to the Battle Back, the second loses a point, the third is not hurt."""
    raw: dict[str, Any] = {
        **PAIR, "attacker": {**RIDER, "health": 1}, "followers": [RIDER, RIDER],
    }  # fmt: skip
    faces = ("-", "-", "d", "-", "d", "-", "d", "-", "-", "-", "-", "-")
    _, after = follow(raw, *faces)
    assert healths(after) == [2, 3, 2]


def test_gb46_who_had_no_target_left_is_as_fresh_as_before() -> None:
    raw: dict[str, Any] = {
        **PAIR, "defender": {**RIDER, "health": 1}, "followers": [RIDER],
    }  # fmt: skip
    _, after = follow(raw, "d", "-")
    assert healths(after) == [3, 3, 0]


def test_gb16_a_removed_defender_is_told_before_it_is_played() -> None:
    loaded = load_raw(SYSTEM, {**PAIR, "defender": {**RIDER, "health": 1}}, "given")
    session = drive(Session(loaded.game), Script(("d", "-"), ()))
    found = next_setup(loaded, session)
    assert found.table["defender"]["health"] == 0  # type: ignore[index]  # a table
    assert "Rider has no health left and is no longer present (GB-16)" in found.refused


def game_of(**changes: Any) -> dict[str, Any]:
    unit = {**RIDER, "move": 1}
    scenario = {
        "columns": 6, "rows": 1, "rounds": 1,
        "one": [{"unit": unit, "hex": "0000"}, {"unit": unit, "hex": "0100"}],
        "other": [{"unit": {**unit, "health": 1}, "hex": "0200"}, {"unit": unit, "hex": "0500"}],
        "activations": 2, "destroy": 2, **changes,
    }  # fmt: skip
    return {"scenario": scenario, "dice": "worked"}


PLAYED = ("rider", "rider-2-on-rider", "0400")


def test_gb48_a_game_goes_on_where_its_last_round_ended() -> None:
    """One enemy is gone, so one is left to be destroyed; the other one has come nearer."""
    before, after = follow(game_of(), "d", "-", options=PLAYED)
    assert before.scenario is not None
    assert after.scenario is not None
    assert [placed.hex for placed in after.scenario.one] == ["0000", "0100"]
    assert [placed.hex for placed in after.scenario.other] == ["0400"]
    assert after.scenario.goals == (Goal(destroy=1), Goal(destroy=2))
    assert (before.scenario.starts, after.scenario.starts) == ("one", "one")


def test_gb47a_where_nobody_is_lost_the_same_number_is_to_be_destroyed() -> None:
    before, after = follow(
        game_of(activations=1), options=("rider", "rider", "stay", "end", "end", "stay")
    )
    assert before.scenario is not None
    assert after.scenario is not None
    assert (after.scenario.destroy, after.scenario.one_wins, after.scenario.other_wins) == (
        2, None, None,
    )  # fmt: skip
    assert after.scenario.goals == before.scenario.goals


def test_gb47c_escapes_are_counted_off() -> None:
    goal = {"escape": 2, "exits": ["0000"]}
    raw = game_of(one_wins=goal, destroy=1)
    _, after = follow(
        raw, options=("rider", "leave", "stay", "end", "rider", "stay", "0400", "end")
    )
    assert after.scenario is not None
    assert after.scenario.one_wins == Goal(escape=1, exits=("0000",))
    assert len(after.scenario.one) == 1


def test_gb47_nothing_follows_a_game_that_a_player_can_not_win_any_more() -> None:
    raw = game_of(one_wins={"escape": 2, "exits": ["0000"]})
    options = ("rider", "leave", "stay", "end", "rider", "stay", "0400", "end")
    with pytest.raises(SetupError, match="player other can't destroy 2 units; 1 is left"):
        follow(raw, options=options)


def test_gb47_nothing_follows_a_game_that_is_won() -> None:
    with pytest.raises(
        SetupError, match=r"player one has won; nothing follows this game \(GB-47\)"
    ):
        follow(game_of(destroy=1), "d", "-", options=PLAYED[:-1])


def test_nothing_follows_before_the_end() -> None:
    loaded = load_raw(SYSTEM, PAIR, "given")
    with pytest.raises(SetupError, match="given: the exchange is not over; play it to the end"):
        next_setup(loaded, Session(loaded.game))
