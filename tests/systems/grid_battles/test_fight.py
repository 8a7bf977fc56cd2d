"""From one combat to the next: who is hurt, who is out, what a turn leaves behind."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.app.inputs.fight_setups import fight_examples, load_fight
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, UNKNOWN, Scene
from affray.core.node import Chance, End, Go, fill
from affray.core.reading import roll_of
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import ExactResult, solve_exactly
from affray.systems.grid_battles.fight import FIGHT, Effect
from affray.systems.grid_battles.hints import HINTS
from affray.systems.grid_battles.numbers import has_advantage
from affray.systems.grid_battles.sheet import ASSUMED, Setup, Unit
from affray.systems.grid_battles.state import Condition

from .factory import BOW, HILL, SURE, SYSTEM, UNIT, setup, unit

HIDDEN = HINTS.hidden
CAVALRY = replace(UNIT, name="Light Cav")


def held_to(picks: Mapping[str, str]) -> Rulings:
    return Rulings.pick(SYSTEM.rulings, picks)


def turn(made: Setup, mine: int, theirs: int, **rulings: str) -> dict[tuple[int, int], Fraction]:
    """Points of both after an attack, dice by dice, without any engine."""
    held = held_to(rulings)
    one, other = Condition(mine, mine), Condition(theirs, theirs)
    scene = Scene(made, ATTACK, HIDDEN.visible(one), other, None, held)
    waiting = {FIGHT.declare(scene): Fraction(1)}
    found: dict[tuple[int, int], Fraction] = {}
    while waiting:
        at, chance = waiting.popitem()
        node = at.step.rule(at.facts)
        if isinstance(node, Go):
            waiting[node.at] = waiting.get(node.at, Fraction(0)) + chance
        elif isinstance(node, Chance):
            roll = roll_of(node.dice, node.read)
            for reading, ways in roll.rows:
                place = fill(node.then, node.into, reading)
                share = chance * Fraction(ways, roll.total)
                waiting[place] = waiting.get(place, Fraction(0)) + share
        else:
            assert isinstance(node, End)
            ended = (
                FIGHT.apply(made.attacker, one, FIGHT.effect(node.outcome, "actor")).points,
                FIGHT.apply(made.defender, other, FIGHT.effect(node.outcome, "target")).points,
            )
            found[ended] = found.get(ended, Fraction(0)) + chance
    return found


# -- one turn --------------------------------------------------------------------------------


def test_gb6_battle_back_harms_whoever_attacked() -> None:
    assert turn(setup(dice=SURE), 3, 3) == {(2, 2): 1}


def test_gb16_g13_g14_a_turn_of_light_cavalry() -> None:
    made = setup(CAVALRY, CAVALRY, dice=ASSUMED)
    assert turn(made, 3, 3) == {
        (3, 3): Fraction(4, 9), (3, 2): Fraction(2, 9), (2, 3): Fraction(2, 9),
        (2, 2): Fraction(1, 9),
    }  # fmt: skip
    assert turn(made, 3, 1) == {
        (3, 0): Fraction(1, 3), (3, 1): Fraction(4, 9), (2, 1): Fraction(2, 9),
    }  # fmt: skip


def test_gb9_who_is_removed_does_not_strike_back() -> None:
    assert turn(setup(dice=SURE), 3, 1) == {(3, 0): 1}


def test_gb60_the_situation_says_how_far_they_stand() -> None:
    assert turn(setup(BOW, dice=SURE, distance_hexes=3), 3, 3) == {(3, 2): 1}
    with pytest.raises(SetupError, match="Rider can't attack: melee reaches adjacent hexes"):
        turn(setup(UNIT, BOW, dice=SURE, distance_hexes=3), 3, 3)


def test_gb28_terrain_is_that_of_the_situation() -> None:
    assert turn(setup(dice=SURE, defender_terrain=HILL), 3, 3) == {(2, 3): 1}


# -- conditions ------------------------------------------------------------------------------


def test_gb16_points_are_hidden_until_somebody_looks() -> None:
    standing = FIGHT.enter(unit(health=2, health_max=3), Rulings())
    assert standing == Condition(2, 3)
    assert HIDDEN.visible(standing) == Condition(0, 3)
    assert HIDDEN.part(standing) == FIGHT.vitals(UNIT, standing) == 2
    scene = Scene(setup(), ATTACK, Condition(0), HIDDEN.veiled(standing, UNKNOWN), None, Rulings())
    at = FIGHT.declare(scene)
    for field, reading in (("rolled", (1, 0)), ("shields", 0)):
        node = at.step.rule(at.facts)
        assert isinstance(node, Chance)
        assert node.into == field
        at = fill(node.then, field, reading)  # no step so far looks at the health


def test_gb16_at_nothing_a_unit_is_out() -> None:
    gone = FIGHT.apply(UNIT, Condition(1, 3, tired=True), Effect(3))
    assert gone == Condition(0)
    assert FIGHT.is_out(UNIT, gone)
    assert not FIGHT.is_out(UNIT, Condition(1, 3))


def test_gb15_under_a_ruling_health_comes_back() -> None:
    assert FIGHT.apply(UNIT, Condition(1, 3), Effect(-1)).points == 2
    assert FIGHT.apply(UNIT, Condition(3, 3), Effect(-2)).points == 3
    assert FIGHT.harm(Effect(-2)) == 0


def test_gb16_under_a_ruling_a_unit_lasts_a_hit_longer() -> None:
    assert FIGHT.enter(unit(health=3), held_to({"removal": "below"})).points == 4


def test_gb41_whoever_had_their_turn_is_fatigued_until_the_round_ends() -> None:
    made = setup(dice=SURE)
    tired = Condition(3, 3, tired=True)
    held = held_to({"fatigue": "fresh"})
    for target, answered in ((Condition(3, 3), True), (tired, False)):
        scene = Scene(made, ATTACK, Condition(0), target, None, held)
        assert (FIGHT.declare(scene).facts.fought.second is not None) is answered
    assert FIGHT.end_round(UNIT, tired) == Condition(3, 3)
    assert FIGHT.apply(UNIT, Condition(3, 3), Effect(0, tires=True)).tired
    # Nobody's condition tells it where no ruling asks for it.
    at = FIGHT.declare(Scene(made, ATTACK, Condition(0), Condition(3), None, Rulings()))
    assert FIGHT.effect(at.facts, "actor") == Effect(0)


# -- whole fights ----------------------------------------------------------------------------


def contest(one: Unit, other: Unit, *, idle: bool = False, **changes: Any) -> Contest:
    made = Setup(attacker=one, defender=other, **changes)
    sides = (
        Side("one", (one,), made),
        Side("other", (other,), replace(made, attacker=other, defender=one), idle=idle),
    )
    return Contest(SYSTEM, sides, Rulings(), first="one")


def siege(points: int) -> ExactResult:
    weak = replace(CAVALRY, health=points)
    return solve_exactly(contest(weak, weak, idle=True))


@pytest.mark.parametrize(("points", "wins"), [(1, "3/5"), (2, "69/125"), (3, "1683/3125")])
def test_gb6_g16_the_same_unit_attacks_until_one_falls(points: int, wins: str) -> None:
    assert siege(points).won == (Fraction(wins), 1 - Fraction(wins))


@pytest.mark.parametrize(("points", "combats"), [(1, "9/5"), (2, "522/125")])
def test_gb6_g16_how_many_combats_that_takes(points: int, combats: str) -> None:
    assert siege(points).rounds == Fraction(combats)


def test_gb40_both_take_turns() -> None:
    """One point each, by hand: whoever attacks wins with 1/3, loses with 2/9, else goes on."""
    weak = replace(CAVALRY, health=1)
    third, lost, on = Fraction(1, 3), Fraction(2, 9), Fraction(4, 9)
    first = (third + on * lost) / (1 - on * on)
    assert solve_exactly(contest(weak, weak)).won[0] == first
    assert Duel(contest(weak, weak)).solve().won[0] == pytest.approx(float(first), abs=1e-12)


def test_gb46_out_of_reach_only_one_of_them_fights() -> None:
    made = contest(BOW, UNIT, distance_hexes=3)
    assert solve_exactly(made).won == (Fraction(1), Fraction(0))


@pytest.mark.parametrize("name", list(fight_examples(SYSTEM)))
def test_every_shipped_fight_can_be_fought(name: str) -> None:
    loaded = load_fight("grid-battles", name)
    if all(len(side.fighters) == 1 for side in loaded.contest.sides):
        assert sum(Duel(loaded.contest).solve().won) == pytest.approx(1)
    else:
        assert [side.yields_at for side in loaded.contest.sides] == [3, 3]


def test_a3_a_unit_by_another_name_is_of_its_type_still() -> None:
    """A fight calls two of a type by number; Advantage goes by the type (GB-12, A-3)."""
    knight, axeman = unit(name="Knight", advantage_over=("Axeman",)), unit(name="Axeman")
    made = FIGHT.named(setup(attacker=knight, defender=axeman), "Knight", "Axeman 2")
    assert made.defender.name == "Axeman 2"
    assert has_advantage(made, held_to({})) == (True, "over Axeman")
    assert FIGHT.named(made, "Knight", "Axeman 3").defender.kinds.count("Axeman") == 1
