"""A report on best play: situations that a step tells in the same words are told apart."""

from fractions import Fraction
from typing import NamedTuple, cast

import pytest

from affray.core.dice import Face, Pool, d
from affray.core.hints import Hints
from affray.core.node import At, Chance, End, Facts, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, Objective
from affray.engine.exchange import decisions as listing
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.decisions import Decision, decisions, report
from affray.engine.exchange.game import Game
from tests.core.assembling import assembled


class Mark(NamedTuple):
    face: int
    shows: bool = False


class Table(NamedTuple):
    hidden_face: int | Mark | tuple[int, ...] = 0
    won: bool = False


def reports(kind: str) -> tuple[Decision, ...]:
    """Somebody guesses whether a coin shows 2; the question doesn't tell its face."""

    @step("TY-1")
    def toss(x: Table) -> Node[Table]:
        """A coin is tossed."""
        return Chance("attacker", "coin", Pool((d(2), 1)), SumOfDice(), "hidden_face", At(keep, x))

    @step("TY-1")
    def keep(x: Table) -> Node[Table]:
        """It is kept as a number, a mark, or a row."""
        face = x.hidden_face
        assert isinstance(face, int)
        kept = {"number": face, "mark": Mark(face), "row": (face, 7), "marks": Mark(face, True)}
        after = x._replace(hidden_face=kept[kind])  # type: ignore[arg-type]  # one of the four
        return choose("attacker", "ready?", [Option("yes", At(guess, after))])

    @step("TY-1")
    def guess(x: Table) -> Node[Table]:
        """Somebody guesses."""
        shown = x.hidden_face
        is_two = shown in {2, (2, 7)} or (isinstance(shown, Mark) and shown.face == 2)
        options = [
            Option("two", At(over, x._replace(won=is_two))),
            Option("one", At(over, x._replace(won=not is_two))),
        ]
        return choose("attacker", "which face?", options, (("coin", "covered"),))

    @step("TY-1")
    def over(x: Table) -> Node[Table]:
        """It is over."""
        return End(x)

    system = assembled(
        (toss, keep, guess, over),
        fields=(Field("won", "whether it was right", lambda x: x.won, "TY-1"),),
        objectives=(Objective("won", "chance", lambda x: int(x.won), "attacker"),),
    )
    game = Game(system, cast("At[Facts]", At(toss, Table())))
    return decisions(solve(game, objective_named(system, "won")))


@pytest.mark.parametrize(
    ("kind", "told"),
    [("number", {1, 2}), ("mark", {1, 2}), ("row", {"1 7", "2 7"}), ("marks", None)],
)
def test_facts_that_differ_tell_situations_apart(kind: str, told: set[object] | None) -> None:
    (report,) = reports(kind)
    assert [(one.best, one.chance) for one in report.situations] in (
        [("one", Fraction(1, 2)), ("two", Fraction(1, 2))],
        [("two", Fraction(1, 2)), ("one", Fraction(1, 2))],
    )
    labels = {label for one in report.situations for label, _ in one.about}
    if told is None:  # nothing that can be said in a word
        assert labels == {"coin"}
    else:
        assert labels == {"coin", "hidden face"}
        assert {dict(one.about)["hidden face"] for one in report.situations} == told


class Sum(NamedTuple):
    sum: int = 0
    won: bool = False


