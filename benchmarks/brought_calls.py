"""Calls of what people bring, each in a process of its own: `python -m benchmarks.brought_calls`.

What is printed is JSON: the seconds of the processor that count, without starting up, what else
is to be said, and the answer, for checks.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from math import sqrt
from pathlib import Path
from statistics import median
from time import process_time, thread_time
from typing import Any

from affray.app.duel import ask_duel
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.setups import load
from affray.app.registry import system_named
from affray.core.errors import AffrayError, LimitError
from affray.engine.budget import Budget
from affray.engine.exchange.best import solve
from affray.engine.exchange.odds import outcomes
from benchmarks import brought
from benchmarks.brought_checks import table_in
from benchmarks.forgetting import forget
from benchmarks.peers import plain
from benchmarks.peers.numbers import W1, W6
from benchmarks.workloads import Runner, Workload, workloads

Said = dict[str, Any]
ENOUGH_S = 50.0
"""Seconds after which a row of many duels begins no other one."""
ONE_S = 15.0
"""Seconds for one of them."""
SKILLS = range(1, 101)
MANY = 1_000_000
ROUNDS = {"W1": 40, "W2": 25, "W4": 40, "W5": 60, "W6": 5, "W7": 3, "W9": 15}


def said(seconds: float, told: str, answer: object = None, share: float | None = None) -> Said:
    """What is printed."""
    return {"seconds": seconds, "told": told, "answer": answer, "share": share, "refused": ""}


# -- duels -------------------------------------------------------------------------------------


def duels(system: str, policy: str) -> Said:
    """Every duel of two of a roster, each as if it was the first; the slowest counts.

    In an order that is shuffled always the same way, as many as `ENOUGH_S` is enough for.
    """
    able, idle = fighters_of(system_named(system))
    pairs = list(combinations_with_replacement(able, 2))
    pairs += [(one, other) for one in able for other in idle]
    random.Random(system).shuffle(pairs)
    changes = FightChanges(policies=(policy, policy))
    took: dict[tuple[str, str], float] = {}
    answers: dict[tuple[str, str], tuple[float, float]] = {}
    refused: list[tuple[str, str]] = []
    over: list[tuple[str, str]] = []
    began = process_time()
    for pair in pairs:
        if process_time() - began > ENOUGH_S:
            break
        forget()
        before = process_time()
        try:
            # By the clock: what is refused on a busy machine has had less of the processor.
            found = ask_duel(system, pair, changes=changes, budget=Budget(seconds=4 * ONE_S))
            answers[pair] = found.won
        except LimitError:
            over.append(pair)
        except AffrayError:
            refused.append(pair)
            continue
        took[pair] = process_time() - before
    worst = max(took, key=took.__getitem__)
    slow = sum(seconds > 2 for seconds in took.values())
    told = f"{len(took) + len(refused)} of {len(pairs)} pairs, {slow} over 2 s; "
    told += f"slowest {' '.join(worst)}"
    told += f"; {len(over)} stopped by the budget" if over else ""
    told += f"; {len(refused)} refused by the rules" if refused else ""
    answered = [pair for pair in answers if took[pair] < 2] or list(answers)
    told_of = answered[0] if answered else worst
    result = said(took[worst], told, {
        "system": system, "pair": told_of, "policy": policy, "won": answers.get(told_of),
    })  # fmt: skip
    if over:
        result["refused"] = f"{told}; the first: {' '.join(over[0])}"
    return result


# -- exchanges -----------------------------------------------------------------------------------


def objectives(sheet: str) -> Said:
    """The best options for every objective in turn.

    Being out of the fight and still being in it add up to one; the chance to hit is followed
    forward as well.
    """
    with tempfile.TemporaryDirectory() as folder:
        table = table_in(brought.sheets(Path(folder))[sheet])
    took: dict[str, float] = {}
    values: dict[str, Fraction] = {}
    for objective in system_named("eclipse-phase").objectives:
        forget()
        before = thread_time()
        game = load("eclipse-phase", table).game
        solution = solve(game, objective)
        values[objective.name] = solution.value
        took[objective.name] = thread_time() - before
        if objective.about:
            found = outcomes(game, (objective.about,), decide=solution.decide)
            assert found.chance((True,)) == solution.value, objective
    assert values["disable"] + values["survive"] == 1, values
    worst = max(took, key=took.__getitem__)
    checked = "what adds up to one, and following forward"
    return said(took[worst], f"{len(took)} objectives; slowest {worst}", checked)


def sweep() -> Said:
    """W1 at a hundred skills, nothing known before; every one compared with plain Python."""
    from benchmarks import ours

    best = None
    for _ in range(7):
        asked = [W1._replace(attack=skill) for skill in SKILLS]
        ready = [ours.w1(numbers) for numbers in asked]
        forget()
        before = thread_time()
        answers = [answer() for answer in ready]
        took = thread_time() - before
        best = took if best is None else min(best, took)
    for numbers, answer in zip(asked, answers, strict=True):
        own = {values[0]: chance for values, chance in answer.fractions().items()}
        other = {value: chance for value, chance in plain.w1(numbers).items() if chance}
        assert own == other, numbers
    assert best is not None
    return said(best, f"{best / len(SKILLS) * 1000:.3f} ms each", "plain Python, every number")


def cold(id_: str) -> Said:
    """A workload with nothing known, in turns with its peers; all answers are compared."""
    workload = next(one for one in workloads() if one.id == id_)
    wanted = {"W6": {"plain Python, tuned"}, "W7": {"plain Python, tuned"}}.get(
        id_, {"icepool", "dyce"}
    )
    peers = [peer for peer in workload.peers if peer.name in wanted]
    own = workload.ours.read(workload.ours.ready(workload.numbers)())
    for peer in peers:
        other = peer.read(peer.ready(workload.numbers)())
        assert workload.same(own, other), (peer.name, own, other)
    times: dict[str, list[float]] = {}
    for _ in range(ROUNDS[id_]):
        for runner in (workload.ours, *peers):
            times.setdefault(runner.name, []).append(_once(workload, runner))
    took = median(times["affray"])
    medians = {peer.name: median(times[peer.name]) for peer in peers}
    fastest = min(medians, key=medians.__getitem__)
    told = ", ".join(f"{name} {seconds * 1000:.3f} ms" for name, seconds in medians.items())
    return said(took, told, ", ".join(medians), medians[fastest] / took)


def _once(workload: Workload, runner: Runner) -> float:
    answer = runner.ready(workload.numbers)
    runner.clear()
    before = thread_time()
    answer()
    return (thread_time() - before) * runner.times


def million() -> Said:
    """Battles whose tables are known, compared with battles of numpy."""
    from benchmarks import ours_fights
    from benchmarks.peers import numpy_fights

    answer = ours_fights.w8(W6, MANY)
    answer()
    times = []
    for _ in range(5):
        before = process_time()
        result = answer()
        times.append(process_time() - before)
    p, n = result.won[0].value, MANY // 5
    won, _, _ = numpy_fights.w8(n, 2)
    assert abs(p - won / n) < 5 * sqrt(p * (1 - p) * (1 / MANY + 1 / n)), (p, won / n)
    return said(median(times), f"{median(times) / MANY * 1e6:.2f} us a battle", "dice of numpy")


CALLS: dict[str, Callable[..., Said]] = {
    "duels": duels, "objectives": objectives, "sweep": sweep, "cold": cold, "million": million,
}  # fmt: skip


def main(words: list[str]) -> None:
    """Call, and print what is said."""
    name, *given = words
    print(json.dumps(CALLS[name](*given)))


if __name__ == "__main__":
    main(sys.argv[1:])
