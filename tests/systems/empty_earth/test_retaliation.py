"""Retaliation (EE-55): each die that hits does damage to the attacker."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

import affray
from affray.systems.empty_earth.gear import Armor

from .factory import ADA, game, joint, play, setup, striker, target, value, weapon

THORN = target(retaliation=3, vitality_max=20)


def test_ee55_each_die_that_hits_does_damage_to_the_attacker() -> None:
    made = game(setup(striker(), THORN))
    assert joint(made, "hits", "retaliation", "attacker_vitality") == {
        (0, 0, 10): Fraction(4, 9), (1, 3, 7): Fraction(4, 9), (2, 6, 4): Fraction(1, 9),
    }  # fmt: skip


def test_ee23_hits_count_for_retaliation_even_if_they_do_no_damage() -> None:
    done = play(game(setup(striker(), replace(THORN, dr=9))), 6, 5)
    assert (done["damage"], done["retaliation"], done["counter"]) == (0, 6, True)


@pytest.mark.parametrize(
    ("reading", "damage", "shields"), [("reduced", 6 - 1 - 2, 0), ("direct", 6, 1)]
)
def test_a28_retaliation_ee55_through_shields_and_resistance_or_not(
    reading: str, damage: int, shields: int
) -> None:
    by = striker(dr=2, shields=1)
    done = play(game(setup(by, THORN), {"retaliation": reading}), 6, 5)
    assert (done["retaliation"], done["attacker_shields"]) == (damage, shields)


def test_ee55_resistance_comes_off_the_total_once() -> None:
    by = striker(weapon("3D6"), armor=Armor(dr=4))
    assert play(game(setup(by, replace(THORN, retaliation=2))), 6, 6, 6)["retaliation"] == 2


@pytest.mark.parametrize(("reading", "damage"), [("yes", 6), ("no", 0)])
def test_a29_last_blow_ee55_who_is_brought_down_may_retaliate(reading: str, damage: int) -> None:
    weak = replace(THORN, vitality=2)
    done = play(game(setup(striker(), weak), {"last_blow": reading}), 6, 6)
    assert (done["defeated"], done["retaliation"]) == (True, damage)


def test_ee55_ee47_an_attacking_player_character_draws_an_injury() -> None:
    by = replace(ADA, attacks=(weapon(),), vitality=3)
    made = setup(by, THORN, other_pcs=("none",))
    done = play(game(made), 6, 6, 2)
    assert {name: done[name] for name in done if name.startswith("attacker_")}["attacker_injuries"]
    assert (done["attacker_vitality"], done["stage_ended"], done["attacker_out"]) == (
        2, False, False,
    )  # fmt: skip
    last = play(game(setup(by, THORN)), 6, 6, 2)
    assert last["stage_ended"] is True
    again = play(game(setup(replace(by, injuries=1), THORN, other_pcs=("none",))), 6, 6)
    assert (again["attacker_out"], again["attacker_vitality"]) == (True, 0)


def test_ee55_an_attacker_who_fell_attacks_no_more() -> None:
    by = striker(vitality=3)
    done = play(game(setup(by, THORN, attacks=3)), 6, 1)
    assert (done["attacker_out"], done["hits"]) == (True, 1)


def test_ee55_a_counter_is_an_attack_and_meets_retaliation_too() -> None:
    by = striker(phys_def=0, retaliation=4)
    made = setup(by, target(attacks=(weapon("1D6", 1),), vitality=10))
    done = play(game(made, {"counter": "attack"}), 1, 1, 3, options=("counter",))
    assert (done["counter_damage"], done["vitality"], done["retaliation"]) == (1, 6, 0)


def test_ee44_nobody_counters_one_who_fell_to_retaliation() -> None:
    wall = replace(THORN, dr=9, attacks=(weapon(),))
    by = striker(vitality=1)
    done = play(game(setup(by, wall), {"counter": "attack"}), 6, 1)
    assert (done["counter"], done["counters"], done["attacker_out"]) == (True, False, True)


def test_ee55_who_wants_the_better_trade_minds_retaliation() -> None:
    """A hit does 2 and costs 3: a mean of -1 x 2/3."""
    assert value(game(setup(striker(), THORN)), "trade") == Fraction(-2, 3)


# -- in fights -------------------------------------------------------------------------------


@cache
def thorn_duel(mine: int, theirs: int, *, thorn_acts: bool) -> tuple[Fraction, Fraction]:
    """The chances of the striker and of the Thorn; each die hits in half of all rolls.

    A hit of the striker costs both a point; a hit of the Thorn costs the striker one.
    """
    if mine <= 0 or theirs <= 0:
        return Fraction(mine > 0), Fraction(theirs > 0)
    rows = []
    for acts in (False, True):  # a round from here until somebody is hit
        hit = (mine - 1, theirs) if acts else (mine - 1, theirs - 1)
        rows.append(thorn_duel(*hit, thorn_acts=not acts))
    first, second = (rows[1], rows[0]) if thorn_acts else (rows[0], rows[1])
    # first hits with 1/2, else second with 1/2, else it begins again: 2/3 and 1/3
    one, other = (2 * a / 3 + b / 3 for a, b in zip(first, second, strict=True))
    return one, other


@pytest.mark.parametrize(("vitality", "thorns"), [(3, 2), (2, 2), (5, 3)])
def test_ee55_a_duel_with_retaliation_agrees_with_a_count_by_hand(
    vitality: int, thorns: int
) -> None:
    line = {"attacks": [{"dice": "1D6", "damage": 1}], "phys_def": 3}
    table = {
        "first": "one",
        "one": {"fighters": [{"name": "Ann", "vitality": vitality, **line}]},
        "other": {"fighters": [{"name": "Thorn", "vitality": thorns, "retaliation": 1, **line}]},
    }
    found = affray.duel("empty-earth", table).won
    wanted = thorn_duel(vitality, thorns, thorn_acts=False)
    assert found == pytest.approx([float(chance) for chance in wanted], abs=1e-9)
