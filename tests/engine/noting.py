"""A clock that stops nobody and notes what it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from affray.core.meter import metered
from affray.engine.budget import Budget, Clock


class Noting(Clock):
    """Notes in the place of limits.

    Attributes:
        claims: bytes that are about to be taken, each with what takes them.
        polls: how much was done at each look at the clock.
    """

    def __init__(self) -> None:
        super().__init__(Budget())
        self.claims: list[tuple[int, str]] = []
        self.polls: list[int] = []

    def claim(self, n_bytes: int, what: str) -> None:
        """Note a claim."""
        self.claims.append((n_bytes, what))

    def poll(self) -> None:
        """Note a look at the clock."""
        self.polls.append(self.now.done)


@contextmanager
def noting() -> Iterator[Noting]:
    """Put such a clock in force."""
    clock = Noting()
    with metered(clock):
        yield clock
