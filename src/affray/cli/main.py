"""The `affray` command.

Exit status: 0 fine, 1 a rule refused it, 2 usage (an unknown command, system, clause or name),
3 input or output (a file that can't be read or doesn't fit), 4 a limit of time, places or memory
was reached before there was a result, 130 interrupted before there was a result.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import TextIO

import click

from affray.cli.command import Commands

__all__ = ["COMMANDS", "app", "run"]

LIMIT_REACHED, INTERRUPTED = 4, 130

_LOOKUPS, _EXCHANGES, _FIGHTS = (
    f"affray.cli.{module}" for module in ("lookups", "exchanges", "fights")
)
COMMANDS = {
    "systems": _LOOKUPS,
    "roster": _LOOKUPS,
    "rules": _LOOKUPS,
    "rulings": _LOOKUPS,
    "schema": _LOOKUPS,
    "sheet": "affray.cli.sheets",
    "new": "affray.cli.sheets",
    "import": "affray.cli.sheets:import_",
    "play": _EXCHANGES,
    "picture": _EXCHANGES,
    "odds": _EXCHANGES,
    "best": _EXCHANGES,
    "duel": _FIGHTS,
    "battle": _FIGHTS,
    "fight": "affray.cli.fight",
    "report": "affray.cli.report",
    "export": "affray.cli.export",
    "check": "affray.cli.check",
    "serve": "affray.cli.serving",
    "store": "affray.cli.store",
    "mcp": "affray.cli.mcp",
}
"""The module of each command, in the order of the help; its function where that is called else."""


def _version(ctx: click.Context, _option: click.Parameter, shown: bool) -> None:  # noqa: FBT001
    if shown:
        from affray import _version as version
        from affray.cli.printing import print_text

        print_text(f"affray {version.VERSION}")
        ctx.exit()


app = Commands(
    COMMANDS,
    name="affray",
    context_settings={"max_content_width": 100},
    no_args_is_help=True,
    help=(
        "Tabletop combat, written once: played step by step, priced exactly, solved.\n\n"
        "Exit status: 0 fine, 1 a rule refused it, 2 usage, 3 input or output, 4 a limit was "
        "reached, 130 interrupted. Press Ctrl-C once to see what is known so far, twice to end."
    ),
    epilog="Example: affray odds eclipse-phase jinx-shoots --of net",
    params=[
        click.Option(
            ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version,
            help="Print the version.",
        )
    ],
)  # fmt: skip


ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Duels multiply many small matrices: threads would wait for each other most of the time."""


def run() -> None:
    """Run the command; what it refuses becomes one message and an exit status."""
    from affray.cli import streams

    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    try:
        streams.guard()
        status = _command()
        sys.stdout.flush()
    except streams.ReaderGoneError:
        streams.give_up()
        status = 0
    except streams.OutputError as error:
        streams.give_up()
        status = _refused(f"affray: {error}", 3)
    sys.exit(status)


def _command() -> int:
    """Run the command: the exit status."""
    from affray.cli.advice import advice_on
    from affray.cli.streams import OutputError, ReaderGoneError
    from affray.core.errors import AffrayError, RulesError
    from affray.engine.watchdog import rules_come_back

    warnings.showwarning = _noted
    try:
        with rules_come_back():
            left = app(prog_name="affray", standalone_mode=False)
        return left if isinstance(left, int) else 0
    except (OutputError, ReaderGoneError):
        raise
    except click.ClickException as error:
        return _refused(_usage(error), error.exit_code)
    except RulesError as error:
        return _refused(f"affray: {_blamed(error) or error}", 1)
    except AffrayError as error:
        return _refused(f"affray: {error}{advice_on(error, sys.argv[1:])}", _status(error))
    except click.Abort as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # click makes one of the other
            return _refused("affray: interrupted", INTERRUPTED)
        return _refused(f"affray: {_blamed(error.__cause__) or 'stopped'}", 1)
    except KeyboardInterrupt:
        return _refused("affray: interrupted", INTERRUPTED)
    except BaseException as error:  # rules of other packages may raise anything
        told = _blamed(error)
        if not told:
            raise
        return _refused(f"affray: {told}", 1)


def _blamed(error: BaseException | None) -> str:
    from affray.app.registry import blame

    return "" if error is None else blame(error)


def _refused(message: str, status: int) -> int:
    """Tell why; the status."""
    from affray.cli.texts import say

    say(message)
    return status


def _usage(error: click.ClickException) -> str:
    """Tell what is wrong with the command line, and its usage; long values are cut."""
    from affray.core.telling import fitted

    message, context = error.format_message(), getattr(error, "ctx", None)
    if context is None or message.startswith("Usage:"):
        return message
    return (
        f"{context.get_usage()}\nTry '{context.command_path} --help' for help.\n\n"
        f"Error: {fitted(message, MOST_LINES_OF_USAGE)}"
    )


MOST_LINES_OF_USAGE = 16


def _noted(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show a warning: our own as one message, others as Python does."""
    from affray.core.telling import AffrayWarning

    if issubclass(category, AffrayWarning):
        from affray.cli.texts import say

        say(f"affray: note: {message}")
    else:
        text = warnings.formatwarning(message, category, filename, lineno, line)
        (file or sys.stderr).write(text)


def _status(error: Exception) -> int:
    from affray.core.errors import LimitError, MissingError, StoreError, UnknownNameError

    if isinstance(error, LimitError):
        return INTERRUPTED if error.limit == "interrupted" else LIMIT_REACHED
    if isinstance(error, UnknownNameError):
        return 2
    return 3 if isinstance(error, StoreError | MissingError) else 1


if __name__ == "__main__":
    run()
