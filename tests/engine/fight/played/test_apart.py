"""What stands apart from an exchange at "what now?": universal actions, and Zones to move to."""

from __future__ import annotations

import json

import pytest

from affray.app.fight import Fight
from affray.app.inputs.fight_changes import FightChanges
from affray.core.errors import AnswerError
from affray.engine.fight.played.deeds import called_in, done_to
from affray.engine.fight.played.matters import NO_MORE
from affray.engine.fight.played.position import Exchange

FIRST = FightChanges(first="one")


def options(fight: Fight) -> list[str]:
    assert fight.question is not None
    return [option.name for option in fight.question.options]


def affinity() -> Fight:
    return Fight.begin("affinity", ("champion", "2xnovice"), FIRST).answer("5")


def on_the_farm() -> Fight:
    return Fight.begin("empty-earth", "on-the-farm")


def test_af43_universal_actions_stand_beside_the_attack_once() -> None:
    assert options(affinity()) == ["attack: Novice 1", "attack: Novice 2", "defend", "rush", "pass"]


def test_af40_defend_is_one_answer_without_a_target_or_a_question_about_the_scene() -> None:
    fight = affinity().answer("defend")
    assert fight.moves[-1].option == "defend"  # type: ignore[union-attr]
    event = next(event for event in fight.session.log if event.kind == "exchange")
    assert called_in(fight.session.position, event) == ("defend", event.fighter)
    condition = fight.session.position.conditions[0][0]
    assert condition.now.defending  # type: ignore[attr-defined]
    assert "defend" not in options(fight), "it lasts already"


def test_af1_in_the_attack_only_attacks_are_left() -> None:
    fight = affinity().answer("attack: Novice 1")
    while fight.question is not None and fight.question.kind == "situation":
        fight = fight.answer(options(fight)[0])
    assert options(fight) == ["long blade", "cleave"]
    assert fight.habitual is None


def test_what_stands_apart_can_be_answered_inside_as_well() -> None:
    """Fights that were saved before, and computers, decide there."""
    fight = affinity().answer("attack: Novice 1").answer("defend")
    condition = fight.session.position.conditions[0][0]
    assert condition.now.defending  # type: ignore[attr-defined]


def test_af1_the_only_weapon_is_not_asked_for() -> None:
    fight = Fight.begin("affinity", ("squire", "novice"), FIRST)
    fight = fight.answer("5").answer("attack: Novice")
    assert options(fight) == ["short blade"]
    assert fight.habitual is not None
    assert fight.habitual.option == "short blade"


def whole_turn() -> Fight:
    fight = Fight.begin("eclipse-phase", ("corp_guard", "2xripper"), FIRST)
    while fight.question is not None and fight.question.kind == "situation":
        fight = fight.answer(NO_MORE)
    return fight


def test_ep48_ep73_actions_that_are_no_attack_stand_beside_it_once() -> None:
    assert options(whole_turn()) == [
        "attack: Ripper 1", "attack: Ripper 2", "full defense", "aim", "wait", "pass",
    ]  # fmt: skip


def test_ep48_full_defense_asks_for_the_move_and_for_nothing_else() -> None:
    fight, asked = whole_turn().answer("full defense"), []
    while fight.session.exchange is not None and fight.question is not None:
        asked.append(fight.question.step)
        fight = fight.answer(options(fight)[0])
    assert asked == ["choose_quick", "choose_move"]
    assert fight.session.position.conditions[0][0].guard  # type: ignore[attr-defined]


def test_ep41_an_attack_is_not_asked_for_twice() -> None:
    fight = whole_turn().answer("attack: Ripper 1").answer("none").answer("stay")
    assert fight.question is not None
    assert (fight.question.step, options(fight)) == ("choose_action", ["attack"])
    assert fight.habitual is not None


def test_ee70_a_move_names_the_zone_to_which_it_leads() -> None:
    fight = on_the_farm()
    assert [name for name in options(fight) if name.startswith("move")] == [
        "move: yard", "move: lane",
    ]  # fmt: skip
    fight = fight.answer("move: yard")
    assert fight.question is not None
    need = fight.session.position.need
    assert isinstance(need, Exchange)
    assert done_to(fight.session.contest.fight, need) == ("move: yard", need.actor)
    assert fight.question.step == "activate_armor", "the turn begins with the Armor"
    fight = fight.answer("no")
    assert fight.session.position.conditions[0][0].zone == "yard"  # type: ignore[attr-defined]
    event = next(event for event in fight.session.log if event.kind == "exchange")
    assert called_in(fight.session.position, event)[0] == "move: yard"


def test_ee70_a_move_toward_a_foe_can_be_answered_still() -> None:
    fight = on_the_farm().answer("move: Bulwark").answer("no")
    assert options(fight) == ["yard", "lane", "stay"]
    with pytest.raises(AnswerError, match="allowed: attack: Bulwark, move: yard"):
        on_the_farm().answer("move: barn")


@pytest.mark.parametrize(
    "fight",
    [affinity().answer("defend"), on_the_farm().answer("move: lane").answer("activate")],
    ids=["affinity", "empty-earth"],
)
def test_it_is_one_move_saved_undone_and_done_again(fight: Fight) -> None:
    again = Fight.restored(json.loads(json.dumps(fight.saved)))
    assert again.session.conditions == fight.session.conditions
    back = fight.at(0)
    assert options(back) == options(Fight.begin(fight.system, fight.source, fight.changes))
    assert fight.undo(2).redo(2).session.conditions == fight.session.conditions


@pytest.mark.parametrize("policy", ["first", "opening", "greedy", "search"])
def test_computers_go_on_to_move_and_attack(policy: str) -> None:
    """Those who can't attack from where they stand walk; nobody passes a turn away."""
    fight = on_the_farm()
    fight = fight.seated({"one": f"computer:{policy}", "other": f"computer:{policy}"})
    answer = fight.decides(policy, seed=1)
    assert answer.option != "pass"
    assert fight.answer(answer).session.position.need is not None
