"""Sheets: what is written down before the fight. Frozen, checked when made, quick to hash."""

from __future__ import annotations

import dataclasses
import math
import sys
import types
import typing
from collections.abc import Callable, Collection, Set
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, cast, dataclass_transform

from affray.core import lazy
from affray.core.errors import SetupError
from affray.core.telling import shown
from affray.core.unknown import hash_kept

__all__ = [
    "INFORMS", "Ge", "Le", "as_table", "by_hint", "informs", "range_of", "replace",
    "sheet",
]  # fmt: skip

T = TypeVar("T")

Check = Callable[[object], str | None]


class _Informs:
    """Says of a field that it is there for people: no roll, option or outcome depends on it."""

    def __repr__(self) -> str:
        return "INFORMS"


INFORMS = _Informs()
"""Marks a field that is there for people: `source: Annotated[str, INFORMS] = ""`."""


class _Bound:
    """A bound of a number; `annotated_types` has the same, and takes longer to load than a room."""

    key: ClassVar[str]

    def __init__(self, value: float) -> None:
        setattr(self, self.key, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({getattr(self, self.key)})"

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """The check of what is annotated, bounded; pydantic calls this."""
        return self._bounded(handler(source))

    def _bounded(self, schema: dict[str, Any]) -> dict[str, Any]:
        if schema["type"] == "nullable":
            return {**schema, "schema": self._bounded(schema["schema"])}
        return {**schema, self.key: getattr(self, self.key)}


class Ge(_Bound):
    """The least that a number may be: `Annotated[int, Ge(0)]`."""

    key = "ge"
    ge: float


class Le(_Bound):
    """The most that a number may be: `Annotated[int, Le(100)]`."""

    key = "le"
    le: float


@cache
def _hints_of(kind: type) -> dict[str, object]:
    """The annotations of a sheet's fields; what is written alike is worked out once."""
    found: dict[str, object] = {}
    fields = {field.name: field.type for field in dataclasses.fields(kind)}
    keys = {name: note if isinstance(note, str) else f" {name}" for name, note in fields.items()}
    for base in kind.__mro__:
        names = [
            name
            for name in getattr(base, "__annotations__", ())  # its own; lazy from 3.14 on
            if name in fields and name not in found
        ]
        notes = _Notes({keys[name]: fields[name] for name in names})
        around = getattr(sys.modules.get(base.__module__), "__dict__", {})
        known = typing.get_type_hints(notes, around, dict(vars(base)), include_extras=True)
        found.update({name: known[keys[name]] for name in names})
    return {name: found[name] for name in fields}


class _Notes:
    """Annotations that stand by themselves."""

    def __init__(self, notes: dict[str, object]) -> None:
        self.__annotations__ = notes


def by_hint(kind: type, make: Callable[[Any], T]) -> dict[str, T]:
    """Something for each field of a sheet, made from its annotation; once for equal ones."""
    made: dict[int, T] = {}
    hints = _hints_of(kind)
    for hint in hints.values():
        if id(hint) not in made:
            made[id(hint)] = make(hint)
    return {name: made[id(hint)] for name, hint in hints.items()}


def informs(kind: type, name: str) -> bool:
    """Whether a field of a sheet is there for people only.

    >>> @sheet
    ... class Banner:
    ...     motto: Annotated[str, INFORMS] = ""
    >>> informs(Banner, "motto")
    True
    """
    hint = _hints_of(kind)[name]
    return typing.get_origin(hint) is Annotated and INFORMS in typing.get_args(hint)[1:]


@dataclass_transform(frozen_default=True, kw_only_default=True)
def sheet(cls: type[T]) -> type[T]:
    """Make a frozen, keyword-only dataclass that refuses values out of range.

    Ranges and fixed words come from the annotations (`Annotated[int, Ge(0)]`, `Literal`);
    what no annotation can say goes into a method `check(self) -> str | None` that returns what
    is wrong. The hash is computed once.

    Raises (the class, when made):
        SetupError: a value outside its range; names the sheet, the field and what is allowed.
    """
    checks: dict[str, tuple[str, frozenset[type], float, float, frozenset[object], Check]] = {}

    def check_all(self: T, names: Collection[str] | None = None) -> None:
        if not checks:
            fits, ranges = by_hint(cls, _always_right), by_hint(cls, range_of)
            plain, found = by_hint(cls, _plain_values_of), by_hint(cls, _check_of)
            checks.update(
                (name, (name, fits[name], *ranges[name], plain[name], check))
                for name, check in found.items()
            )
        wanted = checks.values() if names is None else [checks[name] for name in names]
        for name, right, least, most, among, check in wanted:
            value = getattr(self, name)
            kind = type(value)
            if kind in right:
                continue
            if kind is int:
                if least <= value <= most:
                    continue
            elif (kind is str or (kind is tuple and not value)) and value in among:
                continue
            wrong = check(value)
            if wrong:
                raise SetupError(f"{_called(self)}: {name} is {wrong}")
        whole = getattr(self, "check", None)
        wrong = whole() if whole else None
        if wrong:
            raise SetupError(f"{_called(self)}: {wrong}")

    cls.__post_init__ = check_all  # type: ignore[attr-defined]  # dataclasses call it
    cls.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined]  # no stray keys
    made = lazy.dataclass(frozen=True, kw_only=True)(cls)
    plain_hash = made.__hash__

    made._hash = None  # type: ignore[attr-defined]  # until it is worked out

    def kept_hash(self: T) -> int:
        kept: int | None = self._hash  # type: ignore[attr-defined]  # kept there
        return hash_kept(self, partial(plain_hash, self)) if kept is None else kept

    def without_hash(self: T) -> dict[str, object]:
        # Hashes differ from process to process: a sheet works its own out where it arrives.
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]  # is one

    made.__getstate__ = without_hash  # type: ignore[method-assign,assignment]  # pickle calls it
    made.__hash__ = kept_hash  # type: ignore[method-assign,assignment]  # keeps what it computed
    return made


