"""Measure affray against its peers, in one run: `make bench`, or `python -m benchmarks.run`.

Every workload is answered by affray from its rule texts and by the peers as their experts would
write it. All answers are compared exactly before anything is timed. Peers and affray take turns,
so that a machine that changes its speed changes it for all; what counts are the ratios.

Cold: everything that can be forgotten is forgotten before each call (modules stay imported): the
rule text is followed from the declaration to the end. Warm: what a library keeps by itself may be
known; affray keeps kernels (the exchange as a table), and answers the question from the table.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median
from types import ModuleType
from typing import NamedTuple

SCHEMA, VERSION = "affray/benchmarks", 1
IMPORT_ROUNDS = 9


class Runner(NamedTuple):
    """One way to answer a workload; `times` as much work is what counts."""

    name: str
    answer: Callable[[], object]
    clear: Callable[[], None]
    note: str = ""
    times: int = 1


class Timing(NamedTuple):
    """Medians in milliseconds."""

    name: str
    cold_ms: float
    warm_ms: float
    note: str


class Workload(NamedTuple):
    """A question, who answers it, and how answers are brought to one form."""

    id: str
    title: str
    ours: Runner
    peers: tuple[Runner, ...]
    goal: str
    rounds: int


def workloads() -> list[Workload]:
    """Everything that is measured."""
    from benchmarks import ours
    from benchmarks.peers import dyce_tuned, icepool_naive, icepool_tuned, lea_tuned, plain

    modules = {
        "plain Python": (plain, "written by hand for this question alone"),
        "icepool": (icepool_tuned, "order classes by hand"),
        "dyce": (dyce_tuned, "order classes by hand"),
        "lea": (lea_tuned, "order classes by hand"),
        "icepool, naive": (icepool_naive, "as its manual would have it"),
    }
    solver = "lists rolls; a hand-written solver does the choices"
    inside = "every roll and choice inside the library"

    def peers(function: str, *arguments: int, note: str = "") -> list[Runner]:
        return [
            Runner(
                name,
                partial(getattr(module, function), *arguments),
                module.clear if hasattr(module, "clear") else _nothing,
                note if note and name not in {"plain Python", "icepool, naive"} else said,
            )
            for name, (module, said) in modules.items()
            if hasattr(module, function)
        ]

    def as_dice(function: str) -> list[Runner]:
        return [
            Runner(f"{name}, alone", getattr(module, function), module.clear, inside)
            for name, module in (("icepool", icepool_tuned), ("dyce", dyce_tuned))
        ]

    def ours_(name: str, *arguments: int) -> Runner:
        return Runner("affray", partial(getattr(ours, name), *arguments), ours.clear,
                      "from the rule text")  # fmt: skip

    return [
        Workload("W1", "Eclipse Phase attack 70 against 30, 3d10, armor 10: exact damage",
                 ours_("w1"), tuple(peers("w1_raw")), "15x", 40),
        Workload("W2", "Empty Earth 3d8 against 2d6, one reroll, both optimal",
                 ours_("w2"), tuple(as_dice("w2_as_dice") + peers("w2", note=solver)), "20x", 30),
        Workload("W2L", "Empty Earth 3d12 against 3d10, any subset rerolled, both optimal",
                 ours_("w2l"), tuple(as_dice("w2l_as_dice") + peers("w2l", note=solver)), "50x",
                 3),
        Workload("W3-30", "Emlia check of 30 d10: joint tally of 7 or more and of ones",
                 _ours_w3(30), tuple(peers("w3_raw", 30)), "20x", 30),
        Workload("W3-100", "the same with 100 d10", _ours_w3(100),
                 tuple(peers("w3_raw", 100)), "75x", 4),
        *rooms(),
        *fights(),
        *units(),
    ]  # fmt: skip


def _ours_w3(dice: int) -> Runner:
    from benchmarks import ours_emlia

    return Runner("affray", partial(ours_emlia.w3, dice), ours_emlia.clear, "from the rule text")


def rooms() -> list[Workload]:
    """Exchanges of Affinity and Grid Battles."""
    from benchmarks import ours_rooms
    from benchmarks.peers import affinity_peers, grid_peers

    def peers(module: ModuleType) -> tuple[Runner, ...]:
        """Plain Python, and both libraries as experts tune them."""
        return (
            Runner("plain Python", module.plain_raw, _nothing, "convolutions by hand"),
            Runner("icepool", module.icepool_raw, module.clear_icepool, "facts as one number"),
            Runner("dyce", module.dyce_raw, _nothing, "facts as one number"),
        )

    def ours_(answer: Callable[[], object]) -> Runner:
        return Runner("affray", answer, ours_rooms.clear, "from the rule text")

    return [
        Workload("W4", "Affinity 4+3 d6 with burn through three layers: joint",
                 ours_(ours_rooms.w4), peers(affinity_peers), "10x", 40),
        Workload("W5", "Grid Battles combat with Battle Back: both healths, joint",
                 ours_(ours_rooms.w5), peers(grid_peers), "12x", 60),
    ]  # fmt: skip


def fights() -> list[Workload]:
    """Duels and battles."""
    from benchmarks import ours_fights
    from benchmarks.peers import numpy_fights, plain_fights, storm_fights

    by_state = "state by state, nearest to the end first"
    w6 = [
        Runner("plain Python", plain_fights.w6_by_state, _nothing, by_state),
        Runner("plain Python, tuned", plain_fights.w6, _nothing, "expected visits, block by block"),
        Runner("numpy", numpy_fights.w6, _nothing, "linear algebra for this duel alone"),
    ]
    if find_spec("stormpy"):
        w6.append(Runner("Storm", storm_fights.w6, _nothing, "model checker, building included"))
    many, few = 100_000, 5_000
    w8 = (
        Runner("plain Python", partial(plain_fights.w8_dice, few, 1), _nothing,
               f"every die rolled; {few} battles, times {many // few}", many // few),
        Runner("plain Python, tables", partial(plain_fights.w8, many, 1), _nothing,
               "one random number an attack; knows whom it hits"),
        Runner("numpy", partial(numpy_fights.w8, many, 1), _nothing,
               "dice as arrays; knows whom it hits"),
    )  # fmt: skip
    ours_w6 = Runner("affray", ours_fights.w6, ours_fights.clear, "from the rule text")
    ours_w8 = Runner("affray", partial(ours_fights.w8, many), ours_fights.clear,
                     "from the rule text, one thread")  # fmt: skip
    return [
        Workload("W6", "Eclipse Phase duel to the end: P(win), mean rounds", ours_w6, tuple(w6),
                 "2.5x", 15),
        Workload("W8", "100,000 battles, 3 against 3, Eclipse Phase", ours_w8, w8, "40x", 3),
    ]  # fmt: skip


def units() -> list[Workload]:
    """Emlia: two units to the end, and an attack on a mixed body."""
    from benchmarks import ours_emlia
    from benchmarks.peers import emlia_peers as peers

    w7 = (
        Runner("plain Python", peers.w7_plain, _nothing, "written by hand, state by state"),
        Runner("plain Python, tuned", peers.w7_tuned, _nothing, "on flat lists, dice by dice"),
        Runner("numpy", peers.w7_numpy, _nothing, "linear algebra for this fight alone"),
    )
    w9 = (
        Runner("plain Python", peers.w9_plain_raw, _nothing, "multinomials and a loop by hand"),
        Runner("icepool", peers.w9_icepool_raw, peers.clear_icepool, "allocation by hand, as map"),
        Runner("dyce", peers.w9_dyce_raw, _nothing, "allocation by hand, as map"),
    )

    def ours_(answer: Callable[[], object]) -> Runner:
        return Runner("affray", answer, ours_emlia.clear, "from the rule text")

    return [
        Workload("W7", "Emlia 30 against 30 to the end", ours_(ours_emlia.w7), w7, "25x", 7),
        Workload("W9", "Emlia 60 d10 at a mixed body of six groups: damage of each, joint",
                 ours_(ours_emlia.w9), w9, "1x", 15),
    ]  # fmt: skip


def _nothing() -> None:
    """There is nothing to forget."""


# -- agreement -------------------------------------------------------------------------------


def agreement() -> dict[str, int]:
    """Compare all answers exactly; how many peers agree, for each workload.

    Raises:
        AssertionError: an answer that differs.
    """
    from benchmarks import ours, ours_emlia
    from benchmarks.peers import dyce_tuned, icepool_tuned, lea_tuned, plain

    tuned = (plain, icepool_tuned, dyce_tuned, lea_tuned)
    own_w1 = {v[0]: chance for v, chance in ours.w1().fractions().items()}
    found = {}
    found["W1"] = _same(own_w1, [m.w1() for m in tuned])
    found["W2"] = _same(
        ours.w2(),
        [m.w2() for m in tuned]
        + [_mean(icepool_tuned.w2_as_dice()), _mean(dyce_tuned.w2_as_dice())],
    )
    found["W2L"] = _same(ours.w2l(), [m.w2l() for m in tuned])
    for n in (30, 100):
        own = ours_emlia.w3(n).fractions()
        found[f"W3-{n}"] = _same(own, [m.w3(n) for m in tuned])
    found |= _rooms_agree()
    found |= _fights_agree()
    found |= _units_agree()
    return found


def _rooms_agree() -> dict[str, int]:
    from benchmarks import ours_rooms
    from benchmarks.peers import affinity_peers, grid_peers

    both = {"W4": (ours_rooms.w4, affinity_peers), "W5": (ours_rooms.w5, grid_peers)}
    return {
        name: _same(dict(ours().fractions()), [peer.plain(), peer.icepool(), peer.dyce()])
        for name, (ours, peer) in both.items()
    }


def _fights_agree() -> dict[str, int]:
    """Duels to the last digits, battles within five standard errors."""
    from benchmarks import ours_fights
    from benchmarks.peers import numpy_fights, plain_fights

    duels = [plain_fights.w6_by_state(), plain_fights.w6(), numpy_fights.w6()]
    own = ours_fights.w6()
    for other in duels:
        assert all(abs(x - y) < 1e-12 for x, y in zip(own, other, strict=True)), (own, other)
    n = 4_000
    battles = ours_fights.w8(n)
    for wins, _, _ in (plain_fights.w8(n, 2), numpy_fights.w8(n, 2), plain_fights.w8_dice(n, 2)):
        p = battles.won[0].value
        assert abs(wins / n - p) < 5 * (2 * p * (1 - p) / n) ** 0.5, (wins / n, p)
    return {"W6": len(duels), "W8": 3}


def _units_agree() -> dict[str, int]:
    from benchmarks import ours_emlia
    from benchmarks.peers import emlia_peers as peers

    duel = ours_emlia.w7()
    own = (*duel.won, duel.drawn, duel.rounds, *duel.left)
    others = [peers.w7_plain(), peers.w7_tuned(), peers.w7_numpy()]
    for other in others:
        assert all(abs(x - y) < 1e-11 for x, y in zip(own, other, strict=True)), (own, other)
    body = dict(ours_emlia.w9().fractions())
    return {"W7": len(others), "W9": _same(body, [peers.w9_plain(), peers.w9_icepool(),
                                                  peers.w9_dyce()])}  # fmt: skip


def _mean(die: object) -> Fraction:
    items = die.items()  # type: ignore[attr-defined]  # dice of either library
    rows = [(Fraction(value), Fraction(weight)) for value, weight in items]
    return sum((v * w for v, w in rows), Fraction(0)) / sum((w for _, w in rows), Fraction(0))


def _same(own: object, others: list[object]) -> int:
    for other in others:
        assert own == other, (own, other)
    return len(others)


# -- timing ----------------------------------------------------------------------------------


def _once(runner: Runner, *, cold: bool) -> float:
    if cold:
        runner.clear()
    start = time.perf_counter()
    runner.answer()
    return (time.perf_counter() - start) * 1000 * runner.times


def timed(workload: Workload) -> list[Timing]:
    """Medians of all runners, measured in turns."""
    runners = (workload.ours, *workload.peers)
    cold: dict[str, list[float]] = {runner.name: [] for runner in runners}
    warm: dict[str, list[float]] = {runner.name: [] for runner in runners}
    gc.collect()
    for turn in range(workload.rounds):
        for runner in runners:
            if runner.name.endswith("naive") and turn >= 2:
                continue
            cold[runner.name].append(_once(runner, cold=True))
            runner.answer()
            warm[runner.name].append(_once(runner, cold=False))
    return [
        Timing(r.name, median(cold[r.name]), median(warm[r.name]), r.note) for r in runners
    ]  # fmt: skip


def imports() -> list[Timing]:
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
    for _ in range(IMPORT_ROUNDS):
        for name, words in rows.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, *words], check=True, capture_output=True)
            times[name].append((time.perf_counter() - start) * 1000)
    return [Timing(name, max(t), median(t), "whole process") for name, t in times.items()]


# -- printing --------------------------------------------------------------------------------


def machine() -> dict[str, str]:
    """What this was measured on."""
    packages = ("affray", "icepool", "dyce", "lea", "numpy", "scipy")
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        **{package: version(package) for package in packages},
    }


INTRODUCTION = """# Benchmarks

