"""Fights on a board: a toy in which all stand on a line, and a blow befalls all who stand there."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from affray.core.board import Attempt, Board, Muster
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Told
from affray.core.node import At
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.matchup import fight_of
from affray.engine.fight.plans import DECIDE_ALL
from affray.engine.fight.played.boards import picture_of
from affray.engine.fight.played.chances import exact_chances, sampled_chances
from affray.engine.fight.played.foresight import foresight_of
from affray.engine.fight.played.hands import SetCondition
from affray.engine.fight.played.play import play_battle, replay
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.telling import told_of
from affray.engine.fight.sampled.battle import Battle
from affray.testing.fights import pure_fight
from affray.testing.played import conditions_apart, same_battle_apart
from tests import fight_systems as games
from tests.fight_systems import Blow, Body, Fighter

ONE, TWO = FighterId(0, 0), FighterId(0, 1)
FOE = FighterId(1, 0)
STEP = Deed("step", "self")
Line = tuple[int, ...]


def laid(muster: Muster[Any, Any, Line], situations: Any) -> Line:
    if len(muster.board) != len(muster.figures):
        raise SetupError(f"{len(muster.board)} places; allowed: one for everybody")
    return muster.board


def near(muster: Muster[Any, Any, Line], actor: int, targets: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for n in targets if muster.board[n] == muster.board[actor])


def declare(muster: Muster[Any, Any, Line], attempt: Attempt[Any]) -> At[Blow]:
    """Blows are struck where the actor stands; a step needs no roll that hits."""
    sheet = muster.figures[attempt.actor].sheet
    if attempt.deed == STEP:
        return At(games.strike, Blow(0, 1))
    if muster.board[attempt.actor] != muster.board[attempt.target]:
        raise SetupError("too far")
    return At(games.roll_blow, Blow(sheet.dice, sheet.sides, sheet.hits))


def after(
    muster: Muster[Any, Any, Line], attempt: Attempt[Any], outcome: Blow
) -> tuple[Line, tuple[Body, ...]]:
    """Everybody there suffers but the actor; a step leads towards the first foe's place."""
    board, bodies = list(muster.board), [figure.condition for figure in muster.figures]
    if attempt.deed == STEP:
        side = muster.figures[attempt.actor].side
        aim = next(n for n, figure in enumerate(muster.figures) if figure.side != side)
        board[attempt.actor] += (board[aim] > board[attempt.actor]) - (
            board[aim] < board[attempt.actor]
        )
    else:
        for number, body in enumerate(bodies):
            if number != attempt.actor and board[number] == board[attempt.actor]:
                bodies[number] = body._replace(hp=max(0, body.hp - outcome.damage))
    return tuple(board), tuple(bodies)


def closed(muster: Muster[Any, Any, Line]) -> tuple[Line, tuple[Body, ...]]:
    """At the end of a round who stands at 9 loses a point."""
    bodies = tuple(
        figure.condition._replace(hp=max(0, figure.condition.hp - (place == 9)))
        for figure, place in zip(muster.figures, muster.board, strict=True)
    )
    return muster.board, bodies


def placed(muster: Muster[Any, Any, Line], number: int, value: Any) -> Line:
    if not isinstance(value, int):
        raise SetupError(f"at = {value}; allowed: a number")
    return (*muster.board[:number], value, *muster.board[number + 1 :])


BOARD: Board[Blow, Any, Any, Body, Line] = Board(
    key="line", sheet=tuple, laid=laid, deeds=lambda sheet, body: (ATTACK, STEP), near=near,
    declare=declare, after=after, closed=closed, seen=lambda muster, attempt, facts: muster.board,
    told=lambda muster, n: (Told("place", muster.board[n], "", "at"),), placed=placed,
    picture=lambda muster, width: " ".join(map(str, muster.board))[:width],
)  # fmt: skip


def on_line(*board: int, plan: Any = DECIDE_ALL, faults: Any = None) -> Contest:
    """Two against one, on these places; every blow does a point or two."""
    system = games.on_board(BOARD)
    if faults is not None:
        system = copy(system)
        object.__setattr__(system, "fight", pure_fight(fight_of(system), faults))
    team = Fighter("A", 4, sides=2), Fighter("B", 4, sides=2)
    bare = games.contest(system, team, Fighter("X", 6, sides=2), "one", plan)
    return bare.changed(board=board)


