"""Backups: a copy of a SQLite database, made while a server runs; of PostgreSQL an export."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from affray.core.errors import StoreError
from affray.store.database import PATIENCE_S, Database
from affray.store.schema import check_known, check_today, upgrade
from affray.store.transfer import export, import_
from affray.store.whole_files import told, whole_file

__all__ = ["backup", "restore"]

MAGIC = b"SQLite format 3\0"
"""How a file of SQLite begins."""


def backup(database: Database, to: Path, *, force: bool = False) -> None:
    """Copy everything in a store to a file. Others may use it meanwhile.

    The file is a SQLite database for a store in SQLite, an export for one in PostgreSQL.

    Args:
        database: where from; it has today's schema.
        to: the file.
        force: whether it may replace a file that is there.

    Raises:
        StoreError: the database can't be read, or the file can't be written.
    """
    with database.reading() as connection:
        check_today(connection, database.name)
    if not database.is_sqlite:
        export(database, to, force=force)
        return
    with (
        whole_file(to, force=force) as beside,
        database.told(),
        closing(sqlite3.connect(database.file, timeout=PATIENCE_S)) as old,
    ):
        _copy(old, beside)


def restore(database: Database, file: Path, *, force: bool = False) -> None:
    """Put a backup in the place of a store, and bring it to today's schema.

    Args:
        database: where to. No server may use it.
        file: what `backup` wrote.
        force: whether it may replace what is there; a damaged database, too.

    Raises:
        StoreError: there is a store, a server uses it, or the file is no backup, damaged or of a
            newer affray; then the store stays as it was.
    """
    with told(file, "be read"), file.open("rb") as start:
        is_sqlite = start.read(len(MAGIC)) == MAGIC
    if not is_sqlite:
        import_(database, file, force=force)
        return
    if not database.is_sqlite:
        raise StoreError(
            f"{file}: that is a copy of a SQLite database, and can't be put into PostgreSQL. "
            "Restore it to a folder (--data), then use `affray store export` and `import`"
        )
    place = database.file
    if place.exists() and not force:
        raise StoreError(f"{place}: there is a store; --force replaces it")
    database.close()
    with whole_file(place, force=True) as beside, database.told():
        with closing(_opened(file)) as source:
            _check_copy(source, file)
            _copy(source, beside)
        if place.exists():
            with closing(sqlite3.connect(place, timeout=1)) as old:
                _take_over(old, place)
    upgrade(database)


def _opened(file: Path) -> sqlite3.Connection:
    """A backup, opened so that it stays as it is."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)


def _copy(source: sqlite3.Connection, to: Path) -> None:
    """Copy one state of a database into a single file, without a log beside it."""
    with closing(sqlite3.connect(to)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def _check_copy(source: sqlite3.Connection, file: Path) -> None:
    """Refuse a file that is damaged, of another program, or of a newer affray."""
    try:
        whole = source.execute("PRAGMA integrity_check(1)").fetchone()[0]
        found = source.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"{file}: that is no backup of a store, or a damaged one: {error}"
        ) from None
    if whole != "ok":
        raise StoreError(f"{file}: this backup is damaged: {whole}")
    check_known(found[0], str(file))


def _take_over(old: sqlite3.Connection, place: Path) -> None:
    """Make sure that nobody uses a database, and that no log is left beside it.

    SQLite gives up its log only where no other program has the database open.
    """
    try:
        old.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreError(f"{place}: a server uses this store; stop it first") from None
        raise
    except sqlite3.DatabaseError:  # so damaged that it can't be read: nobody can use it
        for ending in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                place.with_name(place.name + ending).unlink()
