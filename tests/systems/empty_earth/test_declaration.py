"""Steps 1 and 2: who may attack whom, what is answered, what is bought."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Session
from affray.systems.empty_earth.gear import Active, Armor, Weapon
from affray.systems.empty_earth.sheet import Cubes, Feature, Fighter

from .factory import (
    ADA,
    BO,
    STRIKER,
    TARGET,
    asked,
    bow,
    chance,
    facts_of,
    feature,
    game,
    line,
    offered,
    play,
    played,
    question,
    setup,
    striker,
    target,
    value,
    weapon,
)


def test_ee1_attacks_come_at_any_time_on_nobodys_turn() -> None:
    session = Session(game(setup()))
    assert question(session).step == "roll_attack"


@pytest.mark.parametrize("attacks", ["pc", "ally", "enemy"])
@pytest.mark.parametrize("defends", ["pc", "ally", "enemy"])
def test_ee2_every_side_attacks_and_defends(attacks: str, defends: str) -> None:
    made = setup(striker(side=attacks), target(side=defends))
    assert play(game(made), 5, 1)["damage"] == 2


def test_ee3_a_pc_has_defences_on_the_armor_and_others_in_the_stat_block() -> None:
    worn = Armor(phys_def=2, per_tactics=1, ess_def=1, per_intuition=2, dr=1)
    hero = Fighter(side="pc", armor=worn, tactics=3, intuition=1, vitality=10)
    assert play(game(setup(defender=hero)), 5, 6)["hits"] == 1  # 2 + 3 = 5
    spell = weapon(kind="essential")
    assert play(game(setup(spell, hero)), 3, 4)["hits"] == 1  # 1 + 2 = 3
    assert play(game(setup(spell, hero)), 3, 4)["damage"] == 1


def test_ee3_armor_and_a_stat_block_exclude_each_other() -> None:
    with pytest.raises(SetupError, match="leave the other out"):
        Fighter(armor=Armor(phys_def=2), phys_def=3)


def test_ee4_dice_are_read_each_by_itself() -> None:
    assert play(game(setup(weapon("3D4"))), 4, 4, 4)["hits"] == 0  # 12 in all, none over 4
    asks = question(Session(game(setup(weapon("3D6")))))
    assert str(asks.dice) == "3d6"


def test_ee4_the_notation_of_the_source() -> None:
    assert (weapon("3D6").line.n, weapon("3D6").line.sides) == (3, 6)  # S-1
    assert (weapon("3D4").line.n, weapon("3D4").line.sides) == (3, 4)  # S-2


@pytest.mark.parametrize("dice", ["", "3", "2D6+1D4", "blue"])
def test_ee4_other_dice_are_refused(dice: str) -> None:
    with pytest.raises(SetupError, match="dice"):
        weapon(dice)


def test_ee5_ranged_attacks_have_a_range_and_melee_has_none() -> None:
    with pytest.raises(SetupError, match="1 or more for a ranged"):
        Weapon(reach="ranged")
    with pytest.raises(SetupError, match="none for melee"):
        Weapon(reach="melee", range_zones=1)


@pytest.mark.parametrize(("kind", "hits"), [("physical", 2), ("essential", 1)])
def test_ee6_each_kind_tests_its_own_defence(kind: str, hits: int) -> None:
    made = setup(weapon(kind=kind), target(phys_def=3, ess_def=5))
    assert play(game(made), 4, 6)["hits"] == hits


def test_ee8_defences_are_never_rolled() -> None:
    session = played(game(setup()), 5, 6)
    assert [row.actor for row in session.log if row.faces] == ["attacker"]


@pytest.mark.parametrize(("zones", "legal"), [(0, True), (1, False)])
def test_ee9_melee_needs_the_same_zone(zones: int, legal: bool) -> None:
    made = setup(distance_zones=zones)
    if legal:
        assert Session(game(made)).question
        return
    with pytest.raises(SetupError, match=r"striker can't attack.*same Zone; this one is 1 away"):
        game(made)


def test_ee10_the_neighbouring_zone_is_not_adjacent() -> None:  # V41
    with pytest.raises(SetupError, match="EE-9"):
        game(setup(distance_zones=1))


@pytest.mark.parametrize(("zones", "legal"), [(0, True), (2, True), (3, False)])
def test_ee11_ranged_reaches_up_to_its_range(zones: int, legal: bool) -> None:
    made = setup(bow(), distance_zones=zones)
    if legal:
        assert Session(game(made)).question
        return
    with pytest.raises(SetupError, match="its range is 2 Zones; the target is 3 away"):
        game(made)


def test_ee12_ranged_needs_line_of_sight_and_melee_does_not() -> None:
    with pytest.raises(SetupError, match="Line of Sight"):
        game(setup(bow(), distance_zones=1, line_of_sight="blocked"))
    assert play(game(setup(line_of_sight="blocked")), 5, 6)["hits"] == 2


def test_ee12_the_own_zone_is_always_in_sight() -> None:  # L6
    asks = question(Session(game(setup(bow(), line_of_sight="blocked"))))
    assert (asks.step, str(asks.dice)) == ("roll_attack", "2d6")
    assert play(game(setup(bow(), line_of_sight="blocked")), 6, 6)["hits"] == 2  # 5, crowded


@pytest.mark.parametrize(("figures", "zones", "hits"), [(0, 1, 2), (1, 1, 1), (2, 1, 1), (0, 0, 1)])
def test_ee14_one_penalty_however_many_hostile_figures(figures: int, zones: int, hits: int) -> None:
    made = setup(bow(), distance_zones=zones, hostile_in_own_zone=figures)
    assert play(game(made), 5, 6)["hits"] == hits  # V10 with two of them


def test_ee15_melee_takes_no_penalty() -> None:  # V44
    assert play(game(setup(hostile_in_own_zone=2)), 5, 6)["hits"] == 2


def test_ee16_one_line_out_of_range_is_closed_and_says_why() -> None:
    both = striker(weapon(), replace(bow(), name="bow"), replace(bow(), name="sling"))
    session = Session(game(setup(both, distance_zones=2)))
    assert offered(session) == ["bow", "sling"]
    with pytest.raises(AnswerError, match="melee reaches figures in the same Zone"):
        session.answer("club")


def test_ee28_the_attacker_chooses_the_attack_line() -> None:
    both = striker(weapon(), replace(weapon("1D6", 5), name="axe"))
    assert play(game(setup(both)), 5, options=("axe",))["damage"] == 5


def test_ee28_who_has_no_attack_cannot_attack() -> None:
    with pytest.raises(SetupError, match="striker has no attack"):
        game(setup(replace(STRIKER, attacks=())))


def test_ee29_the_defender_decides_before_the_roll() -> None:
    session = Session(game(setup(defender=target(dodge="1D4", center="1D4"))))
    assert question(session).actor == "defender"
    assert offered(session) == ["none", "dodge", "center"]
    assert not any(row.faces for row in session.log)
    assert question(session.answer("dodge")).ask == "attack roll"


def test_ee29_no_dice_no_dodge() -> None:
    with pytest.raises(AnswerError, match="no dice for it on the stat block or Armor"):
        Session(game(setup(), choose_reaction="dodge"))


def test_ee29_immediate_abilities_answer_an_attack() -> None:
    brace = feature("Brace", red=0, blue=1, timing="immediate", defence=1, dr=1, shields=2)
    made = setup(defender=target(abilities=(brace,), cubes=Cubes(blue=1)))
    done = play(game(made), 5, 6, options=("Brace",))
    assert (done["hits"], done["damage"], done["shields"]) == (1, 0, 0)
    assert play(game(made), 5, 6, options=("none",))["damage"] == 4


def test_ee29_abilities_without_the_mark_or_the_cubes_stay_away() -> None:
    for timing in ("pre_roll", "on_hit", "on_damage"):
        with pytest.raises(SetupError, match=rf"Slow: dr would do nothing with timing '{timing}'"):
            target(abilities=(feature("Slow", timing=timing, dr=9),))
    dear = feature("Dear", timing="immediate", dr=9)
    session = Session(game(setup(defender=target(abilities=(dear,))), use_abilities="none"))
    assert question(session).ask == "attack roll"
    with pytest.raises(AnswerError, match="costs 1 red; at hand: nothing"):
        Session(game(setup(defender=target(abilities=(dear,))), use_abilities="Dear"))


def test_ee30_red_cubes_buy_features_and_blue_ones_aim() -> None:
    barbed = feature("Barbed", piercing=1)
    heavy = feature("Heavy", red=2, damage=1)
    made = setup(
        striker(weapon(aim=2, features=(barbed, heavy)), cubes=Cubes(red=2, blue=1)),
        target(dr=1),
    )
    session = Session(game(made))
    assert offered(session) == ["none", "Barbed", "Heavy"]  # both together are three cubes
    session = session.answer("Barbed")
    assert offered(session) == ["no", "aim"]
    done = play(game(made), 3, 2, options=("Barbed", "aim"))
    assert (done["hits"], done["damage"], done["cubes"]) == (1, 2, 1)


def test_ee30_cubes_that_are_missing_are_named() -> None:
    barbed = feature("Barbed", piercing=1)
    made = setup(striker(weapon(aim=1, features=(barbed,))))
    with pytest.raises(AnswerError, match="costs 1 red; at hand: nothing"):
        Session(game(made, buy_features="Barbed"))
    with pytest.raises(AnswerError, match="no blue cube is left"):
        Session(game(made, take_aim="aim"))
    with pytest.raises(AnswerError, match="no Aim value"):
        Session(game(setup(striker(cubes=Cubes(blue=1))), take_aim="aim"))


@pytest.mark.parametrize(
    ("timing", "after"),
    [
        ("immediate", "declare_attack"),
        ("pre_roll", "use_abilities"),
        ("post_roll", "roll_attack"),
        ("on_hit", "count_hits"),
        ("on_damage", "reduce_damage"),
    ],
)
def test_ee31_features_are_bought_when_they_say(timing: str, after: str) -> None:
    extra = feature("Extra", timing=timing, condition="Dazed")
    made = setup(striker(weapon(features=(extra,)), cubes=Cubes(red=1)))
    session = Session(game(made))
    if "roll_attack" in after or "count" in after or "reduce" in after:
        session = session.answer((5, 6))
    assert offered(session) == ["none", "Extra"]
    assert session.steps_taken[-1].at.step.name == after


def test_ee31_an_immediate_feature_comes_before_the_reaction() -> None:
    extra = feature("Extra", timing="immediate", each_die=1)
    made = setup(striker(weapon(features=(extra,)), cubes=Cubes(red=1)), target(dodge="1D4"))
    session = asked(game(made), "Extra")
    assert offered(session) == ["none", "dodge"]
    assert play(game(made), 4, 5, options=("Extra", "none"))["hits"] == 2


def test_ee31_a_late_feature_cannot_change_dice() -> None:
    with pytest.raises(SetupError, match="it can't change them"):
        Feature(name="Late", timing="on_hit", each_die=1)
    with pytest.raises(SetupError, match="only bring a condition"):
        Feature(name="Late", timing="on_damage", damage=1)


def test_ee26_shields_go_when_the_own_turn_starts_and_not_otherwise() -> None:
    shielded = target(shields=3)
    assert play(game(setup(defender=shielded)), 1, 1)["shields"] == 3  # not after an attack
    again = game(setup(defender=shielded, attacks=2))
    assert play(again, 1, 1, 1, 1)["shields"] == 3
    assert play(game(setup(defender=shielded, new_turn="defender")), 1, 1)["shields"] == 0
    assert play(game(setup(defender=shielded, new_turn="attacker")), 1, 1)["shields"] == 3
    between = game(setup(defender=shielded, attacks=2, turn_between=True))
    done = play(between, 5, 1, 5, 1)  # the first 2 are absorbed; the third Shield goes by itself
    assert (done["damage"], done["shields"], done["vitality"]) == (2, 0, 8)


RAGS = Armor(name="rags", phys_def=4, dodge="1D6", active=Active(reactions=3, dr=1))


def test_ee60_a_blue_cube_activates_armor_until_the_next_turn() -> None:
    hero = Fighter(side="pc", armor=RAGS, vitality=10, cubes=Cubes(blue=1))
    made = setup(defender=hero, new_turn="defender")
    session = Session(game(made))
    assert offered(session) == ["no", "activate"]
    facts = facts_of(session.answer("activate"))
    assert (facts.defending.reactions, facts.defending.cubes.blue) == (3, 0)
    done = play(game(made), 5, 6, options=("activate", "none"))
    assert (done["damage"], done["reactions"]) == (3, 3)


def test_ee60_without_a_blue_cube_it_stays_off() -> None:
    hero = Fighter(side="pc", armor=RAGS, vitality=10)
    with pytest.raises(AnswerError, match="no blue cube is left"):
        Session(game(setup(defender=hero, new_turn="defender"), activate_armor="activate"))


def test_ee60_the_effect_ends_with_the_next_turn() -> None:
    hero = Fighter(side="pc", armor=RAGS, vitality=10, armor_active=True, reactions=3)
    assert play(game(setup(defender=hero), choose_reaction="none"), 5, 6)["damage"] == 3
    later = setup(defender=hero, new_turn="defender")
    done = play(game(later, choose_reaction="none"), 5, 6)
    assert (done["damage"], done["reactions"]) == (4, 1)


def test_ee61_one_reaction_between_turns() -> None:
    made = setup(weapon("1D6"), target(dodge="1D4"), attacks=2)
    session = asked(game(made), "dodge", 1, 1)
    assert question(session).ask == "attack roll"  # the second attack can't be dodged
    with pytest.raises(AnswerError, match="no reaction is left until the next turn"):
        asked(game(made, choose_reaction="dodge"), 1, 1)
    fresh = replace(made, turn_between=True)
    assert offered(asked(game(fresh), "dodge", 1, 1)) == ["none", "dodge"]


def test_ee61_light_armor_allows_more_of_them() -> None:
    hero = Fighter(side="pc", armor=RAGS, vitality=10, armor_active=True, reactions=3)
    made = setup(weapon("1D6"), hero, attacks=3)
    done = play(game(made, choose_reaction="dodge"), 1, 1, 1, 1, 1, 1)
    assert done["reactions"] == 0


@pytest.mark.parametrize(
    ("timing", "faces", "suffers"),
    [
        ("immediate", (5, 1), ("Dazed",)),
        ("pre_roll", (5, 1), ("Dazed",)),
        ("post_roll", (5, 1), ("Dazed",)),
        ("pre_roll", (4, 4), ()),  # no die hits
        ("on_hit", (5, 1), ("Dazed",)),
    ],
)
def test_ee23_a_condition_that_was_bought_comes_with_a_hit(
    timing: str, faces: tuple[int, int], suffers: tuple[str, ...]
) -> None:
    """Damage Resistance takes all damage here, however much it is."""
    daze = feature("Daze", timing=timing, condition="Dazed")
    made = setup(striker(weapon(features=(daze,)), cubes=Cubes(red=1)), target(dr=9))
    done = play(game(made), *faces, options=("Daze",))
    assert (done["conditions"], done["damage"], done["cubes"]) == (suffers, 0, 0)
    left = play(game(made), *faces, options=("none",))
    assert (left["conditions"], left["cubes"]) == ((), 1)


def test_ee23_conditions_add_up_over_timings_and_attacks() -> None:
    both = (
        feature("Daze", condition="Dazed"),
        feature("Trip", red=0, timing="on_damage", condition="Prone"),
    )
    made = setup(striker(weapon("1D6", features=both), cubes=Cubes(red=1)), attacks=2)
    done = play(game(made), 5, 5, options=("none", "Trip", "Daze"))  # nobody trips twice
    assert done["conditions"] == ("Dazed", "Prone")
    session = played(game(made), 5, 1, options=("Daze", "none"))
    says = line(session, "count_hits")
    assert says.says == "0 hits: 0 regular damage."
    told = next(row.says for row in session.log if row.step == "count_hits")
    assert told == "1 hit: 2 regular damage. The defender suffers Dazed."


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"dr": 1}, "feature Odd: dr of a Weapon Feature would do nothing"),
        ({"defence": 1, "damage": 1}, "feature Odd: defence of a Weapon Feature would do nothing"),
        ({"damage": 1, "role": "attacker"}, "feature Odd: role 'attacker'; only an Ability"),
        ({}, "feature Odd does nothing; give it one of each_die, damage"),
    ],
)
def test_ee25_features_that_would_do_nothing_are_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        weapon(features=(feature("Odd", **wrong),))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"damage": 1, "role": "defender"}, "ability Odd: damage would do nothing"),
        ({"dr": 1, "damage": 1, "role": "attacker"}, "ability Odd: dr would do nothing"),
        ({"timing": "pre_roll", "defence": 1}, "ability Odd: defence would do nothing"),
        ({"timing": "on_hit", "condition": "Dazed", "role": "defender"}, "condition would do"),
        ({"dr": 1, "role": "defender"}, "role 'defender' changes nothing here; leave it out"),
        (
            {"timing": "pre_roll", "damage": 1, "role": "attacker"},
            "role 'attacker' changes nothing",
        ),
    ],
)
def test_ee29_abilities_that_would_do_nothing_are_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        target(abilities=(feature("Odd", **{"timing": "immediate", **wrong}),))


@pytest.mark.parametrize("name", ["", "none", "pass", "Hook+Line"])
def test_ee31_names_that_options_need_are_refused(name: str) -> None:
    with pytest.raises(SetupError, match="can't name a feature"):
        feature(name, damage=1)


def test_ee31_features_are_six_at_most_and_each_named_once() -> None:
    seven = [feature(name, damage=1) for name in "ABCDEFG"]
    assert len(weapon(features=tuple(seven[:6])).features) == 6
    with pytest.raises(SetupError, match="features A, B, C, D, E, F, G; allowed: at most six"):
        weapon(features=tuple(seven))
    with pytest.raises(SetupError, match="features A, A; allowed: at most six, each named once"):
        weapon(features=(seven[0], seven[0]))
    calm = feature("Calm", timing="immediate", dr=1)
    with pytest.raises(SetupError, match="abilities Calm, Calm; allowed"):
        target(abilities=(calm, calm))


def test_ee45_an_effect_that_needs_a_hit_has_a_value() -> None:
    with pytest.raises(SetupError, match="unmodified_must_hit without unmodified"):
        weapon(unmodified_must_hit=True)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"attacks": 2, "act": "revive"}, "attacks 2 with act 'revive'; allowed: 1"),
        ({"turn_between": True}, "turn_between with one attack"),
        ({"other_pcs": ("none",)}, "neither attacker nor defender is a player character"),
    ],
)
def test_ee1_a_situation_that_would_be_ignored_is_refused(
    changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(SetupError, match=says):
        setup(**changes)
    assert setup(striker(side="pc"), other_pcs=("none",)).other_pcs == ("none",)


def test_ee8_what_a_sheet_leaves_out_is_nothing() -> None:
    plain = Fighter(
        name="", side="enemy", attacks=(), armor=None, phys_def=0, ess_def=0, dr=0, reduction=0,
        dodge="", center="", vitality=None, vitality_max=10, shields=0, injuries=0,
        injured_this_stage=False, reactions=1, armor_active=False, tactics=0, intuition=0,
        cubes=Cubes(red=0, blue=0, black=0), abilities=(), rerolls=0, sweeps=0, focus=(),
        retaliation=0, source="",
    )  # fmt: skip
    assert Fighter() == plain
    assert (plain.left, Fighter(vitality=3, vitality_max=8).left) == (10, 3)
    assert Weapon() == Weapon(
        name="", kind="physical", reach="melee", range_zones=0, dice="1D6", damage=1, piercing=0,
        aim=0, features=(), unmodified=0, unmodified_must_hit=False, source="",
    )  # fmt: skip
    assert Armor() == Armor(
        name="", weight="medium", phys_def=0, ess_def=0, per_tactics=0, per_intuition=0, dr=0,
        dodge="", center="", active=None, scrap_value=0, source="",
    )  # fmt: skip
    assert Active(dr=1) == Active(reactions=0, dr=1)
    assert Feature(name="Odd", dr=1) == Feature(
        name="Odd", cost=Cubes(), timing="pre_roll", role="either", each_die=0, damage=0,
        piercing=0, rerolls=0, sweeps=0, focus=(), defence=0, dr=1, shields=0,
        condition=None, source="",
    )  # fmt: skip
    assert setup() == setup(
        act="attack", attacks=1, map=None, figures=(), distance_zones=None,
        distance_through_openings=None, line_of_sight=None, hostile_in_own_zone=None,
        hostile_near_defender=None, new_turn="none", turn_between=False, other_pcs=(),
    )  # fmt: skip


def test_ee50_who_is_down_cannot_attack_or_react() -> None:
    down = replace(ADA, vitality=0, injuries=1, attacks=(weapon(),), dodge="1D4")
    with pytest.raises(SetupError, match="Ada has no Vitality left"):
        game(setup(down))
    with pytest.raises(AnswerError, match="who is down can't act"):
        Session(game(setup(defender=down), choose_reaction="dodge"))


def test_ee7_defence_four_needs_a_five() -> None:  # S-3
    die = setup(weapon("1D6"))
    assert play(game(die), 5)["hits"] == 1
    assert play(game(die), 4)["hits"] == 0


def test_the_log_itemises_the_defence_and_what_is_added() -> None:
    brace = feature("Brace", red=0, timing="immediate", defence=1)
    made = setup(
        striker(bow("2D6+1", aim=2), cubes=Cubes(blue=1)),
        target(abilities=(brace,)),
        distance_zones=1,
        hostile_in_own_zone=1,
    )
    session = played(game(made), 3, 4, options=("Brace", "aim"))
    defence = line(session, "take_aim").totals[0]
    assert (str(defence), defence.value) == ("Physical Defense: 4, +1 Brace = 5", 5)
    each = line(session, "apply_modifiers").totals[0]
    assert [row.value for row in each.terms] == [2, -1]
    assert each.value == 2


def test_a_dominant_aim_is_worth_its_blue_cube() -> None:
    made = setup(striker(weapon("2D6", 1, aim=1), cubes=Cubes(blue=1)))
    assert value(game(made, take_aim="no")) == Fraction(2, 3)
    assert value(game(made)) == value(game(made, take_aim="aim")) == 1
    assert chance(game(made), "hits", 1) == Fraction(1, 2)


def test_names_of_fighters_show_in_refusals() -> None:
    with pytest.raises(SetupError, match="attacker: striker"):
        game(setup(STRIKER, TARGET, distance_zones=5))
    assert BO.name == "Bo"


def test_a30_reactions_ee61_against_every_attack() -> None:
    nimble = target(dodge="1D4", phys_def=5, reactions=0)
    free = {"reactions": "every_attack"}
    session = asked(game(setup(weapon("1D6"), nimble, attacks=2), free))
    assert offered(session) == ["none", "dodge"]
    done = play(game(setup(weapon("1D6"), nimble, attacks=2), free, choose_reaction="dodge"),
                1, 1, 1, 1)  # fmt: skip
    assert done["reactions"] == 0
    limited = game(setup(weapon("1D6"), nimble), choose_reaction="dodge")
    with pytest.raises(AnswerError, match="no reaction is left"):
        asked(limited)


def test_a30_reactions_ee60_more_of_them_are_worth_no_cube_where_nothing_limits_them() -> None:
    for dr in (0, 1):
        worn = target(
            phys_def=0, ess_def=0, armor=Armor(active=Active(reactions=3, dr=dr)),
            cubes=Cubes(blue=1),
        )  # fmt: skip
        made = game(setup(defender=worn, new_turn="defender"), {"reactions": "every_attack"},
                    activate_armor="activate")  # fmt: skip
        if dr:
            assert play(made, 1, 1)["armor_active"] is True
        else:
            with pytest.raises(AnswerError, match=r"they have no limit \(A-30\)"):
                asked(made)
