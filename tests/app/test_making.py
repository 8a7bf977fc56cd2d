"""A fighter made step by step: questions in the sheet's order, undo, values at once."""

from __future__ import annotations

import contextlib
import random
from fractions import Fraction
from typing import Any

import pytest

from affray.app.first_attacks import first_attacks, foe_named, made_view
from affray.app.inputs.rosters import roster_for
from affray.app.inputs.typed import read
from affray.app.making import Making, begin_making
from affray.app.registry import system_named
from affray.app.sources import Table
from affray.core.errors import AnswerError, UnknownNameError
from tests.scenarios import SHIPPED


def made(system: str, *answers: str, own: Table | None = None) -> Making:
    making = begin_making(system, [] if own is None else [own])
    for text in answers:
        making = making.answered(text)
    return making


def step_of(making: Making) -> Any:
    """The question that is open; there is one."""
    assert making.step is not None
    return making.step


def asked_for(making: Making, ask: str) -> Making:
    """The fighter with all as usual up to the question that begins so."""
    while not (step_of(making).ask.startswith(ask) or any(
        line.startswith(ask) for line in step_of(making).lines
    )):  # fmt: skip
        making = making.answered("")
    return making


# -- the order of questions ----------------------------------------------------------------------


def test_the_name_comes_first_and_has_to_be_said() -> None:
    making = made("eclipse-phase")
    assert (step_of(making).ask, step_of(making).usual) == ("Name", None)
    with pytest.raises(AnswerError, match="has to be said"):
        making.answered("")
    with pytest.raises(AnswerError, match="letters or digits"):
        making.answered("?!")


def test_groups_come_in_the_order_of_the_sheet() -> None:
    making, groups = made("eclipse-phase", "Vex"), []
    while making.step is not None:
        groups.append(making.step.group)
        making = making.answered("")
    seen = list(dict.fromkeys(groups))
    assert seen[:5] == ["Who", "Aptitudes", "Skills", "Pools", "Health"]
    assert "Origin" not in seen  # what no rule reads isn't asked for


@pytest.mark.parametrize("system", ["affinity", "eclipse-phase", "emlia", "empty-earth"])
def test_a_name_and_enter_are_enough(system: str) -> None:
    making = made(system, "Vex").as_usual()
    assert making.step is None
    assert making.table == {"name": "Vex"}


def test_what_has_no_usual_value_is_asked_by_itself() -> None:
    making = made("grid-battles", "Rider", "red, blue").as_usual()
    assert step_of(making).ask == "Health"
    assert making.answered("3").table == {"name": "Rider", "attack": ["red", "blue"], "health": 3}


# -- values --------------------------------------------------------------------------------------


def test_values_of_a_group_are_typed_at_once() -> None:
    making = asked_for(made("eclipse-phase", "Vex"), "Skills").answered("fray 60, Guns=70")
    making = making.as_usual()
    assert making.table == {"name": "Vex", "fray": 60, "guns": 70}


def test_entries_of_a_list_follow_each_other_among_other_values() -> None:
    making = asked_for(made("eclipse-phase", "Vex"), "Health")
    making = making.answered("traits and ware medichines, bad luck, durability 40")
    making = making.as_usual()
    assert making.table == {
        "name": "Vex", "durability": 40, "qualities": ["medichines", "bad_luck"]
    }  # fmt: skip


def test_yes_asks_one_by_one_and_enter_leaves_what_is_usual() -> None:
    making = asked_for(made("eclipse-phase", "Vex"), "Aptitudes").answered("yes")
    assert (step_of(making).ask, step_of(making).usual) == ("COG", "15")
    making = making.answered("").answered("20").as_usual()
    assert making.table == {"name": "Vex", "intuition": 20}


@pytest.mark.parametrize(("text", "why"), [
    ("fray 201", "Fray: '201'; allowed: 200 or less"),
    ("fray much", "Fray: 'much'; allowed: a whole number"),
    ("fry 20", "Did you mean 'Fray'"),
    ("exotic skills 20", "type yes"),
])  # fmt: skip
def test_a_wrong_value_gets_one_message_and_changes_nothing(text: str, why: str) -> None:
    making = asked_for(made("eclipse-phase", "Vex"), "Skills")
    with pytest.raises(AnswerError, match=why):
        making.answered(text)
    assert step_of(making).group == "Skills"


