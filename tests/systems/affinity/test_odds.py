"""Exact odds, as they were enumerated by hand."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from tests.scenarios import example

from .factory import (
    BARRIER,
    BLADE,
    LIGHT,
    MAUL,
    MEDIUM,
    ORC,
    SYSTEM,
    attack,
    chance,
    game,
    harmed,
    joint,
    mean,
    odds,
    setup,
    striker,
    target,
    value,
)

F = Fraction
FAR = target(hd=9)


def test_af4_afo1_one_die_and_a_light_weapon() -> None:
    assert odds(attack(setup(BLADE)), "damage") == {0: F(1, 6), 1: F(2, 3), 2: F(1, 6)}


def test_af7_afo2_joint_odds_of_damage_and_burn() -> None:
    made = attack(setup(MAUL, FAR), 1)
    assert odds(made, "damage") == {0: F(1, 4), 2: F(1, 2), 3: F(1, 4)}
    assert mean(made, "damage") == F(7, 4)
    assert joint(made, "damage", "burn")[(2, 1)] == F(1, 36)


def test_af73_afo4_the_enraged_raider() -> None:
    made = attack(setup(replace(ORC, hd=3), FAR), None)
    assert odds(made, "damage") == {
        0: F(1, 7776),
        2: F(5, 1944),
        3: F(55, 2592),
        4: F(1265, 1296),
    }
    assert mean(made, "damage") == F(30895, 7776)


def test_af6_afo5_six_dice_and_a_heavy_weapon() -> None:
    made = attack(setup(striker(MAUL, level=5), FAR), 3)
    assert odds(made, "damage") == {
        0: F(25, 46656),
        2: F(41, 7776),
        3: F(175, 5832),
        4: F(535, 5184),
        5: F(6695, 7776),
    }
    assert mean(made, "damage") == F(4163, 864)
    burn = {n: F(comb(3, n) * 5 ** (3 - n), 216) for n in range(4)}
    assert odds(made, "burn") == burn


@pytest.mark.parametrize(
    ("rulings", "wanted"),
    [
        ({}, {0: F(39, 100), 1: F(37, 100), 2: F(1, 5), 3: F(1, 25)}),
        ({"overwhelm": "strict"}, {3: F(1)}),
        ({"temp_hd": "absorb"}, {0: F(1)}),
    ],
)
def test_af27_afo7_three_damage_against_medium_armor(
    rulings: dict[str, str], wanted: dict[int, Fraction]
) -> None:
    made = game(harmed(3, target(MEDIUM, level=5)), rulings)
    assert odds(made, "hd_lost") == wanted


@pytest.mark.parametrize(
    ("capacity", "wanted"),
    [
        ("half", {("none", 11): F(1, 2), ("none", 10): F(1, 4), ("armor:1", 11): F(1, 4)}),
        (
            "full",
            {
                ("none", 10): F(1, 10),
                ("none", 11): F(2, 5),
                ("armor:1", 11): F(3, 8),
                ("armor:2", 11): F(1, 8),
            },
        ),
    ],
)
def test_af24_afo7_the_same_die_by_die(
    capacity: str, wanted: dict[tuple[object, ...], Fraction]
) -> None:
    rulings = {"overwhelm": "per_die", "capacity": capacity}
    assert joint(game(harmed(3, target(MEDIUM, level=5)), rulings), "layers", "hd") == wanted


def test_af22_afo8_barrier_armor_and_body() -> None:
    weaver = target(BARRIER, LIGHT, body="fragile", hd=5)
    assert odds(game(harmed(4, weaver)), "hd_lost") == {
        1: F(2, 27),
        2: F(1, 3),
        3: F(4, 9),
        4: F(4, 27),
    }
    assert mean(game(harmed(4, weaver)), "hd_lost") == F(8, 3)
    by_die = game(harmed(4, weaver), {"overwhelm": "per_die"})
    assert joint(by_die, "layers", "hd") == {("none", 5): F(1, 3), ("armor:1", 5): F(2, 3)}


def test_af30_afo10_two_damage_against_one_d8() -> None:
    plain = target(body="balanced")
    braced = target(body="balanced", defending=True)
    touchy = target(body="balanced", vulnerable=("cold",))
    assert odds(game(harmed(2, plain)), "hd_lost") == {1: F(1, 2), 2: F(1, 2)}
    assert odds(game(harmed(2, braced)), "hd_lost") == {0: F(1, 3), 1: F(4, 9), 2: F(2, 9)}
    assert odds(game(harmed(2, touchy, kind="cold")), "hd_lost") == {2: F(1)}


def test_af42_afo11_net_hit_dice_of_rush() -> None:
    made = game(setup(striker(hd=9, hd_max=20)), choose_action="rush", choose_exertion="1")
    net = {cast - 9: p for cast, p in odds(made, "own_hd").items() if isinstance(cast, int)}
    assert net == {-1: F(1, 36), 0: F(1, 9), 1: F(5, 36), 2: F(17, 36), 3: F(2, 9), 4: F(1, 36)}


def test_af28_afo12_the_raider_drops_a_beginner_in_medium_armor() -> None:
    made = attack(setup(ORC, target(MEDIUM)), None)
    assert chance(made, "down") == F(583, 1080)
    later = attack(setup(ORC, target(MEDIUM)), None, {"hd_table": "later"})
    assert chance(later, "down") == 0


def test_af31_afo13_three_damage_against_two_d10() -> None:
    def against(**changes: object) -> dict[object, Fraction]:
        return odds(game(harmed(3, target(level=5, **changes), kind="fire")), "hd_lost")

    assert against() == {1: F(9, 25), 2: F(12, 25), 3: F(4, 25)}
    assert against(resist=("fire",)) == {0: F(19, 75), 1: F(88, 225), 2: F(64, 225), 3: F(16, 225)}
    assert against(vulnerable=("fire",)) == {3: F(1)}


def test_af1_the_example_of_exertion_by_hand() -> None:
    """Damage of two or more always takes the armor; armor and body cancel 1/3 + 1/2 on average."""
    loaded = example("affinity", "exertion")
    by_hand = F(4163, 864) - F(5, 6) * (1 - F(25, 46656))
    assert value(loaded.game) == by_hand
    assert value(loaded.game.settle({"choose_exertion": ("3",)})) == by_hand
    assert value(loaded.game.settle({"choose_exertion": ("2",)})) < by_hand


def test_af24_the_true_chances_are_counted_on_the_dice() -> None:
    wrong = {(row.printed, row.true) for row in SYSTEM.errata}
    assert wrong == {
        (F(3, 8), F(1, 2)),
        (F(2, 5), F(3, 5)),
        (F(1, 2), F(2, 3)),
        (F(5, 8), F(1, 2)),
        (F(5), F(3)),
    }
    assert {row.clause for row in SYSTEM.errata} == {"AF-24", "AF-28"}
