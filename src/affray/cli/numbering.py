"""Options with the numbers under which they may be typed."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["are_numbered", "numbered"]


def are_numbered(names: Sequence[str]) -> bool:
    """Whether options have numbers; not where one is called like a number.

    >>> are_numbered(["flip", "none"]), are_numbered(["0", "1", "2"])
    (True, False)
    """
    return not any(name.isascii() and name.isdecimal() for name in names)


def numbered(names: Sequence[str]) -> list[tuple[int, str]]:
    """For each option its place and how it is listed.

    >>> numbered(["flip", "none"])
    [(0, '1 flip'), (1, '2 none')]
    """
    if not are_numbered(names):
        return list(enumerate(names))
    return [(place, f"{place + 1} {name}") for place, name in enumerate(names)]
