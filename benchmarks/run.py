"""Measure affray against its peers, in one run: `make bench`, or `python -m benchmarks.run`.

Every workload is answered by affray from its rule texts and by the peers as their experts would
write it. All answers, to all numbers, are compared exactly before anything is timed. Peers and
affray take turns, so that a machine that changes its speed changes it for all; what counts are the
ratios. In each turn, everything that can be forgotten is forgotten, and the question is answered:

- cold: for the first time; modules are imported, and that is all.
- new numbers: in the same process, for other numbers, none of which came up since.
- asked again: for the first numbers. Where an exchange was stored it is looked up; no claim is
  made of that. A fight is worked out anew from the tables of its exchanges: "tables known".

Then come ordinary questions as people bring them, each in a process of its own (`brought`), and how
cost grows (`scaling`).

`--only W1` measures one workload, `--only B` what people bring, `--only B:sweep` one row of that,
`--only S` how cost grows; `--quick` runs everything once, to see that it runs.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks import brought, scaling
from benchmarks.machine import Spent, described, facts, load, loads, spent, too_busy
from benchmarks.workloads import TABLES, Answer, Runner, Workload, workloads

SCHEMA, VERSION = "affray/benchmarks", 2
IMPORT_ROUNDS = 9
STARTING, SCALING = "I", "S"
PICTURE = "scaling.svg"
"""The picture of the curves, beside the file with the tables."""


class Timing(NamedTuple):
    """Medians in milliseconds; None: not measured."""

    name: str
    cold_ms: float
    new_ms: float | None
    again_ms: float | None
    note: str


class Start(NamedTuple):
    """Milliseconds of whole processes."""

    name: str
    median_ms: float
    slowest_ms: float


class Section(NamedTuple):
    """What was measured of a workload, what that took, and the load when it was done."""

    title: str
    again: str
    rows: list[Timing]
    took: Spent
    load: float


# -- agreement -------------------------------------------------------------------------------


def agreement(workload: Workload, *, quick: bool = False) -> int:
    """Compare all answers; how many peers agree with affray for all numbers.

    Args:
        workload: what is asked.
        quick: only for the first numbers and one more, and without those who are slow.

    Raises:
        AssertionError: an answer that differs.
    """
    peers = [peer for peer in workload.peers if not (quick and peer.slow)]
    every = (workload.numbers, *workload.others[: 1 if quick else None])
    for numbers in every:
        own = workload.ours.read(workload.ours.ready(numbers)())
        for peer in peers:
            if peer.slow and numbers != workload.numbers:
                continue
            other = peer.read(peer.ready(numbers)())
            assert workload.same(own, other), (workload.id, numbers, peer.name, own, other)
    return len(peers)


# -- timing ----------------------------------------------------------------------------------


def _ms(answer: Answer, times: int) -> float:
    start = time.perf_counter()
    answer()
    return (time.perf_counter() - start) * 1000 * times


class _Turns:
    """What was measured of one runner so far."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.cold: list[float] = []
        self.new: list[float] = []
        self.again: list[float] = []

    def turn(self, workload: Workload, others: int) -> None:
        """One turn; everything is read and declared before, and that is forgotten too."""
        runner = self.runner
        first = runner.ready(workload.numbers)
        more = [runner.ready(numbers) for numbers in workload.others[:others]]
        runner.clear()
        self.cold.append(_ms(first, runner.times))
        self.new += [_ms(answer, runner.times) for answer in more]
        if not runner.slow:
            self.again.append(_ms(first, runner.times))

    @property
    def timing(self) -> Timing:
        """Medians of all turns."""
        return Timing(
            self.runner.name, median(self.cold), median(self.new) if self.new else None,
            median(self.again) if self.again else None, self.runner.note,
        )  # fmt: skip


def timed(workload: Workload, *, quick: bool = False) -> list[Timing]:
    """Medians of all runners, measured in turns; who is slow has one, with one new question."""
    runners = (workload.ours, *workload.peers)
    turns = [_Turns(runner) for runner in runners if not (quick and runner.slow)]
    gc.collect()
    for number in range(1 if quick else workload.rounds):
        for turn in turns:
            slow = turn.runner.slow
            if not slow or number == 0:
                turn.turn(workload, 1 if quick or slow else len(workload.others))
    return [turn.timing for turn in turns]


def measured(workload: Workload, *, quick: bool = False) -> Section:
    """Time a workload, and say what that took."""
    before = spent()
    rows = timed(workload, quick=quick)
    return Section(workload.title, workload.again, rows, spent().since(before), load())


def imports(rounds: int = IMPORT_ROUNDS) -> list[Start]:
    """Whole processes: nothing, our import and help, icepool's import."""
    rows = {
        "python -c pass": ["-c", "pass"],
        "import affray": ["-c", "import affray"],
        "import affray and every name": ["-c", "from affray import *"],
        "affray --help": ["-m", "affray", "--help"],
        "import icepool": ["-c", "import icepool"],
        "import dyce": ["-c", "import dyce"],
    }
    times: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, words in rows.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, *words], check=True, capture_output=True)
            times[name].append((time.perf_counter() - start) * 1000)
    return [Start(name, median(t), max(t)) for name, t in times.items()]


# -- printing --------------------------------------------------------------------------------

INTRODUCTION = """# Benchmarks

Made by `make bench`: medians of one run, peers and affray in turns. Ratios count, not milliseconds;
above 1 affray is faster. Setups and fights are read and declared beforehand; from there the rule
text is followed to the end.

- **Cold**: everything that affray or a library keeps is forgotten; modules are imported.
- **New numbers**: asked in the same process, for other numbers, none of which came up since then:
  the median over several, larger and smaller ones. Distributions of dice that are shared are known.
- **Asked again**: the first numbers once more. Affray looks the exchange up, which it keeps as a
  table; no claim is made of that. Where a fight is worked out anew from the tables of its
  exchanges, the column is called "tables known".

"Alone": all rolls and choices are left to the library. Plain Python is written for one question; it
knows no rules, no log and no other question. "Naive" is measured once.
"""


