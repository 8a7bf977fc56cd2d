"""No command takes over a minute or 1 GB by default: heavy ones that a sweep found."""

from __future__ import annotations

import sys

import pytest

from affray.app.registry import system_ids
from tests.sweep import MOST_BYTES, MOST_S, Taken, cases, measured, too_much

HEAVY = ("battle affinity marsh", "odds grid-battles breakout")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in units of Linux")
@pytest.mark.parametrize("line", HEAVY, ids=lambda line: "-".join(line.split()[:3]))
def test_heavy_ones_stay_within_a_minute_and_1_gb(line: str) -> None:
    words = tuple(line.split())
    assert words in cases()
    assert not too_much(measured(words))


def test_every_command_is_swept_in_every_system() -> None:
    swept = {words[:2] for words in cases()}
    for verb in ("play", "picture", "odds", "best", "rulings", "duel", "battle", "fight", "report"):
        assert {(verb, system) for system in system_ids()} <= swept


@pytest.mark.parametrize(
    ("taken", "told"),
    [
        (Taken(0, MOST_S + 1, 1, 1), "61 s of processor time"),
        (Taken(0, 1, 1, MOST_BYTES + 10**6), "1001 MB"),
        (Taken(-9, 1, 1, 1), "status -9: "),
        (Taken(4, MOST_S, 90, MOST_BYTES), ""),
    ],
)
def test_what_takes_too_much_is_told(taken: Taken, told: str) -> None:
    assert too_much(taken) == told


def test_a_case_is_measured() -> None:
    taken = measured(("odds", "empty-earth", "nothing-of-this-name"))
    assert taken.status == 2
    assert 0 < taken.cpu_s < MOST_S
    assert 10**7 < taken.n_bytes < MOST_BYTES
    assert "nothing-of-this-name" in taken.last
