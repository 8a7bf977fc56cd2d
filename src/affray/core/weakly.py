"""Methods that don't keep their object alive."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import ref

__all__ = ["weakly"]

P = ParamSpec("P")
R = TypeVar("R")


def weakly(method: Callable[P, R]) -> Callable[P, R]:
    """The same method, for what its object makes use of: they live as long as it does.

    Else the two keep each other alive, until Python searches for circles that nobody needs.

    Args:
        method: of an object that outlives every call.
    """
    call, owner = method.__func__, ref(method.__self__)  # type: ignore[attr-defined]

    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        return call(owner(), *args, **kwargs)  # type: ignore[no-any-return]

    return called
