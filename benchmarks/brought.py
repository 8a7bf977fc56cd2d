"""What people bring: ordinary questions, each in a process of its own, beside its target.

A row is a whole command of affray, or a call out of `brought_calls` whose imports don't count.
What counts are seconds of the processor and the peak memory of the process. Afterwards the number
is checked by another method (`brought_checks`), which is not timed. No row takes longer than
`MOST_S`; what is refused or stopped says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from affray.cli.main import ONE_THREAD
from affray.core.errors import AffrayError
from benchmarks import brought_checks as checks
from benchmarks.machine import ROOT

SECTION = "B"
MOST_S, QUICK_S = 60, 4
"""Seconds of the processor after which a row is stopped."""

POOLS = {
    "pistol": 'attacker = "jinx"\ndefender = "exhuman"\n'
    'weapon = "medium_pistol"\ndistance_m = 10\n',
    "own": 'weapon = "medium_pistol"\ndistance_m = 10\n{attacker}{defender}',
    "two": 'weapon = "medium_pistol"\ndistance_m = 10\n{others}{attacker}{defender}',
    "melee": 'weapon = "spur"\n{attacker}{defender}',
}
"""Sheets of Eclipse Phase with all pools; every mode and every called shot is open."""
_BODY = (
    "guns = {skill}\nmelee = {skill}\nfray = 40\nsom = 15\nsom_check = 60\ndurability = 35\n"
    "wound_threshold = 7\nenergy = 6\nkinetic = 6\n"
)
_PARTS = {
    "attacker": '[attacker]\nname = "Own"\nflex = 1\nvigor = 2\ninsight = 1\n'
    + _BODY.format(skill=60),
    "defender": '[defender]\nname = "Foe"\nthreat = 2\n' + _BODY.format(skill=50),
    "others": 'others = [{ name = "Second", fray = 30, durability = 30, wound_threshold = 6 }]\n',
}


class Row(NamedTuple):
    """A question, and what it may take.

    Attributes:
        words: of the command; a name out of `POOLS` stands for its file. Empty: a call.
        call: the name of the call.
        seconds, peak: the target, of the processor and in MB. share: at least so much of the
            speed of the fastest other; seconds don't count then.
        check: compares the answer with another method; tells which.
        quick: whether it runs with `--quick`.
    """

    id: str
    title: str
    seconds: float | None
    check: Callable[[Any], str]
    words: tuple[str, ...] = ()
    call: str = ""
    peak: int | None = None
    share: float | None = None
    quick: bool = False

    def target(self) -> str:
        """The target in words."""
        parts = [f"{self.seconds:g} s" if self.seconds is not None else f"{self.share:g} of it"]
        return ", ".join(parts + ([f"{self.peak} MB"] if self.peak else []))


class Brought(NamedTuple):
    """What came of a row.

    Attributes:
        seconds, peak: of the processor, in MB. told: what else is to be said.
        share: of the speed of the fastest other. refused: why there is no answer.
        checked: by what the answer was checked; "": it was not.
    """

    row: Row
    seconds: float
    peak: float
    told: str = ""
    share: float | None = None
    refused: str = ""
    checked: str = ""

    @property
    def met(self) -> bool:
        """Whether there is an answer within the target."""
        row = self.row
        if self.refused or not self.checked or (row.peak and self.peak > row.peak):
            return False
        if row.share is not None:
            return self.share is not None and self.share >= row.share
        return row.seconds is not None and self.seconds <= row.seconds


def _best(*words: str) -> tuple[str, ...]:
    return ("best", "eclipse-phase", *words)


def rows() -> list[Row]:
    """Every row, in the order in which they are shown."""
    both = checks.flows_forward
    ep, af = "eclipse-phase", "affinity"
    optimal = ("--policy", "optimal")
    fights = [
        Row(f"duels-{system}-{policy}", f"every duel of the roster of {system}, {policy}: each",
            2, checks.against_battles, call=f"duels {system} {policy}", peak=300,
            quick=(system, policy) == ("grid-battles", "first"))
        for system in ("affinity", "eclipse-phase", "emlia", "empty-earth", "grid-battles")
        for policy in ("first", "opening", "greedy")
    ]  # fmt: skip
    colds = [
        Row(f"cold-{id_}", f"{id_} cold: share of the speed of {whom}", None, checks.told,
            call=f"cold {id_}", share=share, quick=id_ == "W5")
        for ids, whom, share in (
            (("W1", "W2", "W4", "W5"), "the faster of tuned icepool and dyce", 1.0),
            (("W6", "W7"), "tuned plain Python", 0.7),
        )
        for id_ in ids
    ]  # fmt: skip
    return [
        Row("best-pools", "best, all pools: jinx against exhuman", 1, both, _best("pistol"),
            peak=300),
        Row("best-pools-own", "best, all pools: one's own sheet against Threat 2", 1, both,
            _best("own"), peak=300),
        Row("best-pools-objectives", "best, all pools, each objective in turn: the slowest", 1,
            checks.told, call="objectives pistol", peak=300),
        Row("odds-pools", "odds, all pools: jinx against exhuman", 1, checks.solves_back,
            ("odds", ep, "pistol", "--of", "net"), peak=300),
        Row("odds-pools-own", "odds, all pools: one's own sheet against Threat 2", 1,
            checks.solves_back, ("odds", ep, "own", "--of", "net"), peak=300),
        Row("best-pools-two", "best, all pools, two targets", 3, both, _best("two"), peak=500),
        Row("best-pools-melee", "best, melee with all pools on both sides", 3, both,
            _best("melee"), peak=500),
        Row("best-w2l", "best empty-earth w2l", 2, checks.plain_w2l,
            ("best", "empty-earth", "w2l")),
        Row("duel-predator", "duel eclipse-phase predator exhuman", 2, checks.against_battles,
            ("duel", ep, "predator", "exhuman"), peak=300),
        Row("duel-dog", "duel eclipse-phase ripper-dog", 2, checks.against_battles,
            ("duel", ep, "ripper-dog"), peak=300),
        Row("duel-healer", "duel affinity fighter healer", 2, checks.against_battles,
            ("duel", af, "fighter", "healer"), peak=300),
        Row("duel-raid", "duel affinity raid", 2, checks.against_battles,
            ("duel", af, "raid"), peak=300),
        *fights,
        Row("optimal-affinity", "duel affinity fighter orc_raider --policy optimal", 15,
            checks.bracketed, ("duel", af, "fighter", "orc_raider", *optimal), peak=500),
        Row("optimal-pools", "duel eclipse-phase jinx exhuman --policy optimal", 15,
            checks.bracketed, ("duel", ep, "jinx", "exhuman", *optimal, "--seconds", "15"),
            peak=500),
        Row("all-pairs", "battle eclipse-phase --all-pairs -n 1000", 30, checks.a_pair_exactly,
            ("battle", ep, "--all-pairs", "-n", "1000", "--seed", "1")),
        Row("emlia-bodies", "battle emlia, three open bodies a side, 2,000 battles", 2,
            checks.played_battles,
            ("battle", "emlia", "house_guard,knights,ghurn_irregulars",
             "ghurn_irregulars,trolls,ghurn_irregulars", "-n", "2000", "--seed", "1")),
        Row("sweep", "W1 at 100 skills, one process: all of them", 0.03, checks.told,
            call="sweep", quick=True),
        Row("cold-W9", "W9 cold", 0.003, checks.told, call="cold W9"),
        *colds,
        Row("million", "a million battles 3 against 3, tables known, one worker", 0.6,
            checks.told, call="million"),
    ]  # fmt: skip


# -- running -----------------------------------------------------------------------------------


def sheets(folder: Path) -> dict[str, str]:
    """The files of `POOLS`."""
    paths = {}
    for name, text in POOLS.items():
        path = folder / f"{name}.toml"
        path.write_text(text.format(**_PARTS), encoding="utf-8")
        paths[name] = str(path)
    return paths


def spawned(command: Sequence[str], seconds: int) -> tuple[float, float, int, str, str]:
    """Run a process: seconds of the processor, peak in MB, status, what it printed and said.

    Small matrices are multiplied by one thread, as in every command.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "used.json"
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.alone", str(seconds), str(report), *command],
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
        )
        spent, peak, status = json.loads(report.read_text(encoding="utf-8"))
        return spent, peak, status, done.stdout, done.stderr


