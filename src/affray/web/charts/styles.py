"""What all charts share: colors and marks by role, and texts that are safe in a drawing."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as html_escape
from typing import NamedTuple

from markupsafe import Markup

from affray.core.drawing import with_classes
from affray.core.telling import escaped

__all__ = ["HALF", "STYLES", "safe", "text"]

HALF = 0.5
"""The chance that the thick line marks."""


class Style(NamedTuple):
    """How a role is drawn."""

    color: str
    dash: str
    mark: str


CIRCLE = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
STYLES = {
    "one": Style("#0072b2", "", CIRCLE),
    "other": Style("#d55e00", "7 4", "M-4-4h8v8h-8z"),
    "nobody": Style("#8a8a8a", "2 3", "M0-5 5 0 0 5-5 0z"),
    "third": Style("#009e73", "10 3 2 3", "M0-5 5 4h-10z"),
    "fourth": Style("#cc79a7", "4 2 4 6", "M0 5 5-4h-10z"),
}
"""Colors of Okabe and Ito, and what tells lines apart without color."""


def safe(parts: Iterable[str]) -> Markup:
    """SVG of ours, whose texts are escaped already."""
    return Markup(with_classes(escaped("".join(parts))))


def text(words: str) -> str:
    """Words of a drawing, escaped."""
    return html_escape(words, quote=False)
