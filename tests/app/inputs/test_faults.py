"""Errors as data: every fault of a table at once, each with the place where it was written."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from affray.app.fight import Fight
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_setups import read_fight
from affray.app.inputs.setups import load, load_table
from affray.app.play import PlayedGame
from affray.app.registry import system_named
from affray.app.sources import Changes, Shipped, Table
from affray.core.errors import AffrayError, AnswerError, Fault


def faults_of(system: str, raw: Mapping[str, object], **more: object) -> tuple[Fault, ...]:
    """The faults of a setup."""
    with pytest.raises(AffrayError) as refused:
        load(system, Table(raw), **more)  # type: ignore[arg-type]  # as the test says
    return refused.value.faults


def test_everything_that_is_wrong_with_a_setup_is_told_at_once() -> None:
    raw = {
        "attacker": {"like": "figther"},
        "defender": {"like": "squire", "hd": -1, "armour": 2, "resist": ["fire", "magic"]},
        "title": 3,
        "choose": {"attak": "x", "defend": []},
        "rulings": {"no-such": "x", "death": "never", "shield": 3},
        "play": {"dice": [1, 2.5], "dize": []},
        "notes": [],
        "vectors": [1],
        "shows": {"death": 1},
        "nonsense": 1,
    }
    found = faults_of("affinity", raw, choose={"no_step": ("x",)}, rulings={"nothing": "x"})
    assert {(fault.where, fault.code) for fault in found if fault.origin == "table"} == {
        ("/attacker/like", "unknown-name"),
        ("/defender/hd", "out-of-range"),
        ("/defender/armour", "unknown-key"),
        ("/defender/resist/1", "unknown-word"),
        ("/title", "wrong-kind"),
        ("/choose/attak", "unknown-name"),
        ("/choose/defend", "wrong-kind"),
        ("/rulings/no-such", "unknown-name"),
        ("/rulings/death", "unknown-name"),
        ("/rulings/shield", "wrong-kind"),
        ("/play/dice/1", "wrong-kind"),
        ("/play/dize", "unknown-key"),
        ("/notes", "wrong-kind"),
        ("/vectors", "wrong-kind"),
        ("/shows/death", "wrong-kind"),
        ("/nonsense", "unknown-key"),
    }
    assert [(fault.where, fault.origin) for fault in found if fault.origin != "table"] == [
        ("/rulings/nothing", "changes"), ("/settle/no_step", "changes"),
    ]  # fmt: skip


def test_a_fault_says_what_was_given_what_is_allowed_and_the_nearest_name() -> None:
    raw = {"attacker": {"like": "fighter", "hd": -1}, "defender": "squir"}
    first, second = faults_of("affinity", raw)
    assert (first.where, first.given, first.nearest) == ("/defender", "squir", "squire")
    assert "squire" in first.allowed.split(", ")
    assert (second.where, second.given, second.allowed) == ("/attacker/hd", -1, "0 or more")
    assert second.what == "-1 is not allowed here"


def test_what_is_missing_is_told_where_it_should_be() -> None:
    (fault,) = faults_of("affinity", {"attacker": "fighter"})
    assert (fault.where, fault.code, fault.given) == ("/defender", "missing", None)


def test_faults_of_own_roster_entries_point_into_the_roster() -> None:
    own = {"fighters": {"kit": {"like": "squire", "hd": -1}}}
    setup = {"attacker": "kit", "defender": "squire"}
    (inside,) = faults_of("affinity", {**setup, "roster": own})
    assert (inside.where, inside.origin) == ("/roster/fighters/kit/hd", "table")
    with pytest.raises(AffrayError) as refused:
        load_table(
            system_named("affinity"), Table(setup), Changes(roster=(Table(own, "own.toml"),))
        )
    (apart,) = refused.value.faults
    assert (apart.where, apart.origin) == ("/fighters/kit/hd", "own.toml")


def test_a_refusal_by_the_rules_is_a_fault_of_the_table() -> None:
    declared = {"attacker": "ada", "defender": "ada", "act": "revive"}
    (fault,) = faults_of("empty-earth", declared)
    assert fault.what.startswith("attacker: Ada can't revive themselves")
    assert (fault.code, fault.origin) == ("rules-refuse", "table")
    sheet = {"attacker": "fighter", "defender": "squire", "act": "close", "distance_yd": 5}
    (fault,) = faults_of("affinity", sheet)
    assert "act 'close' towards a foe at 5 yards" in fault.what
    assert (fault.code, fault.origin) == ("rules-refuse", "table")


def test_names_in_place_of_tables_are_pointed_at_themselves() -> None:
    raw = {"attacker": {"like": "fighter", "attack": "swrod"}, "defender": "squire"}
    (fault,) = faults_of("affinity", raw)
    assert fault.where == "/attacker/attack"


# -- fights --------------------------------------------------------------------------------------


def faults_of_fight(
    system: str, raw: Mapping[str, object], changes: FightChanges = FIGHT_AS_WRITTEN
) -> tuple[Fault, ...]:
    """The faults of a fight."""
    with pytest.raises(AffrayError) as refused:
        read_fight(system, Table(raw), changes)
    return refused.value.faults


def test_everything_that_is_wrong_with_a_fight_is_told_at_once() -> None:
    raw = {
        "one": {
            "fighters": ["figther", {"like": "fighter", "number": 0, "hd": -1}],
            "choose": {"attak": "x", "defend": []},
            "policy": "clever",
        },
        "other": {"fighters": ["squire"], "situation": {"difficult": 3}},
        "situation": {"distance_yd": -1, "nonsense": 1},
        "objective": "fame",
        "rounds": 0,
        "rulings": {"no-such": "x"},
        "asks": ["weather"],
    }
    changes = FightChanges(
        policies=("", "cleverer"), settle={"no_step": ("x",)}, rulings={"nothing": "x"},
        situation={"home_dice": [], "cover": "x"}, threshold=-1,
    )  # fmt: skip
    found = faults_of_fight("affinity", raw, changes)
    assert {(fault.where, fault.code) for fault in found if fault.origin == "table"} == {
        ("/one/fighters/0", "unknown-name"),
        ("/one/fighters/1/number", "out-of-range"),
        ("/one/fighters/1/hd", "out-of-range"),
        ("/one/choose/attak", "unknown-name"),
        ("/one/choose/defend", "missing"),
        ("/one/policy", "unknown-word"),
        ("/other/situation/difficult", "wrong-kind"),
        ("/situation/distance_yd", "out-of-range"),
        ("/situation/nonsense", "unknown-key"),
        ("/objective", "unknown-name"),
        ("/rounds", "out-of-range"),
        ("/rulings/no-such", "unknown-name"),
        ("/asks/0", "unknown-name"),
    }
    assert {(fault.where, fault.code) for fault in found if fault.origin == "changes"} == {
        ("/policies/1", "unknown-name"),
        ("/settle/no_step", "unknown-name"),
        ("/rulings/nothing", "unknown-name"),
        ("/situation/home_dice", "wrong-kind"),
        ("/situation/cover", "unknown-name"),
        ("/threshold", "out-of-range"),
    }
    assert len(found) == len(set(map(str, found)))


def test_sides_without_anybody_are_told_both() -> None:
    found = faults_of_fight("affinity", {"one": {"fighters": []}, "other": {"fighters": []}})
    assert [fault.where for fault in found] == ["/one/fighters", "/other/fighters"]


def test_names_of_both_sides_that_nobody_knows_are_told_together() -> None:
    with pytest.raises(AffrayError) as refused:
        read_fight("affinity", ("figther,squire", "3xsquir"))
    assert [(fault.where, fault.nearest) for fault in refused.value.faults] == [
        ("/one", "fighter"), ("/other", "squire"),
    ]  # fmt: skip


def test_values_that_no_file_could_hold_are_told_together() -> None:
    found = faults_of("affinity", {"a": float("nan"), "b": [1, 2**70], "c": "\0"})
    assert [fault.where for fault in found] == ["/a", "/b/1", "/c"]


# -- answers and hands ---------------------------------------------------------------------------


def test_an_answer_that_is_refused_says_what_is_on_offer() -> None:
    fight = Fight.begin("empty-earth", ("ada", "husk"))
    while (question := fight.session.question) is not None and (question.key or question.dice):
        first = question.options[0].name if question.options else "Ada"  # the scene, then a coin
        fight = fight.answer(first)
    assert question is not None
    with pytest.raises(AnswerError) as refused:
        fight.answer("fly")
    (fault,) = refused.value.faults
    assert (fault.where, fault.given, fault.code) == ("/option", "fly", "unknown-option")
    assert fault.allowed.split(", ") == [option.name for option in question.options]


def test_a_face_that_no_die_has_is_pointed_at() -> None:
    session = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")).session
    while session.question is not None and session.question.dice is None:
        session = session.answer(session.question.options[0].name)
    assert session.question is not None
    assert session.question.dice is not None
    dice = session.question.dice.dice
    faces = [*(die.faces[0] for die in dice[:-1]), 777]
    with pytest.raises(AnswerError) as refused:
        session.answer(faces)
    (fault,) = refused.value.faults
    assert (fault.given, fault.code, fault.origin) == (777, "no-face", "answer")
    assert fault.where == f"/faces/{len(dice) - 1}"
    with pytest.raises(AnswerError) as refused:
        session.answer([1] * 9)
    assert [(f.where, f.code) for f in refused.value.faults] == [("/faces", "number-of-faces")]


@pytest.mark.parametrize(
    ("what", "values", "where"),
    [
        ("leave", {"fighter": "Nobody"}, "/fighter"),
        ("leave", {}, "/fighter"),
        ("leave", {"fighter": "Ada", "now": 1}, "/now"),
        ("order", {"order": ["Ada", "Nobody"]}, "/order/1"),
        ("enter", {"side": "one", "fighter": "nobdy"}, "/fighter"),
        ("enter", {"side": "one", "fighter": {"like": "ada", "nonsense": 1}}, "/fighter/nonsense"),
        ("situation", {"side": "one", "key": "nonsense", "value": 1}, "/key"),
        ("situation", {"side": "third", "key": "distance_zones", "value": 1}, "/side"),
        ("end", {"verdict": "maybe"}, "/verdict"),
    ],
)
def test_faults_of_hands_point_into_the_hand(
    what: str, values: dict[str, object], where: str
) -> None:
    with pytest.raises(AffrayError) as refused:
        Fight.begin("empty-earth", ("ada", "husk")).hand(what, **values)
    assert [(fault.where, fault.origin) for fault in refused.value.faults] == [(where, "hand")]


def test_a_value_of_a_situation_that_does_not_fit_is_pointed_at() -> None:
    with pytest.raises(AffrayError) as refused:
        Fight.begin("affinity", ("fighter", "squire")).hand(
            "situation", side="both", key="distance_yd", value=-1
        )
    assert {(f.where, f.given, f.origin) for f in refused.value.faults} == {("/value", -1, "hand")}
