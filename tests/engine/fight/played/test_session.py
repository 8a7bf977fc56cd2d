"""Fights that people play: what is asked, what an answer does, and a game master's hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from affray.core.errors import AnswerError, RulesError, SetupError, UnknownNameError
from affray.core.fight import ATTACK, Deed
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.exchange.session import Answer
from affray.engine.fight.course import FighterId, First
from affray.engine.fight.played.deeds import attempts
from affray.engine.fight.played.hands import (
    End,
    Enter,
    Hand,
    Leave,
    SetCondition,
    SetFirst,
    SetOrder,
    SetSituation,
)
from affray.engine.fight.played.position import Act
from affray.engine.fight.played.session import FightSession
from tests import fight_systems as games
from tests.fight_systems import Body, Fighter

ADA, BO = Fighter("Ada", 5), Fighter("Bo", 4)
HUSK = Fighter("Husk", 4)
ONE, OTHER = (ADA, BO), (HUSK, HUSK)


def fight(
    game: Callable[[], System[Facts]] | System[Facts] = games.slugging,
    one: tuple[Fighter, ...] = ONE,
    other: tuple[Fighter, ...] = OTHER,
    first: First = "one",
    **more: Any,
) -> FightSession:
    return FightSession(games.contest(game, one, other, first, **more), rounds=9)


def answered(session: FightSession, *given: str | Sequence[int | str]) -> FightSession:
    for one in given:
        session = session.answer(one)
    return session


def asked(session: FightSession) -> tuple[str, ...]:
    """The kind of the question, and the options or the faces of its die."""
    question = session.question
    assert question is not None
    if question.dice is not None:
        return question.kind, *map(str, question.dice.dice[0].faces)
    return question.kind, *(option.name for option in question.options)


def points(session: FightSession) -> tuple[int, ...]:
    return tuple(body.hp for side in session.conditions for body in side)  # type: ignore[attr-defined]


# -- what is asked -------------------------------------------------------------------------------


def test_a_turn_asks_for_the_deed_and_its_target_then_what_the_exchange_asks() -> None:
    session = fight()
    question = session.question
    assert question is not None
    assert (question.fighter, question.side) == (FighterId(0, 0), 0)
    assert question.ask == "Ada: what now?"
    assert asked(session) == ("deed", "attack: Husk 1", "attack: Husk 2", "pass")
    struck = session.answer("attack: Husk 2")
    question = struck.question
    assert question is not None
    assert (question.kind, question.ask, str(question.dice)) == ("exchange", "blow", "1d4")
    assert (question.fighter, question.actor) == (FighterId(0, 0), "attacker")
    after = struck.answer([3])
    assert points(after) == (5, 4, 4, 1)
    assert asked(after)[0] == "deed"
    assert after.question is not None
    assert after.question.fighter == FighterId(0, 1)
    assert points(session) == (5, 4, 4, 4)


def test_passing_ends_the_turn_and_changes_nobody() -> None:
    session = answered(fight(), "pass", "pass", "pass", "pass")
    assert (session.moment.round, points(session)) == (2, (5, 4, 4, 4))
    kinds = [event.kind for event in session.log]
    assert kinds == ["round", *["turn", "pass"] * 4, "close", "round", "turn"]


def test_two_exchanges_in_a_turn_are_two_questions() -> None:
    session = answered(fight(games.twice), "attack: Husk 1", [1])
    assert session.question is not None
    assert (session.question.fighter, session.moment.done) == (FighterId(0, 0), 1)
    assert answered(session, "pass").moment.actor == FighterId(0, 1)


def test_initiative_is_rolled_fighter_by_fighter_and_equals_are_a_die_with_names() -> None:
    session = fight(games.hurrying, (ADA, BO), (HUSK,), "initiative")
    for place in (FighterId(0, 0), FighterId(0, 1), FighterId(1, 0)):
        assert session.question is not None
        assert (session.question.kind, session.question.fighter) == ("initiative", place)
        session = session.answer([2])
    assert asked(session) == ("order", "Ada", "Bo", "Husk")
    session = session.answer(["Husk"])
    assert asked(session) == ("order", "Ada", "Bo")
    session = session.answer(["Bo"])
    assert session.position.order == (FighterId(1, 0), FighterId(0, 1), FighterId(0, 0))
    assert session.log[3].order == session.position.order


def test_nobody_is_asked_about_the_order_of_those_who_are_out() -> None:
    other = (HUSK, Fighter("Ox", 0))
    session = fight(games.steady_order, (ADA, BO), other, "initiative")
    assert asked(session) == ("order", "Ada", "Bo", "Husk")
    session = answered(session, ["Bo"], ["Husk"])
    assert session.position.order == tuple(FighterId(*n) for n in ((0, 1), (1, 0), (0, 0), (1, 1)))


def test_a_coin_names_a_side_once() -> None:
    session = fight(first="coin")
    assert asked(session) == ("order", "One", "Other")
    assert session.question is not None
    assert (session.question.fighter, session.question.side) == (None, None)
    session = answered(session, ["Other"], *["pass"] * 4)
    assert session.moment.round == 2
    assert session.moment.actor == FighterId(1, 0)


def test_where_sides_alternate_the_side_chooses_who_acts() -> None:
    session = fight(first="alternate")
    assert asked(session) == ("actor", "Ada", "Bo")
    assert session.question is not None
    assert (session.question.fighter, session.question.side) == (None, 0)
    session = answered(session, "Bo", "pass")
    assert asked(session) == ("actor", "Husk 1", "Husk 2")
    session = answered(session, "Husk 2", "pass")
    # the only one who is left is not asked for
    assert session.moment.actor == FighterId(0, 0)
    session = answered(session, "pass", "pass")
    assert [event.fighter for event in session.log if event.kind == "turn"] == [
        (0, 1), (1, 1), (0, 0), (1, 0),
    ]  # fmt: skip
    assert asked(session) == ("actor", "Ada", "Bo")


def test_a_deed_that_the_rules_refuse_is_closed_with_the_reason() -> None:
    plain = games.reviving().fight
    assert plain is not None

    def declare(scene: Any) -> Any:
        if scene.deed == games.SECOND_WIND:
            raise SetupError("no breath left (TY-9)")
        return plain.declare(scene)

    system = games._system(
        declare=declare, effect=plain.effect, apply=plain.apply, deeds=plain.deeds
    )
    session = answered(fight(system), "attack: Husk 1", [4], "pass")
    question = session.question
    assert question is not None
    assert asked(session) == ("deed", "attack: Ada", "attack: Bo", "pass")
    assert question.closed == (("second wind: Husk 1", "no breath left (TY-9)"),)
    with pytest.raises(AnswerError, match=r"'second wind: Husk 1': no breath left .*; allowed: at"):
        session.answer("second wind: Husk 1")


def test_somebody_may_help_any_friend_who_fits_and_nobody_who_has_left() -> None:
    session = fight(games.reviving, (ADA, BO, Fighter("Cy", 3)), (Fighter("Husk", 4, dice=2),))
    session = answered(session, "pass", "pass", "pass", "attack: Ada", [4, 4])
    assert asked(session) == ("deed", "second wind: Ada", "attack: Husk", "pass")
    left = session.hand(Leave(FighterId(0, 0)))
    assert asked(left) == ("deed", "attack: Husk", "pass")
    for here, first in ((session, "second wind"), (left, "attack")):
        need = here.position.need
        assert isinstance(need, Act)
        deeds = [deed.name for deed, found in attempts(here.position, need) if found]
        assert deeds[0] == first, "who is left to choose helps nobody who has left either"


def test_what_is_urgent_comes_right_after_the_blow_that_made_it_so() -> None:
    """A die says how many points come back, once; nobody is asked whether to."""
    session = answered(fight(games.gathering, (ADA,), (HUSK,)), "attack: Husk", [3])
    assert points(session) == (5, 1)
    assert asked(session) == ("exchange", "1", "2")
    session = answered(session, [2])
    assert points(session) == (5, 3)
    session = answered(session, "pass", "attack: Husk", [2])
    assert points(session) == (5, 1)
    assert asked(session) == ("deed", "attack: Ada", "pass"), "a single time"


def test_nothing_is_urgent_any_more_once_a_fight_is_over() -> None:
    session = answered(fight(games.gathering, (ADA,), (HUSK,)), "attack: Husk", [4])
    assert points(session) == (5, 0)
    assert session.question is None


def test_what_befalls_a_fighter_is_not_asked() -> None:
    """A deed that is forced begins by itself; nobody can pass it over."""
    storm = Deed("storm", "self", forced=True)

    def deeds(sheet: Fighter, body: Body) -> tuple[Deed, ...]:
        return (ATTACK,) if body.marked else (storm,)

    def apply(sheet: Fighter, body: Body, damage: int) -> Body:
        return Body(max(0, body.hp - damage), 1)

    system = games._system(deeds=deeds, apply=apply, actions=2)
    session = fight(system)
    assert asked(session) == ("exchange", "1", "2", "3", "4")
    assert asked(session.answer([1]))[0] == "deed"


def test_a_turn_in_which_nothing_can_be_done_is_told_and_not_asked() -> None:
    system = games._system(deeds=lambda sheet, body: (ATTACK,) if sheet.name == "Ada" else ())
    session = fight(system).answer("pass")
    assert session.moment.round == 2
    told = [(event.fighter, event.why) for event in session.log if event.kind == "pass"]
    assert told == [((0, 0), "")] + [
        (who, "nothing can be done") for who in ((0, 1), (1, 0), (1, 1))
    ]


def test_an_idle_side_is_never_asked_what_to_do() -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "alternate")
    one, other = contest.sides
    session = FightSession(contest.changed(sides=(one, other._replace(idle=True))))
    session = answered(session, "Ada", "pass")
    assert session.moment.actor == FighterId(0, 1)


def test_two_deeds_of_one_name_are_refused() -> None:
    system = games._system(deeds=lambda sheet, body: (ATTACK, ATTACK))
    with pytest.raises(RulesError, match="'attack: Husk 1' is offered twice"):
        assert fight(system).question


def test_the_end_of_a_fight_asks_what_is_left_to_settle() -> None:
    check = Deed("check", "self")
    system = games._system(
        afterwards=lambda sheet, body: check if sheet.name == "Ada" and body.hp > 1 else None
    )
    session = fight(system, (ADA,), (Fighter("Husk", 1),))
    session = answered(session, "attack: Husk", [1])
    assert session.verdict is None
    assert asked(session)[0] == "exchange"
    session = session.answer([2])
    assert (session.verdict, session.question, points(session)) == ("one", None, (3, 0))
    assert session.log[-1].kind == "over"
    with pytest.raises(AnswerError, match="the fight is over"):
        session.answer("pass")


# -- waiting -------------------------------------------------------------------------------------


def waiting() -> System[Facts]:
    return games._system(waits=True)


def test_a_turn_may_be_held_back_and_is_called_before_a_later_one() -> None:
    session = fight(waiting)
    assert asked(session)[-2:] == ("wait", "pass")
    session = session.answer("wait")
    # nobody is asked before somebody else had a turn
    assert session.moment.actor == FighterId(0, 1)
    session = session.answer("pass")
    assert asked(session) == ("actor", "wait", "act")
    assert session.question is not None
    assert (session.question.fighter, session.question.ask) == ((0, 0), "Ada waits: act now?")
    acting = session.answer("act")
    assert asked(acting) == ("deed", "attack: Husk 1", "attack: Husk 2", "wait", "pass")
    assert acting.moment.actor == FighterId(0, 0)
    assert answered(acting, "pass").moment.actor == FighterId(1, 0)
    later = answered(session, "wait", "pass", "wait", "pass")
    # the last call, then the turn is lost
    assert asked(later) == ("actor", "wait", "act")
    lost = later.answer("wait")
    assert (lost.moment.round, lost.moment.actor) == (2, (0, 0))
    assert later.answer("act").moment.actor == FighterId(0, 0)


def test_a_turn_that_was_held_back_begins_only_once() -> None:
    system = games._system(waits=True, begin_turn=lambda sheet, body: Body(body.hp - 1))
    session = answered(fight(system), "wait", "pass", "act")
    assert points(session) == (4, 3, 4, 4)


def test_the_last_of_a_round_cannot_wait() -> None:
    session = answered(fight(waiting), "pass", "pass", "pass")
    question = session.question
    assert question is not None
    assert question.closed == (("wait", "nobody else has a turn in this round"),)


def test_who_falls_while_waiting_is_not_asked_any_more() -> None:
    session = answered(fight(waiting, (Fighter("Ada", 1), BO)), "wait", "pass", "wait")
    session = answered(session, "attack: Ada", [1])
    assert asked(session)[0] == "deed"
    assert session.moment.actor == FighterId(1, 1)


# -- moves are the truth -------------------------------------------------------------------------


def test_moves_lead_to_the_same_place_again_and_undo_leads_back() -> None:
    begun = fight(games.hurrying, ONE, OTHER, "initiative")
    session = answered(begun, [1], [2], [1], [2])
    session = answered(session, ["Bo"], ["Husk 1"], "attack: Husk 2", [4], "pass")
    assert [type(move) for move in session.moves] == [Answer] * 9
    assert session.moves[4] == Answer(("Bo",), by=("hand",))
    again = begun.replay(session.moves)
    assert (again.conditions, again.moment) == (session.conditions, session.moment)
    assert (again.question, again.moves) == (session.question, session.moves)
    back = session
    for _ in session.moves:
        back = back.undo()
    assert back is begun
    assert back.undo() is begun


def test_wrong_answers_change_nothing_and_say_what_is_allowed() -> None:
    session = fight(first="coin")
    with pytest.raises(AnswerError, match=r"'Ada' is no face of die 1 .*allowed: One, Other"):
        session.answer(["Ada"])
    session = session.answer("One")  # a name is as good as a face
    assert session.moves == (Answer(("One",), by=("hand",)),)
    with pytest.raises(AnswerError, match=r"Ada: what now\? 'rest' is not on offer; allowed: att"):
        session.answer("rest")
    with pytest.raises(AnswerError, match="Ada: what now"):
        session.answer([3])
    struck = session.answer("attack: Husk 1")
    with pytest.raises(AnswerError, match="9 is no face"):
        struck.answer([9])
    with pytest.raises(AnswerError, match=r"move 2: .*9 is no face"):
        session.replay([Answer(option="attack: Husk 1"), Answer((9,))])


# -- a game master's hand ------------------------------------------------------------------------


def test_a_condition_is_set_and_logged_as_a_hand() -> None:
    session = fight(games.mendable).hand(SetCondition(FighterId(1, 0), "hp", 2))
    assert points(session) == (5, 4, 2, 4)
    event = session.log[-1]
    assert (event.kind, event.fighter, event.why) == (
        "hand", (1, 0), "sets Husk 1's points to 2",
    )  # fmt: skip
    assert points(session.undo()) == (5, 4, 4, 4)
    assert session.question is not None
    assert session.question.fighter == FighterId(0, 0)


def test_what_cannot_be_set_is_refused_with_what_can() -> None:
    session = fight(games.mendable)
    with pytest.raises(SetupError, match="hp: 9; allowed: 0 to 4"):
        session.hand(SetCondition(FighterId(1, 0), "hp", 9))
    with pytest.raises(UnknownNameError, match=r"'luck'.*hp"):
        session.hand(SetCondition(FighterId(1, 0), "luck", 9))
    with pytest.raises(SetupError, match="side 0 has no fighter 7"):
        session.hand(SetCondition(FighterId(0, 7), "hp", 1))
    with pytest.raises(SetupError, match="nothing of Ada can be set"):
        fight().hand(SetCondition(FighterId(0, 0), "hp", 1))


def test_a_hand_waits_until_the_exchange_is_over() -> None:
    session = fight().answer("attack: Husk 1")
    with pytest.raises(AnswerError, match="an exchange goes on"):
        session.hand(Leave(FighterId(0, 0)))


def test_who_is_set_to_be_out_loses_the_turn_and_the_last_one_the_fight() -> None:
    session = fight(games.mendable).hand(SetCondition(FighterId(0, 0), "hp", 0))
    assert session.moment.actor == FighterId(0, 1)
    session = session.hand(SetCondition(FighterId(0, 1), "hp", 0))
    assert (session.verdict, session.question) == ("other", None)
    with pytest.raises(AnswerError, match="undo its end"):
        session.hand(SetCondition(FighterId(0, 1), "hp", 3))


def test_who_comes_in_has_a_name_of_their_own_and_a_turn_in_the_next_round() -> None:
    session = fight().hand(Enter(1, HUSK)).hand(Enter(0, Fighter("Cy", 2)))
    assert session.position.names == (("Ada", "Bo", "Cy"), ("Husk 1", "Husk 2", "Husk 3"))
    assert asked(session) == (
        "deed", "attack: Husk 1", "attack: Husk 2", "attack: Husk 3", "pass",
    )  # fmt: skip
    session = answered(session, "pass", "pass", "pass", "pass")
    assert session.moment.round == 2
    assert session.position.order == tuple(FighterId(n, p) for n in (0, 1) for p in range(3))


def test_who_comes_in_rolls_for_initiative_when_the_next_round_begins() -> None:
    session = fight(games.hurrying, (Fighter("Ada", 5, speed=3),), (HUSK,), "initiative")
    session = answered(session, [1], [1])
    session = answered(session.hand(Enter(1, Fighter("Ox", 9, speed=9))), "pass", "pass")
    assert session.question is not None
    assert (session.question.kind, session.question.fighter) == ("initiative", (1, 1))
    session = session.answer([2])
    assert session.moment.actor == FighterId(1, 1)


def test_who_leaves_has_no_turn_and_is_no_target_and_counts_as_out() -> None:
    session = fight().hand(Leave(FighterId(1, 0)))
    assert asked(session) == ("deed", "attack: Husk 2", "pass")
    session = answered(session, "pass", "pass")
    assert session.moment.actor == FighterId(1, 1)
    with pytest.raises(SetupError, match="Husk 1 has left already"):
        session.hand(Leave(FighterId(1, 0)))
    assert session.hand(Leave(FighterId(1, 1))).verdict == "one"


def test_the_turns_still_to_come_may_be_put_in_another_order() -> None:
    session = fight().hand(SetOrder((FighterId(1, 1), FighterId(0, 1))))
    assert session.log[-1].why == "still lets act in this round: Husk 2, then Bo"
    session = session.answer("pass")
    assert session.moment.actor == FighterId(1, 1)
    session = answered(session, "pass", "pass")
    assert session.moment.round == 2
    with pytest.raises(SetupError, match="twice"):
        session.hand(SetOrder((FighterId(1, 1), FighterId(1, 1))))
    with pytest.raises(AnswerError, match="no order yet"):
        fight(first="coin").hand(SetOrder(()))


def test_who_goes_first_may_be_changed_for_the_rounds_to_come() -> None:
    session = answered(fight().hand(SetFirst("other")), "pass", "pass", "pass", "pass")
    assert session.moment.actor == FighterId(1, 0)
    at_once = fight(first="coin").hand(SetFirst("other"))
    assert at_once.moment.actor == FighterId(1, 0)
    with pytest.raises(SetupError, match="knows no initiative"):
        fight().hand(SetFirst("initiative"))


def test_another_situation_holds_from_now_on() -> None:
    session = fight()
    situation = session.contest.sides[0].situation
    placed = session.hand(SetSituation((situation, None), "sets it for One"))
    assert placed.contest.sides[0].situation is situation
    assert placed.log[-1].why == "sets it for One"
    unsaid = session.hand(SetSituation((situation, None)))
    assert unsaid.log[-1].why == "puts One into another situation"


def test_a_fight_may_be_ended() -> None:
    session = fight().hand(End("drawn"))
    assert (session.verdict, session.question) == ("drawn", None)
    assert [event.kind for event in session.log][-2:] == ["hand", "over"]
    assert session.undo().verdict is None


@pytest.mark.parametrize(
    "hand",
    [
        SetCondition(FighterId(1, 0), "hp", 2), Enter(1, HUSK), Leave(FighterId(1, 0)),
        SetFirst("coin"), SetOrder((FighterId(1, 1),)), End("one"),
    ],
    ids=lambda hand: type(hand).__name__,
)  # fmt: skip
def test_a_hand_is_a_move_like_any_other(hand: Hand) -> None:
    begun = fight(games.mendable)
    session = begun.answer("pass").hand(hand)
    assert session.moves == (Answer(option="pass", by=("hand",)), hand)
    again = begun.replay(session.moves)
    assert (again.conditions, again.moment, again.question) == (
        session.conditions, session.moment, session.question,
    )  # fmt: skip
    assert session.undo().undo() is begun
