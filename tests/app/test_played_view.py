"""A fight in play as somebody sees it who has a role in it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from affray.app.fight import Fight
from affray.app.inputs.fight_setups import LoadedFight
from affray.core.fight import Fight as Fighting
from affray.core.fight import Scene
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.played.session import FightSession
from tests.engine.exchange.test_sealed import Feint, feinting, take_aim
from tests.fight_systems import Fighter, Setup


class Body(NamedTuple):
    """Points left."""

    hp: int


def declare(scene: Scene[Any, Any]) -> At[Feint]:
    return At(take_aim, Feint())


FIGHT: Fighting[Any, Any, Any, Any, Any] = Fighting(
    enter=lambda sheet, rulings: Body(sheet.hp),
    declare=declare,
    effect=lambda outcome, role: int(outcome.blow != outcome.guard and role == "target"),
    apply=lambda sheet, body, lost: Body(max(0, body.hp - lost)),
    is_out=lambda sheet, body: body.hp <= 0,
    vitals=lambda sheet, body: body.hp,
    harm=lambda lost: lost,
)


def begun() -> Fight:
    """A fight of two who strike and guard high or low, under cover."""
    system = feinting(fight=FIGHT)
    one, other = Fighter("Ann", 3), Fighter("Ben", 3)
    sides = Side("Ann", (one,), Setup(one, other)), Side("Ben", (other,), Setup(other, one))
    contest = Contest(system, sides, Rulings(), first="one")
    loaded = LoadedFight(contest, ("first", "first"), ("weakest", "weakest"), None, "", "test", {})
    fight = Fight("toy", {})
    vars(fight).update(loaded=loaded, session=FightSession(contest))
    return fight.answer("attack: Ben").answer("calm")


def told(fight: Fight, role: str) -> list[str]:
    return [line.option or line.says for line in fight.view(role).exchange]


@pytest.mark.parametrize("role", ["all", "one", "other"])
def test_a_sealed_question_shows_its_options_to_those_who_answer_it(role: str) -> None:
    question = begun().view(role).question
    assert question is not None
    assert (question.fighter, question.side, question.ask) == ("Ann", "one", "where?")
    names = [option.name for option in question.options]
    assert names == ([] if role == "other" else ["high", "low"])


def test_what_one_has_sealed_the_other_sees_when_both_have_decided() -> None:
    struck = begun().answer("low")
    for role in ("all", "one"):
        assert told(struck, role) == ["calm", "low", "Noted: low."]
        assert struck.view(role).picture == "blow low, guard ?"
    assert told(struck, "other") == ["calm", "(decided, not shown yet)"]
    assert struck.view("other").picture == "blow ?, guard ?"
    guarded = struck.answer("high")
    for role in ("all", "one", "other"):
        assert told(guarded, role) == ["calm", "low", "Noted: low.", "high"]
        assert guarded.view(role).picture == "blow low, guard high"


def test_what_happens_between_exchanges_is_the_same_for_everybody() -> None:
    fight = begun().answer("low").answer("high").answer([3])
    views = [fight.view(role) for role in ("one", "other")]
    assert views[0].events == views[1].events
    assert views[0].fighters == views[1].fighters
    assert [row.told[0].now for row in views[0].fighters] == [3, 2]


def test_what_befalls_fighters_between_turns_stands_among_them() -> None:
    """At count 12: the squire rolled less, the novice more."""
    fight = Fight.begin("affinity", "lair").answer("5").answer([1, 2, 3]).answer([6, 5, 4])
    rows = [(turn.name, turn.side, turn.state) for turn in fight.view().turns]
    assert rows == [
        ("Novice", "other", "now"),
        ("suffer falling stones", "", "next"),
        ("Squire", "one", "next"),
    ]
    stoned = fight.answer("pass")
    states = [(turn.name, turn.state) for turn in stoned.view().turns]
    assert states == [("Novice", "done"), ("suffer falling stones", "now"), ("Squire", "next")]


# -- how it ended --------------------------------------------------------------------------------


def ended(system: str, fight: tuple[str, str], verdict: str, *gone: str) -> str:
    played = Fight.begin(system, fight)
    while played.question is not None and played.question.kind == "situation":
        played = played.answer(played.question.usual)
    for name in gone:
        played = played.hand("leave", fighter=name)
    return (played if played.verdict else played.hand("end", verdict=verdict)).view().ending


def test_nobody_is_left_standing_only_when_nobody_is() -> None:
    two = ("ada,bo", "2xhusk")
    assert ended("empty-earth", two, "drawn") == (
        "Round 1: the fight ends in a draw. Ada, Bo: 2 of 2 standing, 22 points left; "
        "2 x Husk: 2 of 2 standing, 6 points left."
    )
    assert ended("empty-earth", two, "ended", "Ada", "Husk 2") == (
        "Round 1: the Stage ends (EE-52). Nobody has won. Ada, Bo: 1 of 2 standing, "
        "12 points left; 2 x Husk: 1 of 2 standing, 3 points left."
    )
    assert ended("empty-earth", two, "", "Ada", "Bo") == "It is over after round 1: 2 x Husk won."
    units = ("light_cav", "knight")
    assert "Round 1: the fight ends by rule. Nobody has won." in ended(
        "grid-battles", units, "ended"
    )
