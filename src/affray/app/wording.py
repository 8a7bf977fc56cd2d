"""Finds the option that somebody types: whole, or by the beginnings of some of its words.

Case makes no difference, nor do hyphens, underscores and colons.

>>> options = ["attack: Husk 1", "attack: Husk 2", "full-auto"]
>>> meant("husk 2", options), meant("FULL auto", options), meant("att", options)
(['attack: Husk 2'], ['full-auto'], ['attack: Husk 1', 'attack: Husk 2'])
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from affray.core.errors import AnswerError
from affray.core.names import nearest
from affray.core.telling import shown

__all__ = [
    "Offered", "are_numbered", "called", "meant", "not_meant", "numbered", "numbered_as",
    "option_meant", "options_meant", "words_of",
]  # fmt: skip

_BETWEEN = re.compile(r"[\s:_,-]+")


class Offered(Protocol):
    """An option by its names."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def also(self) -> tuple[str, ...]:
        """Other names that mean the same."""
        ...


def are_numbered(names: Sequence[str]) -> bool:
    """Whether options have numbers; not where one is called like a number.

    >>> are_numbered(["flip", "none"]), are_numbered(["0", "1", "2"])
    (True, False)
    """
    return not any(name.isascii() and name.isdecimal() for name in names)


def numbered(names: Sequence[str]) -> list[str]:
    """How options are listed: with their numbers, where they have any.

    >>> numbered(["flip", "none"])
    ['1 flip', '2 none']
    """
    if not are_numbered(names):
        return list(names)
    return [f"{number} {name}" for number, name in enumerate(names, start=1)]


def numbered_as(text: str, names: Sequence[str]) -> list[str]:
    """The option that has this number in a list; none if it is no number of one."""
    is_number = text.isascii() and text.isdecimal() and len(text) < 7 and int(text) > 0
    return list(names[int(text) - 1 : int(text)]) if is_number and are_numbered(names) else []


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return [word for word in _BETWEEN.split(text.casefold()) if word]


def meant(text: str, names: Sequence[str], also: Mapping[str, str] | None = None) -> list[str]:
    """The options that a text may mean; several where it doesn't say which, none if none.

    Args:
        text: what was typed.
        names: of the options.
        also: other names, with the option that each of them means.
    """
    other = also or {}
    if text in names:
        return [text]
    if text in other:
        return [other[text]]
    typed = words_of(text)
    if not typed:
        return []
    known = [(name, words_of(name)) for name in names]
    known += [(name, words_of(called)) for called, name in other.items()]
    whole = [name for name, words in known if words == typed]
    begun = [name for name, words in known if _begin(typed, words)]
    # Who is named in full is meant: "husk" is no "Husk Captain" where there is a Husk.
    full = [name for name, words in known if typed == words_of(called(name))]
    return list(dict.fromkeys(whole or full or begun))


def called(option: str) -> str:
    """The target in the name of an option: "Husk 1" of "attack: Husk 1"."""
    return option.partition(": ")[2]


def _begin(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the typed words are the beginnings of words of an option, in their order.

    Numbers are typed whole.
    """
    left = iter(words)
    return all(
        any(word == part or (word.startswith(part) and not part.isdecimal()) for word in left)
        for part in typed
    )


def not_meant(text: str, names: Sequence[str]) -> str:
    """Say that a text means none of these options; names the nearest one, or the nearest word."""
    known = [*names, *(word for name in names for word in words_of(name) if len(word) > 1)]
    return f"{shown(text)} is not on offer.{nearest(text, known)} Allowed: {', '.join(names)}"


def options_meant(options: Sequence[Offered], text: str) -> list[str]:
    """The options that a text may mean: a number of the list, names, beginnings of their words."""
    names = [option.name for option in options]
    also = {other: one.name for one in options for other in one.also}
    return numbered_as(text, names) or meant(text, names, also)


def option_meant(options: Sequence[Offered], text: str) -> str:
    """The one option that a text means.

    Raises:
        AnswerError: it means none, or several.
    """
    found = options_meant(options, text)
    if len(found) != 1:
        raise AnswerError(not_meant(text, [option.name for option in options]))
    return found[0]
