"""The pairs of conditions of a duel, as they count against its limit."""

from __future__ import annotations

import pytest

from affray.core.errors import LimitError
from affray.engine.budget import Budget
from affray.engine.fight.duels.duel import Duel
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
