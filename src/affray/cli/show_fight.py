"""A fight as people see it: the table before a question, and what happened since the last one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from affray.app.views.accounts import by_name, share_told
from affray.app.views.said import ground_told, said_of
from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from affray.app.views.played_fights import (
        ChangeRow,
        EventRow,
        FighterRow,
        FightView,
        ToldRow,
        TurnRow,
    )
    from affray.cli.person import Tell
    from affray.engine.exchange.session import LogLine

__all__ = [
    "MOST_WIDE", "Ongoing", "Step", "condition_lines", "event_lines", "filled", "fitted_to",
    "log_lines", "news_lines", "round_lines", "table_lines", "waiting_lines",
]  # fmt: skip

MOST_WIDE = 100
"""Columns that a table of a fight takes at most; longer lines are hard to read."""
INDENT = 4
TURNS = {
    "now": " (now)", "done": " (done)", "waiting": " (waits)", "interrupted": " (interrupted)",
    "next": "", "out": "",
}  # fmt: skip
"""What stands behind a name in the order of turns."""


def filled(text: str, width: int, indent: int = 0, hanging: int = INDENT) -> list[str]:
    """The lines of a text, none wider than there is room; a number keeps its percent sign."""
    lines = wrap(
        text.replace(" %", "\0%"), max(min(width, MOST_WIDE), 20), initial_indent=" " * indent,
        subsequent_indent=" " * hanging, break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace("\0%", " %") for line in lines]


def fitted_to(tell: Tell, width: int) -> Tell:
    """Tells as `tell` does, with lines broken that are wider than there is room."""

    def told(text: str, *, end: str = "\n") -> None:
        lines = []
        for line in text.split("\n"):
            indent = len(line) - len(line.lstrip())
            wide = len(line) > width
            lines += filled(line.strip(), width, indent, indent + INDENT) if wide else [line]
        # Blanks at the end of a prompt stay where they are.
        blank = " " if end == "" and text.endswith(" ") and not lines[-1].endswith(" ") else ""
        tell("\n".join(lines) + blank, end=end)

    return told


# -- the table -----------------------------------------------------------------------------------


def table_lines(view: FightView, width: int) -> Iterator[str]:
    """The table: round, turns, and everybody's condition.

    Args:
        view: the fight as it stands.
        width: columns that there are.
    """
    turns = ", ".join(
        f"{turn.name}{TURNS[turn.state]}" for turn in view.turns if turn.state != "out"
    )
    began = f"Round {view.round}" if view.round else "Before the first round"
    yield from filled(f"{began}{f': {turns}' if turns else ''}", width)
    acts = _acts(view.turns)
    for side, called in zip(("one", "other"), view.sides, strict=True):
        yield from filled(called, width)
        rows = [row for row in view.fighters if row.side == side]
        names = min(max((len(row.name) for row in rows), default=0), width // 3)
        for row in rows:
            yield from _fighter_lines(row, ">" if row.name == acts else " ", names, width)


def _acts(turns: Sequence[TurnRow]) -> str:
    """The name of the one whose turn it is; "" if it is nobody's."""
    return next((turn.name for turn in turns if turn.state == "now"), "")


def _fighter_lines(row: FighterRow, mark: str, names: int, width: int) -> Iterator[str]:
    """One fighter: the name, the state if it is another than standing, then the condition."""
    words = _words(row)
    if len(row.name) > names:
        yield from filled(f"{mark} {row.name}", width)
        yield from filled(words, width, INDENT)
    else:
        yield from filled(f"{mark} {row.name:{names}}  {words}", width, 0, names + INDENT)


def _words(row: FighterRow) -> str:
    """The condition of a fighter on a line: what is zero or empty is left out."""
    kept = [line for place, line in enumerate(row.told) if not place or _counts(line)]
    state = row.state.upper() if row.is_out else row.state if row.state != "standing" else ""
    return "; ".join(filter(None, (state, *map(_told, kept)))) or "-"


def _counts(line: ToldRow) -> bool:
    return line.now != 0 if line.kind == "count" else line.value not in {"", "none"}


def _told(line: ToldRow) -> str:
    return f"{line.label} {line.value}"


def condition_lines(row: FighterRow, width: int) -> Iterator[str]:
    """Everything of a fighter's condition, with what it does to the numbers."""
    yield f"  {row.name}: {row.state}"
    for line in row.told:
        key = f" [{line.key}]" if line.key and line.key != line.label else ""
        does = f": {line.does}" if line.does else ""
        yield from filled(f"{_told(line)}{key}{does}", width, INDENT, INDENT + 2)


# -- what happened -------------------------------------------------------------------------------


