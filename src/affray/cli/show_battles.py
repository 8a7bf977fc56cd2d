"""Battles as text: who wins, with intervals; rounds, survivors, every fighter; the matrix."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from affray.app.battle import battles_told
from affray.app.views.fight_words import differences, interval, part_told
from affray.app.views.fights import BattleView, CompareView, Estimate, MatrixView, share_of
from affray.app.views.heat_map import cell_text, ground, ink
from affray.app.views.round_bins import binned, most_rounds
from affray.app.views.ways import ways_of
from affray.cli.screen import Screen, Styled
from affray.cli.show_fights import show_assumed, show_head
from affray.cli.terminal import (
    bar,
    new_table,
    number,
    open_screen,
    print_table,
    stopped,
)
from affray.core.showing import share_told

__all__ = ["show_battle", "show_comparison", "show_matrix"]


def show_battle(view: BattleView) -> None:
    """Show a battle."""
    screen = open_screen()
    show_head(screen, view.title, view.sides, view.first, targets=True)
    if view.partial:
        screen.print(_partial(view, view.wanted), style="bold")
    screen.print()
    _verdict(screen, view)
    _rounds(screen, view)
    _survivors(screen, view)
    _fighters(screen, view)
    screen.print(f"\n{view.how}")
    show_assumed(screen, view.assumed)


def _partial(view: BattleView | CompareView, wanted: int | None) -> str:
    fought = f"{view.n:,} of {battles_told(wanted)}" if wanted else battles_told(view.n)
    return f"{stopped(view.stopped_by)} after {fought}; this is the result so far"


def _part(battles: float, n: int) -> str:
    """So many battles as a share of all."""
    return share_told(*share_of(battles, n))


def _verdict(screen: Screen, view: BattleView) -> None:
    table = new_table("won by", ">chance", ">95 % interval", "")
    for way in ways_of(view):
        if way.is_shown:
            told = interval(way.share)
            table.add_row(way.label, way.told, told, bar(way.share.value, 1, 16))
    print_table(screen, table)


def _rounds(screen: Screen, view: BattleView) -> None:
    screen.print(f"\nmean {number(view.rounds.value)} rounds "
                  f"({interval(view.rounds, 1, '')})")  # fmt: skip
    if not view.histogram:
        return
    counts = dict(view.histogram)
    rows = [(one.label("-"), int(one.many)) for one in binned(counts, most_rounds(counts))]
    most = max(many for _, many in rows)
    table = new_table(">rounds", ">battles", ">share", "")
    for label, many in rows:
        table.add_row(label, f"{many:,}", _part(many, view.n) if many else "", bar(many, most))
    print_table(screen, table)


def _survivors(screen: Screen, view: BattleView) -> None:
    table = new_table("side", ">still standing", ">battles", ">share", "")
    for row in view.survivors:
        table.add_row(view.sides[row.side].name, str(row.standing), f"{row.battles:,}",
                      _part(row.battles, view.n), bar(row.battles / view.n, 1))  # fmt: skip
    screen.print()
    print_table(screen, table)
    _fates(screen, view)


def _fates(screen: Screen, view: BattleView) -> None:
    """Show how many fighters of each side met a fate, as battles to be expected."""
    if not any(row.fighters for row in view.fates):
        return
    table = new_table("side", ">at the end", ">battles", ">share", "")
    for row in view.fates:
        if row.fighters and row.battles:
            table.add_row(view.sides[row.side].name, f"{row.fighters} {row.fate}",
                          f"{row.battles:,.0f}", _part(row.battles, view.n),
                          bar(row.battles / view.n, 1))  # fmt: skip
    screen.print()
    print_table(screen, table)


def _within(one: Estimate) -> str:
    """A number and half the width of its interval; nothing in a sample is no number."""
    return f"{one.value:.2f} ±{(one.high - one.low) / 2:.2f}" if one.value else "none"


def _share_within(one: Estimate) -> str:
    """The same for a share."""
    told = share_told(*one)
    return f"{told} ±{(one.high - one.low) * 50:.2f}" if told[0].isdigit() else told


def _fighters(screen: Screen, view: BattleView) -> None:
    # Where fighters fall only when the round is over, nobody puts out anybody in particular.
    puts_out = any(row.outs.value for row in view.fighters)
    told = [
        fate for fate in list(view.fighters[0].fates)[1:]
        if any(row.fates[fate].value for row in view.fighters)
    ]  # fmt: skip
    stands = next(iter(view.fighters[0].fates), "survives")
    columns = ["fighter", f">{stands}", *(f">{fate}" for fate in told), ">deals", ">takes",
               ">share", ">puts out"]  # fmt: skip
    table = new_table(*columns[: None if puts_out else -1])
    for place, side in enumerate(view.sides):
        table.add_row(Styled(side.name, "bold"))
        for row in view.fighters:
            if row.side == place:
                table.add_row(
                    f"  {row.name}",
                    _share_within(row.survives),
                    *(share_told(*row.fates[fate]) for fate in told),
                    _within(row.dealt), _within(row.taken), part_told(row.share.value),
                    *((_within(row.outs),) if puts_out else ()),
                )  # fmt: skip
    screen.print()
    print_table(screen, table)
    what = "damage and foes put out" if puts_out else "damage"
    screen.print(f"{what} in a battle, on average; share of the damage that its side deals; "
                  "± half of the 95 % interval")  # fmt: skip


# -- two battles -------------------------------------------------------------------------------


def show_comparison(view: CompareView) -> None:
    """Show two battles side by side."""
    screen = open_screen()
    for letter, battle in zip("AB", view.battles, strict=True):
        names = " against ".join(side.name for side in battle.sides)
        title = f": {battle.title}" if battle.title else ""
        screen.print(f"{letter}  {battle.setup}{title} ({names})")
    one, other = view.battles
    if one.partial or other.partial:
        screen.print(_partial(view, one.wanted), style="bold")
    screen.print()
    table = new_table("", ">A", ">B", ">A less B", ">95 % interval")
    for row in differences(view):
        table.add_row(*row)
    print_table(screen, table)
    screen.print(f"\n{_judged('the first side wins', view.won)}; "
                  f"{_judged('rounds', view.rounds)}")  # fmt: skip
    screen.print(view.how)
    show_assumed(screen, view.assumed)


def _judged(what: str, apart: Estimate) -> str:
    if apart.low > 0:
        return f"{what}: more in A"
    return f"{what}: less in A" if apart.high < 0 else f"{what}: may be chance"


# -- everybody against everybody ---------------------------------------------------------------


def show_matrix(view: MatrixView) -> None:
    """Show who beats whom: numbers in cells, color besides."""
    screen = open_screen()
    screen.print(f"{view.system}: how often the row beats the column, in percent", style="bold")
    if view.partial:
        why = stopped(view.stopped_by or "interrupted")
        screen.print(f"{why}; pairs that were not fought are left blank", style="bold")
    wide = max(map(len, view.names)) + 4
    cells = {(cell.row, cell.column): cell for cell in view.cells}
    width = max((len(cell_text(cell.wins)) + 1 for cell in view.cells), default=0)
    width = max(width, 4)
    numbers = [f"{place:>{width}}" for place in range(1, len(view.names) + 1)]
    screen.print_parts([Styled(" " * wide), Styled("".join(numbers), "bold")])
    for place, row in enumerate(view.names, start=1):
        shares_, halves = [Styled(f"{place:>2}  {row:<{wide - 4}}")], [Styled(" " * wide)]
        for column in view.names:
            cell = cells.get((row, column))
            wins = None if cell is None else cell.wins
            told = "" if cell is None else cell_text(wins)
            style = "" if wins is None else _style(wins.value)
            shares_.append(Styled(f"{told:>{width}}", style))
            halves.append(Styled(f"{_half(wins):>{width}}", style))
        screen.print_parts(shares_)
        screen.print_parts(halves)
    screen.print("± half of the 95 % interval; what came up never or always has a bound\n")
    if view.left_out:
        screen.print(f"left out, as they can't attack: {', '.join(view.left_out)}")
    for cell in view.cells:
        if cell.wins is None:
            screen.print(f"{cell.row} against {cell.column}: {cell.refused}")
    for who, policy in zip(("rows", "columns"), view.policies, strict=True):
        screen.print(f"{who}: {policy}")
    screen.print(view.how)
    show_assumed(screen, view.assumed)


def _half(wins: Estimate | None) -> str:
    """Half the width of an interval in whole percent, rounded up; of a bound nothing."""
    if wins is None or wins.value in {0, 1}:
        return ""
    return f"±{ceil((wins.high - wins.low) * 50)}"


def _style(share: float) -> str:
    color = ground(share)
    return f"rgb{_numbers(ink(color))} on rgb{_numbers(color)}"


def _numbers(color: Sequence[int]) -> str:
    return f"({','.join(map(str, color))})"
