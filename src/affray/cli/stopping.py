"""Long work that can be stopped: the first Ctrl-C asks for the result so far, the second ends it.

Progress with the time left goes to stderr where somebody looks.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

__all__ = ["Watch", "watching"]


class Watch:
    """What long work tells, and whether it is asked to stop."""

    def __init__(self, bar: Bar | None) -> None:
        self.stopped = self.ended = False
        self._bar = bar

    def stop(self) -> bool:
        """Whether somebody pressed Ctrl-C."""
        return self.stopped

    def battles(self, done: int, wanted: int | None, error: float) -> None:
        """So many battles are done."""
        if self._bar is not None:
            self._bar.show(done, wanted, f"{done:,} battles, ±{error:.2f} %")

    def pairs(self, done: int, wanted: int, what: str) -> None:
        """So many pairs are done; `what` is next."""
        if self._bar is not None:
            self._bar.show(done, wanted, f"{done} of {wanted} pairs, {what}")

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """The first time it is noted, the second time it ends everything."""
        if self.stopped:
            self.ended = True
            raise KeyboardInterrupt
        self.stopped = True


class Bar(Protocol):
    """Shows how far work is."""

    def show(self, done: int, wanted: int | None, text: str) -> None:
        """So much is done."""
        ...


@contextmanager
def watching() -> Iterator[Watch]:
    """Watch long work: a bar on a terminal, Ctrl-C as told above.

    Raises:
        KeyboardInterrupt: the second Ctrl-C.
    """
    with _bar() as bar:
        watch = Watch(bar)
        before = signal.signal(signal.SIGINT, watch.interrupt)
        try:
            yield watch
        finally:
            signal.signal(signal.SIGINT, before)
        if watch.ended:
            # Whoever worked may have taken the second Ctrl-C for the first one.
            raise KeyboardInterrupt


@contextmanager
def _bar() -> Iterator[Bar | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(24), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn(compact=True),
        TextColumn("{task.description}"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("getting ready", total=None)

        class Shown:
            def show(self, done: int, wanted: int | None, text: str) -> None:
                progress.update(task, completed=done, total=wanted, description=text)

        yield Shown()
