"""The ways in which a fight may end, in words and with their chances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from affray.core.lazy import NamedTuple
from affray.core.showing import share_told, shares
from affray.engine.fight.sampled.estimate import Estimate

__all__ = ["Way", "ways_of"]


class Named(Protocol):
    """A side of a fight."""

    @property
    def name(self) -> str:
        """Who fights."""


class Ended(Protocol):
    """A result that says how likely each way is in which a fight may end."""

    @property
    def sides(self) -> tuple[Named, Named]:
        """Who fights."""

    @property
    def won(self) -> tuple[float | Estimate, float | Estimate]:
        """By either side."""

    @property
    def drawn(self) -> float | Estimate:
        """Both are out."""

    @property
    def ended(self) -> float | Estimate:
        """By a rule."""

    @property
    def stalled(self) -> float | Estimate:
        """Called off."""

    @property
    def over(self) -> str:
        """The rule by which it may end."""

    @property
    def limit(self) -> int | None:
        """The round after which it is called off."""


class Way(NamedTuple):
    """A way in which a fight may end.

    Attributes:
        label: who wins, or why nobody does.
        share: how likely it is; an exact chance is an interval of no width.
        told: the same in words; those of all ways add up to 100.00 % where all are known.
        side: the one that wins; "": nobody.
    """

    label: str
    share: Estimate
    told: str
    side: Literal["one", "other", ""] = ""

    @property
    def is_shown(self) -> bool:
        """Whether it is told at all: either side's, and what can be."""
        return bool(self.side or self.share.value)


def ways_of(view: Ended, endless: float = 0.0) -> tuple[Way, ...]:
    """All ways in which a fight may end: a side wins, draw, rule, called off, it never ends.

    Args:
        view: a duel or a battle.
        endless: the chance that it never ends.
    """
    one, other = view.sides
    labels = (
        one.name, other.name, "nobody: both are out", f"nobody: {view.over or 'ended by rule'}",
        f"nobody: called off after round {view.limit}", "nobody: it never ends",
    )  # fmt: skip
    chances = [*view.won, view.drawn, view.ended, view.stalled, endless]
    found = [one if isinstance(one, Estimate) else Estimate(one, one, one) for one in chances]
    sides: tuple[Literal["one", "other", ""], ...] = ("one", "other", "", "", "", "")
    return tuple(map(Way, labels, found, _told(found), sides))


def _told(chances: Sequence[Estimate]) -> list[str]:
    """Shares that add up to one; of an estimate what came up never or always is a bound."""
    told = []
    for one, share in zip(chances, shares([one.value for one in chances]), strict=True):
        alone = share_told(*one)
        is_plain = one.low == one.high or (alone[0].isdigit() and share[0].isdigit())
        told.append(share if is_plain else alone)
    return told
