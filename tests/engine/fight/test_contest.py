"""A fight in front of an engine: names, plans of single fighters, who can't meet, turns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK
from affray.engine.fight.contest import opening_plans
from affray.engine.fight.matchup import Encounter
from tests import fight_systems as games
from tests.fight_systems import Fighter

STRONG, WEAK = Fighter("Strong", 5, sides=6), Fighter("Weak", 5, sides=2)


def test_opening_plans_are_found_for_every_kind_of_fighter() -> None:
    """Of five points a wild blow takes 2.5 on average: more than a d2, less than a d6."""
    contest = games.contest(games.choosing, (STRONG, WEAK, WEAK), (STRONG,), "one")
    opened, _ = opening_plans(contest)
    assert opened.plan_of(STRONG).habits == (("choose_blow", ("steady",)),)
    assert opened.plan_of(WEAK).habits == (("choose_blow", ("wild",)),)


def test_habits_of_the_side_come_before_those_of_an_opening() -> None:
    contest = games.contest(games.choosing, (WEAK,), (STRONG,), "one")
    plan = replace(contest.sides[0].plan, habits=(("choose_blow", ("steady",)),))
    sides = (contest.sides[0]._replace(plan=plan), contest.sides[1])
    opened, _ = opening_plans(contest.changed(sides=sides))
    assert opened.plan_of(WEAK).habits[0] == ("choose_blow", ("steady",))


def test_fighters_of_one_name_are_numbered_across_both_sides() -> None:
    contest = games.contest(games.slugging, (STRONG, WEAK), (WEAK, WEAK), "one")
    assert contest.names == (("Strong", "Weak 1"), ("Weak 2", "Weak 3"))


def test_friends_go_by_their_own_side_s_plan() -> None:
    contest = games.contest(games.choosing, (WEAK, STRONG), (STRONG,), "one")
    own = replace(contest.sides[0].plan, rest="first")
    contest = contest.changed(sides=(contest.sides[0]._replace(plan=own), contest.sides[1]))
    friend = contest.matchup(0, WEAK, STRONG, friend=True)
    foe = contest.matchup(0, WEAK, STRONG)
    assert (cast("Any", friend.plans).target.rest, cast("Any", foe.plans).target.rest) == (
        "first", "any"
    )  # fmt: skip


def test_two_who_can_not_meet_have_no_exchange() -> None:
    """A setup that refuses a pair of sheets is a deed that can't be done, no failure."""

    @dataclass(frozen=True)
    class Choosy(games.Setup):
        def __post_init__(self) -> None:
            if self.attacker.name == "Weak" and self.defender.name == "Strong":
                raise SetupError("Weak does not dare")

    contest = games.contest(games.slugging, (WEAK,), (STRONG,), "one")
    side = contest.sides[0]._replace(situation=Choosy(STRONG, WEAK))
    contest = contest.changed(sides=(side, contest.sides[1]))
    here: list[Hashable] = [contest.enter(0, WEAK), contest.enter(1, STRONG)]
    assert contest.matchup(0, WEAK, STRONG).odds(Encounter(ATTACK, here[0], here[1])) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"at_a_time": 0}, "0 fighters at a time; must be at least 1"),
        ({"sides": "yields"}, "yields at 3 fighters out; allowed: 1 to 2, or 0 for all of them"),
    ],
)
def test_numbers_out_of_range_are_refused(changes: dict[str, Any], message: str) -> None:
    contest = games.contest(games.slugging, (WEAK, WEAK), (STRONG,), "one")
    if "sides" in changes:
        changes = {"sides": (contest.sides[0]._replace(yields_at=3), contest.sides[1])}
    with pytest.raises(SetupError, match=message):
        contest.changed(**changes)


def test_an_idle_side_can_do_nothing() -> None:
    contest = games.contest(games.slugging, (WEAK,), (STRONG,), "one", idle=True)
    assert contest.deeds(0, WEAK, contest.enter(0, WEAK)) == (ATTACK,)
    assert contest.deeds(1, STRONG, contest.enter(1, STRONG)) == ()
