"""What somebody may do in a game: each change is allowed to a role, or refused with a reason.

| who | may |
|---|---|
| game master | everything; answers for those who are absent |
| player | answer for the own side or fighters, in the way that their seat says; have habits there |
| | take answers back, as the table has settled: `own`, `ask` or `anybody` |
| spectator | nothing |

How the situation is, a coin, hands and seats are the game master's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from affray.app.asked import mate_named, side_seen
from affray.app.fight import Fight
from affray.app.given import Given
from affray.app.goes_on import Game, due, redone, seat_at, undone
from affray.app.inputs.fight_sheets import SIDES
from affray.app.inputs.intake import table_checked
from affray.app.lines import said
from affray.app.play import PlayedGame
from affray.app.roles import Role, side_told
from affray.core.actor import role_of
from affray.core.errors import AffrayError, AnswerError, ForbiddenError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.engine.exchange.sealed import hides, waits_sealed
from affray.engine.exchange.session import Answer
from affray.engine.fight.played.session import FightSession

__all__ = [
    "BACK", "Back", "check_before", "check_numbers", "check_role", "may", "may_answer",
]  # fmt: skip

Back = Literal["own", "ask", "anybody"]
BACK: Mapping[Back, str] = {
    "own": "players take back their own last answer",
    "ask": "players ask the game master, who takes it back",
    "anybody": "any player takes back anything",
}  # fmt: skip
"""Who may take an answer back, give it again or correct it, besides a game master."""
ANSWERS = frozenset({"answer", "lay", "line", "roll", "decide"})
AUTOMATIC = frozenset(
    {"entropy", "habit", "line", "look-ahead", "policy", "rule of thumb", "seed", "solved"}
) | {"toss-up", "unasked"}
"""Where answers come from that nobody gave by hand."""


class _Asked(NamedTuple):
    """Whose answer it is: of a fighter of a side; "": the game master's."""

    side: str
    fighter: str


class _How(NamedTuple):
    """Who may take answers back, and the seat of those whom nobody has named."""

    back: Back
    unsaid: str


def check_role(game: Game, role: Role) -> None:
    """Check that the sides and fighters of a player are there.

    Raises:
        UnknownNameError: one of them isn't.
    """
    if isinstance(game, Fight):
        sides: tuple[str, ...] = SIDES
        names = [name for side in game.session.position.names for name in side]
    else:
        sides, names = game.loaded.game.system.actors, list(game.names.values())
    for side in role.sides:
        if side not in sides:
            raise unknown("side", side, sides)
    for name in role.fighters:
        if name not in names:
            raise unknown("fighter", name, names)


def may_answer(game: Game, role: Role) -> bool:
    """Whether somebody may answer the open question; nobody may if there is none."""
    asked = _asked(game)
    return asked is not None and _is_for(role, asked)


def may(
    game: Game, role: Role, change: Mapping[str, object], *, back: Back = "own",
    unsaid: str = "typed",
) -> None:  # fmt: skip
    """Check that somebody may do something; whether it can be done now is another question.

    Args:
        game: where it stands.
        role: who wants to.
        change: as in `affray.app.changes`.
        back: who may take answers back, at this table.
        unsaid: the seat of everybody whose seat nobody has named.

    Raises:
        ForbiddenError: it is not for this role.
        InputError: the change is not whole.
    """
    if role.kind == "master":
        return
    given = Given(table_checked(change, "change"), "change")
    what = given.text("do")
    if role.kind == "spectator":
        raise ForbiddenError("a spectator looks on; only players and the game master do something")
    if what in ANSWERS:
        _check_answer(game, role, what, given, unsaid)
    elif what in {"undo", "redo", "correct"}:
        _check_back(game, role, given, _How(back, unsaid))
    elif what == "habit":
        _check_habit(game, role, given.text("who"))
    else:
        raise ForbiddenError(f"{what}: only the game master does that")


def check_numbers(game: Game, role: Role) -> None:
    """Check that advice or chances from where a game stands tell somebody no secret.

    Raises:
        ForbiddenError: something has been decided, or is just being decided, that this role may
            not see yet.
    """
    if isinstance(game, Fight):
        exchange, is_seen = game.session.exchange, side_seen(game.session, role)
    else:
        exchange, is_seen = game.session, game.seen_by(role)
    if exchange is None or not waits_sealed(exchange):
        return
    question = exchange.question
    if hides(exchange, is_seen) or (question is not None and not is_seen(question.actor)):
        raise ForbiddenError(
            "numbers would tell what has been decided under cover; ask when all is shown"
        )


def check_before(game: Game, role: Role) -> None:
    """Check that somebody may know what the options of the open question are worth.

    Raises:
        ForbiddenError: somebody else answers it, or it would tell a secret.
    """
    if not may_answer(game, role):
        raise ForbiddenError("advice is for those who answer the open question")
    check_numbers(game, role)


