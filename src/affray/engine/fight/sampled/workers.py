"""Chunks of work for several workers; the results come in the order of the chunks.

Workers are processes where they can be forked off, which takes a few milliseconds and hands them
everything that was worked out so far; else they are threads, which get in each other's way, but
share what they work out.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, TypeVar

from affray.core.errors import AffrayError, LimitError
from affray.core.meter import metered
from affray.engine.budget import Clock
from affray.engine.watchdog import watched_here_too

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

__all__ = ["Halted", "Work", "added_up", "can_fork", "end_with_parent"]

T = TypeVar("T")

Work = Callable[[int], T]
"""Does the chunk with a number; asks the meter in force now and then, which may raise."""

PR_SET_PDEATHSIG = 1
PATIENCE_S = 0.05
"""Seconds between two looks for a wish to stop while others are at work."""


class Halted(Exception):  # noqa: N818  # no error: others work for nothing
    """Work is no longer wanted."""


class _Wanted(Clock):
    """The clock of a thread that helps: it also stops when its work is no longer wanted."""

    halt: threading.Event

    def over(self) -> str:
        """The limit that is reached, or ""."""
        if self.halt.is_set():
            raise Halted
        return super().over()


def added_up(
    work: Work[T],
    told: Callable[[T], bool],
    plus: Callable[[T, T], T],
    how: tuple[int, int, Clock],
) -> tuple[T, str]:
    """Add up what chunks bring, in order, until it is enough; and the limit that broke it off.

    Args:
        work: does a chunk.
        told: is told of every sum; whether it is enough.
        plus: adds up two results.
        how: how many chunks and workers, and the clock that runs.

    Raises:
        LimitError: broken off before there was anything.
        KeyboardInterrupt: the same, by the user.
    """
    whole: T | None = None
    parts = _each(work, *how)
    try:
        for part in parts:
            whole = part if whole is None else plus(whole, part)
            if told(whole):
                break
    except KeyboardInterrupt:
        if whole is None:
            raise
        return whole, "interrupted"
    except LimitError as error:
        if whole is None or error.limit not in {"seconds", "interrupted", "bytes"}:
            raise
        return whole, error.limit
    finally:
        parts.close()
    assert whole is not None  # there is at least one chunk
    return whole, ""


def _each(work: Work[T], chunks: int, workers: int, clock: Clock) -> Generator[T, None, None]:
    """The result of each chunk, in order.

    Raises:
        LimitError: the budget is spent.
    """
    workers = min(workers, chunks)
    if workers > 1:
        team = _processes if can_fork() else _threads
        yield from team(work, chunks, workers, clock)
        return
    for chunk in range(chunks):
        if chunk:  # the first one asks for itself
            clock.poll()
        yield work(chunk)


def can_fork() -> bool:
    """Only the main thread forks: a server's other threads may hold whatever a child needs."""
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread()


def _threads(work: Work[T], chunks: int, workers: int, clock: Clock) -> Generator[T, None, None]:
    from concurrent.futures import ThreadPoolExecutor  # heavy; most work is done by one worker

    halt = threading.Event()
    waiting: deque[Future[T]] = deque()
    pool = ThreadPoolExecutor(workers)

    def helped(chunk: int) -> T:
        mine = _Wanted(clock.budget._replace(seconds=None, stop=None, progress=None), clock)
        mine.halt = halt
        with metered(mine):
            return work(chunk)

    try:
        for chunk in range(chunks):
            waiting.append(pool.submit(helped, chunk))
            if len(waiting) > workers:
                yield _waited(waiting.popleft(), clock)
            clock.poll()
        while waiting:
            yield _waited(waiting.popleft(), clock)
    finally:
        halt.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _waited(future: Future[T], clock: Clock) -> T:
    while True:
        try:
            return future.result(PATIENCE_S)
        except TimeoutError:
            clock.poll()


def _processes(work: Work[T], chunks: int, workers: int, clock: Clock) -> Generator[T, None, None]:
    """Chunks in turn: to this process, and to each that it forks off."""
    from multiprocessing import get_context  # heavy; most work is done by one worker

    context = get_context("fork")
    children, lines = [], []
    try:
        for number in range(1, workers):
            line, their_end = context.Pipe(duplex=False)
            mine = range(number, chunks, workers)
            child = context.Process(target=_child, args=(work, mine, their_end, clock), daemon=True)
            child.start()
            their_end.close()
            children.append(child)
            lines.append(line)
        for chunk in range(chunks):
            if chunk:
                clock.poll()
            number = chunk % workers
            if number == 0:
                yield work(chunk)
            else:
                yield _received(lines[number - 1], work, chunk, clock)
    finally:
        for child in children:
            child.kill()
            child.join()


def _child(work: Work[T], chunks: range, line: Connection, clock: Clock) -> None:
    # An interrupt reaches the parent and its children; the parent will end them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    watched_here_too()
    try:
        with metered(clock.in_a_child()):
            for chunk in chunks:
                line.send((work(chunk), None))
    except AffrayError as error:
        line.send((None, error))
    except BaseException:  # the parent does the chunk, and sees where it is raised
        line.close()


def end_with_parent() -> None:
    """End this process as soon as the one that started it is no more, however that ended."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is None or _killed_with(parent.pid):
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _killed_with(parent: int | None) -> bool:
    """Have Linux kill this process when its parent ends; False where that can't be had."""
    if sys.platform != "linux":
        return False
    try:
        import ctypes

        done = bool(ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL) == 0)
    except (ImportError, OSError, AttributeError):
        return False
    if os.getppid() != parent:  # it ended before
        os._exit(1)
    return done


def _received(line: Connection, work: Work[T], chunk: int, clock: Clock) -> T:
    """The result from a child; if the child is gone, the chunk is done here."""
    while not line.poll(PATIENCE_S):
        clock.poll()
    try:
        result, error = line.recv()
    except EOFError:
        return work(chunk)
    if error is not None:
        raise error
    found: T = result
    return found
