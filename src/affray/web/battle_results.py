"""Results of battles, comparisons and matrices, as blocks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from affray.app.battle import battles_told
from affray.app.views.fight_words import differences, part_told
from affray.app.views.fights import BattleView, CompareView, Estimate, MatrixView, share_of
from affray.app.views.heat_map import cell_text
from affray.app.views.round_bins import binned, most_rounds
from affray.app.views.ways import ways_of
from affray.core.showing import share_told, share_within
from affray.web.charts.bars import Bar, bars
from affray.web.charts.curves import Line, Point
from affray.web.charts.heat_maps import HeatCell, heat
from affray.web.results import (
    Block,
    Grid,
    Result,
    partly,
    sides_told,
    survival,
    verdict,
    within,
)

__all__ = ["battle_result", "comparison_result", "matrix_result"]


def battle_result(view: BattleView) -> Result:
    """A battle."""
    one, other = (side.name for side in view.sides)
    blocks = [
        verdict("verdict", "Who wins", ways_of(view)),
        *_battle_rounds(view),
        *_casualties(view),
    ]
    blocks.append(_carried(view))
    return Result(
        view.title or f"{one} against {other}", "estimate",
        (f"It takes {within(view.rounds)} rounds on average.",), _battles_so_far(view),
        tuple(blocks), sides_told(view.sides, view.first, targets=True),
        f"An estimate: {view.how}.", view.assumed,
    )  # fmt: skip


def _battles_so_far(view: BattleView) -> str:
    if not view.partial:
        return ""
    fought = f"{view.n:,} of {battles_told(view.wanted)}" if view.wanted else battles_told(view.n)
    return partly(view.stopped_by, f"{fought} were fought; this is the result so far")


def _going_on(view: BattleView, name: str, role: str) -> Line:
    """How many battles still go on after each round, with intervals."""
    counts = dict(view.histogram)
    last = most_rounds(counts)
    over = accumulate(counts.get(round_, 0) for round_ in range(last + 1))
    points = []
    for round_, many in enumerate(over):
        share = share_of(view.n - many, view.n) if round_ and many else Estimate(1.0, 1.0, 1.0)
        points.append(Point(round_, share.value, share_within(*share), share.low, share.high))
    return Line(name, tuple(points), role)


def _battle_rounds(view: BattleView) -> Iterator[Block]:
    if not view.histogram:
        return
    counts = dict(view.histogram)
    yield survival([_going_on(view, "still going on", "nobody")])
    rows = []
    for one in binned(counts, most_rounds(counts)):
        label, many = one.label(" to "), int(one.many)
        share = share_of(many, view.n)
        told = share_told(*share) if many else ""
        rows.append(Bar((label, f"{many:,.0f}", told), share.value, share.low, share.high, "third"))
    head = ("round", "battles", "share")
    yield Block("bars", bars("rounds", "In which round it ends", head, rows, scaled=True))


def _casualties(view: BattleView) -> Iterator[Block]:
    roles = ("one", "other")
    rows = []
    for row in view.survivors:
        share = share_of(row.battles, view.n)
        cells = (
            view.sides[row.side].name,
            str(row.standing),
            f"{row.battles:,}",
            share_told(*share),
        )
        rows.append(Bar(cells, share.value, share.low, share.high, roles[row.side]))
    head = ("side", "still standing", "battles", "share")
    yield Block("bars", bars("survivors", "How many are left", head, rows))
    fates = []
    for met in view.fates:
        if met.fighters and met.battles:
            share = share_of(met.battles, view.n)
            cells = (
                view.sides[met.side].name, f"{met.fighters} {met.fate}", f"{met.battles:,.0f}",
                share_told(*share),
            )  # fmt: skip
            fates.append(Bar(cells, share.value, share.low, share.high, roles[met.side]))
    if fates:
        head = ("side", "at the end", "battles", "share")
        yield Block("bars", bars("fates", "How the others end", head, fates))


def _carried(view: BattleView) -> Block:
    """Every fighter, those who deal most first; the bar is the share of its side's damage."""
    puts_out = any(row.outs.value for row in view.fighters)
    rows = [
        Bar(
            (row.name, view.sides[row.side].name, share_told(*row.survives), within(row.dealt),
             within(row.taken), *((within(row.outs),) if puts_out else ()),
             part_told(row.share.value)),
            *row.share, role=("one", "other")[row.side],
        )
        for row in sorted(view.fighters, key=lambda row: (row.side, -row.share.value, row.place))
    ]  # fmt: skip
    head = ("fighter", "side", "stands at the end", "deals", "takes",
            *(("puts out",) if puts_out else ()), "of its side's damage")  # fmt: skip
    what = "Damage and foes put out" if puts_out else "Damage"
    note = f"{what} in a battle, on average; ± half of the 95 % interval."
    return Block("bars", bars("fighters", "Who carried the fight", head, rows, note=note))


