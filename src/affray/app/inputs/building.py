"""Sheets from tables that fit: quick, and without the library that explains what doesn't.

A table is followed along the annotations of a sheet. As soon as anything is not exactly what it
should be, the answer is that nothing was built; `affray.app.inputs.tables.validated` then has
pydantic say what is wrong. Both agree on what fits; tests hold them together.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal

from affray.core.errors import SetupError
from affray.core.sheet import by_hint

__all__ = ["UnfitError", "built"]


class UnfitError(Exception):
    """A table is not, or perhaps not, what a sheet asks for."""


Builder = Callable[[object], object]


def built(kind: type, table: Mapping[str, object]) -> object:
    """A sheet from a table.

    Args:
        kind: the sheet, a dataclass.
        table: what it says; lists stand for tuples, whole numbers may stand for decimal ones.

    Raises:
        UnfitError: it doesn't fit, or nobody here can tell.
    """
    try:
        return _builder(kind)(table)
    except (SetupError, TypeError) as error:
        raise UnfitError from error


@cache
def _fields(kind: type) -> Mapping[str, Builder]:
    return by_hint(kind, _builder)


def _of_sheet(kind: type) -> Builder:
    def build(value: object) -> object:
        if not isinstance(value, dict):
            raise UnfitError
        fields = _fields(kind)
        if not value.keys() <= fields.keys():
            raise UnfitError
        return kind(**{key: fields[key](held) for key, held in value.items()})

    return build


def _builder(hint: Any) -> Builder:
    """A function that makes a value of a type from what TOML or JSON can say."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _of_sheet(hint)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _bounded(_builder(parts[0]), parts[1:])
    if origin is Literal:
        return _word(parts)
    if origin in {typing.Union, types.UnionType}:
        return _one_of([_builder(part) for part in parts])
    if origin is tuple and parts[1:] == (...,):
        return _each(_builder(parts[0]))
    if origin is tuple:
        return _row([_builder(part) for part in parts])
    if origin is dict and parts[0] is str:
        return _table(_builder(parts[1]))
    if hint is float:
        return _decimal
    if hint is object:
        return _as_it_is
    return _exactly(type(None) if hint is None else hint)


def _exactly(kind: object) -> Builder:
    if kind not in {str, int, bool, type(None)}:
        return _unknown

    def build(value: object) -> object:
        if type(value) is not kind:
            raise UnfitError
        return value

    return build


def _as_it_is(value: object) -> object:
    return value


def _unknown(_: object) -> object:
    raise UnfitError


def _decimal(value: object) -> object:
    if type(value) not in {float, int}:
        raise UnfitError
    return float(value)  # type: ignore[arg-type]  # a number


def _word(words: tuple[object, ...]) -> Builder:
    def build(value: object) -> object:
        if not any(type(value) is type(word) and value == word for word in words):
            raise UnfitError
        return value

    return build


def _bounded(inner: Builder, bounds: tuple[object, ...]) -> Builder:
    lows = [low for bound in bounds if (low := getattr(bound, "ge", None)) is not None]
    highs = [high for bound in bounds if (high := getattr(bound, "le", None)) is not None]
    if any(getattr(bound, name, None) is not None for bound in bounds for name in _OTHER_BOUNDS):
        return _unknown

    def build(value: object) -> object:
        found: Any = inner(value)
        if found is not None and not (
            all(found >= low for low in lows) and all(found <= high for high in highs)
        ):
            raise UnfitError
        return found

    return build


_OTHER_BOUNDS = ("gt", "lt", "min_length", "max_length", "multiple_of", "func")
"""Bounds that nobody follows here."""


def _one_of(builders: list[Builder]) -> Builder:
    def build(value: object) -> object:
        found = []
        for builder in builders:
            try:
                found.append(builder(value))
            except UnfitError:
                continue
        same = [made for made in found if type(made) is type(value)]
        if not found:
            raise UnfitError
        return (same or found)[0]

    return build


def _each(inner: Builder) -> Builder:
    def build(value: object) -> object:
        if not isinstance(value, (list, tuple)):
            raise UnfitError
        return tuple(map(inner, value))

    return build


def _row(inner: list[Builder]) -> Builder:
    def build(value: object) -> object:
        if not isinstance(value, (list, tuple)) or len(value) != len(inner):
            raise UnfitError
        return tuple(part(held) for part, held in zip(inner, value, strict=True))

    return build


def _table(inner: Builder) -> Builder:
    def build(value: object) -> object:
        if not isinstance(value, dict) or not all(type(key) is str for key in value):
            raise UnfitError
        return {key: inner(held) for key, held in value.items()}

    return build
