"""The command that holds a system to the laws, or names all faults of a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from affray.cli import options
from affray.cli.command import argument, command, option, refuse
from affray.cli.printing import print_view

if TYPE_CHECKING:
    from affray.app.views.checked import CheckedView
    from affray.testing.view import CheckView

__all__ = ["check"]


@command("affray check empty-earth --suite documents --seconds 20")
@argument("system", "SYSTEM", "Id of a system, or the module that has one, as mygame:SYSTEM.")
@argument("setup", "[SETUP]", "A file, -, or a shipped example: check this instead of the system.",
          required=False)  # fmt: skip
@option("--fight", is_flag=True, help="SETUP is a fight.")
@option("--roster", metavar="FILE", multiple=True,
        help="Roster entries of your own for SETUP; repeat for several files.")  # fmt: skip
@option("--suite", metavar="NAME", multiple=True,
        help="Check only this suite, or this one law (places/steps-are-pure).")  # fmt: skip
@option("--seconds", type=options.Number(0.1, 1e6), metavar="N",
        help="Stop after N seconds, having looked at fewer cases (default: no limit).")  # fmt: skip
@option("--propose", is_flag=True,
        help="Also print the hints that no playthrough of an example contradicts.")  # fmt: skip
@options.as_json
def check(
    system: str, *, setup: str | None, fight: bool, roster: Sequence[str], suite: Sequence[str],
    seconds: float | None, propose: bool, as_json: bool,
) -> None:  # fmt: skip
    """Test a game system for errors, or list everything that is wrong with a setup.

    Suites: documents, places, hints, sessions, examples, agreement, rulings, fights, keys. Steps
    must be pure, facts hashable, readings counted right, hints true; undo and replay must lead to
    the same place, examples come to what they expect; played, priced and solved must agree; every
    ruling and every key must matter. The exit status is 1 if a law is broken, 130 if the check was
    interrupted.

    With a SETUP: each fault with its place in the file, as a JSON pointer. The exit status is 1
    if only the rules refuse it, 3 if it doesn't fit.
    """
    if setup is not None:
        if suite or propose or seconds is not None:
            refuse("SETUP", "--suite, --seconds and --propose check a system, not a setup")
        _check_table(system, setup, roster, fight=fight, as_json=as_json)
        return
    if fight or roster:
        refuse("--fight" if fight else "--roster", "it is for a SETUP; name one")
    from time import monotonic

    from affray.cli.main import INTERRUPTED
    from affray.cli.stopping import watching
    from affray.cli.texts import say
    from affray.core.errors import LimitError
    from affray.engine.budget import Budget, spending
    from affray.engine.watchdog import a_rule_may_take
    from affray.testing.finding import CannotLoadError, find_system
    from affray.testing.material import Material
    from affray.testing.promises import proposal
    from affray.testing.running import Report, held, laws
    from affray.testing.view import check_view

    if seconds is not None:
        a_rule_may_take(seconds)
    laws(suite)  # an unknown name is told before any work
    proposed: Sequence[str] = ()
    began = monotonic()
    with watching("loading") as watch:
        try:
            found = find_system(system)
        except CannotLoadError as error:
            report = Report(system, (), unloaded=error.fault)
        else:
            budget = Budget(seconds=seconds, stop=watch.stop, progress=watch.tell)
            material = Material(found)
            report = held(material, suite, budget)
            if propose and not watch.stopped:
                left = None if seconds is None else max(0.0, seconds - (monotonic() - began))
                try:
                    with spending(budget._replace(seconds=left)) as clock:
                        proposed = proposal(material, clock).lines()
                except LimitError as error:
                    say(f"affray: no hints are proposed: {error}")
    view = check_view(report, proposed)
    if as_json:
        print_view(view, as_json=True)
    else:
        _show(view)
    if watch.stopped and not view.whole:
        raise click.exceptions.Exit(INTERRUPTED)
    if not view.passed:
        raise click.exceptions.Exit(1)


def _check_table(
    system: str, setup: str, roster: Sequence[str], *, fight: bool, as_json: bool
) -> None:
    """Check a setup or a fight, and print all of its faults."""
    from affray.app.check import check_fight, check_setup
    from affray.app.inputs.fight_changes import FightChanges
    from affray.app.sources import Changes, Names
    from affray.cli.sources import fight_named, own_rosters, setup_named

    own = own_rosters(roster)
    if fight:
        source = fight_named(system, setup)
        assert not isinstance(source, Names)  # those are two
        view = check_fight(system, source, FightChanges(roster=own))
    else:
        view = check_setup(system, setup_named(system, setup), Changes(roster=own))
    if as_json:
        print_view(view, as_json=True)
    else:
        _show_faults(view)
    if not view.ok:
        refused = all(fault.code == RULES_REFUSE for fault in view.faults)
        raise click.exceptions.Exit(1 if refused else 3)


RULES_REFUSE = "rules-refuse"


def _show_faults(view: CheckedView) -> None:
    from affray.cli.terminal import open_screen
    from affray.cli.texts import plainly

    view, screen = plainly(view), open_screen()
    for fault in view.faults:
        place = f"{fault.origin} {fault.where}".strip()
        screen.print(f"{place}: {fault.what}" if place else fault.what)
        if fault.nearest:
            screen.print(f"  nearest: {fault.nearest}")
        if fault.allowed:
            screen.print(f"  allowed: {fault.allowed}")
    for told in (*view.remarks, *view.assumed):
        screen.print(told)
    n_faults = len(view.faults)
    told = f"{n_faults} fault{'s' if n_faults > 1 else ''}" if n_faults else "nothing is wrong"
    screen.print(f"{view.setup}: {told}.")


def _show(view: CheckView) -> None:
    from affray.cli.terminal import new_table, open_screen, print_table
    from affray.cli.texts import plainly

    view, screen = plainly(view), open_screen()
    table = new_table("suite", ">laws", ">cases", ">faults", ">seconds")
    for suite, group in groupby(view.laws, key=lambda row: row.suite):
        rows = list(group)
        table.add_row(
            suite, str(len(rows)), f"{sum(row.checked for row in rows):,}",
            str(sum(row.faults + row.more for row in rows)),
            f"{sum(row.seconds for row in rows):.1f}",
        )  # fmt: skip
    if view.laws:
        print_table(screen, table)
    idle = [f"{row.suite}/{row.law}" for row in view.laws if not row.cases]
    large = [f"{row.suite}/{row.law} ({row.cases - row.checked})" for row in view.laws
             if row.checked < row.cases and not row.cut]  # fmt: skip
    cut = [f"{row.suite}/{row.law} ({row.checked:,} of {row.cases:,})" for row in view.laws
           if row.cut]  # fmt: skip
    for what, names in (
        ("Nothing to look at", idle), ("Cases that a law does not concern", large),
        ("Cut short", cut), ("No time for", view.left),
    ):  # fmt: skip
        if names:
            screen.print(f"\n{what}: {', '.join(names)}.")
    for fault in view.faults:
        screen.print(f"\n{fault.law}: {fault.where}")
        screen.print(f"  {fault.what}")
        screen.print(f"  {fault.remedy}")
    more = sum(row.more for row in view.laws)
    if more:
        screen.print(f"\n{more:,} more faults of the same laws are not listed.")
    if view.proposed:
        screen.print("\nHints that no playthrough contradicts; keep those that save time:\n")
        for line in view.proposed:
            screen.print(line, soft_wrap=True)
    screen.print(f"\n{_verdict(view)}")


def _verdict(view: CheckView) -> str:
    n_faults = len(view.faults) + sum(row.more for row in view.laws)
    if n_faults:
        return f"{view.system}: {n_faults:,} fault{'s' if n_faults > 1 else ''}."
    if view.whole:
        return f"{view.system} keeps all {len(view.laws)} laws."
    return f"{view.system}: no fault found; not every case was looked at."
