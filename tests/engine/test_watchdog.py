"""The watchdog over rules that do not come back, and where it doesn't look."""

from __future__ import annotations

import signal
import sys
import types
from time import process_time

import pytest

from affray.core.errors import StuckError
from affray.engine.watchdog import a_rule_may_take, rules_come_back, unwatched

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="there is no interval timer"
)


BUSY = """
def run(seconds):
    end = process_time() + seconds
    while process_time() < end:
        pass
"""


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A package of somebody else's, with a function that is busy for so many seconds."""
    module = types.ModuleType("somebody_elses_loop")
    vars(module)["process_time"] = process_time
    exec(BUSY, vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_what_is_busy_too_long_is_broken_off(loop: types.ModuleType) -> None:
    with rules_come_back():
        a_rule_may_take(1)
        with pytest.raises(StuckError, match=r"somebody_elses_loop, line [45], in run"):
            loop.run(10)


def test_the_loop_of_a_server_is_not_watched(loop: types.ModuleType) -> None:
    with rules_come_back():
        a_rule_may_take(1)
        with unwatched():
            loop.run(2)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0  # rules are watched again


def test_unwatched_is_nothing_where_nobody_watches() -> None:
    with unwatched():
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
