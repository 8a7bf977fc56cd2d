"""Tells a fight as it goes on: a line or two for each exchange; `why` tells all the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from affray.cli.show_fight import Step, event_lines, filled, log_lines, news_lines, round_lines
from affray.core.errors import AnswerError

if TYPE_CHECKING:
    from affray.app.views.accounts import Account
    from affray.app.views.played_fights import EventRow, FightView
    from affray.engine.exchange.session import LogLine

__all__ = [
    "BriefLog",
    "FightLog",
    "LongLog",
    "Progress",
    "account_lines",
    "has_rolled",
    "opened",
    "why_lines",
]

MORE = 3
"""Columns that the further lines of an account are moved in, below its text."""


class FightLog(Protocol):
    """Tells what happens in a fight."""

    def events(self, events: Sequence[EventRow]) -> Iterator[str]:
        """The lines for events by themselves."""
        ...

    def news(self, before: Step, after: Step, *, pauses: bool) -> Iterator[str]:
        """The lines for what happened from one step to the next.

        Args:
            before: where the fight stood.
            after: where it stands; its view tells the events between them.
            pauses: whether somebody is asked now, who should know everything so far.
        """
        ...

    def forget(self) -> None:
        """Forget what has been told, because something was taken back."""
        ...


class LongLog:
    """Everything: each step with its sums and clauses.

    Args:
        width: columns that there are.
    """

    def __init__(self, width: int) -> None:
        self._width = width

    def events(self, events: Sequence[EventRow]) -> Iterator[str]:
        """See `FightLog`."""
        for event in events:
            yield from event_lines(event, self._width)

    def news(self, before: Step, after: Step, *, pauses: bool) -> Iterator[str]:  # noqa: ARG002
        """See `FightLog`; everything is told at once."""
        return news_lines(before, after, self._width)

    def forget(self) -> None:
        """Nothing is kept."""


class Progress:
    """Tells accounts that grow; one that was told in part is continued.

    Args:
        width: columns that there are.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._told: dict[int, str] = {}

    def forget(self) -> None:
        """Forget what has been told."""
        self._told.clear()

    def lines(self, number: int, text: str, ends: str = "") -> Iterator[str]:
        """Tell an account, or only the new part if its beginning was told.

        Args:
            number: of the account; 0 if it is the only one.
            text: as far as it goes.
            ends: what stands behind it.
        """
        told = self._told.get(number, "")
        if told == text:
            return
        self._told[number] = text
        if told and text.startswith(told):
            text = text[len(told) :].lstrip(".;: ")
            if text:
                yield from filled(f"... {text}{ends}", self._width, MORE, MORE)
        else:
            yield from account_lines(number, f"{text}{ends}", self._width)


class BriefLog:
    """A line or two for each exchange, with its number; remembers how much of it was told.

    Args:
        width: columns that there are.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._told = Progress(width)
        self._initiative: list[EventRow] = []

    def events(self, events: Sequence[EventRow]) -> Iterator[str]:
        """See `FightLog`."""
        for event in events:
            if event.kind == "initiative":  # told of all together
                self._initiative.append(event)
                continue
            if self._initiative:
                rolled = (f"{one.fighter} {' '.join(map(str, one.faces))}"
                          for one in self._initiative)  # fmt: skip
                yield from filled(f"Initiative: {', '.join(rolled)}", self._width)
                self._initiative.clear()
            yield from _brief_lines(event, self._width)

    def forget(self) -> None:
        """See `FightLog`."""
        self._told.forget()
        self._initiative.clear()

    def news(self, before: Step, after: Step, *, pauses: bool) -> Iterator[str]:  # noqa: ARG002
        """See `FightLog`."""
        if after.view.short and any(event.kind == "round" for event in after.view.events):
            for place, account in enumerate(after.view.short):  # of a map fight, over by now
                yield from self._told.lines(after.view.number + place, account.text)
        for event in after.view.events:
            if event.kind == "exchange":
                for number, text in enumerate(event.said, event.number):
                    yield from self._told.lines(number, text)
            else:
                yield from self.events((event,))
        yield from self._going_on(after, pauses=pauses)

    def _going_on(self, step: Step, *, pauses: bool) -> Iterator[str]:
        """Tell the exchange that goes on; the unfinished account only if somebody is asked."""
        view, last = step.view, len(step.view.short) - 1
        asked = view.question.fighter if view.question else ""
        is_news = step.exchange.is_whole or asked != step.exchange.actor
        for place, account in enumerate(view.short):
            if place < last:
                yield from self._told.lines(view.number + place, account.text)
            elif pauses and account.end and (is_news or has_rolled(account, view.exchange)):
                ends = "." if step.exchange.is_whole else " ..."
                yield from self._told.lines(view.number + place, opened(account.text), ends)


def has_rolled(account: Account, log: Sequence[LogLine]) -> bool:
    """Whether dice have fallen of which an account of this log tells."""
    return any(line.faces for line in log[account.first : account.end])


def opened(text: str) -> str:
    """An account without its full stop, since more will be added."""
    return text.removesuffix(".")


def account_lines(number: int, text: str, width: int) -> Iterator[str]:
    """An account of an exchange, in lines; the only one has no number."""
    yield from filled(f"{number:>2} {text}" if number else text, width, 0, MORE)


def _brief_lines(event: EventRow, width: int) -> Iterator[str]:
    """Something that happened, in as few lines as will do."""
    for place, text in enumerate(event.said):
        if event.kind == "exchange":
            yield from account_lines(event.number + place, text, width)
        elif event.kind == "round":
            yield from round_lines(text, width)
        elif event.kind in {"turn", "close"}:
            yield from filled(text, width, MORE, MORE)
        elif event.kind != "over":  # how it ended is told below the table
            yield from filled(text, width)


def why_lines(view: FightView, number: int | None, width: int) -> Iterator[str]:
    """Everything about one exchange: each step, with the parts of its sums, chances and clauses.

    Args:
        view: the fight, with all of its events.
        number: of the exchange; None: the last one, or the one that goes on.
        width: columns that there are.

    Raises:
        AnswerError: there is none with this number.
    """
    found: dict[int, tuple[EventRow | None, Account, str]] = {}
    for event in view.events:
        for place, (account, text) in enumerate(zip(event.short, event.said, strict=False)):
            found[event.number + place] = event, account, text
    for place, account in enumerate(view.short):
        if account.end:
            found[view.number + place] = None, account, account.text
    if not found:
        raise AnswerError("nothing has happened yet")
    number = max(found) if number is None else number
    if number not in found:
        raise AnswerError(f"why {number}: not told yet; allowed: 1 to {max(found)}")
    past, account, text = found[number]
    yield from account_lines(number, text, width)
    lines, names = view.exchange, view.names
    if past is not None:
        lines, names = past.lines, past.names
    for line in lines[account.first : account.end]:
        yield from log_lines(line, dict(names), width, itemised=True)
