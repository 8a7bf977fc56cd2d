"""The numbers of an exchange that a what-if can vary: found by words, called as on the sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from affray.app.inputs.described import kind_within, meanings
from affray.app.inputs.intake import InputError, Raw
from affray.app.inputs.setups import load
from affray.app.registry import system_named
from affray.core.errors import Fault
from affray.core.sheet import by_hint, range_of
from affray.web.packing import packed, unpacked

__all__ = [
    "MOST_POINTS",
    "Exchange",
    "NumberField",
    "called_at",
    "matching",
    "number_fields",
    "values_between",
]

MOST_POINTS = 61
MOST_FOUND = 12
AROUND = 10
"""So far below and above what a number is now a what-if goes, if nobody says how far."""
WHO = ("attacker", "defender")


class Exchange(NamedTuple):
    """An exchange: a shipped case, or else a setup packed into a text."""

    case: str
    packed: str = ""

    @classmethod
    def of(cls, system: str, setup: object) -> Exchange:
        """The exchange that a question is about."""
        if isinstance(setup, dict):
            return cls("", packed(system, setup))
        return cls(str(setup))

    def source(self, system: str) -> str | Raw:
        """The same for a question: a name, or a table."""
        return self.case or unpacked(self.packed, system)


class NumberField(NamedTuple):
    """A number of an exchange.

    Attributes:
        path: where it stands in the setup. title: what it is called, and whose it is.
        told: what it means, with range and clauses.
        now: what it is in this exchange; None: nothing.
        least, most: its bounds; infinite: none.
        whole: whether it has no decimals.
    """

    path: str
    title: str
    told: str
    now: float | None
    least: float
    most: float
    whole: bool

    @property
    def now_told(self) -> str:
        """What it is now, in words."""
        return "" if self.now is None else f"now {self.now:g}"


@lru_cache(maxsize=64)
def number_fields(system: str, asked: Exchange) -> tuple[NumberField, ...]:
    """All numbers of an exchange: of both sides and of the situation."""
    found = system_named(system)
    setup = load(system, asked.source(system)).setup
    sheets = by_hint(found.setup, kind_within)
    rows: list[NumberField] = []
    for key in WHO:
        kind, sheet = sheets.get(key), getattr(setup, key, None)
        if kind is not None:
            rows += _numbers(
                kind, sheet, f"{key}.", str(getattr(sheet, "name", "") or key.capitalize())
            )
    rows += _numbers(found.setup, setup, "", "")
    return tuple(rows)


def _numbers(kind: type, sheet: object, prefix: str, who: str) -> Iterator[NumberField]:
    ranges = by_hint(kind, range_of)
    whole = by_hint(kind, _is_whole)
    for name, meaning in meanings(kind).items():
        if ranges[name][0] > ranges[name][1]:
            continue  # no number
        held = getattr(sheet, name, None)
        is_number = isinstance(held, (int, float)) and not isinstance(held, bool)
        if held is not None and not is_number:
            continue
        title = f"{who}: {meaning.title}" if who else meaning.title
        yield NumberField(
            prefix + name, title, meaning.told, float(held) if is_number else None,  # type: ignore[arg-type]  # a number, as was seen
            meaning.least, meaning.most, whole[name],
        )  # fmt: skip


def _is_whole(hint: object) -> bool:
    return "float" not in str(hint)


class Findable(Protocol):
    """Something to vary, which words can find."""

    @property
    def title(self) -> str:
        """What it is called."""
        ...

    @property
    def told(self) -> str:
        """What it means."""
        ...

    @property
    def now(self) -> float | None:
        """The number that it is now."""
        ...


F = TypeVar("F", bound=Findable)


def matching(fields: Sequence[F], words: str) -> tuple[tuple[F, ...], int]:
    """What has all these words, those in the title first; and how many things that are."""
    wanted = words.lower().split()
    found = [
        field for field in fields
        if all(word in f"{field.title} {field.told}".lower() for word in wanted)
    ]  # fmt: skip
    found.sort(
        key=lambda field: (
            not all(word in field.title.lower() for word in wanted), field.now is None,
        )
    )  # fmt: skip
    return tuple(found[:MOST_FOUND]), len(found)


def called_at(system: str, asked: Exchange, path: str) -> str:
    """What the number at a path is called; the path in words where nobody knows it."""
    for field in number_fields(system, asked):
        if field.path == path:
            return field.title
    return path.replace(".", ": ").replace("_", " ")


def values_between(
    system: str, asked: Exchange, path: str, low: float | None, high: float | None, points: int,
    *, which: str = "",
) -> tuple[int | float, ...]:  # fmt: skip
    """The values of a what-if: evenly apart, within the bounds of the number.

    Args:
        system: id of a system.
        asked: the exchange.
        path: the number.
        low: the first value; None: somewhat less than now.
        high: the last value; None: somewhat more than now.
        points: how many at most.
        which: what follows the names of the fields that say so, for faults.

    Raises:
        InputError: no such number, or the first value is not below the last one.
    """
    field = next((one for one in number_fields(system, asked) if one.path == path), None)
    if field is None:
        raise InputError(
            "Choose one of the numbers.", faults=[Fault("/path", "Choose one of the numbers.")]
        )
    now = field.now or 0.0
    first = max(now - AROUND, field.least) if low is None else low
    last = min(now + AROUND, field.most) if high is None else high
    if first >= last:
        what = f"From {first:g} to {last:g} is nothing; the first has to be less."
        raise InputError(what, faults=[Fault(f"/from{which}", what)])
    if field.whole:
        start, stop = math.ceil(first), math.floor(last)
        step = max(1, math.ceil((stop - start) / max(1, points - 1)))
        return tuple(range(start, stop + 1, step))
    return tuple(round(first + (last - first) * n / (points - 1), 6) for n in range(points))
