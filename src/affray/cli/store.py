"""The commands that look after the store: check it, copy it, move it, clear it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.cli.command import Command, Commands, Decorator, argument, option
from affray.cli.printing import print_text
from affray.core.telling import counted

if TYPE_CHECKING:
    from affray.store.database import Database

__all__ = ["backup", "check", "export", "import_", "prune", "restore", "store", "upgrade"]

HERE = "affray.cli.store"
NAMES = {
    "games": ("game", "games"),
    "entries": ("entry", "entries"),
    "tabletops": ("table", "tables"),
    "links": ("link", "links"),
    "documents": ("document", "documents"),
    "jobs": ("job", "jobs"),
    "replies": ("reply", "replies"),
}
"""What is called how, by the name of its table in the database."""

store = Commands(
    {
        "check": HERE,
        "backup": HERE,
        "restore": HERE,
        "upgrade": HERE,
        "export": HERE,
        "import": f"{HERE}:import_",
        "prune": HERE,
    },
    name="store",
    no_args_is_help=True,
    help=(
        "Look after the store of the server.\n\n"
        "Games, tables and jobs are kept there. It is a SQLite database in the user's data "
        "folder; --data or AFFRAY_DATA name another folder, AFFRAY_DATABASE_URL a PostgreSQL."
    ),
    epilog="Example: affray store backup friday.db",
)

_data = option(
    "--data",
    metavar="FOLDER|URL",
    default="",
    help="Where the store is, if not where it usually is.",
)
_file = argument("file", "FILE", "The file.", type=click.Path(path_type=Path))
_force = option("--force", is_flag=True, help="Replace what is there.")


def _command(name: str, example: str) -> Decorator:
    return click.command(name, cls=Command, epilog=f"Example: affray store {example}")


@_command("check", "check")
@_data
def check(*, data: str) -> None:
    """Look for damage and changed rows.

    It checks the file, what rows say of each other, and the hash chain of every game.
    """
    from affray.core.errors import StoreError
    from affray.store.checking import CHAIN_TELLS
    from affray.store.checking import check as check_store

    with _there(data) as database:
        found = check_store(database)
        for fault in found.faults:
            print_text(fault)
        print_text(
            f"{database.name}: {counted(found.games, 'game')} with "
            f"{counted(found.entries, 'entry', 'entries')} and "
            f"{counted(found.documents, 'document')} checked: "
            f"{counted(len(found.faults), 'fault') if found.faults else 'no fault'}."
        )
        print_text(CHAIN_TELLS)
        if found.faults:
            raise StoreError(
                f"{database.name}: {counted(len(found.faults), 'fault')}; "
                "a backup brings back what it holds: affray store restore FILE --force"
            )


@_command("backup", "backup friday.db")
@_file
@_force
@_data
def backup(*, file: Path, force: bool, data: str) -> None:
    """Copy everything to a file; a server may run.

    The file is a SQLite database; of a PostgreSQL it is what `export` writes.
    """
    from affray.store.copies import backup as back_up

    with _there(data) as database:
        back_up(database, file, force=force)
        print_text(f"{file}: a backup of {database.name}, {file.stat().st_size:,} bytes.")


@_command("restore", "restore friday.db --force")
@_file
@_force
@_data
def restore(*, file: Path, force: bool, data: str) -> None:
    """Put a backup in the store's place.

    Stop the server first. A backup of an older affray is brought to today's schema.
    """
    from affray.store.copies import restore as restore_from

    with _there(data, make=True) as database:
        restore_from(database, file, force=force)
        print_text(f"{database.name}: restored from {file}.")


@_command("upgrade", "upgrade")
@_data
def upgrade(*, data: str) -> None:
    """Bring the store to today's schema.

    A server does so when it starts.
    """
    from affray.store.schema import upgrade as bring_up

    with _there(data) as database:
        before, now = bring_up(database)
        print_text(
            f"{database.name}: schema {now}, as it was."
            if before == now
            else f"{database.name}: from schema {before or 'none'} to {now}."
        )


@_command("export", "export friday.jsonl")
@_file
@_force
@_data
def export(*, file: Path, force: bool, data: str) -> None:
    """Write everything to a file of JSON lines.

    Any store can import it, in SQLite or PostgreSQL.
    """
    from affray.store.transfer import export as export_to

    with _there(data) as database:
        print_text(f"{file}: {_told(export_to(database, file, force=force))}.")


@_command("import", "import friday.jsonl")
@_file
@_force
@_data
def import_(*, file: Path, force: bool, data: str) -> None:
    """Fill a store with what was exported.

    Stop the server first if there is one.
    """
    from affray.store.transfer import import_ as import_from

    with _there(data, make=True) as database:
        print_text(f"{database.name}: {_told(import_from(database, file, force=force))}.")


@_command("prune", "prune --games 365 --dry-run")
@option(
    "--games",
    metavar="DAYS",
    type=click.IntRange(0, 36_500),
    default=None,
    help="Remove games and tables that nobody has touched for so many days; else all stay.",
)
@option(
    "--jobs",
    metavar="DAYS",
    type=click.IntRange(0, 36_500),
    default=30,
    show_default=True,
    help="Remove jobs that have been finished for so many days.",
)
@option("--dry-run", is_flag=True, help="Only say what would be removed.")
@_data
def prune(*, games: int | None, jobs: int, dry_run: bool, data: str) -> None:
    """Remove what nobody needs any more.

    That is expired links and replies, finished jobs, and if --games is given, old games.
    """
    from affray.store.pruning import prune as prune_store

    with _there(data) as database:
        found = prune_store(database, jobs_days=jobs, games_days=games, dry_run=dry_run)
        told = (
            f"{counted(found.games, 'game')} with {counted(found.entries, 'entry', 'entries')}, "
            f"{counted(found.tabletops, 'table')}, {counted(found.links, 'link')}, "
            f"{counted(found.jobs, 'job')}, {counted(found.replies, 'reply', 'replies')}"
        )
        print_text(f"{database.name}: {'would remove' if dry_run else 'removed'} {told}.")


@contextmanager
def _there(data: str, *, make: bool = False) -> Iterator[Database]:
    """The database that is meant; `make`: it need not be there yet."""
    from affray.store.opening import open_database, place_of_store

    with closing(open_database(place_of_store(data), make=make)) as database:
        yield database


def _told(rows: Mapping[str, int]) -> str:
    """How many there are of each thing that people know."""
    told = [counted(rows[name], one, many) for name, (one, many) in NAMES.items() if rows.get(name)]
    return ", ".join(told) or "nothing is in it"
