"""Whole rounds: who has won in each pair, and exchanges in which there is nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels import whole_step
from affray.engine.fight.duels.ahead import AnyLeads
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.sweep import Groups, Sweep
from affray.engine.fight.duels.whole_round import WholeRound
from affray.engine.fight.duels.whole_step import _raw_classes
from tests import fight_systems as games
from tests.engine.noting import noting
from tests.fight_systems import Body, Fighter

Floats = NDArray[np.float64]

ONE, OTHER = Fighter("A", 6, sides=4, yields=2), Fighter("B", 5, sides=3, yields=1)


@pytest.fixture
def duel() -> Duel:
    """Two who give up before they are out."""
    return Duel(games.contest(games.yielding, ONE, OTHER, "one"))


def _verdict(one: object, other: object) -> str:
    assert isinstance(one, Body)
    assert isinstance(other, Body)
    if one.hp <= 0:
        return "drawn" if other.hp <= 0 else "other"
    if other.hp <= 0:
        return "one"
    return "ended" if one.hp <= ONE.yields or other.hp <= OTHER.yields else ""


def test_each_pair_has_the_verdict_of_its_conditions(duel: Duel) -> None:
    ((sweep, starts),) = duel._sweeps
    whole = WholeRound(sweep, [start.leads for start in starts])
    one, other = (duelist.conditions for duelist in sweep.duelists)
    met = set()
    for mine, condition in enumerate(one):
        for theirs, foe in enumerate(other):
            pair, verdict = mine * sweep.n[1] + theirs, _verdict(condition, foe)
            met.add(verdict)
            assert (whole.begun(pair) is None) == bool(verdict)
            assert whole.decided(pair).tolist() == [[verdict == name for name in DECIDED]]
    assert met == {"", *DECIDED}
    for codes, (rows, columns) in zip(whole.codes(), whole.corners, strict=True):
        for code, mine in zip(codes, rows, strict=True):
            found = [VERDICT_OF[one_of] or "" for one_of in code]
            assert found == [_verdict(one[mine], other[theirs]) for theirs in columns]


def test_where_nobody_acts_or_is_struck_there_are_no_classes(duel: Duel) -> None:
    ((sweep, _),) = duel._sweeps
    onto = np.arange(sweep.n[0]), np.arange(sweep.n[1])
    some = np.array([0])
    meets = np.array([[True]])
    for number in range(len(sweep.slots)):
        assert list(_raw_classes(sweep, number, (some, some), onto, Groups((some, some), meets)))
        assert not list(
            _raw_classes(sweep, number, (some[:0], some), onto, Groups((some[:0], some), meets))
        )
        assert not list(
            _raw_classes(sweep, number, (some, some[:0]), onto, Groups((some, some[:0]), meets))
        )


def test_who_never_meets_anybody_is_in_no_class(duel: Duel) -> None:
    ((sweep, _),) = duel._sweeps
    onto = np.arange(sweep.n[0]), np.arange(sweep.n[1])
    one, other = sweep.standing[0]
    apart = np.arange(len(one)) % 2
    for first in (0, 1):  # whose conditions are apart
        meets = np.array([[True], [False]])
        groups = Groups((apart, np.zeros(len(other), np.int64)), meets)
        if first:
            apart = np.arange(len(other)) % 2
            groups = Groups((np.zeros(len(one), np.int64), apart), meets.T)
        found = list(_raw_classes(sweep, 0, (one, other), onto, groups))
        assert sweep.slots[0].actor.side == 0
        acts = np.unique(np.concatenate([some.who for some in found]))
        struck = np.unique(np.concatenate([some.targets for some in found]))
        assert acts.tolist() == np.flatnonzero(groups.of[0] == 0).tolist()
        assert struck.tolist() == np.flatnonzero(groups.of[1] == 0).tolist()


def test_a_fight_begins_with_those_who_stand_for_its_fighters(duel: Duel) -> None:
    """At the first exchange of a round, whoever stands for whom at the next."""
    ((sweep, starts),) = duel._sweeps
    every = np.arange(sweep.n[0]), np.arange(sweep.n[1])
    start, foe = divmod(duel.start_pair, sweep.n[1])
    other = next(here for here in sweep.standing[0][0].tolist() if here != start)
    stands = np.where(every[0] == start, other, every[0]), every[1]
    whole = WholeRound(sweep, [one.leads for one in starts], [stands, every])
    begun = whole.begun(duel.start_pair)
    assert begun is not None
    ((row, column, _),) = np.argwhere(begun)
    assert (whole.first[0][row], whole.first[1][column]) == (other, foe)


# -- a round, pair by pair -------------------------------------------------------------------------

ROUNDS = {
    "blow after blow": (games.slugging, Fighter("A", 4), Fighter("B", 5, armor=1)),
    "two blows": (games.healing_twice, Fighter("A", 4, heals=1), Fighter("B", 5)),
    "the first one bleeds": (games.bleeding, Fighter("A", 5, bleeds=1), Fighter("B", 4)),
    "the second one bleeds": (games.bleeding, Fighter("A", 5), Fighter("B", 4, bleeds=2)),
    "both bleed": (games.bleeding, Fighter("A", 5, bleeds=3), Fighter("B", 4, bleeds=1)),
    "nobody comes through": (games.slugging, Fighter("A", 2, armor=9), Fighter("B", 3, armor=9)),
    "either goes first": (games.hurrying, Fighter("A", 3, speed=1), Fighter("B", 4, armor=1)),
    "some hide": (games.hiding, Fighter("A", 4, heals=1, speed=2), Fighter("B", 4, speed=2)),
}


def pushed(sweep: Sweep, now: Floats, slots: range) -> tuple[Floats, Floats]:
    """What goes on after some exchanges, and what is over, pair by pair."""
    on, over = sweep.going_on().ravel(), np.zeros(sweep.n_pairs)
    for number in slots:
        pairs = np.flatnonzero(now)
        one, other, chance = sweep._next(*np.divmod(pairs, sweep.n[1]), number)
        after = np.zeros(sweep.n_pairs)
        np.add.at(after, one * sweep.n[1] + other, chance * now[pairs][:, None])
        over += np.where(on, 0, after)
        now = np.where(on, after, 0)
    return now, over


def small_duel(name: str) -> tuple[Duel, Sweep, list[AnyLeads]]:
    """One of these fights, and its ways to begin."""
    game, one, other = ROUNDS[name]
    first = None if game in {games.hurrying, games.hiding} else "one"
    duel = Duel(games.contest(game, one, other, cast("Any", first)))
    ((sweep, starts),) = duel._sweeps
    return duel, sweep, [start.leads for start in starts]


def by_pairs(duel: Duel, sweep: Sweep, leads: Sequence[AnyLeads]) -> Iterator[list[list[Floats]]]:
    """What goes on after each round, and what is over, way by way to begin, pair by pair."""
    chances = [np.broadcast_to(np.asarray(lead, float), sweep.n).ravel() for lead in leads]
    half = len(sweep.slots) // 2
    orders = [range(half), range(half, 2 * half)] if sweep.offset else [range(len(sweep.slots))]
    begun = np.zeros(sweep.n_pairs)
    begun[duel.start_pair] = 1
    now = [begun] * len(leads)
    while True:
        over = []
        for way, ahead in enumerate(chances):
            goes_first = [ahead, 1 - ahead] if sweep.offset else [np.ones(sweep.n_pairs)]
            parts = [
                pushed(sweep, now[way] * likely, order)
                for likely, order in zip(goes_first, orders, strict=True)
            ]
            now[way] = np.sum([part[0] for part in parts], 0)
            over.append(np.sum([part[1] for part in parts], 0))
        yield [now, over]


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_comes_to_what_its_exchanges_come_to_pair_by_pair(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three rounds of all ways to begin, with attackers followed one by one as well."""
    duel, sweep, leads = small_duel(name)
    for at_once in (1, whole_step.AT_ONCE):
        monkeypatch.setattr(whole_step, "AT_ONCE", at_once)
        whole = WholeRound(sweep, leads)
        here = whole.begun(duel.start_pair)
        for now, ended in islice(by_pairs(duel, sweep, leads), 3):
            assert here is not None
            here, corners = whole.after(here)
            assert whole.on_by_number(here) == pytest.approx(np.stack(now), abs=1e-15)
            assert whole.over_by_number(corners) == pytest.approx(np.stack(ended), abs=1e-15)


def test_the_clock_is_looked_at_before_each_exchange(duel: Duel) -> None:
    """And before each way to begin, where rounds are counted at once."""
    ((sweep, starts),) = duel._sweeps
    whole = WholeRound(sweep, [start.leads for start in starts] * 2)
    begun = whole.begun(duel.start_pair)
    assert begun is not None
    with noting() as clock:
        whole.after(begun)
        assert len(clock.polls) == len(sweep.slots) == 2
        clock.polls.clear()
        whole.ends(np.moveaxis(begun, 2, 0), np.full((1, 2), 0.5))
        assert len(clock.polls) == 2 + len(sweep.slots)


def test_rounds_claim_what_they_take_for_all_ways_to_begin() -> None:
    _, sweep, leads = small_duel("blow after blow")
    with noting() as clock:
        WholeRound(sweep, leads * 2)
    assert (8 * 5 * 2 * 4 * 5, "2 times 20 pairs of conditions") in clock.claims