def command_of(row: Row, files: dict[str, str]) -> list[str]:
    """The process that answers a row."""
    if row.call:
        return [sys.executable, "-m", "benchmarks.brought_calls", *row.call.split()]
    words = [files.get(word, word) for word in row.words]
    if "--seconds" not in words:
        words += ["--seconds", "1000"]
    return [sys.executable, "-m", "affray", *words, "--json"]


def brought(row: Row, files: dict[str, str], *, quick: bool = False) -> Brought:
    """Run a row, and check its answer."""
    most = QUICK_S if quick else MOST_S
    seconds, peak, status, out, said = spawned(command_of(row, files), most)
    if status < 0:
        return Brought(row, seconds, peak, refused=f"not done after {seconds:.1f} s")
    if status:
        lines = said.strip().splitlines() or [f"status {status}"]
        return Brought(row, seconds, peak, refused=f"refused: {lines[-1]}")
    answer = json.loads(out)
    told, share = "", None
    if row.call:
        if answer["refused"]:
            return Brought(row, seconds, peak, refused=answer["refused"])
        seconds, told, share = answer["seconds"], answer["told"], answer["share"]
    elif answer.get("known") == "estimate":
        best = answer["best"] or {"least": 0, "most": 1}
        between = f"between {best['least']:.1%} and {best['most']:.1%}"
        return Brought(row, seconds, peak, refused=f"not worked out; best play is worth {between}")
    asked = checks.Asked(tuple(files.get(word, word) for word in row.words), answer)
    try:
        checked = row.check(asked)
    except AssertionError as differs:
        return Brought(row, seconds, peak, told, share, refused=f"**wrong**: {differs}")
    except AffrayError as error:
        return Brought(row, seconds, peak, told, share, refused=f"**check failed**: {error}")
    except checks.NotChecked as why:
        return Brought(row, seconds, peak, f"{told}; not checked: {why}".lstrip("; "), share)
    return Brought(row, seconds, peak, told, share, checked=checked)


