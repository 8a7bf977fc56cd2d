"""Budgets for a piece of work: places, pairs, battles, seconds, memory.

A `Budget` is a wish; `spending` starts a clock for it, which is in force for everything that is
done inside, however deep. A use case starts one clock, so one deadline covers all that it does; a
budget that is given further inside can only make it stricter.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from math import inf
from threading import Lock
from time import monotonic

from affray.core.errors import LimitError, SetupError
from affray.core.lazy import NamedTuple
from affray.core.meter import MOST_BYTES, Meter, meter_in_force, metered, spelled_bytes

__all__ = ["Budget", "Clock", "Progress", "spending"]

MOST_PLACES = 2_000_000
BETWEEN_POLLS = 64
"""Items of work between two looks at the clock."""
BETWEEN_LOOKS_S = 0.05
"""Seconds between two looks at the memory in use and two reports of progress."""
BEFORE_LOOKS_S = 0.005
"""Seconds after which somebody looks for the first time: so little takes no memory to speak of."""
UNSEEN = 1_000
"""A part of the memory, one of so many, that may be claimed between two looks."""


class Progress(NamedTuple):
    """The progress of a piece of work.

    Attributes:
        work: what is counted: "places", "conditions", "battles", "pairs", ...
        done: how many are done. wanted: how many there will be, if that is known.
        error: of battles, half the width of the interval so far, in percentage points.
        note: what comes next.
        found: makes the view of what has been found, where a part of it is worth a look.
    """

    work: str
    done: int
    wanted: int | None = None
    error: float | None = None
    note: str = ""
    found: Callable[[], object] | None = None


class Budget(NamedTuple):
    """The limits of a piece of work; None: the usual limit.

    Attributes:
        places: places of an exchange that may be followed or solved.
        pairs: pairs of conditions of a duel; of a duel in fractions its states.
        battles: battles that are fought.
        seconds: time by the clock; None: no limit.
        bytes: memory that may be taken beyond what is in use already.
        stop: asked now and then; whether somebody wants it to stop. `is_set` of an event stops work
            in another process: `multiprocessing.get_context("spawn").Event().is_set`.
        progress: told now and then how far it is.
        reserve: seconds beyond the others, for work that is known to be done with them.
    """

    places: int | None = None
    pairs: int | None = None
    battles: int | None = None
    seconds: float | None = None
    bytes: int = MOST_BYTES
    stop: Callable[[], bool] | None = None
    progress: Callable[[Progress], None] | None = None
    reserve: float = 0.0

    def checked(self) -> Budget:
        """The same, if it makes sense.

        Raises:
            SetupError: a limit below zero.
        """
        for name in ("places", "pairs", "battles", "seconds", "reserve", "bytes"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise SetupError(f"a budget of {value} {name}; must be at least 0")
        return self


class Clock(Meter):
    """A budget being spent.

    Attributes:
        budget: what may be taken; deadline: when time is over, by `time.monotonic`.
        asked: until when nobody looks at the memory again.
    """

    def __init__(self, budget: Budget, outer: Clock | None = None) -> None:
        self.budget = budget.checked()
        self.outer = outer
        self.began = monotonic()
        self.deadline = self.began + (inf if budget.seconds is None else budget.seconds)
        self.now = Progress("", 0)
        self._seconds = budget.seconds
        if outer is not None and outer.deadline < self.deadline:
            self.deadline, self._seconds = outer.deadline, outer.seconds
        latest = self.deadline + self.budget.reserve
        self._latest = latest if outer is None else min(latest, outer.deadline)
        self._left = BETWEEN_POLLS
        self.asked = self.began + BEFORE_LOOKS_S
        self._claimed = 0

    def in_a_child(self) -> Clock:
        """The same in a process that was forked off: nobody to tell, memory counted from now."""
        budget = self.budget._replace(stop=None, progress=None)
        child = Clock(budget, self.outer and self.outer.in_a_child())
        child.began, child.deadline, child._seconds = self.began, self.deadline, self._seconds
        child._latest = self._latest
        return child

    @cached_property
    def at_start(self) -> int:
        """Memory that was taken when somebody first looked, which is soon after the start."""
        return _resident()

    @property
    def bytes(self) -> int:
        """Memory that may be taken."""
        return min(self.budget.bytes, self.outer.bytes) if self.outer else self.budget.bytes

    def count_memory_from_now(self) -> None:
        """Count what is taken from now on, once what was taken before has been given back."""
        self.__dict__.pop("at_start", None)
        if self.outer is not None:
            self.outer.count_memory_from_now()

    # -- limits that are counted ------------------------------------------------------------

    def places(self, usual: int = MOST_PLACES) -> int:
        """The most places that may be followed."""
        return self._least("places", usual)

    def pairs(self, usual: int) -> int:
        """The most pairs of conditions."""
        return self._least("pairs", usual)

    def battles(self, usual: int) -> int:
        """The most battles that may be fought."""
        return self._least("battles", usual)

    def _least(self, name: str, usual: int) -> int:
        mine: int | None = getattr(self.budget, name)
        if self.outer is None:
            return usual if mine is None else mine
        outer = self.outer._least(name, usual)
        return outer if mine is None else min(mine, outer)

    @property
    def seconds(self) -> float | None:
        """The most seconds in all; None: no limit."""
        return self._seconds

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - monotonic()

    def part(self, share: float, most: float = 0.0) -> Budget:
        """A share of the seconds that are left; without a limit where there is none.

        Args:
            share: how much.
            most: how much with the reserve, if that is more.
        """
        if self.seconds is None:
            return Budget(seconds=None)
        left = max(0.0, self.left)
        reserve = max(0.0, most - share) * left
        return Budget(seconds=round(share * left, 1), reserve=round(reserve, 1))

    # -- limits that are looked at ----------------------------------------------------------

    def tick(self, work: int = 1) -> None:
        """So much was done; raises `LimitError` if it may not go on."""
        self._left -= work
        if self._left < 0:
            self._left = BETWEEN_POLLS
            self.poll()

    def poll(self) -> None:
        """Raises `LimitError` if it may not go on."""
        limit = self.over()
        if limit:
            raise LimitError(
                f"{self.why(limit)}{self.so_far}", limit=limit,
                done={self.now.work: self.now.done} if self.now.work else None,
            )  # fmt: skip

    def over(self) -> str:
        """The limit that is reached, or ""."""
        now = monotonic()
        if now > self.deadline:
            return "seconds"
        if self.budget.stop is not None and self.budget.stop():
            return "interrupted"
        if now > self.asked:
            self.asked = now + BETWEEN_LOOKS_S
            taken = _resident()
            # The first look is at the start: one question to the system, not two.
            if taken - self.__dict__.setdefault("at_start", taken) > self.budget.bytes:
                return "bytes"
            if self.budget.progress is not None and self.now.work:
                self.budget.progress(self.now)
        return "" if self.outer is None else self.outer.over()

    def why(self, limit: str) -> str:
        """A limit that is reached, in words."""
        if limit == "seconds":
            return f"stopped after {self._seconds:g} seconds"
        if limit == "bytes":
            return f"stopped, having taken {spelled_bytes(self.bytes)} of memory"
        return "interrupted"

    @property
    def so_far(self) -> str:
        """The progress so far, in words that can follow others; "" if nobody told."""
        work, done, wanted = self.now[:3]
        of = "" if wanted is None else f" of {wanted:,}"
        return f"; {done:,}{of} {work} so far" if work else ""

    def claim(self, n_bytes: int, what: str) -> None:
        """Raises `LimitError` if there is not so much memory left to take at once."""
        self._claimed += n_bytes
        if self._claimed > self.budget.bytes / UNSEEN:
            self._claimed = 0
            self._look_whether(n_bytes, what)
        if self.outer is not None:
            self.outer.claim(n_bytes, what)

    def _look_whether(self, n_bytes: int, what: str) -> None:
        taken = _resident()
        left = self.budget.bytes - max(0, taken - self.at_start)
        if n_bytes > left:
            whole = self.budget.bytes
            rest = f", and {spelled_bytes(max(0, left))} are left" if left < 0.9 * whole else ""
            raise LimitError(
                f"{what} would take {spelled_bytes(n_bytes)} of memory; allowed: "
                f"{spelled_bytes(whole)}{rest}",
                limit="bytes",
            )

    def foresee(self, seconds: float, what: str) -> None:
        """Raises `LimitError` if so much time is not left."""
        if seconds > 1 and seconds > self.left:
            raise LimitError(
                f"{what} takes some {seconds:.0f} seconds; of {self._seconds:g} "
                f"{max(0.0, self.left):.0f} are left",
                limit="seconds",
            )

    def reserve(self, seconds: float) -> None:
        """Take what work that takes so long needs of the reserve, if there is enough of it."""
        wanted = monotonic() + seconds
        if self.deadline < wanted <= self._latest:
            self.deadline = wanted
            self._seconds = round(wanted - self.began, 1)

    def tell(
        self, work: str, done: int, wanted: int | None = None, note: str = "", *,
        found: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        """Note how far work is; it is told when somebody looks at the clock.

        Of a part of the work that can't say how much it will be, nothing is noted while there is
        something `found` to look at: what is counted then stays in sight.
        """
        if wanted is not None or self.now.found is None:
            self.now = Progress(work, done, wanted, None, note, found)
        if self.outer is not None:
            self.outer.tell(work, done, wanted, note, found=found)


@contextmanager
def spending(budget: Budget | None = None) -> Iterator[Clock]:
    """Start a clock for a budget; without one, the clock that runs already, or a usual one.

    Raises:
        SetupError: a limit below zero.
    """
    outer = meter_in_force()
    running = outer if isinstance(outer, Clock) else None
    if budget is None and running is not None:
        yield running
        return
    clock = Clock(budget or Budget(), running)
    with metered(clock), _rarely_collected():
        yield clock


ALLOCATED = 500_000
"""New objects between two searches for circles of garbage, while something is worked out."""
_COLLECTING = Lock()
_working: list[tuple[int, int, int]] = []
"""The thresholds of the collector before the work, once for each piece of work under way."""


@contextmanager
def _rarely_collected() -> Iterator[None]:
    """Let Python search for circles of garbage less often: places are tuples, and have none."""
    with _COLLECTING:
        before = _working[0] if _working else gc.get_threshold()
        _working.append(before)
        if 0 < before[0] < ALLOCATED:  # nobody has switched it off, or does so even more rarely
            gc.set_threshold(ALLOCATED, *before[1:])
    try:
        yield
    finally:
        with _COLLECTING:
            _working.pop()
            if not _working:
                gc.set_threshold(*before)


def clock_in_force() -> Clock:
    """The clock that runs, or a usual one that nobody started."""
    meter = meter_in_force()
    return meter if isinstance(meter, Clock) else Clock(Budget())


# -- memory ----------------------------------------------------------------------------------


def _of_linux() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE


def _at_most() -> int:
    """The most that was ever taken: never less than what is taken now."""
    import resource  # not on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _unknown() -> int:
    return 0


def _way_to_look() -> tuple[Callable[[], int], int]:
    try:
        from resource import getpagesize
    except ImportError:
        return _unknown, 1
    try:
        with open("/proc/self/statm", "rb"):
            return _of_linux, getpagesize()
    except OSError:
        return _at_most, 1


_resident, _PAGE = _way_to_look()
"""Memory that this process takes."""
