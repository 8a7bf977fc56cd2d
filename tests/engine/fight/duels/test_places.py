"""What comes up before each exchange of a round, and nothing else, is found out and followed."""

from __future__ import annotations

import gc
from itertools import product
from typing import Any
from weakref import ref

import numpy as np
import pytest

from affray.app.inputs.fight_setups import FIGHT_AS_WRITTEN, load_fight
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.closure import Closure, closed
from affray.engine.fight.duels.duel import AnyClosure, Duel
from affray.engine.fight.duels.duelists import Duelist
from affray.engine.fight.duels.following import Followed
from affray.engine.fight.duels.forward import Forward
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.duels.trees import AttackTrees
from tests.engine.fight.duels.shipped import among_all, shipped_contest, shipped_duel

FIGHTS = [
    ("eclipse-phase", "grenades-against-a-torch"),
    ("affinity", "raid"),
    ("affinity", "lair"),
    ("empty-earth", "bo-haunt"),
]


def everything(contest: Contest) -> Closure[Duelist, Attacks]:
    """The conditions and exchanges that any condition calls for, wherever it comes up."""
    with spending(Budget()) as clock:
        return closed(contest, (Duelist, Attacks), clock)


@pytest.mark.parametrize(("system_name", "fight"), FIGHTS)
def test_conditions_by_place_come_to_the_same_as_all_of_them(system_name: str, fight: str) -> None:
    duel = shipped_duel(system_name, fight)
    whole = everything(shipped_contest(system_name, fight))
    assert duel.n_pairs <= whole.n_pairs
    for few, every in zip(duel.duelists, whole.duelists, strict=True):
        assert set(few.conditions) <= set(every.conditions)
    one, other = whole.duelists
    start = one.start * len(other.conditions) + other.start
    for sweep, starts in duel._sweeps:
        leads = [start.leads for start in starts]
        course = Followed(sweep, duel.start_pair, leads)
        assert course.to_the_end()
        over, _, among = course.over()
        ends = among_all(over, among, sweep.n)
        for place, leading in enumerate(leads):
            lead = float(np.min(leading))
            if lead not in {0.0, 1.0} or lead != np.max(leading):  # by initiative, round by round
                continue
            back = Sweep(whole.duelists, whole.attacks, lead, before=sweep.before)
            visits = Forward(back, [lead]).run(start)
            worth = {
                (one.conditions[a], other.conditions[b]): chance
                for (a, b), chance in np.ndenumerate(visits.over[0].reshape(back.n))
            }
            first, second = duel.duelists
            for (a, b), chance in np.ndenumerate(ends[place].reshape(sweep.n)):
                pair = first.conditions[a], second.conditions[b]
                assert chance == pytest.approx(worth.pop(pair), abs=1e-12)
            assert sum(worth.values()) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("system_name", "fight"), FIGHTS)
def test_what_an_exchange_leads_to_may_come_up_at_the_next(system_name: str, fight: str) -> None:
    duel = shipped_duel(system_name, fight)
    for sweep, _ in duel._sweeps:
        half = len(sweep.slots) // 2
        firsts = (0, half) if sweep.offset else (0,)
        for number, slot in enumerate(sweep.slots):
            there = [
                np.isin(np.arange(n), ids)
                for n, ids in zip(sweep.n, sweep.standing[number], strict=True)
            ]
            one, other = np.nonzero(there[0][:, None] & there[1][None, :])
            first, second, chance = sweep._next(one, other, number)
            goes_on = (chance > 0) & ~sweep.over[0][first] & ~sweep.over[1][second]
            assert goes_on.any()
            for then in firsts if slot.ends_round else (number + 1,):
                assert np.isin(first[goes_on], sweep.standing[then][0]).all()
                assert np.isin(second[goes_on], sweep.standing[then][1]).all()


def test_a_fighter_has_acted_or_is_about_to() -> None:
    # Affinity: two actions in a turn. Before the first exchange nobody has exerted or acted; before
    # the second only whoever acts has an action less.
    duel = shipped_duel("affinity", "raid")
    assert duel.closure.places is not None
    for (side, _), places in duel.closure.places.items():
        first, second = places[0], places[1]
        conditions: list[Any] = list(duel.duelists[side].conditions)
        assert {conditions[here].now.actions for here in first.there[side]} == {2}
        assert {conditions[here].now.actions for here in second.there[side]} <= {0, 1}


class WholeDuel(BestDuel):
    """A duel decided by both sides, found out wherever conditions come up."""

    def _worked_out(self, clock: Clock) -> tuple[AnyClosure, None]:
        closure = closed(self.contest, (Duelist, AttackTrees), clock)
        self.trees = closure.attacks
        return closure, None


def test_best_play_by_place_is_worth_the_same() -> None:
    changes = FIGHT_AS_WRITTEN._replace(policies=("optimal", "optimal"))
    contest = load_fight("empty-earth", "bo-husk", changes).contest
    few, every = BestDuel(contest), WholeDuel(contest)
    assert few.n_pairs <= every.n_pairs
    assert few.solve().won == pytest.approx(every.solve().won, abs=1e-12)
    there, whole = few.at_rounds(0), every.at_rounds(0)
    for one, other in product(*(list(numbers.items())[::3] for numbers in there)):
        pair = whole[0][one[0]], whole[1][other[0]]
        mine, theirs = few.at_round((one[1], other[1]), 0), every.at_round(pair, 0)
        assert mine == pytest.approx(theirs, abs=1e-12)


def test_a_duel_that_nobody_asks_any_longer_leaves_nothing_in_memory() -> None:
    contest = shipped_contest("affinity", "raid")
    duel = Duel(contest)
    assert duel.solve().won[0] > 0
    kept = [ref(one) for one in (*duel.attacks, *duel.duelists)]
    searches = gc.isenabled()
    gc.disable()
    try:
        del duel
        contest.forget()
        assert [one() for one in kept] == [None] * 4
    finally:
        if searches:
            gc.enable()
