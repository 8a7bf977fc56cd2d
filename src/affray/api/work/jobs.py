"""Jobs: questions that nobody waits for at the other end of a line.

A job is kept in a store with its question, how far it is, and its result. One whose server ended
before it says so when a server is back, and can be started again from its question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from types import TracebackType
from typing import Protocol, TypeVar, cast

from affray.api.work.errors import WorkerLostError, as_data
from affray.api.work.frames import Message
from affray.api.work.workers import Workers
from affray.core.errors import AffrayError, SetupError
from affray.engine.budget import Budget
from affray.store.errors import DatabaseError

__all__ = ["MOST_S", "Job", "JobStore", "Jobs", "told"]

MOST_S = 3600.0
"""The most seconds that a job may take, unless the server says otherwise."""
BETWEEN_BEATS_S = 5.0
"""Seconds between two signs of life in the store."""
SILENT_S = 30.0
"""Seconds without such a sign after which a job counts as interrupted."""
AGAIN_S = 2.0
"""Seconds after which a database that has failed is asked again."""
BETWEEN_NOTES_S = 0.5
"""Seconds between two notes in the store of how far a job is."""
INTERRUPTED = "the server ended before this was done; start it again"

T = TypeVar("T")


class Job(Protocol):
    """A job as it stands in a store; see `affray.store.jobs.Job`."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def client(self) -> str:
        """Who asked."""
        ...

    @property
    def kind(self) -> str:
        """The name of the question."""
        ...

    @property
    def question(self) -> dict[str, object]:
        """Its arguments and seconds."""
        ...

    @property
    def state(self) -> str:
        """How it is: queued, running, done, failed, cancelled or interrupted."""
        ...


class JobStore(Protocol):
    """Where jobs are kept; each call is one transaction. See `affray.store.jobs.Jobs`."""

    def add(self, kind: str, question: dict[str, object], *, client: str, server: str) -> Job:
        """Keep a new job, which waits for its turn."""
        ...

    def begin(self, job: str) -> bool:
        """Note that the work has begun; False: it waits no longer."""
        ...

    def progress(self, job: str, progress: dict[str, object]) -> bool:
        """Note how far it is; False: it is not running."""
        ...

    def finish(self, job: str, state: str, result: dict[str, object]) -> bool:
        """Note how it ended; False: it had ended already."""
        ...

    def beat(self, jobs: Collection[str]) -> None:
        """Note that the server of these jobs lives."""
        ...

    def interrupt(self, *, silent_s: float, result: dict[str, object]) -> Collection[str]:
        """Mark as interrupted what no server works on any more."""
        ...

    def job(self, job: str) -> Job:
        """A job by its id."""
        ...


