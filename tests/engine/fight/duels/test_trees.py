"""Exchanges that both sides decide, where declarations or later steps may be refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.hints import hides
from affray.core.node import At, Facts, Go, Node
from affray.core.step import step
from affray.core.system import System
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.plans import Plan
from tests import fight_systems as games
from tests.engine import skirmish as fencing
from tests.engine.skirmish import Fencer, skirmish_of
from tests.fight_systems import Blow, Body, Fighter, Setup

STAB = Deed("stab")


@step("TY-9")
def aim_at_weak(x: Blow) -> Node[Blow]:
    """Only who has two points left or fewer may be stabbed at."""
    if x.left > 2:
        raise SetupError("there is too much left to stab at")
    return Go(games.choose_blow, x)


def aiming(system: System[Facts]) -> System[Facts]:
    """A game in which an exchange may begin with aiming."""
    assert system.fight is not None
    aim: Any = aim_at_weak
    return replace(system, steps=(*system.steps, aim), fight=replace(system.fight, starts=(aim,)))


def stabbing(refuses: str) -> System[Facts]:
    """Two dice against who has two points left: whether is seen as it is declared, or later."""

    def declare(scene: Scene[Setup, Body]) -> At[Any]:
        if scene.deed != STAB:
            return At(games.choose_blow, Blow(1, 4, armor=1))
        if refuses == "step":
            return At(aim_at_weak, Blow(2, 4, left=scene.target.hp))
        if scene.target.hp > 2:
            raise SetupError("there is too much left to stab at")
        return At(games.choose_blow, Blow(2, 4))

    return aiming(games._system(declare=declare, deeds=lambda sheet, body: (STAB, ATTACK)))


@pytest.mark.parametrize("refuses", ["declaration", "step"])
def test_a_deed_that_is_refused_gives_way_to_the_next(refuses: str) -> None:
    """Whether it is depends on what is hidden; nobody has a choice, so fractions say the same."""
    one, other = Fighter("One", 5), Fighter("Other", 4)
    contest: Contest = games.contest(stabbing(refuses), one, other, "one")
    exact = solve_exactly(contest)
    best = BestDuel(contest).solve()
    assert best.won == pytest.approx(tuple(map(float, exact.won)), abs=1e-12)
    # Two dice always end it for who has two points left, other than blows.
    plain = solve_exactly(games.contest(games.slugging, one, replace(other, armor=1), "one"))
    assert exact.won != plain.won


def test_nobody_can_do_anything_where_everything_is_refused() -> None:
    def declare(scene: Scene[Setup, Body]) -> At[Any]:
        return At(aim_at_weak, Blow(2, 4, left=scene.target.hp))

    system = aiming(games._system(declare=declare))
    contest = games.contest(system, Fighter("One", 3), Fighter("Other", 3), "one")
    assert BestDuel(contest).solve().endless == 1
    contest = games.contest(system, Fighter("One", 3), Fighter("Other", 2), "one")
    assert BestDuel(contest).solve().won == (1, 0)


def test_deeds_to_oneself_are_not_decided_by_both() -> None:
    contest = games.contest(games.resting, Fighter("One", 3), Fighter("Other", 3), "one")
    with pytest.raises(SetupError, match="toy: 'rest' is done to oneself"):
        BestDuel(contest)


def test_options_of_exchanges_are_noted_where_somebody_has_a_habit() -> None:
    one, other = Fighter("One", 3), Fighter("Other", 3)
    plan = Plan("any", (("choose_blow", ("bold",)),))  # nobody offers that
    contest = games.contest(games.choosing, one, other, "one", plan)
    BestDuel(contest)
    for side, both in enumerate(((one, other), (other, one))):
        offered = contest.matchup(side, *both).offered
        assert set(offered["attacker", "choose_blow"]) == {"steady", "wild"}


def fencers(*, apart: bool, looks: bool = False) -> BestDuel:
    """Two fencers whose luck is hidden.

    Args:
        apart: whether that of whoever acts is unknown as well.
        looks: whether the declaration looks at it.
    """

    def declare(scene: Scene[Any, Any]) -> At[Any]:
        if looks and scene.actor.luck > 5:
            raise SetupError("that is too much luck")
        return fencing._declare(scene)

    game = fencing.skirmish()
    assert game.fight is not None
    splits: Any = (lambda at, minding: None) if apart else None
    hints = replace(game.hints, hidden=hides("luck", lambda body: body), splits=splits)
    game = replace(game, hints=hints, fight=replace(game.fight, declare=declare))
    both = Fencer("A", 3, 2, ("light", "hard", "rest"), finishes=2), Fencer("B", 3, 1)
    return BestDuel(skirmish_of(*both, "coin", system=game))


@pytest.mark.parametrize("looks", [False, True])
def test_exchanges_are_followed_once_for_what_is_hidden_of_whoever_acts(looks: bool) -> None:
    alone, apart = fencers(apart=False), fencers(apart=True, looks=looks)
    expected, found = alone.solve(), apart.solve()
    assert found.won == pytest.approx(expected.won, abs=1e-12)
    assert found.exchanges == expected.exchanges
    for told, other in zip(apart.opening(), alone.opening(), strict=True):
        assert (told.step, told.best, told.case) == (other.step, other.best, other.case)
        assert dict(told.values) == pytest.approx(dict(other.values), abs=1e-12)
    for some, every in zip(apart.trees, alone.trees, strict=True):
        assert len(some.roots) == len(every.roots)
        assert {bool(root.start.own) for root in some.roots if root} == {not looks}
