"""The pairs of conditions of a duel, as they count against its limit."""

from __future__ import annotations

from itertools import pairwise
from sys import maxsize
from typing import Any

import pytest

from affray.core.errors import LimitError
from affray.engine.budget import Budget
from affray.engine.fight.duels import closure
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.places import places_of
from affray.engine.fight.duels.reserves import ReservingDuelist
from tests.engine.fight.duels.shipped import shipped_contest, shipped_duel


def test_pairs_count_where_they_may_come_up() -> None:
    duel = shipped_duel("affinity", "raid")
    (places,) = [duel.closure.places]
    assert places is not None
    met = sum(
        len(place.there[0]) * len(place.there[1]) for order in places.values() for place in order
    )
    assert duel.closure.n_met == met < duel.n_pairs
    contest = shipped_contest("affinity", "raid")
    assert Duel(contest, budget=Budget(pairs=met)).solve().won == duel.solve().won


def test_too_many_pairs_are_refused_wherever_they_come_up() -> None:
    met = shipped_duel("affinity", "raid").closure.n_met
    with pytest.raises(LimitError, match=r"that may meet.*allow more pairs") as refused:
        Duel(shipped_contest("affinity", "raid"), budget=Budget(pairs=met - 1))
    assert refused.value.limit == "pairs"


def test_more_places_than_pairs_count_no_pair_twice() -> None:
    duel = shipped_duel("eclipse-phase", "w6")
    assert duel.closure.n_met <= duel.n_pairs


def test_too_many_pairs_are_refused_before_their_exchanges_are_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    duel = shipped_duel("eclipse-phase", "w6")
    exchanges = sum(map(len, duel.attacks))
    found: list[int] = []
    checked = closure._check_pairs

    def noted(*given: Any) -> None:
        found.append(sum(len(attacks) for attacks in {place.attacks for place in given[3]}))
        checked(*given)

    monkeypatch.setattr(closure, "_check_pairs", noted)
    most = duel.closure.n_met // 2
    with pytest.raises(LimitError, match="that may meet"):
        Duel(shipped_contest("eclipse-phase", "w6"), budget=Budget(pairs=most))
    assert found[-1] < exchanges / 4


def test_pairs_are_counted_before_they_have_met() -> None:
    """What is known to stand opposite each other is certain, and only ever grows."""
    contest = shipped_contest("eclipse-phase", "w6")
    whole = Duel(contest).closure
    assert whole.places is not None
    _, attacks = closure.parts_of(contest, (ReservingDuelist, Attacks))
    (places,) = places_of(contest, attacks, everywhere=False).values()
    assert [place.n_met for place in places] == [1, 0]
    assert not any(place.meet(maxsize) for place in places)  # nobody has come yet
    counts = []
    growing = True
    while growing:
        while any(place.spread(maxsize) for place in places):
            counts.append([place.n_met for place in places])
        growing = any(place.meet(maxsize) for place in places)
    for before, after in pairwise(counts):
        assert all(few <= many for few, many in zip(before, after, strict=True))
    (every,) = whole.places.values()
    assert counts[-1] == [place.n_met for place in every]
    assert counts[0][1] == 0 < counts[-1][1]
    for place, known in zip(places, counts[-1], strict=True):
        place.settle()
        assert place.n_met == known  # it is kept
