"""Results of use cases about whole fights; see `affray.app.views.exchanges`.

In all of them `assumed` says what the fight rests on that the book leaves out.
"""

from __future__ import annotations

from fractions import Fraction

from affray.app.views.envelope import View
from affray.app.views.ways import ways_of
from affray.core.lazy import NamedTuple, dataclass
from affray.core.showing import html_table, percent, share_within
from affray.engine.fight.duels.exact import ExactResult
from affray.engine.fight.sampled.estimate import Estimate, share_of
from affray.engine.fight.sampled.results import FighterStats

__all__ = [
    "BattleView", "CaseRow", "CellRow", "CompareView", "DuelView", "Estimate", "FateRow",
    "KindRow",
    "LeftRow", "MatrixView", "Pair", "PointsLeft", "RoundRow", "SideRow", "SurvivorRow",
    "share_of",
]  # fmt: skip

Pair = tuple[float, float]


class KindRow(NamedTuple):
    """Fighters of one kind: their name, how many there are, and what only they always do."""

    name: str
    number: int
    habits: dict[str, tuple[str, ...]]


class SideRow(NamedTuple):
    """One side: who fights, how it decides, and what all of it always do when they can."""

    name: str
    fighters: tuple[KindRow, ...]
    policy: str
    meaning: str
    habits: dict[str, tuple[str, ...]]
    targets: str


class RoundRow(NamedTuple):
    """A round: the chance that the fight ends in it, and how things stand after it."""

    number: int
    ends: float
    going_on: float
    won: Pair
    drawn: float
    ended: float


class LeftRow(NamedTuple):
    """Something that can be spent: at the start, and on average when the duel is over.

    `left` is None if it is never over.
    """

    side: int
    name: str
    start: int
    left: float | None


class PointsLeft(NamedTuple):
    """The points that a duel leaves a side, whoever has won.

    Attributes:
        mean: on average; None if it never ends.
        chances: pairs of a number of points and its chance.
    """

    mean: float | None
    chances: tuple[tuple[int, float], ...]


class FateRow(NamedTuple):
    """How a fight leaves a side's fighters: so many of them meet a fate in so many battles.

    `battles` are those to be expected: a last check that decides is counted with its chance.
    """

    side: int
    fate: str
    fighters: int
    battles: float


class CaseRow(NamedTuple):
    """One way to begin: its chance, and how the duel then ends.

    `rounds` is None if it can go on forever.
    """

    name: str
    chance: Fraction
    won: Pair
    drawn: float
    ended: float
    endless: float
    stalled: float
    rounds: float | None


class OpeningRow(NamedTuple):
    """A choice before the first roll of a solved duel.

    `values`: for each option how likely the first side then wins, half of the draws counted.
    """

    side: str
    step: str
    ask: str
    values: tuple[tuple[str, float], ...]
    best: str


@dataclass(frozen=True)
class DuelView(View):
    """A duel to the end.

    `won`, `drawn`, `ended` (by rule; `over` says which), `endless` and `stalled` (the limit of
    rounds was reached) add up to one. `rounds` is the mean number of rounds; None if the duel can
    go on forever. `quartiles` are the rounds by which it is over with a chance of 1/4, 1/2 and
    3/4; None where it never is. `start` and `left` are points of each side at the start, and on
    average at the end if it has won (None: it never wins). `points` are those that each side has
    left when the duel is over or called off. `partial`: of the rounds only a
    beginning is known, since a limit was reached: `stopped_by`. `fates` are the chances of how the
    duel leaves either side; empty where the system tells no fates apart.
    """

    schema = "affray/duel"
    system: str
    setup: str
    title: str
    sides: tuple[SideRow, SideRow]
    first: str
    limit: int | None
    objective: str
    rulings: dict[str, str]
    won: Pair
    drawn: float
    ended: float
    endless: float
    stalled: float
    over: str
    rounds: float | None
    quartiles: tuple[int | None, int | None, int | None]
    by_round: tuple[RoundRow, ...]
    start: tuple[int, int]
    left: tuple[float | None, float | None]
    points: tuple[PointsLeft, PointsLeft]
    fates: tuple[dict[str, float], dict[str, float]]
    resources: tuple[LeftRow, ...]
    cases: tuple[CaseRow, ...]
    exact: ExactResult | None
    openings: tuple[OpeningRow, ...]
    states: int
    exchanges: int
    residual: float
    partial: bool
    stopped_by: str
    how: str
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        one, other = (side.name for side in self.sides)
        return (
            f"<duel: {one} wins {percent(self.won[0])}, {other} wins {percent(self.won[1])}; "
            f"{'endless' if self.rounds is None else f'mean {self.rounds:.4g} rounds'}>"
        )

    def _repr_html_(self) -> str:
        """Show the winner's chances in a notebook."""
        rows = [(way.label, way.told) for way in ways_of(self, self.endless) if way.is_shown]
        return html_table(self.title or self.setup, ("won by", "chance"), rows, self.how)


