"""What a sheet refuses, each with one clear message; what it works out by itself."""

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.systems.affinity.numbers import body_die, condition_of, hd_max_of
from affray.systems.affinity.rulings import HD_TABLE, OVERWHELM, TEMP_HD
from affray.systems.affinity.sheet import Action, Ally, Boost, Combatant, Hazard, Layer, Setup
from affray.systems.affinity.tables import HD_BY_LEVEL, TYPES

from .factory import BARRIER, BLADE, LIGHT, MEDIUM, STRIKER, TARGET, held_to, target


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        (Layer, {"die": 7}, r"Layer: die is 7; allowed: 6, 8, 10, 12, 20"),
        (Layer, {"dice": 0}, "dice is 0; allowed: 1 or more"),
        (Layer, {"kind": "skin"}, "kind is 'skin'; allowed: magical, shield, armor, temporary"),
        (Action, {"tier": "epic"}, "tier is 'epic'; allowed: basic, advanced"),
        (Action, {"kind": "heal"}, "heal 0; dice to heal with"),
        (Action, {"heal": 2}, "kind 'attack' with heal 2"),
        (
            Action,
            {"reach": "ranged", "short_yd": 50, "max_yd": 40},
            "short_yd, long_yd, max_yd 50, 0, 40; allowed",
        ),
        (Action, {"max_yd": 40}, "with reach 'melee'; allowed: reach_yd"),
        (Action, {"short_yd": 40}, "with reach 'melee'; allowed: reach_yd"),
        (Action, {"extreme": True}, "with reach 'melee'; allowed: reach_yd"),
        (Action, {"reach": "ranged", "reach_yd": 10}, "reach_yd 10 with reach 'ranged'"),
        (Action, {"kind": "heal", "heal": 1, "base": 1}, "base or shape with kind 'heal'"),
        (Action, {"kind": "heal", "heal": 1, "shape": "area"}, "base or shape with kind 'heal'"),
        (Combatant, {"braced_earlier": True}, "braced_earlier without defending"),
        (Boost, {"amount": 0}, "amount is 0; allowed: 1 or more"),
        (Hazard, {"damage": -1}, "damage is -1; allowed: 0 or more"),
        (Combatant, {"level": 0}, "level is 0; allowed: 1 or more"),
        (Combatant, {"hd": 5, "hd_max": 4}, "hd 5; allowed: at most hd_max 4"),
        (Combatant, {"resolve": 6}, "resolve 6; allowed: at most resolve_max 5"),
        (Combatant, {"resolve": -6}, "resolve is -6; allowed: -5 or more"),
        (Combatant, {"affinity": 2}, "affinity 2; allowed: at most the level, 1"),
        (Combatant, {"actions_left": 3}, "actions_left is 3; allowed: 2 or less"),
        (Combatant, {"actions": (BLADE, BLADE)}, "each named once"),
        (Combatant, {"actions": (Action(name="rush"),)}, "not like a universal action"),
    ],
)
def test_bad_sheets_are_refused(kind: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        kind(**given)


@pytest.mark.parametrize(
    "lists",
    [
        {"resist": ("fire",), "immune": ("fire",)},
        {"resist": ("fire",), "vulnerable": ("fire",)},
        {"vulnerable": ("cold", "fire"), "immune": ("fire",)},
    ],
)
def test_af31_a_type_stands_in_one_list(lists: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match=r"fire under .* allowed: one of them"):
        Combatant(**lists)


def test_af71_twelve_types_in_three_families() -> None:
    families = {"physical": 3, "elemental": 5, "mystical": 4}
    found: list[str] = list(TYPES.values())
    assert {family: found.count(family) for family in families} == families
    with pytest.raises(SetupError, match="type is 'sonic'; allowed: slashing, piercing"):
        Action(type="sonic")  # type: ignore[arg-type]  # refused


@pytest.mark.parametrize(
    ("level", "prof"),
    [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5), (10, 5)],
)
def test_af21_proficiency_is_half_the_level_rounded_up(level: int, prof: int) -> None:
    assert Combatant(level=level).prof == prof