def test_weapons_are_named_as_in_the_roster() -> None:
    making = asked_for(made("eclipse-phase", "Vex"), "Weapons")
    with pytest.raises(AnswerError, match="Did you mean 'medium pistol'"):
        making.answered("medium pistl")
    making = making.answered("Medium Pistol, club").as_usual()
    assert making.table["weapons"] == ["medium_pistol", "club"]


def test_sheets_within_a_sheet_are_asked_until_there_are_no_more() -> None:
    making = asked_for(made("emlia", "Spears"), "Skills and weapons").answered("yes")
    for text in ("yes", "close_combat", "6", "diminish 1/2", "", ""):
        making = making.answered(text)
    making = making.as_usual()
    assert making.table["skills"] == [{"skill": "close_combat", "level": 6, "diminish": "1/2"}]


def test_a_name_within_a_sheet_may_be_any() -> None:
    own = Table({"fighters": {"zap": {"name": "Zap"}}})
    making = asked_for(made("empty-earth", "Ada II", own=own), "Attacks: ").answered("yes")
    assert step_of(making).ask == "Abilities: add one?"
    making = making.answered("yes").answered("Zap").answered("yes")
    assert step_of(making).lines[0].startswith("Cubes:")  # the cost comes first
    for text in ("red 1", "", "", "", "damage 2"):
        making = making.answered(text)
    making = making.as_usual()
    assert making.table["abilities"] == [{"name": "Zap", "cost": {"red": 1}, "damage": 2}]


def test_a_fault_of_a_whole_group_asks_the_group_again() -> None:
    making = asked_for(made("affinity", "Vex"), "Resolve").answered("resolve 7")
    step = step_of(making)
    assert step.wrong
    assert "resolve 7; allowed: at most resolve_max 5" in step.lines[0]
    making = making.answered("resolve at most 8").as_usual()
    assert making.table == {"name": "Vex", "resolve": 7, "resolve_max": 8}


def test_what_is_left_wrong_may_be_put_right_in_another_group() -> None:
    """A printed exertion belongs to printed pools, which stand in the actions further down."""
    own = Table({"actions": {"bite": {"name": "bite", "pool": 4, "required": 1, "base": 2}}})
    making = asked_for(made("affinity", "Vex", own=own), "Who").answered("printed exertion 3")
    assert "allowed: for stat blocks" in step_of(making).lines[0]
    making = asked_for(making.answered(""), "Actions (names").answered("bite")
    while making.step is not None:
        assert not making.step.wrong
        making = making.answered("")
    assert making.table["exertion"] == 3


def test_nobody_is_finished_who_is_wrong() -> None:
    making = asked_for(made("affinity", "Vex"), "Who").answered("printed exertion 3").answered("")
    while not step_of(making).wrong:
        making = making.answered("")
    assert step_of(making).ask == "Name"
    assert "allowed: for stat blocks" in step_of(making).lines[0]


def test_the_rest_as_usual_stops_where_something_is_wrong() -> None:
    making = asked_for(made("affinity", "Vex"), "Resolve").answered("resolve 7")
    assert step_of(making.as_usual()).wrong


# -- back and forth ------------------------------------------------------------------------------


def test_undo_leaves_the_last_answer_out() -> None:
    before = asked_for(made("eclipse-phase", "Vex"), "Skills")
    after = before.answered("guns 70")
    assert after.undone() == before
    assert after.as_usual().undone() == after
    assert made("eclipse-phase").undone().answers == ()


def test_answers_after_all_else_was_left_as_usual_stand_where_they_belong() -> None:
    making = made("grid-battles", "Rider").as_usual().answered("red, blue").answered("3")
    assert making.step is None
    assert making.table == {"name": "Rider", "attack": ["red", "blue"], "health": 3}
    assert making.undone().answers == ("Rider",)


