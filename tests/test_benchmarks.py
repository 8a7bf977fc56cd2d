"""The benchmark compares like with like: all peers give affray's answers, to the last digit."""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
from benchmarks import forgetting, machine, promises, run
from benchmarks.machine import Spent
from benchmarks.peers.numbers import Pools
from benchmarks.workloads import Workload, workloads

from affray.app.registry import system_named
from affray.engine.exchange import keeping
from affray.systems.empty_earth import roll

AGREED = {"W1": 4, "W2": 6, "W2L": 6, "W3-30": 4, "W3-100": 4, "W4": 3, "W5": 3, "W6": 3, "W8": 3,
          "W7": 3, "W9": 3}  # fmt: skip
LONG = ("W2L", "W6", "W7", "W8")
EVERY = {workload.id: workload for workload in workloads(quick=True)}
EXCHANGES = [id_ for id_, workload in EVERY.items() if workload.again == "asked again"]
TOOK = Spent(3.0, 2.0, 0.5, 99.0)


@pytest.mark.parametrize("id_", AGREED)
def test_every_peer_agrees_exactly(id_: str) -> None:
    quick = EVERY[id_]._replace(peers=tuple(p for p in EVERY[id_].peers if not p.slow))
    others = quick.others[:1] if id_ in LONG else quick.others
    if id_ == "W2L":  # a few dice: the first numbers are as many as there can be
        others = (Pools(6, (2, 6), 4),)
    if find_storm():
        quick = quick._replace(peers=tuple(p for p in quick.peers if p.name != "Storm"))
    assert run.agreement(quick._replace(others=others)) == AGREED[id_]


def find_storm() -> bool:
    return any(peer.name == "Storm" for peer in EVERY["W6"].peers)


def test_another_answer_is_noticed() -> None:
    """A peer that answers other numbers than it was asked."""
    workload = EVERY["W5"]
    plain = workload.peers[0]
    wrong = plain._replace(ready=lambda _: plain.ready(workload.others[0]))
    with pytest.raises(AssertionError, match="plain Python"):
        run.agreement(workload._replace(peers=(wrong,)))


def test_every_workload_names_its_goal_and_peers() -> None:
    assert list(EVERY) == list(AGREED)
    for workload in EVERY.values():
        assert workload.goal.endswith("x")
        rival = "numpy" if workload.id in {"W6", "W7", "W8"} else "icepool"
        assert {"plain Python", rival} <= {peer.name for peer in workload.peers}


# -- cold, new numbers, asked again ------------------------------------------------------------


def _found() -> list[Any]:
    """Every function of affray that remembers, by looking through names of modules and classes."""
    found = []
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "affray":
            things = list(vars(module).values())
            things += [part for thing in things if inspect.isclass(thing)
                       for part in vars(thing).values()]  # fmt: skip
            for thing in things:
                if inspect.isfunction(thing):  # `remembers` has it inside
                    inside = inspect.getclosurevars(thing).nonlocals
                    found += [part for part in inside.values() if hasattr(part, "cache_info")]
                if hasattr(thing, "cache_info") and not inspect.isclass(thing):
                    found.append(thing)
    return [thing for thing in found if (thing.__module__ or "").startswith("affray")]


def test_cold_is_cold_whoever_remembers() -> None:
    for id_ in ("W1", "W2", "W3-30", "W4", "W5", "W7", "W9"):
        EVERY[id_].ours.ready(EVERY[id_].numbers)()
    full = [function for function in _found() if function.cache_info().currsize]
    homes = {function.__module__.split(".")[2] for function in full
             if function.__module__.startswith("affray.systems.")}  # fmt: skip
    assert homes >= {"eclipse_phase", "empty_earth", "emlia", "affinity", "grid_battles"}
    assert kept() > 0
    forgetting.forget()
    assert not [function for function in _found() if function.cache_info().currsize]
    assert kept() == 0


def test_cold_forgets_what_remembers_the_unknown() -> None:
    inside = [
        inspect.getclosurevars(function).nonlocals["known"]
        for function in vars(roll).values()
        if inspect.isfunction(function) and "known" in inspect.getclosurevars(function).nonlocals
    ]
    EVERY["W2"].ours.ready(EVERY["W2"].numbers)()
    assert any(known.cache_info().currsize for known in inside)
    forgetting.forget()
    assert not any(known.cache_info().currsize for known in inside)


def test_a_function_in_a_function_is_found() -> None:
    def outer() -> Callable[[], int]:
        @functools.cache
        def inner() -> int:
            return 1

        inner.__module__ = "affray.toy"
        return inner

    function = outer()
    forgetting._looked_at = -1
    assert function in forgetting.remembering()
    forgetting._looked_at = -1


def kept() -> int:
    """Places of kept exchanges, and kept ends of exchanges."""
    return sum(len(table) for table in keeping._KERNELS.values()) + len(keeping._ENDED)


