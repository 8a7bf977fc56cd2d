"""Bonus dice and bonus symbols of terrain."""

import pytest

from affray.core.errors import SetupError
from affray.engine.exchange.session import Session
from affray.systems.grid_battles.sheet import Bonus, Terrain

from .factory import HILL, WOODS, asked, fought, game, giving, line, question, setup, unit

BLANK = ("-", "-")
RIDGE, CAMP = giving("damage"), giving("bonus_damage")
TOWER, THICKET = giving("attack_die", colour="blue"), giving("defence_die", colour="grey")


def test_gb21_terrain_may_help_either_side_or_both() -> None:
    assert fought(setup(), "-", "-", *BLANK)["hits"] == 0
    assert fought(setup(attacker_terrain=RIDGE), "-", "-", *BLANK)["hits"] == 1
    assert (
        fought(setup(attacker_terrain=RIDGE, defender_terrain=HILL), "-", "-", *BLANK)["hits"] == 0
    )


def test_gb22_a_bonus_die_is_rolled_with_the_others() -> None:
    session = Session(game(setup(attacker_terrain=TOWER)))
    assert str(question(session).dice) == "1yellow+1blue"
    session = session.answer(("d", "d"))
    (total,) = line(session, "roll_attack").totals
    assert [str(term) for term in total.terms] == ["+1 blue die of place (GB-24)"]
    assert total.value == 2


def test_gb23_v8_a_bonus_symbol_counts_as_if_rolled() -> None:
    done = fought(setup(attacker_terrain=RIDGE), "-", "-", *BLANK)
    assert (done["hits"], done["health"]) == (1, 2)
    assert fought(setup(attacker_terrain=RIDGE), "-", "s", *BLANK)["hits"] == 0


def test_gb24_v13_an_attack_die_is_for_the_round_attacker() -> None:
    made = setup(attacker_terrain=TOWER, defender=unit(health=4))
    done = fought(made, "d", "dd", "s", *BLANK)
    assert (done["hits"], done["health"]) == (2, 2)


def test_gb25_v25_woods_give_nothing_in_battle_back() -> None:
    session = asked(game(setup(defender_terrain=WOODS)), ("d",))
    assert str(question(session).dice) == "2brown"
    session = session.answer(("-", "s"))
    assert str(question(session).dice) == "1yellow"
    assert str(question(session.answer(("d",))).dice) == "1brown"


def test_gb26_v8_damage_is_for_the_round_attacker() -> None:
    session = asked(game(setup(attacker_terrain=RIDGE)), ("-",), ("-",))
    (total,) = line(session, "count_hits").totals
    assert [str(term) for term in total.terms] == ["+1 Damage of place (GB-26)"]


@pytest.mark.parametrize(
    ("say", "told", "worth"),
    [("rules", [], 1), ("granted", ["+1 Bonus Damage of place (GB-27)"], 2)],
)
def test_gb27_the_log_adds_up_only_what_counts(say: str, told: list[str], worth: int) -> None:
    made = setup(attacker_terrain=CAMP, attacker_advantage=say)
    (total,) = line(asked(game(made), ("d",), ("-",)), "count_hits").totals
    assert [str(term) for term in total.terms] == told
    assert total.value == worth


def test_gb28_a_shield_is_for_the_round_defender() -> None:
    assert fought(setup(defender_terrain=HILL), "d", "-", *BLANK)["hits"] == 0
    assert fought(setup(attacker_terrain=HILL), "d", "-", *BLANK)["hits"] == 1


def test_gb29_bonuses_are_worked_out_anew_for_battle_back() -> None:
    """Attacker on a ridge: its Damage counts in the first round, not for the defender's."""
    done = fought(setup(attacker_terrain=RIDGE), "-", "-", "-", "-")
    assert (done["hits"], done["back_hits"]) == (1, 0)
    done = fought(setup(defender_terrain=RIDGE), "-", "-", "-", "-")
    assert (done["hits"], done["back_hits"]) == (0, 1)
    done = fought(setup(attacker_terrain=HILL), "-", "-", "d", "-")
    assert done["back_hits"] == 0  # the hill's Shield is now the Round Defender's


@pytest.mark.parametrize(("whose", "hits"), [("own", 0), ("enemy", 1)])
def test_gb29_a_bonus_says_whose_hex_counts(whose: str, hits: int) -> None:
    swamp = giving("damage", whose=whose)
    assert fought(setup(defender_terrain=swamp), "-", "-", *BLANK)["hits"] == hits


def test_gb21_bonuses_of_several_kinds_and_numbers() -> None:
    keep = Terrain(
        name="keep",
        bonuses=(Bonus(kind="shield", count=2), Bonus(kind="defence_die", colour="black")),
    )
    session = asked(game(setup(unit(attack=("red",)), defender_terrain=keep)), ("ddd",))
    assert str(question(session).dice) == "1brown+1black"
    session = session.answer(("-", "-"))
    assert line(session, "count_hits").totals[0].value == 1


@pytest.mark.parametrize(
    ("kind", "colour", "words"),
    [
        ("attack_die", "", "'' is no attack die; allowed: yellow, blue, red"),
        ("attack_die", "brown", "'brown' is no attack die"),
        ("defence_die", "red", "'red' is no defense die"),
        ("shield", "grey", "only dice have one"),
    ],
)
def test_gb21_bonus_dice_have_a_colour_of_their_kind(kind: str, colour: str, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        giving(kind, colour=colour)
