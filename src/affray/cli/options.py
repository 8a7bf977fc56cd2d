"""Arguments and options that several commands share, gathered into the records of use cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from affray.cli.command import Decorator, argument, gathered, option
from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from affray.app.sources import Answers, Changes

__all__ = [
    "MOST_SEED", "Limits", "Number", "OutFile", "answers", "as_json", "changes", "limits",
    "objective", "seed", "settle_ruling_roster", "setup", "system",
]  # fmt: skip

MOST_SEED = 2**63 - 1


class Number(click.FloatRange):
    """A number within a range; not a number is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number that a text says."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class OutFile(click.Path):
    """A file to be written; what lies there is looked at before the command begins.

    Args:
        kind: the class of `affray.cli.game_file` for it.
        takes_dash: whether - stands for standard output.
    """

    def __init__(self, kind: str, *, takes_dash: bool = False) -> None:
        super().__init__(path_type=Path)
        self.kind = kind
        self._takes_dash = takes_dash

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The file, or "-"."""
        path = super().convert(value, param, ctx)
        if self._takes_dash and str(path) == "-":
            return "-"
        return getattr(import_module("affray.cli.game_file"), self.kind)(path)


system = argument("system", "SYSTEM", "Id of a system.")
setup = argument(
    "setup", "SETUP", "A TOML or JSON file, the name of a shipped example, or - for stdin."
)
as_json = option("--json", "as_json", is_flag=True, help="Print JSON with schema and version.")
objective = option(
    "--objective", metavar="NAME", default="", help="Decide open choices for this objective."
)


def seed(text: str) -> Decorator:
    """The option `--seed` with what it means for a command."""
    return option("--seed", type=click.IntRange(0, MOST_SEED), metavar="N", help=text)


# -- how much it may take --------------------------------------------------------------------


class Limits(NamedTuple):
    """Limits that a user gave; None: as much as is usual."""

    seconds: float | None
    places: int | None


limits = gathered(
    "limits", Limits,
    option("--seconds", type=Number(0.1, 1e6), metavar="N",
           help="Stop after N seconds (default: 45)."),
    option("--places", type=click.IntRange(1), metavar="N",
           help="Give up beyond N positions of an exchange (default: 2000000)."),
)  # fmt: skip


# -- what holds instead of the setup's -------------------------------------------------------

settle_ruling_roster = (
    option("--settle", metavar="STEP=OPTION", multiple=True,
           help="Pre-decide a choice; separate fallbacks with |."),
    option("--ruling", metavar="NAME=READING", multiple=True,
           help="Choose another reading; profile=NAME chooses several at once."),
    option("--roster", metavar="FILE", multiple=True,
           help="Use roster entries of your own (dice, weapons, units)."),
)  # fmt: skip


def _changes(settle: Sequence[str], ruling: Sequence[str], roster: Sequence[str]) -> Changes:
    from affray.app.sources import Changes
    from affray.cli.arguments import pairs, settled
    from affray.cli.sources import own_rosters

    return Changes(settled(settle), pairs("--ruling", ruling), own_rosters(roster))


changes = gathered("changes", _changes, *settle_ruling_roster)


# -- answers given beforehand ----------------------------------------------------------------


def _answers(dice: str, choose: Sequence[str], *, script: bool = False) -> Answers:
    from affray.app.sources import Answers
    from affray.cli.arguments import faces, names

    return Answers(faces(dice), names(choose), own=script)


def _no_script(dice: str, choose: Sequence[str]) -> Answers:
    return _answers(dice, choose)


_DICE_AND_CHOOSE = (
    option("--dice", metavar="FACES", default="", help="Use these faces first, e.g. 96,7,7."),
    option("--choose", metavar="OPTION", multiple=True,
           help="Take these options first, in order."),
)  # fmt: skip


def answers(*, script: bool = False) -> Decorator:
    """The options `--dice` and `--choose`; with `--script` where a setup's own may be played."""
    if not script:
        return gathered("answers", _no_script, *_DICE_AND_CHOOSE)
    own = option("--script", is_flag=True, help="First play the script in the setup (key `play`).")
    return gathered("answers", _answers, *_DICE_AND_CHOOSE, own)