# -- battles -----------------------------------------------------------------------------------


class SurvivorRow(NamedTuple):
    """In how many battles so many fighters of a side were still in the fight at the end."""

    side: int
    standing: int
    battles: int


@dataclass(frozen=True)
class BattleView(View):
    """A battle, fought many times.

    `won`, `drawn`, `ended` (by rule; `over` says which) and `stalled` (called off after round
    `limit`) add up to one. `partial`: it came to `n` battles only, since a limit was reached:
    `stopped_by` ("seconds", "battles", "bytes", or "interrupted"). `wanted` is None if there were
    to be as many as an error takes. `error` is half the width of the interval of
    `won[0]`, in percentage points. `histogram` holds pairs of a number of rounds and in how many
    battles it came up. `fates` count how battles leave fighters who don't stand; empty where the
    system tells no fates apart.
    """

    schema = "affray/battle"
    system: str
    setup: str
    title: str
    sides: tuple[SideRow, SideRow]
    first: str
    limit: int
    objective: str
    rulings: dict[str, str]
    seed: int
    n: int
    wanted: int | None
    partial: bool
    stopped_by: str
    error: float
    won: tuple[Estimate, Estimate]
    drawn: Estimate
    ended: Estimate
    stalled: Estimate
    over: str
    rounds: Estimate
    histogram: tuple[tuple[int, int], ...]
    survivors: tuple[SurvivorRow, ...]
    fates: tuple[FateRow, ...]
    fighters: tuple[FighterStats, ...]
    tables: dict[str, int]
    how: str
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        one, other = (side.name for side in self.sides)
        return (
            f"<battle: {one} wins {share_within(*self.won[0])}, {other} wins "
            f"{share_within(*self.won[1])}; {self.n:,} battles, seed {self.seed}>"
        )

    def _repr_html_(self) -> str:
        """Show the winner's shares, with intervals, in a notebook."""
        rows = [(way.label, share_within(*way.share)) for way in ways_of(self) if way.is_shown]
        return html_table(
            self.title or self.setup, ("won by", "chance (95 % interval)"), rows, self.how
        )


@dataclass(frozen=True)
class CompareView(View):
    """Two battles fought with the same random numbers.

    `won` and `rounds` are those of the first battle less those of the second: the chance that
    its first side wins, and the mean number of rounds. `partial`, `stopped_by`: as for
    `BattleView`.
    """

    schema = "affray/battle-comparison"
    system: str
    seed: int
    n: int
    partial: bool
    stopped_by: str
    battles: tuple[BattleView, BattleView]
    won: Estimate
    rounds: Estimate
    how: str
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<comparison: the first side wins {self.won.value * 100:+.2f} points more in the "
            f"first battle ({self.won.low * 100:.2f} to {self.won.high * 100:.2f})>"
        )

    def _repr_html_(self) -> str:
        """Both battles and how far they lie apart, for notebooks."""
        one, other = self.battles
        rows = [
            ("the first side wins", *(share_within(*battle.won[0]) for battle in (one, other)),
             f"{self.won.value * 100:+.2f} points"),
            ("mean rounds", f"{one.rounds.value:.2f}", f"{other.rounds.value:.2f}",
             f"{self.rounds.value:+.2f}"),
        ]  # fmt: skip
        return html_table("Comparison", ("", "A", "B", "A less B"), rows, self.how)


class CellRow(NamedTuple):
    """One pair: the chances that the row wins and that the column wins; None: it can't be."""

    row: str
    column: str
    wins: Estimate | None
    loses: Estimate | None
    refused: str


@dataclass(frozen=True)
class MatrixView(View):
    """Every fighter of a roster against every other one and against itself, one against one.

    `left_out` are fighters who can't attack. A cell is `affray battle SYSTEM ROW COLUMN --seed
    SEED -n N`; where the order of the sides makes no difference, half of the cells are the other
    half seen from the other side (`mirrored`). `partial`: some pairs were not fought, since a
    limit was reached: `stopped_by`.
    """

    schema = "affray/battle-matrix"
    system: str
    seed: int
    n: int
    policies: tuple[str, ...]
    names: tuple[str, ...]
    left_out: tuple[str, ...]
    cells: tuple[CellRow, ...]
    mirrored: bool
    partial: bool
    stopped_by: str
    how: str
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<matrix of {self.system}: {len(self.names)} fighters, {self.n:,} battles a pair>"
