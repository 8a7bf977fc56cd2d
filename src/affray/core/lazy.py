"""Dataclasses and named tuples without the compiling that the standard library does for them.

The standard library writes the methods of such a class as text and compiles them: a fifth of a
millisecond for a named tuple, up to two for a dataclass. A command meets hundreds of classes and
makes few of them. Here dataclasses share their methods, and named tuples what makes them: it is
compiled once for each number of fields, when a tuple of so many is first made.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["NamedTuple", "dataclass", "quick_replace"]

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass
    from typing import NamedTuple
else:

    class _Kind(type):
        """Makes a class of named tuples where `NamedTuple` is the first base."""

        def __new__(cls, name: str, bases: tuple[type, ...], inside: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, inside)
            return _named_tuple(name, bases[1:], inside)

    class NamedTuple(metaclass=_Kind):
        """As in `typing`, but annotations stay as they were written, and copies are quicker."""

    def dataclass(
        *, frozen: bool, kw_only: bool = False, eq: bool = True
    ) -> Callable[[type[T]], type[T]]:
        """Make a frozen dataclass of a class; fields, defaults and methods as usual."""
        assert frozen, "what can change is made by dataclasses.dataclass"

        def decorate(cls: type[T]) -> type[T]:
            made = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
            left_out = () if eq else ("__eq__", "__hash__")
            for name, method in _methods_of(made).items():
                if name not in vars(made) and name not in left_out:
                    setattr(made, name, method)
            return made

        return decorate


def _annotated(inside: dict[str, Any]) -> dict[str, Any]:
    """The annotations of a class that is being made; lazy from Python 3.14 on."""
    if "__annotations__" in inside or "__annotate_func__" not in inside:
        return dict(inside.get("__annotations__", {}))
    lazily: Any = import_module("annotationlib")
    found: dict[str, Any] = lazily.call_annotate_function(
        inside["__annotate_func__"], lazily.Format.FORWARDREF
    )
    return found


def _named_tuple(name: str, bases: tuple[type, ...], inside: dict[str, Any]) -> type[Any]:
    """The class of named tuples behind a class statement.

    Raises:
        TypeError: a field without a default after one that has one.
    """
    fields = tuple(_annotated(inside))
    defaults = {field: inside.pop(field) for field in fields if field in inside}
    if tuple(defaults) != fields[len(fields) - len(defaults) :]:
        raise TypeError(f"{name}: fields with a default come last")

    def new(cls: type[Any], /, *values: Any, **named: Any) -> Any:
        real = _maker(name, fields, tuple(defaults.values()))
        if vars(made)["__new__"] is stub:
            type.__setattr__(made, "__new__", staticmethod(real))
        return real(cls, *values, **named)

    stub = staticmethod(new)
    usual = {
        "__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults,
        "__new__": stub, "_replace": quick_replace(name, fields), "_make": classmethod(_made_of),
        "_asdict": _as_dict, "__repr__": _shown, "__getnewargs__": _values,
        "__signature__": _SIGNATURE,
    }  # fmt: skip
    getters = zip(fields, _getters(len(fields)), strict=False)  # as many as there are fields
    made: type[Any] = type(name, (tuple, *bases), {**usual, **dict(getters), **inside})
    return made


def _maker(name: str, fields: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
    """The `__new__` of a named tuple.

    Compiled once for each number of fields; the names of the fields are put into it.
    """
    code = _MAKERS.get(len(fields))
    if code is None:
        one: Any = namedtuple("one", [f"at_{place}" for place in range(len(fields))])  # type: ignore[misc]  # as many as there are
        code = _MAKERS[len(fields)] = one.__new__.__code__
    names = ("_cls", *fields)
    known = {"_tuple_new": tuple.__new__, "__builtins__": {}, "__name__": f"namedtuple_{name}"}
    made = FunctionType(code.replace(co_varnames=names), known, "__new__", defaults)
    made.__qualname__ = f"{name}.__new__"
    made.__doc__ = f"Create new instance of {name}({', '.join(fields)})"
    return made


_MAKERS: dict[int, CodeType] = {}


def quick_replace(name: str, fields: tuple[str, ...]) -> Callable[..., Any]:
    """A `_replace` for named tuples with these fields.

    A step changes few of many fields: copying the tuple and putting the new values in place takes
    half as long as building it field by field.
    """
    places = {field: place for place, field in enumerate(fields)}
    copied = tuple.__new__

    def replace(self: tuple[object, ...], /, **changes: object) -> Any:
        values = [*self]
        try:
            for field in changes:  # noqa: PLC0206  # quicker
                values[places[field]] = changes[field]
        except KeyError as unknown:
            raise ValueError(f"{name} has no field {unknown}") from None
        return copied(self.__class__, values)

    return replace


class _Signature:
    """The fields as parameters, for whoever looks at a class: pages of help, editors."""

    def __get__(self, made: object, cls: type[Any]) -> Any:
        from inspect import Parameter, Signature

        if not dataclasses.is_dataclass(cls):
            notes = next(kind.__annotations__ for kind in cls.__mro__ if "_fields" in vars(kind))
            return Signature([
                Parameter(
                    field, Parameter.POSITIONAL_OR_KEYWORD, annotation=note,
                    default=cls._field_defaults.get(field, Parameter.empty),
                )
                for field, note in notes.items()
            ])  # fmt: skip
        fields = [field for field in dataclasses.fields(cls) if field.init]
        either, by_name = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
        return Signature(
            [
                Parameter(
                    field.name, by_name if field.kw_only else either, annotation=field.type,
                    default=_default_of(field, Parameter.empty),
                )
                for field in sorted(fields, key=lambda field: field.kw_only is True)
            ],
            return_annotation=None,
        )  # fmt: skip


def _default_of(field: dataclasses.Field[Any], none: object) -> object:
    """The default of a field as signatures show it."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory
    return none if field.default is dataclasses.MISSING else field.default


