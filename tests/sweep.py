"""Run every command over all that ships: `python -m tests.sweep --seconds 3600`.

Each case is a process of its own, with default options: its processor time, that of its workers
included, and the most memory that any of them took are noted in a file. A later run goes on where
this one ended.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from affray.app.inputs.fight_setups import fight_examples
from affray.app.inputs.setups import examples
from affray.app.registry import system_ids, system_named
from affray.cli.stopping import USUAL_SECONDS

__all__ = ["MOST_BYTES", "MOST_S", "Taken", "cases", "main", "measured", "too_much"]

MOST_S = 60.0
MOST_BYTES = 1_000_000_000
PATIENCE_S = 240.0
"""Seconds by the clock after which a case is killed: the machine may be busy."""
NOTES = Path(tempfile.gettempdir()) / "affray-sweep.jsonl"
FINE = {0, 1, 4}
"""The exit status of a command that ended as it should: an answer, a refusal or a limit."""

Words = tuple[str, ...]

OF_EXAMPLES: tuple[Words, ...] = (
    ("play", "--auto", "--seed", "1"),
    ("picture",),
    ("odds",),
    ("best",),
    ("rulings",),
)
BOTH = ("--by", "one=computer", "--by", "other=computer", "--seed", "1")
SAVED = "fight.json"
OF_FIGHTS: tuple[Words, ...] = (
    ("duel",), ("duel", "--policy", "optimal"), ("battle",), ("battle", "--policy", "greedy"),
    ("fight", *BOTH), ("report",),
)  # fmt: skip
OF_SYSTEMS: tuple[Words, ...] = (
    ("roster",), ("roster", "--whole"), ("rules",), ("rulings",), ("schema",),
    ("schema", "--fight"), ("battle", "--all-pairs"),
)  # fmt: skip


class Taken(NamedTuple):
    """What a case took.

    Attributes:
        status: its exit status; below 0 the signal that ended it.
        cpu_s: processor seconds. wall_s: seconds by the clock. n_bytes: the most memory.
        last: the last line of standard error.
    """

    status: int
    cpu_s: float
    wall_s: float
    n_bytes: int
    last: str = ""


def cases() -> list[Words]:
    """Every case, fights first, as they take longest, and the others in a mixed order."""
    fights: list[Words] = []
    rest: list[Words] = [("systems",)]
    for name in system_ids():
        system = system_named(name)
        rest += [(verb, name, *more) for verb, *more in OF_SYSTEMS]
        rest += [(verb, name, e, *more) for e in examples(system) for verb, *more in OF_EXAMPLES]
        fights += [(v, name, e, *more) for e in fight_examples(system) for v, *more in OF_FIGHTS]
    mixed = random.Random(1)
    for group in (fights, rest):
        mixed.shuffle(group)
    return [*fights, *rest]


def measured(words: Words, patience_s: float = PATIENCE_S) -> Taken:
    """Run a case in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        if words[0] == "report":  # what it looks back at
            _run(("fight", *words[1:], *BOTH, "--save", SAVED), folder, patience_s)
            words = (*words[:2], SAVED)
        return _run(words, folder, patience_s)


MEASURE = """
import resource, subprocess, sys
nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
status = subprocess.run(sys.argv[1:], **nothing).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
"""Run from a small process: the memory of whoever starts a process counts as its own at first."""


def _run(words: Words, folder: str, patience_s: float) -> Taken:
    """Run a command and measure it, with the workers that it waited for."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as told:
        child = subprocess.Popen(
            [sys.executable, "-c", MEASURE, sys.executable, "-m", "affray", *words], cwd=folder,
            start_new_session=True, stdout=subprocess.PIPE, stderr=told, text=True,
        )  # fmt: skip
        try:
            printed = child.communicate(timeout=patience_s)[0]
        except subprocess.TimeoutExpired:
            printed = f"{-signal.SIGKILL} 0 0"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        told.seek(0)
        lines = told.read().strip().splitlines()
    status, cpu_s, most = map(float, printed.split())
    return Taken(
        int(status),
        round(cpu_s, 2),
        round(time.monotonic() - began, 2),
        int(most) * 1024,
        lines[-1] if lines else "",
    )


def too_much(taken: Taken) -> str:
    """What is wrong with a case; "" if nothing is."""
    if taken.status not in FINE:
        return f"status {taken.status}: {taken.last}"
    if taken.cpu_s > MOST_S:
        return f"{taken.cpu_s:.0f} s of processor time"
    return f"{taken.n_bytes / 1e6:.0f} MB" if taken.n_bytes > MOST_BYTES else ""


def _noted(path: Path) -> Iterator[tuple[Words, Taken]]:
    if path.exists():
        for line in path.read_text().splitlines():
            row = json.loads(line)
            yield tuple(row["words"]), Taken(**row["taken"])


def main() -> int:
    """Run the cases that are not noted yet, then tell of the heaviest."""
    said = argparse.ArgumentParser(prog="python -m tests.sweep", description=__doc__)
    said.add_argument("--seconds", type=float, default=600, help="how long")
    said.add_argument("--file", type=Path, default=NOTES,
                      help="where the cases are noted (default: %(default)s)")  # fmt: skip
    said.add_argument("--only", metavar="WORD", action="append", default=[],
                      help="only cases with this word")  # fmt: skip
    said.add_argument("--worst", type=int, default=20, help="how many of the heaviest are told")
    given = said.parse_args()
    wanted = [words for words in cases() if set(given.only) <= set(words)]
    done = dict(_noted(given.file))
    began = time.monotonic()
    with given.file.open("a") as file:
        for words in wanted:
            if words in done:
                continue
            if time.monotonic() - began > given.seconds:
                break
            done[words] = measured(words)
            file.write(json.dumps({"words": words, "taken": done[words]._asdict()}) + "\n")
            file.flush()
            if wrong := too_much(done[words]):
                print(f"affray {shlex.join(words)}: {wrong}", flush=True)
    looked = [(words, done[words]) for words in wanted if words in done]
    bad = sum(bool(too_much(taken)) for _, taken in looked)
    _tell(looked, given.worst)
    print(f"{len(looked):,} of {len(wanted):,} cases, {bad} take too much; a command works up to "
          f"{USUAL_SECONDS:g} s unless it is told otherwise")  # fmt: skip
    return 1 if bad else 0


def _tell(looked: list[tuple[Words, Taken]], worst: int) -> None:
    heavy = sorted(looked, key=lambda row: -row[1].cpu_s)[:worst]
    large = sorted(looked, key=lambda row: -row[1].n_bytes)[:worst]
    for words, taken in dict.fromkeys([*heavy, *large]):
        print(f"{taken.cpu_s:7.1f} s {taken.n_bytes / 1e6:6.0f} MB  affray {shlex.join(words)}")


if __name__ == "__main__":
    sys.exit(main())
