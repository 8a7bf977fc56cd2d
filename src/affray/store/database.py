"""One database, SQLite or PostgreSQL: where it is, its transactions, and what it refuses in words.

SQLite: sqlite3's own handling of transactions is switched off, as SQLAlchemy's documents advise,
and every transaction begins with a statement of ours. They advise an event for that, which would
double the work of SQLAlchemy for every statement; so it stands in the transactions below. A writer
takes the write lock at once (BEGIN IMMEDIATE), so it never finds out halfway that another one was
faster; a reader sees one state of the database and waits for nobody (WAL).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, update
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from affray.core.errors import StoreError
from affray.store.errors import DatabaseError, UnavailableError
from affray.store.tables import counter

__all__ = ["FILE", "Database", "next_number", "read_url"]

FILE = "affray.db"
"""The file of a SQLite database in its folder."""
PATIENCE_S = 10
"""Seconds that a transaction waits for another one's lock."""
CONNECTIONS = 40
"""Connections that threads of one process may hold at a time."""
KEPT = 5
"""Those to PostgreSQL that stay open when nobody needs them; of SQLite all do."""


def read_url(where: str | Path) -> URL:
    """The address of a database: a folder for SQLite, or a URL.

    Raises:
        StoreError: it is a URL of no database that a store can be in.
    """
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text) / FILE))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(f"this is no URL of a database; write {_URLS}") from None
    kind = url.get_backend_name()
    if kind in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and url.database not in {None, "", ":memory:"}:
        return url.set(drivername="sqlite")
    raise StoreError(f"a store can't be in {url.render_as_string()}; write {_URLS}")


_URLS = "postgresql://USER:PASSWORD@HOST/NAME or sqlite:////FOLDER/FILE"


