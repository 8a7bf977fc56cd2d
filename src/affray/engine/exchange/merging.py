"""Places that come to the same: plainer facts."""

from __future__ import annotations

from affray.core.hints import Plain
from affray.core.node import Facts
from affray.core.unknown import Looked

__all__ = ["plainer"]


def plainer(plain: Plain[Facts], facts: Facts, needed: frozenset[str]) -> Facts:
    """Facts without what the fields asked for don't need; as they are where that can't be seen."""
    try:
        return plain(facts, needed)
    except Looked:
        return facts
