"""A turn in one line: what is said, what is usual, what is left for later."""

from __future__ import annotations

from typing import Any

import pytest

from affray.app.fight import Fight
from affray.app.lines import said
from affray.app.sources import Table
from affray.app.turns import Decided, Turn, turn_of
from affray.core.errors import AnswerError


def fight(system: str, one: list[Any], other: list[Any], **more: Any) -> Fight:
    """A fight that waits for the first decision of side one; nothing of the scene is asked."""
    raw = {"one": {"fighters": one}, "other": {"fighters": other}, "first": "one", "asks": [],
           **more}  # fmt: skip
    return rolled(Fight.begin(system, Table(raw, "a fight")))


def rolled(here: Fight) -> Fight:
    """The fight up to the next decision, every die on its lowest face."""
    while here.asked is not None and here.asked.dice is not None:
        here = here.answer([die.faces[0] for die in here.asked.dice.dice])
    return here


def played(here: Fight, turn: Turn) -> Fight:
    """The fight after the answers of a turn."""
    for answer in turn.answers:
        here = here.answer(answer)
    return here


def options(turn: Turn) -> list[str]:
    return [one.option for one in turn.decided]


def ada() -> Fight:
    """Ada, whose turn it is, has to decide about her Armor, features and aiming in an attack."""
    return fight("empty-earth", ["ada"], ["husk"] * 3)


USUAL = ["attack: Husk 1", "no", "none", "no"]


def test_enter_decides_the_whole_turn_as_usual_and_buys_nothing() -> None:
    turn = turn_of(ada())
    assert options(turn) == USUAL
    assert not any(one.is_said for one in turn.decided)
    after = played(ada(), turn)
    assert after.asked is not None
    assert after.asked.dice is not None, "only the roll is left"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("attack husk 2", ["attack: Husk 2", "no", "none", "no"]),
        ("HUSK 3", ["attack: Husk 3", "no", "none", "no"]),
        ("2", ["attack: Husk 2", "no", "none", "no"]),
        ("husk 2 aim", ["attack: Husk 2", "no", "none", "aim"]),
        ("aim husk 2", ["attack: Husk 2", "no", "none", "aim"]),
        ("attack aim 2", ["attack: Husk 2", "no", "none", "aim"]),
        ("aim", ["attack: Husk 1", "no", "none", "aim"]),
        ("husk 2, barbed, aim", ["attack: Husk 2", "no", "Barbed", "aim"]),
        ("act husk 2 barb", ["attack: Husk 2", "activate", "Barbed"]),
        ("pass", ["pass"]),
    ],
)
def test_each_decision_takes_the_words_that_mean_one_of_its_options(
    line: str, expected: list[str]
) -> None:
    assert options(turn_of(ada(), line))[: len(expected)] == expected


def test_what_a_later_line_says_counts() -> None:
    assert options(turn_of(ada(), "husk 2 aim", "husk 3", "no aim"))[0] == "attack: Husk 3"
    assert options(turn_of(ada(), "husk 2", "aim"))[-1] == "aim"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("huks 2", "Did you mean"),
        ("husk 2 amm", "'amm' is not on offer. Did you mean 'aim'?"),
        ("husk 4", "not on offer"),
        ("fly to the moon", "is not on offer"),
    ],
)
def test_words_that_mean_nothing_are_refused_and_change_nothing(line: str, told: str) -> None:
    here = ada()
    with pytest.raises(AnswerError, match=r".") as error:
        turn_of(here, line)
    assert told in str(error.value)
    assert here == ada()


def test_words_that_may_mean_several_options_mean_the_usual_one_or_are_refused() -> None:
    assert options(turn_of(ada(), "attack"))[0] == "attack: Husk 1"
    after = rolled(played(ada(), turn_of(ada(), "husk 3")))
    while after.asked is not None and not after.asked.ask.startswith("Ada: what"):
        after = rolled(after.answer(after.asked.options[-1].name))
    assert options(turn_of(after, "att"))[0] == "attack: Husk 3", "as she did last"


def test_what_a_fighter_decided_last_is_usual_but_not_what_costs_something() -> None:
    here = rolled(played(ada(), turn_of(ada(), "husk 2 aim")))
    while here.asked is not None and not here.asked.ask.startswith("Ada: what"):
        here = rolled(here.answer(here.asked.options[-1].name))
    assert options(turn_of(here)) == ["attack: Husk 2", "no", "none", "no"]


