"""Dataclasses and named tuples whose methods are compiled when one is first made.

The standard library writes the methods of such a class as text and compiles them: a fifth of a
millisecond for a named tuple, half a millisecond for a dataclass. A command meets hundreds of
classes and makes few of them: what it never makes costs next to nothing here.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["NamedTuple", "dataclass", "quick_replace"]

T = TypeVar("T")

STUBS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")

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

    def dataclass(*, frozen: bool, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
        """Make a frozen dataclass of a class; fields, defaults and methods as usual."""
        assert frozen, "what can change is made by dataclasses.dataclass"

        def decorate(cls: type[T]) -> type[T]:
            made = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
            for name, method in _stubs(_methods_of(made)).items():
                if name not in vars(made):
                    setattr(made, name, method)
            return made

        return decorate


def _named_tuple(name: str, bases: tuple[type, ...], inside: dict[str, Any]) -> type[Any]:
    """The class of named tuples behind a class statement.

    Raises:
        TypeError: a field without a default after one that has one.
    """
    fields = tuple(inside.get("__annotations__", ()))
    defaults = {field: inside.pop(field) for field in fields if field in inside}
    if tuple(defaults) != fields[len(fields) - len(defaults) :]:
        raise TypeError(f"{name}: fields with a default come last")

    def new(cls: type[Any], /, *values: Any, **named: Any) -> Any:
        real = namedtuple(name, fields, defaults=defaults.values()).__new__
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


def quick_replace(name: str, fields: tuple[str, ...]) -> Callable[..., Any]:
    """A `_replace` for named tuples with these fields.

    A step changes few of many fields: copying the tuple and putting the new values in place takes
    half as long as building it field by field.
    """
    places = {field: place for place, field in enumerate(fields)}
    copied = tuple.__new__

    def replace(self: tuple[object, ...], /, **changes: object) -> Any:
        values = list(self)
        try:
            for field in changes:  # noqa: PLC0206  # quicker
                values[places[field]] = changes[field]
        except KeyError as unknown:
            raise ValueError(f"{name} has no field {unknown}") from None
        return copied(type(self), values)

    return replace


class _Signature:
    """The fields as parameters, for whoever looks at a class: pages of help, editors."""

    def __get__(self, made: object, cls: type[Any]) -> Any:
        from inspect import Parameter, Signature

        notes = next(
            vars(kind)["__annotations__"] for kind in cls.__mro__ if "_fields" in vars(kind)
        )
        return Signature([
            Parameter(
                field, Parameter.POSITIONAL_OR_KEYWORD, annotation=note,
                default=cls._field_defaults.get(field, Parameter.empty),
            )
            for field, note in notes.items()
        ])  # fmt: skip


_SIGNATURE = _Signature()


def _getters(n: int) -> list[Any]:
    """For each of the first places in a tuple what reads it: the same for all classes."""
    if len(_GETTERS) < n:
        names = [f"at_{place}" for place in range(2 * n)]
        # Kept until all is read: a search for garbage empties a class that nobody holds.
        longest: type[Any] = namedtuple("Longest", names)  # type: ignore[misc]  # no literal
        _GETTERS[:] = [vars(longest)[name] for name in names]
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


def _methods_of(cls: type[Any]) -> Callable[[str], Callable[..., Any]]:
    """The methods of a dataclass by name, made when one that goes with them is first needed."""
    twins: dict[str, type[Any]] = {}

    def method(name: str) -> Callable[..., Any]:
        kind = "__eq__" if name == "__hash__" else name
        if kind not in twins:
            inside: dict[str, Any] = {"__doc__": cls.__doc__}
            if hasattr(cls, "__post_init__"):
                inside["__post_init__"] = cls.__post_init__
            twins[kind] = dataclasses.make_dataclass(
                cls.__name__,
                [(field.name, field.type, _copied(field)) for field in dataclasses.fields(cls)],
                namespace=inside,
                frozen=True,
                init=kind == "__init__",
                repr=kind == "__repr__",
                eq=kind == "__eq__",
            )
        found: Callable[..., Any] = getattr(twins[kind], name)
        if getattr(vars(cls)[name], "__module__", "") == __name__:
            setattr(cls, name, found)
        return found

    return method


def _copied(field: dataclasses.Field[Any]) -> Any:
    return dataclasses.field(
        default=field.default, default_factory=field.default_factory, kw_only=field.kw_only,
        compare=field.compare, repr=field.repr, hash=field.hash, init=field.init,
    )  # fmt: skip


def _stubs(method: Callable[[str], Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Methods that make way for the real ones when they are first called; none sets or deletes."""

    class Stubs:
        def __init__(self, *args: object, **named: object) -> None:
            method("__init__")(self, *args, **named)

        def __repr__(self) -> str:
            return str(method("__repr__")(self))

        def __eq__(self, other: object) -> bool:
            same: bool = method("__eq__")(self, other)  # or NotImplemented
            return same

        def __hash__(self) -> int:
            return int(method("__hash__")(self))

        def __setattr__(self, name: str, value: object) -> None:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name: str) -> None:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    return {name: vars(Stubs)[name] for name in STUBS}