if TYPE_CHECKING:
    from dataclasses import replace  # mypy knows which values it takes
else:

    def replace(made: T, /, **changes: object) -> T:
        """A sheet with other values, which are checked: alone, and whether all go together.

        As `dataclasses.replace`, which checks once more each value that stays as well.

        Raises:
            SetupError: a value outside its range, or one that doesn't go with others.

        >>> @sheet
        ... class Banner:
        ...     height: Annotated[int, Ge(1)]
        ...     torn: bool = False
        >>> replace(Banner(height=2), torn=True)
        Banner(height=2, torn=True)
        """
        kind = type(made)
        names = _names_of(kind)
        if not (names and changes.keys() <= names):
            return dataclasses.replace(made, **changes)  # no sheet, or no such field
        old = vars(made)
        new = object.__new__(kind)
        vars(new).update({name: old[name] for name in names}, **changes)
        new.__post_init__(changes)
        return new


@cache
def _names_of(kind: type) -> Set[str]:
    """The names of a sheet's fields, in their order."""
    if "__pydantic_config__" not in vars(kind):
        return frozenset()
    return dict.fromkeys(field.name for field in dataclasses.fields(cast("Any", kind))).keys()


def as_table(made: object) -> dict[str, object]:
    """A sheet as a table that makes it again; whatever is as it would be anyway is left out.

    >>> @sheet
    ... class Banner:
    ...     height: int
    ...     torn: bool = False
    ...     colors: tuple[str, ...] = ()
    >>> as_table(Banner(height=2, colors=("red",)))
    {'height': 2, 'colors': ['red']}
    """
    table = {}
    for field in dataclasses.fields(cast(Any, made)):
        value = getattr(made, field.name)
        usual = field.default
        if field.default_factory is not dataclasses.MISSING:
            usual = field.default_factory()
        if usual is dataclasses.MISSING or value != usual:
            table[field.name] = _as_value(value)
    return table