class Database:
    """A database and its connections.

    Args:
        url: from `read_url`.

    Attributes:
        name: what messages call it; never with a password.

    Raises:
        StoreError: what reaches such a database is not installed.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self.name = url.database or "" if self.is_sqlite else url.render_as_string()
        self._engine = self._made(foreign_keys=True)

    @property
    def file(self) -> Path:
        """The file of a SQLite database."""
        return Path(self.url.database or "")

    def make_file(self) -> None:
        """Make the file of a SQLite database, readable for its owner only, if it is missing.

        Raises:
            StoreError: it can't be made.
        """
        if self.is_sqlite and not self.file.exists():
            try:
                self.file.touch(mode=0o600)
            except OSError as error:
                raise StoreError(f"{self.name}: can't be made: {error.strerror}") from None

    def close(self) -> None:
        """Close all connections; a later transaction opens new ones."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads.

        Raises:
            StoreError: the database refuses something.
        """
        with self.told(), self._engine.begin() as connection:
            self._begin(connection, "BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that may write: all of it happens, or an error and nothing.

        Raises:
            StoreError: the database refuses something.
        """
        with self.told(), self._engine.begin() as connection:
            self._begin(connection, "BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A transaction that reads one state of the whole database, however long that takes.

        Raises:
            StoreError: the database refuses something.
        """
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        engine = self._engine.execution_options(**options)
        with self.told(), engine.begin() as connection:
            self._begin(connection, "BEGIN")
            yield connection

    @contextmanager
    def rebuilding(self) -> Iterator[Connection]:
        """A transaction that may change tables, one at a time among all programs.

        SQLite can't alter much: tables are made anew under another name, which foreign keys would
        not survive. So they are not enforced here, and checked by `affray store check`.

        Raises:
            StoreError: the database refuses something.
        """
        engine = self._made(foreign_keys=False, keep=False)
        with self.told(), engine.begin() as connection:
            self._begin(connection, "BEGIN IMMEDIATE")
            if not self.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({REBUILD_LOCK})")
            yield connection

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn what a database refuses into a message that says what it means."""
        try:
            yield
        except DBAPIError as error:
            raise self._in_words(error.orig or error) from error
        except PoolTimeoutError as error:
            raise UnavailableError(self.name, "all connections are in use; try again") from error
        except sqlite3.Error as error:
            raise self._in_words(error) from error
        except OverflowError as error:
            raise StoreError(f"{self.name}: no number in it is that large") from error

    def _made(self, *, foreign_keys: bool, keep: bool = True) -> Engine:
        """An engine; one that does not `keep` its connections closes each after its use."""
        kept = CONNECTIONS if self.is_sqlite else KEPT
        pool = {"pool_size": kept, "max_overflow": CONNECTIONS - kept, "pool_timeout": PATIENCE_S}
        more: dict[str, object] = dict(pool) if keep else {"poolclass": NullPool}
        if not self.is_sqlite:
            given = {
                "connect_timeout": PATIENCE_S,
                "options": f"-c lock_timeout={int(PATIENCE_S * 1000)} -c timezone=UTC",
                "application_name": "affray",
            }
            try:
                return create_engine(self.url, connect_args=given, pool_pre_ping=True, **more)
            except ModuleNotFoundError as error:
                raise StoreError(
                    f"PostgreSQL needs a package that isn't installed, {error.name}; "
                    "install it: pip install 'affray[postgresql]'"
                ) from None
        engine = create_engine(self.url, connect_args={"timeout": PATIENCE_S}, **more)

        @event.listens_for(engine, "connect")
        def _connected(given: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
            given.isolation_level = None
            for pragma in (
                f"busy_timeout = {int(PATIENCE_S * 1000)}",
                "journal_mode = WAL",
                "synchronous = FULL",
                f"foreign_keys = {'ON' if foreign_keys else 'OFF'}",
            ):
                given.execute(f"PRAGMA {pragma}").close()

        return engine

    def _begin(self, connection: Connection, statement: str) -> None:
        """Begin a transaction of SQLite; PostgreSQL's begins by itself."""
        if self.is_sqlite:
            connection.connection.cursor().execute(statement)

    def _in_words(self, error: BaseException) -> DatabaseError:
        name = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""
        words = next((_WORDS[start] for start in _WORDS if name.startswith(start)), None)
        if words is not None:
            return (UnavailableError if words in _PASSING else DatabaseError)(self.name, words)
        first = str(error).strip().partition("\n")[0]
        if not name and type(error).__name__ in {"OperationalError", "InterfaceError"}:
            return UnavailableError(self.name, "the database can't be reached", first)
        return DatabaseError(self.name, "the database refuses it", first)


def next_number(connection: Connection) -> int:
    """Count one change: its number. Other changes wait until this one is committed.

    So nobody who reads in the order of these numbers misses one that came late. Call it after all
    other rows are locked: of two that lock in another order, each waits for the other.
    """
    number: int = connection.execute(_COUNT).scalar_one()
    return number


_COUNT = update(counter).values(last=counter.c.last + 1).returning(counter.c.last)

REBUILD_LOCK = 0x61666672
"""The number of the lock of PostgreSQL under which tables are changed."""

_LOCKED = f"another program has kept the database locked for {PATIENCE_S} s; try again"
_CROSSED = "two programs waited for each other; try again"
_GONE = "the database has closed the connection; try again"
_PASSING = frozenset({_LOCKED, _CROSSED, _GONE})
_NO_SUCH = "something is named that isn't there"
_TAKEN = "there is one of this id already"
_FULL = "the disk is full; nothing was written. Make room and try again"
_WORDS = {
    "SQLITE_FULL": _FULL,
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_READONLY": "the file or its folder is write-protected",
    "SQLITE_CANTOPEN": "the file can't be opened; is there such a folder, and may it be written?",
    "SQLITE_PERM": "the file or its folder may not be used",
    "SQLITE_IOERR": "the disk reports an error; nothing was written",
    "SQLITE_CORRUPT": "the file is damaged; restore a backup: affray store restore FILE --force",
    "SQLITE_NOTADB": "that is no SQLite database; it stays. Name another folder",
    "SQLITE_CONSTRAINT_FOREIGNKEY": _NO_SUCH,
    "SQLITE_CONSTRAINT_PRIMARYKEY": _TAKEN,
    "SQLITE_CONSTRAINT_UNIQUE": _TAKEN,
    "23503": _NO_SUCH,
    "23505": _TAKEN,
    "53100": _FULL,
    "40": _CROSSED,
    "55P03": _LOCKED,
    "57P": _GONE,
    "08": _GONE,
    "42501": "this user has no right to do that",
}
"""What errors mean, by how their names begin: sqlite3's names, PostgreSQL's codes."""
