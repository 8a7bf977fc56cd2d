"""Jobs: kept with how far they are and their results, cancelled, interrupted, started again."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from affray.api.work.jobs import Jobs, JobStore
from affray.core.errors import SetupError, UnknownNameError
from affray.store.errors import UnavailableError
from affray.store.jobs import Job
from affray.store.jobs import Jobs as StoredJobs
from affray.store.opening import Store, open_store
from tests.api.work.bench import Bench, begun, bench, idle, until


@pytest.fixture(scope="module")
def shared() -> Iterator[Bench]:
    with bench() as made:
        made.run(idle(*made.workers.slots))
        yield made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "data") as opened:
        yield opened


def test_a_job_is_done_and_its_result_is_kept(shared: Bench, store: Store) -> None:
    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            started = await jobs.start("echo", {"word": "a"}, client="ada")
            assert (started.state, started.kind, started.client) == ("queued", "echo", "ada")
            await jobs.ended(started.id)

    shared.run(work())
    (job,) = store.jobs.listed("ada")
    assert job.state == "done"
    assert job.begun is not None
    assert _view(job)["word"] == "a"


def _view(job: Job) -> dict[str, object]:
    assert job.result is not None
    return cast("dict[str, object]", job.result["view"])


def _code(job: Job) -> object:
    assert job.result is not None
    return cast("dict[str, object]", job.result["error"])["code"]


def test_a_job_says_how_far_it_is(shared: Bench, store: Store, tmp_path: Path) -> None:
    began, free = tmp_path / "began", tmp_path / "free"

    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            asked = {"began": str(began), "until": str(free)}
            started = await jobs.start("hold", asked, client="ada", seconds=90)
            await until(lambda: bool(store.jobs.job(started.id).progress))
            seen = store.jobs.job(started.id)
            assert seen.state == "running"
            assert (seen.progress["work"], seen.progress["done"]) == ("looks", 1)
            assert seen.progress["of"] == 2
            left = seen.progress["seconds_left"]
            assert isinstance(left, float)
            assert 0 < left < 90
            free.touch()
            assert (await jobs.ended(started.id)).state == "done"

    shared.run(work())


def test_a_job_that_fails_says_why(shared: Bench, store: Store) -> None:
    async def work() -> str:
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            started = await jobs.start("settled", {}, client="ada")
            return (await jobs.ended(started.id)).id

    job = store.jobs.job(shared.run(work()))
    assert (job.state, _code(job)) == ("failed", "limit")
    assert job.result is not None
    error = cast("dict[str, object]", job.result["error"])
    assert (error["limit"], error["done"], error["p_ended"]) == ("places", {"places": 7}, 0.25)


def test_a_cancelled_job_stops_its_work(shared: Bench, store: Store, tmp_path: Path) -> None:
    long = shared.workers.slots[1]

    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            began = tmp_path / "began"
            started = await jobs.start("hold", {"began": str(began)}, client="ada")
            await begun(began)
            assert await jobs.cancel(started.id)
            assert store.jobs.job(started.id).state == "cancelled"
            await idle(long)
            assert not await jobs.cancel(started.id)

    shared.run(work())


def test_what_another_server_cancels_is_stopped(
    shared: Bench, store: Store, tmp_path: Path
) -> None:
    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here", is_alone=False) as jobs:
            began = tmp_path / "began"
            started = await jobs.start("hold", {"began": str(began)}, client="ada")
            await begun(began)
            other = Jobs(shared.workers, store.jobs, "there", is_alone=False)
            assert await other.cancel(started.id)
            assert (await jobs.ended(started.id)).state == "cancelled"
            await idle(shared.workers.slots[1])

    shared.run(work())


class Away:
    """The jobs of a store that can't be reached when one ends.

    Args:
        jobs: the jobs.
        times: so often it is asked before it is back.
    """

    def __init__(self, jobs: StoredJobs, times: float) -> None:
        self.jobs, self.times = jobs, times

    def __getattr__(self, name: str) -> object:
        return getattr(self.jobs, name)

    def finish(self, job: str, state: str, result: dict[str, object]) -> bool:
        self.times -= 1
        if self.times >= 0:
            raise UnavailableError("here", "gone")
        return self.jobs.finish(job, state, result)


def test_a_result_outlives_a_database_that_is_away(
    shared: Bench, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("affray.api.work.jobs.AGAIN_S", 0.01)

    async def work() -> None:
        away = cast("JobStore", Away(store.jobs, 3))
        async with Jobs(shared.workers, away, "here") as jobs:
            started = await jobs.start("echo", {"word": "a"}, client="ada")
            ended = await jobs.ended(started.id)
            assert (ended.state, _view(cast("Job", ended))["word"]) == ("done", "a")

    shared.run(work())


def test_a_server_ends_although_its_database_is_away(
    shared: Bench, store: Store, tmp_path: Path
) -> None:
    async def work() -> str:
        away = cast("JobStore", Away(store.jobs, math.inf))
        async with Jobs(shared.workers, away, "here") as jobs:
            began = tmp_path / "began"
            started = await jobs.start("hold", {"began": str(began)}, client="ada")
            await begun(began)
        return started.id

    left = shared.run(work())
    assert store.jobs.job(left).state == "running"  # until a server starts
    shared.run(idle(shared.workers.slots[1]))


def test_a_job_that_the_end_of_a_server_interrupts_can_be_started_again(
    shared: Bench, store: Store, tmp_path: Path
) -> None:
    began, free = tmp_path / "began", tmp_path / "free"

    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            asked = {"began": str(began), "until": str(free), "word": "late"}
            started = await jobs.start("hold", asked, client="ada", seconds=50)
            await begun(began)
        job = store.jobs.job(started.id)
        assert (job.state, _code(job)) == ("interrupted", "worker-lost")
        free.touch()
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            again = await jobs.restart(job.id)
            assert again.question == job.question
            ended = await jobs.ended(again.id)
            assert _view(store.jobs.job(ended.id))["word"] == "late"

    shared.run(work())


def test_a_job_of_a_server_that_was_killed_is_interrupted(shared: Bench, store: Store) -> None:
    left = store.jobs.add("echo", {"arguments": {}, "seconds": None}, client="ada", server="gone")
    store.jobs.begin(left.id)

    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            assert store.jobs.job(left.id).state == "interrupted"
            again = await jobs.restart(left.id)
            assert (await jobs.ended(again.id)).state == "done"

    shared.run(work())


def test_what_cannot_be_asked_is_no_job(shared: Bench, store: Store) -> None:
    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here", most_s=100) as jobs:
            with pytest.raises(UnknownNameError):
                await jobs.start("adds", {}, client="ada")
            with pytest.raises(SetupError, match="at most 100"):
                await jobs.start("echo", {}, client="ada", seconds=101)

    shared.run(work())
    assert store.jobs.listed("ada") == ()


def test_a_job_that_goes_on_is_not_started_again(
    shared: Bench, store: Store, tmp_path: Path
) -> None:
    async def work() -> None:
        async with Jobs(shared.workers, store.jobs, "here") as jobs:
            began = tmp_path / "began"
            started = await jobs.start("hold", {"began": str(began)}, client="ada")
            await begun(began)
            await until(lambda: store.jobs.job(started.id).state == "running")
            with pytest.raises(SetupError, match="running"):
                await jobs.restart(started.id)
            await asyncio.gather(jobs.cancel(started.id))

    shared.run(work())
