"""Play as every face plays it: begin, answer, undo, redo, fork, look."""

from __future__ import annotations

import json

import pytest

from affray.app.exchange_computers import computer_decides, computer_rolls, decide, roll
from affray.app.fight import Fight
from affray.app.inputs.intake import InputError
from affray.app.play import PlayedGame, play_script
from affray.app.sources import Answers, Changes, Shipped, Table
from affray.app.views.envelope import to_json
from affray.app.views.exchanges import question_json
from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Answer

JINX = Shipped("jinx-shoots")
SCRIPT = Answers((96, 7, 7, 5, 5, 1, 3, 9), ("flip",))


def begun() -> PlayedGame:
    return PlayedGame.begin("eclipse-phase", JINX)


def same(one: PlayedGame, other: PlayedGame) -> bool:
    """Whether two games stand at the same place with the same log."""
    return (one.answers, one.log, one.session.here) == (
        other.answers, other.log, other.session.here
    )  # fmt: skip


def test_answers_lead_to_the_outcome_of_the_worked_example() -> None:
    """O-6: the flipped 69 hits, 21 damage against armor 10."""
    game = begun()
    for given in ([96], "flip", [7], [7, 5, 5, 1, 3], [9]):
        game = game.answer(given)
    view = game.view(why=["net"])
    assert (view.question, view.outcome["net"], view.outcome["hit"]) == (None, 11, True)
    assert "net = 11  [EP-62]" in "\n".join(view.explanation)
    assert play_script(begun(), SCRIPT).view().outcome == view.outcome


def test_a_roll_says_which_faces_its_dice_have() -> None:
    """Eclipse Phase reads 00 as zero: a hundred is no face."""
    view = to_json(begun().view())
    question = view["question"]
    assert isinstance(question, dict)
    assert question["faces"] == [{
        "die": "d100", "many": 1, "faces": list(range(100)),
        "printed": [f"{face:02}" for face in range(100)],
        "aloud": ["zero", *map(str, range(1, 100))], "means": [""] * 100, "labels": [""],
    }]  # fmt: skip
    assert json.loads(json.dumps(question)) == question
    session = begun().session
    assert session.question is not None
    assert question_json(session.question) == question


def test_each_die_of_a_roll_says_what_it_is_for() -> None:
    """The burst: 2d10 of the pistol, one more for the burst, a d6 for each superior success."""
    question = begun().answer([96]).answer("flip").answer([7]).view().question
    assert question is not None
    told = [(row.die, row.many, row.labels, row.aloud[-1]) for row in question.faces]
    assert told == [
        ("d10", 3, ("damage", "damage", "extra"), "ten"),
        ("d6", 2, ("superior", "superior"), "6"),
    ]


def test_symbols_of_dice_are_told_in_words() -> None:
    question = PlayedGame.begin("grid-battles", Shipped("light-cavalry")).view().question
    assert question is not None
    (die,) = question.faces
    words = {"-": "blank", "d": "1 Damage", "dd": "2 Damage", "ddd": "3 Damage",
             "b": "1 Bonus Damage", "bb": "2 Bonus Damage",
             "db": "1 Damage, 1 Bonus Damage"}  # fmt: skip
    assert die.printed == die.faces
    assert die.means == die.aloud == tuple(words[str(face)] for face in die.faces)


def test_sides_of_a_coin_are_read_by_name() -> None:
    question = Fight.begin("empty-earth", ("bo", "2xhusk")).question
    assert question is not None
    assert question.faces[0].aloud == ("Bo", "2 x Husk")


def test_a_question_says_what_is_open_and_why_the_rest_is_closed() -> None:
    question = begun().answer([96]).view().question
    assert question is not None
    assert (question.actor, question.dice) == ("attacker", "")
    assert [option.name for option in question.options] == ["none", "flip"]
    assert question.clauses
    capped = PlayedGame.begin("affinity", Shipped("exertion")).view().question
    assert capped is not None
    assert capped.closed == (("4", "the cap is 3 (AF-1)"),)


def test_a_wrong_answer_changes_nothing() -> None:
    game = begun()
    for given in ([100], [1, 2], "flip", []):
        with pytest.raises(AnswerError):
            game.answer(given)
    assert (game.answers, game.question) == ((), begun().question)


def test_undo_and_redo_go_back_and_forth() -> None:
    games = [begun()]
    for given in ([96], "flip", [7]):
        games.append(games[-1].answer(given))
    game = games[-1]
    for earlier in reversed(games[:-1]):
        game = game.undo()
        assert same(game, earlier)
    assert game.undo() is game, "there is nothing left to undo"
    for later in games[1:]:
        game = game.redo()
        assert same(game, later)
    assert game.undone == ()
    assert game.redo() is game, "there is nothing left to redo"


def test_another_answer_forgets_what_was_undone() -> None:
    game = begun().answer([96]).answer("flip").undo().undo()
    assert len(game.undone) == 2
    game = game.answer([95])
    assert game.undone == ()