def test_without_filling_only_what_is_said_is_answered() -> None:
    """As for a program that answers question by question."""
    assert options(turn_of(ada(), "husk 2", fills=False)) == ["attack: Husk 2"]
    assert options(turn_of(ada(), "husk 2 no none", fills=False)) == [
        "attack: Husk 2",
        "no",
        "none",
    ]
    assert options(turn_of(ada(), "", fills=False)) == ["attack: Husk 1"]


def duel() -> Fight:
    """Jinx is attacked by an Exhuman and has to say how she defends."""
    situation = {"distance_m": 2}
    raw = {
        "one": {"fighters": ["exhuman"], "situation": situation},
        "other": {"fighters": ["jinx"], "situation": situation},
        "first": "one", "asks": [],
    }  # fmt: skip
    here = rolled(Fight.begin("eclipse-phase", Table(raw, "a duel")))
    here = played(here, turn_of(here))
    assert here.asked is not None
    assert here.asked.ask.startswith("defend")
    return here


def test_what_comes_after_somebody_elses_decision_is_part_of_the_line_and_kept_for_later() -> None:
    turn = turn_of(duel(), "fray plus20")
    assert options(turn) == ["fray", "plus20"]
    assert [answer.option for answer in turn.answers] == ["fray"]
    assert [(one.step, one.option) for one in turn.later] == [("spend_before_defence", "plus20")]


def test_only_the_first_answer_of_a_line_is_one_that_undo_stops_at() -> None:
    assert [answer.by for answer in turn_of(ada(), "husk 2 aim").answers] == [
        ("hand",), ("line",), ("line",), ("line",),
    ]  # fmt: skip


def test_words_for_what_comes_after_a_question_of_the_situation_are_kept() -> None:
    raw = {"one": {"fighters": ["ada"]}, "other": {"fighters": ["husk"] * 3}, "first": "one",
           "scene": False}  # fmt: skip
    here = Fight.begin("empty-earth", Table(raw, "a fight"))
    turn = turn_of(here, "husk 2 aim")
    assert (options(turn), turn.left) == (["attack: Husk 2"], "aim")
    with pytest.raises(AnswerError, match="not on offer"):
        turn_of(here, "aim")  # nobody said who is attacked, and how far away


def test_on_a_map_every_decision_is_one_of_its_own() -> None:
    here = Fight.begin("grid-battles", "ford")
    assert len(turn_of(here).decided) == 1
    assert options(turn_of(here, "archer pikeman")) == ["archer", "pikeman"]


# -- what nobody is asked --------------------------------------------------------------------------


def defended(face: int) -> Fight:
    """Jinx, whose Fray is 60, after a defense roll of hers against an attack that rolled 25."""
    here = duel()
    here = played(here, turn_of(here, "fray")).answer("none").answer("none")
    while here.asked is not None and here.asked.dice is None:
        here = here.answer("none")
    here = here.answer([25])
    while here.asked is not None and here.asked.dice is None:
        here = here.answer("none")
    return here.answer([face])


def test_a_point_that_turns_nothing_is_not_offered_and_then_nobody_is_asked() -> None:
    """96 fails, and so does 69; but 59, the dice of 95 the other way round, beats the 25."""
    here = defended(96)
    assert here.session.question is not None
    assert [option.name for option in here.session.question.options] == ["none", "flip"]
    assert here.unasked is not None
    assert (here.unasked.option, here.unasked.by) == ("none", ("unasked",))
    here = defended(95)
    assert here.asked is not None
    assert [option.name for option in here.asked.options] == ["none", "flip"]
    assert here.unasked is None


def test_a_point_that_can_only_harm_is_not_offered_either() -> None:
    """49 beats the 25; 94 would fail."""
    here = defended(49)
    assert here.unasked is not None
    assert here.unasked.option == "none"


def test_what_was_not_asked_is_a_move_that_replays_and_is_undone() -> None:
    here = defended(96)
    assert here.unasked is not None
    after = here.answer(here.unasked)
    assert Fight.restored(after.saved).moves == after.moves
    assert after.undo().moves == here.moves


def acting(here: Fight, name: str, *options: str) -> Fight:
    """The fight once somebody is asked for a deed; all others pass, or take these options."""
    left = list(options)
    while here.asked is not None and here.asked.ask != f"{name}: what now?":
        names = [option.name for option in here.asked.options]
        take = left.pop(0) if left and left[0] in names else "pass" if "pass" in names else names[0]
        here = rolled(here.answer(take))
    return here