_SIGNATURE = _Signature()


def _getters(n: int) -> list[Any]:
    """For each of the first places in a tuple what reads it: the same for all classes."""
    if not _GETTERS:
        one = namedtuple("one", ("only",))  # held: a search for garbage empties what nobody holds
        _GETTERS.append(vars(one)["only"])
    kind: Any = type(_GETTERS[0])
    _GETTERS.extend([kind(at, f"Alias for field number {at}") for at in range(len(_GETTERS), n)])
    return _GETTERS


_GETTERS: list[Any] = []


def _made_of(cls: type[Any], values: Iterable[object]) -> Any:
    """One of these values, in the order of the fields."""
    made = tuple.__new__(cls, values)
    if len(made) != len(made._fields):
        raise TypeError(f"{cls.__name__} takes {len(made._fields)} values, not {len(made)}")
    return made


def _as_dict(self: Any) -> dict[str, object]:
    """The values by the names of the fields."""
    return dict(zip(self._fields, self, strict=True))


def _shown(self: Any) -> str:
    values = ", ".join([f"{name}={value!r}" for name, value in _as_dict(self).items()])
    return f"{type(self).__name__}({values})"


def _values(self: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(self)


def _methods_of(cls: type[Any]) -> dict[str, Any]:
    """The methods of a frozen dataclass: the same code for all of them, nothing is compiled."""
    fields = dataclasses.fields(cls)
    names = {field.name for field in fields if field.init}
    in_order = [field.name for field in fields if field.init and not field.kw_only]
    missing = dataclasses.MISSING
    usual = {f.name: f.default for f in fields if f.init and f.default is not missing}
    made = {f.name: f.default_factory for f in fields if f.default_factory is not missing}
    compared = _all_of([field.name for field in fields if field.compare])
    hashed = _all_of([
        field.name for field in fields if (field.compare if field.hash is None else field.hash)
    ])  # fmt: skip
    shown = [field.name for field in fields if field.repr]
    n_values, checked = len(names | made.keys()), hasattr(cls, "__post_init__")

    class Methods:
        def __init__(self, /, *args: object, **named: object) -> None:
            given = dict(zip(in_order, args, strict=False)) if args else {}
            values = {**usual, **given, **named}
            for name, make in made.items():
                if name not in values:
                    values[name] = make()
            fits = len(values) == n_values and named.keys() <= names
            if not fits or len(given) != len(args) or (given and given.keys() & named.keys()):
                _refuse(cls, self, args, named)
            vars(self).update(values)
            if checked:
                self.__post_init__()  # type: ignore[attr-defined]  # just seen

        def __repr__(self) -> str:
            values = ", ".join([f"{name}={getattr(self, name)!r}" for name in shown])
            return f"{type(self).__qualname__}({values})"

        def __eq__(self, other: object) -> bool:
            if self is other:
                return True
            if type(other) is not type(self):
                return NotImplemented
            return compared(self) == compared(other)

        def __hash__(self) -> int:
            return hash(hashed(self))

        def __setattr__(self, name: str, value: object) -> None:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name: str) -> None:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    methods = {name: vars(Methods)[name] for name in METHODS}
    methods["__signature__"] = _SIGNATURE
    return methods


METHODS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")


def _all_of(names: Sequence[str]) -> Callable[[object], object]:
    """A function that gives the values of these attributes as a tuple."""
    if not names:
        return lambda _: ()
    found = attrgetter(*names)
    return found if len(names) > 1 else lambda held: (found(held),)


def _refuse(cls: type[Any], held: object, args: Sequence[object], named: dict[str, Any]) -> None:
    """Raise the error that the standard library has for arguments that don't fit."""
    fields = [(field.name, field.type, _copied(field)) for field in dataclasses.fields(cls)]
    twin: Any = dataclasses.make_dataclass(cls.__name__, fields, eq=False, repr=False)
    twin.__init__(held, *args, **named)


def _copied(field: dataclasses.Field[Any]) -> Any:
    return dataclasses.field(
        default=field.default, default_factory=field.default_factory, kw_only=field.kw_only,
        compare=field.compare, repr=field.repr, hash=field.hash, init=field.init,
    )  # fmt: skip
