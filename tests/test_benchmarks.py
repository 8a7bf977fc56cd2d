"""The benchmark compares like with like: all peers give affray's answers, to the last digit."""

from __future__ import annotations

from benchmarks import run


def test_every_peer_agrees_exactly() -> None:
    agreed = {"W1": 4, "W2": 6, "W2L": 4, "W3-30": 4, "W3-100": 4, "W4": 3, "W5": 3, "W6": 3,
              "W8": 3, "W7": 3, "W9": 3}  # fmt: skip
    assert run.agreement() == agreed


def test_results_become_a_table_of_ratios() -> None:
    rows = [run.Timing("affray", 2.0, 1.0, "from the rule text"), run.Timing("x", 30.0, 20.0, "y")]
    shown = run.as_markdown({"W1": rows}, {"W1": "an attack"})
    assert "| x | 30.000 | 20.000 | 15.0 | 20.0 | y |" in shown
    assert "## W1: an attack" in shown


def test_every_workload_names_its_goal_and_peers() -> None:
    found = {workload.id: workload for workload in run.workloads()}
    assert list(found) == ["W1", "W2", "W2L", "W3-30", "W3-100", "W4", "W5", "W6", "W8", "W7", "W9"]
    for workload in found.values():
        assert workload.goal.endswith("x")
        rival = "numpy" if workload.id in {"W6", "W7", "W8"} else "icepool"
        assert {"plain Python", rival} <= {peer.name for peer in workload.peers}