Made by `make bench`: medians of one run, peers and affray in turns. Ratios count, not milliseconds;
above 1 affray is faster. Cold: the rule text is followed from the declaration to the end. Warm:
what each library keeps by itself is known; affray keeps kernels (the exchange as a table) and
answers from them. "Alone": all rolls and choices are left to the library. Plain Python is written
for one question; it knows no rules, no log and no other question.

"""


def as_markdown(results: dict[str, list[Timing]], titles: dict[str, str]) -> str:
    """The results as a document."""
    text = INTRODUCTION
    text += ", ".join(f"{name} {value}" for name, value in machine().items()) + ".\n"
    for id_, rows in results.items():
        text += f"\n## {id_}: {titles[id_]}\n\n"
        if id_ == "I":
            text += "| process | median ms | slowest ms |\n|---|---:|---:|\n"
            text += "".join(f"| {r.name} | {r.warm_ms:.0f} | {r.cold_ms:.0f} |\n" for r in rows)
            continue
        text += "| who | cold ms | warm ms | cold ratio | warm ratio | how |\n"
        text += "|---|---:|---:|---:|---:|---|\n"
        own = rows[0]
        for row in rows:
            cold, warm = row.cold_ms / own.cold_ms, row.warm_ms / own.warm_ms
            ratios = " | ".join(f"{x:.1f}" if x >= 1 else f"{x:.2f}" for x in (cold, warm))
            text += (
                f"| {row.name} | {row.cold_ms:.3f} | {row.warm_ms:.3f} | {ratios} | {row.note} |\n"
            )
    return text


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--write", metavar="FILE", help="also write the tables to a file")
    given = parser.parse_args()
    agreed = agreement()
    results, titles = {}, {}
    for workload in workloads():
        print(f"{workload.id} ...", file=sys.stderr)
        results[workload.id] = timed(workload)
        titles[workload.id] = workload.title
    results["I"], titles["I"] = imports(), "starting up"
    if given.json:
        rows = {name: [row._asdict() for row in table] for name, table in results.items()}
        print(json.dumps({"schema": SCHEMA, "version": VERSION, "machine": machine(),
                          "agreeing_peers": agreed, "results": rows}, indent=1))  # fmt: skip
    else:
        print(as_markdown(results, titles))
    if given.write:
        with open(given.write, "w", encoding="utf-8") as file:
            file.write(as_markdown(results, titles))


if __name__ == "__main__":
    main()
