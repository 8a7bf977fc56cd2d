"""The report of a fight as a page shows it: charts with their numbers beside them."""

from __future__ import annotations

from affray.app.views.fight_report_text import (
    costly_told,
    deed_told,
    headline,
    luck_told,
    luckiest,
    side_luck_told,
)
from affray.app.views.fight_reports import ChanceRow, CurvePoint, ExchangeRow, FightReportView
from affray.core.lazy import NamedTuple
from affray.core.showing import share_told
from affray.web.charts.bars import Bar, Bars, bars
from affray.web.charts.curves import Curve, Line, Point, curve, number_axis

__all__ = ["ReportShown", "report_shown"]

MOST_COSTLY = 10


class ReportShown(NamedTuple):
    """A report: its charts, and what it tells in sentences.

    Attributes:
        headline: how it ended. chances: along the fight; None: they are not known.
        carried: who did harm. luck: of both sides. sides: the same in words.
        rolls: those farthest from what was to be expected. costly: the costliest decisions.
        unit: in what luck and decisions are counted. happened: every exchange, in two lines.
        unjudged: what could not be judged.
    """

    headline: str
    chances: Curve | None
    carried: Bars
    luck: Bars
    sides: tuple[str, ...]
    rolls: tuple[str, ...]
    costly: tuple[str, ...]
    unit: str
    happened: tuple[tuple[str, str, str], ...]
    unjudged: str


def report_shown(view: FightReportView) -> ReportShown:
    """A report for the page."""
    wish = view.objective
    harm = [
        Bar((row.name, str(row.harm), str(row.suffered), str(row.felled), row.state), row.harm,
            role=row.side)
        for row in view.carried
    ]  # fmt: skip
    luck = [
        Bar((row.name, f"better than {100 * row.percentile:.0f} of 100", str(row.rolls)),
            row.percentile, role=row.side)
        for row in view.of_sides if row.rolls
    ]  # fmt: skip
    costly = [costly_told(row, wish) for row in view.decisions if row.cost > 0][:MOST_COSTLY]
    numbers = ", ".join(map(str, view.unjudged))
    return ReportShown(
        headline(view),
        _curve(view) if len(view.curve) > 1 else None,
        bars("carried", "Who carried it", ("fighter", "harm done", "harm taken", "put out",
             "at the end"), harm, scaled=True),
        bars("luck", "The mean roll, among all that could have fallen", ("side", "roll",
             "rolls"), luck),
        tuple(side_luck_told(row, wish) for row in view.of_sides),
        tuple(luck_told(row, wish) for row in luckiest(view)),
        tuple(costly),
        view.meaning,
        tuple((f"Round {row.round}", deed_told(row), _came(row)) for row in view.exchanges),
        f"Exchanges {numbers} are not judged: {view.why_unjudged}." if numbers else "",
    )  # fmt: skip


def _came(row: ExchangeRow) -> str:
    """What was rolled in an exchange, and what came of it."""
    return ". ".join(filter(None, (row.rolled, row.came)))


def _curve(view: FightReportView) -> Curve:
    lines = [
        Line(view.sides[0], tuple(_point(one, one.one) for one in view.curve), "one"),
        Line(view.sides[1], tuple(_point(one, one.other) for one in view.curve), "other"),
    ]
    across = number_axis("exchanges", view.curve[0].exchange, view.curve[-1].exchange)
    return curve("chances", "Chance to win along the fight", lines, across=across, half=True)


def _point(point: CurvePoint, row: ChanceRow) -> Point:
    return Point(point.exchange, row.value, share_told(*row, digits=0), row.low, row.high)
