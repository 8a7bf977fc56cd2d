"""The meaning of every field of a sheet: its title, words, unit, range, clauses and group.

All of it stands where a field is declared: in the docstring of its sheet, under `Attributes:`, in
the order and under the headings of the game's own sheet; bounds in its annotation, the unit at the
end of its name.

    Skills (EP-6):
        fray: skill to get out of the way.
        som (Somatics): aptitude of the body (EP-7).

    threshold (Wound threshold) for wound_threshold: damage for each wound.

A title is the name in words unless one stands in brackets. A field has the clauses after its words,
else those of its heading, else the one clause that its sheet cites. Without headings the sheet is
the group. A value that the sheet computes stands there like a field, with the fields in whose place
it is shown.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import typing
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.core.sheet import by_hint, informs, range_of

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "CLAUSE",
    "Meaning",
    "described",
    "kind_within",
    "meanings",
    "sheets_within",
    "with_computed",
]

CLAUSE = re.compile(r"\b[A-Z]{2}-[0-9]+[a-z]?\b")
_CLAUSES = re.compile(rf" \((?:{CLAUSE.pattern}(?:, )?)+\)$")
_NAMES = r"((?:[a-z]\w*, )*[a-z]\w*)"
_ENTRY = re.compile(rf"{_NAMES}(?: \(([^)]*)\))?(?: for {_NAMES})?: (.*)")
_HEADING = re.compile(r"([A-Z][^:()]*?)(?: \(([^)]*)\))?:")
UNITS = {"m": "meters", "yd": "yards", "hexes": "hexes", "zones": "Zones"}
"""Ends of names that tell a unit."""
ONE = {"meters": "meter", "yards": "yard", "hexes": "hex", "Zones": "Zone"}
"""The words for one of each unit."""


class Meaning(NamedTuple):
    """The meaning of one field of a sheet.

    Attributes:
        title: what the game's sheet calls it. words: what it says. group: the part of the sheet.
        clauses: ids of the clauses that it belongs to.
        unit: of the number; empty: it is a plain one, or none.
        least, most: the bounds of a number; infinite: none.
        instead: of a value that the sheet computes, the fields in whose place it is shown.
    """

    name: str
    title: str
    words: str
    group: str
    clauses: tuple[str, ...] = ()
    unit: str = ""
    least: float = -math.inf
    most: float = math.inf
    instead: tuple[str, ...] = ()

    @property
    def range(self) -> str:
        """The values that a number may have, with the unit; empty: any."""
        low, high = math.isfinite(self.least), math.isfinite(self.most)
        least, most = f"{self.least:,.10g}", f"{self.most:,.10g}"
        told = f"{least} to {most}" if low and high else f"{least} or more" if low else ""
        return " ".join(filter(None, (told or (f"{most} or less" if high else ""), self.unit)))

    def with_unit(self, value: object, told: str) -> str:
        """A value in words with its unit."""
        return f"{told} {ONE.get(self.unit, '') if value == 1 else self.unit}".strip()

    @property
    def told(self) -> str:
        """All of it in one line: words, range with unit, clauses."""
        line = "; ".join(filter(None, (self.words, self.range)))
        return f"{line} ({', '.join(self.clauses)})" if self.clauses and line else line


# -- from a sheet to meanings --------------------------------------------------------------------


@cache
def meanings(kind: type) -> Mapping[str, Meaning]:
    """The meanings of the fields of a sheet, in the order of the game's own sheet.

    >>> class Card:
    ...     '''A card of the deck.
    ...
    ...     Attributes:
    ...         Who:
    ...             name: what it is called.
    ...         Edges (EP-7):
    ...             reach_m (Reach): how far its edge
    ...                 reaches.
    ...     '''
    ...     name: str
    ...     reach_m: int
    >>> list(meanings(dataclasses.dataclass(Card)).values())[1].told
    'how far its edge reaches; meters (EP-7)'
    """
    names = [field.name for field in dataclasses.fields(typing.cast("Any", kind))]
    found: dict[str, Meaning] = {}
    for base in reversed(kind.__mro__):
        found.update((one.name, one) for one in _said(base) if one.name in names)
    ranges = by_hint(kind, range_of)
    whole = {**found, **{n: _plain(n, kind) for n in names if n not in found}}
    return {name: _completed(one, kind, ranges[name]) for name, one in whole.items()}


@cache
def with_computed(kind: type) -> Mapping[str, Meaning]:
    """The same with the values that the sheet computes from its fields, each in its place."""
    fields = meanings(kind)
    found = {
        one.name: fields.get(one.name, one)
        for base in reversed(kind.__mro__)
        for one in _said(base)
        if one.name in fields or isinstance(getattr(kind, one.name, None), property)
    }
    return {**found, **fields}


def _completed(one: Meaning, kind: type, bounds: tuple[float, float]) -> Meaning:
    """A meaning, completed from the declaration of the field."""
    least, most = bounds if bounds[0] <= bounds[1] else (-math.inf, math.inf)
    cited: tuple[str, ...] = getattr(kind, "__clauses__", ())
    clauses = one.clauses or (cited if len(cited) == 1 else ())
    if informs(kind, one.name):
        words = "; ".join(filter(None, (one.words, "for people, no rule reads it")))
        return one._replace(words=words, clauses=(), least=least, most=most)
    return one._replace(clauses=clauses, least=least, most=most)


def _plain(name: str, kind: type, group: str = "") -> Meaning:
    """The meaning as far as the name of the field tells it."""
    stem, _, end = name.rpartition("_")
    unit = UNITS.get(end, "") if stem else ""
    return Meaning(name, _in_words(stem if unit else name), "", group or _called(kind), unit=unit)


def _in_words(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _called(kind: type) -> str:
    """The name of a sheet in words: "Core check" of CoreCheck."""
    return re.sub(r"(?<=[a-z])([A-Z])", r" \1", kind.__name__).capitalize()


def _said(kind: type) -> Iterator[Meaning]:
    """The fields that the docstring of a sheet explains."""
    _, _, body = inspect.cleandoc(kind.__doc__ or "").partition("\n\nAttributes:\n")
    group, clauses = "", ""
    for line in _lines(body):
        if heading := _HEADING.fullmatch(line):
            group, clauses = heading[1], heading[2] or ""
        elif entry := _ENTRY.fullmatch(line):
            names, titles = entry[1].split(", "), (entry[2] or "").split(", ")
            words, ids = entry[4].removesuffix("."), tuple(CLAUSE.findall(clauses))
            if own := _CLAUSES.search(words):
                words, ids = words[: own.start()], tuple(CLAUSE.findall(own[0]))
            for number, name in enumerate(names):
                plain = _plain(name, kind, group)
                title = titles[number] if number < len(titles) else ""
                yield plain._replace(
                    title=title or plain.title, words=words, clauses=ids,
                    instead=tuple((entry[3] or "").split(", ")) if entry[3] else (),
                )  # fmt: skip


def _lines(body: str) -> Iterator[str]:
    """Headings and entries, each in one line."""
    held: list[str] = []
    deep = 0
    for line in body.partition("\n\n")[0].splitlines():
        indent = len(line) - len(line.lstrip())
        text = line.strip()
        if held and indent > deep and not _HEADING.fullmatch(held[0]):
            held.append(text)
            continue
        yield from [" ".join(held)] if held else []
        held, deep = [text], indent
    yield from [" ".join(held)] if held else []


# -- from a sheet to the schema ------------------------------------------------------------------


def kind_within(hint: object) -> type | None:
    """The sheet that a field holds, alone or several times; None: it holds none."""
    if isinstance(hint, type):
        return hint if dataclasses.is_dataclass(hint) else None
    found = (kind_within(part) for part in typing.get_args(hint) if part is not ...)
    return next((kind for kind in found if kind is not None), None)


def sheets_within(kind: type) -> Mapping[str, type]:
    """A sheet and all sheets that its fields hold, by the names that schemas give them."""
    found: dict[str, type] = {}
    left: list[object] = [kind]
    while left:
        hint = left.pop()
        if not (isinstance(hint, type) and dataclasses.is_dataclass(hint)):
            left.extend(typing.get_args(hint))
        elif hint.__name__ not in found:
            found[hint.__name__] = hint
            left.extend(by_hint(hint, lambda part: part).values())
    return found


def described(schema: Mapping[str, Any], kind: type) -> dict[str, Any]:
    """The JSON Schema of a sheet in which every field says what it means."""
    known = sheets_within(kind)
    parts = {
        name: _with_meanings(part, known[name]) if name in known else part
        for name, part in schema.get("$defs", {}).items()
    }
    made = _with_meanings(schema, kind)
    return {**made, "$defs": parts} if parts else made


def _with_meanings(schema: Mapping[str, Any], kind: type) -> dict[str, Any]:
    given = schema.get("properties", {})
    properties = {
        name: {
            **given[name],
            "title": one.title,
            **({"description": one.told} if one.told else {}),
            "group": one.group,
        }
        for name, one in meanings(kind).items()
        if name in given
    }
    head = str(schema.get("description", "")).partition("\n\nAttributes:\n")[0]
    return {**schema, **({"description": head} if head else {}), "properties": properties}
