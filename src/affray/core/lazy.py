"""Dataclasses whose methods are compiled when one is first made.

The standard library writes each method of a dataclass as text and compiles it, half a millisecond
a class. A command meets dozens of classes and makes few: what it never makes costs nothing here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["dataclass"]

T = TypeVar("T")

STUBS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

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


def _methods_of(cls: type[Any]) -> Callable[[str], Callable[..., Any]]:
    """The methods of a dataclass by name; all are made when the first is asked for."""
    twins: list[type[Any]] = []

    def method(name: str) -> Callable[..., Any]:
        if not twins:
            fields = dataclasses.fields(cls)
            inside = {"__post_init__": cls.__post_init__} if hasattr(cls, "__post_init__") else {}
            twins.append(dataclasses.make_dataclass(
                cls.__name__,
                [(field.name, field.type, _copied(field)) for field in fields],
                namespace=inside,
                frozen=True,
            ))  # fmt: skip
        found: Callable[..., Any] = getattr(twins[0], name)
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
