"""Chunks of work for several workers, the results in order whoever brings them.

Workers are processes where they can be forked off, which takes a few milliseconds and hands them
everything that was worked out so far; else they are threads, which get in each other's way, but
share what they work out.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

__all__ = ["Halted", "Work", "added_up"]

T = TypeVar("T")

Work = Callable[[int, Callable[[], bool]], T]
"""Does the chunk with a number; asks now and then whether to break off, and raises `Halted`."""

PATIENCE_S = 0.05
"""How often a wish to stop is looked for while others are at work."""


class Halted(Exception):  # noqa: N818  # no error: somebody wants it to stop
    """Work was broken off."""


def added_up(
    work: Work[T],
    told: Callable[[T], bool],
    plus: Callable[[T, T], T],
    how: tuple[int, int, Callable[[], bool] | None],
) -> tuple[T, bool]:
    """Add up what chunks bring, in order, until it is enough; and whether it was broken off.

    Args:
        work: does a chunk.
        told: is told of every sum; whether it is enough.
        plus: adds up two results.
        how: how many chunks and workers, and what says whether somebody wants it to stop.

    Raises:
        KeyboardInterrupt: broken off before there was anything.
    """
    whole: T | None = None
    parts = _each(work, *how)
    try:
        for part in parts:
            whole = part if whole is None else plus(whole, part)
            if told(whole):
                break
    except (Halted, KeyboardInterrupt):
        if whole is None:
            raise KeyboardInterrupt from None
        return whole, True
    finally:
        parts.close()
    assert whole is not None  # there is at least one chunk
    return whole, False


def _each(
    work: Work[T], chunks: int, workers: int, stop: Callable[[], bool] | None
) -> Generator[T, None, None]:
    """What each chunk brings, in order.

    Raises:
        Halted: `stop` said so.
    """
    wish = stop or _never
    workers = min(workers, chunks)
    if workers > 1:
        team = _processes if _can_fork() else _threads
        yield from team(work, chunks, workers, wish)
        return
    for chunk in range(chunks):
        yield work(chunk, wish)


def _never() -> bool:
    return False


def _can_fork() -> bool:
    """Only the main thread forks: a server's other threads may hold whatever a child needs."""
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread()


def _threads(
    work: Work[T], chunks: int, workers: int, wish: Callable[[], bool]
) -> Generator[T, None, None]:
    halt = threading.Event()
    waiting: deque[Future[T]] = deque()
    pool = ThreadPoolExecutor(workers)
    try:
        for chunk in range(chunks):
            waiting.append(pool.submit(work, chunk, halt.is_set))
            if len(waiting) > workers:
                yield _waited(waiting.popleft(), wish)
            if wish():
                raise Halted
        while waiting:
            yield _waited(waiting.popleft(), wish)
    finally:
        halt.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _waited(future: Future[T], wish: Callable[[], bool]) -> T:
    while True:
        try:
            return future.result(PATIENCE_S)
        except NotYet:
            if wish():
                raise Halted from None


def _processes(
    work: Work[T], chunks: int, workers: int, wish: Callable[[], bool]
) -> Generator[T, None, None]:
    """Chunks in turn: to this process, and to each that it forks off."""
    context = get_context("fork")
    children, lines = [], []
    try:
        for number in range(1, workers):
            line, their_end = context.Pipe(duplex=False)
            mine = range(number, chunks, workers)
            child = context.Process(target=_child, args=(work, mine, their_end), daemon=True)
            child.start()
            their_end.close()
            children.append(child)
            lines.append(line)
        for chunk in range(chunks):
            number = chunk % workers
            if number == 0:
                yield work(chunk, wish)
            else:
                yield _received(lines[number - 1], work, chunk, wish)
    finally:
        for child in children:
            child.terminate()
            child.join()


def _child(work: Work[T], chunks: range, line: Connection) -> None:
    # Whoever interrupts the parent interrupts its children; it will end them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for chunk in chunks:
            line.send((work(chunk, _never), None))
    except Exception as error:  # whatever it is, the parent raises it again
        line.send((None, error))


def _received(line: Connection, work: Work[T], chunk: int, wish: Callable[[], bool]) -> T:
    """What a child brings; if it is no more, the chunk is done here."""
    while not line.poll(PATIENCE_S):
        if wish():
            raise Halted
    try:
        result, error = line.recv()
    except EOFError:
        return work(chunk, wish)
    if error is not None:
        raise error
    found: T = result
    return found
