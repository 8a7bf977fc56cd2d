"""Odds and best play of procedures that may go on for ever, at the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RESIDUAL = "exact but for a residual of at most "


@pytest.fixture(autouse=True)
def again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system of another package, in which some dice are rolled again."""
    folder = tmp_path / "again-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: again\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[affray.systems]\nagain = again:SYSTEM\n")
    paths = [str(ROOT / "tests" / "outside"), str(tmp_path), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


def asked(tmp_path: Path, command: str, setup: dict[str, object], *more: str) -> str:
    """What a command prints about a setup."""
    file = tmp_path / "setup.json"
    file.write_text(json.dumps(setup))
    words = [sys.executable, "-m", "affray", command, "again", str(file), *more]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def fraction(told: Any) -> Fraction:
    return Fraction(int(told["numerator"]), int(told["denominator"]))


def test_ones_that_are_rolled_again_are_exact(tmp_path: Path) -> None:
    """Each other face has a chance of 1/5."""
    setup: dict[str, object] = {"dice": 1, "again": "ones"}
    view = json.loads(asked(tmp_path, "odds", setup, "--of", "face", "--json"))
    assert [fraction(row["exactly"]) for row in view["rows"]] == [Fraction(1, 5)] * 5
    assert fraction(view["residual"]) == 0
    assert RESIDUAL not in asked(tmp_path, "odds", setup, "--of", "face")


def test_a_residual_is_told(tmp_path: Path) -> None:
    """Two dice of which tens are rolled again: no hit in 49 of 100."""
    view = json.loads(asked(tmp_path, "odds", {}, "--json"))
    assert fraction(view["rows"][0]["exactly"]) == Fraction(49, 100)
    assert 0 < fraction(view["residual"]) < Fraction(1, 10**6)
    shares = sum(fraction(row["exactly"]) for row in view["rows"])
    assert shares + fraction(view["residual"]) == 1
    assert RESIDUAL in " ".join(asked(tmp_path, "odds", {}).split())


def test_best_play_with_a_residual(tmp_path: Path) -> None:
    """Two dice hit in 51 of 100, three in 1 - 0.7^3."""
    view = json.loads(asked(tmp_path, "best", {"more": True}, "--json"))
    residual = fraction(view["residual"])
    assert 0 < residual < Fraction(1, 10**6)
    right = {"no": 1 - Fraction(7, 10) ** 2, "more": 1 - Fraction(7, 10) ** 3}
    (situation,) = view["decisions"][0]["situations"]
    assert situation["best"] == "more"
    for option in situation["options"]:
        assert 0 <= right[option["name"]] - fraction(option["value"]) <= residual
    assert RESIDUAL in " ".join(asked(tmp_path, "best", {"more": True}).split())
