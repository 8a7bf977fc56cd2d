"""Arguments and options that several commands share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from affray.app.views.exchanges import View

__all__ = [
    "MOST_SEED", "Choose", "Dice", "Goal", "Json", "Of", "Places", "RosterOption", "RulingOption",
    "Seconds", "Settle", "Setup", "System",
    "print_view",
]  # fmt: skip

MOST_SEED = 2**63 - 1

System = Annotated[str, typer.Argument(metavar="SYSTEM", help="Id of a system.")]
Setup = Annotated[
    str,
    typer.Argument(
        metavar="SETUP", help="A TOML or JSON file, a shipped example by name, or - for stdin."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON with schema and version.")]
Dice = Annotated[
    str, typer.Option("--dice", metavar="FACES", help="Faces to use first, as 96,7,7.")
]
Choose = Annotated[
    list[str],
    typer.Option("--choose", metavar="OPTION", help="Options to take first, in order."),
]
Settle = Annotated[
    list[str],
    typer.Option(
        "--settle",
        metavar="STEP=OPTION",
        help="Decide a choice beforehand; several options by |, most wanted first.",
    ),
]
RulingOption = Annotated[
    list[str],
    typer.Option(
        "--ruling", metavar="NAME=READING", help="Another reading; profile=NAME: several at once."
    ),
]
RosterOption = Annotated[
    list[str],
    typer.Option("--roster", metavar="FILE", help="Own roster entries (dice, weapons, units)."),
]
Goal = Annotated[
    str,
    typer.Option("--objective", metavar="NAME", help="What open choices are decided for."),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--seconds", min=0.1, max=1e6, metavar="N", help="Work no longer than this; 45 is usual."
    ),
]
Places = Annotated[
    int | None,
    typer.Option(
        "--places", min=1, metavar="N",
        help="Follow no more places of an exchange than this; 2000000 is usual.",
    ),
]  # fmt: skip
Of = Annotated[
    list[str], typer.Option("--of", metavar="FIELD", help="Outcome field; several: joint.")
]


def print_view(view: View, *, as_json: bool) -> None:
    """Print a view, as text or as JSON."""
    if as_json:
        from affray.app.views.exchanges import to_json

        typer.echo(json.dumps(to_json(view), indent=1))
    else:
        from affray.cli import show

        show.show(view)
