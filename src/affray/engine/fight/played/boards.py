"""Exchanges on a board that all fighters share: begun from where they stand, applied to all."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from affray.core.board import Attempt, Board, Figure, Muster
from affray.core.drawing import with_classes
from affray.core.errors import SetupError
from affray.core.fight import Deed, Told
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.plans import Both
from affray.engine.fight.played.position import Act, Conditions, Exchange, Position

__all__ = [
    "AT", "WIDTH", "AnyBoard", "Spread", "after_exchange", "after_round", "board_of",
    "drawing_of", "game_on", "laid", "near", "picture_of", "placed", "plans_on", "told_on",
]  # fmt: skip

AnyBoard: TypeAlias = Board[Any, Any, Any, Any, Any]
AT = "at"
"""The key under which a game master says where a fighter stands."""
WIDTH = 38
"""Letters in a line of a board's picture; narrow terminals have 40."""


class Spread(NamedTuple):
    """A board, and everybody's condition on it."""

    board: Hashable
    conditions: Conditions


def board_of(here: Position) -> AnyBoard:
    """How the fights of this system go on a board.

    Raises:
        SetupError: it knows none.
    """
    board = here.contest.fight.board
    if board is None:
        raise SetupError(f"{here.contest.system.id}: fights know no board")
    return board


def laid(here: Position) -> Hashable:
    """The board as the fight begins on it.

    Raises:
        SetupError: somebody has no place on it, or what contradicts it; says what is allowed.
    """
    one, other = (side.situation for side in here.contest.sides)
    found: Hashable = board_of(here).laid(_muster(here), (one, other))
    return found


def _muster(here: Position) -> Muster[Any, Any, Any]:
    figures = tuple(
        Figure(here.name(who), _side(who), *here.both(who), who not in here.gone)
        for who in here.course.everybody
    )
    return Muster(here.board, figures, here.contest.rulings)


def _side(who: FighterId) -> Any:
    return who.side


def _number(here: Position, who: FighterId) -> int:
    return who.place + (here.course.sizes[0] if who.side else 0)


def _attempt(here: Position, actor: FighterId, deed: Deed, target: FighterId) -> Attempt[Any]:
    situation = here.situation(actor, target) or here.contest.sides[actor.side].situation
    return Attempt(deed, _number(here, actor), _number(here, target), situation)


def _spread(here: Position, board: Hashable, conditions: Sequence[Hashable]) -> Spread:
    first = here.course.sizes[0]
    return Spread(board, (tuple(conditions[:first]), tuple(conditions[first:])))


def game_on(here: Position, actor: FighterId, deed: Deed, target: FighterId) -> Game:
    """The exchange in which a deed is done on the board.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    at = board_of(here).declare(_muster(here), _attempt(here, actor, deed, target))
    return Game(here.contest.system, at, {}, plans_on(here, here.contest, actor, target))


def plans_on(here: Position, contest: Contest, actor: FighterId, target: FighterId) -> Both:
    """The plans by which both sides of an exchange decide; foes of one who acts alone too.

    Args:
        here: a position with both of them.
        contest: the fight, with plans.
        actor: who acts.
        target: whom it is done to.
    """
    theirs = contest.sides[1 - actor.side]
    plan = theirs.plan if target == actor else theirs.plan_of(here.sheet(target))
    own = contest.sides[actor.side].plan_of(here.sheet(actor))
    return Both(own, plan, contest.system.actors[0])


def after_exchange(here: Position, exchange: Exchange, outcome: Facts) -> Spread:
    """The board and all conditions after an exchange."""
    attempt = _attempt(here, exchange.actor, exchange.deed, exchange.target)
    return _spread(here, *board_of(here).after(_muster(here), attempt, outcome))


def after_round(here: Position) -> Spread:
    """The board and all conditions at the end of a round."""
    return _spread(here, *board_of(here).closed(_muster(here)))


def near(
    here: Position, act: Act, deed: Deed, targets: tuple[FighterId, ...]
) -> tuple[FighterId, ...]:
    """Those of the targets of a deed whom somebody goes for who is left to choose."""
    if deed.on != "foe" or here.board is None:
        return targets
    by_number = {_number(here, who): who for who in targets}
    actor = _number(here, act.actor)
    found = board_of(here).near(_muster(here), actor, tuple(by_number))
    return tuple(by_number[number] for number in found) or targets


def told_on(here: Position, who: FighterId) -> tuple[Told, ...]:
    """The lines about where somebody stands; () without a board."""
    if here.board is None:
        return ()
    return board_of(here).told(_muster(here), _number(here, who))


def placed(here: Position, who: FighterId, value: object) -> Hashable:
    """The board with somebody where a game master puts them.

    Raises:
        SetupError: what was typed is no place, or there is no room.
    """
    found: Hashable = board_of(here).placed(_muster(here), _number(here, who), value)
    return found


def picture_of(here: Position) -> str:
    """The board in letters, as it is in the middle of an exchange that goes on; "" without one."""
    return "" if here.board is None else board_of(here).picture(_seen(here), WIDTH)


def drawing_of(here: Position) -> str:
    """The same as an SVG document; "" where none is drawn."""
    return "" if here.board is None else with_classes(board_of(here).drawing(_seen(here)))


def _seen(here: Position) -> Muster[Any, Any, Any]:
    """Everybody on the board as it is now, in the middle of an exchange as well."""
    muster = _muster(here)
    if not isinstance(here.need, Exchange):
        return muster
    attempt = _attempt(here, *here.need[:3])
    board = board_of(here).seen(muster, attempt, _facts(here.need.session))
    return muster._replace(board=board)


def _facts(session: Session) -> Facts:
    return session.here.facts if session.outcome is None else session.outcome
