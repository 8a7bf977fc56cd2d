"""The one way in for everything that comes from outside: bytes, texts, tables.

Pure functions: opening files is left to `affray.app.files.documents`. Whatever is read is bounded
before it is looked at and checked before it is used. A table that comes out of here holds texts,
whole and decimal numbers, truth values, lists and tables, nothing else; none of them is longer,
deeper or larger than the limits below. Every refusal is an `InputError`: where it came from, the
place in it, and what is allowed.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import NoReturn, cast

from affray.core.dice import Face
from affray.core.errors import Fault, StoreError
from affray.core.lazy import NamedTuple
from affray.core.telling import shortened, shown

__all__ = [
    "LEAST", "MOST", "MOST_BYTES", "MOST_DEPTH", "MOST_FAULTS", "MOST_KEY", "MOST_TEXT",
    "MOST_TOLD", "MOST_VALUES",
    "InputError", "Place", "Raw", "Written", "faces_of", "place_told", "pointer",
    "table_checked", "table_of", "value_of",
]  # fmt: skip

Raw = dict[str, object]
"""A table as TOML or JSON gives it."""
Place = tuple[str | int, ...]
"""Keys and list indexes that lead to a value in a table."""

MOST_BYTES = 1_000_000
MOST_DEPTH = 32
MOST_VALUES = 100_000
MOST_TEXT = 20_000
MOST_KEY = 200
MOST_TOLD = 6
"""Faults, keys and entries that one message names."""
MOST_FAULTS = 100
"""Faults that one error carries."""
LEAST, MOST = -(2**63), 2**63 - 1
"""Whole numbers lie between these."""


class InputError(StoreError, ValueError):
    """Something given that can't be read, is no TOML or JSON, or doesn't fit."""

    code = "input"


# -- from bytes to a table ---------------------------------------------------------------------


def table_of(given: bytes | str, origin: str) -> Raw:
    """A table from TOML or JSON.

    Args:
        given: JSON if the first sign is a brace, else TOML; bytes are UTF-8, with or without BOM.
        origin: where it came from, for messages.

    Raises:
        InputError: neither TOML nor JSON, or beyond a limit.
    """
    text = _text_of(given, origin) if isinstance(given, bytes) else given.removeprefix("\ufeff")
    if len(text) > MOST_BYTES:
        raise InputError(f"{origin}: too large; allowed: {MOST_BYTES:,} bytes")
    is_json = text.lstrip().startswith("{")
    try:
        table = _json_of(text, origin) if is_json else _toml_of(text, origin)
    except RecursionError:
        raise InputError(f"{origin}: nested too deeply; allowed: {MOST_DEPTH} levels") from None
    return table_checked(table, origin)


def _text_of(data: bytes, origin: str) -> str:
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise InputError(f"{origin}: it is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{origin}: line {line}: it is not UTF-8 text; save it as UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(f"{origin}: line {line}: it holds a NUL; only text is read")
    return text


class _FaultError(ValueError):
    """A fault in a piece of JSON, raised by the hooks of its parser."""


def _json_of(text: str, origin: str) -> object:
    try:
        return _loads(text)
    except _FaultError as error:
        raise InputError(f"{origin}: {error}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{origin}: neither TOML nor JSON: {error.msg} ({where})") from None


def _loads(text: str) -> object:
    return json.loads(text, object_pairs_hook=_pairs, parse_int=_whole, parse_constant=_constant)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise _FaultError(f"the key {shown(key)} stands twice in one table; keep one of them")
        table[key] = value
    return table


def _whole(digits: str) -> int:
    if len(digits) > len(str(LEAST)):
        raise _FaultError(f"a number of {len(digits):,} digits; {_RANGE}")
    return int(digits)


def _constant(name: str) -> NoReturn:
    raise _FaultError(f"{name}; {_FINITE}")


_RANGE = f"whole numbers lie between {LEAST} and {MOST}"
_FINITE = "allowed: finite numbers"

_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:{_PART}){{{MOST_DEPTH}}}""")


