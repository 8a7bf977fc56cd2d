"""Rows against the same exchanges with everything known: what can't be noticed is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.core.fight import Scene
from affray.core.hints import Hidden, hides
from affray.core.node import At, Facts
from affray.core.system import System
from affray.engine.fight.contest import Contest
from affray.engine.fight.plans import Plan
from affray.testing.rows import compare_rows
from tests import fight_systems as games
from tests.engine.exchange.test_looks import ONE, OTHER, asking


def contest(system: System[Facts]) -> Contest:
    return games.contest(system, ONE, OTHER, "one", Plan("first"))


def own_points(scene: Scene[games.Setup, games.Body]) -> At[games.Blow]:
    """A declaration that reads points of the actor, which are hidden."""
    at = games._declare(scene)
    return At(at.step, at.facts._replace(armor=int(scene.actor.hp > 3)))


def told_by_type(scene: Scene[games.Setup, games.Body]) -> At[games.Blow]:
    """A declaration that asks of what type the points are."""
    at = games._declare(scene)
    return At(at.step, at.facts._replace(armor=int(type(scene.target.hp) is int)))


UNNOTICED: dict[str, System[Facts]] = {
    "type": asking(lambda x: x.left <= 3 if type(x.left) is int else False),
    "id": asking(lambda x: id(x.left) == id(3)),
    "type in a declaration": games._system(declare=told_by_type),
    "what is hidden of the actor": games._system(declare=own_points),
}


@pytest.mark.parametrize("way", UNNOTICED)
def test_a_look_that_cannot_be_noticed_is_found(way: str) -> None:
    with pytest.raises(AssertionError, match=r"(?s)toy: attack of Body.* with everything known"):
        compare_rows(contest(UNNOTICED[way]))


def test_an_effect_that_looks_at_what_is_hidden_unnoticed_is_found() -> None:
    def asks_for_a_type(sheet: games.Fighter, body: games.Body, damage: int) -> games.Body:
        return games.Body(body.hp - damage if type(body.marked) is int else 0)

    hidden: Hidden[games.Body] = hides("marked", beside=("strength",))
    assert compare_rows(contest(games._system(hidden=hidden))).exchanges
    with pytest.raises(AssertionError, match=r"(?s)toy: attack of Body.* with marked unknown"):
        compare_rows(contest(games._system(hidden=hidden, apply=asks_for_a_type)))


def test_an_effect_may_look_at_what_is_hidden_or_pass_it_on() -> None:
    def looks(sheet: games.Fighter, body: games.Body, damage: int) -> games.Body:
        return body._replace(hp=max(0, body.hp - damage), marked=body.marked + 1)

    hidden: Hidden[games.Body] = hides("marked", beside=("strength",))
    assert compare_rows(contest(games._system(hidden=hidden, apply=looks))).exchanges


def test_scenes_that_are_wrongly_alike_are_found() -> None:
    """Whether somebody guards the target makes a difference."""
    right, wrong = (
        replace(games.guarding(), hints=replace(games.guarding().hints, scenes=scenes))
        for scenes in (lambda scene, *_: scene.context, lambda *_: "all of them")
    )
    both = (ONE, OTHER), (OTHER, ONE)
    assert compare_rows(games.contest(right, *both, "one", Plan("first"))).exchanges == 12
    with pytest.raises(AssertionError, match="with everything known"):
        compare_rows(games.contest(wrong, *both, "one", Plan("first")), exchanges=40)


@pytest.mark.parametrize(
    "game",
    [
        games.slugging, games.simultaneous, games.units, games.healing, games.yielding,
        games.healing_and_yielding, games.twice, games.winding_up, games.hurrying, games.eager,
        games.steady_order, games.finishing, games.choosing, games.bleeding, games.reviving,
        games.guarding,
    ],
)  # fmt: skip
def test_games_that_are_right_pass(game: Any) -> None:
    both = (ONE, OTHER), (OTHER, ONE)
    compared = compare_rows(games.contest(game, *both, "one", Plan("first")))
    assert compared.exchanges == 12


def test_choices_that_plans_leave_open_are_solved_from_where_they_are() -> None:
    # Opening plans settle the first attack of a caster alone; what is free later stays open.
    policies = FIGHT_AS_WRITTEN._replace(policies=("opening", "opening"))
    loaded = load_fight("affinity", Names("storm_caller", "brass_sentry"), policies)
    assert compare_rows(loaded.contest, exchanges=12).exchanges >= 3
    one, other = (side.plan_of(side.fighters[0]) for side in loaded.contest.sides)
    assert {one.rest, other.rest} == {"free"}


def test_open_choices_of_a_greedy_side_are_solved() -> None:
    both = (ONE, OTHER), (OTHER, ONE)
    compared = compare_rows(games.contest(games.choosing, *both, "one", Plan("any")))
    assert compared.exchanges == 12
