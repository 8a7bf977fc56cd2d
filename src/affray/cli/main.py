"""The `affray` command.

Exit status: 0 fine, 1 a rule refused it, 2 usage (an unknown command, system, clause or name),
3 input or output (a file that can't be read or doesn't fit), 4 a limit of time, places or memory
was reached before there was a result, 130 interrupted before there was a result.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TextIO

import typer

from affray.cli import fights
from affray.cli.options import (
    MOST_SEED,
    Choose,
    Dice,
    Goal,
    Json,
    Of,
    Places,
    RosterOption,
    RulingOption,
    Seconds,
    Settle,
    Setup,
    System,
    print_view,
)

__all__ = ["app", "run"]

LIMIT_REACHED, INTERRUPTED = 4, 130

app = typer.Typer(
    name="affray",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=(
        "Tabletop combat, written once: played step by step, priced exactly, solved.\n\n"
        "Exit status: 0 fine, 1 a rule refused it, 2 usage, 3 input or output, 4 a limit was "
        "reached, 130 interrupted. Ctrl-C once: what is known so far; twice: the end."
    ),
    epilog="Example: affray odds eclipse-phase jinx-shoots --of net",
)


def _version(*, shown: bool) -> None:
    if shown:
        from affray import _version as version

        typer.echo(f"affray {version.VERSION}")
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=lambda value: _version(shown=value), is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:  # fmt: skip
    """Tabletop combat, written once: played step by step, priced exactly, solved."""


@app.command(epilog="Example: affray systems --json")
def systems(*, as_json: Json = False) -> None:
    """List the systems, and how much of each book is carried out."""
    from affray.app import lookups

    print_view(lookups.list_systems(), as_json=as_json)


@app.command(epilog="Example: affray roster eclipse-phase medium_pistol")
def roster(
    system: System,
    wanted: Annotated[
        str, typer.Argument(metavar="SECTION|ENTRY", help="Only this section, or one entry.")
    ] = "",
    *,
    whole: Annotated[
        bool, typer.Option("--whole", help="Every value of every entry, nothing cut.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List ready fighters, weapons and so on, by the names that setups use.

    A single entry is shown whole, as it would stand in a file.
    """
    from affray.app import lookups

    view = lookups.show_roster(system, wanted)
    if as_json:
        print_view(view, as_json=True)
    else:
        from affray.cli import show

        show.show_roster(view, whole=whole or len(view.entries) == 1)


