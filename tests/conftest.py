"""Settings for all tests: no clock decides whether one passes, and none takes another's core."""

import gc
import os
from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from tests.slowest import pytest_runtest_call, pytest_terminal_summary

__all__ = [
    "pytest_collection", "pytest_collection_finish", "pytest_configure", "pytest_runtest_call",
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
    """For files everywhere, not only for those beside this one."""
    config.pluginmanager.register(OnlyWhereDoctestsAre())


def pytest_collection(session: pytest.Session) -> None:
    """Import from the other end in every other worker, if all tests are to run.

    Pytest writes the assertions of each file anew once and keeps what it wrote. Two workers that
    begin with the same file would both do it for all of them; so they meet in the middle.
    """
    here, worker = Path(__file__).parent, os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if int(worker.removeprefix("gw")) % 2 and here in map(
        Path.resolve, map(Path, session.config.args)
    ):
        for path in sorted(here.rglob("test_*.py"), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # collecting it will tell
                import_module(".".join(path.relative_to(here.parent).with_suffix("").parts))


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


def pytest_sessionfinish() -> None:
    """Search for garbage once at the end; pytest does it twice more, and finds nothing to look at.

    What an object that nobody can reach any more complains of is still told.
    """
    gc.collect()
    gc.freeze()
