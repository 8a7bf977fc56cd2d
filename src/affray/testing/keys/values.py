"""Values to try for a field of a sheet."""

from __future__ import annotations

import types
import typing
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal

from affray.core.errors import SetupError
from affray.testing.keys.sheets import Key, hints_of, least, parts_of, sheets_in, words_of

__all__ = ["Values"]


class Values:
    """Values to try for a field: from its annotation, and as examples and the roster have them."""

    def __init__(self, trees: Sequence[Any], kinds: Sequence[type]) -> None:
        self.texts: dict[str, dict[object, None]] = defaultdict(dict)
        self.seen: dict[tuple[type, str], dict[object, None]] = defaultdict(dict)
        self.sheets: dict[type, dict[object, None]] = defaultdict(dict)
        for tree in trees:
            for _, one in sheets_in(tree):
                self.sheets[type(one)][one] = None
                for part in fields(one):
                    value = getattr(one, part.name)
                    self.seen[type(one), part.name][value] = None
                    if isinstance(value, str):
                        self.texts[part.name][value] = None
        for kind in kinds:
            if not self.sheets[kind]:
                with suppress(SetupError):
                    self.sheets[kind][least(kind)] = None

    def others(self, sheet: Any, key: Key) -> Iterator[object]:
        """Other values for a field, the most different ones first."""
        now = getattr(sheet, key.name)
        hint = hints_of(key.sheet)[key.name]
        if key.word != "":
            found: Iterator[object] = self.with_word(now, key)
        else:
            found = self._any(now, hint, key)
        met = {_Same(now)}
        for value in found:
            if _Same(value) not in met:
                met.add(_Same(value))
                yield value

    def with_word(self, now: Any, key: Key) -> Iterator[object]:
        """Values of a field that say the word of a key, or no longer do."""
        if isinstance(now, tuple):
            without = tuple(one for one in now if one != key.word)
            yield without if key.word in now else (*now, key.word)
        elif now == key.word:
            words = words_of(hints_of(key.sheet)[key.name])
            yield from (word for word in words if word != key.word)
        else:
            yield key.word

    def _any(self, now: Any, hint: object, key: Key) -> Iterator[object]:
        seen = list(self.seen[key.sheet, key.name])
        if isinstance(now, bool):
            yield not now
            return
        bare = typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint
        if typing.get_origin(bare) in {typing.Union, types.UnionType}:
            if now is not None and type(None) in typing.get_args(bare):
                yield None
            if now is None:
                yield from (value for value in spread_over(seen) if value is not None)
                for part in parts_of(hint):
                    if part in {int, float}:
                        yield from (0, 1, 2, 5, 12, 30, 80)
                    elif isinstance(part, type) and is_dataclass(part):
                        yield from spread_over(list(self.sheets[part]))
        if isinstance(now, (int, float)):
            yield from _numbers(now, hint)
        yield from words_of(hint) if not isinstance(now, tuple) else ()
        if isinstance(now, tuple):
            yield from self._lists(now, hint)
        yield from spread_over([value for value in seen if value is not None])
        if is_dataclass(now) and len(seen) < 2:
            yield from spread_over(list(self.sheets[type(now)]))
        if isinstance(now, str) and not words_of(hint):
            yield from ("", f"{now}x", *spread_over(list(self.texts[key.name])))

    def _lists(self, now: tuple[Any, ...], hint: object) -> Iterator[object]:
        for place in range(min(3, len(now))):
            yield (*now[:place], *now[place + 1 :])
        if now:
            yield (*now, now[-1])
        if now and isinstance(now[0], (int, float)):
            yield tuple(value + 2 for value in now)
        for word in words_of(hint):
            without = tuple(one for one in now if one != word)
            yield without if word in now else (*now, word)
        for part in parts_of(hint):
            if isinstance(part, type) and is_dataclass(part):
                yield from ((*now, one) for one in spread_over(list(self.sheets[part])))
            elif part is int:
                yield from ((*now, 1), (*now, 3))
            elif part is str:
                yield (*now, "x")


class _Same:
    """A value that equals others of its type alone: True is not 1."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, _Same)
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


def spread_over(values: list[Any], most: int = 6) -> list[Any]:
    """A few of them, from all over."""
    if len(values) <= most:
        return values
    return [values[place * len(values) // most] for place in range(most)]


def _numbers(now: float, hint: object) -> Iterator[object]:
    lows = [bound for part in _bounds(hint) if (bound := getattr(part, "ge", None)) is not None]
    highs = [bound for part in _bounds(hint) if (bound := getattr(part, "le", None)) is not None]
    low, high = max(lows, default=0), min(highs, default=1_000)
    kind = type(now)
    steps = [now + 1, now - 1, now * 2 + 5, low, now + 30, min(high, now + 500), low + 1, now // 2]
    yield from (kind(value) for value in steps if low <= value <= high)


def _bounds(hint: object) -> Iterator[object]:
    if typing.get_origin(hint) is Annotated:
        yield from typing.get_args(hint)[1:]
    if typing.get_origin(hint) is not Literal:
        for part in typing.get_args(hint):
            yield from _bounds(part)
