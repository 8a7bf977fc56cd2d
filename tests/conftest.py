"""Settings for all tests: no clock decides whether one passes, and none takes another's core."""

import gc
import os
import secrets
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from tests.slowest import pytest_runtest_call, pytest_terminal_summary

__all__ = [
    "pytest_collection_finish", "pytest_configure", "pytest_runtest_call",
    "pytest_runtest_protocol", "pytest_sessionfinish", "pytest_terminal_summary",
]  # fmt: skip

# Matrices of these tests are small, and the tests themselves run side by side: threads of numpy
# would wait for each other most of the time. Numpy reads it when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile(
    "affray", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("affray")


class OnlyWhereDoctestsAre:
    """Looks for doctests in the files that have some: most have none, and all are imported."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Leave out a file of doctests without any."""
        found = yield
        if file_path.suffix != ".py" or ">>>" in file_path.read_text("utf-8"):
            return found
        return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    """For files everywhere, not only for those beside this one.

    Modules and tests stay to the end: there is no garbage to search for while they are collected.
    """
    config.pluginmanager.register(OnlyWhereDoctestsAre())
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Tell the process that gathers results of a test once, not five times, if it passed.

    A worker sends each report as a message, and most tests take less time than such a message.
    """
    if not hasattr(item.config, "workerinput"):
        return None  # as ever; anything else would be taken for a test that was run
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.passed:
            report.keywords = {}
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_collection_finish() -> None:
    """Let Python search for circles of garbage less often, and not among modules and tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Search for garbage once at the end; pytest does it twice more, and finds nothing to look at.

    What an object that nobody can reach any more complains of is still told.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A server of PostgreSQL: the URL of its databases, with NAME for the name of one."""
    from affray.store.opening import open_store
    from tests.store.postgresql import programs, run, server

    if programs() is None:
        why = "PostgreSQL is not installed, and `make test` could not install it"
        (pytest.fail if "CI" in os.environ else pytest.skip)(why)
    with server() as url:
        run(url, f"CREATE DATABASE {READY}")
        open_store(url.replace("NAME", READY)).close()
        yield url


READY = "ready"
"""The database that has the tables of a store, and nothing in them."""


@pytest.fixture
def postgresql_place(postgresql: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of an empty database; it has its tables if the test asks for an open store."""
    from tests.store.postgresql import run

    name = f"t{secrets.token_hex(6)}"
    ready = f"TEMPLATE {READY}" if "store" in request.fixturenames else ""
    run(postgresql, f"CREATE DATABASE {name} {ready}")
    yield postgresql.replace("NAME", name)
    run(postgresql, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
