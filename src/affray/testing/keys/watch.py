"""The fields of sheets that a play reads."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import _lru_cache_wrapper, cache
from typing import Any

from affray.core.node import Facts
from affray.core.system import System

__all__ = ["Watch", "caches_of", "package_of"]

QUIET = ("__eq__", "__hash__", "__post_init__")
COPYING = vars(dataclasses)
"""A copy with other values reads all fields; what it holds is read later, or never."""


class Watch:
    """Notes which fields of sheets are read; making, copying, comparing and hashing don't count."""

    def __init__(self, sheets: Sequence[type]) -> None:
        self.sheets = sheets
        self.read: dict[tuple[type, str], dict[int, Any]] = defaultdict(dict)
        self._quiet = 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch for a while."""
        kept = {sheet: [(name, getattr(sheet, name)) for name in QUIET] for sheet in self.sheets}
        for sheet in self.sheets:
            self._patch(sheet)
        try:
            yield
        finally:
            for sheet, methods in kept.items():
                del sheet.__getattribute__
                for name, method in methods:
                    setattr(sheet, name, method)

    def _patch(self, sheet: type) -> None:
        names = {one.name for one in fields(sheet)}
        plain, watch = object.__getattribute__, self

        def looked(self: object, name: str) -> object:
            if name in names and not watch._quiet and sys._getframe(1).f_globals is not COPYING:
                watch.read[sheet, name][id(self)] = self
            return plain(self, name)

        def quietly(method: Callable[..., Any]) -> Callable[..., Any]:
            def called(*args: object) -> Any:
                watch._quiet += 1
                try:
                    return method(*args)
                finally:
                    watch._quiet -= 1

            return called

        for name in QUIET:
            setattr(sheet, name, quietly(getattr(sheet, name)))
        sheet.__getattribute__ = looked  # type: ignore[method-assign,assignment]


@cache
def caches_of(package: str) -> tuple[Any, ...]:
    """The memories of a package's functions, by `lru_cache` or by `remembers`."""
    functions = [
        thing
        for name, module in list(sys.modules.items())
        if name == package or name.startswith(package + ".")
        for thing in vars(module).values()
    ]
    held = [
        cell.cell_contents
        for function in functions
        if isinstance(function, types.FunctionType)
        for cell in function.__closure__ or ()
    ]
    return tuple(one for one in (*functions, *held) if isinstance(one, _lru_cache_wrapper))


def package_of(system: System[Facts]) -> str:
    """The package of a system."""
    module = system.setup.__module__
    return module.rpartition(".")[0] or module
