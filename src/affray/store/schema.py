"""Which schema a database has, and the way up to today's."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from affray.core.errors import StoreError
from affray.store.database import Database
from affray.store.migrations import RELEASES
from affray.store.tables import METADATA

__all__ = [
    "check_known",
    "check_ours",
    "check_today",
    "drop_all",
    "migrate",
    "schema_of",
    "upgrade",
]

NEWEST = RELEASES[-1]
VERSIONS = "alembic_version"
"""The table in which Alembic notes the schema."""


def upgrade(database: Database) -> tuple[str, str]:
    """Bring a database to today's schema; an empty one gets its tables.

    Returns:
        the schema before ("" if there was none) and the schema now.

    Raises:
        StoreError: it is of a newer affray or of another program, or can't be written.
    """
    database.make_file()
    with database.reading() as connection:
        before = schema_of(connection)
        check_ours(connection, before, database.name)
    check_known(before, database.name)
    if before == NEWEST:
        return before, before
    with database.rebuilding() as connection:
        before = schema_of(connection)  # another program may have been faster
        check_known(before, database.name)
        if before != NEWEST:
            migrate(connection, NEWEST)
    return before, NEWEST


def schema_of(connection: Connection) -> str:
    """The schema that a database has; "" if it has none."""
    if not inspect(connection).has_table(VERSIONS):
        return ""
    return str(connection.execute(text(f"SELECT version_num FROM {VERSIONS}")).scalar() or "")


def check_known(schema: str, where: str) -> None:
    """Refuse a schema that is newer than today's.

    Raises:
        StoreError: it is.
    """
    if schema and schema not in RELEASES:
        raise StoreError(
            f"{where}: a newer affray wrote it (schema {schema}; this one knows up to {NEWEST}). "
            "Install that one: pip install --upgrade affray"
        )


def check_today(connection: Connection, where: str) -> None:
    """Refuse a database that has not today's schema.

    Raises:
        StoreError: it has not.
    """
    schema = schema_of(connection)
    check_ours(connection, schema, where)
    check_known(schema, where)
    if not schema:
        raise StoreError(f"{where}: there is no store; `affray serve` makes one")
    if schema != NEWEST:
        raise StoreError(f"{where}: it has an older schema; run `affray store upgrade` first")


def migrate(connection: Connection, to: str) -> None:
    """Bring a database up to a released schema, within the transaction of its connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def drop_all(connection: Connection) -> None:
    """Remove all tables of the store with everything in them."""
    METADATA.drop_all(connection)
    connection.execute(text(f"DROP TABLE IF EXISTS {VERSIONS}"))


def check_ours(connection: Connection, schema: str, where: str) -> None:
    """Refuse a database that holds tables of somebody else."""
    if not schema and (found := inspect(connection).get_table_names()):
        raise StoreError(
            f"{where}: that is no store of affray: it has a table {found[0]!r}. Name another one"
        )
