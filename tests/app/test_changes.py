"""Changes of a game as data: what they do, what is refused, and that they can be replayed."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from affray.app.changes import Changed, Means, begin_game, changed, gone_on, replayed, taken
from affray.app.exchange_computers import computer_rolls
from affray.app.fight import Fight
from affray.app.goes_on import Game, due
from affray.app.inputs.intake import InputError, Raw
from affray.app.play import PlayedGame
from affray.core.errors import AnswerError, MovedOnError, UnknownNameError
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer

EE = "empty-earth"
SHIPPED = (
    ("affinity", "marsh"), ("eclipse-phase", "warehouse"), ("emlia", "field"),
    ("empty-earth", "brockton"), ("grid-battles", "support"),
)  # fmt: skip
ROLLS = Means(dice=computer_rolls(1), unsaid="rolled")


class Table:
    """A game at a table that keeps everything that was done."""

    def __init__(self, begun: Game, means: Means = ROLLS) -> None:
        self.begun = self.game = begun
        self.means = means
        self.settled: list[Raw] = []
        self.on()

    def on(self) -> None:
        self.keep(gone_on(self.game, self.means))

    def keep(self, found: Changed) -> Changed:
        self.settled += json.loads(json.dumps(found.settled))
        self.game = found.game
        return found

    def does(self, do: str, **values: object) -> Changed:
        found = self.keep(changed(self.game, {"do": do, **values}, self.means))
        self.on()
        return found

    def check(self) -> None:
        """Replayed from what was settled it is the same, to the revision."""
        again = replayed(self.begun, self.settled)
        assert again == self.game
        assert (again.revision, again.placed) == (self.game.revision, self.game.placed)
        assert again.revision == self.begun.revision + len(self.settled)
        if isinstance(again, Fight) and isinstance(self.game, Fight):
            assert again.ahead == self.game.ahead


def jinx() -> Game:
    return begin_game("exchange", "eclipse-phase", "jinx-shoots")


def husks(n: int = 3) -> Table:
    """Three Husks against two; the coin is for the Husks' side."""
    fight = begin_game("fight", EE, {
        "one": {"fighters": ["husk"] * n + ["shrieker"]}, "other": {"fighters": ["ada", "bo"]},
        "first": "one", "asks": [],
    })  # fmt: skip
    return Table(fight)


def asked(game: Game) -> str:
    question = game.question
    assert question is not None
    return question.ask


def test_the_worked_example_by_changes() -> None:
    """O-6 of the Jinx exchange: 21 damage against armor 10."""
    table = Table(jinx(), Means())
    for faces in ([96], None, [7], [7, 5, 5, 1, 3], [9]):
        table.does("answer", **({"faces": faces} if faces else {"option": "flip"}))
    assert isinstance(table.game, PlayedGame)
    assert table.game.session.result["net"] == 11
    assert [row["do"] for row in table.settled] == ["answer"] * 5
    table.check()


@pytest.mark.parametrize("kind", ["fight", "exchange"])
def test_a_game_of_chance_is_replayed_without_chance(kind: str) -> None:
    source: Any = ("bo", "2xhusk") if kind == "fight" else "jinx-shoots"
    table = Table(begin_game(kind, EE if kind == "fight" else "eclipse-phase", source))
    chooser = random.Random(3)
    while (question := table.game.question) is not None:
        table.does("answer", option=chooser.choice(question.options).name)
    assert any(row.get("by") == ["seed"] for row in table.settled)
    table.check()


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_whatever_is_done_is_replayed(system: str, name: str) -> None:
    """Answers, lines, dice laid and rolled, undo, redo, corrections, in some order."""
    table = Table(begin_game("fight", system, name), Means(dice=computer_rolls(2)))
    chooser = random.Random(5)
    for _ in range(90):
        game, question = table.game, table.game.question
        if question is None:
            break
        deeds: list[dict[str, object]] = [{"do": "undo", "n": 1}, {"do": "redo"}]
        roll = game.rolling
        if roll is None:
            option = chooser.choice(question.options).name
            deeds += [{"do": "answer", "option": option}] * 8
            deeds += [{"do": "line", "text": question.options[0].name}] * 4
        else:
            face = roll.pool.dice[0].faces[0]
            deeds += [{"do": "roll"}] * 9
            deeds += [{"do": "lay", "faces": [face]}, {"do": "correct", "die": 1, "face": face}]
        try:
            found = changed(game, chooser.choice(deeds), table.means)
        except AnswerError:
            assert table.game is game
            continue
        table.keep(found)
        table.on()
    assert {"answer", "undo"} <= {row["do"] for row in table.settled}
    table.check()


