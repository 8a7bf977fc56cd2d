"""Rolls, exchanges and whole logs as texts for other programs: chats, and virtual tabletops.

    a view  ->  entries  ->  plain text | Markdown | Roll20 | Foundry VTT

Everything is made from a view, so nobody is told more than the view tells. What people have
written, such as names, is escaped for each program: nothing in it is carried out there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice

from affray.app.views.accounts import Account, by_name, share_told, uncited
from affray.app.views.exchanges import PlayView
from affray.app.views.exports import ExportView
from affray.app.views.played_fights import EventRow, FightView
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.engine.exchange.session import LogLine, Thrown

__all__ = ["FORMS", "LONGEST", "PARTS", "entries_of", "export"]

FORMS: Mapping[str, str] = {
    "text": "plain text",
    "markdown": "Markdown of at most 2,000 characters, as a chat such as Discord takes it",
    "roll20": "lines for the chat of Roll20",
    "foundry": "chat messages of Foundry VTT, version 12 or 13, as JSON",
}
"""What can be written, in words."""
PARTS: Mapping[str, str] = {
    "log": "everything so far",
    "exchange": "one exchange: the last one, or one by its number",
    "roll": "the last roll",
}
"""How much of a game is written, in words."""
LONGEST = 2_000
"""Characters of a text in Markdown; a message of Discord has no more."""
ACTS = frozenset({"initiative", "pass", "wait", "interrupt"})
"""Kinds of events beside exchanges that are somebody's own doing."""
JOINER = "\u2060"
"""Takes no room, and keeps two signs apart that would mean something together."""


class Rolled(NamedTuple):
    """A roll: whose, the dice by kinds, the faces, and what it came to in words."""

    who: str
    kinds: tuple[Thrown, ...]
    faces: tuple[object, ...]
    told: str


class Entry(NamedTuple):
    """Something that happened: a text of its own for chats.

    Attributes:
        text: in sentences.
        who: whose doing it is; "": nobody's in particular.
        number: of an exchange; 0: it is none.
        is_heading: whether it begins a round.
        rolls: what was rolled for it.
    """

    text: str
    who: str = ""
    number: int = 0
    is_heading: bool = False
    rolls: tuple[Rolled, ...] = ()


# -- what is written -----------------------------------------------------------------------------


def export(
    view: FightView | PlayView, form: str, part: str = "log", number: int | None = None
) -> ExportView:
    """A game or a fight, or a part of it, as a text for another program.

    Args:
        view: the game or fight, as somebody sees it; of a fight with all of its events.
        form: one of `FORMS`.
        part: one of `PARTS`.
        number: of the exchange that is written; None: the last one.

    Raises:
        UnknownNameError: there is no such form or part.
        AnswerError: there is no such exchange, or nothing was rolled yet.
    """
    if form not in FORMS:
        raise unknown("form of an export", form, FORMS)
    chosen = _part(entries_of(view), part, number)
    left_out = 0
    messages: tuple[dict[str, object], ...] = ()
    if form == "markdown":
        text, left_out = _markdown(view.title, chosen)
    elif form == "foundry":
        messages = tuple(map(_message, chosen))
        text = json.dumps(messages, ensure_ascii=False, indent=2)
    elif form == "roll20":
        text = "\n".join(map(_roll20, chosen))
    else:
        text = "\n".join(_texts(view.title, chosen))
    return ExportView(
        view.system, view.setup, view.title, form, part, text, messages, len(chosen), left_out
    )


def _part(entries: Sequence[Entry], part: str, number: int | None) -> Sequence[Entry]:
    """The entries of a part of a log."""
    if part not in PARTS:
        raise unknown("part of a game", part, PARTS)
    if part == "log":
        return entries
    if part == "roll":
        rolls = [roll for entry in entries for roll in entry.rolls]
        if not rolls:
            raise AnswerError("nothing was rolled yet")
        last = rolls[-1]
        return [Entry(_roll_told(last), last.who, rolls=(last,))]
    numbers = [entry.number for entry in entries if entry.number]
    if not numbers:
        raise AnswerError("no exchange was told yet")
    wanted = numbers[-1] if number is None else number
    if wanted not in numbers:
        raise AnswerError(f"exchange {wanted}: not told yet; allowed: 1 to {max(numbers)}")
    return [entry for entry in entries if entry.number == wanted]


def entries_of(view: FightView | PlayView) -> tuple[Entry, ...]:
    """What happened, one entry after the other."""
    return tuple(_played(view) if isinstance(view, PlayView) else _fought(view))


def _played(view: PlayView) -> Iterator[Entry]:
    names = dict(view.names)
    for number, (account, text) in enumerate(zip(view.short, view.said, strict=True), start=1):
        lines = view.log[account.first : account.end]
        yield Entry(text, _first(lines, names), number, rolls=tuple(_rolls(lines, names)))
    if view.ending:
        yield Entry(view.ending)


