"""Jobs: how far they are, how they ended, and what a restart leaves of them."""

from __future__ import annotations

import pytest

from affray.store import jobs
from affray.store.errors import NotKeptError
from affray.store.jobs import Job
from affray.store.opening import Store
from affray.store.values import now_us


def added(store: Store, client: str = "me") -> Job:
    return store.jobs.add("duel", {"system": "emlia"}, client=client, server="one")


def test_a_job_waits_runs_tells_how_far_it_is_and_ends_with_a_result(store: Store) -> None:
    job = added(store)
    assert store.jobs.job(job.id) == job
    assert (job.state, job.progress, job.result, job.begun) == ("queued", {}, None, None)
    assert not store.jobs.progress(job.id, {"part": 0.1})
    assert store.jobs.begin(job.id)
    assert not store.jobs.begin(job.id)
    assert store.jobs.progress(job.id, {"part": 0.5})
    running = store.jobs.job(job.id)
    assert (running.state, running.progress) == ("running", {"part": 0.5})
    assert store.jobs.finish(job.id, "done", {"p": 0.25})
    done = store.jobs.job(job.id)
    assert (done.state, done.result, done.question) == ("done", {"p": 0.25}, {"system": "emlia"})
    assert done.begun is not None
    assert done.ended is not None
    assert job.made <= done.begun <= done.ended
    assert done.changed > running.changed > job.changed


def test_a_job_ends_once(store: Store) -> None:
    job = added(store)
    assert store.jobs.finish(job.id, "cancelled", {"why": "asked"})
    assert not store.jobs.finish(job.id, "done", {"p": 1})
    assert not store.jobs.begin(job.id)
    assert store.jobs.job(job.id).result == {"why": "asked"}
    assert not store.jobs.finish("none", "done", {})
    with pytest.raises(NotKeptError, match="no job 'none'"):
        store.jobs.job("none")


def test_after_a_restart_unfinished_jobs_say_so(store: Store) -> None:
    waiting, running, done = (added(store) for _ in range(3))
    store.jobs.begin(running.id)
    store.jobs.finish(done.id, "done", {})
    before = store.changes.last()
    assert set(store.jobs.interrupt(silent_s=0, result={"why": "restart"})) == {
        waiting.id, running.id,
    }  # fmt: skip
    assert store.jobs.job(waiting.id).state == store.jobs.job(running.id).state == "interrupted"
    assert store.jobs.job(waiting.id).result == {"why": "restart"}
    assert store.jobs.job(done.id).state == "done"
    assert len(store.changes.after(before)) == 2


def test_a_restart_interrupts_jobs_from_before_a_clock_was_set_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = added(store)
    monkeypatch.setattr(jobs, "now_us", lambda: job.made - 3600 * 10**6)
    assert store.jobs.interrupt(silent_s=0, result={}) == (job.id,)


def test_jobs_of_a_server_that_lives_are_left_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent, alive = added(store), added(store)
    later = now_us() + 60_000_000
    monkeypatch.setattr(jobs, "now_us", lambda: later)
    store.jobs.beat([alive.id])
    store.jobs.beat([])
    assert store.jobs.interrupt(silent_s=30, result={}) == (silent.id,)
    assert store.jobs.job(alive.id).state == "queued"


def test_a_client_sees_own_jobs_the_last_changed_first(store: Store) -> None:
    first, second, third = (added(store) for _ in range(3))
    added(store, "you")
    store.jobs.begin(first.id)
    page = store.jobs.listed("me", most=2)
    assert [job.id for job in page] == [first.id, third.id]
    assert [job.id for job in store.jobs.listed("me", before=page[-1].changed)] == [second.id]
