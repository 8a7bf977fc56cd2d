"""Open a store: where it is, its tables brought up to date."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from affray.core.errors import StoreError

if TYPE_CHECKING:
    from affray.store.changes import Changes
    from affray.store.database import Database
    from affray.store.documents import Documents
    from affray.store.games import Games
    from affray.store.jobs import Jobs
    from affray.store.replies import Replies
    from affray.store.tabletops import Tabletops

__all__ = ["DATABASE_URL", "DATA_FOLDER", "Store", "open_database", "open_store", "place_of_store"]

DATABASE_URL, DATA_FOLDER = "AFFRAY_DATABASE_URL", "AFFRAY_DATA"
"""Variables of the environment that say where the store is."""


class Store:
    """An open store. Any thread may use it; its parts hold no state of their own.

    Args:
        database: a database of today's schema.

    Attributes:
        games: the games and what happened in them.
        tabletops: the tables at which people sit, and the links to them.
        documents: setups, sheets and rosters.
        jobs: long questions and their results.
        replies: first answers to requests that may be repeated.
        changes: what changed, for servers that share the store.
    """

    def __init__(self, database: Database) -> None:
        from affray.store.changes import Changes
        from affray.store.documents import Documents
        from affray.store.games import Games
        from affray.store.jobs import Jobs
        from affray.store.replies import Replies
        from affray.store.tabletops import Tabletops

        self.database = database
        self.games: Games = Games(database)
        self.tabletops: Tabletops = Tabletops(database)
        self.documents: Documents = Documents(database)
        self.jobs: Jobs = Jobs(database)
        self.replies: Replies = Replies(database)
        self.changes: Changes = Changes(database)

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()


def open_store(where: str | Path = "") -> Store:
    """Open a store; its tables are made, or brought to today's schema.

    Args:
        where: a folder for SQLite, or the URL of a database; "": as `place_of_store` finds.

    Raises:
        StoreError: it can't be opened, or a newer affray wrote it.
    """
    from affray.store.schema import upgrade

    database = open_database(where, make=True)
    try:
        upgrade(database)
    except BaseException:
        database.close()
        raise
    return Store(database)


def open_database(where: str | Path = "", *, make: bool = False) -> Database:
    """A database as it stands, whatever its schema.

    Args:
        where: as for `open_store`.
        make: whether a SQLite database and its folder are made if they are missing.

    Raises:
        StoreError: it can't be reached, or what reaches it is not installed.
    """
    try:
        from affray.store.database import Database, read_url
    except ModuleNotFoundError as error:
        raise _not_installed(error) from None
    database = Database(read_url(where or place_of_store()))
    if database.is_sqlite and not database.file.is_file():
        if not make:
            raise StoreError(f"{database.file}: there is no store; `affray serve` makes one")
        _make_folder(database.file.parent)
    return database


def place_of_store(data: str | Path = "") -> str:
    """Where the store is: a URL, or a folder for SQLite.

    Args:
        data: a folder that somebody named; it goes before the environment.

    Returns:
        that folder; else what `AFFRAY_DATABASE_URL` or `AFFRAY_DATA` says; else `affray` in the
        folder where the user's programs keep their data.
    """
    given = str(data) or os.environ.get(DATABASE_URL, "") or os.environ.get(DATA_FOLDER, "")
    if given:
        return given
    try:
        from platformdirs import user_data_dir
    except ModuleNotFoundError as error:
        raise _not_installed(error) from None

    return user_data_dir("affray", appauthor=False)


def _not_installed(error: ModuleNotFoundError) -> StoreError:
    return StoreError(
        f"the store needs a package that isn't installed, {error.name}; "
        "install it: pip install 'affray[serve]'"
    )


def _make_folder(folder: Path) -> None:
    """Make a folder that only its owner may read, if it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise StoreError(f"{folder}: this folder can't be made: {why}") from None