WORDS = (
    "", "", "", "no", "yes", "5", "-1", "200", "1/2", "none", "-", "a, b", "club", "red, blue",
    "close_combat", "3, -1.5", "1D6", "resolve 7", "level 3", "fray 60", "9" * 40, "true", "=",
    "medichines, medichines", "damage 2", ",", "printed exertion 3",
)  # fmt: skip


@pytest.mark.parametrize("system", SHIPPED)
def test_whatever_is_typed_is_taken_or_refused(system: str) -> None:
    rolls = random.Random(36)
    for _ in range(6):
        making = made(system, "Vex")
        for _ in range(50):
            if making.step is None:
                break
            text = rolls.choice((*WORDS, "undo", "done"))
            if text in {"undo", "done"}:
                making = making.as_usual() if text == "done" else making.undone()
                continue
            with contextlib.suppress(AnswerError):
                making = making.answered(text)


def test_a_key_of_the_file_is_taken() -> None:
    own = Table({"fighters": {"vex": {"like": "jinx"}}})
    with pytest.raises(AnswerError, match="stands in the file already"):
        made("eclipse-phase", "Vex", own=own)


# -- what it is worth ----------------------------------------------------------------------------


def test_an_attack_each_way_is_priced() -> None:
    """One die of four sides against 3: a hit on a 4 alone, for 2 damage."""
    system = system_named("empty-earth")
    blade = {"name": "Blade", "dice": "1D4", "damage": 2}
    own = Table({
        "weapons": {"blade": blade},
        "fighters": {
            "bo": {"name": "Bo", "attacks": ["blade"], "phys_def": 3},
            "cy": {"name": "Cy", "attacks": ["blade"], "phys_def": 2},
        },
    })  # fmt: skip
    there, back = first_attacks(roster_for(system, {}, "", own=[own]), "cy", "bo")
    assert (there.attacker, there.mean, there.p_some) == ("Cy", Fraction(1, 2), Fraction(1, 4))
    assert (back.attacker, back.mean, back.p_some) == ("Bo", Fraction(1), Fraction(1, 2))


def test_who_has_no_weapon_is_told_so() -> None:
    view = made_view(system_named("eclipse-phase"), "fighters", "vex", {"name": "Vex"}, "exhuman")
    assert view.attacks[0].refused == "no weapon is given and 'Vex' has none; add 'weapon'"
    assert view.attacks[1].mean is not None


def test_a_distance_that_is_assumed_is_said() -> None:
    entry: dict[str, object] = {"name": "Vex", "guns": 50, "weapons": ["medium_pistol"]}
    view = made_view(system_named("eclipse-phase"), "fighters", "vex", entry, "exhuman")
    assert view.attacks[0].situation == "distance 10 meters"


def test_an_unknown_foe_is_refused() -> None:
    assert foe_named(system_named("eclipse-phase"), "Corp Guard") == "corp_guard"
    with pytest.raises(UnknownNameError, match="Did you mean 'ripper'"):
        foe_named(system_named("eclipse-phase"), "riper")


@pytest.mark.parametrize("system", SHIPPED)
def test_every_system_has_a_foe(system: str) -> None:
    assert foe_named(system_named(system))


# -- what is typed -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hint", "text", "value"), [
    (int, "-3", -3), (float, "1.5", 1.5), (int | None, "-", None), (bool, "yes", True),
    (tuple[float, ...], "3, -1.5", [3, -1.5]), (tuple[str, ...], "none", []),
    (int | str, "1/2", "1/2"), (int | str, "2", 2),
])  # fmt: skip
def test_values_are_read_as_they_are_meant(hint: object, text: str, value: object) -> None:
    assert read(hint, text) == value


@pytest.mark.parametrize(("hint", "text"), [
    (int, "1.5"), (int, "--3"), (int, "1e3"), (float, "."), (bool, "maybe"), (int, "9" * 20),
])  # fmt: skip
def test_what_is_no_value_is_refused(hint: object, text: str) -> None:
    with pytest.raises(AnswerError, match="allowed"):
        read(hint, text)
