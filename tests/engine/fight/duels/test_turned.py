"""Rounds told from those in the other order of turns, against all of them followed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from affray.app.inputs.fight_setups import FIGHT_AS_WRITTEN, load_fight
from affray.app.sources import Names
from affray.engine.fight.duels import following
from affray.engine.fight.duels.beginning import Leads
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.following import Followed
from affray.engine.fight.duels.mirrored import images_of
from affray.engine.fight.duels.stand_ins import stand_ins
from affray.engine.fight.duels.turned import turned_of
from affray.engine.fight.duels.whole_round import WholeRound
from tests.engine.fight.duels.shipped import among_all


@lru_cache(maxsize=1)
def twice() -> tuple[Duel, Any, Any]:
    """A mage against another, who fight on in ties rolled off each round; the ways to begin."""
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "first"))
    duel = Duel(load_fight("affinity", Names("mage", "mage"), changes).contest)
    ((sweep, starts),) = duel._sweeps
    return duel, sweep, [starts[way].leads for way in duel._twins(0).kept]


def followed(*, turned: bool) -> Followed:
    duel, sweep, leads = twice()
    images = images_of(duel.duelists) if turned else None
    return Followed(sweep, duel.start_pair, leads, stand_ins(sweep, leads), images)


@pytest.mark.parametrize("short", [1000, 1])
def test_half_of_the_rounds_come_to_the_same_as_all(
    short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where only what goes on is followed after the first rounds."""
    monkeypatch.setattr(following, "SHORT", short)
    few, every = followed(turned=True), followed(turned=False)
    assert len(few._whole._turns) == 1
    assert len(every._whole._turns) == 2
    assert few.to_the_end()
    assert every.to_the_end()
    assert (few._short is None) == (short == 1)
    assert len(few._whole._turns) == (2 if short == 1 else 1)
    np.testing.assert_allclose(few.on, every.on, rtol=0, atol=1e-14)
    np.testing.assert_allclose(few.ended, every.ended, rtol=0, atol=1e-14)
    _, sweep, _ = twice()
    (over, missed, among), (told, _, whole) = few.over(), every.over()
    assert missed < 1e-14
    ends = [among_all(one, ids, sweep.n) for one, ids in ((over, among), (told, whole))]
    for found in ends:
        np.testing.assert_allclose(found.sum(1), 1, rtol=0, atol=1e-13)
    # Who stands for somebody may differ, but not on which side a fight is decided, and how.
    verdicts = twice()[0].verdicts.ravel()
    for verdict in np.unique(verdicts):
        mine, theirs = (found[:, verdicts == verdict].sum(1) for found in ends)
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-14)


def test_without_stand_ins_every_pair_is_as_likely_the_last() -> None:
    duel, sweep, leads = twice()
    few = Followed(sweep, duel.start_pair, leads, None, images_of(duel.duelists))
    every = Followed(sweep, duel.start_pair, leads)
    for course in (few, every):
        course.go_on()
    assert len(few._whole._turns) == 1
    (over, _, among), (told, _, whole) = few.over(), every.over()
    np.testing.assert_allclose(
        among_all(over, among, sweep.n), among_all(told, whole, sweep.n), rtol=0, atol=1e-15
    )


def test_who_begins_otherwise_than_the_other_side_is_followed() -> None:
    duel, sweep, leads = twice()
    images = images_of(duel.duelists)
    assert images is not None
    first, last = divmod(duel.start_pair, sweep.n[1])
    other = next(here for here in sweep.standing[0][1].tolist() if here != last)
    course = Followed(sweep, first * sweep.n[1] + other, leads, None, images)
    assert len(course._whole._turns) == 2


def test_a_way_to_begin_that_differs_from_both_sides_is_followed() -> None:
    duel, sweep, leads = twice()
    images = images_of(duel.duelists)
    assert images is not None
    tie = next(lead for lead in leads if lead.mean() not in {0, 1})
    ahead = Leads(tie.table * 0.5, tie.of)
    assert len(WholeRound(sweep, [tie], None, images)._turns) == 1
    assert len(WholeRound(sweep, [ahead], None, images)._turns) == 2
    ways = np.array([0]), np.array([0])
    whole = WholeRound(sweep, [tie])
    begins: Any = whole.first, (np.arange(sweep.n[0]), np.arange(sweep.n[1]))
    assert turned_of(images, [tie], ways, begins) is not None
    assert turned_of(images, [0.5], ways, begins) is None
    less = (whole.first[0][1:], whole.first[1])
    assert turned_of(images, [tie], ways, (less, begins[1])) is None
    other = (whole.first[0], np.append(whole.first[1][1:], sweep.n[1]))
    assert turned_of(images, [tie], ways, (other, begins[1])) is None


def test_a_tie_is_turned_beside_ways_in_which_side_one_always_begins() -> None:
    duel, sweep, leads = twice()
    tie = next(lead for lead in leads if lead.mean() not in {0, 1})
    told = WholeRound(sweep, [1.0, tie], None, images_of(duel.duelists))
    every = WholeRound(sweep, [1.0, tie])
    assert (len(told._turns), len(every._turns)) == (1, 2)
    results = []
    for whole in (told, every):
        begun = whole.begun(duel.start_pair)
        assert begun is not None
        on, corners = whole.after(begun)
        results.append((on, whole.over_by_number(corners)))
    for mine, theirs in zip(*results, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-15)


def test_sides_that_number_the_same_conditions_otherwise_are_exchanged() -> None:
    image, back = np.array([1, 2, 0]), np.array([2, 0, 1])
    every = np.arange(3)
    tie = Leads(np.full((1, 1), 0.5), (np.zeros(3, np.int64), np.zeros(3, np.int64)))
    ways = np.array([0, 1]), np.array([1])
    turned = turned_of((image, back), [1.0, tie], ways, ((every, every), (every, every)))
    assert turned is not None
    now = np.random.default_rng(1).random((3, 3, 2))
    expected = [[now[back[there], image[here], 1] for there in range(3)] for here in range(3)]
    np.testing.assert_array_equal(turned.on(now)[:, :, 0], expected)
    rows, columns = turned.corner((np.array([0, 2]), np.array([1])))
    assert (rows.tolist(), columns.tolist()) == ([0], [1, 0])
    np.testing.assert_array_equal(turned.over(now[:2])[:, :, 0], now[:2, :, 1].T)
