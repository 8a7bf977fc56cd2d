"""Whom a fighter goes for: each rule in a case made for it."""

from __future__ import annotations

import pytest

from affray.core.errors import AnswerError, UnknownNameError
from affray.engine.fight.sampled.battle import Battle
from affray.engine.fight.targeting import (
    TARGETINGS,
    Foe,
    Targeting,
    View,
    asked,
    checked,
    ranking,
)
from tests import fight_systems as games
from tests.fight_systems import Fighter

HITS = Fighter("Hits", 9, sides=1)
FOES = tuple(Fighter(name, hp, sides=1) for name, hp in (("Big", 6), ("Small", 2), ("Middle", 4)))


def taken(targeting: Targeting, n_attackers: int = 1, rounds: int = 1) -> list[float]:
    """Mean points that Big (6), Small (2) and Middle (4) have lost; every blow does one."""
    contest = games.contest(games.slugging, (HITS,) * n_attackers, FOES, "one")
    battle = Battle(contest, targeting=(targeting, "in_order"), rounds=rounds)
    result = battle.run(3_000, seed=1)
    return [each.taken.value for each in result.fighters if each.side == 1]


def test_weakest() -> None:
    assert taken("weakest") == [0, 1, 0]
    assert taken("weakest", 4) == [0, 2, 2]


def test_strongest() -> None:
    """Big until it is even with Middle, and Big once more as the first of the two."""
    assert taken("strongest", 2) == [2, 0, 0]
    assert taken("strongest", 4) == [3, 0, 1]


def test_nearest_out() -> None:
    """All are whole; one blow later the one that was hit has the smallest share."""
    assert taken("nearest_out", 1) == [1, 0, 0]
    assert taken("nearest_out", 3) == [3, 0, 0]


def test_nearest_out_compares_shares_not_points() -> None:
    """Three of nine points are less than two of five."""
    rank = ranking("nearest_out", [9, 5], 10**6)
    assert rank(3, 9) < rank(2, 5) < rank(5, 5) == rank(9, 9)
    assert rank(18, 9) < rank(19, 9) == 10**6  # twice of what there was is counted


def test_who_begins_with_no_points_is_nearest_to_being_out() -> None:
    rank = ranking("nearest_out", [0, 5], 9)
    assert rank(0, 0) == rank(3, 0) == rank(0, 5) == 0


def test_in_order() -> None:
    assert taken("in_order", 3) == [3, 0, 0]
    assert taken("in_order", 7) == [6, 1, 0]


def test_spread() -> None:
    """Each once, the weakest first; then again."""
    assert taken("spread", 1) == [0, 1, 0]
    assert taken("spread", 2) == [0, 1, 1]
    assert taken("spread", 3) == [1, 1, 1]
    assert taken("spread", 4) == [1, 2, 1]
    assert taken("spread", 1, rounds=3) == [0, 2, 1]


def test_random() -> None:
    lost = taken("random", 1)
    assert sum(lost) == pytest.approx(1)
    # 3000 battles, a third each: one standard error is 0.0086.
    assert all(abs(each - 1 / 3) < 0.043 for each in lost)


def test_ties_go_to_the_first() -> None:
    twins = Fighter("Twin", 3, sides=1)
    contest = games.contest(games.slugging, HITS, (twins, twins), "one")
    for name in ("weakest", "strongest", "nearest_out", "spread", "in_order"):
        result = Battle(contest, targeting=(name, name), rounds=1).run(10, seed=1)
        assert [each.taken.value for each in result.fighters] == [2, 1, 0]


def test_a_rule_sees_those_who_stand() -> None:
    seen: list[View] = []

    def rule(view: View) -> int:
        seen.append(view)
        return view.foes[0].place

    assert taken(rule, 7) == [6, 1, 0]
    assert View(0, seen[0].foes) == seen[0]
    assert seen[0].foes[1] == Foe(1, "Small", FOES[1], games.Body(2), 2)
    assert {len(view.foes) for view in seen} == {2, 3}
    assert {view.actor for view in seen} == set(range(7))


def test_a_rule_may_go_by_who_acts() -> None:
    assert taken(lambda view: view.actor, 3) == [1, 1, 1]


def test_a_rule_that_names_nobody_who_stands() -> None:
    view = View(2, (Foe(1, "Small", None, None, 2),))
    assert asked(lambda v: 1, view) == 1
    with pytest.raises(AnswerError, match=r"names place 0 for fighter 2; .*: 1 \(Small\)"):
        asked(lambda v: 0, view)


def test_names_are_checked() -> None:
    for name in TARGETINGS:
        assert checked(name) == name
    with pytest.raises(UnknownNameError, match="Did you mean 'random'"):
        checked("randon")
