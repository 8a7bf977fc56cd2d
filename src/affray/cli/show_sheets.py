"""Sheets as text: a heading for each group, its values in a row, a line for each weapon."""

from __future__ import annotations

from affray.app.views.sheets import AttackRow, ImportView, MadeView, Sheet, SheetRow, SheetView
from affray.cli.screen import Screen, open_screen
from affray.cli.terminal import number, percent

__all__ = ["show_import", "show_made", "show_sheet", "show_sheets"]


def show_sheets(view: SheetView) -> None:
    """Show sheets one below the other."""
    screen = open_screen()
    for place, sheet in enumerate(view.sheets):
        if place:
            screen.print("")
        show_sheet(screen, sheet)


def show_sheet(screen: Screen, sheet: Sheet) -> None:
    """Show one sheet."""
    screen.print(sheet.name, style="bold")
    for group in sheet.groups:
        screen.print(group.title, style="bold")
        plain = [f"{row.title} {row.told}" for row in group.rows if not row.parts]
        if plain:
            screen.print_indented("; ".join(plain), 2)
        for row in group.rows:
            _show_parts(screen, row, row.title != group.title)


def _show_parts(screen: Screen, row: SheetRow, titled: bool) -> None:  # noqa: FBT001
    """Show the sheets within a value, a line each."""
    if row.parts and titled:
        screen.print_indented(f"{row.title}:", 2)
    for part in row.parts:
        told = ": ".join(filter(None, (part.name, part.told)))
        screen.print_indented(told, 4)


def show_made(view: MadeView) -> None:
    """Show a new fighter: the sheet, and the odds of an attack each way."""
    screen = open_screen()
    show_sheet(screen, view.sheet)
    screen.print("")
    for row in view.attacks:
        screen.print(_attack_told(row))


def _attack_told(row: AttackRow) -> str:
    """One attack in a line: what it comes to, on which assumptions."""
    head = f"{row.attacker} attacks {row.defender}"
    if row.refused:
        return f"{head}: no odds; {row.refused}"
    mean = "" if row.mean is None else f" {number(row.mean)} on average"
    some = "" if row.p_some is None else f", some in {percent(row.p_some)}"
    return f"{head}{f' ({row.situation})' if row.situation else ''}: {row.meaning}:{mean}{some}"


def show_import(view: ImportView) -> None:
    """Show a fighter that was brought in, and what could not be taken."""
    show_made(view)
    screen = open_screen()
    if view.left_out:
        screen.print(f"\nnot taken from the file ({view.format}):")
    for line in view.left_out:
        screen.print_indented(line, 2)
