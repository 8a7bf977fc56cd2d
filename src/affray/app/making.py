"""A fighter made step by step: one question after another, in the order of the game's sheet.

The answers are the truth: the next question is what follows from all of them, so that undoing is
leaving the last one out. Whatever has to be said is asked by itself: the name, fields without a
usual value, names of the roster. All else of a group is asked in one question, which takes no,
yes, or values at once: `fray 60, guns 70`.
"""

from __future__ import annotations

import dataclasses
import re
import typing
import unicodedata
from collections.abc import Callable, Generator, Sequence
from itertools import groupby
from typing import Any

from affray.app.inputs.checking import fault_alone, validated
from affray.app.inputs.described import Meaning, kind_within, meanings
from affray.app.inputs.fight_sheets import section_of_fighters
from affray.app.inputs.intake import InputError, Raw
from affray.app.inputs.rosters import Filling, Roster, roster_for
from affray.app.inputs.typed import (
    NOTHING,
    as_typed,
    changes_typed,
    did_you_mean,
    listed,
    meant_by,
    one_of,
    read,
    words_allowed,
    yes_or_no,
)
from affray.app.registry import system_named
from affray.app.sheets import kinds_of
from affray.app.sources import Table
from affray.core.errors import AnswerError, SetupError
from affray.core.lazy import NamedTuple
from affray.core.sheet import as_table, by_hint, informs
from affray.core.telling import shown

__all__ = ["Making", "Step", "begin_making", "key_of", "usual_of"]

MOST_OF_A_NAME = 60


class Step(NamedTuple):
    """One question about a fighter.

    Attributes:
        ask: what is asked, such as "COG".
        usual: what Enter takes; None: something has to be typed.
        meaning: what it is about, for those who want to know.
        group: the part of the sheet to which it belongs.
        lines: what is told before it is asked: the values of a group, or what was wrong with it.
        wrong: whether something was.
        read: the value of what was typed; `AnswerError` says why it is none.
    """

    ask: str
    usual: str | None
    meaning: str
    group: str
    read: Callable[[str], object]
    lines: tuple[str, ...] = ()
    wrong: bool = False


Course = Generator[Step, str, Any]


class Making(NamedTuple):
    """A fighter in the making.

    Attributes:
        roster: where names of weapons come from, and which fighters there are.
        answers: what was typed so far, each for one question; "" took what is usual.
        before: the answers before all else was left as usual; None: it wasn't.
    """

    roster: Roster
    answers: tuple[str, ...] = ()
    before: tuple[str, ...] | None = None

    @property
    def is_as_usual(self) -> bool:
        """Whether all that has not been said is to be as usual."""
        return self.before is not None

    @property
    def step(self) -> Step | None:
        """The next question; None: everything is said."""
        return self._followed()[0]

    @property
    def table(self) -> Raw:
        """The fighter as a roster entry, as far as everything is said."""
        return self._followed()[1]

    @property
    def key(self) -> str:
        """The key of the entry: the name in small letters, digits and underscores."""
        return key_of(self.answers[0]) if self.answers else ""

    @property
    def section(self) -> str:
        """The section of the roster in which it stands."""
        return section_of_fighters(self.roster.system)

    def answered(self, text: str) -> Making:
        """The same with one more answer; an empty one takes what is usual.

        Raises:
            AnswerError: it is no answer to the question.
        """
        step = self.step
        if step is None:
            raise AnswerError("everything is said")
        if text:
            step.read(text)
        elif step.usual is None:
            raise AnswerError(f"{step.ask} has to be said")
        made = self._replace(answers=(*self.answers, text))
        return made.as_usual() if self.is_as_usual else made

    def as_usual(self) -> Making:
        """The same with all else as usual, up to a question that has to be answered."""
        found = list(self.answers)
        self._followed(found)
        return self._replace(
            answers=tuple(found), before=self.answers if self.before is None else self.before
        )

    def undone(self) -> Making:
        """The same without the last answer, or without leaving all else as usual."""
        if self.before is not None:
            return self._replace(answers=self.before, before=None)
        return self._replace(answers=self.answers[:-1])

    def _followed(self, fill: list[str] | None = None) -> tuple[Step | None, Raw]:
        """The question after all answers, and the fighter if there is none.

        Args:
            fill: takes further answers, as long as a question takes what is usual.
        """
        course = _Course(self.roster).fighter()
        left = iter(self.answers)
        try:
            step = next(course)
            while True:
                text = next(left, None)
                if text is None:
                    if fill is None or step.usual is None or step.wrong:
                        return step, {}
                    fill.append("")
                step = course.send(text or "")
        except StopIteration as ended:
            return None, typing.cast("Raw", ended.value)


