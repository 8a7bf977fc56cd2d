"""What was made for a page and may be asked for again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Made"]

T = TypeVar("T")
MOST_KEPT = 200


class Made(Generic[T]):
    """Things that were made, by what they were made for; the longest unused are forgotten."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[object, ...], T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...]) -> T | None:
        """What was made for this, or None."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
            return self._made.get(key)

    def put(self, key: tuple[object, ...], value: T) -> None:
        """Keep what was made."""
        with self._lock:
            self._made[key] = value
            while len(self._made) > MOST_KEPT:
                self._made.popitem(last=False)
