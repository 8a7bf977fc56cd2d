"""Values and messages for people: short, on one screen, without terminal control characters."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10

__all__ = ["MOST_COLUMNS", "MOST_LINES", "AffrayWarning", "counted", "escaped", "fitted", "shown"]

MOST_LINES = 24
MOST_COLUMNS = 80
MOST_SHOWN = 60
MOST_DIGITS = 30
MOST_ITEMS = 8


class AffrayWarning(UserWarning):
    """Something that was given makes no difference; work goes on."""


def escaped(text: str) -> str:
    r"""The text with everything that can't be printed written as an escape; line ends stay.

    >>> escaped("a\x1b[31m\nb\u202ec")
    'a\\x1b[31m\nb\\u202ec'
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign == "\n" or sign.isprintable() else sign.encode("unicode_escape").decode()
        for sign in text
    )


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things; `many` is the plural where it isn't the word with an s.

    >>> counted(1, "hit"), counted(2, "hit"), counted(0, "casualty", "casualties")
    ('1 hit', '2 hits', '0 casualties')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def shown(value: object, most: int = MOST_SHOWN) -> str:
    """A value that somebody gave, for a message: as Python writes it, long ones cut.

    >>> shown("Ada"), shown(True), shown([1, "a"]), shown({"a": [1]})
    ("'Ada'", 'True', "[1, 'a']", 'a table')
    >>> shown("x" * 5000, 20)
    "'xxxxxxxxxxxxxxxxxxxx...' (5,000 characters)"
    >>> shown(10 ** 5000)
    'a number of about 5,001 digits'
    """
    if isinstance(value, str):
        if len(value) <= most:
            return escaped(repr(value))
        return f"{escaped(repr(value[:most] + '...'))} ({len(value):,} characters)"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**MOST_DIGITS:
        return f"a number of about {int(value.bit_length() * log10(2)) + 1:,} digits"
    if isinstance(value, Mapping):
        return "a table" if value else "an empty table"
    if isinstance(value, (list, tuple)):
        return _items(value, most)
    told = escaped(repr(value))
    return told if len(told) <= most else type(value).__name__


def _items(items: list[object] | tuple[object, ...], most: int) -> str:
    flat = not any(isinstance(item, (list, tuple)) for item in items)
    told = ", ".join(shown(item, most) for item in items) if len(items) <= MOST_ITEMS else ""
    if flat and (told or not items) and len(told) <= most:
        return f"[{told}]"
    return f"a list of {len(items):,}"


def fitted(message: str, most: int = MOST_LINES) -> str:
    """A message that fits on a screen of so many lines of `MOST_COLUMNS`, escaped."""
    lines, rows = [], 0
    whole = escaped(message)
    if len(whole) <= MOST_COLUMNS and "\n" not in whole:
        return whole
    for line in whole.split("\n"):
        needed = max(1, -(-len(line) // MOST_COLUMNS))
        if rows + needed > most - 2:
            left = (most - 3 - rows) * MOST_COLUMNS
            lines += [line[:left]] if left > 0 else []
            return "\n".join([*lines, f"... and more; {len(whole):,} characters in all"])
        lines.append(line)
        rows += needed
    return "\n".join(lines)