def begin_making(system_name: str, own: Sequence[Table] = ()) -> Making:
    """Begin to make a fighter.

    Args:
        system_name: id of a system.
        own: own roster entries; a new fighter needs another key than those.

    Raises:
        UnknownNameError: an unknown system.
        SetupError: the system has no roster of fighters.
    """
    system = system_named(system_name)
    if section_of_fighters(system) not in kinds_of(system):
        raise SetupError(f"{system.id} has no roster of fighters, so nobody can be added to it")
    return Making(roster_for(system, {}, "", own=own))


def key_of(name: str) -> str:
    """The key of an entry by this name.

    >>> key_of("Nyx the 2nd"), key_of("Njál"), key_of("?!")
    ('nyx_the_2nd', 'njal', '')
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")


class _Course:
    """The questions about a fighter, one after the other."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.section = section_of_fighters(roster.system)
        self.kind = kinds_of(roster.system)[self.section]

    def fighter(self) -> Course:
        """All questions; comes to the roster entry."""
        table: Raw = yield from self._sheet(self.kind, {})
        return table

    # -- a sheet -----------------------------------------------------------------------------

    def _sheet(self, kind: type, held: Raw) -> Course:
        """Ask about a sheet; returns the values that differ from the usual ones.

        Args:
            kind: the sheet.
            held: values that it has already.
        """
        table = dict(held)
        asked = [one for one in meanings(kind).values()
                 if one.name == "name" or not informs(kind, one.name)]  # fmt: skip
        groups = [list(some) for _, some in groupby(asked, lambda one: one.group)]
        wrong = ""
        while True:
            for fields in groups:
                yield from self._right_group(kind, fields, table, wrong)
                wrong = ""
            wrong = self._wrong(kind, table)
            if not wrong:
                break
        return self._unusual(kind, table)

    def _unusual(self, kind: type, table: Raw) -> Raw:
        """The values of a sheet that differ from the usual ones, and always the fighter's name."""
        usual = usual_of(kind)
        return {
            name: value
            for name, value in table.items()
            if name not in usual or usual[name] != value or self._is_own_name(kind, name)
        }

    def _right_group(self, kind: type, fields: list[Meaning], table: Raw, wrong: str) -> Course:
        """Ask about one group, and again as long as a change made the sheet wrong.

        Leaving a group unchanged goes on to the next one, which may put it right. Sheets within
        the fighter's sheet are checked once they are complete.
        """
        while True:
            before = self._unusual(kind, table)
            yield from self._group(kind, fields, table, wrong)
            found = self._wrong(kind, table)
            left = kind is not self.kind or before == self._unusual(kind, table)
            if not found or left:
                return
            wrong = found

    def _group(self, kind: type, fields: list[Meaning], table: Raw, wrong: str) -> Course:
        """The questions about one group of a sheet; answers go into the table."""
        hints, usual = by_hint(kind, lambda hint: hint), usual_of(kind)
        group = fields[0].group
        alone = [one for one in fields if self._stands_alone(kind, one)]
        for number, one in enumerate(alone):
            said = (wrong,) if wrong and not number else ()
            table[one.name] = yield from self._value(kind, one, table, said)
        rest = [one for one in fields if one not in alone]
        if not rest:
            return
        now = {one.name: table.get(one.name, usual.get(one.name)) for one in rest}
        told = "; ".join(f"{one.title} {_told(now[one.name])}" for one in rest)
        before = (wrong,) if wrong and not alone else ()
        lines = (*before, f"{group}: {told}")
        hint = f"type no, yes to be asked one by one, or values, as in: {rest[0].title} VALUE"
        about = "\n".join([*(f"{one.title}: {one.told}" for one in rest), hint])
        change = yield from _put(
            Step(
                "change any?", "no", about, group, lambda text: changes_typed(text, rest, hints),
                lines, bool(before),
            )
        )  # fmt: skip
        if isinstance(change, dict):
            table.update(change)
        elif change:
            for one in rest:
                table[one.name] = yield from self._value(kind, one, table)

    def _stands_alone(self, kind: type, one: Meaning) -> bool:
        named = self.roster.keys.get(one.name) in self.roster.sections
        return named or one.name not in usual_of(kind) or self._is_own_name(kind, one.name)

    def _is_own_name(self, kind: type, name: str) -> bool:
        """Whether this is the name of the fighter, not of something within the sheet."""
        return kind is self.kind and name == "name"

    def _wrong(self, kind: type, table: Raw) -> str:
        """The fault of a sheet as it stands; "": it has none, or is not complete yet."""
        if any(name not in table for name in meanings(kind).keys() - usual_of(kind).keys()):
            return ""
        try:
            validated(kind, Filling(self.roster).table(table), "")
        except (InputError, SetupError) as error:
            return fault_alone(error, kind)
        return ""

    # -- a value -----------------------------------------------------------------------------

    def _value(
        self, sheet: type, one: Meaning, table: Raw, lines: tuple[str, ...] = ()
    ) -> Course:  # fmt: skip
        """The questions about one field of a sheet; comes to its value."""
        hint, usual = by_hint(sheet, lambda hint: hint)[one.name], usual_of(sheet)
        now = table.get(one.name, usual.get(one.name))
        section, kind = self.roster.keys.get(one.name, ""), kind_within(hint)
        several = typing.get_origin(hint) is tuple
        taken = None if one.name not in usual and one.name not in table else _told(now)
        if section in self.roster.sections:
            more = f"; in the roster: {', '.join(map(as_typed, self.roster.sections[section]))}"
            return (yield from _put(Step(
                f"{one.title}{' (names, commas between)' if several else ''}", taken,
                one.told + more, one.group, lambda text: self._names(section, text, several),
                lines, bool(lines),
            ), now))  # fmt: skip
        if kind is not None and several:
            return (yield from self._several(one, kind))
        if kind is not None:
            return (yield from self._one(one, kind, now))
        own = self._is_own_name(sheet, one.name)
        reads = self._name if own else lambda text: read(hint, text)
        words = words_allowed(hint) or words_allowed(next(iter(typing.get_args(hint)), None))
        more = f"; allowed: {', '.join(map(as_typed, words))}" if words else ""
        step = Step(
            one.title, None if own and not now else taken, one.told + more, one.group, reads,
            lines, bool(lines),
        )  # fmt: skip
        return (yield from _put(step, now))

    def _several(self, one: Meaning, kind: type) -> Course:
        """The questions about sheets within a sheet, until there are no more."""
        found: list[Raw] = []
        while True:
            ask = f"{one.title}: {'one more' if found else 'add one'}?"
            if not (yield from _put(Step(ask, "no", one.told, one.group, yes_or_no))):
                return found
            found.append((yield from self._sheet(kind, {})))

    def _one(self, one: Meaning, kind: type, now: object) -> Course:
        """The questions about a sheet within a sheet, which may be left out."""
        if now is None:
            ask = Step(f"{one.title}: give it?", "no", one.told, one.group, yes_or_no)
            if not (yield from _put(ask)):
                return None
        held = now if isinstance(now, dict) else {}
        return (yield from self._sheet(kind, held))

    def _names(self, section: str, text: str, several: bool) -> object:  # noqa: FBT001
        """Names of roster entries, as they stand there."""
        known = list(self.roster.sections[section])
        found = []
        for part in listed(text):
            meant = meant_by(known, part)
            if not meant:
                raise AnswerError(
                    f"{shown(part)} is not among the {section} of the roster."
                    f"{did_you_mean(part, known)} ? lists them all"
                )
            found.append(one_of(meant, part))
        if not several and len(found) > 1:
            raise AnswerError(f"{shown(text)}; allowed: one")
        return found if several else next(iter(found), None)

    def _name(self, text: str) -> str:
        key = key_of(text)
        if not key or len(text) > MOST_OF_A_NAME:
            raise AnswerError(
                f"{shown(text)}; allowed: a name with letters or digits, up to {MOST_OF_A_NAME}"
            )
        if key in self.roster.own.get(self.section, {}):
            raise AnswerError(f"{shown(text)} stands in the file already; take another name")
        return text


def _put(step: Step, now: object = False) -> Course:  # noqa: FBT002
    """Ask one question; returns the value that was typed, or the present one."""
    text = yield step
    return step.read(text) if text else now


def usual_of(kind: type) -> Raw:
    """The usual value of each field that has one, as a table writes it."""
    found: Raw = {}
    for field in dataclasses.fields(typing.cast("Any", kind)):
        usual = field.default
        if field.default_factory is not dataclasses.MISSING:
            usual = field.default_factory()
        if usual is not dataclasses.MISSING:
            plain = as_table(usual) if dataclasses.is_dataclass(usual) else usual
            found[field.name] = list(plain) if isinstance(plain, tuple) else plain
    return found


def _told(value: object) -> str:
    """A value in words; of a sheet only that there is one."""
    if isinstance(value, dict):
        return "; ".join(f"{key} {as_typed(held)}" for key, held in value.items()) or NOTHING
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        return str(len(value))
    return as_typed(value)