def test_a_line_is_one_change_and_comes_to_answers() -> None:
    table = husks()
    found = table.does("line", text="attack bo")
    assert found.turn is not None
    assert found.turn.decided[0].option == "attack: Bo"
    assert found.settled[0] == {"do": "answer", "option": "attack: Bo", "by": ["hand"]}
    with pytest.raises(AnswerError, match="nowhere"):
        table.does("line", text="nowhere")
    table.check()


def test_a_line_for_a_group_is_followed_when_their_turns_come() -> None:
    table = husks()
    found = table.does("line", text="all husks attack nearest")
    assert found.told == ("noted for this round: Husk 1, Husk 2, Husk 3: attack nearest",)
    assert isinstance(table.game, Fight)
    while "Husk" in asked(table.game) or "now?" not in asked(table.game):
        option = table.game.question.options[0].name  # type: ignore[union-attr]  # just asked
        assert "what now" not in asked(table.game), "the Husks do as they were told"
        table.does("answer", option=option)
    assert asked(table.game) == "Shrieker: what now?"
    attacks = [row for row in table.settled if str(row.get("option", "")).startswith("attack")]
    assert len(attacks) == 3
    table.check()


def test_orders_outlive_a_replay_in_the_middle_of_a_round() -> None:
    table = husks()
    found = changed(table.game, {"do": "line", "text": "all husks attack nearest"}, ROLLS)
    table.keep(found)
    again = replayed(table.begun, table.settled)
    assert isinstance(again, Fight)
    assert [order.who for order in again.ahead.orders] == ["Husk 2", "Husk 3"]
    table.check()


def test_again_repeats_what_a_mate_did() -> None:
    table = husks()
    table.does("line", text="attack bo")
    while asked(table.game) != "Husk 2: what now?":
        table.does("answer", option=table.game.question.options[0].name)  # type: ignore[union-attr]
    found = table.does("line", text="again")
    assert found.settled[0]["option"] == "attack: Bo"


def test_a_habit_is_made_by_a_line_and_by_a_change() -> None:
    table = Table(begin_game("fight", EE, ("bo", "2xhusk")))
    table.does("answer", option="attack: Husk 1")
    question = table.game.question
    assert question is not None
    assert isinstance(table.game, Fight)
    assert table.game.asked is not None
    option = question.options[-1].name
    found = changed(table.game, {"do": "line", "text": f"{option}!"}, ROLLS)
    change = {"do": "habit", "who": "Bo", "step": question.step, "option": option}
    assert found.settled == changed(table.game, change, ROLLS).settled
    after = gone_on(found.game, ROLLS)
    assert after.settled[0] == {"do": "answer", "option": option, "by": ["habit"]}


def test_laid_dice_are_rolled_to_the_end() -> None:
    game = jinx()
    for change in ({"faces": [96]}, {"option": "flip"}, {"faces": [7]}):
        game = changed(game, {"do": "answer", **change}).game
    laid = changed(game, {"do": "lay", "faces": ["7", 0]})
    assert laid.game.lying.faces == (7, 10)
    rolled = changed(laid.game, {"do": "roll"}, ROLLS)
    assert rolled.settled[0]["by"] == ["hand", "hand", "seed", "seed", "seed"]
    assert list(rolled.settled[0]["faces"])[:2] == [7, 10]  # type: ignore[call-overload]
    assert changed(laid.game, {"do": "lay", "faces": []}).game.lying == Answer()
    for faces in ([11], [1] * 6):
        with pytest.raises(AnswerError):
            changed(game, {"do": "lay", "faces": faces})


def test_undo_goes_back_to_where_somebody_was_asked() -> None:
    table = Table(begin_game("fight", EE, ("bo", "husk")))
    table.does("seats", seats={"other": "computer:first"})
    before = asked(table.game)
    first = table.game
    table.does("answer", option="pass")
    assert asked(table.game) == before == "Bo: what now?"
    assert len(table.game.moves) > len(first.moves) + 1, "the computer has had its turn"
    found = table.does("undo")
    assert table.game.moves == first.moves
    assert found.settled[0]["n"] == len(table.game.undone)
    table.does("redo")
    with pytest.raises(AnswerError, match=r"^only 1 can be taken back; 9 were asked for$"):
        table.does("undo", n=9)
    table.check()


def test_a_computer_decides_and_what_it_decided_is_settled() -> None:
    game = changed(jinx(), {"do": "answer", "faces": [96]}).game
    found = changed(game, {"do": "decide", "objective": "hit"})
    assert found.settled == ({"do": "answer", "option": "flip", "by": ["solved"]},)
    fight = Table(begin_game("fight", EE, ("bo", "husk"))).game
    decided = changed(fight, {"do": "decide", "policy": "first"})
    assert decided.settled[0]["by"] == ["policy"]
    with pytest.raises(InputError, match="unknown key 'policy'"):
        changed(game, {"do": "decide", "policy": "first"})


