"""Who may do what: players answer for their own, a game master for everybody."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from affray.app.changes import Means, begin_game, changed, gone_on
from affray.app.exchange_computers import computer_rolls
from affray.app.fight import Fight
from affray.app.goes_on import Game
from affray.app.play import PlayedGame
from affray.app.rights import BACK, Back, check_role, may, may_answer
from affray.app.roles import MASTER, SPECTATOR, Role
from affray.app.views.played_fights import FightView
from affray.core.errors import AnswerError, ForbiddenError, MovedOnError, UnknownNameError

ONE, OTHER = Role("player", ("one",)), Role("player", ("other",))
HUSK_1, HUSK_2 = (Role("player", fighters=(f"Husk {n}",)) for n in (1, 2))
ADA = Role("player", fighters=("Ada",))
TYPED = Means(dice=computer_rolls(1))
EVERY = (
    {"do": "answer", "option": "pass"}, {"do": "answer", "faces": [1]}, {"do": "lay", "faces": []},
    {"do": "line", "text": "pass"}, {"do": "roll"}, {"do": "decide"}, {"do": "undo"},
    {"do": "redo"}, {"do": "correct", "die": 1, "face": 1}, {"do": "seats", "seats": {}},
    {"do": "hand", "what": "leave", "fighter": "Ada"},
    {"do": "habit", "who": "Ada", "step": "x", "option": "y"},
)  # fmt: skip


def husks() -> Fight:
    """Husk 1 is asked: what now?"""
    fight = begin_game("fight", "empty-earth", {
        "one": {"fighters": ["husk", "husk"]}, "other": {"fighters": ["ada"]},
        "first": "one", "asks": [],
    })  # fmt: skip
    assert isinstance(fight, Fight)
    return fight


def allowed(game: Game, role: Role, change: Mapping[str, object], back: Back = "own") -> bool:
    try:
        may(game, role, change, back=back)
    except ForbiddenError:
        return False
    return True


def test_players_answer_for_their_own_only() -> None:
    fight = husks()
    assert [may_answer(fight, role) for role in (MASTER, ONE, HUSK_1)] == [True] * 3
    assert [may_answer(fight, role) for role in (OTHER, HUSK_2, ADA, SPECTATOR)] == [False] * 4
    for change in EVERY[:6]:
        assert allowed(fight, HUSK_1, change), change
        for role in (OTHER, HUSK_2, ADA, SPECTATOR):
            assert not allowed(fight, role, change), (role, change)
    after = changed(fight, {"do": "answer", "option": "attack: Ada"}).game
    assert after.question is not None
    assert after.question.ask == "Dodge or Center?"
    assert (may_answer(after, ADA), may_answer(after, HUSK_1)) == (True, False)


def test_a_spectator_may_do_nothing_and_a_game_master_everything() -> None:
    for change in EVERY:
        assert not allowed(husks(), SPECTATOR, change)
        assert allowed(husks(), MASTER, change)


def test_hands_and_seats_are_the_game_masters() -> None:
    for change in ({"do": "seats", "seats": {}}, {"do": "hand", "what": "end", "verdict": "one"},
                   {"do": "hand", "what": "habit", "who": "Husk 1"}):  # fmt: skip
        assert not allowed(husks(), ONE, change)


def test_how_the_situation_is_the_game_master_says() -> None:
    one, other = {"fighters": ["husk"]}, {"fighters": ["ada"]}
    fight = begin_game("fight", "empty-earth", {"one": one, "other": other, "first": "one"})
    assert fight.question is not None
    assert fight.question.ask == "How many Zones away is Ada from Husk?"
    assert [may_answer(fight, role) for role in (MASTER, ONE, OTHER)] == [True, False, False]
    fight = changed(fight, {"do": "seats", "seats": {"one": "computer", "other": "typed"}}).game
    assert fight.view().next == ("other", "Ada", "", "typed", False, True)


def test_a_coin_is_the_game_masters() -> None:
    fight = begin_game("fight", "empty-earth", ("bo", "husk"))
    assert fight.question is not None
    assert fight.question.dice == "1coin"
    assert [may_answer(fight, role) for role in (MASTER, ONE, OTHER)] == [True, False, False]
    view = fight.view()
    assert view.next is not None
    assert view.next == ("", "", "", "", True, True)


def test_the_view_says_who_is_next() -> None:
    fight = changed(
        husks(), {"do": "seats", "seats": {"one": "typed", "Ada": "computer:first"}}
    ).game
    assert fight.view().next == ("one", "Husk 1", "", "typed", False, False)
    after = changed(fight, {"do": "answer", "option": "attack: Ada"}).game
    assert after.view().next == ("other", "Ada", "defender", "computer", False, False)
    game = begin_game("exchange", "eclipse-phase", "jinx-shoots")
    assert game.view().next == ("attacker", "Jinx", "attacker", "", True, False)
    game = changed(game, {"do": "seats", "seats": {"attacker": "typed"}}).game
    assert game.view().next == ("attacker", "Jinx", "attacker", "typed", True, False)


def test_what_the_computer_does_no_player_does() -> None:
    """At a computer's seat players neither decide nor roll; at a rolled one they decide only."""
    seats = {"one": "computer:first"}
    fight = changed(husks(), {"do": "seats", "seats": seats}).game
    assert not allowed(fight, HUSK_1, EVERY[0])
    assert allowed(fight, MASTER, EVERY[0])
    game = begin_game("exchange", "eclipse-phase", "jinx-shoots")
    jinx = Role("player", fighters=("Jinx",))
    for seat, is_allowed in (("typed", True), ("rolled", False)):
        game = changed(game, {"do": "seats", "seats": {"attacker": seat}}).game
        assert allowed(game, jinx, {"do": "answer", "faces": [96]}) is is_allowed
        assert allowed(game, jinx, {"do": "lay", "faces": [96]}) is is_allowed


