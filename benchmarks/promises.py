"""What each hint is worth: a room's workloads with it and without it, in calls and processor time.

    python -m benchmarks.promises [room ...]

The workloads are those of `benchmarks.workloads` and every shipped example that takes long enough
to be measured: its odds, its best options, its fight. A hint that makes none of them at least a
tenth quicker is not worth the promise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from cProfile import Profile
from dataclasses import fields, replace
from time import process_time
from typing import Any, NamedTuple

from affray.app.inputs.fight_setups import fight_examples, load_raw_fight
from affray.app.inputs.setups import load
from affray.app.inputs.tables import examples
from affray.app.registry import system_ids, system_named
from affray.core.errors import AffrayError
from affray.core.hints import Hints
from affray.core.system import System
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import first_option
from affray.engine.exchange.keeping import forget_kernels
from affray.engine.exchange.odds import outcomes
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.sampled.battle import Battle
from benchmarks import ours, ours_emlia, ours_fights
from benchmarks.peers import numbers

Ask = Callable[[], object]
SHORTEST, LONGEST = 0.001, 4.0
"""Seconds that a workload must take and may take, as it is."""
ROUNDS = 5
WORTH, CLEARLY = 1.1, 1.5
"""Times as much work: from the second on calls tell enough, below time must agree."""
N_BATTLES = 300

BENCHMARKS: dict[str, dict[str, tuple[Any, str, Callable[[Any], Ask]]]] = {
    "eclipse-phase": {
        "W1": (ours, "EP", lambda m: m.w1(numbers.W1)),
        "W6": (ours_fights, "EP", lambda m: m.w6(numbers.W6)),
        "W8": (ours_fights, "EP", lambda m: m.w8(numbers.W6, N_BATTLES)),
    },
    "empty-earth": {
        "W2": (ours, "EE", lambda m: m.w2(numbers.W2)),
        "W2L": (ours, "EE", lambda m: m.w2l(numbers.W2L)),
    },
    "affinity": {"W4": (ours, "AF", lambda m: m.w4(numbers.W4))},
    "grid-battles": {"W5": (ours, "GB", lambda m: m.w5(numbers.W5))},
    "emlia": {
        "W3": (ours_emlia, "EM", lambda m: m.w3(numbers.W3)),
        "W9": (ours_emlia, "EM", lambda m: m.w9(numbers.W9)),
        "W7": (ours_emlia, "EM", lambda m: m.w7(numbers.W7)),
    },
}


class Workload(NamedTuple):
    """A question of a room: how it is asked of the room under other hints."""

    name: str
    ready: Callable[[System[Any]], Ask]


def _benchmark(module: Any, name: str, make: Callable[[Any], Ask]) -> Callable[..., Ask]:
    def ready(system: System[Any]) -> Ask:
        kept = getattr(module, name)
        setattr(module, name, system)
        try:
            return make(module)
        finally:
            setattr(module, name, kept)

    return ready


def _exchange(room: str, example: str, kind: str) -> Callable[[System[Any]], Ask]:
    def ready(system: System[Any]) -> Ask:
        game = load(room, example).game._replace(system=system)
        if kind == "odds":
            return lambda: outcomes(game, (), decide=lambda at, c: first_option(at, c)[0])
        wish = objective_named(system, "", game.start)
        return lambda: solve(game, wish).value

    return ready


def _fight(room: str, example: str, kind: str) -> Callable[[System[Any]], Ask]:
    def ready(system: System[Any]) -> Ask:
        contest = load_raw_fight(system, fight_examples(system)[example], example).contest
        if kind == "duel":
            return lambda: Duel(contest).solve()
        return lambda: Battle(contest).run(N_BATTLES, seed=1, workers=1)

    return ready


def workloads(room: str) -> Iterator[Workload]:
    """Every question of a room that may be measured."""
    for name, (module, variable, make) in BENCHMARKS[room].items():
        yield Workload(name, _benchmark(module, variable, make))
    system = system_named(room)
    for example in examples(system):
        for kind in ("odds", "best"):
            yield Workload(f"{kind} {example}", _exchange(room, example, kind))
    for example, raw in fight_examples(system).items():
        if system.fight is not None and system.fight.board and system.fight.board.key in raw:
            continue  # nobody works a fight on a board out
        for kind in ("duel", "battle"):
            yield Workload(f"{kind} {example}", _fight(room, example, kind))


def without(system: System[Any]) -> Iterator[tuple[str, System[Any]]]:
    """The system without each kind of hint that it gives."""
    nothing: Hints[Any, Any, Any] = Hints()
    for field in fields(Hints):
        if field.name == "spends_at":
            continue  # goes with `frugal`
        if getattr(system.hints, field.name) != getattr(nothing, field.name):
            bare = replace(system.hints, **{field.name: getattr(nothing, field.name)})
            yield field.name, system.with_hints(bare)
    yield "all", system.with_hints(nothing)


class Cost(NamedTuple):
    """What a workload took: calls of functions, which nothing else on the machine can change, and
    processor time."""

    calls: int
    seconds: float


def cost(workload: Workload, system: System[Any], most: float) -> Cost | None:
    """What a workload takes; None where it takes too long, or is refused."""
    forget_kernels()
    try:
        with spending(Budget(seconds=most)):
            ask = workload.ready(system)
            profile = Profile()
            before = process_time()
            profile.runcall(ask)
            took = process_time() - before
    except (AffrayError, ValueError, LookupError):  # other hints may rely on the one left out
        return None
    return Cost(sum(entry.callcount for entry in profile.getstats()), took)


def seconds(workload: Workload, system: System[Any]) -> float:
    """Processor time of a workload."""
    forget_kernels()
    ask = workload.ready(system)
    before = process_time()
    ask()
    return process_time() - before


def measured(room: str) -> Iterator[str]:
    """Lines of a table: for each hint the workloads that gain most by it."""
    system = system_named(room)
    plain = {}
    for workload in workloads(room):
        took = cost(workload, system, LONGEST)
        if took is not None and took.seconds >= SHORTEST:
            plain[workload] = took
    yield f"{room}: {len(plain)} workloads"
    for hint, bare in without(system):
        gains = []
        for workload, took in plain.items():
            slow = cost(workload, bare, 20 * took.seconds + 5)
            calls = slow.calls / took.calls if slow else float("inf")
            gain = calls
            if WORTH <= calls < CLEARLY:
                pairs = [
                    (seconds(workload, system), seconds(workload, bare)) for _ in range(ROUNDS)
                ]
                gain = min(late for _, late in pairs) / min(early for early, _ in pairs)
            gains.append((min(gain, calls), calls, gain, workload.name))
        gains.sort(reverse=True)
        worth = sum(gain >= WORTH for gain, *_ in gains)
        told = ", ".join(
            f"{name} x{gain:.2f}" + (f" (calls x{calls:.2f})" if calls != gain else "")
            for _, calls, gain, name in gains[:5]
        )
        yield f"| {room} | {hint} | {worth} of {len(gains)} | {told} |"


def main(words: Sequence[str] | None = None) -> None:
    """Measure the rooms that are named, or every one."""
    for room in words or [name for name in system_ids() if name in BENCHMARKS]:
        for line in measured(room):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
