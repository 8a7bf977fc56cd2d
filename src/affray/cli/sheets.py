"""The commands about sheets: shown as the game prints them, made anew, brought in."""

from __future__ import annotations

from pathlib import Path

from affray.cli import options
from affray.cli.command import argument, command, option
from affray.cli.printing import print_view

__all__ = ["import_", "new", "sheet"]


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


@command("affray new eclipse-phase --line Nyx --line done")
@options.system
@argument(
    "file",
    "[FILE]",
    "Where to, by default NAME.toml; a file of new fighters gets one more; - prints it.",
    default="",
)
@option(
    "--against", metavar="NAME", default="", help="Price it against this fighter of the roster."
)
@option("--line", metavar="TEXT", multiple=True, help="Type this line first; several in order.")
@option("--replace", is_flag=True, help="Replace FILE, whatever stands there.")
@options.as_json
def new(
    system: str, file: str, against: str, line: tuple[str, ...], *, replace: bool, as_json: bool
) -> None:
    """Make a fighter step by step, and write it for fights.

    Enter takes the usual value; `?` explains, `undo` goes back, `done` leaves the rest as usual,
    `q` or Ctrl-D stops and writes nothing.
    """
    from affray.cli.making import make_fighter
    from affray.cli.new_file import NewFile

    view = make_fighter(
        system, NewFile(file, system, replace=replace), line, against=against, as_json=as_json
    )
    if view is not None and as_json:
        print_view(view, as_json=True)


@command("affray import foundry my-actor.json -")
@argument("program", "PROGRAM", "Whose file it is: foundry.")
@argument("file", "FILE", "The exported actor.")
@argument(
    "to",
    "[TO]",
    "Where to, by default NAME.toml; a file of new fighters gets one more; - prints it.",
    default="",
)
@option(
    "--against", metavar="NAME", default="", help="Price it against this fighter of the roster."
)
@option("--replace", is_flag=True, help="Replace TO, whatever stands there.")
@options.as_json
def import_(
    program: str, file: str, to: str, against: str, *, replace: bool, as_json: bool
) -> None:
    """Bring in a fighter from another program.

    From Foundry: actors of both systems for Eclipse Phase 2e, exported as JSON. Weapons and armor
    are those of the roster where it has them by name; what can't be taken is listed.
    """
    from affray.cli.importing import bring_in

    view = bring_in(program, file, to, against, replace=replace, as_json=as_json)
    if as_json:
        print_view(view, as_json=True)