class Ongoing(NamedTuple):
    """An exchange: who does what to whom, by name; without names: none goes on.

    Attributes:
        names: of those who take part, by the role that the log calls them.
        by: who or what decided on the deed.
        is_whole: whether it is a whole fight by itself, on a map.
    """

    actor: str
    deed: str
    target: str
    names: Mapping[str, str]
    by: str = ""
    is_whole: bool = False

    def lines(self, log: Sequence[LogLine], told: int | None, width: int) -> Iterator[str]:
        """The log of it, from line `told` on; None: from its heading on."""
        if told is None:
            whom = f", {self.target}" if self.target not in {"", self.actor} else ""
            ground = ground_told((self.by,))
            why = f" ({ground})" if ground else ""
            yield from filled(f"-- {self.actor}: {self.deed}{whom}{why}", width)
        for line in log[told or 0 :]:
            yield from log_lines(line, self.names, width)


class Step(NamedTuple):
    """A fight as it stood somewhere, and the exchange that went on there.

    Attributes:
        shown: how many lines of its log were shown as they are, nothing under cover in them.
    """

    view: FightView
    exchange: Ongoing
    shown: int


def news_lines(before: Step, after: Step, width: int) -> Iterator[str]:
    """What happened from one step to the next, whose view tells the events between them."""
    told = before.shown if before.exchange.actor else None
    for event in after.view.events:
        yield from event_lines(event, width, told=told)
        told = None if event.kind == "exchange" else told
    if after.exchange.actor:
        yield from after.exchange.lines(after.view.exchange, told, width)
    was = {row.name: row.state for row in before.view.fighters}
    for row in after.view.fighters:
        if row.state != was.get(row.name, row.state):
            yield from filled(f"=> {row.name}: {row.state.upper()}", width, 2, 5)


def event_lines(event: EventRow, width: int, *, told: int | None = None) -> Iterator[str]:
    """Something that happened, in lines.

    Args:
        event: what it was.
        width: columns that there are.
        told: how many lines of an exchange's log were told before; None: not even its heading.
    """
    if event.kind == "round":
        order = f": {', '.join(event.order)}" if event.order else ""
        yield from round_lines(f"Round {event.round}{order}", width)
    elif event.kind == "exchange":
        done = Ongoing(event.fighter, event.deed, event.target, dict(event.names), event.by)
        yield from done.lines(event.lines, told, width)
    elif event.kind in {"turn", "close"} and event.changes:
        turn = f"Turn of {event.fighter}" if event.kind == "turn" else f"End of round {event.round}"
        yield f"-- {turn}"
    elif event.kind not in {"turn", "close", "over"}:
        ground = ground_told((event.by,))
        for text in said_of(event._replace(stands=()), cited=True):
            yield from filled(f"{text}{f' ({ground})' if ground else ''}", width)
    for who, words in _changed(event.changes).items():
        yield from filled(f"=> {who}: {', '.join(words)}", width, 2, 5)


def round_lines(text: str, width: int) -> Iterator[str]:
    """The heading of a round."""
    yield ""
    yield from filled(f"== {text.removesuffix('.')}", width)


def log_lines(
    line: LogLine, names: Mapping[str, str], width: int, *, itemised: bool = False
) -> Iterator[str]:
    """One line of the log of an exchange: sums, then who did what, and the clauses.

    Args:
        line: of the log.
        names: of those who take part, by role.
        width: columns that there are.
        itemised: whether each part of a sum has a line, with its clause.
    """
    faces = f"[{', '.join(str(face) or 'blank' for face in line.faces)}]" if line.faces else ""
    says = by_name(line.says or line.words or line.option, names)
    if not (faces or says or line.totals):
        return
    for total in line.totals:
        parts = (str(total),) if not itemised else (*total.lines(), f"= {total.value}")
        for part in parts:
            yield from filled(part, width, INDENT, INDENT + 2)
    name = names.get(line.actor, line.actor)
    who = "" if not name or says.startswith(name) else f"{name}: "
    ground = ground_told(line.by) if line.option else ""
    chance = f"{share_told(line.chance)} chance" if line.chance is not None else ""
    found = "; ".join(filter(None, (ground, chance)))
    cited = f"[{', '.join(line.clauses[:3])}]" if line.clauses else ""
    if faces or says:
        told = " ".join(filter(None, (faces, says, f"({found})" if found else "", cited)))
        for text in f"{who}{told}".splitlines():
            yield from filled(text, width, 2)


def _changed(changes: Sequence[ChangeRow]) -> dict[str, list[str]]:
    """For each fighter what has changed, in words."""
    found: dict[str, list[str]] = {}
    for change in changes:
        was = "" if change.before is None else f" (was {change.before})"
        told = f"{change.label} {change.after or 'none'}{was}"
        found.setdefault(change.fighter, []).append(told)
    return found


def waiting_lines(what: str, width: int) -> Iterator[str]:
    """What a fight waits for."""
    yield ""
    yield from filled(f"Waiting for {what}", width)
