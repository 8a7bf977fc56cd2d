"""Long work that is bounded and can be stopped: limits, progress, Ctrl-C.

The first Ctrl-C asks for what is known so far, the second ends it. How far work is goes to stderr
where somebody looks.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from affray.engine.budget import Budget, Progress
from affray.engine.watchdog import a_rule_may_take

__all__ = ["USUAL_SECONDS", "Watch", "usual_budget", "watching"]

USUAL_SECONDS = 45.0
"""The seconds that a command works, unless it is told otherwise."""


class Watch:
    """Progress of long work on the screen, and Ctrl-C."""

    def __init__(self, bar: Bar | None) -> None:
        self.stopped = self.ended = False
        self._bar = bar

    def stop(self) -> bool:
        """Whether somebody pressed Ctrl-C."""
        return self.stopped

    def tell(self, progress: Progress) -> None:
        """Show how far the work is."""
        if self._bar is None:
            return
        work, done, wanted, error, note = progress[:5]
        of = "" if wanted is None or error is not None else f" of {wanted:,}"
        parts = (f"{done:,}{of} {work}", "" if error is None else f"±{error:.2f} %", note)
        self._bar.show(done, wanted, ", ".join(filter(None, parts)))

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """The first time it is noted, the second time it ends everything."""
        if self.stopped:
            self.ended = True
            # A third one ends the process wherever it is.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            raise KeyboardInterrupt
        self.stopped = True

    def budget(self, seconds: float | None = None, places: int | None = None) -> Budget:
        """The budget of a command.

        Args:
            seconds: None: as long as is usual.
            places: None: as many as is usual.
        """
        return usual_budget(seconds, places)._replace(stop=self.stop, progress=self.tell)


def usual_budget(seconds: float | None = None, places: int | None = None) -> Budget:
    """The budget of a command whose user gave these limits, or none."""
    if seconds is None:
        seconds = USUAL_SECONDS
    a_rule_may_take(seconds)
    return Budget(places, seconds=seconds)


class Bar(Protocol):
    """Shows how far work is."""

    def show(self, done: int, wanted: int | None, text: str) -> None:
        """So much is done."""
        ...


@contextmanager
def watching(on: str = "getting ready") -> Iterator[Watch]:
    """Watch long work: a bar on a terminal, Ctrl-C as told above.

    Where SIGINT is ignored, as shells do for what runs in the background, it stays so.

    Args:
        on: what is done, until it tells more.

    Raises:
        KeyboardInterrupt: the second Ctrl-C.
    """
    with _bar(on) as bar:
        watch = Watch(bar)
        before = signal.getsignal(signal.SIGINT)
        heard = threading.current_thread() is threading.main_thread()
        if heard and before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, watch.interrupt)
        try:
            yield watch
        finally:
            if heard:
                signal.signal(signal.SIGINT, before)
        if watch.ended:
            # Whoever worked may have taken the second Ctrl-C for the first one.
            raise KeyboardInterrupt


@contextmanager
def _bar(on: str) -> Iterator[Bar | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        BarColumn(24), TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(on, total=None)

        class Shown:
            def show(self, done: int, wanted: int | None, text: str) -> None:
                progress.update(task, completed=done, total=wanted, description=text)

        yield Shown()