@app.command(epilog="Example: affray rules eclipse-phase EP-56")
def rules(
    system: System,
    clause: Annotated[str, typer.Argument(help="Only this clause, such as EP-56.")] = "",
    *,
    tests: Annotated[
        str,
        typer.Option(
            "--tests", metavar="PATH", help="Where tests lie that carry clauses in their names."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """List the clauses of a book: status, the code that carries each out, the tests."""
    from affray.app import lookups

    print_view(lookups.show_rules(system, clause, tests=tests), as_json=as_json)


@app.command(epilog="Example: affray rulings empty-earth o5p --of hits")
def rulings(
    system: System,
    setup: Annotated[
        str, typer.Argument(metavar="[SETUP]", help="Show how far readings lie apart here.")
    ] = "",
    *,
    of: Annotated[str, typer.Option("--of", metavar="FIELD", help="Outcome field.")] = "",
    objective: Goal = "",
    settle: Settle = [],
    ruling: RulingOption = [],
    roster: RosterOption = [],
    dice: Dice = "",
    choose: Choose = [],
    seconds: Seconds = None,
    places: Places = None,
    as_json: Json = False,
) -> None:
    """List where the book is silent or contradicts itself, with every reading."""
    from affray.app import rulings as open_questions
    from affray.cli.arguments import wanted
    from affray.cli.stopping import watching

    given = wanted(settle, ruling, dice, choose, roster)
    with watching("pricing every reading") as watch:
        view = open_questions.show_rulings(
            system, setup, field=of, objective=objective, wanted=given,
            budget=watch.budget(seconds, places),
        )  # fmt: skip
    print_view(view, as_json=as_json)


@app.command(epilog="Example: affray schema eclipse-phase > setup.schema.json")
def schema(
    system: System,
    *,
    fight: Annotated[
        bool, typer.Option("--fight", help="The schema of whole fights, for duel and battle.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the JSON Schema of a system's setups, or of its fights."""
    from affray.app import lookups

    view = lookups.show_schema(system, fight=fight)
    if as_json:
        print_view(view, as_json=True)
    else:
        typer.echo(json.dumps(view.setup, indent=1))


@app.command(
    epilog="Example: affray play eclipse-phase jinx-shoots --dice 96,7,7,5,5,1,3,9 --choose flip"
)
def play(
    system: System,
    setup: Setup,
    *,
    own_dice: Annotated[bool, typer.Option("--own-dice", help="Ask for every face.")] = False,
    dice: Dice = "",
    choose: Choose = [],
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=MOST_SEED, help="Roll dice that come again with this seed."
        ),
    ] = None,
    script: Annotated[
        bool, typer.Option("--script", help="First play the script in the file (key `play`).")
    ] = False,
    auto: Annotated[
        bool, typer.Option("--auto", help="Let the computer decide as well, for --objective.")
    ] = False,
    objective: Goal = "",
    settle: Settle = [],
    ruling: RulingOption = [],
    roster: RosterOption = [],
    explain: Annotated[
        list[str], typer.Option("--explain", metavar="FIELD", help="Where a result came from.")
    ] = [],
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Save the game to go on later.")
    ] = None,
    seconds: Seconds = None,
    places: Places = None,
    as_json: Json = False,
) -> None:
    """Play an exchange step by step; a saved game goes on where it stood.

    Faces come from --dice as long as they last, then from you (--own-dice) or from the
    operating system's entropy. Options come from --choose, then from you. Without a terminal
    the game stops at the first question that nobody answers.
    """
    from affray.app import use_cases
    from affray.app.files import saved
    from affray.cli.arguments import names, wanted
    from affray.cli.person import play_here
    from affray.cli.stopping import usual_budget

    given = wanted(settle, ruling, dice, choose, roster)._replace(scripted=script)
    kept = None if save is None else saved.GameFile(save)
    loaded, session = use_cases.open_game(system, setup, given)
    session, limit = play_here(
        loaded, session,
        own_dice=own_dice, seed=seed, objective=objective if auto else None,
        scripted=bool(dice) or script, save=kept, quiet=as_json,
        budget=usual_budget(seconds, places),
    )  # fmt: skip
    why = () if limit is not None else names(explain)
    view = use_cases.play_view(loaded, session, seed=seed, why=why)
    print_view(view, as_json=as_json)
    if limit is not None:
        raise limit
    if script:
        use_cases.check_expected(loaded, session)


@app.command(epilog="Example: affray picture grid-battles ford --script")
def picture(
    system: System,
    setup: Setup,
    *,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write the drawing as an SVG.")
    ] = None,
    dice: Dice = "",
    choose: Choose = [],
    script: Annotated[
        bool, typer.Option("--script", help="First play the script in the file (key `play`).")
    ] = False,
    settle: Settle = [],
    ruling: RulingOption = [],
    roster: RosterOption = [],
    as_json: Json = False,
) -> None:
    """Show the table: units and where they stand, or the map.

    With --dice, --choose and --script it is how it stands after them.
    """
    from affray.app import use_cases
    from affray.cli.arguments import refuse, wanted, write_text

    given = wanted(settle, ruling, dice, choose, roster)._replace(scripted=script)
    view = use_cases.picture_view(*use_cases.open_game(system, setup, given))
    if svg is not None:
        if not view.drawing:
            refuse("--svg", f"{system} makes no drawing; leave it out for the letters")
        write_text(svg, view.drawing)
    print_view(view, as_json=as_json)


@app.command(epilog="Example: affray odds eclipse-phase jinx-shoots --of net --given hit=true")
def odds(
    system: System,
    setup: Setup,
    *,
    of: Of = [],
    given: Annotated[
        list[str],
        typer.Option("--given", metavar="FIELD=VALUE", help="Known to hold; also >=, <=, !=."),
    ] = [],
    objective: Goal = "",
    settle: Settle = [],
    ruling: RulingOption = [],
    roster: RosterOption = [],
    dice: Dice = "",
    choose: Choose = [],
    exact: Annotated[
        bool, typer.Option("--exact/--float", help="Show fractions beside percentages.")
    ] = False,
    seconds: Seconds = None,
    places: Places = None,
    as_json: Json = False,
) -> None:
    """Price an exchange exactly: exactly, at least, at most; mean, sd, median.

    With --dice and --choose the odds are those from there on.
    """
    from affray.app import use_cases
    from affray.cli.arguments import names, wanted
    from affray.cli.stopping import watching

    with watching("pricing") as watch:
        view = use_cases.ask_odds(
            system, setup, names(of), given=names(given), objective=objective,
            wanted=wanted(settle, ruling, dice, choose, roster),
            budget=watch.budget(seconds, places),
        )  # fmt: skip
    if as_json:
        print_view(view, as_json=True)
    else:
        from affray.cli import show

        show.show_odds(view, exact=exact)


@app.command(epilog="Example: affray best eclipse-phase jinx-shoots --objective hit")
def best(
    system: System,
    setup: Setup,
    *,
    objective: Annotated[
        str, typer.Option("--objective", metavar="NAME", help="What is wanted.")
    ] = "",
    threshold: Annotated[
        float,
        typer.Option("--threshold", help="A point is spent only for a gain above this."),
    ] = 0,
    settle: Settle = [],
    ruling: RulingOption = [],
    roster: RosterOption = [],
    dice: Dice = "",
    choose: Choose = [],
    seconds: Seconds = None,
    places: Places = None,
    as_json: Json = False,
) -> None:
    """Solve an exchange: the best option at each choice, and what another one costs.

    With --dice and --choose it is solved from there on, and the choices made are judged.
    """
    from fractions import Fraction

    from affray.app import use_cases
    from affray.cli.arguments import refuse, wanted
    from affray.cli.stopping import watching

    if not 0 <= threshold < float("inf"):
        refuse("--threshold", f"{threshold}; allowed is a number of 0 or more")
    with watching("solving") as watch:
        view = use_cases.ask_best(
            system, setup, objective=objective, threshold=Fraction(str(threshold)),
            wanted=wanted(settle, ruling, dice, choose, roster),
            budget=watch.budget(seconds, places),
        )  # fmt: skip
    print_view(view, as_json=as_json)


app.command(epilog="Example: affray duel eclipse-phase w6")(fights.duel)
app.command(epilog="Example: affray battle empty-earth brockton -n 2000 --seed 1")(fights.battle)


def run() -> None:
    """Run the command; what it refuses becomes one message and an exit status."""
    from affray.cli import streams

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
    from affray.cli.streams import OutputError
    from affray.core.errors import AffrayError

    warnings.showwarning = _noted
    try:
        left = app(standalone_mode=False)
        return left if isinstance(left, int) else 0
    except OutputError:
        raise
    except _USAGE as error:
        return _refused(_usage(error), getattr(error, "exit_code", 2))
    except AffrayError as error:
        return _refused(f"affray: {error}{_allows_more(error)}", _status(error))
    except typer.Abort as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # typer makes one of the other
            return _refused("affray: interrupted", INTERRUPTED)
        return _refused("affray: stopped", 1)
    except KeyboardInterrupt:
        return _refused("affray: interrupted", INTERRUPTED)


def _refused(message: str, status: int) -> int:
    """Tell why; the status."""
    from affray.cli.texts import say

    say(message)
    return status


_USAGE: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""What is raised for options and arguments that are not understood."""


def _usage(error: Exception) -> str:
    """What is wrong with the command line, and how it is used; long values are cut."""
    from affray.core.telling import fitted

    told: Callable[[], str] = getattr(error, "format_message", lambda: str(error))
    message, context = told(), getattr(error, "ctx", None)
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


def _allows_more(error: Exception) -> str:
    """Which option allows more, where a limit was reached."""
    option = {"seconds": "--seconds", "places": "--places"}.get(getattr(error, "limit", ""))
    return f" ({option} N)" if option else ""


def _status(error: Exception) -> int:
    from affray.core.errors import LimitError, MissingError, StoreError, UnknownNameError

    if isinstance(error, LimitError):
        return INTERRUPTED if error.limit == "interrupted" else LIMIT_REACHED
    if isinstance(error, UnknownNameError):
        return 2
    return 3 if isinstance(error, StoreError | MissingError) else 1


if __name__ == "__main__":
    run()
