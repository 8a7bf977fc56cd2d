"""Advice and chances to win on the page of a fight, as they were asked for."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from affray.app.rights import check_numbers, may_answer
from affray.app.views.advice import AdviceView, AdvisedRow
from affray.app.views.fight_reports import ChanceRow, ChancesView
from affray.app.views.played_fights import FightView
from affray.core.errors import ForbiddenError
from affray.core.fight import WIN
from affray.core.lazy import NamedTuple
from affray.core.showing import number, percent, share_told, share_within
from affray.web.charts.curves import Curve, Line, Point, curve, number_axis
from affray.web.games import Look, asked_at

__all__ = ["AdvicePart", "Advised", "ChancesPart", "advice_of", "advised", "chances_of", "keep"]

MOST_FIGHTS, MOST_POINTS = 200, 400
SECONDS = (("1", "1 second"), ("2", "2 seconds"), ("5", "5 seconds"), ("15", "15 seconds"))
"""How long may be looked ahead."""


# -- advice --------------------------------------------------------------------------------------


class Advised(NamedTuple):
    """An option: what it is worth, with its interval, and how it compares."""

    name: str
    words: str
    value: str
    judged: str
    is_best: bool


class AdvicePart(NamedTuple):
    """Advice at the open decision.

    Attributes:
        at: the question that it is for; see `asked_at`. can_ask: whether it may be asked for.
        heads, rows: what it tells, once it was asked. refused: why there is none.
    """

    at: int
    can_ask: bool
    heads: tuple[str, ...] = ()
    rows: tuple[Advised, ...] = ()
    refused: str = ""
    seconds: tuple[tuple[str, str], ...] = SECONDS


def advice_of(look: Look, view: FightView) -> AdvicePart:
    """The part before anything was asked."""
    question = view.question
    can = question is not None and bool(question.options) and not look.seen.computing
    return AdvicePart(asked_at(look.game), can and may_answer(look.game, look.role))


def advised(part: AdvicePart, view: AdviceView) -> AdvicePart:
    """The part with advice; with the fight in view where that is known."""
    told = view.in_fight or view
    heads = (f"{told.meaning[:1].upper()}{told.meaning[1:]}; {told.wants} is better.", told.how)
    return part._replace(heads=heads, rows=tuple(_advised(row, told) for row in told.options))


def _advised(row: AdvisedRow, view: AdviceView) -> Advised:
    is_best = row.name == view.best
    if row.value is None or row.low is None or row.high is None:
        return Advised(row.name, row.words, "not looked at", "", is_best=is_best)
    if view.objective == WIN:
        value = share_within(row.value, row.low, row.high, digits=0)
    else:
        value = number(row.value if row.fraction is None else row.fraction)
        if row.known == "estimate":
            value = f"about {value} ({number(row.low)} to {number(row.high)})"
    return Advised(row.name, row.words, value, _judged(row, view), is_best=is_best)


def _judged(row: AdvisedRow, view: AdviceView) -> str:
    if row.name == view.best:
        return "best"
    if row.name in view.alike:
        return "as good, as far as is known"
    if row.cost is None:
        return ""
    cost = percent(abs(float(row.cost))) if view.objective == WIN else number(row.cost)
    return f"costs {cost}"


# -- chances -------------------------------------------------------------------------------------


class ChancesPart(NamedTuple):
    """The chances to win that were asked for along a fight.

    Attributes:
        can_ask: whether they may be asked for now. now: those from here, in words; (): unknown.
        chart: all that were asked for; None: fewer than two. refused: why there are none.
    """

    can_ask: bool
    now: tuple[str, ...] = ()
    how: str = ""
    chart: Curve | None = None
    refused: str = ""
    seconds: tuple[tuple[str, str], ...] = SECONDS


class _Asked(NamedTuple):
    """Chances after so many moves; `placed` tells whether those moves still stand."""

    placed: int
    view: ChancesView


_CURVES: OrderedDict[str, dict[int, _Asked]] = OrderedDict()
_LOCK = Lock()


def keep(game: str, placed: int, view: ChancesView) -> None:
    """Keep the chances of a game; the games that are longest unused are forgotten."""
    with _LOCK:
        rows = _CURVES.setdefault(game, {})
        rows[view.moves] = _Asked(placed, view)
        while len(rows) > MOST_POINTS:
            rows.pop(next(iter(rows)))
        _CURVES.move_to_end(game)
        while len(_CURVES) > MOST_FIGHTS:
            _CURVES.popitem(last=False)


def chances_of(look: Look, view: FightView) -> ChancesPart:
    """The chances that were asked for and are still of this fight."""
    can = view.question is not None and look.fight.loaded.whole is None
    try:
        check_numbers(look.game, look.role)
    except ForbiddenError:
        return ChancesPart(can_ask=False)
    placed = (0, *look.game.placed)
    with _LOCK:
        rows = dict(_CURVES.get(look.seen.id, {}))
    points = [
        row.view
        for moves, row in sorted(rows.items())
        if moves < len(placed) and placed[moves] == row.placed
    ]
    if not points:
        return ChancesPart(can)
    last = points[-1]
    part = ChancesPart(can, chart=_chart(points) if len(points) > 1 else None)
    if last.moves != len(look.game.moves):
        return part
    return part._replace(now=tuple(_told(last)), how=_how(last))


def _told(view: ChancesView) -> list[str]:
    rows = zip((*view.sides, "nobody"), (view.one, view.other, view.neither), strict=True)
    return [f"{name} wins: {share_within(*row, digits=0)}" for name, row in rows if row.high > 0]


def _how(view: ChancesView) -> str:
    if view.known == "exact":
        return "Exact, if the computer plays on for both."
    return (
        f"From {view.played:,} fights that the computer played out from here; the truth lies in "
        "these intervals 95 times in 100."
    )


def _chart(points: list[ChancesView]) -> Curve:
    sides = [
        Line(points[0].sides[0], tuple(_point(one, one.one) for one in points), "one"),
        Line(points[0].sides[1], tuple(_point(one, one.other) for one in points), "other"),
    ]
    across = number_axis("moves", points[0].moves, points[-1].moves)
    return curve("chances-curve", "Chance to win so far", sides, across=across, half=True)


def _point(view: ChancesView, row: ChanceRow) -> Point:
    return Point(view.moves, row.value, share_told(*row, digits=0), row.low, row.high)
