"""Results of fights in words, alike in a terminal, in a notebook and on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import TYPE_CHECKING

from affray.core.showing import number, percent, share_told
from affray.engine.fight.sampled.estimate import Estimate

if TYPE_CHECKING:
    from affray.app.views.fights import CompareView, RoundRow

__all__ = [
    "bounds_told",
    "differences",
    "interval",
    "met",
    "part_told",
    "unsettled",
]

TAIL = 0.001
"""Rounds are told until no more than this goes on."""
TINY = 1e-9
"""Differences that come of rounding in a computer, in hundredths of a percent."""


def interval(one: Estimate, scale: float = 100, unit: str = " %") -> str:
    """The ends of an interval."""
    return f"{one.low * scale:.2f} to {one.high * scale:.2f}{unit}"


def bounds_told(least: float, most: float) -> str:
    """Bounds of a probability, rounded outwards."""
    low, high = floor(least * 10_000 + TINY) / 100, ceil(most * 10_000 - TINY) / 100
    return f"{low:.2f} to {high:.2f} %"


def part_told(share: float) -> str:
    """A part of what was counted, which is no chance."""
    return ("none", "all")[int(share)] if share in {0, 1} else percent(share)


def unsettled(rounds: Sequence[RoundRow]) -> tuple[RoundRow, ...]:
    """The rounds that are told: those before which a duel is likely enough to go on."""
    return tuple(
        row for place, row in enumerate(rounds) if not place or rounds[place - 1].going_on > TAIL
    )


def met(fates: Sequence[Mapping[str, float]]) -> list[str]:
    """The fates that may befall either side, of those that a system tells apart."""
    return [fate for fate in fates[0] if any(side[fate] for side in fates)]


def differences(view: CompareView) -> tuple[tuple[str, ...], ...]:
    """What two battles differ in: the measure, A, B, A less B, and the interval of that."""
    return (
        ("the first side wins", *(share_told(*battle.won[0]) for battle in view.battles),
         f"{view.won.value * 100:+.2f} points", interval(view.won, unit=" points")),
        ("mean rounds", *(number(battle.rounds.value) for battle in view.battles),
         f"{view.rounds.value:+.2f}", interval(view.rounds, 1, "")),
    )  # fmt: skip
