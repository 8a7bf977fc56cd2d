"""A combat: the attack, scored hits, Battle Back."""

from fractions import Fraction

import pytest

from affray.app.inputs.setups import load_raw, roster
from affray.core.dice import Face
from affray.core.errors import SetupError
from affray.engine.exchange.session import Session

from .factory import (
    BOW,
    SYSTEM,
    UNIT,
    asked,
    closed,
    duel,
    facts_of,
    fought,
    game,
    joint,
    line,
    offered,
    played,
    question,
    scenario,
    setup,
    unit,
)

BLANK: tuple[Face, ...] = ("-", "-")


def rolls(session: Session) -> list[tuple[str, str, str]]:
    """Who rolled what, in order: (step, player, dice)."""
    return [(row.step, row.actor, row.dice) for row in session.log if row.step.startswith("roll")]


# -- who and what ----------------------------------------------------------------------------


def test_gb1_a_combat_is_one_unit_against_one_other() -> None:
    made = game(scenario([(UNIT, "0000")], [(UNIT, "0100"), (UNIT, "0200")], rounds=1))
    assert "rider-on-rider" in offered(asked(made, "stay"))
    assert list(closed(asked(made, "stay"))) == ["rider-on-rider-2"]  # not adjacent


def test_gb2_attacker_and_defender_keep_their_names_in_battle_back() -> None:
    session = played(game(setup()), "d", "-", "-", "-")
    assert [(step, who) for step, who, _ in rolls(session)] == [
        ("roll_attack", "attacker"), ("roll_defence", "defender"),
        ("roll_attack", "defender"), ("roll_defence", "attacker"),
    ]  # fmt: skip


def test_gb2_the_log_tells_units_of_one_name_apart() -> None:
    session = played(game(setup()), "d", "-", "-", "-")
    assert line(session, "apply_hits").says == "Rider (attacker) has 3 health."
    made = asked(game(duel("0000", "0100")), "stay", "rider-on-rider", ("d",), ("-",))
    assert line(made, "apply_hits").says == "Rider (other) has 2 health."


def test_gb3_the_attacker_rolls_attack_dice_first() -> None:
    found = question(Session(game(setup(unit(attack=("red", "blue"))))))
    assert (found.actor, found.ask, str(found.dice)) == ("attacker", "attack dice", "1red+1blue")


def test_gb4_then_the_defender_rolls_defence_dice() -> None:
    found = question(asked(game(setup(defender=unit(defence=("grey", "grey")))), ("d",)))
    assert (found.actor, found.ask, str(found.dice)) == ("defender", "defense dice", "2grey")


def test_gb4_a_unit_without_defence_dice_rolls_none() -> None:
    session = played(game(setup(defender=unit(defence=()))), "d", "-", "-")
    assert facts_of(session).hits == 1


def test_gb5_then_hits_are_counted_and_applied() -> None:
    session = asked(game(setup()), ("dd",), ("s",))
    steps = [entry.at.step.name for entry in session.steps_taken]
    assert steps[:5] == ["roll_attack", "roll_defence", "count_hits", "apply_hits", "battle_back"]
    assert facts_of(session).defender == 2


# -- Battle Back -----------------------------------------------------------------------------


def test_gb6_only_while_both_are_present() -> None:
    done = fought(setup(defender=unit(health=1)), "d", "-")
    assert (done["battle_back"], done["no_battle_back"]) == (False, "removed")


def test_gb7_v28_there_are_two_rounds_and_no_third() -> None:
    assert len(rolls(played(game(setup()), "d", "-", "dd", "s"))) == 4


def test_gb8_round_attacker_and_round_defender_swap_the_dice() -> None:
    made = setup(
        unit(attack=("red",), defence=("grey",)), unit(attack=("blue",), defence=("black",))
    )
    assert [dice for _, _, dice in rolls(played(game(made), *BLANK, *BLANK))] == [
        "1red", "1black", "1blue", "1grey",
    ]  # fmt: skip


def test_gb9_who_is_removed_in_the_first_round_never_strikes() -> None:
    session = played(game(setup(defender=unit(health=2))), "dd", "-")
    assert facts_of(session).back_hits == 0
    assert len(rolls(session)) == 2


def test_gb9_lost_health_takes_no_dice() -> None:
    made = setup(defender=unit(attack=("yellow", "yellow")))
    assert rolls(played(game(made), "dd", "-", "-", "-", "-"))[2][2] == "2yellow"


# -- symbols ---------------------------------------------------------------------------------


def test_gb12_advantage_over_a_type_or_a_class() -> None:
    lancer = unit(name="lancer", advantage_over=("horse",))
    assert fought(setup(lancer, unit(kinds=("horse",))), "b", "-", *BLANK)["hits"] == 1
    assert fought(setup(lancer, unit(kinds=("foot",))), "b", "-", *BLANK)["hits"] == 0


def test_gb12_the_log_tells_what_gives_advantage() -> None:
    lancer = unit(name="lancer", advantage_over=("horse",))
    session = asked(game(setup(lancer, unit(kinds=("horse",)))), ("db",))
    assert line(session, "roll_attack").says == (
        "lancer, with Advantage (over horse): 1 Damage, 1 Bonus Damage."
    )


def test_gb13_v2_a_shield_cancels_one_damage() -> None:
    assert fought(setup(), "dd", "s", *BLANK)["hits"] == 1


def test_gb14_v5_damage_and_bonus_less_shields() -> None:  # S-3, S-4
    assert fought(setup(attacker_advantage="granted"), "db", "s", *BLANK)["hits"] == 1
    assert fought(setup(), "db", "s", *BLANK)["hits"] == 0


