"""Bells that wake those who watch a game, a table or a job when it has changed.

A bell carries nothing. Who is woken asks what is new since the revision known there, so a slow
client never piles up messages: it misses rings, not changes.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Bells", "Listener"]


class Listener:
    """Somebody who watches topics.

    Attributes:
        rung: topics that have changed since they were taken last.
    """

    def __init__(self) -> None:
        self.rung: set[str] = set()
        self._woken = asyncio.Event()

    def wake(self, topic: str) -> None:
        """A topic has changed."""
        self.rung.add(topic)
        self._woken.set()

    async def taken(self, within_s: float | None = None) -> set[str]:
        """The topics that have changed, as soon as there are any; none: time is over."""
        try:
            await asyncio.wait_for(self._woken.wait(), within_s)
        except TimeoutError:
            return set()
        self._woken.clear()
        taken, self.rung = self.rung, set()
        return taken


class Bells:
    """Bells by topic, such as `game:3f...`; they are rung from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many sockets and streams are open."""
        return self._open.total()

    def n_of(self, client: str) -> int:
        """How many sockets and streams of a client are open."""
        return self._open[client]

    @contextmanager
    def listening(self, client: str) -> Iterator[Listener]:
        """Somebody who watches nothing yet, for a client."""
        listener = Listener()
        self._open[client] += 1
        try:
            yield listener
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
            for topic in [t for t, heard in self._listeners.items() if listener in heard]:
                self.leave(listener, topic)

    def watch(self, listener: Listener, topic: str) -> None:
        """Let somebody watch a topic."""
        self._listeners[topic].add(listener)

    def leave(self, listener: Listener, topic: str) -> None:
        """Let somebody watch a topic no more."""
        heard = self._listeners.get(topic)
        if heard is not None:
            heard.discard(listener)
            if not heard:
                del self._listeners[topic]

    def ring(self, topic: str) -> None:
        """Wake all who watch a topic; from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ring, topic)

    def _ring(self, topic: str) -> None:
        for listener in self._listeners.get(topic, ()):
            listener.wake(topic)