class Jobs:
    """The jobs that this server works on.

    Args:
        workers: who works.
        store: where jobs are kept.
        server: a name for this server.
        most_s: the most seconds that a job may take.
        is_alone: whether no other server works on the jobs of this store: then all that is
            unfinished in it is interrupted at once.
    """

    def __init__(
        self, workers: Workers, store: JobStore, server: str, *, most_s: float = MOST_S,
        is_alone: bool = True,
    ) -> None:  # fmt: skip
        self._workers, self._store, self._server = workers, store, server
        self._most_s, self._is_alone = most_s, is_alone
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._cancelled: set[str] = set()
        self._beating: asyncio.Task[None] | None = None
        self._is_closed = False

    async def __aenter__(self) -> Jobs:
        await self._interrupt(0.0 if self._is_alone else SILENT_S)
        self._beating = asyncio.create_task(self._beat())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._is_closed = True
        under_way = list(self._under_way.values())
        for task in (*under_way, self._beating):
            if task is not None:
                task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def start(
        self,
        kind: str,
        arguments: Mapping[str, object],
        *,
        client: str,
        seconds: float | None = None,
    ) -> Job:
        """Start a job.

        Args:
            kind: the name of a question.
            arguments: its arguments.
            client: who asks.
            seconds: how long it may take once it has begun; as usual for the question by default.

        Raises:
            UnknownNameError, InputError: no such question, or its arguments don't fit.
            SetupError: more seconds than a job may take.
            StoreError: it can't be kept.
        """
        self._workers.check(kind, arguments)
        if seconds is not None and not 0 < seconds <= self._most_s:
            raise SetupError(
                f"seconds: {seconds:g}; allowed: more than 0 and at most {self._most_s:g}"
            )
        question: Message = {"arguments": dict(arguments), "seconds": seconds}
        job = await _stored(
            lambda: self._store.add(kind, question, client=client, server=self._server)
        )
        self._under_way[job.id] = asyncio.create_task(self._work(job))
        return job

    async def cancel(self, job: str) -> bool:
        """End a job without a result; False: it was not at work any more.

        Raises:
            StoreError: it can't be written, or there is no such job.
        """
        await _stored(lambda: self._store.job(job))
        task = self._under_way.get(job)
        if task is None:  # of another server, which sees it at its next note
            return await _stored(lambda: self._store.finish(job, "cancelled", {}))
        self._cancelled.add(job)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return True

    async def restart(self, job: str) -> Job:
        """Start a job anew from the question of one that has ended.

        Raises:
            SetupError: it has not ended yet.
            StoreError: as for `start`, or there is no such job.
        """
        old = await _stored(lambda: self._store.job(job))
        if old.state in {"queued", "running"}:
            raise SetupError(f"this job is {old.state}; cancel it first, or wait")
        question = old.question
        return await self.start(
            old.kind, cast("Message", question["arguments"]), client=old.client,
            seconds=cast("float | None", question["seconds"]),
        )  # fmt: skip

    async def ended(self, job: str) -> Job:
        """A job once this server no longer works on it.

        Raises:
            StoreError: it can't be read, or there is no such job.
        """
        task = self._under_way.get(job)
        if task is not None:
            await asyncio.wait([task])
        return await _stored(lambda: self._store.job(job))

    async def _work(self, job: Job) -> None:
        seconds = cast("float | None", job.question["seconds"])
        notes = _Notes(self._store, job.id, self._workers.seconds_for(job.kind, seconds))
        notes.when_gone = asyncio.current_task()
        state, result = "cancelled", cast("Message", {})
        try:
            view = await self._workers.ask(
                job.kind, cast("Message", job.question["arguments"]), client=job.client,
                budget=Budget(seconds=seconds), begun=notes.begin, progress=notes.tell,
            )  # fmt: skip
            state, result = "done", {"view": view}
        except asyncio.CancelledError:
            if job.id not in self._cancelled:
                lost = as_data(WorkerLostError(INTERRUPTED))
                state, result = "interrupted", {"error": lost}
        except AffrayError as error:
            state, result = "failed", {"error": as_data(error)}
        finally:
            try:
                await asyncio.shield(self._finished(notes, state, result))
            finally:
                self._cancelled.discard(job.id)
                self._under_way.pop(job.id, None)

    async def _finished(self, notes: _Notes, state: str, result: Message) -> None:
        """Note how a job ended, however long the database may be away, unless the server ends."""
        while True:
            try:
                await notes.finished(state, result)
            except DatabaseError:
                if self._is_closed:
                    return
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BETWEEN_BEATS_S)
            with suppress(AffrayError):  # the database may be away for a while
                await _stored(partial(self._store.beat, list(self._under_way)))
                await self._interrupt(SILENT_S)

    async def _interrupt(self, silent_s: float) -> None:
        result: Message = {"error": as_data(WorkerLostError(INTERRUPTED))}
        await _stored(lambda: self._store.interrupt(silent_s=silent_s, result=result))


class _Notes:
    """Notes in the store about one job, one after the other."""

    def __init__(self, store: JobStore, job: str, seconds: float) -> None:
        self._store, self._job, self._seconds = store, job, seconds
        self._began = self._noted = monotonic()
        self._last: asyncio.Task[bool] | None = None
        self.when_gone: asyncio.Task[None] | None = None
        """Cancelled when the store says that the job is not running any more."""

    def begin(self) -> None:
        """A worker begins with it."""
        self._began = monotonic()
        self._write(lambda: self._store.begin(self._job))

    def tell(self, progress: Message) -> None:
        """A worker says how far it is."""
        now = monotonic()
        if now < self._noted + BETWEEN_NOTES_S or (self._last and not self._last.done()):
            return
        self._noted = now
        row = told(progress, now - self._began, self._seconds)
        self._write(lambda: self._store.progress(self._job, row))

    def _write(self, call: Callable[[], bool]) -> None:
        self._last = asyncio.create_task(self._written(call))

    async def _written(self, call: Callable[[], bool]) -> bool:
        try:
            found = await _stored(call)
        except AffrayError:  # it can't be written now; the next note may
            return True
        if not found and self.when_gone is not None:
            self.when_gone.cancel()
        return found

    async def finished(self, state: str, result: Message) -> None:
        """It ended so."""
        self.when_gone = None
        if self._last is not None:
            await asyncio.wait([self._last])
        await _stored(lambda: self._store.finish(self._job, state, result))


def told(progress: Message, gone_s: float, most_s: float) -> Message:
    """How far a job is, for people.

    Args:
        progress: as workers tell it.
        gone_s: seconds since it began.
        most_s: the most seconds that it may take.

    >>> told({"work": "battles", "done": 25, "wanted": 100, "error": 1.5, "note": ""}, 10, 300)
    {'work': 'battles', 'done': 25, 'of': 100, 'seconds_left': 30.0, 'interval': 1.5, 'note': ''}
    """
    done, of = cast("int", progress["done"]), cast("int | None", progress["wanted"])
    left = max(0.0, most_s - gone_s)
    if of is not None and done > 0:
        left = min(left, gone_s * max(0, of - done) / done)
    return {
        "work": progress["work"], "done": done, "of": of, "seconds_left": round(left, 1),
        "interval": progress["error"], "note": progress["note"],
        **({"so_far": progress["so_far"]} if progress.get("so_far") else {}),
    }  # fmt: skip


async def _stored(call: Callable[[], T]) -> T:
    """Something done in the store, in a thread."""
    return await asyncio.to_thread(call)