def test_gb14_everything_is_summed_before_shields_come_off() -> None:
    made = setup(unit(attack=("red", "yellow")), unit(defence=("brown", "black")))
    assert fought(made, "ddd", "-", "ss", "-", *BLANK)["hits"] == 1


def test_gb14_the_log_leaves_out_what_comes_to_nothing() -> None:
    """One Damage, no Bonus Damage without Advantage, no Shield: nothing to add."""
    (total,) = line(asked(game(setup()), ("d",), ("-",)), "count_hits").totals
    assert (total.value, total.terms) == (1, ())
    (shielded,) = line(asked(game(setup()), ("d",), ("s",)), "count_hits").totals
    assert [(row.label, row.value) for row in shielded.terms] == [("Shields rolled", -1)]


def test_gb15_the_log_tells_where_the_sum_is_held() -> None:
    made = setup(defender=unit(defence=("brown", "grey")))
    session = asked(game(made), ("dd",), ("s", "ss"))
    (total,) = line(session, "count_hits").totals
    assert (total.value, total.capped, total.uncapped) == (0, -2, -3)
    assert "modifiers of -3 count as -2 (GB-15)" in total.lines()


@pytest.mark.parametrize(("health", "left"), [(1, 0), (2, 0), (3, 1), (4, 2)])
def test_gb16_each_hit_takes_a_point(health: int, left: int) -> None:
    faces = ("dd", "-", *BLANK) if left else ("dd", "-")
    assert fought(setup(defender=unit(health=health)), *faces)["health"] == left


# -- pools -----------------------------------------------------------------------------------


def test_gb18_attack_dice_are_the_units_own() -> None:
    with pytest.raises(SetupError, match=r"no attack dice; give at least one \(GB-18\)"):
        unit(attack=())
    for entry in roster(SYSTEM)["units"].values():
        assert len(entry["attack"]) == 1  # type: ignore[arg-type]  # a list


def test_gb19_defence_dice_are_the_units_own() -> None:
    made = setup(defender=unit(defence=("black", "brown", "brown")))
    assert str(question(asked(game(made), ("d",))).dice) == "1black+2brown"


def test_gb20_light_cavalry_rolls_yellow_and_brown() -> None:  # S-1, S-2
    loaded = load_raw(SYSTEM, {"attacker": "light_cav", "defender": "light_cav"}, "pair")
    session = Session(loaded.game)
    assert str(question(session).dice) == "1yellow"
    assert str(question(session.answer(("d",))).dice) == "1brown"


# -- several attacks on one unit -------------------------------------------------------------


def test_gb46_followers_attack_one_after_the_other() -> None:
    made = setup(followers=(unit(health=1), BOW))
    done = fought(made, "d", "-", "d", "-", "-", "-", "d", "-", "d", "-", *BLANK)
    assert (done["hits"], done["health"], done["back_hits"]) == (2, 1, 2)
    assert (done["attackers_removed"], done["attacker_health"]) == (1, 3)


def test_gb46_no_further_attack_on_a_unit_that_is_removed() -> None:
    done = fought(setup(defender=unit(health=1), followers=(UNIT, UNIT)), "d", "-")
    assert (done["removed"], done["hits"]) == (True, 1)


def test_gb46_a_follower_must_be_able_to_attack_as_well() -> None:
    with pytest.raises(SetupError, match="Rider can't attack from there: melee"):
        game(setup(BOW, followers=(UNIT,), distance_hexes=3))


def test_gb46_one_without_a_name_is_called_the_attacker_in_a_refusal() -> None:
    with pytest.raises(SetupError, match=r"^attacker: the attacker can't attack from there: melee"):
        game(setup(unit(name=""), distance_hexes=2))


# -- exact odds ------------------------------------------------------------------------------


def pair(**changes: object) -> dict[str, object]:
    return {"attacker": "light_cav", "defender": "light_cav", **changes}


def test_gb6_g13_a_whole_combat_of_light_cavalry() -> None:
    made = load_raw(SYSTEM, pair(), "g13").game
    assert joint(made, "attacker_health", "health") == {
        (3, 3): Fraction(4, 9), (3, 2): Fraction(2, 9), (2, 3): Fraction(2, 9),
        (2, 2): Fraction(1, 9),
    }  # fmt: skip


def test_gb6_g14_the_same_against_a_last_point() -> None:
    weak = {"like": "light_cav", "health": 1}
    made = load_raw(SYSTEM, pair(defender=weak), "g14").game
    assert joint(made, "attacker_health", "health") == {
        (3, 0): Fraction(1, 3), (3, 1): Fraction(4, 9), (2, 1): Fraction(2, 9),
    }  # fmt: skip


def test_gb14_g17_three_attacks_in_a_row() -> None:
    made = load_raw(SYSTEM, pair(followers=["light_cav"] * 2), "g17").game
    assert joint(made, "health") == {
        (0,): Fraction(1, 27), (1,): Fraction(2, 9), (2,): Fraction(4, 9), (3,): Fraction(8, 27),
    }  # fmt: skip


def test_gb1_a_game_has_the_same_combats() -> None:
    made = game(duel("0000", "0100", rounds=1))
    session = asked(made, "stay", "rider-on-rider")
    assert (question(session).actor, str(question(session).dice)) == ("one", "1yellow")
    session = session.answer(("d",))
    assert (question(session).actor, question(session).ask) == ("other", "defense dice")
    session = session.answer(("-",))
    assert (question(session).actor, question(session).ask) == ("other", "Battle Back, attack dice")
    session = session.answer(("d",))
    assert (question(session).actor, question(session).ask) == ("one", "Battle Back, defense dice")
