"""The command that looks back at a fight: report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from affray.cli import options
from affray.cli.command import argument, command, option, refuse
from affray.cli.options import Limits
from affray.cli.printing import print_text, print_view

if TYPE_CHECKING:
    from affray.cli.game_file import DrawingFile

__all__ = ["report"]


@command("affray report empty-earth my-fight.json --short")
@options.system
@argument("fight", "FIGHT", "A saved fight, or sample battles that `battle --save` wrote.")
@option(
    "--objective",
    metavar="NAME",
    default="",
    help="The objective by which luck and decisions are told; win: the chance to win.",
)
@option("--battle", type=click.IntRange(1), metavar="N", default=1,
        help="Which battle of a file with several (default: 1).")  # fmt: skip
@option("--short", is_flag=True, help="At most 2,000 characters, for a chat message.")
@option("--markdown", is_flag=True, help="Print Markdown.")
@option("--svg", type=options.OutFile("DrawingFile"), metavar="FILE",
        help="Draw the chances along the fight.")  # fmt: skip
@options.limits
@options.as_json
def report(
    system: str,
    fight: str,
    *,
    objective: str,
    battle: int,
    short: bool,
    markdown: bool,
    svg: DrawingFile | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Look back at a fight: what happened, who carried it, luck, decisions, the chances.

    Luck is told by what each roll was worth, a decision by what the best option would have been
    worth, both with everybody deciding as well as can be from there on.
    """
    from affray.app.fight import Fight
    from affray.app.fight_report import ask_report
    from affray.cli.sources import fight_named
    from affray.cli.stopping import watching
    from affray.cli.texts import plainly

    if short + markdown + as_json > 1:
        refuse("--short", "--short, --markdown and --json each print the report; give one of them")
    with watching("looking back") as watch:
        played = Fight.begin(system, fight_named(system, fight), battle=battle)
        view = ask_report(played, objective, watch.budget(*limits))
    if svg is not None:
        from affray.app.views.fight_curve import to_svg

        svg.draw(to_svg(view))
    if not short and not markdown:
        print_view(view, as_json=as_json)
        return
    from affray.app.views.fight_report_text import to_markdown, to_short

    print_text((to_short if short else to_markdown)(plainly(view)).rstrip("\n"))
