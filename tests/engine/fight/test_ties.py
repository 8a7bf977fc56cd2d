"""Who is equal in initiative rolls off once for a fight, in every interpreter."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import sqrt

import pytest

from affray.engine.fight.course import FighterId
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.played.hands import Enter
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from tests import fight_systems as games
from tests.fight_systems import Fighter

ADA, BO = Fighter("Ada", 6, sides=2), Fighter("Bo", 4, sides=3)
"""Equal in initiative; a blow of 1 to 2, or 1 to 3, points hits always."""


def by_hand(first: str) -> float:
    """Ada's chance to win, if one of them strikes first in every round."""
    hits = {"Ada": (1, 2), "Bo": (1, 2, 3)}

    def wins(acts: str, ada: int, bo: int) -> float:
        found = 0.0
        for harm in hits[acts]:
            left = (ada - harm * (acts == "Bo"), bo - harm * (acts == "Ada"))
            if min(left) > 0:
                found += wins("Bo" if acts == "Ada" else "Ada", *left)
            else:
                found += left[0] > 0
        return found / len(hits[acts])

    return wins(first, 6, 4)


MEAN = (by_hand("Ada") + by_hand("Bo")) / 2


def test_a_duel_is_the_mean_of_both_orders() -> None:
    contest = games.contest(games.steady_order, ADA, BO)
    result = Duel(contest).solve()
    assert [(case.name, case.chance) for case, _ in result.cases] == [
        ("One goes first", Fraction(1, 2)), ("Other goes first", Fraction(1, 2)),
    ]  # fmt: skip
    assert [found.won[0] for _, found in result.cases] == pytest.approx(
        [by_hand("Ada"), by_hand("Bo")], abs=1e-12
    )
    assert result.won[0] == pytest.approx(MEAN, abs=1e-12)
    assert float(solve_exactly(contest).won[0]) == pytest.approx(MEAN, abs=1e-12)


def test_battles_are_the_mean_of_both_orders() -> None:
    n = 40_000
    contest = games.contest(games.steady_order, ADA, BO)
    found = Battle(contest).run(n, seed=3).won[0].value
    assert abs(found - MEAN) < 5 * sqrt(MEAN * (1 - MEAN) / n)


def test_of_three_equals_every_order_is_as_likely_and_none_changes() -> None:
    """By the turns of battles that are played: 400 of them, a sixth each."""
    husk = Fighter("Husk", 30, sides=1)
    contest = games.contest(games.steady_order, (husk, husk), (husk,))
    counts = dict.fromkeys(permutations((FighterId(0, 0), FighterId(0, 1), FighterId(1, 0))), 0)
    for seed in range(400):
        played = play_battle(contest, seed=seed, rounds=3)
        (order,) = set(played.orders)
        counts[order] += 1
    assert all(abs(n - 400 / 6) < 5 * sqrt(400 * 5 / 36) for n in counts.values())


def test_people_are_asked_once() -> None:
    session = FightSession(games.contest(games.steady_order, ADA, BO), rounds=9)
    session = session.answer(["Bo"])
    for _ in range(3):
        assert session.question is not None
        assert session.question.kind == "deed"
        assert session.position.order == (FighterId(1, 0), FighterId(0, 0))
        session = session.answer("pass").answer("pass")


def test_whoever_ties_with_them_later_makes_all_of_them_roll_off_again() -> None:
    session = FightSession(games.contest(games.steady_order, ADA, BO), rounds=9)
    session = session.answer(["Bo"]).hand(Enter(1, Fighter("Cy", 3)))
    session = session.answer("pass").answer("pass")
    assert session.question is not None
    assert session.question.ask == (
        "Who goes first? The same initiative: draw lots and say Ada, Bo or Cy"
    )
    session = session.answer(["Cy"]).answer(["Ada"])
    expected = FighterId(1, 1), FighterId(0, 0), FighterId(1, 0)
    assert session.position.order == expected
    session = session.answer("pass").answer("pass").answer("pass")
    assert session.moment.round == 3
    assert session.position.order == expected
