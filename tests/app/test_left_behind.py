"""What a question needed is gone with its answer: nothing waits for Python's search for circles."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator

import pytest

from affray.app.battle import Sampling, ask_battle
from affray.app.best import ask_best
from affray.app.duel import ask_duel
from affray.app.duel_within import duel_within
from affray.app.inputs.fight_changes import FightChanges
from affray.app.sources import Shipped
from affray.engine.budget import Budget


@pytest.fixture(autouse=True)
def searching_only_when_asked() -> Iterator[None]:
    was_on, flags = gc.isenabled(), gc.get_debug()
    gc.disable()
    yield
    gc.set_debug(flags)
    gc.garbage.clear()
    gc.unfreeze()
    if was_on:
        gc.enable()


def left_by(ask: Callable[[], object]) -> set[str]:
    """The kinds of objects of the project that only a search for circles finds, after asking."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ask()  # what is made once, for good
        gc.freeze()  # a search through all that the tests have made takes seconds
        gc.set_debug(gc.DEBUG_SAVEALL)
        ask()
    gc.collect()
    kinds = {type(thing) for thing in gc.garbage}
    return {kind.__name__ for kind in kinds if kind.__module__.startswith("affray.")}


def test_a_circle_would_be_found() -> None:
    from affray.engine.fight.own_parts import Later

    def ask() -> None:
        later = Later(())  # type: ignore[arg-type]  # anything that can know itself
        later.place = later  # type: ignore[assignment]

    assert left_by(ask) == {"Later"}


@pytest.mark.parametrize(
    ("system", "pair", "policy"),
    [
        ("affinity", ("fighter", "squire"), "greedy"),
        ("empty-earth", ("bo", "husk"), "greedy"),
        ("empty-earth", ("bo", "husk"), "optimal"),
        ("grid-battles", ("light_cav", "archer"), "greedy"),
    ],
)
def test_duels_leave_no_circles(system: str, pair: tuple[str, str], policy: str) -> None:
    changes = FightChanges(policies=(policy, policy))
    assert left_by(lambda: ask_duel(system, pair, changes=changes)) == set()


@pytest.mark.parametrize("pair", [("novice", "squire"), ("squire", "squire")])
def test_duels_that_are_refused_leave_no_circles(pair: tuple[str, str]) -> None:
    budget, changes = Budget(pairs=5), FightChanges(policies=("greedy", "greedy"))
    assert left_by(lambda: duel_within("affinity", pair, changes=changes, budget=budget)) == set()


def test_battles_leave_no_circles() -> None:
    def fight() -> object:
        return ask_battle("eclipse-phase", ("jinx", "zahiri"), sampling=Sampling(n=200, seed=1))

    assert left_by(fight) == set()


def test_best_options_leave_no_circles() -> None:
    assert left_by(lambda: ask_best("empty-earth", Shipped("w2"))) == set()
