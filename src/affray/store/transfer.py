"""Everything in a store as one file of JSON lines, which goes between SQLite and PostgreSQL.

The first line says what the file is and which schema it has, each further line is a row, the last
line counts them: a file that was cut is recognized.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TextIO, cast

from sqlalchemy import Connection, Integer, MetaData, Table, func, insert, select

from affray._version import VERSION
from affray.core.errors import StoreError
from affray.core.telling import shown
from affray.store.database import Database
from affray.store.migrations import RELEASES
from affray.store.schema import (
    check_known,
    check_ours,
    check_today,
    drop_all,
    migrate,
    schema_of,
)  # fmt: skip
from affray.store.tables import METADATA, counter
from affray.store.values import Raw
from affray.store.whole_files import told, whole_file

__all__ = ["EXPORT", "export", "import_"]

EXPORT = "affray/exported-store"
"""What the first line says."""
AT_ONCE = 500
"""Rows that are written with one statement."""


def export(database: Database, to: Path, *, force: bool = False) -> Mapping[str, int]:
    """Write everything in a store to a file: rows by table. Others may use it meanwhile.

    Args:
        database: where from; it has today's schema.
        to: the file.
        force: whether it may replace a file that is there.

    Raises:
        StoreError: the database can't be read, or the file can't be written.
    """
    counts: Counter[str] = Counter()
    with whole_file(to, force=force) as beside, database.snapshot() as connection:
        check_today(connection, database.name)
        head = {"schema": EXPORT, "version": RELEASES[-1], "affray": VERSION}
        with beside.open("w", encoding="ascii") as file:
            file.write(f"{json.dumps(head)}\n")
            for table in METADATA.sorted_tables:
                wanted = select(table).order_by(*table.primary_key)
                for row in connection.execute(wanted.execution_options(yield_per=AT_ONCE)):
                    counts[table.name] += 1
                    line = {"table": table.name, "row": dict(row._mapping)}
                    file.write(f"{json.dumps(line)}\n")
            file.write(f"{json.dumps({'rows': counts.total()})}\n")
    return counts


def import_(database: Database, file: Path, *, force: bool = False) -> Mapping[str, int]:
    """Fill a store with everything that was exported: rows by table.

    A file of an older schema fills tables of that schema, which are then brought to today's.

    Args:
        database: where to.
        file: what `export` wrote.
        force: whether it may replace what is in the store.

    Raises:
        StoreError: the store is not empty, or the file is another one, newer, cut or wrong; then
            the store stays as it was.
    """
    counts: Counter[str] = Counter()
    with told(file, "be read"), file.open(encoding="utf-8", errors="replace") as lines:
        version = _version(lines, file)
        database.make_file()
        with database.rebuilding() as connection:
            schema = schema_of(connection)
            check_ours(connection, schema, database.name)
            check_known(schema, database.name)
            if schema and not force and _is_filled(connection):
                raise StoreError(f"{database.name}: it is not empty; --force replaces all of it")
            drop_all(connection)
            migrate(connection, version)
            reached = MetaData()
            reached.reflect(connection, only=lambda name, _: name != "alembic_version")
            connection.execute(reached.tables[counter.name].delete())
            for table, rows in groupby(_rows(lines, file, reached), lambda row: row.table):
                for batch in _batches(row.values for row in rows):
                    connection.execute(insert(table), batch)
                    counts[table.name] += len(batch)
            migrate(connection, RELEASES[-1])
    return counts


class _Row(NamedTuple):
    table: Table
    values: Raw


def _version(lines: TextIO, file: Path) -> str:
    """The schema of an exported file, from its first line."""
    head = _table(lines.readline())
    if head is None or head.get("schema") != EXPORT:
        raise StoreError(f"{file}: that is nothing that `affray store export` wrote")
    version = str(head.get("version"))
    check_known(version or "?", str(file))
    return version


def _rows(lines: Iterable[str], file: Path, reached: MetaData) -> Iterator[_Row]:
    """The rows of a file, each checked; the last line must count them."""
    n_rows = 0
    ended = False
    for number, line in enumerate(lines, 2):
        found = _table(line)
        if found is None or ended:
            raise StoreError(f"{file}, line {number}: that is no row")
        if "rows" in found:
            if found["rows"] != n_rows:
                raise StoreError(f"{file}: {n_rows} rows are there, {shown(found['rows'])} were")
            ended = True
            continue
        table = reached.tables.get(str(found.get("table")))
        values = found.get("row")
        if table is None or not isinstance(values, dict) or values.keys() != set(table.c.keys()):
            raise StoreError(f"{file}, line {number}: that is no row of any table")
        _check_values(table, values, f"{file}, line {number}")
        n_rows += 1
        yield _Row(table, values)
    if not ended:
        raise StoreError(f"{file}: it has been cut: its last line is missing")


def _check_values(table: Table, values: Raw, where: str) -> None:
    """Refuse a value of another type than its column's; SQLite would take it."""
    for name, value in values.items():
        kind = int if isinstance(table.c[name].type, Integer) else str
        if value is not None and type(value) is not kind:
            raise StoreError(f"{where}: {table.name}.{name} can't be {shown(value)}")


def _table(line: str) -> Raw | None:
    """The table of a line; None if it is no such line."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Raw", found) if isinstance(found, dict) else None


def _batches(rows: Iterable[Raw]) -> Iterator[list[Raw]]:
    batch: list[Raw] = []
    for row in rows:
        batch.append(row)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _is_filled(connection: Connection) -> bool:
    """Whether any table but the counter has a row, whatever the schema."""
    reached = MetaData()
    reached.reflect(connection, only=lambda name, _: name in METADATA.tables)
    return any(
        connection.execute(select(func.count()).select_from(table)).scalar()
        for table in reached.tables.values()
        if table.name != counter.name
    )
