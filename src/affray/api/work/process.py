"""What a worker process does: `python -m affray.api.work.process`, with pipes to its server.

It is told what to answer on standard input and answers on standard output, one task after the
other. A thread listens for the wish to stop, and ends the process when the server is gone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Mapping
from contextlib import suppress
from queue import SimpleQueue
from time import monotonic
from typing import BinaryIO, cast

from affray.api.work.errors import as_data
from affray.api.work.frames import Message, packed, read
from affray.api.work.questions import (
    Question,
    prepare_to_refuse,
    questions_in,
    read_question,
    warm,
)
from affray.app.views.envelope import View, plain, to_json
from affray.core.telling import AffrayWarning
from affray.engine.budget import Budget, Progress
from affray.engine.watchdog import a_rule_may_take, rules_come_back

__all__ = ["LIMITS", "main"]

LIMITS = ("places", "pairs", "battles", "seconds", "bytes")
"""The limits of a budget that travel."""
BETWEEN_PROGRESS_S = 0.2
SPARE = 2
"""So many times the memory that a worker may take can be asked of the system at once."""


class Worker:
    """One worker.

    Args:
        tasks, replies: the pipes.
    """

    def __init__(self, tasks: BinaryIO, replies: BinaryIO) -> None:
        self._tasks, self._replies = tasks, replies
        self._waiting: SimpleQueue[Message] = SimpleQueue()
        self._stopped = 0
        """The number of the last task that was to be stopped."""

    def run(self) -> None:
        """Answer until the server is gone."""
        first = read(self._tasks)
        if first is None:
            return
        known = questions_in(str(first["questions"]))
        _be_nice(cast("int", first["nice"]))
        _bound(cast("int", first["memory"]))
        warm(light=bool(first["light"]))
        threading.Thread(target=self._listen, daemon=True).start()
        self._tell({"ready": os.getpid()})
        prepare_to_refuse()
        while True:
            self._answer(self._waiting.get(), known)

    def _listen(self) -> None:
        """Take tasks and wishes to stop from the pipe; its end is the end of this process."""
        while (message := read(self._tasks)) is not None:
            if "stop" in message:
                self._stopped = max(self._stopped, cast("int", message["stop"]))
            else:
                self._waiting.put(message)
        os._exit(0)

    def _answer(self, task: Message, known: Mapping[str, type[Question]]) -> None:
        try:
            with warnings.catch_warnings(), rules_come_back():
                # Views have the same as notes.
                warnings.simplefilter("ignore", AffrayWarning)
                budget = self._budget(task)
                a_rule_may_take(budget.seconds or 0)
                name, arguments = task["question"], task["arguments"]
                question = read_question(str(name), cast("Message", arguments), known)
                view = to_json(question.view(budget))
                reply = packed({"task": task["task"], "view": view, "repeats": question.repeats})
        except BaseException as error:  # whatever it is, it is the answer
            leaves = isinstance(error, MemoryError)
            reply = packed({"task": task["task"], "error": as_data(error), "leaves": leaves})
            if leaves:
                self._write(reply)
                os._exit(1)
        self._write(reply)

    def _budget(self, task: Message) -> Budget:
        number, told = cast("int", task["task"]), 0.0
        limits = cast("dict[str, float]", task["budget"])

        def stop() -> bool:
            return self._stopped >= number

        def tell(progress: Progress) -> None:
            nonlocal told
            if monotonic() > told + BETWEEN_PROGRESS_S:
                told = monotonic()
                told_of = cast("Message", plain(progress._replace(found=None)))
                if progress.found is not None:
                    told_of["so_far"] = to_json(cast("View", progress.found()))
                self._tell({"task": number, "progress": told_of})

        return Budget(**limits, stop=stop, progress=tell)  # type: ignore[arg-type]  # numbers

    def _tell(self, message: Message) -> None:
        self._write(packed(message))

    def _write(self, reply: bytes) -> None:
        try:
            self._replies.write(reply)
            self._replies.flush()
        except BrokenPipeError:
            os._exit(0)


def _be_nice(more: int) -> None:
    """Leave the processor to the server, where that can be said."""
    if hasattr(os, "nice"):
        os.nice(more)


def _bound(memory: int) -> None:
    """Have the system refuse what would take far more memory at once; a watcher does the rest."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = SPARE * memory if hard == resource.RLIM_INFINITY else min(SPARE * memory, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server, which nothing that prints or reads can disturb any more."""
    tasks, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return tasks, replies


def main() -> None:
    """Be a worker."""
    tasks, replies = _pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's, who ends us
    sys.stdout = sys.stderr
    Worker(tasks, replies).run()


if __name__ == "__main__":
    main()
