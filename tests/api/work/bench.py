"""Workers for tests, with questions that misbehave, and an event loop for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from affray.api.work.slots import Slot
from affray.api.work.workers import Size, Workers

T = TypeVar("T")

ODD = "tests.api.work.odd_questions:QUESTIONS"
PATIENCE_S = 60.0
"""Seconds after which a test gives up, on a machine that is very busy."""
MEMORY = 200_000_000


class Bench:
    """Workers and the loop in which they run.

    Args:
        runner: runs whatever a test awaits.
        workers: two of them.
    """

    def __init__(self, runner: asyncio.Runner, workers: Workers) -> None:
        self._runner, self.workers = runner, workers

    def run(self, work: Coroutine[object, object, T]) -> T:
        """Await something, though not for ever."""
        return self._runner.run(asyncio.wait_for(work, PATIENCE_S))


@contextmanager
def bench(number: int = 2, size: Size = Size(memory=MEMORY)) -> Iterator[Bench]:  # noqa: B008
    """Workers in a loop, and an end to both."""
    with asyncio.Runner() as runner:
        workers = Workers(number, size, questions=ODD)
        runner.run(workers.__aenter__())
        try:
            yield Bench(runner, workers)
        finally:
            runner.run(workers.__aexit__(None, None, None))


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    while not is_so():
        await asyncio.sleep(0.005)


async def idle(*slots: Slot) -> None:
    """Wait until these have nothing to do."""
    await until(lambda: all(slot.state == "idle" for slot in slots))


async def begun(file: Path) -> int:
    """Wait until a question says that it began; the process that it is in."""
    await until(lambda: file.exists() and bool(file.read_text()))
    return int(file.read_text())