def header(at_start: str, took: Spent, only: Sequence[str], *, quick: bool) -> str:
    """On which machine, how busy, how long, and what is to be thought of it."""
    text = f"\n{described()}\nLoad {at_start} at the start, {loads()} at the end; {took}.\n"
    if quick:
        text += "\n**Quick: everything was measured once; these figures are good for nothing.**\n"
    if only:
        text += f"\n**Only {', '.join(only)}.**\n"
    if warning := too_busy(float(at_start.partition(",")[0])):
        text += f"\n**{warning}**\n"
    return text


def _ratio(own: float | None, other: float | None) -> str:
    if own is None or other is None:
        return "-"
    ratio = other / own
    return f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def _shown(ms: float | None) -> str:
    return "-" if ms is None else f"{ms:.3f}"


def as_table(id_: str, section: Section) -> str:
    """A workload as a table of ratios."""
    text = f"\n## {id_}: {section.title}\n\n"
    text += (
        f"| who | cold ms | new numbers ms | cold ratio | new ratio | {section.again} ms | how |\n"
    )
    text += "|---|---:|---:|---:|---:|---:|---|\n"
    own = section.rows[0]
    for row in section.rows:
        cold, new = _ratio(own.cold_ms, row.cold_ms), _ratio(own.new_ms, row.new_ms)
        text += (
            f"| {row.name} | {row.cold_ms:.3f} | {_shown(row.new_ms)} | {cold} | {new} "
            f"| {_shown(row.again_ms)} | {row.note} |\n"
        )
    return text + f"\nTook {section.took}; load {section.load:.2f}.\n"


def as_starts(rows: Sequence[Start]) -> str:
    """How long processes take to start."""
    text = f"\n## {STARTING}: starting up\n\n"
    text += "| process | median ms | slowest ms |\n|---|---:|---:|\n"
    return text + "".join(f"| {r.name} | {r.median_ms:.0f} | {r.slowest_ms:.0f} |\n" for r in rows)


def as_curves(curves: dict[scaling.Curve, list[scaling.Point]]) -> str:
    """How cost grows, as tables beside the picture."""
    text = f"\n## {SCALING}: how cost grows\n\n![Seconds of the processor, by size]({PICTURE})\n"
    return text + scaling.as_tables(curves)


def _chosen(only: Sequence[str], *, quick: bool) -> list[Workload]:
    """The workloads with these ids; without any, all."""
    every = workloads(quick=quick)
    known = [workload.id for workload in every] + [STARTING, SCALING, *brought.names()]
    for id_ in only:
        if id_ not in known:
            raise SystemExit(f"no workload {id_!r}; there are {', '.join(known)}")
    return [workload for workload in every if not only or workload.id in only]


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="ID", action="append", default=[],
                        help="only this workload; can be given again")  # fmt: skip
    parser.add_argument("--quick", action="store_true",
                        help="everything once, to see that it runs")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--write", metavar="FILE", help="also write the tables to a file")
    given = parser.parse_args(words)
    at_start, before, began = loads(), load(), spent()
    if warning := too_busy(before):
        print(warning, file=sys.stderr)
    agreed: dict[str, int] = {}
    sections: dict[str, Section] = {}
    chosen = _chosen(given.only, quick=given.quick)
    # First of all, while this process is small: the peak of a new one holds that of its parent.
    of_people = [id_ for id_ in given.only if id_.partition(":")[0] == brought.SECTION]
    rows = brought.chosen(of_people, quick=given.quick) if of_people or not given.only else []
    people = brought.measured(rows, quick=given.quick)
    for workload in chosen:
        print(f"{workload.id}: comparing all answers ...", file=sys.stderr)
        agreed[workload.id] = agreement(workload, quick=given.quick)
    for workload in chosen:
        print(f"{workload.id}: measuring ...", file=sys.stderr)
        sections[workload.id] = measured(workload, quick=given.quick)
    wanted = not given.only or STARTING in given.only
    starts = imports(1 if given.quick else IMPORT_ROUNDS) if wanted else []
    grown = not given.only or SCALING in given.only
    curves = scaling.measured(quick=given.quick) if grown else {}
    took = spent().since(began)
    text = INTRODUCTION + header(at_start, took, given.only, quick=given.quick)
    text += "".join(as_table(id_, section) for id_, section in sections.items())
    text += as_starts(starts) if starts else ""
    text += brought.as_table(people) if people else ""
    text += as_curves(curves) if curves else ""
    if given.json:
        results = {
            id_: [row._asdict() | {"tables_known": section.again == TABLES} for row in section.rows]
            for id_, section in sections.items()
        }
        print(json.dumps({
            "schema": SCHEMA, "version": VERSION, "machine": facts(), "quick": given.quick,
            "load": {"start": before, "end": load()}, "took": took._asdict(),
            "took_by_workload": {id_: s.took._asdict() for id_, s in sections.items()},
            "agreeing_peers": agreed, "results": results,
            "starting": [row._asdict() for row in starts],
            "people_bring": brought.as_json(people),
            "scaling": {curve.name: points for curve, points in curves.items()},
        }, indent=1))  # fmt: skip
    else:
        print(text)
    if given.write:
        Path(given.write).write_text(text, encoding="utf-8")
        if curves:
            drawn = Path(given.write).with_name(PICTURE)
            drawn.write_text(scaling.picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
