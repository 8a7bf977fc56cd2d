"""What a benchmark runs on, how busy that is, and what a run took of it."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

BUSY = 0.3
"""Load for each core from which on figures are not to be trusted."""
PACKAGES = ("affray", "icepool", "dyce", "lea", "numpy", "scipy")
ROOT = Path(__file__).resolve().parent.parent


class Spent(NamedTuple):
    """What this process has taken so far, or between two moments.

    Attributes:
        clock, user, system: seconds by the clock, of the processor in the program, in the system.
        peak: the most memory that the process ever held, in MB.
    """

    clock: float
    user: float
    system: float
    peak: float

    def since(self, before: Spent) -> Spent:
        """What was taken since then; the peak is that of the whole process."""
        return Spent(
            self.clock - before.clock, self.user - before.user, self.system - before.system,
            self.peak,
        )  # fmt: skip

    def __str__(self) -> str:
        return (
            f"{self.clock:.1f} s by the clock, {self.user:.1f} s user and {self.system:.1f} s "
            f"system time, peak memory of the process {self.peak:.0f} MB"
        )


def spent() -> Spent:
    """What this process has taken so far, threads included."""
    use = resource.getrusage(resource.RUSAGE_SELF)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Spent(time.perf_counter(), use.ru_utime, use.ru_stime, use.ru_maxrss / unit)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load() -> float:
    """Processes that wanted a core, on average over the last minute."""
    return os.getloadavg()[0]


def loads() -> str:
    """The averages over the last 1, 5 and 15 minutes."""
    return ", ".join(f"{average:.2f}" for average in os.getloadavg())


def too_busy(now: float) -> str:
    """A warning if so much load is too much to measure anything, else nothing."""
    n = cores()
    if now <= BUSY * n:
        return ""
    return (
        f"Warning: the load was {now:.2f} at the start, more than {BUSY} for each of {n} cores; "
        "these figures are no good, measure again on a quiet machine."
    )


def commit() -> str:
    """Which commit was measured, and whether files were changed since; "unknown" without git."""
    try:
        found = _git("rev-parse", "--short", "HEAD").strip()
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", "src", "benchmarks")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    others = [line for line in changed.splitlines() if not line.endswith("benchmarks/results.md")]
    return f"{found} with changes" if others else found


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True
    )
    return done.stdout


def processor() -> str:
    """What the processor calls itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def facts() -> dict[str, str]:
    """Machine, Python, commit, and the versions of all that is measured."""
    found = {
        "machine": f"{platform.system()} {platform.machine()}, {processor()}, {cores()} cores",
        "python": platform.python_version(),
        "commit": commit(),
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    return found


def described() -> str:
    """The facts as a sentence."""
    found = facts()
    packages = ", ".join(f"{name} {found[name]}" for name in PACKAGES)
    return (
        f"{found['machine'][0].upper()}{found['machine'][1:]}; Python {found['python']}, "
        f"commit {found['commit']}; {packages}."
    )
