"""Steps 6 to 9: the Dodge, hits, damage, the Counter."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from affray.core.node import Go
from affray.systems.empty_earth.harm import reach_of, weigh_dodge
from affray.systems.empty_earth.hints import HINTS
from affray.systems.empty_earth.reading import stops
from affray.systems.empty_earth.sheet import Cubes
from affray.systems.empty_earth.state import Exchange

from .factory import (
    asked,
    chance,
    feature,
    game,
    joint,
    line,
    offered,
    play,
    played,
    setup,
    striker,
    target,
    weapon,
)


def test_ee7_tie_misses() -> None:  # V1, V2
    assert play(game(setup(weapon("3D6"))), 4, 5, 6)["hits"] == 2
    done = play(game(setup()), 4, 4)
    assert (done["hits"], done["vitality"], done["counter"]) == (0, 10, True)


def test_ee17_damage_is_per_hit() -> None:
    assert play(game(setup(weapon("3D6", 3))), 5, 6, 1)["regular"] == 6


def test_ee18_reduction_is_once_for_the_total() -> None:  # V4
    done = play(game(setup(weapon("3D6"), target(dr=2))), 5, 5, 6)
    assert (done["damage"], done["vitality"]) == (4, 6)


def test_ee19_shields_come_before_resistance() -> None:  # V5
    done = play(game(setup(weapon("1D6"), target(shields=3, dr=1))), 5)
    assert (done["damage"], done["shields"]) == (0, 1)


def test_ee20_piercing_ignores_shields_and_resistance() -> None:  # V7, V8, V49
    mixed = play(game(setup(weapon("2D6", 1, piercing=1), target(shields=5, dr=5))), 5, 6)
    assert (mixed["shields"], mixed["damage"], mixed["vitality"]) == (3, 2, 8)
    pure = play(game(setup(weapon("2D6", 0, piercing=2), target(shields=4, dr=3))), 6, 2)
    assert (pure["shields"], pure["damage"]) == (4, 2)
    alone = play(game(setup(weapon("1D6", 1, piercing=1), target(dr=5))), 5)
    assert (alone["damage"], alone["on_damage"], alone["counter"]) == (1, True, False)


def test_ee21_each_hit_deals_both_kinds() -> None:  # S-6
    done = play(game(setup(weapon("3D6", 2, piercing=1))), 5, 6, 6)
    assert (done["regular"], done["piercing"], done["damage"]) == (6, 3, 9)


@pytest.mark.parametrize(("dr", "damage"), [(1, 1), (2, 0), (3, 0)])
def test_ee22_surplus_reduction_heals_nothing_and_eats_no_piercing(dr: int, damage: int) -> None:
    assert play(game(setup(weapon("1D6"), target(dr=dr))), 5)["damage"] == damage
    assert play(game(setup(weapon("1D6", 2, piercing=1), target(dr=9))), 5)["damage"] == 1


def test_ee23_on_hit_needs_a_die_and_no_damage() -> None:
    linger = feature("Linger", timing="on_hit", condition="Shaken")
    made = setup(
        striker(weapon(features=(linger,)), cubes=Cubes(red=1)), target(dr=9, retaliation=2)
    )
    done = play(game(made), 5, 6, options=("Linger",))
    assert (done["on_hit"], done["damage"], done["conditions"]) == (True, 0, ("Shaken",))
    assert done["retaliation"] == 4  # two hits, counted on hits
    assert play(game(made), 1, 1)["on_hit"] is False  # nothing to buy: nobody is asked


def test_ee24_on_damage_needs_a_point_dealt() -> None:
    stun = feature("Stun", timing="on_damage", condition="Stunned")
    by = striker(weapon("1D6", features=(stun,)), cubes=Cubes(red=1))
    assert play(game(setup(by, target(dr=1))), 5, options=("Stun",))["conditions"] == ("Stunned",)
    done = play(game(setup(by, target(dr=2))), 5)
    assert (done["on_damage"], done["on_hit"]) == (False, True)


def test_ee25_shields_are_spent() -> None:  # V40
    session = played(game(setup(weapon("1D6"), target(shields=3), attacks=2)), 5, 5)
    says = [row.says for row in session.log if row.step == "reduce_damage"]
    assert says == ["Final Damage 0.", "Final Damage 1."]
    done = play(game(setup(weapon("1D6"), target(shields=3), attacks=2)), 5, 5)
    assert (done["damage"], done["shields"], done["vitality"]) == (1, 0, 9)


def test_ee25_two_attacks_on_the_same_shields() -> None:  # O13
    made = game(setup(weapon("1D6"), target(phys_def=3, shields=3), attacks=2))
    assert joint(made, "damage", "shields") == {
        (0, 3): Fraction(1, 4), (0, 1): Fraction(1, 2), (1, 0): Fraction(1, 4),
    }  # fmt: skip


def test_ee27_resistance_is_not_spent() -> None:
    done = play(game(setup(weapon("1D6", 3), target(dr=2), attacks=2)), 5, 5)
    assert done["damage"] == 2


def test_ee41_the_defender_shares_out_the_dodge() -> None:  # V16a
    made = game(setup(defender=target(dodge="1D4")), choose_reaction="dodge")
    session = asked(made, (5, 6), 2)
    assert offered(session) == ["none", "stop-1"]
    assert "can stop 1 of 2" in line(session, "weigh_dodge").says
    assert play(made, 5, 6, 2, options=("stop-1",))["hits"] == 1
    assert play(made, 5, 6, 2, options=("none",))["hits"] == 2


@pytest.mark.parametrize("spread", ["pool", "per_die", "all"])
def test_ee41_what_can_be_stopped_equals_going_through_every_way(spread: str) -> None:
    for over in combinations_with_replacement(range(1, 5), 3):
        for faces in combinations_with_replacement(range(5), 2):
            values = faces if spread == "per_die" else (sum(faces),)
            got = {way.number for way in reach_of(over, (), values, spread)}
            assert got == set(_landing(over, faces, spread)), (over, faces)


def _landing(over: tuple[int, ...], faces: tuple[int, ...], spread: str) -> list[int]:
    if spread == "all":
        return [sum(s > sum(faces) for s in over)]
    if spread == "pool":
        total = sum(faces)
        ways = [w for w in product(range(total + 1), repeat=len(over)) if sum(w) <= total]
        return [sum(s > x for s, x in zip(over, w, strict=True)) for w in ways]
    found = []
    for goals in product(range(-1, len(over)), repeat=len(faces)):
        taken = [
            sum(x for x, goal in zip(faces, goals, strict=True) if goal == place)
            for place in range(len(over))
        ]
        found.append(sum(s > x for s, x in zip(over, taken, strict=True)))
    return found


def test_ee41_values_can_meet_needs_together() -> None:
    assert stops((4,), (1, 3))
    assert not stops((4, 1), (1, 3))
    assert stops((), ())


def test_ee41_dice_that_can_still_change_count_whatever_else_is_held_aside() -> None:
    """All values of the Dodge are alike then: a die of 3 stops the surplus of 2, or 1 and 1."""
    made = setup(weapon("3D6"), target(dodge="1D4", rerolls=1))
    session = asked(game(made, choose_reaction="dodge"), (5, 5, 6), 3, "pass")
    at = session.steps_taken[-1].at
    assert at.step.name == "weigh_dodge"
    facts = at.facts
    assert isinstance(facts, Exchange)
    assert [die.value for die in facts.parry] == [3]
    low, high = HINTS.alike[weigh_dodge].keys(facts, [(0,), (9,)])
    assert low == high
    node = weigh_dodge.rule(facts._replace(dodge=(0,)))
    assert node == weigh_dodge.rule(facts._replace(dodge=(9,)))
    assert isinstance(node, Go)
    reach = node.facts.reach
    assert sorted({way.number for way in reach}) == [1, 2, 3]


def test_ee42_each_die_above_is_a_hit() -> None:
    for faces in product(range(1, 7), repeat=2):
        hits = sum(face > 4 for face in faces)
        assert play(game(setup()), *faces)["hits"] == hits


def test_ee43_final_damage_is_the_reduced_rest_and_all_piercing() -> None:
    done = play(game(setup(weapon("2D6", 3, piercing=1), target(shields=1, dr=2))), 5, 6)
    assert (done["regular"], done["piercing"], done["damage"]) == (6, 2, 5)
    total = line(
        played(game(setup(weapon("2D6", 3, piercing=1), target(shields=1, dr=2))), 5, 6),
        "reduce_damage",
    ).totals[0]
    assert total.value == 5


@pytest.mark.parametrize(
    ("faces", "changes", "offers"),
    [((1, 1), {}, True), ((5, 6), {"dr": 4}, True), ((5, 6), {"dr": 3}, False)],
)
def test_ee44_no_final_damage_allows_a_counter(
    faces: tuple[int, int], changes: dict[str, int], offers: bool
) -> None:  # V47
    assert play(game(setup(defender=target(**changes))), *faces)["counter"] is offers
    pierced = setup(weapon("2D6", 0, piercing=1), target(dr=9))
    assert play(game(pierced), 5, 1)["counter"] is False


def test_ee44_hit_damage_and_counter_are_three_questions() -> None:  # O11
    made = game(setup(weapon("2D6", 1), target(phys_def=3, dr=1)))
    assert chance(made, "on_hit") == Fraction(3, 4)
    assert chance(made, "on_damage") == Fraction(1, 4)
    assert chance(made, "counter") == Fraction(3, 4)