@pytest.mark.parametrize("id_", EXCHANGES)
def test_new_numbers_find_no_stored_answer_and_the_same_again_do(id_: str) -> None:
    workload = EVERY[id_]
    forgetting.forget()
    first = workload.ours.ready(workload.numbers)
    first()
    for numbers in workload.others:
        before = kept()
        workload.ours.ready(numbers)()
        assert kept() > before, numbers
    before = kept()
    first()
    assert kept() == before


def test_a_turn_asks_for_the_first_then_for_new_numbers_then_again() -> None:
    asked: list[object] = []
    workload = EVERY["W5"]

    def ready(numbers: object) -> Callable[[], None]:
        return lambda: asked.append(numbers)

    def told() -> None:
        asked.append("cleared")

    runner = workload.ours._replace(ready=ready, clear=told)
    run.timed(workload._replace(ours=runner, peers=(), rounds=2))
    turn = ["cleared", workload.numbers, *workload.others, workload.numbers]
    assert asked == turn * 2


# -- what is shown -----------------------------------------------------------------------------


def section(again: str = "asked again") -> run.Section:
    rows = [run.Timing("affray", 2.0, 1.0, 0.1, "from the rule text"),
            run.Timing("x", 30.0, 20.0, 0.5, "y"),
            run.Timing("z", 0.1, None, None, "slow")]  # fmt: skip
    return run.Section("an attack", again, rows, TOOK, 0.25)


def test_results_become_a_table_of_ratios() -> None:
    shown = run.as_table("W1", section())
    assert "## W1: an attack" in shown
    assert "| x | 30.000 | 20.000 | 15.0 | 20.0 | 0.500 | y |" in shown
    assert "| z | 0.100 | - | 0.050 | - | - | slow |" in shown
    assert "3.0 s by the clock, 2.0 s user and 0.5 s system time, peak memory" in shown
    assert "99 MB; load 0.25" in shown


def test_only_what_is_looked_up_is_called_asked_again() -> None:
    assert "asked again" in run.as_table("W1", section())
    assert "asked again" not in run.as_table("W6", section("tables known"))
    assert [w.id for w in EVERY.values() if w.again != "asked again"] == ["W6", "W8", "W7"]


def test_a_busy_machine_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "cores", lambda: 2)
    assert machine.too_busy(0.6) == ""
    assert "0.61 at the start" in machine.too_busy(0.61)
    monkeypatch.setattr(os, "getloadavg", lambda: (5.0, 4.0, 3.0))
    run.main(["--only", "W5", "--quick"])
    shown = capsys.readouterr()
    assert "Load 5.00, 4.00, 3.00 at the start" in shown.out
    assert "**Warning: the load was 5.00" in shown.out
    assert "Warning: the load was 5.00" in shown.err


@pytest.mark.parametrize("id_", ["W1", "W8"])
def test_one_workload_runs_quickly(id_: str, capsys: pytest.CaptureFixture[str]) -> None:
    run.main(["--only", id_, "--quick", "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert list(shown["results"]) == [id_]
    assert shown["agreeing_peers"] == {id_: AGREED[id_]}
    assert {"machine", "python", "commit", "affray"} <= set(shown["machine"])
    assert set(shown["load"]) == {"start", "end"}
    own = shown["results"][id_][0]
    assert own["name"] == "affray"
    assert own["tables_known"] == (id_ != "W1")
    for row in shown["results"][id_]:
        assert min(row["cold_ms"], row["new_ms"], row["again_ms"]) > 0


def test_a_workload_that_is_none_is_told_with_those_there_are() -> None:
    with pytest.raises(SystemExit, match="no workload 'W0'; there are W1, W2, "):
        run.main(["--only", "W0", "--quick"])


def test_who_is_slow_takes_part_once() -> None:
    asked: list[str] = []
    workload: Workload = EVERY["W5"]

    def ready(name: str) -> Callable[[object], Callable[[], None]]:
        return lambda _: lambda: asked.append(name)

    peers = [
        peer._replace(name=name, ready=ready(name), slow=slow)
        for peer, name, slow in zip(workload.peers, ("a", "b"), (True, False), strict=False)
    ]
    run.timed(workload._replace(ours=peers[1], peers=(peers[0],), rounds=3))
    assert asked.count("a") == 2  # cold, and one with new numbers
    assert asked.count("b") == 3 * (len(workload.others) + 2)


# -- what hints are worth ------------------------------------------------------------------------


def test_every_hint_of_a_room_is_left_out_in_turn() -> None:
    room = system_named("grid-battles")
    found = dict(promises.without(room))
    assert list(found) == ["aside", "hidden", "all"]
    assert not any(found["aside"].aside.values())
    assert found["aside"].hints.hidden is room.hints.hidden
    assert any(room.aside.values()), "the room itself keeps its hints"


def test_a_workload_is_asked_of_the_room_without_a_hint() -> None:
    room = system_named("empty-earth")
    bare = dict(promises.without(room))["aside"]
    workload = next(promises.workloads(room.id))
    assert workload.name == "W2"
    plain, slow = promises.cost(workload, room, 60), promises.cost(workload, bare, 60)
    assert plain is not None
    assert slow is not None
    assert slow.calls > 1.1 * plain.calls
    assert promises.cost(workload, room, 60) is not None, "the room asked first is asked again"
