"""The command that writes a game for another program: export."""

from __future__ import annotations

from pathlib import Path

import click

from affray.cli import options
from affray.cli.command import argument, command, option, refuse
from affray.cli.printing import print_text, print_view

__all__ = ["export"]

FORMS = ("text", "markdown", "roll20", "foundry")
PARTS = ("log", "exchange", "roll")


@command("affray export markdown my-fight.json --part exchange")
@argument("form", "FORM", f"{', '.join(FORMS)}.", type=click.Choice(FORMS))
@argument("game", "GAME", "A saved game or fight, or - for stdin.")
@option("--part", type=click.Choice(PARTS), default="log",
        help="All of it, the last exchange, or the last roll (default: log).")  # fmt: skip
@option("--exchange", type=click.IntRange(1), metavar="N", default=None,
        help="The exchange with this number, as the log has it.")  # fmt: skip
@option("--role", metavar="SIDE", default="all",
        help="What a side sees: one, other, or a role of an exchange (default: all).")  # fmt: skip
@options.as_json
def export(
    form: str, game: str, *, part: str, exchange: int | None, role: str, as_json: bool
) -> None:
    """Write a game or a fight for a chat or a virtual tabletop.

    Markdown has at most 2,000 characters, as Discord takes it; what doesn't fit is left out from
    the beginning. Foundry VTT gets chat messages with evaluated rolls, as JSON.
    """
    from affray.app.exports import export as exported
    from affray.app.fight import Fight
    from affray.app.files.saved import is_saved
    from affray.app.play import PlayedGame
    from affray.app.revisions import EVERYTHING
    from affray.cli.sources import table_from_file, table_from_stdin
    from affray.core.errors import StoreError

    if exchange is not None and part != "log":
        refuse("--exchange", "it names the part already; leave --part away")
    table = table_from_stdin() if game == "-" else table_from_file(Path(game))
    system = table.raw.get("system")
    if not isinstance(system, str) or "schema" not in table.raw:
        raise StoreError(f"{table.origin}: no saved game; `--save` of play and fight write one")
    seen = (
        PlayedGame.begin(system, table).view(role)
        if is_saved(table.raw)
        else Fight.begin(system, table).view(role, since=EVERYTHING)
    )
    view = exported(seen, form, part if exchange is None else "exchange", exchange)
    if as_json:
        print_view(view, as_json=True)
    else:
        print_text(view.text)
