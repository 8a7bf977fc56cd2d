"""Decisions that a book wants made at the same time: made one by one, shown together.

A step that says `sealed=True` asks for such a decision. While an exchange waits at a sealed step,
what others have decided at those just before it is not shown; once the row of them is over, all of
it is. Whoever plays sees their own decisions at any time. Nothing else changes: the session asks
one after the other, and keeps and replays answers as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from affray.core.node import Facts, Go
from affray.engine.exchange.session import LogLine, Session, log_line

__all__ = ["drawing_for", "hides", "lines_shown", "log_for", "picture_for", "waits_sealed"]

SEALED = "(decided, not shown yet)"


def waits_sealed(session: Session) -> bool:
    """Whether the open question is a sealed one."""
    return session.question is not None and session.here.step.sealed


def hides(session: Session, is_mine: Callable[[str], bool]) -> bool:
    """Whether something has been decided that somebody may not see yet."""
    return _first_hidden(session, is_mine) is not None


def lines_shown(session: Session, is_mine: Callable[[str], bool]) -> int:
    """How many lines of the log stand before the first one that somebody may not see yet."""
    first = _first_hidden(session, is_mine)
    if first is None:
        return len(session.log)
    return sum(_is_told(log_line(entry)) for entry in session.steps_taken[:first])


def log_for(session: Session, is_mine: Callable[[str], bool]) -> tuple[LogLine, ...]:
    """The log of an exchange without what somebody may not see yet.

    Args:
        session: the exchange.
        is_mine: whether somebody who looks is this actor.
    """
    first = _first_hidden(session, is_mine)
    return session.log if first is None else tuple(_lines(session, first, is_mine))


def picture_for(session: Session, is_mine: Callable[[str], bool]) -> str:
    """The table as it was before the first decision that is not shown yet; else as it is."""
    draw, facts = session.game.system.picture, _facts_before(session, is_mine)
    return session.picture if facts is None or draw is None else draw(facts)


def drawing_for(session: Session, is_mine: Callable[[str], bool]) -> str:
    """The same as an SVG document, where the system makes one."""
    draw, facts = session.game.system.drawing, _facts_before(session, is_mine)
    return session.drawing if facts is None or draw is None else draw(facts)


def _facts_before(session: Session, is_mine: Callable[[str], bool]) -> Facts | None:
    """The facts before the first decision that somebody may not see yet; None: there is none."""
    first = _first_hidden(session, is_mine)
    return None if first is None else session.steps_taken[first].at.facts


def _first_hidden(session: Session, is_mine: Callable[[str], bool]) -> int | None:
    """The place of the first step whose decision is not to be seen; None: everything is."""
    if not waits_sealed(session):
        return None
    found = None
    for place in range(len(session.steps_taken) - 1, -1, -1):
        entry = session.steps_taken[place]
        if isinstance(entry.node, Go):
            continue
        if not entry.at.step.sealed:
            break
        if not is_mine(entry.node.actor):
            found = place
    return found


def _lines(session: Session, first: int, is_mine: Callable[[str], bool]) -> Iterator[LogLine]:
    """The log up to the first hidden decision; after it own decisions, and that others decided."""
    for place, entry in enumerate(session.steps_taken):
        line = log_line(entry)
        if place < first or (line.actor and is_mine(line.actor)):
            if _is_told(line):
                yield line
        elif line.actor:
            yield line._replace(
                dice="", faces=(), by=(), option="", words="", totals=(), says=SEALED, opens="",
                brief="", verdict="", chance=None, kinds=(),
            )  # fmt: skip


def _is_told(line: LogLine) -> bool:
    """Whether a line stands in the log."""
    return bool(line.says or line.totals or line.faces or line.option)
