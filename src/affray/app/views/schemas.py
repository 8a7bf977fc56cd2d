"""JSON Schema of every view, made from its annotations.

`plain` in `affray.app.views.envelope` turns values into JSON; here the types of values become the
schemas of that JSON, rule by rule: what one of them learns, the other has to learn as well. Rows
are shared definitions, called as their classes are. What a docstring says of a class, and of a
field under "Attributes:", becomes a description.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
import types
import typing
from collections import abc
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import import_module

import affray.app.views
from affray.app.views.envelope import View
from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple
from affray.core.modifier import Modifier, Total

__all__ = ["DIALECT", "Schema", "schema_of", "schemas_of", "view_classes"]

Schema = dict[str, object]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
WHOLE = "^-?[0-9]+$"
_PLAIN: Mapping[object, str] = {
    bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null",
}  # fmt: skip
_LISTS = (list, set, frozenset, abc.Sequence, abc.Set)
_TABLES = (dict, abc.Mapping)


def view_classes() -> tuple[type[View], ...]:
    """Every class of views in `affray.app.views`, in the order of their names."""
    home = affray.app.views
    for module in pkgutil.iter_modules(home.__path__, f"{home.__name__}."):
        import_module(module.name)
    found = [view for view in _below(View) if view.__module__.startswith(f"{home.__name__}.")]
    return tuple(sorted(found, key=lambda view: view.schema))


def _below(view: type[View]) -> Iterator[type[View]]:
    for kind in view.__subclasses__():
        yield kind
        yield from _below(kind)


def schema_of(view: type[View]) -> Schema:
    """The JSON Schema of `to_json` of a view; complete, with the definitions of its rows."""
    found = schemas_of([view])
    head = found.pop(view.__name__)
    return {"$schema": DIALECT, "$id": view.schema, **head, **({"$defs": found} if found else {})}


def schemas_of(views: Iterable[type[View]], *, at: str = "#/$defs/") -> dict[str, Schema]:
    """The schemas of several views and of the rows in them, by the names of their classes.

    A view that stands inside another one has no envelope: `BattleView` is the view, `Battle` what
    stands inside.

    Args:
        views: classes of views.
        at: where the schemas stand in the document that they are for.

    Raises:
        RulesError: an annotation that no schema can be made of, or two classes of one name.
    """
    writer = _Writer(at, {}, {})
    for view in views:
        writer.write_view(view)
    return writer.schemas


class _Field(NamedTuple):
    """One value of a row: the name, the type, and what its docstring says of it."""

    name: str
    hint: object
    words: str


class _Writer(NamedTuple):
    """Writes schemas, each class once.

    Attributes:
        at: where the schemas stand in their document.
        schemas: those written, by name. homes: the class that each was made of.
    """

    at: str
    schemas: dict[str, Schema]
    homes: dict[str, type]

    def write_view(self, view: type[View]) -> None:
        """A view in its envelope."""
        if not self._is_new(view.__name__, view):
            return
        envelope: dict[str, object] = {
            "schema": {"const": view.schema, "description": "The name of this view."},
            "version": {"const": view.version, "description": "The version of its shape."},
            "affray": {"type": "string", "description": "The version of the program."},
        }
        self._write(view.__name__, view, envelope)

    def of(self, hint: object) -> Schema:
        """The schema of a value of this type."""
        if hint is object:
            return {}
        if hint in _PLAIN:
            return {"type": _PLAIN[hint]}
        if isinstance(hint, type) and typing.get_origin(hint) is None:
            return self._of_class(hint)
        origin, parts = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Literal:
            return {"enum": list(parts)}
        if origin in {typing.Union, types.UnionType}:
            return {"anyOf": [self.of(part) for part in parts]}
        if origin is typing.Annotated:
            return self.of(parts[0])
        if origin is tuple:
            return self._of_tuple(parts)
        if origin in _LISTS:
            return {"type": "array", "items": self.of(parts[0])}
        if origin in _TABLES:
            inside = self.of(parts[1])
            return {"type": "object", **({"additionalProperties": inside} if inside else {})}
        raise RulesError(f"no schema for values of type {hint!r}")

    def _of_tuple(self, parts: tuple[object, ...]) -> Schema:
        if parts[1:] == (...,):
            return {"type": "array", "items": self.of(parts[0])}
        many = len(parts)
        each = {"prefixItems": [self.of(part) for part in parts]} if parts else {}
        return {"type": "array", **each, "minItems": many, "maxItems": many}

    def _of_class(self, kind: type) -> Schema:
        if issubclass(kind, Enum):
            return {"enum": [one.value for one in kind]}
        if issubclass(kind, View):
            name = kind.__name__.removesuffix("View")
        elif kind in _BY_HAND or hasattr(kind, "_fields") or is_dataclass(kind):
            name = kind.__name__
        else:
            raise RulesError(f"no schema for values of {kind.__module__}.{kind.__qualname__}")
        if self._is_new(name, kind):
            if kind in _BY_HAND:
                self.schemas[name] = _BY_HAND[kind](self)
            else:
                self._write(name, kind, {})
        return {"$ref": f"{self.at}{name}"}

    def _is_new(self, name: str, kind: type) -> bool:
        if name in self.homes and self.homes[name] is not kind:
            homes = f"{self.homes[name].__module__} and {kind.__module__}"
            raise RulesError(f"two classes of views or rows are called {name}: in {homes}")
        known = name in self.homes
        self.homes[name] = kind
        return not known

    def _write(self, name: str, kind: type, first: Mapping[str, object]) -> None:
        self.schemas[name] = {}  # a row may hold others of its kind
        rows = {one.name: _described(self.of(one.hint), one.words) for one in _fields_of(kind)}
        self.schemas[name] = _described(_closed({**first, **rows}), _said(kind))


def _closed(properties: Mapping[str, object]) -> Schema:
    """An object that has all these properties and no others."""
    return {
        "type": "object", "properties": dict(properties), "required": list(properties),
        "additionalProperties": False,
    }  # fmt: skip


def _fraction(_: _Writer) -> Schema:
    whole = {"type": "string", "pattern": WHOLE}
    parts = {"numerator": whole, "denominator": whole, "float": {"type": "number"}}
    return _described(_closed(parts), "An exact number: a fraction, and the float nearest to it.")


def _modifier(_: _Writer) -> Schema:
    parts = {
        "label": {"type": "string"},
        "value": {"type": "integer"},
        "clause": {"type": "string"},
    }
    return _described(_closed(parts), _said(Modifier))


def _total(writer: _Writer) -> Schema:
    one, more = writer.of(Modifier), writer.of(tuple[Modifier, ...])
    whole = {"type": "integer"}
    parts = {
        "value": _described(whole, "The sum of the base and all modifiers."),
        "base": _described(one, "The number that is modified: a skill, a defense."),
        "terms": _described(more, "The modifiers that are summed and then held in range."),
        "counted": _described(whole, "The sum of the terms, held in range."),
        "beyond": _described(more, "Modifiers outside that limit."),
        "cap": _described({"type": "string"}, "The clause that sets the limit."),
    }
    return _described(_closed(parts), "A base value with labelled modifiers.")


_BY_HAND = {Fraction: _fraction, Modifier: _modifier, Total: _total}
"""Classes that `plain` turns into something else than their fields."""


# -- what classes and their docstrings say --------------------------------------------------------


@cache
def _fields_of(kind: type) -> tuple[_Field, ...]:
    hints = typing.get_type_hints(kind)
    inside: tuple[str, ...] | None = getattr(kind, "_fields", None)
    names = inside if inside is not None else tuple(one.name for one in fields(kind))
    words = _words_of(kind, names)
    return tuple(_Field(name, hints[name], words.get(name, "")) for name in names)


def _described(schema: Mapping[str, object], words: str) -> Schema:
    return {**schema, **({"description": words} if words else {})}


def _said(kind: type) -> str:
    """What a docstring says of its class, without the fields."""
    text = inspect.cleandoc(kind.__doc__ or "")
    paragraphs = text.partition("\nAttributes:\n")[0].strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _words_of(kind: type, names: Iterable[str]) -> dict[str, str]:
    """What docstrings of a class and its bases say of each field, under "Attributes:"."""
    one = "|".join(map(re.escape, names))
    begins = re.compile(rf"(?:^|(?<=[.;] ))((?:{one})(?:, (?:{one}))*): ")
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        told = inspect.cleandoc(base.__doc__ or "").partition("\nAttributes:\n")[2]
        text = " ".join(told.partition("\n\n")[0].split())
        starts = list(begins.finditer(text))
        ends = [*(start.start() for start in starts[1:]), len(text)]
        for start, end in zip(starts, ends, strict=False):
            words = text[start.end() : end].strip(" ;")
            found.update(dict.fromkeys(start[1].split(", "), f"{words[:1].upper()}{words[1:]}"))
    return found