def test_a_slow_step_is_known_beforehand() -> None:
    table = Table(begin_game("fight", EE, ("bo", "husk")))
    table.does("seats", seats={"one": "computer", "other": "computer:first"})
    step = due(table.game)
    assert step is not None
    assert (step.kind, step.is_slow) == ("decide", True)
    table.keep(taken(table.game, step, Means(budget=Budget(places=50, battles=1))))
    quick = due(changed(table.game, {"do": "seats", "seats": {"one": "computer:first"}}).game)
    assert quick is None or not quick.is_slow


def test_a_change_for_another_revision_is_refused_with_the_question_of_now() -> None:
    game = jinx()
    after = changed(game, {"do": "answer", "faces": [96], "at": 0}).game
    with pytest.raises(MovedOnError, match="for revision 0, and the game has come to 1") as error:
        changed(after, {"do": "answer", "option": "flip", "at": 0})
    assert (error.value.revision, error.value.question) == (1, after.question)


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        ({}, InputError, "do is missing"),
        ({"do": "dance"}, UnknownNameError, "dance"),
        ({"do": "hand", "what": "end", "verdict": "one"}, UnknownNameError, "hand"),
        ({"do": "answer"}, InputError, "one of option and faces"),
        ({"do": "answer", "option": "flip", "faces": [1]}, InputError, "one of option and faces"),
        ({"do": "answer", "faces": [True]}, InputError, "a face is a number or a name"),
        ({"do": "answer", "faces": [100]}, AnswerError, "100 is no face"),
        ({"do": "answer", "faces": [96], "by": ["entropy"]}, InputError, "unknown key 'by'"),
        ({"do": "answer", "faces": [96], "at": -1}, InputError, "answer: at: -1"),
        ({"do": "answer", "faces": [96], "at": "0"}, InputError, "answer: at: '0'"),
        ({"do": "lay", "faces": 5}, InputError, "must be a list of faces"),
        ({"do": "line", "text": 5}, InputError, "must be a text"),
        ({"do": "line", "text": "flip"}, AnswerError, "none is open"),
        ({"do": "line", "text": "flip", "fills": 1}, InputError, "must be true or false"),
        ({"do": "decide"}, AnswerError, "nothing is to be decided"),
        ({"do": "decide", "seconds": 0}, InputError, "above 0"),
        ({"do": "correct", "die": 1, "face": 3}, AnswerError, "nothing has been rolled"),
        ({"do": "undo"}, AnswerError, "nothing can be taken back"),
        ({"do": "undo", "n": 0}, InputError, "from 1"),
        ({"do": "redo"}, AnswerError, "nothing can be given again"),
        ({"do": "seats", "seats": {"attacker": "nobody"}}, UnknownNameError, "nobody"),
        ({"do": "seats", "seats": {"umpire": "typed"}}, UnknownNameError, "umpire"),
        ({"do": "seats", "seats": ["typed"]}, InputError, "must be a table of texts"),
        ({"do": "roll", "faces": [1]}, InputError, "unknown key 'faces'"),
        ({"do": 7}, InputError, "do: 7; must be a text"),
        ({"do": "answer", "option": object()}, InputError, "object"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    change: Mapping[str, object], kind: type[Exception], words: str
) -> None:
    game = jinx()
    with pytest.raises(kind, match=words):
        changed(game, change)
    assert (game.moves, game.revision) == ((), 0)


def test_a_hand_is_for_fights_and_its_keys_are_checked() -> None:
    fight = Table(begin_game("fight", EE, ("bo", "husk"))).game
    after = changed(fight, {"do": "hand", "what": "leave", "fighter": "Husk"})
    assert after.game.question is None
    assert after.settled == ({"do": "hand", "what": "leave", "fighter": "Husk"},)
    with pytest.raises(UnknownNameError, match="who"):
        changed(fight, {"do": "hand", "what": "leave", "who": "Husk"})
    with pytest.raises(InputError, match="fighter is missing"):
        changed(fight, {"do": "hand", "what": "leave"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"do": "roll"}, "change 1: do: 'roll'; no change is settled so"),
        ({"do": "answer", "faces": [96]}, "change 1: 'by' is missing"),
        ({"do": "answer", "faces": [200], "by": ["hand"]}, "change 1: .*200 is no face"),
        ({"do": "undo", "n": 1}, "change 1: n: 1"),
    ],
)
def test_a_settled_change_that_does_not_fit_is_refused(change: Raw, words: str) -> None:
    with pytest.raises((InputError, AnswerError), match=words):
        replayed(jinx(), [change])


def test_a_game_is_begun_by_its_kind() -> None:
    assert isinstance(
        begin_game("exchange", EE, {"attacker": "ada", "defender": "husk"}), PlayedGame
    )
    with pytest.raises(UnknownNameError, match="duel"):
        begin_game("duel", EE, "brockton")
    with pytest.raises(InputError, match="another kind of game"):
        begin_game("exchange", EE, ("ada", "husk"))
