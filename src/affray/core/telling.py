"""Values and messages for people: short, on one screen, without terminal control characters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from math import log10

__all__ = [
    "MOST_COLUMNS", "MOST_LINES", "AffrayWarning", "counted", "escaped", "fitted", "heard", "note",
    "shortened", "shown", "unheard",
]  # fmt: skip

MOST_LINES = 24
MOST_COLUMNS = 80
MOST_SHOWN = 60
MOST_DIGITS = 30
MOST_ITEMS = 8
MOST_KEPT = 200
MOST_DEPTH = 3
AMERICAN = {"defence": "defense", "colour": "color", "centre": "center"}
"""How parts of keys that are spelled otherwise are shown."""


class AffrayWarning(UserWarning):
    """Something that was given makes no difference; work goes on."""


_HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)


def note(text: str) -> None:
    """Tell of something that makes no difference, or that is assumed: as an `AffrayWarning`.

    Whoever listens by `heard` is told as well.
    """
    warnings.warn(fitted(text), AffrayWarning, stacklevel=3)
    notes = _HEARD.get()
    if notes is not None:
        notes.append(fitted(text))


@contextmanager
def heard() -> Iterator[list[str]]:
    """Listen to the notes that come up in here.

    >>> with warnings.catch_warnings(), heard() as notes:
    ...     warnings.simplefilter("ignore")
    ...     note("nothing is wrong")
    >>> notes
    ['nothing is wrong']
    """
    notes: list[str] = []
    outside = _HEARD.get()
    token = _HEARD.set(notes)
    try:
        yield notes
    finally:
        _HEARD.reset(token)
        if outside is not None:
            outside += notes


@contextmanager
def unheard() -> Iterator[None]:
    """Let nobody hear the notes that come up in here."""
    token = _HEARD.set(None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AffrayWarning)
            yield
    finally:
        _HEARD.reset(token)


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


def shortened(value: object, depth: int = MOST_DEPTH) -> object:
    """A value that somebody gave, as plain JSON for a program: large ones cut.

    >>> shortened(("Ada", 3, None)), shortened({"a": {"b": {"c": {}}}}), shortened(10 ** 40)
    (['Ada', 3, None], {'a': {'b': {'c': '...'}}}, 'a number of about 41 digits')
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        cut = value if len(value) <= MOST_KEPT else f"{value[:MOST_KEPT]}..."
        return cut.encode(errors="backslashreplace").decode()
    if isinstance(value, (int, float)):
        return value if abs(value) < 10**MOST_DIGITS else shown(value)
    if isinstance(value, (Mapping, list, tuple)):
        if not depth:
            return "..."
        if isinstance(value, Mapping):
            kept = list(value.items())[:MOST_ITEMS]
            return {str(key): shortened(held, depth - 1) for key, held in kept}
        return [shortened(held, depth - 1) for held in value[:MOST_ITEMS]]
    return shown(value)


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


def value_told(value: object) -> str:
    """A value of an outcome or a condition, for people.

    >>> value_told(True), value_told(()), value_told(("prone", "dazed")), value_told(3)
    ('yes', 'none', 'prone, dazed', '3')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        rows = (
            " ".join(map(value_told, part)) if isinstance(part, tuple) else value_told(part)
            for part in value
        )
        return ", ".join(rows) or "none"
    return "none" if value in {"", None} else str(value)


def plain_key(name: str) -> str:
    """A key in words: without underscores, in American spelling.

    >>> plain_key("hd_lost"), plain_key("spend_before_defence")
    ('hd lost', 'spend before defense')
    """
    words = name.replace("_", " ")
    for british, american in AMERICAN.items():
        words = words.replace(british, american)
    return words
