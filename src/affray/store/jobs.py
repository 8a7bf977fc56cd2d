"""Jobs: long questions, how far they are, and their results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, insert, select, update

from affray.store import tables
from affray.store.database import Database, next_number
from affray.store.errors import NotKeptError
from affray.store.values import Raw, as_json, as_text, from_json, new_id, now_us

__all__ = ["FINISHED", "UNFINISHED", "Job", "Jobs"]

UNFINISHED = ("queued", "running")
FINISHED = ("done", "failed", "cancelled", "interrupted")


class Job(NamedTuple):
    """A long question.

    Attributes:
        id: its id.
        client: who asked, in the caller's own words.
        kind: what is asked, such as "duel".
        question: the question, from which the job can be started again.
        state: one of `UNFINISHED` or `FINISHED`.
        progress: how far it is.
        result: the answer, or what went wrong; None until it is finished.
        server: the server that works on it.
        made: when it was asked, in microseconds.
        begun: when the work began.
        ended: when it was finished.
        changed: the number of its last change among all changes; lists follow it.
    """

    id: str
    client: str
    kind: str
    question: Raw
    state: str
    progress: Raw
    result: Raw | None
    server: str
    made: int
    begun: int | None
    ended: int | None
    changed: int


class Jobs:
    """The jobs of a store.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, kind: str, question: Raw, *, client: str, server: str) -> Job:
        """Keep a new job, which waits for its turn.

        Args:
            kind: what is asked.
            question: the question.
            client: who asks.
            server: the server that will work on it.

        Raises:
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            now = now_us()
            job = Job(
                new_id(), client, kind, question, "queued", {}, None, server, now, None, None,
                next_number(connection),
            )  # fmt: skip
            row = job._asdict() | {"question": as_json(question), "progress": "{}", "beat": now}
            connection.execute(insert(tables.jobs), row)
        return job

    def begin(self, job: str) -> bool:
        """Note that the work on a job has begun; False: it is no longer waiting.

        Raises:
            StoreError: it can't be written.
        """
        now = now_us()
        return self._changed(job, ("queued",), {"state": "running", "begun": now, "beat": now})

    def progress(self, job: str, progress: Raw) -> bool:
        """Note how far a job is; False: it is not running.

        Raises:
            StoreError: it can't be written.
        """
        values = {"progress": as_json(progress), "beat": now_us()}
        return self._changed(job, ("running",), values)

    def finish(self, job: str, state: str, result: Raw) -> bool:
        """Note how a job ended; False: it had ended already, and stays as it was.

        Args:
            job: its id.
            state: one of `FINISHED`.
            result: the answer, or what went wrong.

        Raises:
            StoreError: it can't be written.
        """
        values = {"state": state, "result": as_json(result), "ended": now_us()}
        return self._changed(job, UNFINISHED, values)

    def beat(self, jobs: Collection[str]) -> None:
        """Note that the server of these unfinished jobs lives.

        Raises:
            StoreError: it can't be written.
        """
        if jobs:
            with self._database.writing() as connection:
                which = update(tables.jobs).where(_J.id.in_(sorted(jobs)))
                connection.execute(which.values(beat=now_us()))

    def interrupt(self, *, silent_s: float, result: Raw) -> tuple[str, ...]:
        """Mark as interrupted what no server works on any more: the ids of these jobs.

        Args:
            silent_s: seconds for which their server has said nothing; 0: whatever it said.
            result: what is told about them.

        Raises:
            StoreError: it can't be written.
        """
        now = now_us()
        dead: ColumnElement[bool] = _J.state.in_(UNFINISHED)
        if silent_s:  # else all are, even those that a clock wrote which has been set back since
            dead &= _J.beat <= now - int(silent_s * 1e6)
        with self._database.writing() as connection:
            asked = select(_J.id).where(dead).order_by(_J.id).with_for_update(key_share=True)
            found = connection.execute(asked).scalars().all()
            for job in found:
                values = {
                    "state": "interrupted", "result": as_json(result), "ended": now,
                    "changed": next_number(connection),
                }  # fmt: skip
                connection.execute(update(tables.jobs).where(_J.id == job).values(values))
        return tuple(found)

    def job(self, job: str) -> Job:
        """A job by its id.

        Raises:
            NotKeptError: there is none.
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            found = connection.execute(_JOBS.where(_J.id == job)).one_or_none()
        if found is None:
            raise NotKeptError(f"there is no job {as_text(job)[:40]!r} here")
        return _job(found)

    def listed(self, client: str, *, before: int | None = None, most: int = 50) -> tuple[Job, ...]:
        """The jobs of a client, the one that changed last first.

        Args:
            client: who asked.
            before: the `changed` of the last row of the page before.
            most: rows of a page.

        Raises:
            StoreError: they can't be read.
        """
        wanted = _JOBS.where(_J.client == client).order_by(_J.changed.desc()).limit(most)
        if before is not None:
            wanted = wanted.where(_J.changed < before)
        with self._database.reading() as connection:
            return tuple(map(_job, connection.execute(wanted).all()))

    def _changed(self, job: str, states: Collection[str], values: dict[str, object]) -> bool:
        """Change a job that is in one of these states; whether it was."""
        with self._database.writing() as connection:
            # The row is locked before the counter, as everywhere: else two would wait in a circle.
            asked = select(_J.state).where(_J.id == job).with_for_update(key_share=True)
            if connection.execute(asked).scalar_one_or_none() not in states:
                return False
            values = values | {"changed": next_number(connection)}
            connection.execute(update(tables.jobs).where(_J.id == job).values(values))
        return True


_J = tables.jobs.c
_JOBS = select(*(_J[name] for name in Job._fields))


def _job(row: Sequence[object]) -> Job:
    found = Job._make(row)
    return found._replace(
        question=from_json(str(found.question)),
        progress=from_json(str(found.progress)),
        result=None if found.result is None else from_json(str(found.result)),
    )