def _fought(view: FightView) -> Iterator[Entry]:
    for event in view.events:
        yield from _of_event(event)
    names = dict(view.names)
    for number, account in enumerate(view.short, start=view.number):
        lines = view.exchange[account.first : account.end]
        if lines and not view.verdict:
            rolls = tuple(_rolls(lines, names))
            yield Entry(account.text, _first(lines, names), number, rolls=rolls)


def _of_event(event: EventRow) -> Iterator[Entry]:
    if event.kind != "exchange":
        rolls = (Rolled(event.fighter, event.kinds, event.faces, ""),) if event.faces else ()
        who = event.fighter if event.kind in ACTS else ""
        for text in event.said:
            yield Entry(text, who, is_heading=event.kind == "round", rolls=rolls)
        return
    names = dict(event.names)
    for place, text in enumerate(event.said):
        account = event.short[place] if event.short else Account(text, 0, len(event.lines))
        lines = event.lines[account.first : account.end]
        who = event.fighter or _first(lines, names)
        yield Entry(text, who, event.number + place, rolls=tuple(_rolls(lines, names)))


def _first(lines: Iterable[LogLine], names: Mapping[str, str]) -> str:
    """The first one who does something."""
    return next((_name(line, names) for line in lines if line.actor), "")


def _name(line: LogLine, names: Mapping[str, str]) -> str:
    return names.get(line.actor) or line.actor


def _rolls(lines: Iterable[LogLine], names: Mapping[str, str]) -> Iterator[Rolled]:
    """The rolls among lines of a log."""
    for line in lines:
        if line.faces:
            chance = "" if line.chance is None else f" ({share_told(line.chance)})"
            told = f"{line.verdict}{chance}" if line.verdict else by_name(uncited(line.says), names)
            yield Rolled(_name(line, names), line.kinds, line.faces, told.removesuffix("."))


def _faces(faces: Iterable[object]) -> str:
    return " ".join(str(face) or "blank" for face in faces)


def _dice(kinds: Iterable[Thrown]) -> str:
    return " + ".join(f"{kind.many}{kind.die}" for kind in kinds)


def _roll_told(roll: Rolled) -> str:
    """A roll in a sentence."""
    told = f"; {roll.told}" if roll.told else ""
    return f"{roll.who} rolls {_dice(roll.kinds)}: {_faces(roll.faces)}{told}."


# -- plain text, and Markdown --------------------------------------------------------------------


