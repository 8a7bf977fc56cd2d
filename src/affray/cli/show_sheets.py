"""Sheets as text: a heading for each group, its values in a row, a line for each weapon."""

from __future__ import annotations

from affray.app.views.sheets import Sheet, SheetRow, SheetView
from affray.cli.screen import Screen, open_screen

__all__ = ["show_sheet", "show_sheets"]


def show_sheets(view: SheetView) -> None:
    """Show sheets one below the other."""
    screen = open_screen()
    for number, sheet in enumerate(view.sheets):
        if number:
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
