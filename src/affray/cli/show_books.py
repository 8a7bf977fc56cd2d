"""Systems, rosters, clauses and rulings as text."""

from __future__ import annotations

from fractions import Fraction

from affray.app.views.books import (
    ExampleRow,
    ReadingRow,
    RosterView,
    RulesView,
    RulingsView,
    SystemsView,
)
from affray.app.views.toml_text import entry_text
from affray.cli.screen import Screen
from affray.cli.terminal import (
    new_table,
    number,
    open_screen,
    percent,
    print_table,
    stopped,
)
from affray.core.telling import value_told

__all__ = ["show_roster", "show_rules", "show_rulings", "show_system", "show_systems"]


def show_systems(view: SystemsView) -> None:
    """Show all systems, a line each."""
    table = new_table("system", "title", ">clauses carried out", ">rulings", ">examples", ">fights")
    for row in view.systems:
        table.add_row(row.id, row.title, f"{row.carried_out} of {row.clauses}", str(row.rulings),
                      str(len(row.examples)), str(len(row.fights)))  # fmt: skip
    screen = open_screen()
    print_table(screen, table)
    screen.print(
        "\n`affray systems SYSTEM` shows what one has: examples, fights, fields, objectives"
    )
    for broken in view.broken:
        screen.print(f"\n{broken.name} can't be used: {broken.why}")
        if broken.package:
            screen.print(f"  brought by {broken.package}")


def show_system(view: SystemsView) -> None:
    """Show one system with everything that can be named."""
    screen = open_screen()
    for row in view.systems:
        screen.print(f"{row.title} ({row.edition})", style="bold")
        screen.print(row.credit)
        for gap in row.gaps:
            screen.print(gap)
        screen.print(
            f"{row.carried_out} of {row.clauses} clauses carried out (`affray rules {row.id}`); "
            f"{row.rulings} rulings (`affray rulings {row.id}`)"
        )
        _show_examples(screen, "examples", row.examples)
        _show_examples(screen, "fights", row.fights)
        named = {
            "outcome fields (--of)": row.fields, "objectives (--objective)": row.objectives,
        }  # fmt: skip
        for what, names in named.items():
            if names:
                screen.print(f"\n{what}: {', '.join(names)}")


def _show_examples(screen: Screen, what: str, rows: tuple[ExampleRow, ...]) -> None:
    """Show the cases for people a line each, then the names of all others."""
    cases = [row for row in rows if row.kind == "case"]
    others = [row.name for row in rows if row.kind != "case"]
    if cases:
        screen.print(f"\n{what}:")
        table = new_table("name", "~what happens")
        for row in cases:
            table.add_row(row.name, row.title)
        print_table(screen, table)
    if others:
        screen.print(f"\n{'other ' if cases else ''}{what}: {', '.join(others)}")


def show_roster(view: RosterView, *, whole: bool = False) -> None:
    """Show a roster: a line for each entry, or all of every one, as in a file."""
    if not view.entries:
        open_screen().print(f"{view.system} ships no roster")
        return
    if whole:
        texts = (entry_text(row.section, row.name, row.values) for row in view.entries)
        open_screen().print("\n\n".join(texts), soft_wrap=True)
        return
    table = new_table("section", "name", "source", "~what it is")
    for row in view.entries:
        values = {k: v for k, v in row.values.items() if k not in {"name", "source"}}
        brief = ", ".join(f"{key} {_brief(value)}" for key, value in values.items())
        table.add_row(row.section, row.name, row.source, brief)
    screen = open_screen()
    print_table(screen, table)
    screen.print(f"\n`affray roster {view.system} NAME` shows one whole, --whole all of them")


def _brief(value: object) -> str:
    if isinstance(value, list):
        return "/".join(_brief(item) for item in value)
    if isinstance(value, dict):
        return str(value.get("name", "..."))
    return value_told(value)


def show_rules(view: RulesView) -> None:
    """Show clauses; a single one with its code and tests."""
    screen = open_screen()
    code = "code" if len(view.clauses) == 1 else "?code"
    table = new_table("clause", "source", "~what it is about", "~status", code, ">tests")
    for row in view.clauses:
        code = "\n".join(row.code) if len(view.clauses) == 1 else ", ".join(row.code[:2])
        if len(view.clauses) > 1 and len(row.code) > 2:
            code += f" +{len(row.code) - 2}"
        status = f"{row.status}: {row.reason}" if row.reason else row.status
        table.add_row(row.id, row.source, row.title, status, code, str(len(row.tests)))
    print_table(screen, table)
    if len(view.clauses) == 1:
        for test in view.clauses[0].tests:
            screen.print(f"  {test}", soft_wrap=True)


def show_rulings(view: RulingsView) -> None:
    """Show open questions with their readings."""
    screen = open_screen()
    if not view.rulings:
        screen.print(f"{view.system} has no rulings: its rules have one reading.")
    elif view.setup:
        screen.print(f"{view.setup}: {view.field} under every reading\n")
    if view.partial:
        screen.print(f"{stopped(view.stopped_by)}; some rulings are not priced\n", style="bold")
    for row in view.rulings:
        screen.print(f"{row.id} {row.name}  [{', '.join(row.clauses)}]", style="bold")  # fmt: skip
        shown = f"  (example {row.setup})" if row.setup and not view.setup else ""
        screen.print(f"  {row.question}{shown}")
        for reading in row.readings:
            mark = "*" if reading.in_force else " "
            line = f"  {mark} {reading.name}: {reading.meaning}"
            if row.field:
                line += f"  ({_apart(reading, row.field)})"
            screen.print(line)
    _profiles(view)
    if view.errata:
        screen.print("\nErrata in the figures of the text", style="bold")
        table = new_table("clause", "figure of", ">the text says", ">it comes to")
        for erratum in view.errata:
            told = str if erratum.unit == "count" else _share
            table.add_row(erratum.clause, erratum.what, told(erratum.printed), told(erratum.true))
        print_table(screen, table)


def _apart(reading: ReadingRow, field: str) -> str:
    """A field's value under a reading, and how far that is from the one in force."""
    if reading.distance is None:
        return "the rules then refuse this setup"
    apart = f"{percent(reading.distance)} apart" if reading.distance else "no effect"
    if reading.in_force:
        apart = "in force"
    return apart if reading.mean is None else f"{field} {number(reading.mean)}, {apart}"


def _share(share: Fraction) -> str:
    return f"{share} = {percent(share)}"


def _profiles(view: RulingsView) -> None:
    if not view.profiles:
        return
    screen = open_screen()
    screen.print("\nProfiles (--ruling profile=NAME)", style="bold")
    for profile in view.profiles:
        mark = "*" if profile.in_force else " "
        picks = ", ".join(f"{name} {reading}" for name, reading in profile.picks.items())
        screen.print(f"{mark} {profile.name}: {profile.title}  ({picks or 'all defaults'})")
