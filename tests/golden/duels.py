"""What duels come to: answers that are kept, for whoever changes how they are worked out.

`duels.jsonl` holds a duel a line: all that ship as fights of one against one, the same choice of
pairs from each roster by each policy, and those that took longest. They bind the next engine to
what the last one said; whether that was right is for `exact.py`, the oracles and battles to say.

    python -m tests.golden.duels            work each out again: which differ, which took longest
    python -m tests.golden.duels --write    store them anew
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from itertools import combinations_with_replacement, islice
from math import isclose
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from affray.app.duel import ask_duel
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.registry import system_named
from affray.app.views.fights import DuelView
from affray.core.errors import AffrayError
from affray.core.telling import AffrayWarning
from affray.engine.budget import Budget
from tests.scenarios import OFF_BOARDS, SHIPPED

__all__ = ["CLOSE", "FILE", "Duel", "differences", "stored", "worked_out"]

FILE = Path(__file__).with_name("duels.jsonl")
CLOSE = 1e-9
PAIRS, ROUNDS, SECONDS = 12, 12, 120.0
POLICIES = ("first", "opening", "greedy")


class Duel(NamedTuple):
    """A fight that ships, or two names of a roster (with a space between), and the policy."""

    system: str
    who: str
    policy: str | None
    """Of both sides; None: as the fight says."""


HARD = [
    Duel("eclipse-phase", "predator exhuman", "first"),
    Duel("eclipse-phase", "predator exhuman", "greedy"),
    Duel("eclipse-phase", "ozma_agent ozma_agent", "opening"),
    Duel("eclipse-phase", "jinx exhuman", "greedy"),
    Duel("affinity", "grave_lord grave_lord", "first"),
    Duel("affinity", "champion storm_caller", "opening"),
    Duel("affinity", "champion storm_caller", "greedy"),
    Duel("affinity", "novices", "optimal"),
    Duel("affinity", "squire novice", "optimal"),
    Duel("eclipse-phase", "w6", "optimal"),
]


def _wanted() -> Iterator[Duel]:
    """Every duel that is stored."""
    for system, name in OFF_BOARDS:
        if system in SHIPPED:
            yield Duel(system, name, None)
    for system in SHIPPED:
        able, idle = fighters_of(system_named(system))
        pairs = list(combinations_with_replacement(able, 2))
        pairs += [(one, other) for one in able for other in idle]
        random.Random(system).shuffle(pairs)
        for policy in POLICIES:
            for pair in islice(pairs, PAIRS):
                yield Duel(system, " ".join(pair), policy)
    yield from HARD


def worked_out(duel: Duel) -> dict[str, Any]:
    """What a duel comes to: who wins, by round, what is left, as plain data.

    Raises:
        AffrayError: it isn't one against one, the rules refuse it, or it takes too much.
    """
    policy = duel.policy
    changes = FightChanges(policies=(policy, policy)) if policy else FightChanges()
    names = tuple(duel.who.split())
    source = duel.who if len(names) == 1 else (names[0], names[1])
    with catch_warnings():
        simplefilter("ignore", AffrayWarning)  # what is assumed where a roster says nothing
        view = ask_duel(duel.system, source, changes=changes, budget=Budget(seconds=SECONDS))
    return _plain(view)


def _plain(view: DuelView) -> dict[str, Any]:
    return {
        "won": view.won, "drawn": view.drawn, "ended": view.ended, "endless": view.endless,
        "stalled": view.stalled, "rounds": view.rounds, "quartiles": view.quartiles,
        "by_round": [[row.going_on, *row.won] for row in view.by_round[:ROUNDS]],
        "left": view.left, "points": [side.mean for side in view.points], "fates": view.fates,
        "resources": {f"{row.side} {row.name}": row.left for row in view.resources},
        "cases": {row.name: [*row.won, row.rounds] for row in view.cases},
    }  # fmt: skip


def differences(was: object, now: object, where: str = "") -> list[str]:
    """Where two answers differ by more than `CLOSE`: the path, before and now."""
    if isinstance(was, dict) and isinstance(now, dict) and was.keys() == now.keys():
        return [line for key in was for line in differences(was[key], now[key], f"{where}/{key}")]
    if isinstance(was, list | tuple) and isinstance(now, list | tuple) and len(was) == len(now):
        pairs = enumerate(zip(was, now, strict=True))
        return [line for at, pair in pairs for line in differences(*pair, f"{where}/{at}")]
    if isinstance(was, float | int) and isinstance(now, float | int):
        same = isclose(was, now, rel_tol=CLOSE, abs_tol=CLOSE)
    else:
        same = was == now
    return [] if same else [f"{where}: {was} before, {now} now"]


def stored() -> dict[Duel, dict[str, Any]]:
    """Every stored answer by its duel."""
    rows = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    return {Duel(*row["duel"]): row["answer"] for row in rows}


def _write() -> None:
    lines = []
    for duel in dict.fromkeys(_wanted()):
        try:
            answer = worked_out(duel)
        except AffrayError as error:
            print(f"left out: {' '.join(map(str, duel))}: {error}", file=sys.stderr)
            continue
        lines.append(json.dumps({"duel": duel, "answer": _rounded(answer)}))
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _rounded(value: Any) -> Any:
    """The same with 12 digits after the point at most."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return round(value, 12) if isinstance(value, float) else value


def _compare() -> int:
    took: dict[Duel, float] = {}
    wrong = 0
    for duel, answer in stored().items():
        began = process_time()
        found = differences(answer, worked_out(duel))
        took[duel] = process_time() - began
        wrong += bool(found)
        for line in found:
            print(*duel, line)
    for duel in sorted(took, key=took.__getitem__, reverse=True)[:15]:
        print(f"{took[duel]:7.2f} CPU s", *duel)
    print(f"{wrong} of {len(took)} differ; {sum(took.values()):.0f} CPU s in all")
    return int(wrong > 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        _write()
    else:
        sys.exit(_compare())
