"""A board that all fighters of a fight share, such as a table: where everybody stands, as data.

Without a board an exchange is between two, and what it does to each of them is an effect. On a
board it is declared from where everybody stands, and its outcome may move and befall anybody:

    laid    (muster, situations)           -> the board as a fight begins on it
    declare (muster, attempt)              -> the first place of an exchange
    after   (muster, attempt, outcome)     -> the board and everybody's condition after it
    closed  (muster)                       -> the same at the end of a round

Fights on a board are played, exchange by exchange; duels and battles as arrays know no boards.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, Literal, TypeVar

from affray.core.deed import Deed, Told
from affray.core.lazy import NamedTuple
from affray.core.node import At, Facts
from affray.core.ruling import Rulings

__all__ = ["Attempt", "Board", "Figure", "Muster"]

F = TypeVar("F", bound=Facts)
P = TypeVar("P", bound=Hashable)
S = TypeVar("S", bound=Hashable)
C = TypeVar("C", bound=Hashable)
B = TypeVar("B", bound=Hashable)


class Figure(NamedTuple, Generic[S, C]):
    """A fighter on a board.

    Attributes:
        name: the one in this fight; no two are called alike.
        side: the number of the side.
        sheet, condition: as elsewhere in a fight.
        is_here: whether nobody has taken the fighter out of the fight.
    """

    name: str
    side: Literal[0, 1]
    sheet: S
    condition: C
    is_here: bool = True


class Muster(NamedTuple, Generic[S, C, B]):
    """A board with everybody on it.

    Attributes:
        board: where they stand.
        figures: all fighters, the first side first. Functions of a board know them by number.
        rulings: the readings in force.
    """

    board: B
    figures: tuple[Figure[S, C], ...]
    rulings: Rulings


class Attempt(NamedTuple, Generic[P]):
    """A deed on a board.

    Attributes:
        deed: what is done.
        actor, target: numbers of figures; the same where a deed is done to oneself.
        situation: a setup with the situation of the actor's side.
    """

    deed: Deed
    actor: int
    target: int
    situation: P


def draws_nothing(_muster: object) -> str:
    """The drawing of a board that has none."""
    return ""


class Board(NamedTuple, Generic[F, P, S, C, B]):
    """How the fights of a system go on a board. All functions are pure.

    Attributes:
        key: the key of a fight under which the board stands. sheet: its type.
        laid: the board as a fight begins on it, from the one that was written and the situations
            of both sides; `SetupError` says what contradicts it.
        deeds: what a fighter can do in a turn, as `Fight.deeds`.
        near: those of the foes, by number, whom a fighter goes for who is left to choose; all of
            them where the board says nothing.
        declare: the first place of an exchange; `SetupError` says why there is none.
        after: the board and all conditions after an exchange.
        closed: the same at the end of a round, in place of `Fight.end_round`.
        seen: the board as it is in the middle of an exchange.
        told: lines about where a figure stands, as `Fight.told`; the key of those that a game
            master sets is "at".
        placed: the board with a figure where a game master puts it, from what was typed.
        picture: the board in letters, in lines of at most so many.
        drawing: the same as an SVG document, as `System.drawing` makes one; "": there is none.
    """

    key: str
    sheet: type
    laid: Callable[[Muster[S, C, B], tuple[P, P]], B]
    deeds: Callable[[S, C], tuple[Deed, ...]]
    near: Callable[[Muster[S, C, B], int, tuple[int, ...]], tuple[int, ...]]
    declare: Callable[[Muster[S, C, B], Attempt[P]], At[F]]
    after: Callable[[Muster[S, C, B], Attempt[P], F], tuple[B, tuple[C, ...]]]
    closed: Callable[[Muster[S, C, B]], tuple[B, tuple[C, ...]]]
    seen: Callable[[Muster[S, C, B], Attempt[P], F], B]
    told: Callable[[Muster[S, C, B], int], tuple[Told, ...]]
    placed: Callable[[Muster[S, C, B], int, Any], B]
    picture: Callable[[Muster[S, C, B], int], str]
    drawing: Callable[[Muster[S, C, B]], str] = draws_nothing