@pytest.mark.parametrize("back", list(BACK))
def test_the_table_settles_who_takes_answers_back(back: Back) -> None:
    fight = changed(husks(), {"do": "answer", "option": "attack: Ada"}).game
    own = {"own": True, "ask": False, "anybody": True}[back]
    other = {"own": False, "ask": False, "anybody": True}[back]
    assert allowed(fight, HUSK_1, {"do": "undo"}, back) is own
    assert allowed(fight, ADA, {"do": "undo"}, back) is other
    assert not allowed(fight, SPECTATOR, {"do": "undo"}, back)
    undone = changed(fight, {"do": "undo"}).game
    assert allowed(undone, HUSK_1, {"do": "redo"}, back) is own
    assert allowed(undone, ADA, {"do": "redo"}, back) is other
    with pytest.raises(ForbiddenError) as refused:
        may(fight, SPECTATOR if back == "anybody" else ADA, {"do": "undo"}, back=back)
    assert refused.value.asks is (back != "anybody")


def test_an_own_answer_is_taken_back_only_while_it_is_the_last() -> None:
    fight = changed(husks(), {"do": "answer", "option": "attack: Ada"}).game
    fight = changed(fight, {"do": "answer", "option": "dodge"}).game
    assert not allowed(fight, HUSK_1, {"do": "undo"})
    assert not allowed(fight, ADA, {"do": "undo", "n": 2}), "the second is not hers"
    assert allowed(fight, ADA, {"do": "undo"})


def test_a_die_is_corrected_by_those_who_rolled_it_last() -> None:
    game = begin_game("exchange", "eclipse-phase", "jinx-shoots")
    game = changed(game, {"do": "answer", "faces": [96]}).game
    correct = {"do": "correct", "die": 1, "face": 69}
    assert allowed(game, Role("player", ("attacker",)), correct)
    assert not allowed(game, Role("player", ("defender",)), correct)


def test_lines_and_habits_are_for_ones_own_fighters() -> None:
    fight = husks()
    order = {"do": "line", "text": "all husks attack nearest"}
    assert allowed(fight, ONE, order)
    assert not allowed(fight, HUSK_1, order), "Husk 2 is somebody else's"
    habit = {"do": "habit", "who": "Husk 2", "step": "x", "option": "y"}
    assert allowed(fight, ONE, habit)
    assert allowed(fight, HUSK_2, habit)
    assert not allowed(fight, HUSK_1, habit)
    assert not allowed(fight, HUSK_1, {**habit, "who": "one"})
    assert not allowed(fight, ADA, habit)


def test_a_change_is_refused_to_a_role_and_nothing_happens() -> None:
    fight = husks()
    with pytest.raises(ForbiddenError, match=r"for Husk 1 to answer; you are player of Ada$"):
        changed(fight, {"do": "answer", "option": "pass"}, TYPED._replace(role=ADA))
    assert changed(fight, {"do": "answer", "option": "pass"}, TYPED._replace(role=ONE)).settled


def test_who_is_late_is_told_what_that_role_may_see() -> None:
    fight = changed(husks(), {"do": "answer", "option": "attack: Ada"}).game
    with pytest.raises(MovedOnError) as moved:
        changed(fight, {"do": "answer", "option": "pass", "at": 0}, TYPED._replace(role=ADA))
    assert moved.value.code == "moved-on"
    assert moved.value.question == fight.question


