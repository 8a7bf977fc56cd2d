"""The measurements of how cost grows: they run, and say what they were made on."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import run, scaling


def test_scaling_measures_small_ones_draws_them_and_tells_the_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "all.svg"
    scaling.main(["--quick", "--write", str(drawn)])
    shown = capsys.readouterr().out
    rows = [line for line in shown.splitlines() if line.startswith("| ") and line[2].isdigit()]
    sizes = [int(row.split("|")[1].replace(",", "")) for row in rows]
    for curve in scaling.CURVES:
        here, sizes = sizes[: len(curve.quick)], sizes[len(curve.quick) :]
        assert here == sorted(set(here)), curve.name
        assert len(here) == len(curve.quick)
    assert not sizes
    svg = drawn.read_text(encoding="utf-8")
    assert svg.count("<polyline") == len(scaling.CURVES) == 5
    assert all(curve.name in svg and curve.title in shown for curve in scaling.CURVES)
    assert all(told in shown for told in ("Load ", "s user and", "peak memory", "commit "))


def test_results_show_tables_beside_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scaling, "CURVES", scaling.CURVES[:1])  # all of them are measured above
    results = tmp_path / "results.md"
    run.main(["--only", "S", "--quick", "--write", str(results)])
    capsys.readouterr()
    text = results.read_text(encoding="utf-8")
    assert "## S: how cost grows" in text
    assert f"]({run.PICTURE})" in text
    assert all(curve.title in text for curve in scaling.CURVES)
    assert (tmp_path / run.PICTURE).read_text(encoding="utf-8").startswith("<svg ")
