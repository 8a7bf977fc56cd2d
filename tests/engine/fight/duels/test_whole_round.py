"""Whole rounds: who has won in each pair, and exchanges in which there is nobody."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.duel import Duel
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
    for number in range(len(sweep.slots)):
        assert list(_raw_classes(sweep, number, (some, some), onto))
        assert not list(_raw_classes(sweep, number, (some[:0], some), onto))
        assert not list(_raw_classes(sweep, number, (some, some[:0]), onto))
