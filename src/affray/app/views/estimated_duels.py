"""A duel where exact was too much: battles, with intervals."""

from __future__ import annotations

from typing import Literal

from affray.app.views.envelope import View
from affray.app.views.fights import Estimate, SideRow
from affray.core.lazy import NamedTuple, dataclass
from affray.core.showing import html_table, share_within

__all__ = ["CertainChances", "EstimatedDuelView", "Within"]


class Within(NamedTuple):
    """A probability, at least and at most."""

    least: float
    most: float


class CertainChances(NamedTuple):
    """What is certain of a duel: what had ended when its share of the time was over.

    Attributes:
        won, drawn, ended: how it ends. stalled: called off; nothing where no limit of rounds was
            given.
        open: the probability that had not ended.
        states: how many states were followed.
    """

    won: tuple[Within, Within]
    drawn: Within
    ended: Within
    stalled: Within
    open: float
    states: int


@dataclass(frozen=True)
class EstimatedDuelView(View):
    """A duel that could not be worked out within its budget: battles of the two, fought.

    `won`, `drawn`, `ended` (by rule; `over` says which) and `stalled` (called off after round
    `limit`) are shares of `n` battles, with Wilson's intervals. `sides` say by which policies they
    were fought; `instead` names a policy that they could not follow, "" where they follow all.
    `certain` holds exact bounds of the duel that was asked for, None where nothing of it had ended,
    or where nobody knows how it is decided. `best` holds bounds of the chance that the first side
    wins if both decide optimally, where that was asked for; whatever nobody wins counts one half.
    None where it wasn't, or where nothing is certain. `why` says why the duel is not worked out.
    """

    schema = "affray/duel-estimate"
    version = 3
    system: str
    setup: str
    title: str
    sides: tuple[SideRow, SideRow]
    first: str
    limit: int
    objective: str
    rulings: dict[str, str]
    known: Literal["estimate"]
    won: tuple[Estimate, Estimate]
    drawn: Estimate
    ended: Estimate
    stalled: Estimate
    over: str
    rounds: Estimate
    certain: CertainChances | None
    best: Within | None
    n: int
    seed: int
    stopped_by: str
    instead: str
    why: str
    how: str
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        one, other = (
            f"{side.name} wins {share_within(*share)}"
            for side, share in zip(self.sides, self.won, strict=True)
        )
        return f"<estimated duel: {one}, {other}; {self.n:,} battles>"

    def _repr_html_(self) -> str:
        """Who wins, with intervals, for notebooks."""
        rows = (
            (side.name, share_within(*share))
            for side, share in zip(self.sides, self.won, strict=True)
        )
        head = ("won by", "chance (95 % interval)")
        return html_table(self.title or self.setup, head, rows, self.how)
