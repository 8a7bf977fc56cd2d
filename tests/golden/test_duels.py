"""Duels come to what was stored of them: here those that take no time, the rest by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.golden.duels import Duel, differences, stored, worked_out

STORED = stored()
EACH = 2
"""Pairs of a roster that are worked out here for each policy."""


def _few() -> list[Duel]:
    """All that ship, and the first of each roster by each policy."""
    seen: Counter[tuple[str, str | None]] = Counter()
    few: list[Duel] = []
    for duel in STORED:
        seen[duel.system, duel.policy] += 1
        if duel.policy is None or (
            duel.policy != "optimal" and seen[duel.system, duel.policy] <= EACH
        ):
            few.append(duel)
    return few


@pytest.mark.parametrize("duel", _few(), ids=lambda duel: "-".join(map(str, duel)))
def test_a_duel_comes_to_what_was_stored(duel: Duel) -> None:
    assert differences(STORED[duel], worked_out(duel)) == []


def test_a_difference_is_told_with_its_place() -> None:
    was = {"won": [0.25, 0.75], "rounds": None, "fates": [{"dead": 1.0}, {}]}
    now = {"won": (0.25, 0.75 + 2e-9), "rounds": None, "fates": ({"dead": 1.0}, {"dead": 0.0})}
    told = differences(was, now)
    assert [line.split(":")[0] for line in told] == ["/won/1", "/fates/1"]
    assert differences(was, was) == []
