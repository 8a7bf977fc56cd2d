"""What is said of a fight beside it and afterwards: chances to win, and a report."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.core.dice import Face
from affray.core.lazy import NamedTuple, dataclass
from affray.core.showing import share_within

__all__ = [
    "CarriedRow", "ChanceRow", "ChancesView", "CostlyRow", "CurvePoint", "ExchangeRow",
    "FightReportView", "LuckRow", "OptionWorth", "SideLuckRow",
]  # fmt: skip


class ChanceRow(NamedTuple):
    """The chance of a side to win, or of neither; `low` and `high` hold it 95 times in 100.

    Where it is exact, both are the same as `value`.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ChancesView(View):
    """The chances of a fight from where it stands, if the computer plays it out.

    Attributes:
        sides: the names of both.
        moves: after how many moves. round: in which round.
        one, other, neither: the chances.
        known: "exact", or "estimate": from fights that were played out.
        played: how many those were.
    """

    schema = "affray/fight-chances"
    system: str
    setup: str
    sides: tuple[str, str]
    moves: int
    round: int
    one: ChanceRow
    other: ChanceRow
    neither: ChanceRow
    known: str
    played: int

    def __repr__(self) -> str:
        one, other = self.sides
        told = f"{one} {share_within(*self.one)}, {other} {share_within(*self.other)}"
        return f"<chances of {self.setup} after {self.moves} moves: {told}, {self.known}>"


class ExchangeRow(NamedTuple):
    """One exchange in two lines: who did what to whom, and what came of it."""

    number: int
    round: int
    fighter: str
    deed: str
    target: str
    rolled: str
    came: str


class CarriedRow(NamedTuple):
    """How much a fighter carried the fight.

    Attributes:
        name, side: who.
        harm: points of damage done. suffered: points taken. felled: foes put out.
        state: how it ended for the fighter.
    """

    name: str
    side: str
    harm: int
    suffered: int
    felled: int
    state: str


class LuckRow(NamedTuple):
    """A roll, and how lucky it was.

    Attributes:
        exchange: the number of the exchange. name, side: who rolled.
        ask, dice, faces: what for, and what fell.
        percentile: the share of all that could have fallen that was worth less, and half of what
            was worth the same. gain: how much better than expected it was, in the objective.
    """

    exchange: int
    name: str
    side: str
    ask: str
    dice: str
    faces: tuple[Face, ...]
    percentile: float
    gain: float


class SideLuckRow(NamedTuple):
    """The luck of a side in all: its rolls, their mean percentile, and the sum of their gains."""

    side: str
    name: str
    rolls: int
    percentile: float
    gain: float


class OptionWorth(NamedTuple):
    """An option, and what it was worth to the one who decided, in the objective."""

    name: str
    value: float
    cost: float


class CostlyRow(NamedTuple):
    """A decision, and what it cost against the best one.

    Attributes:
        exchange: the number of the exchange. name, side: who decided.
        ask: what about. taken, best: options. cost: the difference, in the objective.
        options: every option on offer.
    """

    exchange: int
    name: str
    side: str
    ask: str
    taken: str
    best: str
    cost: float
    options: tuple[OptionWorth, ...]


class CurvePoint(NamedTuple):
    """The chances after an exchange, 0: before the first."""

    exchange: int
    round: int
    one: ChanceRow
    other: ChanceRow
    neither: ChanceRow
    known: str


@dataclass(frozen=True)
class FightReportView(View):
    """A fight looked back at.

    Attributes:
        sides: the names of both. verdict: how it ended; "": it goes on. rounds: how many began.
        objective, meaning: in what rolls and decisions are told.
        exchanges: each of them. carried: every fighter, who did most harm first.
        luck: every roll on which something depended. of_sides: the luck of both sides.
        decisions: every decision, the costliest first.
        unjudged: exchanges that could not be judged in the time there was. why_unjudged: why.
        curve: the chances to win along the fight.
    """

    schema = "affray/fight-report"
    system: str
    setup: str
    title: str
    sides: tuple[str, str]
    verdict: str
    rounds: int
    objective: str
    meaning: str
    exchanges: tuple[ExchangeRow, ...]
    carried: tuple[CarriedRow, ...]
    luck: tuple[LuckRow, ...]
    of_sides: tuple[SideLuckRow, ...]
    decisions: tuple[CostlyRow, ...]
    unjudged: tuple[int, ...]
    curve: tuple[CurvePoint, ...]
    why_unjudged: str = "they were too large"

    def __repr__(self) -> str:
        return (
            f"<report of {self.setup}: {len(self.exchanges)} exchanges, {self.verdict or 'open'}>"
        )