def _as_value(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return as_table(value)
    if isinstance(value, tuple):
        return [_as_value(part) for part in value]
    if isinstance(value, dict):
        return {key: _as_value(part) for key, part in value.items()}
    return value


def _called(self: object) -> str:
    name = getattr(self, "name", "")
    return f"{type(self).__name__} {shown(name)}" if name else type(self).__name__


def _check_of(hint: object) -> Check:
    bounds = _bounds_of(hint)
    if typing.get_origin(hint) is Annotated:
        hint = typing.get_args(hint)[0]
    wrong_kind = _kind_check_of(hint)
    words = typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()

    def check(value: object) -> str | None:
        if words and not any(type(value) is type(word) and value == word for word in words):
            return f"{shown(value)}; allowed: {', '.join(map(str, words))}"
        for bound in bounds:
            wrong = _outside(bound, value)
            if wrong:
                return f"{shown(value)}; allowed: {wrong}"
        return wrong_kind(value)

    return check


def _always_right(hint: object) -> frozenset[type]:
    """The kinds of which a hint allows every value: most values need no closer look."""
    kinds = set(_kinds(hint)) - {float}
    return frozenset(kinds & {type(None)} if _bounds_of(hint) else kinds)


def _bounds_of(hint: object) -> list[object]:
    """The bounds of numbers that stand in a hint; what else is annotated bounds nothing."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    notes: tuple[object, ...] = ()
    if origin is Annotated:
        parts, notes = parts[:1], parts[1:]
    elif origin not in {typing.Union, types.UnionType}:
        return []
    own = [note for note in notes if hasattr(note, "ge") or hasattr(note, "le")]
    return [*own, *(note for part in parts for note in _bounds_of(part))]


def range_of(hint: object) -> tuple[float, float]:
    """The least and the most that a number may be; of what is no number, nothing lies between."""
    if not {int, float} & set(_kinds(hint)):
        return math.inf, -math.inf
    lows, highs = ([getattr(one, key, None) for one in _bounds_of(hint)] for key in ("ge", "le"))
    least = max((low for low in lows if low is not None), default=-math.inf)
    return least, min((high for high in highs if high is not None), default=math.inf)


def _plain_values_of(hint: object) -> frozenset[object]:
    """The texts that a hint names, and the empty tuple where any number of entries may stand."""
    args = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return frozenset(word for word in args if type(word) is str)
    return frozenset({()} if typing.get_origin(hint) is tuple and args[1:] == (...,) else ())


_TOLD = {int: "a whole number", float: "a finite number", bool: "true or false", str: "a text"}


def _kind_check_of(hint: object) -> Check:
    """A check that a value is what a hint of plain kinds says; other hints say nothing."""
    if typing.get_origin(hint) is tuple:
        return _tuple_check_of(typing.get_args(hint))
    kinds = _kinds(hint)
    if not kinds:
        return lambda _: None
    words = " or ".join(_TOLD[kind] for kind in kinds if kind in _TOLD)

    def check(value: object) -> str | None:
        given = type(value)
        fits = given in kinds or (given is int and float in kinds)
        if not fits and given is not bool:
            fits = isinstance(value, kinds)
        if fits and (given is not float or math.isfinite(cast("float", value))):
            return None
        return f"{shown(value)}; allowed: {words}"

    return check


def _tuple_check_of(hints: tuple[object, ...]) -> Check:
    """A check of a tuple's entries: any number of one kind, or one entry for each hint."""
    endless = hints[1:] == (...,)
    each = [_kind_check_of(hint) for hint in (hints[:1] if endless else hints)]

    def check(value: object) -> str | None:
        if not isinstance(value, tuple):
            return f"{shown(value)}; allowed: a tuple"
        checks = each * len(value) if endless else each
        if len(value) != len(checks):
            return f"{shown(value)}; allowed: {len(checks)} entries"
        found = (wrong(entry) for wrong, entry in zip(checks, value, strict=True))
        return next(filter(None, found), None)

    return check


def _kinds(hint: object) -> tuple[type, ...]:
    """The plain kinds that a hint allows; none if it allows anything else."""
    if typing.get_origin(hint) is Annotated:
        return _kinds(typing.get_args(hint)[0])
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        found = [_kinds(part) for part in typing.get_args(hint)]
        return tuple(kind for kinds in found for kind in kinds) if all(found) else ()
    if hint is None or hint is type(None):
        return (type(None),)
    return (hint,) if isinstance(hint, type) and hint in _TOLD else ()


def _outside(bound: object, value: object) -> str | None:
    """The values that are allowed, if this one is not; bounds of `annotated_types` do as well."""
    low, high = getattr(bound, "ge", None), getattr(bound, "le", None)
    if value is None or not isinstance(value, (int, float)):
        return None
    if low is not None and value < low:
        return f"{low} or more"
    if high is not None and value > high:
        return f"{high} or less"
    return None