def test_who_walked_last_is_not_sent_back_by_enter() -> None:
    """A Husk that has come to the gate attacks Ada there; walking was of another moment."""
    here = rolled(Fight.begin("empty-earth", "on-the-farm"))
    for zone in ("yard", "gate"):
        here = acting(acting(here, "Husk 1").answer(f"move: {zone}"), "Husk 1")
    assert here.asked is not None
    assert "attack: Ada" in [option.name for option in here.asked.options]
    assert options(turn_of(here))[0] == "attack: Ada"


def test_an_extra_turn_is_passed_unless_somebody_pays_for_it() -> None:
    here = fight("eclipse-phase", ["exhuman"], ["exhuman"])
    while not here.session.position.moment.extra:
        here = rolled(here.answer("pass"))
    assert options(turn_of(here)) == ["pass"]


def test_who_declines_to_intervene_is_named_once_with_all_others() -> None:
    here = fight("affinity", ["orc-raider"], ["fighter", "mage", "healer"])
    here = acting(here, "Orc Raider")
    for answer in turn_of(here, "attack fighter").answers:
        here = here.answer(answer)
    while here.asked is not None and here.asked.dice is not None:
        here = here.answer([die.faces[-1] for die in here.asked.dice.dice])
    assert here.asked is not None
    assert here.asked.ask == "Intervene?"
    assert turn_of(here).told == "Mage, Healer: Intervene: no"


@pytest.mark.parametrize(
    ("ask", "label"),
    [
        ("Which action does the unit take?", "action"),
        ("Where does the unit go?", "Where"),
        ("Focus on which troop?", "Focus on"),
        ("what is the fire for?", "fire for"),
        ("spend a pool point before the attack roll?", "pool point before the attack roll"),
        ("Does Trolls align to the ranked unit?", "Trolls align to the ranked unit"),
        ("Dodge or Center?", "Dodge or Center"),
    ],
)
def test_a_decision_is_labeled_in_a_few_words(ask: str, label: str) -> None:
    assert Decided(ask, "step", "none", ("none",), is_said=False).label == label


def test_what_nobody_is_asked_does_not_end_a_line_that_is_not_filled() -> None:
    """The squire has one weapon: after the attack only exertion is asked."""
    here = acting(fight("affinity", ["squire"], ["novice"]), "Squire")
    assert options(turn_of(here, "attack 0", fills=False)) == ["attack: Novice", "short blade", "0"]


def test_a_line_is_filled_by_habit_even_where_that_spends() -> None:
    here = acting(fight("empty-earth", ["bo"], ["husk"]), "Bo")
    assert options(turn_of(here)) == ["attack: Husk", "no"]
    asked = here.answer("attack: Husk").session.question
    assert asked is not None
    here = here.hand("habit", who="Bo", step=asked.step, option="activate")
    turn = turn_of(here)
    assert options(turn) == ["attack: Husk", "activate"]
    assert turn.answers[-1].by == ("habit",)


def test_a_decision_without_a_choice_is_not_told() -> None:
    """The action of a turn in which somebody attacks is the attack."""
    here = fight("eclipse-phase", ["corp_guard"], ["ripper"])
    turn = turn_of(here)
    assert ("attack",) in [one.names for one in turn.decided]
    assert "action: attack" not in turn.told
    assert turn.told.startswith("attack: Ripper; ")


def test_a_turn_is_picked_option_by_option() -> None:
    fight = Fight.begin("empty-earth", ("bo", "2xhusk")).answer(["Bo"])
    picks = {"": "attack: Husk 2"}
    assert turn_of(fight, picks=picks).decided[0].option == "attack: Husk 2"
    later = next(one for one in turn_of(fight, picks=picks).decided[1:] if len(one.names) > 1)
    other = next(name for name in later.names if name != later.option)
    found = turn_of(fight, picks={**picks, later.key: other}).decided
    assert (later.key, other, True) in {(one.key, one.option, one.is_said) for one in found}


@pytest.mark.parametrize(
    "picks", [{"": "attack: Husk 3"}, {"": "attack: Husk 2", "no_such_step": "yes"}]
)
def test_a_pick_that_is_not_on_offer_is_refused(picks: dict[str, str]) -> None:
    fight = Fight.begin("empty-earth", ("bo", "2xhusk")).answer(["Bo"])
    assert turn_of(fight, picks=picks).unmet == (list(picks.values())[-1],)
    with pytest.raises(AnswerError, match="not on offer in this turn"):
        said(fight, "", picks=picks)
