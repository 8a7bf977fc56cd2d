"""Play: questions, answers, undo, replay; who answers; what the log tells."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.app.inputs.setups import load
from affray.core.dice import Face, Pool, d
from affray.core.errors import AnswerError, RulesError
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field
from affray.engine.exchange import session as play
from affray.engine.exchange.best import solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Answer, LogLine, Question, Session, Thrown
from affray.engine.exchange.sources import Entropy, ForActor, Policy, Script, Seeded, drive
from tests.core.assembling import Setup, assembled
from tests.engine.toy import BLOCK, COIN, DAMAGE, Duel, always, duel, facts_of, through, wish

Given = str | Sequence[Face]


def answered(game: Game, *answers: Given) -> Session:
    session = Session(game)
    for given_ in answers:
        session = session.answer(given_)
    return session


def asked(session: Session) -> Question:
    question = session.question
    assert question is not None
    return question


def state(session: Session) -> tuple[object, ...]:
    """Everything that can be seen of a session."""
    return (
        session.here,
        session.steps_taken,
        session.answers,
        session.outcome,
        session.question,
        session.log,
    )


TO_REROLL: tuple[Given, ...] = (["crown"], [3], [2])
"""One target, armor 1, one point: up to the choice of a reroll."""
TO_END: tuple[Given, ...] = (*TO_REROLL, "reroll", [8], "block", [4])


# -- questions -------------------------------------------------------------------------------


def test_session_asks_for_a_roll() -> None:
    question = asked(Session(duel(1, points=1)))
    assert question == Question(
        "attacker", "coin", "toss_coin", ("TY-1",), Pool((COIN, 1)), (), (), ()
    )


def test_session_asks_for_a_choice() -> None:
    session = answered(duel(1, points=1), *TO_REROLL)
    question = asked(session)
    assert (question.actor, question.ask, question.step) == (
        "attacker", "reroll?", "choose_reroll",
    )  # fmt: skip
    assert question.dice is None
    assert [(option.name, option.words) for option in question.options] == [
        ("keep", ""),
        ("reroll", "roll the 3 again"),
    ]
    assert question.about == (("die", 3),)
    assert question.clauses == ("TY-4",)
    assert session.outcome is None


def test_an_answer_is_faces_or_an_option_with_a_source_for_each_face() -> None:
    """So whatever is accepted can be saved and read again."""
    session = Session(duel(1, points=1)).answer(Answer(("crown",), by=("table",)))
    with pytest.raises(AnswerError, match="both faces and the option 'reroll'"):
        session.answer(Answer((3,), "reroll"))
    with pytest.raises(AnswerError, match="by: 2 names; needed: one for each of 1 faces"):
        session.answer(Answer((3,), by=("hand", "hand")))
    assert session.answer(Answer((3,), by=("hand",))).answers[-1].by == ("hand",)


def test_one_source_may_stand_for_all_faces() -> None:
    loaded = load("empty-earth", "o4p")
    session = Session(loaded.game).answer(Answer((6, 2), by=("hand",)))
    assert session.answers[0].by == ("hand", "hand")


def test_sessions_questions_and_solutions_are_short_to_look_at() -> None:
    session = Session(duel(1, points=1))
    assert repr(session.question) == "<question to attacker at toss_coin: coin; 1coin>"
    assert repr(session) == f"<session of toy: 0 answers, {session.question}>"
    choice = answered(duel(1, points=1), *TO_REROLL).question
    assert repr(choice) == "<question to attacker at choose_reroll: reroll?; keep | reroll>"
    solution = solve(duel(1), wish(DAMAGE))
    assert repr(solution) == "<solution of toy from toss_coin, for the best damage>"


class Open(NamedTuple):
    """Facts of a choice with a closed option."""

    open: int = 2


@step("TY-1")
def knock(x: Open) -> Node[Open]:
    """Choose a door."""
    names = ("left", "right")[: x.open]
    return Choice("attacker", "door?", tuple(Option(n, At(rest, x)) for n in names), (),
                  (("middle", "it is locked"),))  # fmt: skip


@step("TY-2")
def rest(x: Open) -> Node[Open]:
    """It is over."""
    return End(x)


@step("TY-3")
def spin(x: Open) -> Node[Open]:
    """Never ends."""
    return Go(spin, x)


DOORS = assembled((knock, rest))


def doors(number: int = 2) -> Session:
    return Session(Game(DOORS, At(DOORS.start, Open(number))))


def test_closed_options_come_with_the_reason() -> None:
    assert asked(doors()).closed == (("middle", "it is locked"),)
    with pytest.raises(AnswerError) as caught:
        doors().answer("middle")
    assert str(caught.value) == "knock (door?): 'middle': it is locked; allowed: left, right"


def test_the_only_option_is_taken_and_logged() -> None:
    session = doors(1)
    assert session.question is None
    assert session.answers == ()
    assert [(line.option, line.by) for line in session.log] == [("left", ("setup",))]


def test_no_question_when_it_is_over() -> None:
    session = answered(duel(1, points=1), *TO_END)
    assert session.question is None
    assert facts_of(session.outcome) == Duel((), hits=1, damage=5, loot=4)
    with pytest.raises(AnswerError, match="the exchange is over; nothing is asked any more"):
        session.answer([1])


def test_endless_steps_without_a_question_are_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MOST_STEPS", 100)
    system = assembled((spin,))
    with pytest.raises(RulesError, match="step spin: 100 steps without a question"):
        Session(Game(system, At(system.start, Open())))


# -- answers ---------------------------------------------------------------------------------


def test_answer_leaves_the_session_as_it_was() -> None:
    session = answered(duel(1, points=1), *TO_REROLL)
    before = state(session)
    there, elsewhere = session.answer("keep"), session.answer("reroll")
    assert state(session) == before
    assert asked(there).step == "choose_stance"
    assert asked(elsewhere).step == "reroll_attack"


@pytest.mark.parametrize(
    ("so_far", "wrong", "message"),
    [
        ((), [1], "toss_coin (coin): 1 is no face of die 1 (coin); allowed: crown, cross"),
        ((), [], "toss_coin (coin): 0 faces given for 1coin; needed: 1"),
        ((), ["crown", "cross"], "toss_coin (coin): 2 faces given for 1coin; needed: 1"),
        ((), "crown", "toss_coin (coin): 0 faces given for 1coin; needed: 1"),
        ((["cross"],), [7], "roll_attack (attack roll): 7 is no face of die 1 (d6); allowed: 1 to"),
        ((["crown"],), [9], "roll_attack (attack roll): 9 is no face of die 1 (d8); allowed: 1 to"),
        ((["crown"],), [True], "roll_attack (attack roll): True is no face of die 1 (d8)"),
        ((["crown"],), [3.0], "roll_attack (attack roll): 3.0 is no face of die 1 (d8)"),
        (TO_REROLL, "flip", "choose_reroll (reroll?): 'flip' is not on offer; allowed: keep, re"),
        (TO_REROLL, "", "choose_reroll (reroll?): '()' is not on offer; allowed: keep, reroll"),
        (TO_REROLL, [3], "choose_reroll (reroll?): '(3,)' is not on offer; allowed: keep, reroll"),
        (TO_REROLL, "Keep", "choose_reroll (reroll?): 'Keep' is not on offer; allowed: keep, re"),
    ],
)
def test_wrong_answer_is_refused_and_changes_nothing(
    so_far: tuple[Given, ...], wrong: Any, message: str
) -> None:
    session = answered(duel(1, points=1), *so_far)
    before = state(session)
    with pytest.raises(AnswerError) as caught:
        session.answer(wrong)
    assert str(caught.value).startswith(message)
    assert state(session) == before


def test_settled_option_that_is_not_on_offer_changes_nothing() -> None:
    # The choice is met only after the guard was rolled.
    game = duel(1, points=0, settled={"choose_reroll": ("reroll",)})
    session = answered(game, ["crown"], [3])
    before = state(session)
    with pytest.raises(AnswerError) as caught:
        session.answer([2])
    assert str(caught.value) == ("choose_reroll (reroll?): 'reroll': no points left; allowed: keep")
    assert state(session) == before


def test_settled_option_that_is_not_on_offer_at_once() -> None:
    start = At(duel().system.step_named("choose_reroll"), Duel((1,), 1))
    game = duel(settled={"choose_reroll": ("flip",)})._replace(start=start)
    with pytest.raises(AnswerError, match="'flip' is not on offer; allowed: keep, reroll"):
        Session(game)


def test_answers_are_what_was_asked_and_who_gave_it() -> None:
    session = Session(duel(1, points=1, settled={"choose_stance": ("block",)}))
    session = session.answer(["crown"]).answer([3], by="table").answer(Answer((2,), "", ("seed",)))
    session = session.answer("keep", by="whim")
    assert session.answers == (
        Answer(("crown",), "", ("hand",)),
        Answer((3,), "", ("table",)),
        Answer((2,), "", ("seed",)),
        Answer((), "keep", ("whim",)),
    )
    stances = [entry for entry in session.steps_taken if entry.at.step.name == "choose_stance"]
    assert [(entry.asked, entry.answer) for entry in stances] == [
        (False, Answer((), "block", ("setup",)))
    ]


def test_answer_that_names_no_giver_is_by_hand_or_whom_one_says() -> None:
    session = Session(duel(1, points=1)).answer(Answer(("crown",)))
    session = session.answer(Answer((3,)), by="table").answer([2]).answer(Answer(option="keep"))
    assert [answer.by for answer in session.answers] == [
        ("hand",), ("table",), ("hand",), ("hand",),
    ]  # fmt: skip


def test_faces_of_a_step_are_those_of_its_last_roll() -> None:
    session = answered(duel(1, 2, points=1), ["crown"], [3], [2], "keep", "block", ["cross"], [5])
    assert session.faces_of("toss_coin") == ("cross",)
    assert session.faces_of("roll_attack") == (5,)
    assert session.faces_of("roll_guard") == (2,)
    assert session.faces_of("count_loot") == ()
    assert session.faces_of("choose_stance") == ()


def test_reroll_keeps_the_old_faces_in_the_log() -> None:
    session = answered(duel(1, points=1), *TO_END)
    assert [line.faces for line in session.log if line.faces] == [
        ("crown",), (3,), (2,), (8,), (4,),
    ]  # fmt: skip


def test_a_roll_without_dice_is_not_asked() -> None:
    # Armor 9 lets nothing through, so there is no loot to roll for.
    session = answered(duel(9), ["crown"], [8], [1], "block")
    assert facts_of(session.outcome) == Duel(())
    (entry,) = [entry for entry in session.steps_taken if entry.at.step.name == "count_loot"]
    assert (entry.asked, entry.answer) == (False, None)
    assert "count_loot" not in {line.step for line in session.log}


# -- undo and replay -------------------------------------------------------------------------


def wandered(seed: int, game: Game, n_answers: int) -> list[Session]:
    """Sessions on a random way, the first before any answer."""
    chance = random.Random(seed)
    sessions = [Session(game)]
    while (question := sessions[-1].question) is not None and len(sessions) <= n_answers:
        if question.dice is None:
            sessions.append(sessions[-1].answer(chance.choice(question.options).name))
        else:
            faces = [chance.choice(die.faces) for die in question.dice.dice]
            sessions.append(sessions[-1].answer(faces))
    return sessions


GAMES = [
    duel(1, 0, points=1),
    duel(9, 1, points=0),
    duel(1, 2, points=2, settled={"choose_stance": ("block",)}),
    duel(1, 2, points=2, settled={"choose_reroll": ("reroll", "keep")}),
]


@given(st.integers(0, 10**6), st.sampled_from(GAMES))
def test_undo_is_the_inverse_of_answer(seed: int, game: Game) -> None:
    sessions = wandered(seed, game, 30)
    assert sessions[-1].outcome is not None
    for before, after in pairwise(sessions):
        assert state(after.undo()) == state(before)
    assert state(sessions[0].undo()) == state(sessions[0])


@given(st.integers(0, 10**6), st.sampled_from(GAMES), st.integers(0, 30))
def test_replay_is_identical(seed: int, game: Game, n_answers: int) -> None:
    last = wandered(seed, game, n_answers)[-1]
    assert state(Session.replay(game, last.answers)) == state(last)


@given(st.integers(0, 10**6), st.sampled_from(GAMES))
def test_undone_to_the_start_and_answered_again(seed: int, game: Game) -> None:
    last = wandered(seed, game, 30)[-1]
    session = last
    for _ in last.answers:
        session = session.undo()
    assert state(session) == state(Session(game))
    for answer in last.answers:
        session = session.answer(answer)
    assert state(session) == state(last)


def test_undo_goes_back_over_what_nobody_was_asked() -> None:
    game = duel(1, points=1, settled={"choose_stance": ("block",)})
    before = answered(game, *TO_REROLL)
    after = before.answer("keep")
    assert len(after.steps_taken) > len(before.steps_taken) + 1
    assert after.undo().here == before.here


def test_replay_says_which_answer_does_not_fit() -> None:
    answers = [Answer(("crown",)), Answer((3,)), Answer((5,)), Answer((), "keep")]
    with pytest.raises(AnswerError, match=r"answer 3: roll_guard \(guard\): 5 is no face of die 1"):
        Session.replay(duel(1, points=1), answers)


# -- the log ---------------------------------------------------------------------------------


def test_log_by_hand() -> None:
    session = answered(duel(1, points=1), *TO_END)
    whole = {line.step: line for line in session.log}
    assert list(whole) == [
        "toss_coin", "roll_attack", "roll_guard", "choose_reroll", "reroll_attack",
        "choose_stance", "strike", "count_loot",
    ]  # fmt: skip
    assert whole["roll_attack"] == LogLine(
        "roll_attack", ("TY-2",), "The attacker rolls.", "attacker", "1d8", (3,), ("hand",), "",
        "", (), "The attack comes to 3.", kinds=(Thrown("d8", 1, 8),),
    )  # fmt: skip
    assert whole["choose_reroll"] == LogLine(
        "choose_reroll", ("TY-4",), "The attacker may spend a point to roll again.", "attacker",
        "", (), ("hand",), "reroll", "roll the 3 again", (), "",
    )  # fmt: skip
    total = through(Duel((1,), die=8, guard=2))
    assert total.value == 5
    assert whole["strike"] == LogLine(
        "strike", ("TY-6",), "What gets through is damage.", "", "", (), (), "", "", (total,),
        "A strike: 5 gets through.",
    )  # fmt: skip


class Jump(NamedTuple):
    rolled: int = 0


@step("TY-1")
def land(x: Jump) -> Node[Jump]:
    """Somebody lands."""
    return End(x)


def jump(verdict: Callable[[Jump, Jump], str]) -> LogLine:
    """The line of a roll of 2d6 that came to 5 + 4, with this verdict."""

    @step("TY-1")
    def leap(x: Jump) -> Node[Jump]:
        """Somebody leaps."""
        return Chance("attacker", "leap", Pool((d(6), 2)), SumOfDice(), "rolled", At(land, x))

    leap.verdict(verdict)
    start: Any = At(leap, Jump())
    game = Game(assembled((leap, land)), start)
    (line,) = Session(game).answer((5, 4)).log
    return line


def test_the_chance_of_what_a_roll_came_to_stands_beside_it() -> None:
    """Of 36, 9 or more come with 10; exactly 9 with 4."""
    line = jump(lambda _, after: "far" if after.rolled >= 9 else "near")
    assert (line.verdict, line.chance) == ("far", Fraction(10, 36))
    line = jump(lambda _, after: f"{after.rolled} feet")
    assert (line.verdict, line.chance) == ("9 feet", Fraction(4, 36))
    line = jump(lambda _, __: "")
    assert (line.verdict, line.chance) == ("", None), "no verdict, no chance"


def test_of_too_many_readings_no_chance_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MOST", 10)  # 2 to 12 are eleven
    line = jump(lambda _, after: "far" if after.rolled >= 9 else "close by")
    assert (line.verdict, line.chance) == ("far", None)


def test_settled_choices_are_logged_as_set_up() -> None:
    session = answered(duel(1, points=1, settled=BLOCK), *TO_REROLL)
    by = {line.step: (line.option, line.by) for line in session.log if line.option}
    assert by == {"choose_reroll": ("keep", ("setup",)), "choose_stance": ("block", ("setup",))}


def test_steps_with_nothing_to_tell_are_not_logged() -> None:
    session = answered(duel(1, points=1), *TO_END)
    entered = [entry.at.step.name for entry in session.steps_taken]
    assert entered.count("toss_coin") == 2
    assert [line.step for line in session.log].count("toss_coin") == 1


# -- who answers -----------------------------------------------------------------------------


def test_nobody_answers() -> None:
    session = Session(duel())
    assert drive(session) is session
    assert drive(session, lambda *_: None) is session


def test_script_gives_faces_and_options_in_order() -> None:
    script = Script(["crown", 3, 2, 8, 4], ["reroll", "block"])
    session = drive(Session(duel(1, points=1)), script)
    assert state(session)[0] == state(answered(duel(1, points=1), *TO_END))[0]
    assert (script.faces, script.choices) == ([], [])
    assert {by for answer in session.answers for by in answer.by} == {"script"}


def test_script_stops_where_nothing_is_left() -> None:
    session = drive(Session(duel(1, points=1)), Script(["crown", 3, 2]))
    assert asked(session).step == "choose_reroll"
    session = drive(session, Script((), ["keep"], by="me"))
    assert asked(session).step == "choose_stance"
    assert session.answers[-1] == Answer((), "keep", ("me",))


def test_script_too_short_inside_a_pool() -> None:
    start = At(duel().system.step_named("count_loot"), Duel((), hits=3))
    session = Session(duel()._replace(start=start))
    script = Script([4, 5])
    with pytest.raises(AnswerError) as caught:
        drive(session, script)
    assert str(caught.value) == ("count_loot (loot) rolls 3d6, 3 faces; only 2 are left: 4, 5")
    assert script.faces == [4, 5]
    done = drive(session, Script([4, 5, 6, 1]))
    assert facts_of(done.outcome).loot == 15
    assert done.answers == (Answer((4, 5, 6), "", ("script",) * 3),)


def test_wrong_face_of_a_script_is_refused() -> None:
    with pytest.raises(AnswerError, match="9 is no face of die 1"):
        drive(Session(duel(1)), Script(["crown", 9]))


def test_seeds_come_again() -> None:
    def faces(seed: int) -> list[Answer]:
        game = duel(*[1] * 10, settled=BLOCK)
        return list(drive(Session(game), Seeded(seed)).answers)

    assert faces(7) == faces(7)
    assert faces(7) != faces(8)
    assert Seeded(7).seed == 7
    assert {by for answer in faces(7) for by in answer.by} == {"seed"}


def test_dice_of_the_machine_leave_choices_to_others() -> None:
    for source in (Entropy(), Seeded(1)):
        session = drive(Session(duel(1, points=1)), source)
        assert asked(session).step == "choose_reroll"
    session = drive(Session(duel(1, settled=BLOCK)), Entropy())
    assert session.outcome is not None
    assert {by for answer in session.answers for by in answer.by} == {"entropy"}


def test_one_entry_for_each_die() -> None:
    start = At(duel().system.step_named("count_loot"), Duel((), hits=3))
    (answer,) = drive(Session(duel()._replace(start=start)), Seeded(1)).answers
    assert (len(answer.faces), answer.by) == (3, ("seed",) * 3)


def test_policy_leaves_rolls_to_others() -> None:
    policy = Policy(always("reroll", "gamble"), by="rule")
    assert asked(drive(Session(duel(1)), policy)).step == "toss_coin"
    session = drive(Session(duel(1, points=1)), policy, Seeded(3))
    assert session.outcome is not None
    assert [(a.option, a.by) for a in session.answers if a.option] == [
        ("reroll", ("rule",)),
        ("gamble", ("rule",)),
    ]


def test_solved_policy_plays() -> None:
    game = duel(1, 2, points=1)
    solution = solve(game, wish(DAMAGE))
    session = drive(Session(game), Policy(solution.decide), Seeded(5))
    assert session.outcome is not None
    for entry in session.steps_taken:
        if entry.asked and isinstance(entry.node, Choice):
            costs = {option.name: option.cost for option in solution.values(entry.at)}
            assert entry.answer is not None
            assert costs[entry.answer.option] == 0


def test_first_source_that_answers_counts() -> None:
    session = drive(Session(duel(1, points=1)), Script(["crown"]), Seeded(1), Policy(always()))
    assert session.outcome is not None
    assert session.answers[0] == Answer(("crown",), "", ("script",))
    assert session.answers[1].by == ("seed",)
    assert session.answers[3].by == ("policy",)


def test_each_actor_has_a_source() -> None:
    mine = Script(["crown", 3, 4], ["keep"], by="own dice")
    session = drive(Session(duel(1, points=1)), ForActor({"attacker": mine, "defender": Seeded(2)}))
    assert asked(session).step == "choose_stance"
    assert [answer.by for answer in session.answers] == [
        ("own dice",), ("own dice",), ("seed",), ("own dice",),
    ]  # fmt: skip
    done = drive(session, ForActor({"attacker": mine}), Policy(always("block")))
    assert done.outcome is not None


def test_actor_without_a_source_is_left_to_others() -> None:
    session = drive(Session(duel(1)), ForActor({"defender": Seeded(2)}))
    assert asked(session).actor == "attacker"


# -- frequencies -----------------------------------------------------------------------------

N_GAMES = 5_000


def test_frequencies_of_play_are_the_odds() -> None:
    game = duel(2, settled={"choose_reroll": ("keep",)})
    decide = always("gamble")
    exact = outcomes(game, ("damage", "hits"), decide=decide)
    dice, policy = Seeded(20_240), Policy(decide)
    counts: Counter[tuple[object, ...]] = Counter()
    for _ in range(N_GAMES):
        x = facts_of(drive(Session(game), dice, policy).outcome)
        counts[x.damage, x.hits] += 1
    assert set(counts) <= set(exact)
    for value, chance in exact.fractions().items():
        error = sqrt(chance * (1 - chance) / N_GAMES)
        assert abs(counts[value] / N_GAMES - chance) <= 5 * error, value


def test_faces_come_by_their_weights() -> None:
    dice = Seeded(99)
    session = Session(duel(0))
    counts = Counter(drive_one(session, dice).faces[0] for _ in range(N_GAMES))
    error = sqrt(Fraction(1, 3) * Fraction(2, 3) / N_GAMES)
    assert abs(counts["crown"] / N_GAMES - 1 / 3) <= 5 * error
    assert counts["crown"] + counts["cross"] == N_GAMES


def drive_one(session: Session, source: Entropy) -> Answer:
    answer = source(session, asked(session))
    assert answer is not None
    return answer


def test_fair_dice_show_every_face() -> None:
    start: At[Facts] = At(duel().system.step_named("count_loot"), Duel((), hits=60))
    session = Session(duel()._replace(start=start))
    assert set(drive_one(session, Seeded(1)).faces) == set(d(6).faces)


class Purse(NamedTuple):
    """Coins."""

    left: int = 3


@step("TY-1")
def pay_out(x: Purse) -> Node[Purse]:
    """Everything is spent in the end."""
    return End(x._replace(left=0))


@step("TY-1")
def offer(x: Purse) -> Node[Purse]:
    """Two ways to spend it."""
    options = (Option("slowly", At(pay_out, x)), Option("at once", At(pay_out, Purse(1))))
    return Choice("attacker", "how?", options)


def test_the_table_is_drawn_as_it_is_and_in_the_end_as_it_was_left() -> None:
    system = assembled(
        (offer, pay_out),
        picture=lambda x: f"{x.left} coins",
        fields=(Field[Purse]("left", "Coins left.", lambda x: x.left, "TY-1"),),
    )
    session = Session(Game(system, system.declared(Setup(Purse()))))
    assert (session.picture, session.drawing) == ("3 coins", "")
    assert "left" not in session.result
    session = session.answer("at once")
    assert session.picture == "0 coins"
    assert "left" in session.result
    assert session.result["left"] == 0
    assert "right" not in session.result
