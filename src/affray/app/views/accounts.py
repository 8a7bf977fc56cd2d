"""An exchange in a line or two: who did what to whom, the dice that mattered, what came of it.

Nothing is worked out here. The steps of the rules say which of their lines open a short account
and what each adds to it (`Step.opens`, `Step.briefly`, `Step.verdict`); here the parts are put
together. Everything else that the log has is behind it. Of rules whose steps say nothing in short
each sentence is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from affray.engine.exchange.session import LogLine

__all__ = ["Account", "accounts", "by_name", "faces_told", "share_told", "uncited"]

_CITED = re.compile(r" \((?:[A-Z]{1,3}-?\d+[a-z]?(?:, )?)+\)")
"""Clauses and readings that a sentence of the log names; a short account leaves them out."""


class Account(NamedTuple):
    """A short account of an exchange, or of one of the moves and attacks of a map fight.

    Attributes:
        text: the account, in a line or two.
        first, end: the lines of the log that it sums up: from `first` on, before `end`.
    """

    text: str
    first: int
    end: int


class _Part(NamedTuple):
    """The part of an account that one line of a log gives: it opens another one, or adds to one.

    `joint` stands between a name and what is added: dice are told after a colon.
    """

    line: int
    opens: str
    adds: str
    joint: str


def accounts(
    lines: Sequence[LogLine],
    names: Mapping[str, str],
    heading: str,
    *,
    each_deed: bool = False,
    at_length: bool = False,
) -> tuple[Account, ...]:
    """The accounts of a log: one, or where the exchange is a whole map fight one for each deed.

    Args:
        lines: of the log of an exchange.
        names: of those who take part, by the role that the log calls them; the first is the one
            whose exchange it is.
        heading: who does what to whom, for an exchange in which no line says it.
        each_deed: whether each line that opens an account begins another one.
        at_length: whether each sentence is told, as no step says anything in short.
    """
    last = next(iter(names.values()), "")
    groups = [[_Part(0, heading, "", "")] if at_length else []]
    for number, line in enumerate(lines):
        adds = by_name(_at_length(line) if at_length else _added(line), names)
        part = _Part(number, line.opens, adds, ": " if line.faces else " ")
        if part.adds and (who := names.get(line.actor, "")) not in {"", last}:
            named = part.adds if part.adds.startswith(who) else f"{who}{part.joint}{part.adds}"
            part, last = part._replace(adds=named), who
        if part.opens and each_deed and groups[-1]:
            groups.append([])
        if part.opens or part.adds:
            groups[-1].append(part)
    if each_deed and not groups[0]:
        return ()
    starts = [0, *(group[0].line for group in groups[1:]), len(lines)]
    return tuple(
        Account(_text(group, heading), first, end)
        for group, first, end in zip(groups, starts, starts[1:], strict=False)
    )


def _added(line: LogLine) -> str:
    """A line in short: faces, words, and the verdict on a roll with its chance."""
    brief = uncited(line.brief)
    chance = "" if line.chance is None else f" ({share_told(line.chance)})"
    judged = f"{line.verdict}{chance}" if line.verdict else ""
    words = ", ".join(filter(None, (brief, judged)))
    if not words or not line.faces:
        return words
    return f"{faces_told(line)}{' ' if brief else ', '}{words}"


def _at_length(line: LogLine) -> str:
    """A line at length, where the rules say nothing in short: everything but the clauses."""
    told = uncited(line.says or line.words or line.option)
    return f"{faces_told(line)} {told}".strip() if line.faces else told


def by_name(text: str, names: Mapping[str, str]) -> str:
    """Put names into a text where it says "the attacker" and the like.

    >>> by_name("The defender retaliates: 2 damage to the attacker.", {"defender": "Bramble"})
    'Bramble retaliates: 2 damage to the attacker.'
    """
    for role, name in names.items():
        if name not in {"", role}:
            said = name.replace("\\", r"\\")
            text = re.sub(rf"\b[Tt]he {re.escape(role)}\b", said, text)
    return text


def uncited(text: str) -> str:
    """A sentence of the log without the clauses and readings that it names.

    >>> uncited("House Guard takes 1 point (EM-41). It is in range (EM-31, A-2).")
    'House Guard takes 1 point. It is in range.'
    """
    return _CITED.sub("", text)


def faces_told(line: LogLine) -> str:
    """The faces of a roll, as people read them aloud."""
    return " ".join(str(face) or "blank" for face in line.faces)


def share_told(chance: Fraction) -> str:
    """A chance in whole percent; only an impossible thing has 0 %, only a certain one 100 %.

    >>> share_told(Fraction(2, 3)), share_told(Fraction(1, 1000)), share_told(Fraction(999, 1000))
    ('67 %', '<1 %', '>99 %')
    """
    if chance in {0, 1}:
        return f"{int(chance) * 100} %"
    whole = round(chance * 100)
    return "<1 %" if whole < 1 else ">99 %" if whole > 99 else f"{whole} %"


def _text(parts: Sequence[_Part], heading: str) -> str:
    """Join the parts: sentences stand alone, anything else follows the words that open it."""
    text, joint = "", " "
    if not any(part.opens for part in parts) and not (parts and parts[0].adds.endswith(".")):
        text, joint = heading, ": "
    for part in parts:
        if part.opens:
            text, joint = f"{_stopped(text)}{part.opens}", ": "
        if part.adds.endswith("."):
            text, joint = f"{_stopped(text)}{part.adds}", " "
        elif part.adds:
            starts = joint == " " and part.joint == " "
            adds = f"{part.adds[:1].upper()}{part.adds[1:]}" if starts else part.adds
            text, joint = f"{text}{joint if text else ''}{adds}", "; "
    return _stopped(text).strip()


def _stopped(text: str) -> str:
    """A text as whole sentences, ready for the next one."""
    return f"{text.removesuffix('.')}. " if text else ""