def points(session: FightSession) -> list[int]:
    conditions: Any = session.conditions
    return [body.hp for side in conditions for body in side]


def test_an_exchange_is_declared_from_where_all_stand_and_moves_somebody() -> None:
    session = FightSession(on_line(0, 5, 1))
    question = session.question
    assert question is not None
    assert [option.name for option in question.options] == ["step", "pass"]
    assert dict(question.closed) == {"attack: X": "too far"}
    session = session.answer("step")
    assert session.position.board == (1, 5, 1)
    assert session.events[0].boards == ((0, 5, 1), (1, 5, 1))
    assert session.undo().position.board == (0, 5, 1)


def test_an_exchange_may_befall_anybody_also_a_friend() -> None:
    session = FightSession(on_line(3, 3, 3)).answer("attack: X").answer([2])
    assert points(session) == [4, 2, 4]


def test_the_end_of_a_round_is_the_boards() -> None:
    session = FightSession(on_line(9, 0, 9))
    for _ in range(3):
        session = session.answer("pass")
    assert points(session) == [3, 4, 5]


def test_who_is_left_to_choose_goes_for_those_nearby() -> None:
    """B is first in nothing but being near."""
    battle = play_battle(on_line(0, 5, 5), seed=1, rounds=1)
    assert [(entry.actor, entry.deed, entry.target) for entry in battle.exchanges] == [
        (ONE, "step", ONE), (TWO, "attack", FOE), (FOE, "attack", TWO),
    ]  # fmt: skip


def test_battles_replay_and_people_fight_the_same_fight() -> None:
    contest = on_line(0, 8, 4)
    battle = play_battle(contest, seed=3, rounds=8)
    assert replay(contest, battle) == battle
    assert list(same_battle_apart(contest, battle)) == []
    session = FightSession(contest)
    while session.question is not None:
        names = [option.name for option in session.question.options]
        dice = session.question.dice
        session = session.answer([1] * dice.size if dice is not None else names[0])
    assert list(conditions_apart(session)) == []


def test_people_see_the_board_and_a_game_master_sets_a_place() -> None:
    session = FightSession(on_line(0, 5, 1))
    assert picture_of(session.position) == "0 5 1"
    assert told_of(session.position, TWO)[-1] == Told("place", 5, "", "at")
    session = session.hand(SetCondition(TWO, "at", 1))
    assert picture_of(session.position) == "0 1 1"
    with pytest.raises(SetupError, match="allowed: a number"):
        session.hand(SetCondition(TWO, "at", "there"))


def test_nothing_is_foreseen_on_a_board() -> None:
    """The tables of duels know no places."""
    system, one = games.on_board(BOARD), Fighter("A", 4, sides=2)
    duel = games.contest(system, one, one, "one").changed(board=(0, 2))
    bare = games.contest(games.slugging, one, one, "one")
    for best in (False, True):
        assert foresight_of(FightSession(duel).position, best=best) is None
        assert foresight_of(FightSession(bare).position, best=best) is not None


def test_a_board_that_does_not_fit_is_refused() -> None:
    with pytest.raises(SetupError, match="one for everybody"):
        FightSession(on_line(0, 5))


@pytest.mark.parametrize(("work", "what"), [(Duel, "a duel"), (Battle, "a battle")])
def test_arrays_know_no_board(work: Any, what: str) -> None:
    with pytest.raises(SetupError, match=f"{what} knows no line"):
        work(on_line(0, 5, 1))


def test_chances_come_from_playing_it_out() -> None:
    """X alone is at 9 with a point left: a round that nobody acts in decides it."""
    session = FightSession(on_line(0, 0, 9)).hand(SetCondition(FOE, "at", 9))
    assert exact_chances(session.position) is None
    found = sampled_chances(session.position, most=20)
    assert found.n == 20
    assert found.won[0].value + found.won[1].value + found.neither.value == pytest.approx(1)


def test_functions_of_a_board_are_watched() -> None:
    faults: dict[str, str] = {}
    play_battle(on_line(0, 8, 4, faults=faults), seed=3, rounds=8)
    assert faults == {}
