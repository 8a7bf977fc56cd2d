"""`play --next FILE`: a setup with everything that lasts, which `play` takes at once."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.cli.running import affray, asked
from tests.scenarios import SHIPPED

LIGHT = ("play", "grid-battles", "light-cavalry")


def test_the_next_setup_is_played_at_once(tmp_path: Path) -> None:
    """Two combats, one point for each of both in the first, one for the attacker in the second."""
    first, second = tmp_path / "first.toml", tmp_path / "second.json"
    affray(*LIGHT, "--script", "--next", str(first))
    table = tomllib.loads(first.read_text())
    assert (table["attacker"]["health"], table["defender"]["health"]) == (2, 2)
    assert table["system"] == "grid-battles"
    data = asked("play", "grid-battles", str(first), "--dice", "-,-,d,-", "--next", str(second))
    assert isinstance(data["outcome"], dict)
    assert (data["outcome"]["attacker_health"], data["outcome"]["health"]) == (1, 2)
    after = json.loads(second.read_text())
    assert (after["attacker"]["health"], after["attacker"]["health_max"]) == (1, 3)
    assert after["defender"] == table["defender"]


def test_rulings_go_with_it_and_choices_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "next.toml"
    ruling = ("--ruling", "strikes_back=chosen", "--settle", "battle_back=hold")
    done = affray(*LIGHT, "--dice", "d,-", *ruling, "--next", str(path))
    told = "choices are open again; to settle them as before: --settle battle_back=hold"
    assert f"{path}: {told}\n" in done.stderr
    table = tomllib.loads(path.read_text())
    assert table["rulings"] == {"strikes_back": "chosen"}
    assert "choose" not in table
    data = asked("play", "grid-battles", str(path), "--dice", "d,-")
    assert isinstance(data["question"], dict)
    assert data["question"]["step"] == "battle_back"


def test_own_entries_are_filled_in(tmp_path: Path) -> None:
    path, mine = tmp_path / "next.toml", tmp_path / "mine.toml"
    faces = {"yellow": "d", "blue": "d", "red": "d", "brown": "-", "grey": "-", "black": "-"}
    mine.write_text("[dice.assumed]\n" + "\n".join(f"{c} = {[f] * 6}" for c, f in faces.items()))
    affray("play", "grid-battles", "g13", "--roster", str(mine), "--dice", "d,-,d,-",
           "--next", str(path))  # fmt: skip
    assert tomllib.loads(path.read_text())["dice"]["yellow"] == ["d"] * 6


def test_who_is_out_is_told(tmp_path: Path) -> None:
    path = tmp_path / "next.toml"
    done = affray("play", "grid-battles", "excess", "--script", "--next", str(path))
    assert done.returncode == 0
    assert "can't be played as it stands" in done.stderr
    assert "no longer present (GB-16)" in done.stderr
    assert tomllib.loads(path.read_text())["defender"]["health"] == 0


def test_before_the_end_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "next.toml"
    refused = affray(*LIGHT, "--dice", "d", "--next", str(path))
    assert refused.returncode == 1
    assert "the exchange is not over; play it to the end" in refused.stderr
    assert not path.exists()


PLAYED = {
    "affinity": "exertion", "eclipse-phase": "jinx-shoots", "emlia": "line-up",
    "empty-earth": "o5p", "grid-battles": "g13",
}  # fmt: skip


@pytest.mark.parametrize("system", SHIPPED)
def test_in_every_system_a_play_goes_on_from_the_play_before(system: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    words = ("--seed", "3", "--auto")
    assert affray("play", system, PLAYED[system], *words, "--next", str(first)).returncode == 0
    again = affray("play", system, str(first), *words, "--next", str(second))
    assert again.returncode == 0, again.stderr
    tables = [tomllib.loads(path.read_text()) for path in (first, second)]
    assert all(table["system"] == system for table in tables)
