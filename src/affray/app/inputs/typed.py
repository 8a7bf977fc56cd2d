"""What people type for a field of a sheet: numbers, words, lists, yes and no."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from typing import Annotated, Literal

from affray.core.errors import AnswerError
from affray.core.names import nearest
from affray.core.sheet import range_of
from affray.core.telling import shown

__all__ = ["NOTHING", "as_typed", "listed", "plain_word", "read", "word_among", "yes_or_no"]

NOTHING = "none"
"""Typed and shown for an empty list or text."""
LEFT_OUT = "-"
"""Typed and shown for a value that is left out."""
_NO_VALUE = frozenset({NOTHING, LEFT_OUT})
_YES = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}


def read(hint: object, text: str) -> object:
    """A value for a field from what was typed.

    Args:
        hint: the annotation of the field.
        text: what was typed; entries of a list stand between commas.

    Raises:
        AnswerError: it is no such value; says what is allowed.

    >>> read(int, "20"), read(tuple[Literal["burst", "single"], ...], "si, bu"), read(bool, "y")
    (20, ['single', 'burst'], True)
    """
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _within(range_of(hint), read(parts[0], text), text)
    if words := words_of(hint):
        if type(None) in parts and text.casefold() in _NO_VALUE:
            return None
        return word_among(words, text)
    if origin in {typing.Union, types.UnionType}:
        return _read_one(parts, text)
    if origin is tuple:
        texts = listed(text)
        if parts[1:] == (...,):
            return [read(parts[0], one) for one in texts]
        if len(texts) != len(parts):
            raise AnswerError(f"{shown(text)}; allowed: {len(parts)} entries with commas between")
        return [read(part, one) for part, one in zip(parts, texts, strict=True)]
    if hint is bool:
        return yes_or_no(text)
    return text if hint is str else _number(text, whole=hint is int)


def _read_one(parts: tuple[object, ...], text: str) -> object:
    """A value of one of several kinds, the first that fits; none if it may be left out."""
    if type(None) in parts and text.casefold() in _NO_VALUE:
        return None
    kinds = [part for part in parts if part is not type(None)]
    for kind in kinds[:-1]:
        try:
            return read(kind, text)
        except AnswerError:
            continue
    return read(kinds[-1], text)


def words_of(hint: object) -> tuple[str, ...]:
    """The words that a hint allows; none if it allows anything else than words."""
    if typing.get_origin(hint) is Literal:
        words = typing.get_args(hint)
        return tuple(words) if all(isinstance(word, str) for word in words) else ()
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        found = [words_of(part) for part in typing.get_args(hint) if part is not type(None)]
        return tuple(word for words in found for word in words) if all(found) else ()
    return ()


def word_among(words: Iterable[str], text: str) -> str:
    """The word that is meant: in any capitals, with blanks or hyphens, or its beginning.

    Raises:
        AnswerError: none is, or several are.

    >>> word_among(["very_small", "small", "medium"], "Very Small"), word_among(["burst"], "b")
    ('very_small', 'burst')
    """
    known = list(words)
    plain = {plain_word(word): word for word in known}
    wanted = plain_word(text)
    if wanted in plain:
        return plain[wanted]
    if wanted == NOTHING and "" in plain:
        return ""
    begun = [word for key, word in plain.items() if wanted and key.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    if len(begun) > 1:
        raise AnswerError(f"{shown(text)} can be {_told(begun)}")
    raise AnswerError(f"{shown(text)}; allowed: {_told(known)}.{_meant(text, known)}")


MOST_WORDS = 30


def _told(words: list[str]) -> str:
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(as_typed(word) for word in words[:MOST_WORDS]) + more


def _meant(text: str, known: list[str]) -> str:
    return nearest(text, known).replace("_", " ")


def plain_word(text: str) -> str:
    """A word without capitals, with underscores for blanks and hyphens."""
    return "_".join(text.casefold().replace("-", " ").replace("_", " ").split())


def listed(text: str) -> list[str]:
    """The entries of a list that was typed: commas between them; `none` is an empty one."""
    if text.casefold() in _NO_VALUE:
        return []
    return [part.strip() for part in text.split(",") if part.strip()]


def yes_or_no(text: str) -> bool:
    """Yes or no.

    Raises:
        AnswerError: neither.
    """
    if text.casefold() not in _YES:
        raise AnswerError(f"{shown(text)}; allowed: yes, no")
    return _YES[text.casefold()]


def _number(text: str, *, whole: bool) -> int | float:
    sign, digits = text[:1] in {"+", "-"}, text.lstrip("+-")
    plain = digits.isascii() and digits.isdecimal() and len(digits) <= 9
    if plain and len(text) - len(digits) == sign:
        return int(text)
    left, dot, right = digits.partition(".")
    decimal = dot and (left + right).isascii() and (left + right).isdecimal() and len(digits) <= 18
    if decimal and not whole and len(text) - len(digits) == sign:
        return float(text)
    raise AnswerError(f"{shown(text)}; allowed: a {'whole ' if whole else ''}number")


def _within(bounds: tuple[float, float], value: object, text: str) -> object:
    least, most = bounds
    if isinstance(value, (int, float)) and not isinstance(value, bool) and least <= most:
        if value < least:
            raise AnswerError(f"{shown(text)}; allowed: {least:,.10g} or more")
        if value > most:
            raise AnswerError(f"{shown(text)}; allowed: {most:,.10g} or less")
    return value


def as_typed(value: object) -> str:
    """A value as people write it, and may type it.

    >>> as_typed(True), as_typed(()), as_typed(["very_small", "medium"]), as_typed(None)
    ('yes', 'none', 'very small, medium', '-')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return LEFT_OUT
    if value in ("", (), []):
        return NOTHING
    if isinstance(value, (list, tuple)):
        return ", ".join(map(as_typed, value))
    if isinstance(value, float):
        return f"{value:g}"
    return value.replace("_", " ") if isinstance(value, str) else str(value)
