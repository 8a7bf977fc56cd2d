"""Choose the cases that long laws look at in `make test`, and note them: a cover of all of them.

`python -m tests.conformance.cover` holds each system to these laws on every example and every
fight, which takes minutes (give systems to do these alone). It notes the steps, options and
branches of the rules that each case reaches, and chooses cheap cases that together reach whatever
all of them reach. `pip install -e '.[cover]'` first.

With `AFFRAY_WHOLE=1` in the environment tests look at every case; so does `affray check` always.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from time import process_time
from typing import NamedTuple

from affray.core.node import Chance, Choice
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.testing import Law, Material, laws
from affray.testing.cases import Case
from affray.testing.keys.watch import caches_of, package_of
from affray.testing.law import Skip

__all__ = ["LONG", "cases_of", "chosen", "cover_of", "main", "noted", "reached_in_play"]

DUELS = "fights/duels-are-won-as-often-as-played"
LONG: Mapping[str, tuple[str, ...]] = {
    "examples": ("agreement",),
    "fights": ("fights", "played"),
    "duels": (DUELS,),
}
"""Suites and laws that take long, by what they look at; those in one row look at the same cases."""
MOST_S = {"examples": 60.0, "fights": 60.0, "duels": 10.0}
"""Processor seconds of a case, watched; what takes longer is left to the whole run."""
SHARED = ("solved", "ends", "battles", "random fight")
"""What laws of a suite share; one case alone is to be looked at."""
TWICE = frozenset({"hints.py", "alike.py", "at_once.py"})
"""What hints promise is reached by two cases, where there are two."""
COVER = Path(__file__).parent / "cover"
HEAD = (
    "# Cases that reach together whatever all of them reach: what long laws look at.\n"
    "# Written by `python -m tests.conformance.cover`.\n"
)

Reached = frozenset[tuple[object, ...]]


class Tried(NamedTuple):
    """A case that was tried: what it reached, and the processor seconds that it took."""

    reached: Reached
    seconds: float


def cover_of(system: str) -> Mapping[str, Collection[str]]:
    """For suites the cases that they look at, as they were noted; {} if none are."""
    rows = noted(system)
    return {name: frozenset(rows[kind]) for kind in LONG if kind in rows for name in LONG[kind]}


def noted(system: str) -> Mapping[str, Sequence[str]]:
    """For each kind the cases that were chosen; as `left` those too large for laws, or too long."""
    path = COVER / f"{system}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def cases_of(known: Material, kind: str) -> Mapping[str, Case]:
    """Every case of a kind, by the name that faults give it."""
    rows = (case for law in laws(LONG[kind]) if kind == "duels" or str(law) != DUELS
            for case in law.over(known))  # fmt: skip
    return {case.where: case for case in rows}


# -- what is reached -----------------------------------------------------------------------------


def reached_in_play(known: Material, case: Case) -> Reached:
    """The steps, options and rolls of an example; what fighters of a fight can do at first."""
    if isinstance(case.thing, Contest):
        return frozenset(_of_fight(case.thing))
    found = known.playthroughs.get(case.thing, "") if isinstance(case.thing, str) else ""
    words = _words(package_of(known.system))
    return frozenset(row for session in found if not isinstance(session, str)
                     for row in _of_session(session, words))  # fmt: skip


def _room(package: str) -> Path:
    """The folder of a package."""
    return Path(str(sys.modules[package].__file__)).parent


@cache
def _words(package: str) -> frozenset[str]:
    """The words with which texts in the modules of a package begin."""
    source = "".join(path.read_text("utf-8") for path in sorted(_room(package).rglob("*.py")))
    return frozenset(re.findall(r"""["']([a-z_]+)""", source))


def _of_session(session: Session, words: Collection[str]) -> Iterator[tuple[object, ...]]:
    for entry in session.steps_taken:
        name = entry.at.step.name
        yield "step", name
        if isinstance(entry.node, Choice):
            for option in entry.node.options:
                kind = re.split("[^a-z_]", option.name.lower(), maxsplit=1)[0]
                if kind in words:  # no name of a sheet, no number
                    yield "option", name, kind
        if isinstance(entry.node, Chance):
            yield "roll", name, type(entry.node.read).__name__, entry.node.into


def _of_fight(contest: Contest) -> Iterator[tuple[object, ...]]:
    yield "first", contest.first, contest.at_a_time, contest.board is not None
    yield from (("between", deed.name) for _, deed in contest.interludes)
    yield from (("ruling", *pick) for pick in contest.rulings.named().items())
    for number, side in enumerate(contest.sides):
        for sheet in dict.fromkeys(side.fighters):
            condition = contest.fight.begin_turn(sheet, contest.enter(number, sheet))
            yield from (("deed", deed.name) for deed in contest.fight.deeds(sheet, condition))


