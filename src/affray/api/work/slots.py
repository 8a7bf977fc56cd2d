"""One slot for a worker process: starts it, gives it tasks, ends and replaces it."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, cast

import psutil

from affray.api.work.errors import WorkerLostError, again
from affray.api.work.frames import Message, packed, received
from affray.core.errors import AffrayError, LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import spelled_bytes

__all__ = ["Reply", "Setting", "Slot", "Task"]

TO_START_S = 60.0
"""Seconds that a worker may take to be ready, on a machine that is busy."""
AFTER_STOP_S = 2.0
"""Seconds after a wish to stop when a worker that still works is killed."""
BETWEEN_LOOKS_S = 0.2
"""Seconds between two looks at the memory of a worker at work."""
OVER_S, OVER = 3.0, 1.0
"""Work may take so much longer than its seconds, and so many times as long again: the first battle
of a sample may, and a busy machine is no fault of the work. Then it is stopped from outside."""
HARD = 1.25
"""At so many times its memory a worker is killed at once."""
TO_END_S = 1.0
"""Seconds that a worker has to end by itself when its pipe is closed."""
NICE_LIGHT, NICE = 10, 19
"""How much workers leave the processor to others: first to the server, then to short questions."""
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


class Setting(NamedTuple):
    """What all workers have in common.

    Attributes:
        questions: where the questions stand that they know, as `module:NAME`.
        memory: bytes that a worker may take.
    """

    questions: str
    memory: int


class Task(NamedTuple):
    """A task as it goes to a worker.

    Attributes:
        seconds: how long it may take; the rest stands in `budget` as well.
        progress: told how far it is.
    """

    question: str
    arguments: Message
    budget: dict[str, float]
    seconds: float
    progress: Callable[[Message], None]


class Reply(NamedTuple):
    """A view as JSON; `repeats`: whether the same arguments give the same."""

    view: Message
    repeats: bool


State = Literal["starting", "idle", "busy", "dead"]


class Slot:
    """A place for one worker.

    Args:
        number: from 0.
        light: whether it takes short questions only.
        setting: what all have in common.
        changed: called when the process ends by itself.
    """

    def __init__(
        self, number: int, setting: Setting, changed: Callable[[], None], *, light: bool
    ) -> None:
        self.number, self.light = number, light
        self.state: State = "dead"
        self.done = self.killed = self.replaced = 0
        self._setting, self._changed = setting, changed
        self._process: Process | None = None
        self._task = 0
        self._ended_by = ""
        self._leaves = False
        self._timers: list[asyncio.TimerHandle] = []

    # -- the process ---------------------------------------------------------------------------

    @property
    def pid(self) -> int | None:
        """The process that is here; None: there is none."""
        return None if self._process is None else self._process.pid

    @property
    def memory(self) -> int:
        """Bytes that the process takes; 0: there is none."""
        if self._process is None:
            return 0
        try:
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0

    @property
    def is_alive(self) -> bool:
        """Whether there is a process that can work."""
        return (
            self._process is not None and self._process.returncode is None
            and not self._leaves and not self._stdout.at_eof()
        )  # fmt: skip

    async def start(self) -> None:
        """Start a process and wait until it is ready.

        Raises:
            WorkerLostError: it ended before that, or takes too long.
        """
        self.state, self._ended_by, self._leaves = "starting", "", False
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
        }
        env.update({name: "1" for name in ONE_THREAD if name not in env})
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "affray.api.work.process", stdin=PIPE, stdout=PIPE, env=env
        )
        try:
            nice = NICE_LIGHT if self.light else NICE
            self._send({**self._setting._asdict(), "light": self.light, "nice": nice})
            first = await asyncio.wait_for(received(self._stdout), TO_START_S)
        except TimeoutError:
            first = None
        except BaseException:
            await self.end()
            raise
        if first is None:
            await self.end()
            raise WorkerLostError("a worker could not be started; the server's log says why")
        self.state = "idle"
        asyncio.ensure_future(self._process.wait()).add_done_callback(lambda _: self._changed())

    @property
    def _stdout(self) -> asyncio.StreamReader:
        assert self._process is not None  # it was started
        assert self._process.stdout is not None  # with a pipe
        return self._process.stdout

    def _send(self, message: Message) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(ConnectionError):  # that it is gone is seen where it is listened to
                self._process.stdin.write(packed(message))

    def kill(self, why: str) -> None:
        """End the process at once; whoever waits for it is told why."""
        if self.is_alive and not self._ended_by:
            self._ended_by = why
            self.killed += 1
            assert self._process is not None  # it lives
            with suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        """End the process, quickly but without haste, and wait until it is gone."""
        process, self._process, self.state = self._process, None, "dead"
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), TO_END_S)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    # -- a task --------------------------------------------------------------------------------

    async def work(self, task: Task) -> Reply:
        """Have a task done.

        Raises:
            WorkerLostError: the process ended meanwhile.
            LimitError: it was ended since it took too much memory, or too long.
            AffrayError: what the question came to.
        """
        self.state = "busy"
        self._task += 1
        left = self._setting.memory - self.memory
        most = min(task.budget.get("bytes", left), max(0, left))
        self._send({
            "task": self._task, "question": task.question, "arguments": task.arguments,
            "budget": {**task.budget, "seconds": task.seconds, "bytes": most},
        })  # fmt: skip
        loop = asyncio.get_running_loop()
        late = task.seconds * (1 + OVER) + OVER_S
        self._timers.append(loop.call_later(late, self._too_late))
        watcher = asyncio.ensure_future(self._watch())
        try:
            return await self._replied(task)
        finally:
            watcher.cancel()
            for timer in self._timers:
                timer.cancel()
            self._timers.clear()
            self.done += 1
            self.state = "idle" if self.is_alive else "dead"

    async def _replied(self, task: Task) -> Reply:
        while (reply := await received(self._stdout)) is not None:
            if "progress" in reply:
                task.progress(cast("Message", reply["progress"]))
            elif "error" in reply:
                self._leaves = bool(reply["leaves"])
                raise again(cast("Message", reply["error"]))
            else:
                return Reply(cast("Message", reply["view"]), bool(reply["repeats"]))
        raise self._lost(task)

    def _lost(self, task: Task) -> AffrayError:
        if self._ended_by == "bytes":
            most = spelled_bytes(self._setting.memory)
            return LimitError(
                f"stopped: it took more memory than a worker may, which is {most}", limit="bytes"
            )
        if self._ended_by == "seconds":
            return LimitError(
                f"stopped from outside: it may take {task.seconds:g} seconds and went on beyond "
                "them",
                limit="seconds",
            )
        if self._ended_by:
            return LimitError("interrupted", limit="interrupted")
        return WorkerLostError(
            "the worker that was at it ended unexpectedly; another one takes its place, so ask "
            "again"
        )

    def _too_late(self) -> None:
        self.stop("seconds")

    def stop(self, why: str = "interrupted") -> None:
        """Tell the process to stop its task; killed if it doesn't."""
        self._send({"stop": self._task})
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(AFTER_STOP_S, self.kill, why))

    async def _watch(self) -> None:
        """Look at the memory of a process at work."""
        while True:
            await asyncio.sleep(BETWEEN_LOOKS_S)
            if self.memory > HARD * self._setting.memory:
                self.kill("bytes")

    @property
    def is_swollen(self) -> bool:
        """Whether the process takes more memory than it may, and is to be replaced."""
        return self.memory > self._setting.memory

    @property
    def seen(self) -> dict[str, object]:
        """What can be seen of it."""
        return {
            "slot": self.number, "light": self.light, "pid": self.pid, "state": self.state,
            "memory": self.memory, "done": self.done, "killed": self.killed,
            "replaced": self.replaced,
        }  # fmt: skip
