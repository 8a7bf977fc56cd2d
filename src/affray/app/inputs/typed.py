"""Reads the values that people type for fields of a sheet: numbers, words, lists, yes and no."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from affray.app.inputs.described import Meaning, kind_within
from affray.core.errors import AnswerError
from affray.core.names import nearest
from affray.core.sheet import range_of
from affray.core.telling import shown

__all__ = [
    "NOTHING", "as_typed", "changes_typed", "did_you_mean", "listed", "meant_by", "one_of",
    "plain_word", "read", "word_among", "words_allowed", "yes_or_no",
]  # fmt: skip

NOTHING = "none"
"""Typed and shown for an empty list or text."""
LEFT_OUT = "-"
"""Typed and shown for a value that is left out."""
MOST_WORDS = 30
"""Words that are told where none of them was meant, or several."""
_NO_VALUE = frozenset({NOTHING, LEFT_OUT})
_YES = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}


def read(hint: object, text: str) -> object:
    """Read the value that was typed for a field.

    Args:
        hint: the annotation of the field.
        text: what was typed; entries of a list stand between commas.

    Raises:
        AnswerError: the text is no such value; the message lists what is allowed.

    >>> read(int, "20"), read(tuple[Literal["burst", "single"], ...], "si, bu"), read(bool, "y")
    (20, ['single', 'burst'], True)
    """
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _within(range_of(hint), read(parts[0], text), text)
    if words := words_allowed(hint):
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


def words_allowed(hint: object) -> tuple[str, ...]:
    """The words that a hint allows; none if it allows anything else than words."""
    if typing.get_origin(hint) is Literal:
        words = typing.get_args(hint)
        return tuple(words) if all(isinstance(word, str) for word in words) else ()
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        found = [words_allowed(part) for part in typing.get_args(hint) if part is not type(None)]
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
    meant = meant_by(known, text)
    if not meant:
        raise AnswerError(f"{shown(text)}; allowed: {_told(known)}.{did_you_mean(text, known)}")
    return one_of(meant, text)


def meant_by(known: Sequence[str], text: str) -> list[str]:
    """The words that a text can stand for: the one that it is, else those that begin so."""
    plain = {plain_word(word): word for word in known}
    wanted = plain_word(text)
    if wanted in plain:
        return [plain[wanted]]
    if wanted == NOTHING and "" in plain:
        return [""]
    return [word for key, word in plain.items() if wanted and key.startswith(wanted)]


def one_of(meant: list[str], text: str) -> str:
    """The only word that is meant.

    Raises:
        AnswerError: several are.
    """
    if len(meant) > 1:
        raise AnswerError(f"{shown(text)} can be {_told(meant)}")
    return meant[0]


def _told(words: list[str]) -> str:
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(as_typed(word) for word in words[:MOST_WORDS]) + more


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """A question whether the nearest known word was meant, with a space before; or nothing."""
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


# -- several values at once ----------------------------------------------------------------------


def changes_typed(
    text: str, fields: Sequence[Meaning], hints: Mapping[str, object]
) -> bool | dict[str, object]:
    """No, yes, or values of some fields: `fray 60, guns 70`.

    Args:
        text: what was typed; entries of a list follow each other, without the title again.
        fields: those that may be named, by their titles or keys.
        hints: the annotations of fields, by key.

    Raises:
        AnswerError: it begins with no field, or a value doesn't fit.
    """
    try:
        return yes_or_no(text)
    except AnswerError:
        pass
    said: dict[str, str] = {}
    last = ""
    for part in filter(None, (part.strip() for part in text.split(","))):
        found = _field_said(part, fields)
        if found is not None:
            last, value = found
            said[last] = value
        elif last and typing.get_origin(hints[last]) is tuple:
            said[last] += f", {part}"  # one more entry of a list
        else:
            titles = [one.title for one in fields]
            raise AnswerError(
                f"{shown(part)}; allowed: no, yes, or values of {', '.join(titles)}."
                f"{nearest(part.rpartition(' ')[0] or part, titles)}"
            )
    return {name: _read_said(name, value, fields, hints) for name, value in said.items()}


def _field_said(part: str, fields: Sequence[Meaning]) -> tuple[str, str] | None:
    """The field that a text begins with, and the value behind it."""
    tokens = part.replace("=", " ").split()
    for n in range(len(tokens), 0, -1):
        begun = plain_word(" ".join(tokens[:n]))
        for one in fields:
            if begun in {plain_word(one.title), one.name}:
                return one.name, " ".join(tokens[n:])
    return None


def _read_said(
    name: str, value: str, fields: Sequence[Meaning], hints: Mapping[str, object]
) -> object:
    title = next(one.title for one in fields if one.name == name)
    hint = hints[name]
    if kind_within(hint) is not None:
        raise AnswerError(f"{title} takes more than a value; type yes to be asked for it")
    if not value and hint is bool:
        return True
    try:
        return read(hint, value)
    except AnswerError as error:
        raise AnswerError(f"{title}: {error}") from None
