"""Breaks off rules that do not come back.

Work asks its clock whether it may go on, but a step that spins for ever asks nobody. A timer looks,
four times a second, whether the same call of rule text is still under way; one that takes much
longer than any rule needs is broken off where it is.

Time is that of the processor, as a busy machine is no fault of a rule. Only code that Python
interprets can be broken off, in the main thread, and where there is an interval timer (not on
Windows).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, process_time
from types import FrameType
from typing import NoReturn

from affray.core.errors import LimitError, StuckError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force

__all__ = ["a_rule_may_take", "rules_come_back", "unwatched", "watched_here_too"]

TICK_S = 0.25
LEAST_S, MOST_S = 1.0, 5.0
"""Processor seconds that a call of a rule may take, whatever the user allows; most take thousandths
of one."""
WAITS = 5
"""So many times as long it may wait for something."""
IDLE = 0.02
"""The share of the processor below which something waits."""
MOST_TRIES = 8
"""A rule that catches everything is broken off so often; then the whole command ends."""
OTHERS = {"click", "numpy", "pydantic", "pydantic_core", "rich", "scipy", "shapely"}


class _Call(NamedTuple):
    """A call of rule text that was seen: its frame, and the times when it was first seen.

    Attributes:
        asked: the meter's mark of when it was last asked.
        tries: how often it was broken off.
    """

    frame: FrameType | None
    asked: float = 0.0
    at_s: float = 0.0
    busy_s: float = 0.0
    tries: int = 0


class _Watchdog:
    def __init__(self) -> None:
        self.allowed_s = MOST_S
        self._call = _Call(None)

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Look what is under way.

        Raises:
            LimitError: somebody pressed Ctrl-C, and a rule doesn't come back.
            StuckError: a rule takes longer than any may.
        """
        outermost, innermost = _rule_under_way(frame)
        meter, call = meter_in_force(), self._call
        if innermost is None or outermost is not call.frame or meter.asked != call.asked:
            self._call = _Call(outermost, meter.asked, monotonic(), process_time())
            return
        gone, busy = monotonic() - call.at_s, process_time() - call.busy_s
        waits = gone > WAITS * self.allowed_s and busy < IDLE * gone
        if waits or busy > self.allowed_s:
            self._break_off(innermost)
        if gone > LEAST_S:
            try:
                meter.poll()
            except LimitError as error:
                if error.limit == "interrupted":
                    raise
            self._call = call._replace(asked=meter.asked)

    def _break_off(self, frame: FrameType) -> NoReturn:
        name, line = frame.f_globals.get("__name__", "?"), frame.f_lineno
        where = f"{name}, line {line}, in {frame.f_code.co_name}"
        self._call = self._call._replace(tries=self._call.tries + 1)
        if self._call.tries > MOST_TRIES:
            os.write(2, f"affray: {where}: does not come back, whatever is done\n".encode())
            os._exit(1)
        raise StuckError(f"{where}: does not come back")


def _rule_under_way(frame: FrameType | None) -> tuple[FrameType | None, FrameType | None]:
    """The outermost and the innermost frame of the call of rule text; None: there is none."""
    outermost = innermost = None
    while frame is not None:
        first, *rest = str(frame.f_globals.get("__name__", "")).split(".")
        if first == "affray":
            if rest[:1] == ["systems"]:
                innermost, outermost = innermost or frame, frame
            elif rest[:1] != ["core"]:
                break
        elif first not in OTHERS and first not in sys.stdlib_module_names:
            innermost, outermost = innermost or frame, frame
        frame = frame.f_back
    return outermost, innermost


@contextmanager
def rules_come_back() -> Iterator[None]:
    """Break off rules that do not come back, as told above, while this is done."""
    here = threading.current_thread() is threading.main_thread()
    if not here or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _Watchdog().look)
    watched_here_too()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def watched_here_too() -> None:
    """Start the timer, also in a process that was forked off from a watched one."""
    if _watching() is not None:
        signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)


@contextmanager
def unwatched() -> Iterator[None]:
    """Break nothing off while a server's loop runs in the main thread, which never comes back."""
    if _watching() is None:
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        watched_here_too()


def a_rule_may_take(seconds: float) -> None:
    """Break off rules that take as long as the user allows for everything."""
    watchdog = _watching()
    if watchdog is not None:
        watchdog.allowed_s = min(MOST_S, max(LEAST_S, seconds))


def _watching() -> _Watchdog | None:
    if not hasattr(signal, "setitimer"):
        return None
    found = getattr(signal.getsignal(signal.SIGALRM), "__self__", None)
    return found if isinstance(found, _Watchdog) else None
