"""What people bring is measured in processes of its own, bounded, and checked by other methods."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks import brought, brought_calls, run
from benchmarks import brought_checks as checks
from benchmarks.brought import Brought, Row

from affray.app.inputs.setups import load
from affray.app.registry import system_named
from affray.core.errors import AnswerError


def _row(*words: str, seconds: float = 30, check: Any = checks.plain_w2l, **more: Any) -> Row:
    return Row("here", "a question", seconds, check, words, **more)


W2 = ("best", "empty-earth", "w2")


def test_a_command_is_run_and_checked() -> None:
    def check(asked: checks.Asked) -> str:
        assert asked.words == W2
        assert asked.answer["value"]["numerator"] == "1993"  # the value of the vector W2
        return "its vector"

    found = brought.brought(_row(*W2, check=check, peak=100_000), {})
    assert found.met
    assert found.checked == "its vector"
    assert 0.05 < found.seconds < 30
    assert 20 < found.peak < 1000


def test_the_peak_is_that_of_the_process_alone() -> None:
    held = bytearray(200 << 20)  # a process begins with the peak of the one that starts it
    _, peak, status, out, _ = brought.spawned([sys.executable, "-c", "print('done')"], 10)
    assert (out, status) == ("done\n", 0)
    assert peak < 100
    assert len(held) == 200 << 20


def test_another_number_is_noticed() -> None:
    found = brought.brought(_row(*W2), {})  # W2L has another value
    assert "**wrong**" in found.refused
    assert not found.met


def test_a_check_that_fails_loses_no_other_row() -> None:
    def check(asked: checks.Asked) -> str:
        raise AnswerError("nobody is on offer")

    found = brought.brought(_row(*W2, check=check), {})
    assert found.refused == "**check failed**: nobody is on offer"
    assert not found.met


def test_what_is_refused_says_so() -> None:
    found = brought.brought(_row("best", "empty-earth", "nobody"), {})
    assert found.refused.startswith("refused: ")
    assert "nobody" in found.refused
    assert not found.met
    shown = brought.as_table([found])
    assert "refused: " in shown
    assert "0 of 1 targets are met" in shown


def test_bounds_of_best_play_are_told_and_are_no_answer() -> None:
    words = ("duel", "eclipse-phase", "jinx", "exhuman", "--policy", "optimal", "--seconds", "0.5")
    row = _row(*words)
    assert brought.command_of(row, {})[3:] == [*words, "--json"]
    assert brought.command_of(_row(*W2), {})[-3:] == ["--seconds", "1000", "--json"]
    found = brought.brought(row, {})
    assert found.refused.startswith("not worked out; best play is worth between ")
    assert not found.met


def test_what_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brought, "MOST_S", 1)
    endless = _row("battle", "empty-earth", "brockton", "-n", "100000000")
    found = brought.brought(endless, {})
    assert found.refused.startswith("not done after ")
    assert found.seconds < 8


@pytest.mark.parametrize(
    ("seconds", "peak", "met"), [(1.0, 90, True), (1.1, 90, False), (1, 101, False)]
)
def test_a_target_is_met_in_time_and_memory(seconds: float, peak: float, *, met: bool) -> None:
    row = _row(seconds=1, peak=100)
    assert Brought(row, seconds, peak, checked="x").met is met
    assert not Brought(row, seconds, peak).met, "what nobody checked is not met"


def test_a_share_is_met_whatever_the_seconds() -> None:
    row = _row(share=0.7)._replace(seconds=None)
    assert Brought(row, 9.0, 1, share=0.7, checked="x").met
    assert not Brought(row, 0.1, 1, share=0.69, checked="x").met


def test_quick_rows_run_and_their_numbers_are_right(capsys: pytest.CaptureFixture[str]) -> None:
    quick = [row.id for row in brought.rows() if row.quick]
    words = [word for id_ in quick for word in ("--only", f"B:{id_}")]
    run.main([*words, "--quick", "--json"])
    shown = json.loads(capsys.readouterr().out)["people_bring"]
    assert [row["id"] for row in shown] == quick
    for row in shown:
        assert row["checked"], row


def test_every_row_can_be_asked_for_alone() -> None:
    names = brought.names()
    assert len(names) == len(set(names))
    assert [row.id for row in brought.chosen(["B:sweep"], quick=True)] == ["sweep"]
    assert brought.chosen([], quick=False) == brought.chosen(["B"], quick=False)
    with pytest.raises(SystemExit, match="no workload 'B:none'"):
        run.main(["--only", "B:none"])


def test_every_call_is_there() -> None:
    for row in brought.rows():
        assert bool(row.call) != bool(row.words)
        if row.call:
            assert row.call.split()[0] in brought_calls.CALLS


def test_sheets_are_open_and_have_pools(tmp_path: Path) -> None:
    for name, path in brought.sheets(tmp_path).items():
        game = load("eclipse-phase", checks.table_in(path)).game
        assert not game.settled, name
        assert game.system is system_named("eclipse-phase")


def test_a_share_of_battles_is_held_to_five_standard_errors() -> None:
    assert checks._likely(0.5, 10_000, 0.52)  # 4 errors
    assert not checks._likely(0.5, 10_000, 0.53)  # 6 errors
    assert checks._likely(0.0, 10_000, 0.0)
    assert not checks._likely(0.0, 10_000, 0.01)
