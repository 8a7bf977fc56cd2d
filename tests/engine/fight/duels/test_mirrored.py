"""Duels of two who are alike, against the same duels with every way to begin followed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.engine.fight.duels.beginning import Leads
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.following import Followed
from affray.engine.fight.duels.forward import Forward
from affray.engine.fight.duels.mirrored import Twins, images_of, twins_of
from tests.engine.fight.duels.shipped import among_all

TWO = Names("limbwalker", "limbwalker")


def leads(table: NDArray[np.float64]) -> Leads:
    """Who goes first where each condition is of its own kind."""
    one, other = map(np.arange, table.shape)
    return Leads(table, (one, other))


@pytest.fixture(scope="module")
def duel() -> Duel:
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "first"))
    return Duel(load_fight("eclipse-phase", TWO, changes).contest)


def test_every_way_to_begin_is_told_as_if_it_were_followed(duel: Duel) -> None:
    ((sweep, starts),) = duel._sweeps
    leads = [start.leads for start in starts]
    assert len(starts) == 8  # one is ahead by 4 to 1 points or by a roll-off, the other as often
    assert len(duel._twins(0).kept) == 4
    over, rounds, _ = Forward(sweep, leads).run(duel.start_pair)
    (ends,) = duel._ends
    assert ends.among is not None
    assert [case.name for case in ends.cases] == list(dict.fromkeys(s.case.name for s in starts))
    told = among_all(ends.over, ends.among, sweep.n)
    for case, row, n_rounds in zip(ends.cases, told, ends.rounds, strict=True):
        chances = np.array([s.case.chance * (s.case.name == case.name) for s in starts], float)
        assert chances.sum() == pytest.approx(float(case.chance), rel=1e-15)
        mean = chances / chances.sum()
        np.testing.assert_allclose(row, mean @ over, rtol=0, atol=1e-14)
        assert n_rounds == pytest.approx(mean @ rounds, rel=1e-12)
    every = Followed(sweep, duel.start_pair, leads)
    for (on, ended), _ in zip(duel._rounds_of(0), range(5), strict=False):
        every.go_on()
        np.testing.assert_allclose(on, every.on[-1], rtol=0, atol=1e-15)
        np.testing.assert_allclose(ended, every.ended[-1], rtol=0, atol=1e-15)


def test_what_is_known_of_one_of_two_alike_is_so_of_the_other(duel: Duel) -> None:
    one, other = duel.duelists
    assert duel.attacks[0].matchup is duel.attacks[1].matchup
    for duelist in (one, other):
        changes = [
            (effect, here, there)
            for here, known in enumerate(duelist.changes)
            for effect, there in known.items()
        ]
        assert changes
        effects = {number: effect for effect, number in duelist.effects.items()}
        for effect, here, there in changes[::7]:
            after = duelist.after(duelist.conditions[here], effects[effect])
            assert after == duelist.conditions[there]


def test_two_who_decide_otherwise_are_not_alike() -> None:
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "greedy"))
    contest = load_fight("eclipse-phase", TWO, changes).contest
    sheet = contest.sides[0].fighters[0]
    assert not contest.is_mirrored
    assert contest.matchup(0, sheet, sheet) is not contest.matchup(1, sheet, sheet)


def test_a_twin_has_sides_exchanged() -> None:
    """Side one has the conditions a and b, the other one b and a, in this order.

    a against b is then b against a from the other side, in the corner across; a against a, and b
    against b, stay what they are.
    """
    images = np.array([1, 0]), np.array([1, 0])
    first = np.array([[1.0, 1.0], [0.0, 1.0]])
    tie = np.array([[1.0, 0.5], [0.5, 0.0]])
    second = np.array([[0.0, 0.0], [1.0, 0.0]])
    twins = twins_of([leads(first), leads(tie), leads(second)], images)
    assert (twins.kept, twins.of.tolist()) == ([0, 1], [0, 1, 0])
    assert twins.turned.tolist() == [False, False, True]
    assert twins.told(np.array([5.0, 7.0])).tolist() == [5, 7, 5]
    ended = np.array([[0.5, 0.2, 0.1, 0.0], [0.3, 0.4, 0.0, 0.0]])
    assert twins.verdicts(ended)[2].tolist() == [0.2, 0.5, 0.1, 0.0]
    over = np.array([[0.1, 0.2, 0.3, 0.4], [0.0, 0.0, 0.0, 1.0]])
    every = np.arange(2), np.arange(2)
    assert among_all(*twins.pairs(over, every), (2, 2))[2].tolist() == [0.4, 0.2, 0.3, 0.1]


def test_mixtures_are_told_from_mixtures_of_those_that_are_followed() -> None:
    images = np.array([1, 0]), np.array([1, 0])
    twins = Twins([0, 1, 3], np.array([0, 1, 0, 2, 1]), np.array([0, 0, 1, 0, 1], np.bool_), images)
    asked = np.array([[0.25, 0.75, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0.25, 0, 0.75]])
    followed, told = twins.mixed(asked)
    assert followed.tolist() == [[0.25, 0.75, 0], [0, 0, 1]]
    assert (told.kept, told.of.tolist()) == ([0, 1], [0, 1, 0])
    assert told.turned.tolist() == [False, False, True]
    assert told.images is images


def test_a_twin_has_the_conditions_that_the_other_side_had() -> None:
    """Of three conditions, in opposite orders, the fight ends in one or two of either side."""
    images = np.array([2, 1, 0]), np.array([2, 1, 0])
    first, second = np.ones((3, 3)), np.zeros((3, 3))
    twins = twins_of([leads(first), leads(second)], images)
    over, among = twins.pairs(np.array([[0.25, 0.75]]), (np.array([0]), np.array([1, 2])))
    told = among_all(over, among, (3, 3)).reshape(2, 3, 3)
    assert (told[0, 0, 1], told[0, 0, 2]) == (0.25, 0.75)
    assert (told[1, 1, 2], told[1, 0, 2]) == (0.25, 0.75)
    assert told.sum() == 2


def test_kinds_of_conditions_in_another_order_are_no_other_way_to_begin() -> None:
    """Three conditions of two kinds; on the other side they have other numbers."""
    images = np.array([2, 0, 1]), np.array([1, 2, 0])
    of_one, of_other = np.array([0, 0, 1]), np.array([0, 1, 0])
    tie = Leads(np.array([[0.5, 1.0], [0.0, 0.5]]), (of_one, of_other))
    odd = Leads(np.array([[0.5, 1.0], [0.25, 0.5]]), (of_one, of_other))
    assert twins_of([tie, 1.0, tie, 0.0, odd, odd], images).of.tolist() == [0, 1, 0, 1, 2, 3]
    assert twins_of([0.0, 0.25, 1.0], images).kept == [0, 1]


def test_without_images_all_ways_are_followed(duel: Duel) -> None:
    twins = twins_of([leads(np.ones((2, 2))), 0.0], None)
    assert (twins.kept, twins.images) == ([0, 1], None)
    over = np.eye(2)
    every = np.arange(2), np.arange(2)
    assert twins.pairs(over, every)[0] is over
    found = images_of(duel.duelists)
    assert found is not None
    one, other = duel.duelists
    assert all(other.conditions[to] == one.conditions[n] for n, to in enumerate(found[0]))
