"""Entries of a kernel's table: ends, dice, decisions, and rows of places."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Facts

__all__ = [
    "Aside", "AsideEntry", "ChanceEntry", "ChoiceEntry", "Entry", "HiddenEntry", "Leaf", "PerValue",
    "SeamEntry",
]  # fmt: skip


class Aside:
    """Stands in the facts for every value of a field that is left aside."""

    __slots__ = ("field", "place_of", "values")

    def __init__(self, field: str, values: tuple[object, ...]) -> None:
        self.field = field
        self.values = values
        self.place_of = {value: place for place, value in enumerate(values)}

    def __repr__(self) -> str:
        return f"<{len(self.values)} values of {self.field}>"


class Leaf(NamedTuple):
    """An end, or a place where nothing that is wanted changes any more."""

    facts: Facts
    to: tuple[int, ...] = ()


class ChanceEntry(NamedTuple):
    """Dice: where each reading leads, with integer weights over a total."""

    weights: Sequence[int]
    total: int
    to: Sequence[int]


class AsideEntry(NamedTuple):
    """Dice whose readings are left aside: one entry that stands for all of them."""

    weights: Sequence[int]
    total: int
    to: tuple[int]


class ChoiceEntry(NamedTuple):
    """A decision: who, what each option spends, where it leads; `size` places at once.

    `at` is the place where it is met; with rows of places the facts stand for all of them.
    """

    actor: str
    spends: Sequence[int]
    to: Sequence[int]
    size: int
    at: At[Facts]


class PerValue(NamedTuple):
    """A row of places, one for each value left aside: `which` of `to`; None: each its own."""

    to: Sequence[int]
    which: Sequence[int] | None


class HiddenEntry(NamedTuple):
    """A place where a step looks at what is unknown; it goes on once that is filled in."""

    at: At[Facts]
    to: tuple[int, ...] = ()


class SeamEntry(NamedTuple):
    """A place at a seam, or a roll that leads to one, which is not followed from here."""

    beyond: At[Facts] | Chance[Facts]
    to: tuple[int, ...] = ()


Entry = Leaf | ChanceEntry | AsideEntry | ChoiceEntry | PerValue | HiddenEntry | SeamEntry
