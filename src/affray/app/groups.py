"""A turn for several at once: "all husks attack nearest", and "again" for the next of a kind."""

from __future__ import annotations

from collections.abc import Iterator

from affray.app.fight import Fight
from affray.app.wording import words_of
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.engine.exchange.session import Answer
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.position import Act, Exchange, Position
from affray.engine.fight.played.questions import answers_for
from affray.engine.fight.played.session import FightSession

__all__ = ["AGAIN", "ALL", "Group", "group_of", "said_before"]

ALL, AGAIN = "all", "again"


class Group(NamedTuple):
    """The names of fighters who do the same in this round, and the line that they follow."""

    names: tuple[str, ...]
    line: str


def group_of(fight: Fight, text: str) -> Group | None:
    """The group that a line is for: `all attack nearest`, `all husks attack nearest`.

    All are those of the side whose turn it is; "husks" are those of them whose name begins so.

    Args:
        fight: it waits for the deed of one of them.
        text: what was typed.

    Returns:
        None if it is no line for a group.

    Raises:
        AnswerError: it doesn't say what they do, or it is not the time for it.
    """
    first, *words = text.split() or [""]
    if first.casefold() != ALL:
        return None
    here, need = fight.session.position, fight.session.position.need
    if not isinstance(need, Act):
        raise AnswerError("a whole group is told what to do when one of them is asked: what now?")
    side = need.actor.side
    standing = [who for who in here.course.everybody if who.side == side and not here.is_out(who)]
    kinds = {who: words_of(here.name(who))[0] for who in standing}
    word = words[0].casefold() if words else ""
    of_kind = [who for who in standing if kinds[who] in {word, word.removesuffix("s")}]
    if of_kind:
        standing, words = of_kind, words[1:]
    if not words:
        raise AnswerError("all do what? Type it as in: all attack nearest")
    return Group(tuple(map(here.name, standing)), " ".join(words))


def said_before(fight: Fight) -> tuple[str, ...]:
    """The decisions of the last turn of a mate, to be repeated; mates of the same kind come first.

    Raises:
        AnswerError: nobody of the side has decided anything yet, or no deed is asked for.
    """
    need = fight.session.position.need
    if not isinstance(need, Act):
        raise AnswerError("'again' repeats a turn when somebody is asked: what now?")
    turns = list(_turns(fight.session, need.actor))
    kind = fight.session.position.sheet(need.actor)
    own = [said for who, said in turns if fight.session.position.sheet(who) == kind]
    for said in own or [said for _, said in turns]:
        return said
    raise AnswerError("nobody of this side has done anything yet that could be done again")


def _turns(session: FightSession, actor: FighterId) -> Iterator[tuple[FighterId, tuple[str, ...]]]:
    """The turns of a fighter's mates, the last first: who, and the deed with all its choices."""
    decided: list[str] = []
    while session.past is not None:
        move, session = session.move, session.past
        who = _decides(session.position)
        if who is None or not isinstance(move, Answer) or not move.option:
            continue
        if who.side == actor.side and who != actor:
            decided.insert(0, move.option)
            if isinstance(session.position.need, Act):
                yield who, tuple(decided)
        if isinstance(session.position.need, Act):
            decided.clear()


def _decides(here: Position) -> FighterId | None:
    """The fighter who chooses a deed here, or an option in an exchange of its own."""
    need = here.need
    if isinstance(need, Act):
        return need.actor
    if isinstance(need, Exchange) and need.session.question is not None:
        who = answers_for(here, need, need.session.question.actor)[0]
        return who if who == need.actor else None
    return None