def test_a_fork_goes_another_way_and_leaves_the_game_alone() -> None:
    game = play_script(begun(), SCRIPT)
    other = game.at(1).answer("none")
    assert [given.option or given.faces for given in other.answers] == [(96,), "none"]
    assert len(game.answers) == 5
    assert same(game.at(len(game.answers)), game)
    for wrong in (-1, 6):
        with pytest.raises(AnswerError, match="allowed: 0 to 5"):
            game.at(wrong)


def test_the_answers_are_the_truth() -> None:
    """Whatever is worked out can be worked out again from the record alone."""
    game = play_script(begun(), SCRIPT)
    again = PlayedGame(game.system, game.source, game.changes, game.answers)
    assert again == game
    assert same(again, game)


def test_a_saved_game_goes_on_and_keeps_its_readings() -> None:
    game = PlayedGame.begin("eclipse-phase", JINX, Changes(rulings={"ties": "deadlock"})).answer(
        [96]
    )
    kept = Table(game.saved, "my game")
    again = PlayedGame.begin("eclipse-phase", kept)
    assert same(again, game)
    assert again.loaded.raw["rulings"] == {"ties": "deadlock"}
    assert same(again.answer("flip"), game.answer("flip"))
    with pytest.raises(SetupError, match=r"^my game: a saved game keeps its rulings.*given: ties"):
        PlayedGame.begin("eclipse-phase", kept, Changes(rulings={"ties": "miss"}))


def test_a_saved_game_is_checked_like_any_table() -> None:
    kept = {**begun().saved, "setup": {"attacker": object()}}
    with pytest.raises(InputError, match=r"my game: setup\.attacker: "):
        PlayedGame.begin("eclipse-phase", Table(kept, "my game"))


def test_the_computer_rolls_with_a_seed_and_decides_for_an_objective() -> None:
    def end(seed: int) -> PlayedGame:
        game = begun()
        dice, policy = computer_rolls(seed), computer_decides(game, "hit")
        while (question := game.question) is not None:
            game = roll(game, dice) if question.dice else decide(game, policy)
        return game

    assert same(end(5), end(5))
    assert end(5).answers != end(6).answers
    by = {source for given in end(5).answers for source in given.by}
    assert by <= {"seed", "solved"}, "an attack is small enough to be solved"


def test_the_computer_answers_only_what_is_its_to_answer() -> None:
    game = begun()
    assert decide(game, computer_decides(game)) is game, "dice are rolled, not decided"
    choice = game.answer([96])
    assert roll(choice, computer_rolls(1)) is choice
    assert roll(play_script(begun(), SCRIPT), computer_rolls(1)).question is None


def test_faces_lie_until_they_are_answered_or_something_is_taken_back() -> None:
    game = begun().answer([96]).answer("flip").answer([7])
    rolling = game.rolling
    assert rolling is not None
    assert rolling.told == "2d10 damage, 1d10 extra, 2d6 superior"
    laid = game.laid(rolling.typed("7").typed("0").answer)
    assert (laid.lying.faces, laid.answers) == ((7, 10), game.answers)
    assert laid.rolling is not None
    assert laid.rolling.next.told == "d10 extra"
    assert laid.answer([7, 7, 5, 1, 3]).lying == Answer()
    assert laid.undo().lying == laid.undo().redo().lying == Answer()
    assert begun().answer([96]).rolling is None, "a choice has no dice"


def test_a_field_can_not_be_explained_before_the_end() -> None:
    with pytest.raises(SetupError, match="net can't be explained: the exchange is not over"):
        begun().view(why=["net"])


def test_answers_left_over_are_told() -> None:
    with pytest.raises(AnswerError, match="answers left over: 4; the exchange is over"):
        play_script(begun(), Answers((*SCRIPT.dice, 4), SCRIPT.options))
    with pytest.raises(AnswerError, match=r"left over: flip; .* waits for attack roll \(1d100\)"):
        play_script(begun(), Answers((), ("flip",)))


def test_a_setup_without_a_script_says_so() -> None:
    table = Table({"attacker": "ada", "defender": "husk"}, "mine")
    with pytest.raises(SetupError, match=r"^mine: no script in it; write one under `play`"):
        play_script(PlayedGame.begin("empty-earth", table), Answers(own=True))


def test_undo_with_a_seed_repeats_the_dice_and_is_told() -> None:
    dice = computer_rolls(5)
    begun = roll(PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")), dice)
    seen = roll(begun.answer("none"), dice)
    again = roll(seen.undo().undo().answer("none"), dice)
    assert again.answers == seen.answers
    assert [row.after for row in again.taken_back] == [1]
    assert again.view().remarks[-1] == "Taken back after the roll was seen: 74."
    raw = json.loads(json.dumps(again.saved))
    opened = PlayedGame.begin("eclipse-phase", Table(raw, "x"))
    assert opened.taken_back == again.taken_back
    assert roll(opened, computer_rolls(5)).answers == roll(again, dice).answers
    assert not again.at(1).taken_back
    assert not begun.answer("none").undo().answer("flip").taken_back, "no roll was seen"
    assert not seen.undo().redo().taken_back