# -- answers -------------------------------------------------------------------------------------


def _check_answer(game: Game, role: Role, what: str, given: Given, unsaid: str) -> None:
    asked = _asked(game)
    if asked is None:
        return  # nothing is asked; the answer is refused for that
    if not _is_for(role, asked):
        whose = asked.fighter or (side_told(asked.side) if asked.side else "the game master")
        raise ForbiddenError(f"this is for {whose} to answer; you are {role.told}")
    seat = seat_at(game, unsaid)
    if seat.startswith("computer"):
        raise ForbiddenError("the computer answers here; the game master gives the seat to you")
    by_hand = what == "lay" or (what == "answer" and given.has("faces"))
    if by_hand and seat != "typed":
        raise ForbiddenError("the computer rolls here; the game master lets you roll yourself")
    if what == "line" and isinstance(game, Fight):
        _check_line(game, role, given.text("text", "" if given.has("picks") else None))


def _check_line(fight: Fight, role: Role, text: str) -> None:
    """Check that a line says nothing for fighters of somebody else."""
    try:
        found = said(fight, text)
    except AffrayError:
        return  # it is refused for what is wrong with it
    if found.habit is not None:
        _check_habit(fight, role, str(found.habit.values["who"]))
    for order in found.ahead.orders:
        if order not in fight.ahead.orders:
            side = _side_of(fight, order.who)
            if not role.answers_for(side, order.who):
                raise ForbiddenError(f"{order.who}: you are {role.told}; name those who are yours")


def _is_for(role: Role, asked: _Asked) -> bool:
    is_masters = not asked.side and not asked.fighter
    return role.kind == "master" or (not is_masters and role.answers_for(*asked))


def _asked(game: Game) -> _Asked | None:
    """Whose answer the open question wants; None: nothing is asked."""
    if isinstance(game, Fight):
        return _asked_in(game.session)
    question = game.session.question
    return None if question is None else _asked_of(game, question.actor)


def _asked_of(game: PlayedGame, actor: str) -> _Asked:
    names = list(game.names.values())
    name = game.names.get(role_of(actor), "")
    return _Asked(role_of(actor), name if names.count(name) == 1 else "")


def _asked_in(session: FightSession) -> _Asked | None:
    question, here = session.question, session.position
    if question is None:
        return None
    if question.kind == "situation" or question.side is None:
        return _Asked("", "")
    named = here.name(question.fighter) if question.fighter else mate_named(here, question)
    return _Asked(SIDES[question.side], named)


# -- taking back, habits -------------------------------------------------------------------------


def _check_back(game: Game, role: Role, given: Given, how: _How) -> None:
    """Check that somebody may take answers back, give them again, or correct a roll."""
    if how.back == "anybody":
        return
    if how.back == "ask":
        raise ForbiddenError("the game master takes answers back here; ask for it", asks=True)
    try:
        whose = _moved(game, given, how.unsaid)
    except AnswerError:
        return  # there is nothing; it is refused for that
    if not all(_is_for(role, asked) for asked in whose):
        raise ForbiddenError("you may take back your own last answer only", asks=True)


def _moved(game: Game, given: Given, unsaid: str) -> list[_Asked]:
    """Whose answers a change takes back or gives again, without those that came by themselves."""
    what, first, last = given.text("do"), len(game.moves), len(game.moves)

    def is_asked(game: Game) -> bool:
        return due(game, unsaid) is None

    if what == "redo":
        game = redone(game, given.number("n", 1, least=1), is_asked)
        last = len(game.moves)
    elif what == "undo":
        first = len(undone(game, given.number("n", 1, least=1), is_asked).moves)
    else:
        rolls = [n for n, move in enumerate(game.moves) if isinstance(move, Answer) and move.faces]
        first = rolls[-1] if rolls else last
    found = []
    for n in range(first, last):
        move = game.moves[n]
        if not isinstance(move, Answer):
            found.append(_Asked("", ""))  # a hand is the game master's
        elif n == first or not AUTOMATIC.issuperset(move.by):
            found.append(_asked_at(game, n))
    return found


def _asked_at(game: Game, n: int) -> _Asked:
    """Whose answer a move was."""
    if isinstance(game, Fight):
        return _asked_in(game.session.line[n]) or _Asked("", "")
    return _asked(game.undo(len(game.moves) - n)) or _Asked("", "")


def _check_habit(game: Game, role: Role, who: str) -> None:
    side = _side_of(game, who) if isinstance(game, Fight) else ""
    is_own = who in role.sides if who in SIDES else role.answers_for(side, who)
    if not is_own:
        raise ForbiddenError(f"{who}: a habit is for those who answer for the fighter or the side")


def _side_of(fight: Fight, name: str) -> str:
    """The side on which a fighter is; "": nobody is called so."""
    sides = zip(SIDES, fight.session.position.names, strict=True)
    return next((side for side, names in sides if name in names), "")