def chosen(only: Sequence[str], *, quick: bool) -> list[Row]:
    """The rows that were asked for by "B" or "B:id"; without any, all."""
    every = [row for row in rows() if row.quick or not quick or f"{SECTION}:{row.id}" in only]
    if not only or SECTION in only:
        return every
    return [row for row in every if f"{SECTION}:{row.id}" in only]


def names() -> list[str]:
    """What can be asked for."""
    return [SECTION, *(f"{SECTION}:{row.id}" for row in rows())]


def measured(which: Sequence[Row], *, quick: bool = False) -> list[Brought]:
    """Run rows one after the other."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        files = sheets(Path(folder))
        for row in which:
            print(f"{SECTION}:{row.id} ...", file=sys.stderr, flush=True)
            found.append(brought(row, files, quick=quick))
    return found


# -- showing -----------------------------------------------------------------------------------


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def as_table(found: Sequence[Brought]) -> str:
    """All rows as a table."""
    text = (
        f"\n## {SECTION}: what people bring\n\nEach row in a process of its own, stopped after "
        f"{MOST_S} s of the processor; commands as a whole, with starting up, calls without it.\n\n"
        "| row | question | CPU | peak MB | target | met | checked by; remarks |\n"
        "|---|---|---:|---:|---:|---|---|\n"
    )
    for one in found:
        remarks = [one.refused, f"checked by {one.checked}" if one.checked else "", one.told]
        took = _seconds(one.seconds)
        if one.share is not None:
            took += f", {one.share:.2f} of it"
        text += (
            f"| {one.row.id} | {one.row.title} | {took} | {one.peak:.0f} | {one.row.target()} "
            f"| {'yes' if one.met else 'no'} | {'; '.join(filter(None, remarks))} |\n"
        )
    return text + f"\n{sum(one.met for one in found)} of {len(found)} targets are met.\n"


def as_json(found: Sequence[Brought]) -> list[dict[str, object]]:
    """All rows as JSON."""
    return [
        {
            "id": one.row.id, "title": one.row.title, "seconds": one.seconds, "peak_mb": one.peak,
            "target_seconds": one.row.seconds, "target_mb": one.row.peak,
            "target_share": one.row.share, "share": one.share, "met": one.met,
            "refused": one.refused, "checked": one.checked, "told": one.told,
        }
        for one in found
    ]  # fmt: skip
