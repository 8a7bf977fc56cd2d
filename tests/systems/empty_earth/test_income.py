"""Cubes that come in as turns begin."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.app.inputs.setups import load_raw
from affray.app.registry import system_named
from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.plans import Plan
from affray.systems.empty_earth.cards import Feature
from affray.systems.empty_earth.fight import FIGHT
from affray.systems.empty_earth.sheet import Cubes, Fighter, Setup
from tests.systems.empty_earth.factory import ADA, BO, SYSTEM, game, play, setup, weapon

RICH = replace(ADA, cubes=Cubes(red=2, blue=1), income=Cubes(red=1, blue=3))


@pytest.mark.parametrize(
    ("left", "after"),
    [
        (Cubes(), Cubes(red=1, blue=1)),
        (Cubes(red=1), Cubes(red=2, blue=1)),
        (Cubes(red=2, blue=1), Cubes(red=2, blue=1)),
        (Cubes(red=5, blue=5), Cubes(red=5, blue=5)),
    ],
)
def test_ee71_cubes_come_in_as_the_own_turn_begins(left: Cubes, after: Cubes) -> None:
    """Up to as many as there were, and none is taken away from who has more."""
    condition = FIGHT.enter(RICH, Rulings())
    spent = condition._replace(now=condition.now._replace(cubes=left))
    assert FIGHT.begin_turn(RICH, spent).now.cubes == after


def test_ee71_only_the_one_whose_turn_begins_gets_any() -> None:
    poor = replace(RICH, cubes=Cubes(), cubes_max=Cubes(red=2, blue=1), attacks=(weapon("1D6", 1),))
    both = replace(poor, name="One"), replace(poor, name="Other")
    for turn, red in (("attacker", (1, 0)), ("defender", (0, 1)), ("none", (0, 0))):
        made = game(setup(*both, new_turn=turn))
        settled = made.settle({"activate_armor": ("no",), "choose_reaction": ("none",)})
        end = play(settled, 1)
        assert (end["attacker_red_cubes"], end["defender_red_cubes"]) == red


def test_ee71_there_must_be_room() -> None:
    with pytest.raises(SetupError, match="income of black cubes, of which there are 0 at most"):
        Fighter(cubes=Cubes(red=1), income=Cubes(black=1))
    with pytest.raises(SetupError, match="allowed: at most cubes_max"):
        Fighter(cubes=Cubes(red=3), cubes_max=Cubes(red=2), income=Cubes(red=1))


def test_ee71_fewer_cubes_than_in_the_roster_leave_room_for_all_of_them() -> None:
    """Ada has 2 red, 2 blue and 3 black ones."""
    tired = {"like": "ada", "cubes": {"blue": 3}, "income": {"red": 1}}
    raw = {"attacker": tired, "defender": "husk"}
    who: Any = load_raw(system_named("empty-earth"), raw, "table").setup
    assert who.attacker.cubes == Cubes(blue=3)
    assert who.attacker.most_cubes == Cubes(red=2, blue=3, black=3)


def test_ee71_what_comes_in_is_spent_in_fights() -> None:
    """Each turn one red cube comes in and makes the blow do two points instead of one.

    Both hit for certain; with the cube two blows finish four points, without it four.
    """
    heavy = Feature(name="Heavy", cost=Cubes(red=1), damage=1)
    blow = replace(weapon("1D6", 1), features=(heavy,))
    one = Fighter(name="one", attacks=(blow,), vitality=2, cubes=Cubes(red=1))
    other = Fighter(name="other", attacks=(weapon("1D6", 1),), vitality=4)
    plan = Plan("first", (("buy_features", ("Heavy", "none")),))
    for income, won in ((Cubes(), 0), (Cubes(red=1), 1)):
        paid = replace(one, income=income)
        sides = (
            Side("one", (paid,), Setup(attacker=paid, defender=other), plan),
            Side("other", (other,), Setup(attacker=other, defender=paid), plan),
        )
        contest = Contest(SYSTEM, sides, SYSTEM.readings({"counter": "off"}), first="one")
        assert solve_exactly(contest).won[0] == Fraction(won)
        assert Duel(contest).solve().won[0] == pytest.approx(won)


def test_ee71_the_next_setup_knows_the_most_there_can_be() -> None:
    spent = FIGHT.enter(RICH, Rulings())
    spent = spent._replace(now=spent.now._replace(cubes=Cubes(red=1)))
    assert FIGHT.leaves is not None
    left = FIGHT.leaves(Setup(attacker=RICH, defender=BO), RICH, spent, "")
    assert (left.cubes, left.most_cubes) == (Cubes(red=1), RICH.cubes)
