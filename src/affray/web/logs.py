"""What happened in a game, as entries of a log: in sentences, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from affray.app.revisions import EVERYTHING
from affray.app.views.accounts import by_name, faces_told, share_told
from affray.app.views.played_fights import ChangeRow, EventRow, FightView
from affray.app.views.said import ground_told
from affray.core.lazy import NamedTuple
from affray.engine.exchange.session import LogLine
from affray.web.games import Look
from affray.web.questions import Cited, cited

__all__ = ["Entry", "Line", "Log", "log_of"]

WAYS: Mapping[str, str] = {
    "hand": "typed", "entropy": "rolled by the server", "seed": "rolled by the server",
    "script": "as written", "setup": "settled beforehand", "policy": "decided by the computer",
    "line": "said in the turn", "habit": "by habit", "other": "brought along",
}  # fmt: skip


class Line(NamedTuple):
    """A step of an exchange: who did what, the dice and how they came, what it means and why.

    Attributes:
        what: the option or the dice. faces: what they showed. how: where they came from.
        says: what it means. sums: itemised sums, part by part. chance: that it comes to that.
        title: what the step is for. clauses: under which clauses.
    """

    who: str
    what: str
    faces: str
    how: str
    says: str
    sums: tuple[tuple[str, ...], ...]
    chance: str
    title: str
    clauses: tuple[Cited, ...]


class Entry(NamedTuple):
    """An entry of the log.

    Attributes:
        n: its place: of a fight after so many moves; of an exchange the number of its line.
        part: of a game on a map, which is one exchange: the number of the deed in it.
        id: no other entry of the page has it.
        kind: of what happened; "step" of an exchange.
        said: what happened, in sentences.
        lines: the steps behind it. changes: what it changed in conditions.
        who: who rolled or decided; "": the sentences say so, or nobody did.
    """

    n: int
    id: str
    kind: str
    said: tuple[str, ...]
    lines: tuple[Line, ...]
    changes: tuple[str, ...] = ()
    who: str = ""
    part: int | None = None


class Log(NamedTuple):
    """A log, or what is new of it.

    Attributes:
        keep: entries whose place is below this are known and stay.
        entries: those that follow.
        parts: so many deeds of a game on a map are known and stay.
    """

    keep: int
    entries: tuple[Entry, ...]
    parts: int = 0


def log_of(look: Look) -> Log:
    """The log as far as somebody who looks at a game doesn't know it."""
    view = look.view
    if isinstance(view, FightView):
        if look.fight.loaded.whole is not None:
            deeds = _deeds(look, view)
            return Log(view.kept + 1, (*_events(look, view), *deeds), view.short_before)
        return Log(view.kept + 1, (*_events(look, view), *_going_on(look, view)))
    entries = (
        _step(look, number, line)
        for number, line in enumerate(view.log, start=view.lines_before)
        if _is_told(line)
    )
    return Log(view.lines_before, tuple(entries))


def _is_told(line: LogLine) -> bool:
    return bool(line.says or line.faces or line.option or line.totals)


def _step(look: Look, number: int, line: LogLine) -> Entry:
    made = _line(look.view.system, line, look.names)
    what = f"{made.what}." if made.what and made.says else made.what
    said = tuple(filter(None, (what, made.says)))
    return Entry(number, f"line-{number}", "step", said, (made,), who=made.who)


def _line(system: str, line: LogLine, names: Mapping[str, str]) -> Line:
    chance = "" if line.chance is None else f"{line.verdict or 'this'}: {share_told(line.chance)}"
    who, says = names.get(line.actor, line.actor), by_name(line.says, names)
    what = f"{line.dice}: {faces_told(line)}" if line.faces else line.option
    if line.option:
        is_said = line.option.lower() in says.lower()
        what = (
            "" if is_said else by_name((says and line.option) or line.words or line.option, names)
        )
    return Line(
        "" if says.startswith(who) and not what else who,
        what,
        faces_told(line),
        _how(line.by),
        says,
        tuple((*total.lines(), f"= {total.value}") for total in line.totals),
        chance,
        by_name(line.title, names),
        cited(system, line.clauses),
    )


def _how(by: Sequence[str]) -> str:
    """How faces or a decision came, in words; each way once."""
    return ", ".join(dict.fromkeys(WAYS.get(one) or ground_told((one,)) or one for one in by))


# -- fights --------------------------------------------------------------------------------------


def _events(look: Look, view: FightView) -> list[Entry]:
    found, last, nth = list[Entry](), -1, 0
    for event in view.events:
        nth = nth + 1 if event.move == last else 0
        last = event.move
        if event.said:
            found.append(_event(look, view, event, f"event-{event.move}-{nth}"))
    return found


def _event(look: Look, view: FightView, event: EventRow, name: str) -> Entry:
    names = dict(event.names)
    lines = tuple(_line(view.system, line, names) for line in event.lines if _is_told(line))
    changes = tuple(map(_changed, event.changes))
    return Entry(event.move, name, event.kind, event.said, lines, changes)


def _changed(row: ChangeRow) -> str:
    if row.after is None:
        return f"{row.fighter}: no more {row.label}"
    before = "" if row.before is None else f"{row.before} → "
    return f"{row.fighter}: {row.label} {before}{row.after}"


def _going_on(look: Look, view: FightView) -> tuple[Entry, ...]:
    """The exchange that goes on, as far as it has come."""
    lines = tuple(_line(view.system, line, look.names) for line in view.exchange if _is_told(line))
    if not lines:
        return ()
    said = tuple(account.text for account in view.short) or ("It goes on.",)
    return (Entry(view.moves + 1, "going-on", "going-on", said, lines),)


def _deeds(look: Look, view: FightView) -> list[Entry]:
    """The deeds of a game on a map that are not known yet; the last one that is may go on."""
    whole = look.fight.view(look.role, since=EVERYTHING)
    found = []
    for part, account in enumerate(whole.short[view.short_before :], start=view.short_before):
        lines = tuple(
            _line(view.system, line, look.names)
            for line in whole.exchange[account.first : account.end]
            if _is_told(line)
        )
        found.append(Entry(view.moves, f"deed-{part}", "deed", (account.text,), lines, part=part))
    return found
