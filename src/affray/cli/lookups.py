"""The commands that look things up: systems, roster, rules, rulings, schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from affray.cli import options
from affray.cli.command import argument, command, option, refuse
from affray.cli.options import Limits
from affray.cli.printing import print_text, print_view

if TYPE_CHECKING:
    from affray.app.sources import Answers, Changes

__all__ = ["roster", "rules", "rulings", "schema", "systems"]


@command("affray systems empty-earth")
@argument("system", "[SYSTEM]", "Only this system, with all that can be named.", default="")
@options.as_json
def systems(system: str, *, as_json: bool) -> None:
    """List the systems, or what one of them has: examples, fights, fields, objectives."""
    from affray.app import lookups

    view = lookups.list_systems(system)
    if as_json or not system:
        print_view(view, as_json=as_json)
    else:
        from affray.cli.show_books import show_system

        show_system(view)


@command("affray roster eclipse-phase medium_pistol")
@options.system
@argument("wanted", "[SECTION|ENTRY]", "Only this section, or one entry.", default="")
@option("--whole", is_flag=True, help="Show every value of every entry.")
@options.as_json
def roster(system: str, wanted: str, *, whole: bool, as_json: bool) -> None:
    """List ready fighters, weapons and so on, by name.

    Setups use these names. A single entry is shown in full, as you would write it in a file.
    """
    from affray.app import lookups

    view = lookups.show_roster(system, wanted)
    if as_json:
        print_view(view, as_json=True)
    else:
        from affray.cli.show_books import show_roster

        show_roster(view, whole=whole or len(view.entries) == 1)


@command("affray rules eclipse-phase EP-56")
@options.system
@argument("clause", "[CLAUSE]", "Only this clause, such as EP-56.", default="")
@option(
    "--tests", metavar="PATH", default="", help="The folder of tests whose names carry clauses."
)
@options.as_json
def rules(system: str, clause: str, *, tests: str, as_json: bool) -> None:
    """List the clauses of a book and what carries them out.

    Each clause has its status, the code that carries it out, and the tests.
    """
    from affray.app import lookups
    from affray.app.files.proofs import proofs_beside, proofs_by_clause
    from affray.app.registry import system_named

    found = system_named(system)
    folder = Path(tests) if tests else proofs_beside(found)
    proofs = proofs_by_clause(found, folder) if folder else {}
    print_view(lookups.show_rules(system, clause, proofs=proofs), as_json=as_json)


@command("affray rulings empty-earth o5p --of hits")
@options.system
@argument("setup", "[SETUP]", "Price every reading in this setup.", default="")
@option("--of", metavar="FIELD", default="", help="Outcome field to price.")
@options.objective
@options.changes
@options.answers()
@options.limits
@options.as_json
def rulings(
    system: str,
    setup: str,
    *,
    of: str,
    objective: str,
    changes: Changes,
    answers: Answers,
    limits: Limits,
    as_json: bool,
) -> None:
    """List where a book is silent, with every reading.

    Where it contradicts itself as well; with a setup every reading is priced there.
    """
    from affray.app.rulings import show_rulings
    from affray.cli.sources import setup_named
    from affray.cli.stopping import watching

    source = setup_named(system, setup) if setup else None
    with watching("pricing every reading") as watch:
        view = show_rulings(
            system, source, field=of, objective=objective, changes=changes, answers=answers,
            budget=watch.budget(*limits),
        )  # fmt: skip
    print_view(view, as_json=as_json)


@command("affray schema eclipse-phase > setup.schema.json")
@argument("system", "[SYSTEM]", "A system, such as eclipse-phase; `affray systems` lists them.",
          default="")  # fmt: skip
@option("--fight", is_flag=True, help="Print the schema of fights, for duel and battle.")
@option("--views", is_flag=True, help="Print the schema of everything that --json prints.")
@options.as_json
def schema(system: str, *, fight: bool, views: bool, as_json: bool) -> None:
    """Print the JSON Schema of a system's setups, of its fights, or of every result."""
    from affray.app import lookups

    if views:
        from affray.app.views.schemas import view_classes
        from affray.testing.view import CheckView

        if system or fight:
            refuse("--views", "it is the same for all systems; leave the system and --fight out")
        view = lookups.show_view_schemas((*view_classes(), CheckView))
    elif system:
        view = lookups.show_schema(system, fight=fight)
    else:
        refuse("SYSTEM", "is missing: name a system, or ask for --views")
    if as_json:
        print_view(view, as_json=True)
    else:
        print_text(json.dumps(view.setup, indent=1))
