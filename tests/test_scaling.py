"""The measurements of how cost grows: they run, and say what they were made on."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import scaling

TEXTS = [("a duel, by transitions", "Duels"), ("battles, by attacks", "Battles")]


def test_scaling_measures_small_fights_draws_them_and_tells_the_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "both.svg"
    scaling.main(["--quick", "--write", str(drawn)])
    shown = capsys.readouterr().out
    rows = [line for line in shown.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert len(rows) == len(scaling.QUICK_DURABILITIES) + len(scaling.QUICK_BATTLES)
    sizes = [int(row.split("|")[1].replace(",", "")) for row in rows]
    n = len(scaling.QUICK_DURABILITIES)
    assert sizes[:n] == sorted(set(sizes[:n]))
    assert sizes[n:] == sorted(set(sizes[n:]))
    svg = drawn.read_text(encoding="utf-8")
    assert svg.count("<polyline") == 2
    assert all(name in svg and title in shown for name, title in TEXTS)
    assert all(told in shown for told in ("Load ", "s user and", "peak memory", "commit "))
