"""Views back from their JSON, as `to_json` in `affray.app.views.envelope` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from affray.app.inputs.checking import adapter
from affray.app.views.envelope import View

__all__ = ["view_from"]

ENVELOPE = frozenset({"schema", "version", "affray"})
FRACTION = frozenset({"numerator", "denominator", "float"})


def view_from(kinds: tuple[type[View], ...], raw: Mapping[str, object]) -> View:
    """A view from its JSON in the envelope.

    Args:
        kinds: the views that it may be.
        raw: the JSON, written by this version or by one with the same schema.

    Raises:
        ValueError: it is none of these, or doesn't fit.
    """
    for kind in kinds:
        if (raw.get("schema"), raw.get("version")) == (kind.schema, kind.version):
            body = {key: _thawed(value) for key, value in raw.items() if key not in ENVELOPE}
            return cast("View", adapter(cast("type", kind)).validate_python(body))
    allowed = ", ".join(f"{kind.schema} {kind.version}" for kind in kinds)
    raise ValueError(f"a view {raw.get('schema')} {raw.get('version')}; allowed: {allowed}")


def _thawed(value: object) -> object:
    """A value of JSON with its fractions."""
    if isinstance(value, dict):
        if value.keys() == FRACTION:
            return Fraction(int(value["numerator"]), int(value["denominator"]))
        return {key: _thawed(held) for key, held in value.items()}
    return [_thawed(held) for held in value] if isinstance(value, list) else value
