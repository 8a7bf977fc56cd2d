"""Long work asks a meter, now and then, whether it may go on.

Whoever counts, follows or solves knows no clock and no budget: it tells the meter that is in force
how much it has done (`tick`), and says beforehand what it is about to hold in memory (`claim`).
The meter lets it go on or raises `LimitError`. Budgets of the engine put meters in force; without
one only what is too large for memory is refused.

Whatever asks must be fit to be broken off there: nothing is half entered anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from affray.core.errors import LimitError

__all__ = ["MOST_BYTES", "Meter", "in_portions", "meter_in_force", "metered", "spelled_bytes"]

T = TypeVar("T")

MOST_BYTES = 900_000_000
"""Memory that one piece of work may take, unless a budget says otherwise."""
PORTION = 2_048
"""Items to go through before asking the meter again."""


class Meter:
    """Lets everything go on that fits into memory.

    Attributes:
        asked: changes when it is asked, though not each time.
    """

    asked: float = 0.0

    def tick(self, work: int = 1) -> None:
        """So much was done; may it go on?

        Raises:
            LimitError: no.
        """

    def poll(self) -> None:
        """May it go on? Asked where much is done between two questions.

        Raises:
            LimitError: no.
        """

    def claim(self, n_bytes: int, what: str) -> None:
        """So much memory will be needed at once; may it be taken?

        Args:
            n_bytes: how much.
            what: for which thing, for the message.

        Raises:
            LimitError: no; nothing was taken.
        """
        if n_bytes > MOST_BYTES:
            raise LimitError(
                f"{what} would take {spelled_bytes(n_bytes)} of memory; allowed: "
                f"{spelled_bytes(MOST_BYTES)}",
                limit="bytes",
            )

    def foresee(self, seconds: float, what: str) -> None:
        """So much time will pass without a question; is it there?

        Raises:
            LimitError: no; nothing was begun.
        """


_FREE = Meter()
_IN_FORCE: ContextVar[Meter] = ContextVar("affray_meter", default=_FREE)

meter_in_force = _IN_FORCE.get
"""The meter that work has to ask now."""


@contextmanager
def metered(meter: Meter) -> Iterator[None]:
    """Put a meter in force, in this thread."""
    token = _IN_FORCE.set(meter)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def in_portions(things: Sequence[T]) -> Iterator[Sequence[T]]:
    """Things in portions, with a question to the meter before each."""
    meter = meter_in_force()
    for start in range(0, len(things), PORTION):
        meter.poll()
        yield things[start : start + PORTION]


def spelled_bytes(n_bytes: int) -> str:
    """An amount of memory in words.

    >>> spelled_bytes(5_321_000_000), spelled_bytes(2_000_000)
    ('5.3 GB', '2 MB')
    """
    if n_bytes >= 1_000_000_000:
        return f"{n_bytes / 1e9:.1f} GB" if n_bytes < 1e15 else "over 1,000,000 GB"
    return f"{max(1, round(n_bytes / 1e6))} MB"