def _toml_of(text: str, origin: str) -> object:
    # The parser takes time in the square of a key's parts, so it never sees many of them.
    long = _LONG_KEY.search(text)
    if long is not None:
        line = text.count("\n", 0, long.start()) + 1
        raise InputError(
            f"{origin}: line {line}: a key of too many parts; allowed: {MOST_DEPTH} levels"
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if str(error).startswith(("Cannot overwrite", "Cannot declare", "Duplicate")):
            raise InputError(f"{origin}: a key stands twice: {error}") from None
        raise InputError(f"{origin}: neither TOML nor JSON: {error}") from None
    except ValueError:  # Python refuses to read more than some thousand digits
        raise InputError(f"{origin}: a number of too many digits; {_RANGE}") from None


# -- what a table may hold ---------------------------------------------------------------------


def table_checked(table: object, origin: str) -> Raw:
    """A copy of a table with everything in it checked; tuples become lists.

    Raises:
        InputError: something that no TOML or JSON could say, or beyond a limit.
    """
    if not isinstance(table, Mapping):
        what = f"{shown(table)}; must be a table"
        fault = Fault("", what, shortened(table), "a table", "wrong-kind", origin=origin)
        raise InputError(f"{origin}: {what}", faults=[fault])
    return cast("Raw", _checked(table, origin))


def _checked(value: object, origin: str) -> object:
    check = _Check(origin)
    checked = check.value(value, ())
    if check.n_faults:
        more = check.n_faults - MOST_TOLD
        lines = [*check.lines, f"and {more:,} more faults"] if more > 0 else check.lines
        raise InputError("\n".join(lines), faults=check.faults)
    return checked


class _Check:
    """Goes through a table, counts, and keeps what is wrong."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.values = 0
        self.n_faults = 0
        self.lines: list[str] = []
        self.faults: list[Fault] = []

    def value(self, value: object, place: Place) -> object:
        self.values += 1
        if self.values > MOST_VALUES:
            raise InputError(f"{self.origin}: too many entries; allowed: {MOST_VALUES:,} in all")
        if isinstance(value, (bool, float)):
            if isinstance(value, float) and not math.isfinite(value):
                self.refuse(place, value, f"{value}; {_FINITE}")
            return value
        if isinstance(value, int):
            if not LEAST <= value <= MOST:
                self.refuse(place, value, f"{shown(value)}; {_RANGE}")
            return int(value)
        if isinstance(value, str):
            return self.text(value, place, MOST_TEXT)
        if isinstance(value, (Mapping, list, tuple)):
            if len(place) >= MOST_DEPTH:
                self.refuse(place[:3], None, f"nested too deeply; allowed: {MOST_DEPTH} levels")
                return None
            if isinstance(value, Mapping):
                return {
                    self.key(key, place): self.value(inner, (*place, key))
                    for key, inner in value.items()
                }
            return [self.value(inner, (*place, n)) for n, inner in enumerate(value)]
        if value is not None:
            if isinstance(value, (date, datetime, time)):
                self.refuse(place, value, f"{value} is a date or time; in quotes it is a text")
            else:
                kinds = "texts, numbers, true, false, lists, tables"
                self.refuse(place, None, f"{type(value).__name__}; allowed: {kinds}")
        return None

    def key(self, key: object, place: Place) -> str:
        if not isinstance(key, str):
            self.refuse(place, str(key), f"the key {shown(key)}; keys are texts")
            return str(key)
        return self.text(key, place, MOST_KEY)

    def text(self, text: str, place: Place, most: int) -> str:
        if len(text) > most:
            self.refuse(place, text, f"a text of {len(text):,} characters; allowed: {most:,}")
        elif "\0" in text:
            self.refuse(place, text, f"{shown(text)} holds a NUL; only text is read")
        elif not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                why = f"{shown(text)} holds half of a character (a lone surrogate)"
                self.refuse(place, text, why)
        return str(text)

    def refuse(self, place: Place, given: object, why: str) -> None:
        """Keep a fault."""
        self.n_faults += 1
        where = f"{place_told(place)}: " if place else ""
        if len(self.lines) < MOST_TOLD:
            self.lines.append(f"{self.origin}: {where}{why}")
        if len(self.faults) < MOST_FAULTS:
            what, _, allowed = why.partition("; allowed: ")
            self.faults.append(
                Fault(
                    pointer(place), what, shortened(given), allowed, "wrong-value",
                    origin=self.origin,
                )
            )  # fmt: skip


_BARE = re.compile(r"[A-Za-z0-9_-]+")
MOST_OF_A_PLACE = 120


def place_told(place: Iterable[str | int]) -> str:
    """A place as people write it: keys and list indexes with dots between them.

    >>> place_told(("attacker", "weapons", 0, "name")), place_told(("a b",))
    ('attacker.weapons.0.name', "'a b'")
    """
    parts = (str(part) if _BARE.fullmatch(str(part)) else shown(part) for part in place)
    told = ".".join(parts)
    if len(told) <= MOST_OF_A_PLACE:
        return told
    half = MOST_OF_A_PLACE // 2
    return f"{told[:half]}...{told[-half:]}"


def pointer(place: Iterable[str | int]) -> str:
    """A place as a JSON pointer (RFC 6901).

    >>> pointer(("attacker", "weapons", 0, "a/b")), pointer(())
    ('/attacker/weapons/0/a~1b', '')
    """
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in place)
    return "".join(f"/{part}" for part in parts)


class Written(NamedTuple):
    """The origin of a value: a file (or another source), and the place in it."""

    origin: str
    place: Place = ()

    def below(self, *keys: str | int) -> Written:
        """A place in it."""
        return Written(self.origin, (*self.place, *keys))

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.origin, place_told(self.place))))


# -- values of the command line ------------------------------------------------------------------

_NUMBER = re.compile(r"-?[0-9]{1,18}")


def faces_of(texts: Iterable[str]) -> tuple[Face, ...]:
    """Faces from texts: whole numbers of plain digits, everything else as it stands.

    >>> faces_of(["96", "-1", "00", "crown", "²"])
    (96, -1, '00', 'crown', '²')
    """
    return tuple(
        int(text) if _NUMBER.fullmatch(text) and text == str(int(text)) else text for text in texts
    )


def value_of(text: str, where: str) -> object:
    """A number, truth value, list or table if the text reads like one in JSON, else the text.

    Raises:
        InputError: it reads like one and is beyond a limit.
    """
    try:
        found = _loads(text)
    except json.JSONDecodeError:
        found = text
    except _FaultError as error:
        raise InputError(f"{where}: {error}") from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply; allowed: {MOST_DEPTH} levels") from None
    return _checked(found, where)
