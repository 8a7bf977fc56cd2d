"""Whoever holds back a turn breaks in on a deed that somebody is about to do."""

from affray.core.node import Facts
from affray.core.system import System
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.hands import Leave
from affray.engine.fight.played.playouts import Players, Playout
from affray.engine.fight.played.session import FightSession
from tests import fight_systems as games

from .test_session import answered, asked, fight, points


def interrupting() -> System[Facts]:
    return games._system(waits=True, interrupts=True)


def broken_into() -> FightSession:
    """Ada waits, Bo passes, and Husk 1 is about to attack Bo."""
    session = answered(fight(interrupting), "wait", "pass", "wait")
    return session.answer("attack: Bo")


def test_who_waits_may_act_before_a_deed_is_done() -> None:
    session = broken_into()
    question = session.question
    assert question is not None
    assert (question.kind, question.fighter) == ("actor", (0, 0))
    assert question.ask == "Ada waits, and Husk 1 is about to attack Bo: act before that?"
    acting = session.answer("act")
    assert acting.moment.actor == FighterId(0, 0)
    assert [event.kind for event in acting.events] == ["interrupt"]
    asked_now = acting.question
    assert asked_now is not None
    assert asked_now.closed == (("wait", "somebody else's turn is interrupted for this one"),)
    # Ada strikes Husk 2; then Husk 1 strikes Bo, as was said.
    after = answered(acting, "attack: Husk 2", [1])
    assert asked(after)[0] == "exchange"
    done = after.answer((3,))
    assert done.moment.actor == FighterId(1, 1)
    assert points(done) == (5, 1, 4, 3)


def test_a_deed_goes_on_where_nobody_interrupts_it() -> None:
    session = broken_into().answer("wait")
    assert asked(session)[0] == "exchange"
    done = session.answer((3,))
    assert done.moment.held == (FighterId(0, 0),)  # and Ada waits still


def test_a_deed_of_one_who_falls_is_never_done() -> None:
    session = answered(broken_into(), "act", "attack: Husk 1", [4])
    assert points(session)[2] == 0
    assert session.moment.actor == FighterId(1, 1)
    assert session.position.declared == ()
    assert session.moment.depth == 0


def test_a_deed_whose_target_is_gone_is_chosen_anew() -> None:
    """Ada's turn in between ends with a game master taking Bo out of the way."""
    acting = broken_into().answer("act").hand(Leave(FighterId(0, 1)))
    after = acting.answer("pass")
    assert after.moment.actor == FighterId(1, 0)
    assert asked(after) == ("deed", "attack: Ada", "wait", "pass")


def test_two_who_wait_are_asked_one_by_one() -> None:
    session = answered(fight(interrupting), "wait", "wait", "wait", "attack: Ada")
    asks = []
    while session.question is not None and session.question.kind == "actor":
        asks.append(session.question.fighter)
        session = session.answer("wait")
    assert asks == [(0, 0), (0, 1)]
    # The second breaks in; before the blow falls after all, the first is asked again.
    again = answered(fight(interrupting), "wait", "wait", "wait", "attack: Ada", "wait", "act")
    assert again.moment.actor == FighterId(0, 1)
    first = again.answer("pass")
    assert first.question is not None
    assert first.question.fighter == (0, 0)
    assert asked(first.answer("wait"))[0] == "exchange"


def test_a_fight_that_was_interrupted_is_played_out_to_its_end() -> None:
    """Chances from every position on the way: who breaks in, and what goes on after that."""
    session = broken_into()
    for here in (session, session.answer("act"), answered(session, "act", "attack: Husk 2", [1])):
        playout = Playout(here.position, Players(), seed=3)
        assert {playout.verdict() for _ in range(20)} <= {"one", "other"}