def test_of_many_situations_the_most_likely_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    @step("TY-1")
    def roll(x: Sum) -> Node[Sum]:
        """Two dice are rolled."""
        return Chance("attacker", "sum", Pool((d(6), 2)), SumOfDice(), "sum", At(bet, x))

    @step("TY-1")
    def bet(x: Sum) -> Node[Sum]:
        """Somebody bets on seven."""
        options = [Option("no", At(over, x)), Option("yes", At(over, x._replace(won=x.sum == 7)))]
        return choose("attacker", "bet?", options, (("sum", x.sum), ("dice", 2)))

    @step("TY-1")
    def over(x: Sum) -> Node[Sum]:
        """It is over."""
        return End(x)

    system = assembled(
        (roll, bet, over),
        fields=(Field("won", "whether it was right", lambda x: x.won, "TY-1"),),
        objectives=(Objective("won", "chance", lambda x: int(x.won), "attacker"),),
    )
    game = Game(system, cast("At[Facts]", At(roll, Sum())))
    solution = solve(game, objective_named(system, "won"))
    (whole,) = decisions(solution)
    assert (len(whole.situations), whole.more) == (1, 0)  # elsewhere both come to the same: `Go`
    everywhere = game._replace(start=cast("At[Facts]", At(roll, Sum(won=True))))
    (whole,) = decisions(solve(everywhere, objective_named(system, "won")))
    assert (len(whole.situations), whole.more) == (10, 0)  # all sums but seven
    monkeypatch.setattr(listing, "MOST_SITUATIONS", 2)
    (few,) = decisions(solve(everywhere, objective_named(system, "won")))
    assert (len(few.situations), few.more) == (2, 8)
    assert {dict(one.about)["sum"] for one in few.situations} == {6, 8}
    assert all(one in whole.situations for one in few.situations)
    assert few.always == whole.always


class Guessed(NamedTuple):
    face: int = 0
    won: bool = False


class Halves(NamedTuple):
    """A d10 of which only the half counts: 1 to 5, or 6 to 10."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return 1 if int(faces[0]) <= 5 else 6


def high_or_low(shown: frozenset[str] = frozenset()) -> Game:
    """A roll that is plainer unless it is asked for what is shown."""

    @step("TY-1")
    def roll(x: Guessed) -> Node[Guessed]:
        """A die is rolled."""
        return Chance("attacker", "die", Pool((d(10), 1)), SumOfDice(), "face", At(bet, x))

    @step("TY-1")
    def bet(x: Guessed) -> Node[Guessed]:
        """Somebody bets on a high number."""
        high = Option("high", At(over, x._replace(won=x.face > 5)))
        low = Option("low", At(over, x._replace(won=x.face <= 5)))
        return choose("attacker", "high?", [low, high], (("face", x.face),))

    @step("TY-1")
    def over(x: Guessed) -> Node[Guessed]:
        """It is over."""
        return End(x)

    system = assembled(
        (roll, bet, over),
        fields=(Field("won", "whether it was right", lambda x: x.won, "TY-1"),),
        objectives=(Objective("won", "chance", lambda x: int(x.won), "attacker", "won"),),
        hints=Hints(
            shown=shown,
            forget=lambda roll, needed: (
                roll if shown and shown <= needed else roll._replace(read=Halves())
            ),
        ),
    )
    return Game(system, cast("At[Facts]", At(roll, Guessed())))


def test_readings_that_are_taken_for_one_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(high_or_low(), objective_named(high_or_low().system, "won"))
    whole = report(solution)
    assert whole.is_whole
    merged = report(solution, most=1)
    assert not merged.is_whole
    assert merged.decisions == whole.decisions
    (decision,) = merged.decisions
    assert [dict(one.about)["face"] for one in decision.situations] == list(range(1, 11))
    assert [one.best for one in decision.situations] == ["low"] * 5 + ["high"] * 5
    assert {one.chance for one in decision.situations} == {Fraction(1, 10)}
    monkeypatch.setattr(listing, "MOST_SITUATIONS", 4)
    (few,) = decisions(solution)
    assert (len(few.situations), few.more) == (4, 6)


def test_whoever_decides_is_told_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    game = high_or_low(frozenset({"face"}))
    solution = solve(game, objective_named(game.system, "won"))
    whole = report(solution)
    taken_for_one: list[object] = []
    monkeypatch.setattr(listing, "_taken_for_one", taken_for_one.append)
    assert report(solution, most=1).decisions == whole.decisions
    assert not taken_for_one