def test_a_role_names_sides_and_fighters_that_are_there() -> None:
    fight, game = husks(), begin_game("exchange", "eclipse-phase", "jinx-shoots")
    for known, one in ((fight, HUSK_1), (fight, ONE), (fight, MASTER), (game, SPECTATOR),
                       (game, Role("player", ("defender",), ("Jinx",)))):  # fmt: skip
        check_role(known, one)
    for known, one in ((fight, Role("player", ("attacker",))), (game, ONE), (game, ADA)):
        with pytest.raises(UnknownNameError):
            check_role(known, one)


# -- revisions -----------------------------------------------------------------------------------


def test_the_revision_only_grows_and_tells_what_still_stands() -> None:
    """After an undo somebody who knows more is told what to forget, and what came instead."""
    fight: Game = husks()
    assert fight.revision == 0
    for option in ("pass", "pass"):
        fight = changed(fight, {"do": "answer", "option": option}).game
    known = fight.revision
    assert (known, len(fight.moves)) == (2, 2)
    fight = changed(fight, {"do": "undo"}).game
    view = fight.view(since=known)
    assert isinstance(view, FightView)
    assert (view.revision, view.moves, view.kept) == (3, 1, 1)
    assert view.events == (), "nothing has come instead yet"
    fight = changed(fight, {"do": "answer", "option": "pass"}).game
    view = fight.view(since=known)
    assert isinstance(view, FightView)
    assert (view.revision, view.kept) == (4, 1)
    assert {event.move for event in view.events} == {2}
    for since in (known + 99, -1):
        view = fight.view(since=since)
        assert isinstance(view, FightView)
        assert view.kept == -1, "a revision that never was"
        assert {event.move for event in view.events} >= {0, 1}
    view = fight.view(since=fight.revision)
    assert isinstance(view, FightView)
    assert view.events == ()


def test_every_change_counts_once() -> None:
    game = begin_game("exchange", "eclipse-phase", "jinx-shoots")
    for change in (
        {"do": "seats", "seats": {"attacker": "typed"}}, {"do": "lay", "faces": [96]},
        {"do": "answer", "faces": [96]}, {"do": "correct", "die": 1, "face": 69},
        {"do": "undo"}, {"do": "redo"},
    ):  # fmt: skip
        before = game.revision
        game = changed(game, change).game
        assert game.revision == before + 1, change
    assert gone_on(game).game.revision >= game.revision


def test_the_log_of_an_exchange_tells_what_is_new() -> None:
    game = begin_game("exchange", "eclipse-phase", "jinx-shoots")
    assert isinstance(game, PlayedGame)
    game = game.answer([96])
    known = game.view()
    more = game.answer("flip").answer([7]).view(since=known.revision)
    whole = game.answer("flip").answer([7]).view()
    assert (more.kept, more.lines_before) == (1, len(known.log))
    assert (*known.log, *more.log) == whole.log
    other = game.undo().answer([95])
    told = other.view(since=known.revision)
    assert told.kept == 0
    assert (*known.log[: told.lines_before], *told.log) == other.view().log
    assert 0 < told.lines_before < len(known.log)


def test_of_a_fight_on_a_map_only_new_lines_are_sent() -> None:
    """Such a fight is one exchange, whose log grows all the time."""
    fight = begin_game("fight", "grid-battles", "support")
    assert isinstance(fight, Fight)
    if fight.loaded.whole is None:
        fight = begin_game("fight", "grid-battles", "ford")  # a game on a map
    assert isinstance(fight, Fight)
    assert fight.loaded.whole is not None
    for _ in range(12):
        question = fight.asked
        assert question is not None
        if question.dice is not None:
            fight = fight.answer([die.faces[0] for die in question.dice.dice])
        else:
            fight = fight.answer(question.options[-1].name)
    known = fight.view(since=-1)
    more = fight
    while len(more.view(since=-1).exchange) <= len(known.exchange) + 2:
        assert more.asked is not None
        dice = more.asked.dice
        first = next(iter(more.asked.options), None)
        if first is not None:
            more = more.answer(first.name)
        elif dice is not None:
            more = more.answer([die.faces[0] for die in dice.dice])
    view, whole = more.view(since=known.revision), more.view(since=-1)
    assert view.lines_before == len(known.exchange) > 0
    assert (*known.exchange, *view.exchange) == whole.exchange
    assert (*known.short[: view.short_before], *view.short) == whole.short


def test_a_saved_game_keeps_its_revision_and_older_ones_count_their_moves() -> None:
    fight = husks().answer("pass").undo().answer("pass")
    assert fight.revision == 3
    again = Fight.restored(fight.saved)
    assert (again.revision, again.view(since=3).kept, again.view(since=2).kept) == (3, 1, 0)
    old = {key: value for key, value in fight.saved.items() if key not in {"revision", "seal"}}
    assert Fight.restored({**old, "version": 3}).revision == 1
    with pytest.raises(AnswerError):
        fight.at(9)
