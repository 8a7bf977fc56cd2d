"""The Counter (A-18): only told by default; all readings that carry it out are assumed."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

import affray
from affray.core.errors import AnswerError
from affray.engine.exchange import best
from affray.systems.empty_earth.sheet import Cubes

from .factory import (
    ADA,
    asked,
    bow,
    facts_of,
    feature,
    game,
    objective,
    offered,
    play,
    question,
    setup,
    striker,
    target,
    value,
    weapon,
)

ANSWER = target(attacks=(weapon("1D6", 3),))


def test_a18_counter_ee44_off_only_tells_that_it_is_there() -> None:
    done = play(game(setup(defender=ANSWER), {"counter": "off"}), 1, 1)
    assert (done["counter"], done["counters"], done["counter_damage"]) == (True, False, 0)


def test_ee44_by_default_a_counter_is_told_and_nothing_is_asked() -> None:
    """The text says that the defender can Counter, and not what a Counter is."""
    ended = asked(game(setup(defender=ANSWER)), (1, 1))
    assert ended.outcome is not None
    told = [line.says for line in ended.log if line.step == "offer_counter"]
    assert told == ["No damage: the defender may Counter; your table carries it out."]


@pytest.mark.parametrize(
    ("reading", "thorns", "first"),
    [("attack", 0, "counter"), ("fixed", 0, "counter"), ("paid", 0, "no"), ("attack", 1, "no")],
)
def test_ee44_a_free_counter_is_the_first_option(reading: str, thorns: int, first: str) -> None:
    """Not where it costs a cube, or is a risk because the attacker retaliates."""
    ready = replace(ANSWER, cubes=Cubes(red=1))
    made = game(setup(striker(retaliation=thorns), ready), {"counter": reading})
    assert offered(asked(made, (1, 1)))[0] == first
    solution = best.solve(made, objective("damage"))
    values = solution.values(asked(made, (1, 1)).here)
    assert next(option.name for option in values if not option.cost) == first


def test_a18_counter_ee44_an_attack_with_the_equipped_weapon() -> None:
    made = game(setup(striker(phys_def=5), ANSWER), {"counter": "attack"})
    session = asked(made, (1, 1))
    assert (question(session).actor, offered(session)) == ("defender", ["counter", "no"])
    session = session.answer("counter")
    assert (question(session).actor, str(question(session).dice)) == ("defender", "1d6")
    done = play(made, 1, 1, 6, options=("counter",))
    assert (done["counter_damage"], done["attacker_vitality"], done["vitality"]) == (3, 7, 10)
    assert play(made, 1, 1, 5, options=("counter",))["counter_damage"] == 0  # 5 ties


def test_a18_counter_ee44_cannot_be_countered() -> None:
    made = game(setup(striker(weapon(), phys_def=5), ANSWER), {"counter": "attack"})
    assert asked(made, (1, 1), "counter", 1).outcome is not None


def test_a18_counter_ee44_may_be_dodged_and_needs_range() -> None:
    nimble = striker(weapon(), dodge="1D4")
    made = game(setup(nimble, ANSWER), {"counter": "attack"})
    session = asked(made, (1, 1), "counter")
    assert (question(session).actor, offered(session)) == ("attacker", ["none", "dodge"])
    far = game(
        setup(bow(), ANSWER, distance_zones=1), {"counter": "attack"}, offer_counter="counter"
    )
    with pytest.raises(AnswerError, match="melee reaches figures in the same Zone"):
        asked(far, (1, 1))


def test_a18_counter_ee44_needs_a_weapon() -> None:
    bare = game(setup(), {"counter": "attack"}, offer_counter="counter")
    with pytest.raises(AnswerError, match="there is no weapon to strike back with"):
        asked(bare, (1, 1))
    assert play(game(setup(), {"counter": "attack"}, offer_counter="no"), 1, 1)["counter"] is True


def test_a18_counter_ee44_brings_conditions_upon_the_attacker() -> None:
    daze = feature("Daze", timing="pre_roll", condition="Dazed")
    answer = target(attacks=(weapon("1D6", 3, features=(daze,)),), cubes=Cubes(red=1))
    made = game(setup(weapon("1D6"), answer, attacks=2), {"counter": "attack"})
    done = play(made, 1, 6, 5, options=("counter", "Daze"))
    assert (done["attacker_conditions"], done["conditions"]) == (("Dazed",), ())
    assert (done["defender_red_cubes"], done["damage"], done["counter_damage"]) == (0, 2, 3)


def test_a18_counter_ee44_costs_an_attacking_pc_what_an_attack_costs() -> None:
    """Vitality 2 and one Shield against 3 for certain: an Injury, and a 4 comes back."""
    hero = replace(ADA, attacks=(weapon(),), vitality=2, phys_def=0, shields=1, dodge="1D4")
    made = game(setup(hero, ANSWER), {"counter": "attack"})
    done = play(made, 1, 1, 5, 1, 4, options=("counter", "dodge"))
    seen = {name: value for name, value in done.items() if name.startswith("attacker_")}
    assert seen == {
        "attacker_conditions": (), "attacker_vitality": 4, "attacker_shields": 0,
        "attacker_injuries": 1, "attacker_injured_this_stage": True, "attacker_reactions": 0,
        "attacker_armor_active": False, "attacker_red_cubes": 0, "attacker_blue_cubes": 0,
        "attacker_black_cubes": 0, "attacker_out": False,
    }  # fmt: skip
    assert done["stage_ended"] is True


def test_a18_counter_ee44_paid_with_a_red_cube() -> None:
    with pytest.raises(AnswerError, match="no red cube"):
        asked(game(setup(defender=ANSWER), {"counter": "paid"}, offer_counter="counter"), (1, 1))
    rich = replace(ANSWER, cubes=Cubes(red=1))
    session = asked(game(setup(defender=rich), {"counter": "paid"}), (1, 1), "counter", 5)
    assert facts_of(session).defending.cubes.red == 0


def test_a18_counter_ee44_fixed_is_a_hit_without_a_roll() -> None:
    made = game(setup(striker(dr=1), ANSWER), {"counter": "fixed"})
    done = play(made, 1, 1, options=("counter",))
    assert (done["counter_damage"], done["attacker_vitality"]) == (2, 8)


def test_a18_counter_ee44_downs_the_attacker_and_ends_the_row() -> None:
    frail = striker(weapon(), vitality=2)
    made = game(setup(frail, ANSWER, attacks=2), {"counter": "attack"})
    done = play(made, 1, 1, 5, options=("counter",))
    assert (done["attacker_vitality"], done["vitality"]) == (0, 10)


def test_a18_counter_ee44_weighs_in_a_trade() -> None:
    made = game(setup(striker(weapon("1D6", 1)), ANSWER), {"counter": "attack"})
    # hit 1/3 for 1; else a Counter against defense 0: always 3
    assert value(made, "trade") == Fraction(1, 3) - Fraction(2, 3) * 3


def test_a18_counter_ee44_with_attack_dice_that_are_dodged_and_a_row_that_goes_on() -> None:
    answer = target(attacks=(weapon("1D6", 3),), reactions=0)
    made = game(setup(striker(weapon("1D6"), phys_def=2), answer, attacks=2), {"counter": "attack"})
    done = play(made, 1, 6, 5, options=("counter",))  # missed, countered, then hit
    assert (done["counter_damage"], done["damage"], done["vitality"]) == (3, 2, 8)


# -- in fights -------------------------------------------------------------------------------


@cache
def first_wins(mine: int, theirs: int) -> Fraction:
    """The chance of the one whose turn it is: 2D6 against 3 do 1 a hit; no hit brings a Counter.

    Two hits in 1/4 of all rolls, one in 1/2, none in 1/4. Where both miss, only the turn passes.
    """

    def goes_on(own: int, other: int) -> Fraction:
        """One side has the turn now; the chance of the other."""
        if own <= 0:
            return Fraction(1)
        return Fraction(0) if other <= 0 else 1 - first_wins(own, other)

    def without_stalling(own: int, other: int) -> Fraction:
        struck = goes_on(other - 1, own) / 2 + goes_on(other - 2, own) / 4
        return struck + (goes_on(other, own - 1) / 2 + goes_on(other, own - 2) / 4) / 4

    one, two = without_stalling(mine, theirs), without_stalling(theirs, mine)
    # one + (1 - w') / 16 = w and two + (1 - w) / 16 = w'
    stall = Fraction(1, 16)
    return (one + stall * (1 - two - stall)) / (1 - stall**2)


@pytest.mark.parametrize("policy", ["first", "opening", "greedy", "optimal"])
def test_ee44_every_policy_takes_a_free_counter(policy: str) -> None:
    fighter = {
        "attacks": [{"dice": "2D6", "damage": 1}], "phys_def": 3, "vitality": 5,
    }  # fmt: skip
    table = {
        "first": "one",
        "one": {"fighters": [{"name": "Dog", **fighter}], "policy": policy},
        "other": {"fighters": [{"name": "Ghoul", **fighter}], "policy": policy},
        "rulings": {"counter": "attack"},
    }
    won = affray.duel("empty-earth", table).won
    assert won[0] == pytest.approx(float(first_wins(5, 5)), abs=1e-9)
