"""Work in another process is stopped through an event that both processes share."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from time import monotonic

import pytest

from affray.app.best import ask_best
from affray.app.duel import ask_duel
from affray.app.sources import Shipped
from affray.core.errors import LimitError
from affray.engine.budget import Budget, Progress

LATE_S, UNDER_LOAD_S = 0.2, 1.8


def work(kind: str, stop: Event, told: Connection) -> None:
    """Long work that says when it is under way, and what has ended it."""
    said: list[str] = []

    def tell(_: Progress) -> None:
        if not said:
            said.append("under way")
            told.send("under way")

    budget = Budget(seconds=60, places=10**7, pairs=10**7, stop=stop.is_set, progress=tell)
    try:
        if kind == "best":
            ask_best("eclipse-phase", Shipped("pack"), budget=budget)
        else:
            ask_duel("eclipse-phase", "from-the-shadows", budget=budget)
        told.send("done")
    except LimitError as error:
        told.send(error.limit)


@pytest.mark.parametrize("kind", ["best", "duel"])
def test_an_event_stops_work_in_a_spawned_process(kind: str) -> None:
    context = multiprocessing.get_context("spawn")
    stop, (here, there) = context.Event(), context.Pipe(duplex=False)
    process = context.Process(target=work, args=(kind, stop, there))
    process.start()
    try:
        assert here.poll(60)
        assert here.recv() == "under way"
        began = monotonic()
        stop.set()
        assert here.poll(60)
        assert here.recv() == "interrupted"
        assert monotonic() - began < LATE_S + UNDER_LOAD_S
        process.join(60)
        assert process.exitcode == 0
    finally:
        process.kill()
        process.join()
