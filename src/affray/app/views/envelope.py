"""A result of a use case, and the one place that turns results into JSON.

Every view has a schema name and a version; `to_json` wraps it in an envelope with both. Exact
numbers appear as numerator and denominator strings beside the float.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import ClassVar

from affray import _version
from affray.core.lazy import dataclass
from affray.core.modifier import Modifier, Total

__all__ = ["View", "plain", "to_json"]


@dataclass(frozen=True, kw_only=True)
class View:
    """A result that can be shown or printed for machines.

    `notes`: what is assumed since nobody said it, and what was given and makes no difference.
    """

    schema: ClassVar[str]
    version: ClassVar[int] = 1
    notes: tuple[str, ...] = ()


def to_json(view: View) -> dict[str, object]:
    """A view as JSON data, in its envelope: schema, version, and the program's version."""
    body = {field.name: plain(getattr(view, field.name)) for field in fields(view)}
    return {
        "schema": view.schema, "version": view.version, "affray": _version.VERSION, **body
    }  # fmt: skip


PLAIN = frozenset({bool, int, float, str})


def plain(value: object) -> object:
    """Anything as JSON data."""
    if value is None or type(value) in PLAIN:  # most values are
        return value
    if isinstance(value, Fraction):
        return {
            "numerator": str(value.numerator),
            "denominator": str(value.denominator),
            "float": float(value),
        }
    if isinstance(value, Total):
        return {
            "value": value.value,
            "base": plain(value.base),
            "terms": [plain(term) for term in value.terms],
            "counted": value.capped,
            "beyond": [plain(term) for term in value.beyond],
            "cap": value.cap,
        }
    if isinstance(value, Modifier):
        return {"label": value.label, "value": value.value, "clause": value.clause}
    if isinstance(value, Enum):
        return value.value
    names: tuple[str, ...] | None = getattr(value, "_fields", None)
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, (int, float, str)):
        return value
    return str(value)
