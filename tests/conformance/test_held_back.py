"""Rows of every registered system against the same exchanges with everything known."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from affray.app.inputs.fight_setups import FightChanges, fight_examples, fighters_of, load_fight
from affray.app.inputs.intake import InputError
from affray.app.registry import system_named
from affray.app.sources import Names
from affray.core.errors import MissingError, SetupError
from affray.core.fight import Scene
from affray.core.node import At, Facts
from affray.core.system import System
from affray.engine.fight.contest import Contest
from affray.engine.fight.plans import Plan
from tests import fight_systems as games
from tests.conformance.held_back import compare_rows
from tests.engine.exchange.test_looks import ONE, OTHER, asking
from tests.scenarios import FIGHTING

FIRST = FightChanges(policies=("first", "first"))
EXAMPLES = [(name, fight) for name in FIGHTING for fight in fight_examples(system_named(name))]


def readings(name: str, chance: Random) -> Iterator[dict[str, str]]:
    """The rulings as they are, and others by chance."""
    yield {}
    system = system_named(name)
    yield {ruling.name: chance.choice(list(ruling.options)) for ruling in system.rulings}


@pytest.mark.parametrize(("name", "fight"), EXAMPLES, ids=map("-".join, EXAMPLES))
def test_rows_are_what_comes_of_known_conditions(name: str, fight: str) -> None:
    compared = 0
    for rulings in readings(name, Random(fight)):
        try:
            loaded = load_fight(name, fight, FIRST._replace(rulings=rulings))
        except SetupError:
            assert rulings, "a shipped fight is refused"
            continue
        compared += compare_rows(loaded.contest, seed=len(fight), exchanges=8).exchanges
    assert compared


@pytest.mark.parametrize("name", FIGHTING)
def test_rows_of_fighters_picked_by_chance(name: str) -> None:
    """Also where a system ships no fights."""
    able, idle = fighters_of(system_named(name))
    chance, compared = Random(name), 0
    for _ in range(12):
        one, other = chance.choice(able), chance.choice((*able, *idle))
        try:
            loaded = load_fight(name, Names(one, other), FIRST)
            compared += compare_rows(loaded.contest, seed=len(one), exchanges=4).exchanges
        except (InputError, MissingError, SetupError):
            continue  # such two can't meet, or not without a situation
    assert compared


# -- that it finds what can't be noticed ---------------------------------------------------------


def contest(system: System[Facts]) -> Contest:
    return games.contest(system, ONE, OTHER, "one", Plan("first"))


def own_points(scene: Scene[games.Setup, games.Body]) -> At[games.Blow]:
    """A declaration that reads points of the actor, which are hidden."""
    at = games._declare(scene)
    return At(at.step, at.facts._replace(armour=int(scene.actor.hp > 3)))


def told_by_type(scene: Scene[games.Setup, games.Body]) -> At[games.Blow]:
    """A declaration that asks of what type the points are."""
    at = games._declare(scene)
    return At(at.step, at.facts._replace(armour=int(type(scene.target.hp) is int)))


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
