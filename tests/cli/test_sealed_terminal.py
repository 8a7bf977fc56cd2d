"""Decisions under cover at one terminal: asked one after the other, shown together."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal

ROOT = Path(__file__).parents[2]
BOTH = ["--by", "one=typed", "--by", "other=typed"]


@pytest.fixture(autouse=True)
def feint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system of another package, whose two decisions are sealed."""
    folder = tmp_path / "feint-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: feint\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[affray.systems]\nfeint = feint:SYSTEM\n")
    paths = [str(ROOT / "tests" / "outside"), str(tmp_path), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


def decided(shown: str) -> list[str]:
    """Every word on the screen that says what somebody decided; options on offer are none."""
    rows = [line for line in shown.splitlines() if not re.match(r"\s+\d (high|low)", line)]
    return re.findall(r"\b(?:high|low)\b", "\n".join(rows))


@pytest.mark.parametrize(
    ("words", "before"),
    [(["fight", "feint", "salle", *BOTH], ["attack: Ben"]), (["play", "feint", "pass"], [])],
    ids=["fight", "play"],
)
def test_the_first_answer_is_nowhere_when_the_second_is_asked(
    words: list[str], before: list[str]
) -> None:
    """The terminal shows what is typed, as terminals do; under cover it doesn't."""
    with Terminal(*words, echo=True) as here:
        for line in before:
            here.reads("option> ")
            here.types(line)
            assert line in here.reads("\n"), "what is typed is shown"
        asked = here.reads("option> ")
        assert "where do you strike?" in asked
        assert "Ben: look away, please. Ann types; what is decided under cover" in asked
        here.types("low")
        second = here.reads("option> ")
        assert "where do you guard?" in second
        assert "(decided, not shown yet)" in second
        assert "blow ?, guard ?" in asked + second
        assert decided(second) == []
        here.types("?")
        refused = here.reads("option> ")
        assert "numbers would tell what has been decided under cover" in refused
        here.types("middle")
        third = here.reads("option> ")
        assert "that is not on offer" in third
        assert "middle" not in third
        here.types("high")
        shown = here.reads("Struck low, guarded high: a hit.")
        assert decided(shown) == ["low", "high", "low", "high"], "both, then what comes of them"


def test_a_computer_under_cover_is_not_shown_before_the_person_has_decided() -> None:
    words = ["fight", "feint", "salle", "--by", "one=computer:first", "--by", "other=typed"]
    with Terminal(*words, echo=True) as here:
        asked = here.reads("option> ")
        assert "where do you guard?" in asked
        assert decided(asked) == []
        here.types("low")
        assert "Struck high, guarded low: a hit." in here.reads("option> ")


def test_advice_for_the_first_tells_nothing_that_is_hidden() -> None:
    with Terminal("fight", "feint", "salle", *BOTH) as here:
        here.reads("option> ")
        here.types("attack: Ben")
        here.reads("option> ")
        here.types("?")
        assert "numbers would tell" not in here.reads("option> ")


def test_who_stops_in_between_leaves_nothing_on_the_screen_either(tmp_path: Path) -> None:
    """The saved fight has the answer; what is printed hasn't."""
    script, saved = tmp_path / "lines.txt", tmp_path / "fight.json"
    script.write_text("attack: Ben\nlow\nq\n")
    words = ["fight", "feint", "salle", "--script", str(script), "--save", str(saved)]
    with Terminal(*words) as here:
        told = here.ends()
    assert here.status == 0
    assert "option> ***" in told
    assert decided(told.replace("(high, low)", "")) == []
    assert '"low"' in saved.read_text()


def test_the_screen_is_the_same_whatever_was_decided_under_cover() -> None:
    shown = []
    for way in ("high", "low"):
        with Terminal("play", "feint", "pass", echo=True) as here:
            here.reads("option> ")
            here.types(way)
            here.reads("option> ")
            here.types("q")
            here.ends()
            shown.append(here.lines)
    assert shown[0] == shown[1]
    assert any("(decided, not shown yet)" in line for line in shown[0])
