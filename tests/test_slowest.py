"""A test that takes too long fails, and a long run ends with the slowest."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tests.conftest import pytest_runtest_protocol
from tests.slowest import LONG_S, MOST_S, check, pytest_runtest_call, spent_s, table


def test_a_test_that_takes_too_long_fails() -> None:
    check(MOST_S)
    with pytest.raises(pytest.fail.Exception, match="took 31 s of processor time; at most 30"):
        check(MOST_S + 1)


def test_what_a_test_works_out_is_counted() -> None:
    began = spent_s()
    while spent_s() == began:  # the clock ticks a hundred times a second
        pass
    assert spent_s() - began < 1


def test_every_test_is_timed(request: pytest.FixtureRequest) -> None:
    test: pytest.Function = request.node
    hooks = test.ihook.pytest_runtest_call.get_hookimpls()
    assert pytest_runtest_call in [hook.function for hook in hooks]
    timing = pytest_runtest_call(test)
    next(timing)
    with pytest.raises(StopIteration):
        timing.send(None)
    assert dict(test.user_properties)["processor_s"] == pytest.approx(0, abs=1)


def test_only_workers_tell_of_a_test_in_their_own_way(request: pytest.FixtureRequest) -> None:
    """Whoever answers this hook has run the test: without workers nobody may."""
    here = request.node
    alone = SimpleNamespace(config=SimpleNamespace())
    assert pytest_runtest_protocol(cast("pytest.Item", alone), None) is None
    hooks = here.ihook.pytest_runtest_protocol.get_hookimpls()
    assert pytest_runtest_protocol in [hook.function for hook in hooks]


def test_a_long_run_ends_with_the_slowest_tests_and_directories() -> None:
    took = {"tests/core/test_a.py::test_b": 10.0, "tests/core/test_a.py::test_c": 30.0,
            "tests/cli/x/test_d.py::test_e": 25.0}  # fmt: skip
    assert table(took) == [
        "Processor seconds in tests: 65", "", "    40.0 tests/core", "    25.0 tests/cli", "",
        "    30.0 tests/core/test_a.py::test_c", "    25.0 tests/cli/x/test_d.py::test_e",
        "    10.0 tests/core/test_a.py::test_b",
    ]  # fmt: skip


def test_a_short_run_needs_no_table() -> None:
    assert table({"tests/core/test_a.py::test_b": LONG_S - 1}) == []
