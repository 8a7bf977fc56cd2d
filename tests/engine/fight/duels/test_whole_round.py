"""Whole rounds: who has won in each pair, and exchanges in which there is nobody."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.sweep import Groups
from affray.engine.fight.duels.whole_round import WholeRound, _raw_classes
from tests import fight_systems as games
from tests.fight_systems import Body, Fighter

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