def comparison_result(view: CompareView) -> Result:
    """Two battles, and how far they lie apart."""
    one, other = view.battles
    names = [
        f"{letter}: {_named(battle)}" for letter, battle in zip("AB", view.battles, strict=True)
    ]
    head = ("of the two", "A", "B", "A less B", "95 % interval")
    blocks = [Block("grid", Grid("The difference", head, differences(view)))]
    blocks += [
        verdict(f"verdict-{letter}", f"Who wins {letter.upper()}", ways_of(battle))
        for letter, battle in zip("ab", view.battles, strict=True)
    ]
    if one.histogram and other.histogram:
        lines = [
            _going_on(one, "A still goes on", "one"),
            _going_on(other, "B still goes on", "other"),
        ]
        blocks.append(survival(lines))
    so_far = partly(
        view.stopped_by, f"{view.n:,} pairs of battles were fought; this is the result so far"
    )
    return Result(
        " or ".join(names), "estimate",
        (f"{_judged(WINS, view.won)} {_judged(LASTS, view.rounds)}",),
        so_far if view.partial else "", tuple(blocks),
        (*names, *sides_told(one.sides, one.first, targets=True)), f"An estimate: {view.how}.",
        view.assumed,
    )  # fmt: skip


def _named(battle: BattleView) -> str:
    return battle.title or " against ".join(side.name for side in battle.sides)


WINS = (
    "The first side wins more often in A.", "The first side wins less often in A.",
    "Which first side wins more often can't be told: the difference may be chance.",
)  # fmt: skip
LASTS = (
    "A takes more rounds.", "A takes fewer rounds.",
    "Which takes longer can't be told: the difference may be chance.",
)  # fmt: skip


def _judged(told: tuple[str, str, str], apart: Estimate) -> str:
    """What a difference tells: more, less, or nothing."""
    more, less, nothing = told
    return more if apart.low > 0 else less if apart.high < 0 else nothing


def matrix_result(view: MatrixView, names: dict[str, str]) -> Result:
    """Who of a roster beats whom.

    Args:
        view: the matrix.
        names: what roster entries are called.
    """
    cells = {(cell.row, cell.column): cell for cell in view.cells}
    rows = []
    for row in view.names:
        made = []
        for column in view.names:
            cell = cells.get((row, column))
            wins = None if cell is None else cell.wins
            pair = f"{names.get(row, row)} against {names.get(column, column)}"
            words = (
                f"{pair}: not fought" if cell is None
                else f"{pair}: {cell.refused}" if wins is None
                else f"{pair}: wins {share_within(*wins)}"
            )  # fmt: skip
            told = "" if cell is None else cell_text(wins)
            made.append(HeatCell(told, None if wins is None else wins.value, words))
        rows.append((names.get(row, row), made))
    chart = heat(
        "pairs", "How often the row beats the column, in percent", "row beats column",
        [names.get(name, name) for name in view.names], rows,
        note="A thick line runs where 50 % lies between two cells; < and > bound what never "
        "or always came up.",
    )  # fmt: skip
    refused = tuple(
        (names.get(cell.row, cell.row), names.get(cell.column, cell.column), cell.refused)
        for cell in view.cells if cell.wins is None
    )  # fmt: skip
    blocks = [Block("heat", chart)]
    if refused:
        blocks.append(
            Block("grid", Grid("Pairs that can't fight", ("row", "column", "why"), refused))
        )
    left = ", ".join(names.get(name, name) for name in view.left_out)
    about = [
        f"{who}: {policy}." for who, policy in zip(("Rows", "Columns"), view.policies, strict=True)
    ]
    about += [f"Left out, as they can't attack: {left}."] if left else []
    so_far = partly(view.stopped_by or "interrupted", "pairs that were not fought are left blank")
    return Result(
        "Everybody against everybody", "estimate", (f"Every pair has fought {view.n:,} times.",),
        so_far if view.partial else "", tuple(blocks), tuple(about), f"An estimate: {view.how}.",
        view.assumed,
    )  # fmt: skip
