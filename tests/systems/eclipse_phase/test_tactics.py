"""The rule of thumb for a whole turn: attack when it is free, close in when it isn't."""

from __future__ import annotations

from typing import Any

import pytest

from affray.app.exchange_computers import computer_rolls
from affray.app.fight import Fight
from affray.app.rolling import Roll
from affray.engine.budget import Budget
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Combatant

from .factory import BLADE, pistol, shooter
from .test_economy import begun, choice_at, enter, place_of

BOW = pistol(name="bow", modes=("single",))
RIFLE = pistol(name="rifle", modes=("semi", "burst"))
ARCHER, GUNNER = shooter(weapons=(BOW,)), shooter(weapons=(RIFLE,))
FENCER = shooter(weapons=(BLADE,))


@pytest.mark.parametrize(
    ("who", "step", "situation", "expected"),
    [
        (ARCHER, "choose_move", {"distance_m": 14}, "stay"),
        (FENCER, "choose_move", {"distance_m": 14}, "charge"),
        (FENCER, "choose_move", {"distance_m": 90}, "run"),
        (ARCHER, "choose_action", {"distance_m": 14}, "attack"),
        (FENCER, "choose_action", {"distance_m": 2}, "attack"),
        (ARCHER, "choose_quick", {"distance_m": 14}, "aim"),
        (GUNNER, "choose_quick", {"distance_m": 14}, "none"),
    ],
)  # fmt: skip
def test_who_can_attack_does_and_who_can_not_closes_in(
    who: Combatant, step: str, situation: dict[str, Any], expected: str
) -> None:
    at = begun(who, **situation)
    likes = FIGHT.rule_of_thumb(place_of(at, step, {}), choice_at(at, step, {}))
    ranked = zip(likes, choice_at(at, step, {}).options, strict=True)
    assert max(ranked, key=lambda one: one[0])[1].name == expected


def test_who_lies_on_the_ground_stands_up_first() -> None:
    at = begun(GUNNER, enter(GUNNER, prone=True))
    choice = choice_at(at, "choose_quick", {})
    likes = FIGHT.rule_of_thumb(place_of(at, "choose_quick", {}), choice)
    assert choice.options[likes.index(max(likes))].name == "stand"


@pytest.mark.parametrize("names", [("corp_guard", "ripper"), ("jinx", "exhuman")])
def test_computers_play_whole_turns_to_an_end(names: tuple[str, str]) -> None:
    """Most of them attacks; nobody who shoots runs away for ever."""
    fight, dice = Fight.begin("eclipse-phase", names), computer_rolls(4)
    while (question := fight.asked) is not None:
        if question.dice is None:
            fight = fight.answer(fight.decides("", Budget(places=300, battles=12), seed=4))
        else:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
    assert fight.verdict in {"one", "other"}
    turns = [event for event in fight.session.log if event.kind == "exchange"]
    steps = [
        {one.at.step.name for one in turn.session.steps_taken} for turn in turns if turn.session
    ]
    assert sum("settle_numbers" in met for met in steps) > len(turns) / 2
