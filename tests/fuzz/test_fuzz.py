"""A bounded run of every fuzzer; `make fuzz` runs them for half an hour."""

from __future__ import annotations

import pytest

from tests.fuzz.cases import FUZZERS

CASES = {
    "exchanges": 40,
    "tables": 120,
    "files": 100,
    "games": 40,
    "dice": 300,
    "duels": 8,
    "battles": 8,
    "fights": 80,
    "played": 80,
    "commands": 40,
}
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", sorted(FUZZERS))
def test_nothing_is_found(name: str, part: int) -> None:
    """Seeds that are always the same: a failure tells which one."""
    for seed in range(part, CASES[name], PARTS):
        try:
            FUZZERS[name](seed)
        except Exception as error:
            raise AssertionError(f"python -m tests.fuzz --only {name} --seed {seed}") from error


def test_every_fuzzer_gets_somewhere() -> None:
    """A fuzzer that is refused every time looks at nothing."""
    words = {FUZZERS["exchanges"](seed) for seed in range(0, 60, 3)}
    assert "solved" in words
