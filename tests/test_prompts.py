"""Prompts an exchange: the goals hold, and the table that is kept says so."""

from __future__ import annotations

import pytest
from benchmarks.prompts import CASES, CHANGES, HEAD, RESULTS, Case, counted

GOALS = {"eclipse-phase": 3, "empty-earth": 3, "affinity": 2}
"""Prompts an exchange besides dice, at most."""
ONE_EACH = [next(case for case in CASES if case.system == system) for system in GOALS]


def test_every_case_has_the_goal_of_its_system() -> None:
    assert [case.goal for case in CASES] == [GOALS[case.system] for case in CASES]


@pytest.mark.parametrize("share", [0, CHANGES], ids=["Enter", "a third changed"])
@pytest.mark.parametrize("case", ONE_EACH, ids=lambda case: case.system)
def test_fights_ask_no_more_than_their_goal(case: Case, share: float) -> None:
    """Several fights together: one of two or three exchanges may have all the questions."""
    fights = [counted(case, share, seed) for seed in range(3)]
    exchanges = sum(number for _, number in fights)
    assert exchanges >= 10
    assert sum(prompts["dice"] for prompts, _ in fights) >= exchanges
    assert 0 < sum(prompts["decisions"] for prompts, _ in fights) <= case.goal * exchanges


def test_the_table_that_is_kept_meets_the_goals() -> None:
    rows = RESULTS.read_text(encoding="utf-8").partition(HEAD)[2].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [row[0] for row in cells] == [
        f"{case.system}: {case.source[0]} against {case.source[1]}" for case in CASES
    ]
    for row, case in zip(cells, CASES, strict=True):
        assert max(float(row[2]), float(row[3])) <= case.goal
