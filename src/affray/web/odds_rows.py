"""The rows of odds, from the JSON of a view: values, chances for a bar and in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from affray.core.lazy import NamedTuple
from affray.core.showing import one_in, percent, share_told, share_within
from affray.core.telling import value_told

__all__ = ["Beside", "OddsLine", "Share", "line_of", "number_of", "plain_value", "told_number"]


class Share(NamedTuple):
    """A chance: as a part of one for a bar, in words, and the interval of an estimate."""

    part: float
    told: str
    low: float
    high: float
    exact: Fraction | None = None
    within: str = ""

    @property
    def width(self) -> str:
        """The bar, in percent."""
        return f"{self.part * 100:.2f}"

    @property
    def low_width(self) -> str:
        """Where the interval begins, in percent."""
        return f"{self.low * 100:.2f}"

    @property
    def open_width(self) -> str:
        """How wide the interval is, in percent."""
        return f"{max(0.0, self.high - self.low) * 100:.2f}"


class Beside(NamedTuple):
    """The same row of a pinned result, and how much more the new one has."""

    share: Share | None
    difference: str


class OddsLine(NamedTuple):
    """One row: a value or several neighbors, its chances, and those of pinned results."""

    value: str
    exactly: Share
    at_least: Share | None
    at_most: Share | None
    one_in: str
    beside: tuple[Beside, ...] = ()

    def share(self, show: str) -> Share:
        """The chance that is shown; exactly where the others have no meaning."""
        found: Share | None = getattr(self, show)
        return found or self.exactly


def _share(chance: Any) -> Share:
    if "numerator" in chance:
        exact = Fraction(int(chance["numerator"]), int(chance["denominator"]))
        part = float(exact)
        return Share(part, percent(exact), part, part, exact)
    value, low, high = chance["value"], chance["low"], chance["high"]
    if value is None:
        return Share((low + high) / 2, f"{low * 100:.2f} to {high * 100:.2f} %", low, high)
    within = share_within(value, low, high).partition("(")[2].removesuffix(")")
    return Share(value, share_told(value, low, high), low, high, None, within)


def line_of(row: Mapping[str, Any]) -> OddsLine:
    """A row of a view."""
    exactly = _share(row["exactly"])
    least, most = (
        None if row[key] is None else _share(row[key]) for key in ("at_least", "at_most")
    )
    value = plain_value(row["value"])
    return OddsLine(value, exactly, least, most, one_in(exactly.exact or exactly.part))


def plain_value(value: object) -> str:
    """A value of an outcome for people, as it stands in the JSON of a view."""
    return value_told(_tupled(value))


def number_of(value: Any) -> object:
    """A number of a view; a fraction in lowest terms."""
    if isinstance(value, dict) and "numerator" in value:
        exact = Fraction(int(value["numerator"]), int(value["denominator"]))
        return exact.numerator if exact.denominator == 1 else f"{exact}"
    return value


def _tupled(value: object) -> object:
    return tuple(map(_tupled, value)) if isinstance(value, list) else number_of(value)


def told_number(value: object) -> str:
    """A number of a view for people.

    >>> told_number({"numerator": "1", "denominator": "3", "float": 0.3333333333333333})
    '0.3333'
    """
    if isinstance(value, dict) and "float" in value:
        value = value["float"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value_told(_tupled(value))
    return f"{value:,.4g}"