def _try(known: Material, where: str, cases: Sequence[tuple[Law, Case]]) -> Tried | None:
    """Hold a system to laws on one case; None: they all leave it out."""
    import coverage  # it is needed here only

    for package in (package_of(known.system), "affray.engine", "affray.core"):
        for memory in caches_of(package):
            memory.cache_clear()
    include = [f"{_room(package_of(known.system))}/*"]
    reached: set[tuple[object, ...]] = set()
    seconds, looked = 0.0, False
    for law, case in cases:
        watch = coverage.Coverage(branch=True, data_file=None, include=include, config_file=False)
        began = process_time()
        watch.start()
        try:
            faults = list(law.rule(known, case.thing))
        except Skip:
            continue
        finally:
            watch.stop()
            seconds += process_time() - began
        assert not faults, (law, where, faults)
        looked = True
        data = watch.get_data()
        for file in data.measured_files():
            reached.update((Path(file).name, file, *arc) for arc in data.arcs(file) or ())
        reached |= reached_in_play(known, case)
    for key in [key for key in known.kept if isinstance(key, tuple) and key[0] in SHARED]:
        del known.kept[key]
    return Tried(frozenset(reached), seconds) if looked else None


def tried(known: Material, kind: str) -> Mapping[str, Tried]:
    """Every case of a kind, with what it reaches."""
    cases: dict[str, list[tuple[Law, Case]]] = defaultdict(list)
    for law in laws(LONG[kind]):
        for case in law.over(known) if str(law) != DUELS or kind == "duels" else ():
            cases[case.where].append((law, case))
    found = {where: _try(known, where, rows) for where, rows in cases.items()}
    return {where: one for where, one in found.items() if one is not None}


# -- what is chosen ------------------------------------------------------------------------------


def chosen(cases: Mapping[str, Tried], most_s: float) -> list[str]:
    """Cases that reach whatever all reach that take no more seconds than that; none is idle."""
    cases = {where: one for where, one in cases.items() if one.seconds <= most_s}
    times = Counter(row for one in cases.values() for row in one.reached)
    needed = {row: min(n, 2 if row[0] in TWICE else 1) for row, n in times.items()}
    left, picked = dict(cases), []
    open_rows = dict(needed)
    while open_rows:
        best = max(left, key=lambda where: _gain(left[where], open_rows))
        picked.append(best)
        for row in left.pop(best).reached & open_rows.keys():
            open_rows[row] -= 1
            if not open_rows[row]:
                del open_rows[row]
    held = Counter(row for where in picked for row in cases[where].reached)
    for where in sorted(picked, key=lambda where: -cases[where].seconds):
        rows = cases[where].reached
        if all(held[row] > needed[row] for row in rows):
            picked.remove(where)
            held.subtract(rows)
    return sorted(picked)


def _gain(one: Tried, needed: Mapping[tuple[object, ...], int]) -> float:
    return len(one.reached & needed.keys()) / (one.seconds + 0.02)


def main(systems: Sequence[str]) -> None:
    """Write the covers of some systems, or of all."""
    from tests.conformance.holding import material
    from tests.scenarios import SHIPPED

    COVER.mkdir(exist_ok=True)
    for system in systems or SHIPPED:
        known = material(system, whole=True)
        rows, left = [], []
        for kind in LONG:
            cases = tried(known, kind)
            if kind != "duels":  # those that can't be solved are left out by the law
                found = {where for where, one in cases.items() if one.seconds <= MOST_S[kind]}
                left += [where for where in cases_of(known, kind) if where not in found]
            names = chosen(cases, MOST_S[kind])
            whole = sum(one.seconds for one in cases.values())
            part = sum(cases[name].seconds for name in names)
            print(f"{system}: {len(names)} of {len(cases)} {kind}, {part:.0f} s of {whole:.0f} s")
            rows.append(_listed(kind, names))
        rows.append(_listed("left", left))
        (COVER / f"{system}.toml").write_text(HEAD + "".join(rows), "utf-8")


def _listed(kind: str, names: Sequence[str]) -> str:
    lines = "".join(f"    {json.dumps(name)},\n" for name in names)
    return f"{kind} = [\n{lines}]\n" if names else f"{kind} = []\n"


if __name__ == "__main__":
    main(sys.argv[1:])
