"""The core check, which the text leaves out: outputs that rest on it name the one assumed."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.ruling import Rulings
from affray.core.system import Gap
from affray.systems.emlia.rulings import CHECK
from affray.systems.emlia.sheet import Setup

__all__ = ["GAPS"]


def _rests_on(reading: str) -> Callable[[Setup, Rulings], bool]:
    """A setup without a check of its own rests on the reading in force."""

    def met(setup: Setup, rulings: Rulings) -> bool:
        return setup.core_check is None and rulings[CHECK] == reading

    return met


GAPS: tuple[Gap, ...] = tuple(
    Gap(
        "EM-3",
        f"The text leaves out its core check; this assumes: {CHECK.options[reading]}.",
        _rests_on(reading),
    )
    for reading in CHECK.options
)
"""One for each reading of the core check."""
