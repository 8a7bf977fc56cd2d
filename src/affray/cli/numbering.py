"""Options with the numbers under which they may be typed."""

from __future__ import annotations

from collections.abc import Sequence

from affray.app.wording import are_numbered

__all__ = ["numbered"]


def numbered(names: Sequence[str]) -> list[tuple[int, str]]:
    """For each option its place and how it is listed.

    >>> numbered(["flip", "none"])
    [(0, '1 flip'), (1, '2 none')]
    """
    if not are_numbered(names):
        return list(enumerate(names))
    return [(place, f"{place + 1} {name}") for place, name in enumerate(names)]
