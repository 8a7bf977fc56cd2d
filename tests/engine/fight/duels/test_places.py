"""What comes up before each exchange of a round, and nothing else, is found out and followed."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any
from weakref import ref

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_setups import load_fight
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import Lead
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.closure import Closure, closed
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.duelists import Duelist
from affray.engine.fight.duels.following import Followed
from affray.engine.fight.duels.forward import Forward
from affray.engine.fight.duels.found import AnyClosure
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.places import _Kind
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.duels.trees import AttackTrees
from tests import fight_systems as games
from tests.engine.fight.duels.shipped import among_all, shipped_contest, shipped_duel
from tests.fight_systems import Fighter

Bools = NDArray[np.bool_]

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


# What any condition of the lair calls for is more than memory holds: its monsters exert.
@pytest.mark.parametrize(("system_name", "fight"), [row for row in FIGHTS if row[1] != "lair"])
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
        self.trees, self.splits = closure.attacks, {}
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
        lead = Lead(Fraction(1), 0)
        mine, theirs = few.at_round((one[1], other[1]), lead), every.at_round(pair, lead)
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


def hiding_duel(*, everywhere: bool = False) -> Duel:
    """Two who hide when they are nearly out."""
    one = Fighter("One", 4, sides=4, armor=1, heals=1, speed=2)
    other = Fighter("Other", 5, sides=4, armor=1, speed=3)
    return Duel(games.contest(games.hiding, one, other), everywhere=everywhere)


def guarded_duel(*, everywhere: bool = False) -> Duel:
    """Two who spend points, so that who has one left never meets some who have none."""
    changes = FightChanges(policies=("opening", "opening"))
    contest = load_fight("eclipse-phase", ("ripper", "corp_guard"), changes).contest
    return Duel(contest, everywhere=everywhere)


def come_up(duel: Duel, sweep: Sweep, leads: list[Any]) -> list[Bools]:
    """The pairs that come up before the exchange of each slot, followed one by one."""
    ahead, behind = (
        np.any([np.broadcast_to(lead, sweep.n) != never for lead in leads], 0) for never in (0, 1)
    )
    half = len(sweep.slots) // 2
    fresh = [np.zeros(sweep.n, np.bool_) for _ in sweep.slots]
    seen = [few.copy() for few in fresh]

    def enter(place: int, pairs: Bools) -> None:
        for number, some in ((0, ahead), (half, behind)) if place < sweep.offset else ():
            fresh[number] |= pairs & some
        if place >= sweep.offset:
            fresh[place - sweep.offset] |= pairs

    begin = np.zeros(sweep.n, np.bool_)
    begin.flat[duel.start_pair] = True
    enter(0, begin & sweep.going_on())
    while any(few.any() for few in fresh):
        for number, then in enumerate(sweep.then):
            new = fresh[number] & ~seen[number]
            seen[number] |= new
            fresh[number][:] = False
            one, other = np.nonzero(new)
            first, second, chance = sweep._next(one, other, number)
            there = np.zeros(sweep.n, np.bool_)
            there[first[chance > 0], second[chance > 0]] = True
            enter(then, there & sweep.going_on())
    return seen


MADE = {"hiding": hiding_duel, "guarded": guarded_duel}


@pytest.mark.parametrize("fight", [*FIGHTS, *MADE])
def test_pairs_that_come_up_may_stand_opposite_each_other(fight: tuple[str, str] | str) -> None:
    duel = MADE[fight]() if isinstance(fight, str) else shipped_duel(*fight)
    for sweep, starts in duel._sweeps:
        nobody = np.arange(sweep.n[0]), np.arange(sweep.n[1])
        for number, pairs in enumerate(come_up(duel, sweep, [start.leads for start in starts])):
            groups = sweep.groups(number, nobody)
            may = np.zeros(sweep.n, np.bool_)
            may[np.ix_(*sweep.standing[number])] = groups.meets[np.ix_(*groups.of)]
            assert (may | ~pairs).all()
            assert pairs.any()


def fading() -> System[Facts]:
    """Bleeding, of which everybody sees all; who has a single point left loses it."""
    return games._system(
        hidden=games.NOTHING_HIDDEN,
        end_round=lambda sheet, body: body._replace(hp=0 if body.hp == 1 else body.hp),
    )


SMALL: dict[str, tuple[Callable[[], System[Facts]], Fighter, Fighter]] = {
    "fading": (fading, Fighter("A", 4, sides=2), Fighter("B", 5, sides=2, armor=1)),
    "yielding": (games.yielding, Fighter("A", 5, yields=1), Fighter("B", 6, yields=2)),
    "healing twice": (games.healing_twice, Fighter("A", 4, heals=1), Fighter("B", 5)),
    "winding up": (games.winding_up, Fighter("A", 4), Fighter("B", 3)),
    "simultaneous": (games.simultaneous, Fighter("A", 4), Fighter("B", 3)),
    "bleeding": (games.bleeding, Fighter("A", 5, bleeds=1), Fighter("B", 4, armor=1, bleeds=2)),
    "resting": (games.resting, Fighter("A", 4), Fighter("B", 5)),
    "units": (games.units, Fighter("A", 3, hits=3), Fighter("B", 4, hits=4)),
}


def rounds_of(name: str) -> Iterator[tuple[Sweep, list[Bools]]]:
    """Rounds of a small fight, and what comes up in them: one goes first, or initiative decides."""
    game, one, other = SMALL[name]
    duel = Duel(games.contest(game, one, other, "one"))
    ((sweep, starts),) = duel._sweeps
    yield sweep, come_up(duel, sweep, [start.leads for start in starts])
    system, eager = game(), games.eager().fight
    assert system.fight is not None
    assert eager is not None
    fight = replace(
        system.fight, initiative=eager.initiative, initiative_roll=eager.initiative_roll
    )
    one, other = replace(one, quickness=1), replace(other, quickness=1)
    duel = Duel(games.contest(replace(system, fight=fight), one, other))
    for sweep, starts in duel._sweeps:
        yield sweep, come_up(duel, sweep, [start.leads for start in starts])


@pytest.mark.parametrize("name", [name for name in SMALL if name != "fading"])
def test_only_what_comes_up_is_there(name: str) -> None:
    for sweep, every in rounds_of(name):
        for place, standing, pairs in zip(sweep._in_order, sweep.standing, every, strict=True):
            for side in (0, 1):
                comes = np.flatnonzero(pairs.any(1 - side)).tolist()
                assert sorted(place.there[side]) == standing[side].tolist() == comes
            assert place.n_met >= pairs.sum()
        n_states = sum(len(one) * len(other) for one, other in sweep.standing)
        assert sweep.n_states == n_states


@pytest.mark.parametrize("name", ["resting", "units", "fading"])
def test_where_nothing_is_hidden_those_meet_that_are_brought_together(name: str) -> None:
    """All that can be seen is told apart, so it is known who meets whom."""
    apart = 0
    for sweep, every in rounds_of(name):
        nobody = np.arange(sweep.n[0]), np.arange(sweep.n[1])
        for number, (place, pairs) in enumerate(zip(sweep._in_order, every, strict=True)):
            groups = sweep.groups(number, nobody)
            meet = pairs[np.ix_(*sweep.standing[number])]
            assert (groups.meets[np.ix_(*groups.of)] == meet).all()
            assert place.n_met == pairs.sum()
            apart += int(np.count_nonzero(~meet))
    assert (apart > 0) == (name != "units")


def test_who_is_never_brought_together_does_not_meet() -> None:
    duel, every = guarded_duel(), guarded_duel(everywhere=True)
    met: list[tuple[int, int]] = []
    all_met: list[tuple[int, int]] = []
    for one, found in ((duel, met), (every, all_met)):
        assert one.closure.places is not None
        for places in one.closure.places.values():
            found += [(place.n_met, len(place.there[0]) * len(place.there[1])) for place in places]
    assert all(n == whole for n, whole in all_met)
    assert all(n <= whole for n, whole in met)
    assert sum(n for n, _ in met) < sum(whole for _, whole in met)
    assert duel.solve().won == pytest.approx(every.solve().won, abs=1e-12)
    assert sum(map(len, duel.attacks)) <= sum(map(len, every.attacks))


def test_kinds_to_which_an_exchange_leads_grow_as_more_is_known() -> None:
    """Each effect leads to a kind of its own; the exchange has all of them."""
    kind, known = _Kind(), 0
    for number in range(4):
        assert kind.after(7, range(4)) == known
        kind.lead([number], [1 << number])
        known |= 1 << number
        assert kind.after(7, range(4)) == known
        assert kind.leads == known
    kind.lead([3], [1 << 3])
    assert kind.n_leads == 4
    assert kind.after(8, [0, 2]) == 0b101


class WholeFixedDuel(Duel):
    """A duel by fixed policies, found out wherever conditions come up."""

    def _worked_out(self, clock: Clock) -> tuple[AnyClosure, None]:
        return closed(self.contest, (Duelist, Attacks), clock), None


@pytest.mark.parametrize("side", [0, 1])
def test_a_duel_known_everywhere_knows_pairs_that_never_meet(side: int) -> None:
    few, every = hiding_duel(everywhere=True), WholeFixedDuel(hiding_duel().contest)
    there, whole = few.at_rounds(side), every.at_rounds(side)
    lead = Lead(Fraction(1), side)
    for one, other in product(*(numbers.items() for numbers in there)):
        pair = whole[0][one[0]], whole[1][other[0]]
        expected = every.at_round(pair, lead)
        assert few.at_round((one[1], other[1]), lead) == pytest.approx(expected, abs=1e-12)


def test_duels_of_one_contest_keep_what_they_know_apart() -> None:
    contest = hiding_duel().contest
    few, every = Duel(contest), Duel(contest, everywhere=True)
    assert not few.closure.everywhere
    assert every.closure.everywhere
    assert Duel(contest).closure is few.closure
    assert Duel(contest, everywhere=True).closure is every.closure
