"""What came up never or always in a sample is shown as a bound, wherever samples are shown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from affray.app.battle import Sampling, ask_battle
from affray.app.comparison import ask_comparison
from affray.app.fight import Fight
from affray.app.fight_report import ask_report
from affray.app.matrix import ask_matrix
from affray.app.sources import Shipped
from affray.app.views import fight_curve, heat_map
from affray.app.views.envelope import View
from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.estimates import Between, EstimatedOddsRow, EstimatedOddsView
from affray.app.views.fight_report_text import to_markdown, to_short
from affray.app.views.fight_reports import ChanceRow, ChancesView, CurvePoint, FightReportView
from affray.app.views.fights import BattleView, CompareView, MatrixView, share_of
from affray.cli.show import show
from affray.cli.show_advice import chances_lines

N = 50
NEVER, ALWAYS, SOME = share_of(0, N), share_of(N, N), share_of(20, N)
BOUNDS = {"<6", ">94", "<5.9", ">94.1", "<5.82", ">94.18"}
"""1 - 0.05 ** (1 / 50) is 0.05815..., rounded outwards."""
SAMPLING = Sampling(n=N, seed=1)
SAMPLED = re.compile(
    r"\b(Estimate|ChanceRow|CurvePoint|Between|FighterStats|EstimatedOddsRow|CellRow)\b"
)
"""What numbers of samples are kept in."""


def sure() -> BattleView:
    """Bo always wins against the husk."""
    return ask_battle("empty-earth", "bo-husk", sampling=SAMPLING)


def compared() -> CompareView:
    both = Shipped("bo-husk"), Shipped("bo-husk")
    return ask_comparison("empty-earth", both, sampling=SAMPLING)


def matrix() -> MatrixView:
    return ask_matrix("empty-earth", sampling=SAMPLING)


def duel() -> EstimatedDuelView:
    battle = sure()
    shared = {
        name: getattr(battle, name)
        for name in ("system", "setup", "title", "sides", "first", "limit", "objective", "rulings",
                     "won", "drawn", "ended", "stalled", "over", "rounds", "n", "seed")
    }  # fmt: skip
    return EstimatedDuelView(
        **shared, known="estimate", certain=None, best=None, stopped_by="", instead="", why="",
        how="",
    )  # fmt: skip


def odds() -> EstimatedOddsView:
    never, always, some = (Between(*share) for share in (NEVER, ALWAYS, SOME))
    rows = tuple(
        EstimatedOddsRow(value, *row)
        for value, row in enumerate([(never, always, some), (always, some, never)])
    )
    return EstimatedOddsView(
        "empty-earth", "x", "x", ("hits",), ("hits",), "", (), "estimate", None, N, 1, rows, None,
        "", "", "",
    )  # fmt: skip


def chances() -> ChancesView:
    rows = (ChanceRow(*ALWAYS), ChanceRow(*NEVER), ChanceRow(*NEVER))
    return ChancesView("empty-earth", "x", ("A", "B"), 3, 1, *rows, known="estimate", played=N)


def report() -> FightReportView:
    one, other, neither = ChanceRow(*ALWAYS), ChanceRow(*NEVER), ChanceRow(*SOME)
    points = (
        CurvePoint(0, 1, one, other, neither, "estimate"),
        CurvePoint(1, 1, other, one, neither, "estimate"),
    )
    looked_at = ask_report(Fight.begin("empty-earth", "bo-husk"))
    return replace(looked_at, curve=points)


VIEWS: dict[type[View], Callable[[], View]] = {
    BattleView: cache(sure), CompareView: cache(compared), MatrixView: cache(matrix),
    EstimatedDuelView: duel, EstimatedOddsView: odds, ChancesView: chances,
    FightReportView: cache(report),
}  # fmt: skip


def every_view(base: type[View] = View) -> Iterator[type[View]]:
    for view in base.__subclasses__():
        yield view
        yield from every_view(view)


def test_every_view_that_holds_shares_of_a_sample_is_walked() -> None:
    holding = {
        view
        for view in every_view()
        if any(SAMPLED.search(str(kind)) for kind in inspect.get_annotations(view).values())
    }
    assert holding == set(VIEWS)


def told(view: View, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """Everything that people see of a view."""
    show(view)
    yield capsys.readouterr().out
    yield repr(view)
    html = getattr(view, "_repr_html_", None)
    if html is not None:
        yield html().replace("&lt;", "<").replace("&gt;", ">").replace("<td>", " ")
    match view:
        case MatrixView():
            yield plain(heat_map.to_svg(view))
        case FightReportView():
            yield plain(fight_curve.to_svg(view)).replace(AXIS, "")
            yield to_markdown(view).replace("\\", "")
            yield to_short(view)
        case ChancesView():
            yield "\n".join(chances_lines(view, 80))


AXIS = "0 %\n25 %\n50 %\n75 %\n100 %\n"


def plain(svg: str) -> str:
    """The texts of a drawing."""
    texts = re.findall(r">([^<>]+)</(?:text|title|desc)>", svg)
    return "\n".join(texts).replace("&lt;", "<").replace("&gt;", ">") + "\n"


def wrong_in(text: str) -> list[str]:
    """Shares that claim to be certain, and bounds that are none."""
    text = re.sub(r"[\d.]+ to [\d.]+ ?%?", "", text)  # intervals
    wrong = re.findall(r"(?<![\d.,±])(?:0|100)(?:\.0+)? ?%", text)
    wrong += re.findall(r"\b(?:0 of|all) \d[\d,]*", text)
    bounds = re.findall(r"(?<![-\w\"/])[<>] ?\d[\d.]*", text)
    return wrong + [bound for bound in bounds if bound not in BOUNDS]


@pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.__name__)
def test_never_and_always_are_bounds(kind: type[View], capsys: pytest.CaptureFixture[str]) -> None:
    texts = list(told(VIEWS[kind](), capsys))
    for text in texts:
        assert wrong_in(text) == [], text
    assert any(bound in text for bound in BOUNDS for text in texts)


@pytest.mark.parametrize(
    "text", ["A 0 %", "A 100%", "wins 100.00 %", "<0.01 %", "cell >99", "0 of 50", "all 50"]
)
def test_what_claims_too_much_is_noticed(text: str) -> None:
    assert wrong_in(text)
    assert not wrong_in("A <5.82 %, B >94.18 %, 0.00 to 5.82 %, 40.00 % ±10.00")


def test_the_terminal_shows_intervals_of_the_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    view = VIEWS[MatrixView]()
    show(view)
    shown = capsys.readouterr().out
    assert isinstance(view, MatrixView)
    between = [cell.wins for cell in view.cells if cell.wins and 0 < cell.wins.value < 1]
    assert shown.count("±") == len(between) + 1  # and the line that says what it means


def test_exact_shares_keep_zero_and_a_hundred(capsys: pytest.CaptureFixture[str]) -> None:
    one, none = ChanceRow(1, 1, 1), ChanceRow(0, 0, 0)
    show(replace(chances(), one=one, other=none, neither=none, known="exact", played=0))
    shown = capsys.readouterr().out
    assert re.search(r"A +100 %", shown)
    assert re.search(r"B +0 %", shown)
