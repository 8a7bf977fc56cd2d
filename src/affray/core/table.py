"""Tables of a book."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TypeVar

__all__ = ["Table"]

K = TypeVar("K")
V = TypeVar("V")


class Table(Mapping[K, V]):
    """A book's table: rows that never change, and the clauses they come from.

    Attributes:
        home: the module in which it is defined.
    """

    __slots__ = ("__clauses__", "_rows", "home")

    def __init__(self, rows: Mapping[K, V], *clauses: str) -> None:
        self._rows = dict(rows)
        self.__clauses__ = clauses
        self.home: str = sys._getframe(1).f_globals["__name__"]

    def __getitem__(self, key: K) -> V:
        return self._rows[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
