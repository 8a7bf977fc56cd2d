"""Exchanges with equal keys are declared and followed once (`Hints.scenes`)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from affray.core.fight import ATTACK
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.fight.blending import Outcomes, Wholes
from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.plans import DECIDE_ALL, Plan
from tests import fight_systems as games
from tests.fight_systems import Body, Fighter

ONE, OTHER = Fighter("One", 7, sides=4, armor=1), Fighter("Other", 6, sides=3, armor=1)


def matchup(asked: list[Any], key: Hashable, **hints: Any) -> Matchup:
    """Blows that may be guarded, with one key for all of them; notes what is asked."""

    def scenes(*given: Any) -> Hashable:
        asked.append(given)
        return key

    game: System[Facts] = games.guarding()
    game = replace(game, hints=replace(game.hints, scenes=scenes, **hints))
    plan = Plan("first", (("choose_blow", ("wild",)),))
    return games.contest(game, ONE, OTHER, "one", plan).matchup(0, ONE, OTHER)


def encounter(hp: int, guard: int | None) -> Encounter:
    return Encounter(ATTACK, Body(7), Body(hp), guard)


def test_exchanges_with_equal_keys_share_their_odds() -> None:
    asked: list[Any] = []
    fights = matchup(asked, "alike")
    first = fights.odds(encounter(6, -1))
    plain = games.contest(games.guarding, ONE, OTHER, "one", fights.plans.actor)
    assert first == plain.matchup(0, ONE, OTHER).odds(encounter(6, -1))
    assert fights.odds(encounter(3, 0)) is first
    (scene, needed, takes), _ = asked
    assert (scene.actor, scene.target, scene.context) == (Body(0), Body(6), -1)
    assert needed == {"damage"}
    assert takes == fights.plans.actor.takes
    assert not fights.shared_odds(encounter(3, 0))[1]  # another part may have another key


def test_a_key_says_all_that_effects_and_decisions_look_at() -> None:
    """Decisions are for damage; effects may need something else."""
    asked: list[Any] = []
    matchup(asked, "alike", needed=frozenset({"rolled"})).odds(encounter(6, -1))
    ((_, needed, _),) = asked
    assert needed == {"damage", "rolled"}


@pytest.mark.parametrize("key", [None, "alike"])
def test_where_nothing_is_said_exchanges_stand_for_themselves(key: str | None) -> None:
    """Neither without a key, nor without mates, nor where nobody knows what effects need."""
    asked: list[Any] = []
    without_mates = key is not None
    fights = matchup(asked, key, **({"needed": None} if without_mates else {}))
    plain = games.contest(games.guarding, ONE, OTHER, "one", fights.plans.actor)
    rows = plain.matchup(0, ONE, OTHER)
    for guard in (-1, 0):
        assert fights.odds(encounter(6, guard)) == rows.odds(encounter(6, guard))
    assert fights.odds(encounter(6, -1)) != fights.odds(encounter(6, 0))
    assert len(asked) == (0 if without_mates else 4)


def test_nobody_is_asked_where_nothing_is_said_of_mates() -> None:
    asked: list[Any] = []
    game = games.slugging()
    hints = replace(game.hints, scenes=lambda *given: asked.append(given))
    rows = games.contest(replace(game, hints=hints), ONE, OTHER, "one").matchup(0, ONE, OTHER)
    assert rows.odds(encounter(6, None)) is not None
    assert not asked
    assert rows.odds(encounter(6, -1)) is not None
    assert len(asked) == 1


def test_a_plan_takes_habits_first() -> None:
    step = games.choose_blow.name
    habit: Any = (("other_step", ("steady",)), ("choose_blow", ("bold", "wild")))
    assert Plan("any", habit).takes(step, ("steady", "wild")) == "wild"
    assert Plan("any", habit).takes(step, ("steady", "tame")) is None
    assert Plan("first", habit).takes(step, ("steady", "tame")) == "steady"
    assert Plan("free").takes(step, ("steady", "wild")) is None
    assert DECIDE_ALL.takes(step, ("steady",)) is None


def test_outcomes_of_a_solution_are_looked_at_once() -> None:
    """Weights over several totals add up; an equal outcome is looked at again."""
    looked: list[object] = []

    def effect(outcome: Any, role: str) -> int:
        looked.append(outcome)
        return int(outcome[0])

    one, same, two = (1, "a"), (1, "b"), (2, "c")
    fight: Any = SimpleNamespace(effect=effect, helped=lambda outcome: ())
    wholes = Wholes()
    outcomes = Outcomes(fight, wholes)
    first = outcomes.ends({2: {one: 1, two: 1}, 3: {same: 1}})
    assert (first.weights, first.total) == ({0: 5, 1: 3}, 6)
    assert wholes.pairs == [(1, 1), (2, 2)]
    assert outcomes.ends({5: {two: 2, one: 3}}).weights == {1: 2, 0: 3}
    assert looked == [one, one, two, two, same, same]  # of both roles
