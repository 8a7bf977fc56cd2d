"""The processor time of tests: a table of the slowest, and a limit for each.

A clock on the wall would tell how busy the machine was. Children's time counts where the test
waits for them.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import PurePosixPath

import pytest

__all__ = ["pytest_runtest_call", "pytest_terminal_summary"]

MOST_S = 30.0
"""Processor seconds of a test; the slowest takes 10 to 15 on a machine that does much else."""
LONG_S = 60.0
"""Runs shorter than that need no table."""
ROWS = 12


def spent_s() -> float:
    """Processor seconds of this process and of children that have ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Note the processor time of a test, and fail it if that is too much."""
    began = spent_s()
    result = yield
    took = spent_s() - began
    item.user_properties.append(("processor_s", took))
    check(took)
    return result


def check(took: float) -> None:
    """Fail a test that took too long."""
    if took > MOST_S:
        pytest.fail(
            f"took {took:.0f} s of processor time; at most {MOST_S:.0f} are allowed. Work out "
            "less, share what others work out too, or split it",
            pytrace=False,
        )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell after a long run which tests and directories took the most processor time."""
    took = {
        report.nodeid: seconds
        for kind in ("passed", "failed")
        for report in terminalreporter.stats.get(kind, ())
        for name, seconds in report.user_properties
        if name == "processor_s" and report.when == "call"
    }
    for line in table(took):
        terminalreporter.write_line(line)


def table(took: dict[str, float]) -> list[str]:
    """The slowest tests and directories, after a long run."""
    if sum(took.values()) < LONG_S:
        return []
    places: dict[str, float] = {}
    for test, seconds in took.items():
        place = "/".join(PurePosixPath(test.partition("::")[0]).parts[:2])
        places[place] = places.get(place, 0.0) + seconds
    rows = [f"Processor seconds in tests: {sum(took.values()):.0f}"]
    for found in (places, took):
        most = sorted(found.items(), key=lambda row: -row[1])[:ROWS]
        rows += ["", *(f"{seconds:8.1f} {name}" for name, seconds in most)]
    return rows