def test_af28_hit_dice_of_the_examples_follow_from_level_and_body() -> None:
    none = Rulings()
    assert hd_max_of(Combatant(level=5, body="tough"), none) == 11  # example 1
    assert hd_max_of(Combatant(level=7, body="balanced"), none) == 13  # example 3
    assert hd_max_of(Combatant(level=1, body="fragile"), none) == 3
    assert hd_max_of(Combatant(level=1, body="tough"), Rulings({HD_TABLE: "later"})) == 5
    assert all(len(row) == 10 for row in HD_BY_LEVEL.values())


def test_af28_hit_dice_that_are_there_now_are_not_the_most_there_can_be() -> None:
    none = Rulings()
    assert hd_max_of(Combatant(level=5, body="tough", hd=4), none) == 11  # as the level says
    assert hd_max_of(Combatant(level=1, body="tough", hd=4), none) == 4  # more than that
    assert hd_max_of(Combatant(level=5, body="tough", hd=4, hd_max=6), none) == 6
    assert hd_max_of(Combatant(level=12, hd=4), none) == 4
    raider = Combatant(level=3, hd_die=8, hd=2, boosts=(Boost(),))  # 2 of 6
    assert condition_of(raider, none).raging
    assert not condition_of(replace(raider, hd=3), none).raging


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rest_hd": 1}, "rest_hd 1 with act 'turn'; allowed: with 'recover'"),
        ({"rest_hd": 1, "act": "repair"}, "rest_hd 1 with act 'repair'"),
        ({"hazard": Hazard(damage=1), "act": "recover"}, "hazard with act 'recover'"),
        ({"allies": (Ally(combatant=TARGET),), "act": "initiative"}, "allies with act 'initiat"),
        ({"allies": (Ally(combatant=TARGET),), "towards": "friend"}, "turn' towards a friend"),
    ],
)
def test_af72_a_situation_that_would_be_ignored_is_refused(
    given: dict[str, Any], said: str
) -> None:
    with pytest.raises(SetupError, match=said):
        Setup(attacker=STRIKER, defender=TARGET, **given)
    friend = Setup(attacker=STRIKER, defender=TARGET, towards="friend", hazard=Hazard(damage=1),
                   allies=(Ally(combatant=TARGET),))  # fmt: skip
    assert len(friend.allies) == 1


def test_af28_a_level_without_a_row_wants_hit_dice() -> None:
    with pytest.raises(SetupError, match="level 12 with d8 has no row of Hit Dice; give hd"):
        hd_max_of(Combatant(level=12), Rulings())
    with pytest.raises(SetupError, match="level 1 with d12 has no row"):
        hd_max_of(Combatant(hd_die=12), Rulings())


def test_af73_half_the_hit_dice_of_a_monster() -> None:
    raging = Combatant(hd=3, hd_max=7, boosts=(Boost(),))
    assert condition_of(raging, Rulings()).raging
    assert not condition_of(replace(raging, hd=4), Rulings()).raging
    assert not condition_of(replace(raging, boosts=()), Rulings()).raging


def test_af22_layers_lie_in_their_order_whatever_the_sheet_says() -> None:
    shield = Layer(kind="shield", die=12, dice=1)
    other = Layer(kind="temporary", die=10)
    worn = target(other, MEDIUM, shield, BARRIER)
    kinds = [cover.kind for cover in condition_of(worn, held_to({})).layers]
    assert kinds == ["magical", "shield", "armor", "temporary"]
    assert body_die(worn) == 10


def test_af27_layers_that_are_gone_stay_away() -> None:
    gone = Layer(die=8, intact=False)
    assert [cover.die for cover in condition_of(target(gone, LIGHT), Rulings()).layers] == [6]


def test_af27_totals_and_dice_are_kept_only_where_a_reading_asks() -> None:
    (plain,) = condition_of(target(MEDIUM), Rulings()).layers
    assert (plain.dice, plain.temp_hd) == (0, 0)
    (summed,) = condition_of(target(MEDIUM), Rulings({TEMP_HD: "absorb"})).layers
    assert (summed.dice, summed.temp_hd) == (0, 12)
    (counted,) = condition_of(target(MEDIUM), Rulings({OVERWHELM: "per_die"})).layers
    assert (counted.dice, counted.temp_hd) == (2, 0)
    with pytest.raises(SetupError, match="layer armor: temp_hd is missing"):
        condition_of(target(Layer()), Rulings({TEMP_HD: "absorb"}))


def test_a_setup_wants_both() -> None:
    with pytest.raises(TypeError):
        Setup(attacker=TARGET)  # type: ignore[call-arg]  # refused
