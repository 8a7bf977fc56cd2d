"""Choices before the dice: those who have the same options are decided once."""

from __future__ import annotations

from typing import Any

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.core.fight import ATTACK
from affray.core.unknown import UNKNOWN, Looked
from affray.engine.fight.blending import Ends, Look, Tail
from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.worths import Worths
from affray.systems.affinity.state import Condition

GREEDY = FIGHT_AS_WRITTEN._replace(policies=("greedy", "greedy"))


@pytest.fixture
def met() -> tuple[Matchup, Condition, Condition]:
    """A champion about to strike a squire, and the conditions of both."""
    contest = load_fight("affinity", Names("champion", "squire"), GREEDY).contest
    one, other = (side.fighters[0] for side in contest.sides)
    actor, target = contest.enter(0, one), contest.enter(1, other)
    assert isinstance(actor, Condition)
    assert isinstance(target, Condition)
    return contest.matchup(0, one, other), actor, target


def _worths(matchup: Matchup) -> Worths:
    fronts = matchup._opened
    assert fronts is not None
    assert isinstance(fronts._chooses, Worths)
    return fronts._chooses


def test_what_makes_no_difference_to_the_options_makes_none_to_the_choice(
    met: tuple[Matchup, Condition, Condition],
) -> None:
    matchup, actor, target = met
    worths = _worths(matchup)
    spent = actor._replace(now=actor.now._replace(checked=True, hd=2))
    tired = actor._replace(now=actor.now._replace(affinity=0))
    fronts = []
    for condition in (actor, spent, tired):
        encounter = matchup.visible(Encounter(ATTACK, condition, target, None))
        start = matchup.veiled_start(encounter)
        assert start is not None
        fronts.append(worths.front(start))
    assert fronts[0] is fronts[1]
    assert fronts[0] is not fronts[2]  # there are no dice of Affinity left to choose from


def test_a_choice_waits_with_the_target_unknown(met: tuple[Matchup, Condition, Condition]) -> None:
    """What it comes to is what it comes to where everything is known."""
    matchup, actor, target = met
    hurt = target._replace(now=target.now._replace(hd=1))
    for foe in (target, hurt):
        encounter = Encounter(ATTACK, actor, foe, None)
        found, start = matchup.odds(encounter), matchup.start(encounter)
        assert found is not None
        assert start is not None
        known = matchup.odds_from(start)
        shares = dict(zip(found.effects, found.weights, strict=True))
        wanted = dict(zip(known.effects, known.weights, strict=True))
        assert {effect: weight * known.total for effect, weight in shares.items()} == {
            effect: weight * found.total for effect, weight in wanted.items()
        }


def test_outcomes_worth_the_same_are_one_whatever_is_unknown_of_the_actor(
    met: tuple[Matchup, Condition, Condition],
) -> None:
    """Two Hit Dice are lost, or the only one there is; nobody looks at the actor for that."""
    matchup, actor, target = met
    worths = _worths(matchup)
    visible = matchup.visible(Encounter(ATTACK, actor, target, None))
    veiled, _ = matchup.actor_apart(visible.actor)
    starts = (
        matchup._declared(visible._replace(actor=veiled), UNKNOWN),
        matchup.veiled_start(visible),
    )
    fronts = []
    for start in starts:
        assert start is not None
        facts: Any = start.facts
        waits = worths._put_off(facts._replace(lost=2), Looked())
        fronts.append(worths._made_of(Tail(Ends({}, 1), [Look(waits, 1, 1)])))
    assert fronts[0] is fronts[1]
    parts = [target.now._replace(hd=hd) for hd in (1, 2, 9)]
    hidden = matchup.hints.hidden
    several = worths.several([hidden.part(target._replace(now=now)) for now in parts])
    assert [odds.effects[0][0] for odds in worths.each_odds_of(fronts[0], several)] == [1, 2, 2]
