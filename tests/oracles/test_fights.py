"""The games worked out by hand against counts on paper, and against the model checker Storm."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.fights import (
    Answer,
    Hits,
    Slugger,
    at_once,
    bled,
    blow,
    by_members,
    counted,
    hurried,
    struck,
    sums,
    turns,
)

F = Fraction


def test_dice_by_hand() -> None:
    assert dict(sums(2, 2, 1)) == {1: F(1, 4), 2: F(1, 2), 3: F(1, 4)}
    assert dict(counted(2, 6, 5)) == {0: F(4, 9), 1: F(4, 9), 2: F(1, 9)}


def test_taking_turns_by_hand() -> None:
    """Each hits every other time: A with 1/2 + 1/4 A = 2/3; a round goes on with 1/4."""
    one = Slugger(1, sides=2, armor=1)
    assert turns(one, one, "one") == Answer((F(2, 3), F(1, 3)), F(0), F(0), F(0), F(4, 3))


def test_both_at_once_by_hand() -> None:
    """Each round ends with 3/4, in a draw one time out of three."""
    one = Slugger(1, sides=2, armor=1)
    assert at_once(one, one) == Answer((F(1, 3), F(1, 3)), F(1, 3), F(0), F(0), F(4, 3))


def test_nobody_can_hurt_by_hand() -> None:
    one = Slugger(1, sides=2, armor=2)
    assert turns(one, one, "coin") == Answer((F(0), F(0)), F(0), F(0), F(1), None)


def test_rolling_off_by_hand() -> None:
    """Equals who always hit: whoever is rolled off to be first, once."""
    one = Slugger(1, sides=1)
    assert hurried(one, one, 1) == Answer((F(1, 2), F(1, 2)), F(0), F(0), F(0), F(1))


def test_bleeding_by_hand() -> None:
    """One point each in the first round, then both bleed out of it."""
    one = Slugger(2, sides=1, bleeds=1)
    assert bled(one, one, "one") == Answer((F(0), F(0)), F(1), F(0), F(0), F(1))


# -- Storm ---------------------------------------------------------------------------------------

ONE, OTHER = Slugger(5, sides=4, armor=2), Slugger(6, sides=6, armor=1)
SPEARS, BOWS = Slugger(4, sides=6, hits=4), Slugger(3, sides=4, hits=2)


def loses(points: str, hits: Hits, more: str = "") -> str:
    """A distribution over what somebody loses, in Storm's language."""
    return " + ".join(
        f"{p.numerator}/{p.denominator}: ({points}'=max(0,{points}-{n})){more}" for n, p in hits
    )


def in_turn() -> tuple[str, Answer]:
    model = f"""
    dtmc module duel
      a : [0..{ONE.hp}] init {ONE.hp}; b : [0..{OTHER.hp}] init {OTHER.hp};
      turn : [0..1] init 0;
      [round] turn=0 & a>0 & b>0 -> {loses("b", blow(ONE, OTHER), "&(turn'=1)")};
      [] turn=1 & a>0 & b>0 -> {loses("a", blow(OTHER, ONE), "&(turn'=0)")};
      [] a=0 | b=0 -> true;
    endmodule
    rewards "rounds" [round] true : 1; endrewards
    """
    return model, turns(ONE, OTHER, "one")


def together() -> tuple[str, Answer]:
    model = f"""
    dtmc
    module one
      a : [0..{ONE.hp}] init {ONE.hp};
      [round] a>0 & b>0 -> {loses("a", blow(OTHER, ONE))};
      [stop] a=0 | b=0 -> true;
    endmodule
    module other
      b : [0..{OTHER.hp}] init {OTHER.hp};
      [round] a>0 & b>0 -> {loses("b", blow(ONE, OTHER))};
      [stop] a=0 | b=0 -> true;
    endmodule
    rewards "rounds" [round] true : 1; endrewards
    """
    return model, at_once(ONE, OTHER)


def members() -> tuple[str, Answer]:
    rows = [
        f"[{label}] turn={turn} & {mine}={n} & {theirs}>0 -> "
        + loses(theirs, by_members(who, who, n, 0), f"&(turn'={1 - turn})")
        + ";"
        for turn, mine, theirs, who, label in (
            (0, "a", "b", SPEARS, "round"),
            (1, "b", "a", BOWS, ""),
        )
        for n in range(1, who.hp + 1)
    ]
    model = f"""
    dtmc module duel
      a : [0..{SPEARS.hp}] init {SPEARS.hp}; b : [0..{BOWS.hp}] init {BOWS.hp};
      turn : [0..1] init 0;
      {" ".join(rows)}
      [] a=0 | b=0 -> true;
    endmodule
    rewards "rounds" [round] true : 1; endrewards
    """
    return model, struck(SPEARS, BOWS, "one", by_members)


@pytest.mark.parametrize("game", [in_turn, together, members])
def test_storm_says_the_same(game: Any, tmp_path: Path) -> None:
    stormpy = pytest.importorskip("stormpy")
    text, hand = game()
    path = tmp_path / "duel.prism"
    path.write_text(text, encoding="utf-8")
    program = stormpy.parse_prism_program(str(path))
    asked = 'P=? [F a>0 & b=0]; P=? [F a=0 & b>0]; P=? [F a=0 & b=0]; R{"rounds"}=? [F a=0 | b=0]'
    questions = stormpy.parse_properties(asked, program)
    model = stormpy.build_model(program, questions)
    environment = stormpy.environments.Environment()
    environment.solver().set_linear_equation_solver_type(
        stormpy.environments.EquationSolverType.TOPOLOGICAL
    )
    found = [
        stormpy.model_checking(
            model, question, only_initial_states=True, environment=environment
        ).get_value(model.initial_states[0])
        for question in questions
    ]
    assert hand.rounds is not None
    assert found == pytest.approx(
        [float(x) for x in (*hand.won, hand.drawn, hand.rounds)], abs=1e-12
    )
