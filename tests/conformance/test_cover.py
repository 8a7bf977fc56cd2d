"""The cover of long laws: a few cases that reach together whatever all of them reach."""

from __future__ import annotations

import pytest

from tests.conformance.cover import LONG, Tried, cases_of, chosen, noted, reached_in_play
from tests.conformance.holding import material
from tests.scenarios import FIGHTING, SHIPPED

REMEDY = "run: python -m tests.conformance.cover"


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("system", SHIPPED)
def test_a_cover_reaches_what_all_cases_reach(system: str, kind: str) -> None:
    """Every step, option and roll of examples; every deed and reading of fights, as they begin."""
    if kind != "examples" and system not in FIGHTING:
        pytest.skip("the system knows no fights")
    known, rows = material(system), noted(system)
    cases = cases_of(known, kind)
    assert not set(rows[kind]) - set(cases), f"there are no such cases; {REMEDY}"
    if kind == "duels":
        return
    reached = {name: reached_in_play(known, case) for name, case in cases.items()
               if name not in rows["left"]}  # fmt: skip
    whole = frozenset().union(*reached.values())
    assert len(whole) > 20
    covered = frozenset().union(*(reached[name] for name in rows[kind]))
    assert not whole - covered, REMEDY


def test_cheap_cases_are_chosen_that_reach_everything() -> None:
    def tried(rows: str, seconds: float) -> Tried:
        return Tried(frozenset(("rule.py", row) for row in rows), seconds)

    cases = {
        "all": tried("abcd", 9.0), "most": tried("abc", 1.0), "last": tried("d", 1.0),
        "again": tried("b", 0.1), "forever": tried("abcde", 1000.0),
    }  # fmt: skip
    assert chosen(cases, 60.0) == ["last", "most"]


def test_what_hints_promise_is_reached_twice() -> None:
    row = frozenset({("hints.py", "a")})
    cases = {name: Tried(row, 1.0) for name in ("one", "two", "three")}
    assert len(chosen(cases, 60.0)) == 2