def _texts(title: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Plain text: a line for each entry, a blank one before each round."""
    if title and len(entries) > 1:
        yield _on_one_line(title)
    several = sum(entry.number > 0 for entry in entries) > 1
    for entry in entries:
        text = _on_one_line(entry.text)
        if entry.is_heading:
            yield ""
        yield f"{entry.number}. {text}" if entry.number and several else text


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


_MARKS = re.compile(r"([\\`*_~|<>\[\]#])|^([-+])|^(\d+)(?=[.)])")


def _marked(text: str) -> str:
    r"""A text in Markdown that shows as it is, and calls nobody.

    >>> _marked("*Bo* [x](y)"), _marked("- a"), _marked("3. b")
    ('\\*Bo\\* \\[x\\](y)', '\\- a', '3\\. b')
    """

    def kept(match: re.Match[str]) -> str:
        return f"{match[3]}\\" if match[3] else f"\\{match[1] or match[2]}"

    return _MARKS.sub(kept, _on_one_line(text)).replace("@", f"@{JOINER}")


def _markdown(title: str, entries: Sequence[Entry]) -> tuple[str, int]:
    """Markdown that fits into one message, and how many entries are left out: the first ones."""
    head = f"**{_marked(title)}**" if title and len(entries) > 1 else ""
    head = head if _long(head) <= LONGEST // 4 else ""
    several = sum(entry.number > 0 for entry in entries) > 1
    lines = [_line(entry, numbered=several) for entry in entries]
    kept: list[str] = []
    for line in reversed(lines):
        left = len(lines) - len(kept) - 1
        if _long("\n".join(_with_head(head, left, [line, *kept]))) > LONGEST:
            break
        kept.insert(0, line)
    if lines and not kept:  # the last one alone is too long
        room = LONGEST - _long("\n".join(_with_head(head, len(lines) - 1, [""])))
        kept = [_cut(lines[-1], room)]
    left_out = len(lines) - len(kept)
    return "\n".join(_with_head(head, left_out, kept)), left_out


def _with_head(head: str, left_out: int, lines: Sequence[str]) -> list[str]:
    earlier = f"*{left_out} earlier {'entry' if left_out == 1 else 'entries'} left out*"
    return [*filter(None, (head, earlier if left_out else "")), *lines]


def _line(entry: Entry, *, numbered: bool) -> str:
    text = _marked(entry.text)
    if entry.is_heading:
        return f"**{text.removesuffix('.')}**"
    return f"`{entry.number}` {text}" if entry.number and numbered else text


def _long(text: str) -> int:
    """How long a text is where signs beyond the usual ones count twice."""
    return len(text.encode("utf-16-le")) // 2


def _cut(line: str, room: int) -> str:
    """As much of a line as there is room for, in whole words."""
    words: list[str] = []
    for word in line.split(" "):
        if _long(" ".join((*words, word))) > room - 2:
            break
        words.append(word)
    return f"{' '.join(words)} …"


# -- Roll20 --------------------------------------------------------------------------------------

_ACTIVE = re.compile(r"[^\w \-.,:;'()+/]|_")


def _inert(text: str) -> str:
    """A text in Roll20 that shows as it is: whatever begins a roll, a macro or a field is spelled.

    >>> _inert("[[1d20]] @{x} 81 %")
    '&#91;&#91;1d20&#93;&#93; &#64;&#123;x&#125; 81 &#37;'
    """
    return _ACTIVE.sub(lambda sign: f"&#{ord(sign[0])};", _on_one_line(text))


def _roll20(entry: Entry) -> str:
    """A line for the chat of Roll20: a card with its rolls, or a sentence."""
    if not entry.rolls:
        return f"/em {_inert(entry.text)}"
    rows = [("name", entry.who or "Roll"), ("told", entry.text)]
    for number, roll in enumerate(entry.rolls, start=1):
        told = f", {roll.told}" if roll.told else ""
        rows.append((f"{number} {roll.who}, {_dice(roll.kinds)}", f"{_faces(roll.faces)}{told}"))
    fields = " ".join(f"{{{{{_inert(key)}={_inert(value)}}}}}" for key, value in rows)
    return f"&{{template:default}} {fields}"


# -- Foundry VTT ---------------------------------------------------------------------------------

_LINKS = re.compile(r"(?<=\[)(?=\[)|(?<=[@&])(?=\w)|(?<=\])(?=\])")


def _html(text: str) -> str:
    """A text as HTML that shows as it is: no links to documents, no rolls in the line.

    Foundry looks for both in the text itself, so that it is not enough to escape its signs.
    """
    return escape(_LINKS.sub(JOINER, _on_one_line(text)))


def _message(entry: Entry) -> dict[str, object]:
    """The source data of a ChatMessage; what is left out has the defaults of Foundry.

    The content is an element, since Foundry puts its own in place of a bare text.
    """
    text = _html(entry.text)
    content = f"<h3>{text}</h3>" if entry.is_heading else f"<p>{text}</p>"
    if entry.number and entry.rolls:
        rolls = "".join(f"<li>{_html(_roll_told(roll))}</li>" for roll in entry.rolls)
        content = f"{content}<ul>{rolls}</ul>"
    return {
        "speaker": {"alias": _on_one_line(entry.who)},
        "content": content,
        "rolls": [json.dumps(_roll(roll), ensure_ascii=False) for roll in entry.rolls],
    }


def _roll(roll: Rolled) -> dict[str, object]:
    """A Roll, evaluated: dice of a kind are a term, with a plus between them."""
    faces, total = iter(roll.faces), 0
    terms: list[dict[str, object]] = []
    formula: list[str] = []
    for kind in roll.kinds:
        term = _term(kind, list(islice(faces, kind.many)))
        if terms:
            terms.append(
                {"class": "OperatorTerm", "options": {}, "evaluated": True, "operator": "+"}
            )
        terms.append(term.data)
        formula.append(term.formula)
        total += term.total
    return {
        "class": "Roll",
        "options": {},
        "dice": [],
        "formula": " + ".join(formula),
        "terms": terms,
        "total": total,
        "evaluated": True,
    }


class _Term(NamedTuple):
    """Dice of a kind as Foundry has them."""

    data: dict[str, object]
    formula: str
    total: int


def _term(kind: Thrown, faces: Sequence[object]) -> _Term:
    """Dice of a kind: numbers are results; of symbols the number of the side is, and words tell."""
    is_coin = len(kind.symbols) == 2 and kind.sides == 2
    results = [_result(kind, face, is_coin=is_coin) for face in faces]
    options = {"flavor": f"{kind.die}: {_faces(faces)}"} if kind.symbols else {}
    data: dict[str, object] = {
        "class": "Coin" if is_coin else "Die",
        "options": options,
        "evaluated": True,
        "number": kind.many,
        "faces": kind.sides,
        "modifiers": [],
        "results": [{"result": result, "active": True} for result in results],
    }
    return _Term(data, f"{kind.many}d{'c' if is_coin else kind.sides}", sum(results))


def _result(kind: Thrown, face: object, *, is_coin: bool) -> int:
    """The number of a face: of a coin 1 or 0, for heads and tails."""
    if not kind.symbols:
        return int(str(face))
    place = kind.symbols.index(str(face))
    return 1 - place if is_coin else place + 1
