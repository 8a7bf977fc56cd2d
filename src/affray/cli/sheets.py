"""The command that shows sheets as the game prints them."""

from __future__ import annotations

from pathlib import Path

from affray.cli import options
from affray.cli.command import argument, command, option
from affray.cli.printing import print_view

__all__ = ["sheet"]


@command("affray sheet eclipse-phase jinx")
@options.system
@argument("wanted", "NAME|FILE", "A roster entry, or a file with entries of your own.")
@option("--roster", metavar="FILE", multiple=True, help="Use roster entries of your own.")
@options.as_json
def sheet(system: str, wanted: str, *, roster: tuple[str, ...], as_json: bool) -> None:
    """Show a fighter or a weapon as the game prints it.

    Values that the rules work out from others stand among them.
    """
    from affray.app.sheets import show_sheets
    from affray.cli.sources import own_rosters

    is_file = Path(wanted).suffix or Path(wanted).is_file()
    own = own_rosters([*roster, wanted] if is_file else roster)
    print_view(show_sheets(system, "" if is_file else wanted, own=own), as_json=as_json)
