"""Check a store: its file, its references, the hash chain of every game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from affray.core.telling import counted
from affray.store import tables
from affray.store.chain import Beginning, Link, first_hash, first_wrong
from affray.store.database import Database
from affray.store.documents import document_id
from affray.store.schema import check_today

__all__ = ["CHAIN_TELLS", "Checked", "check"]

CHAIN_TELLS = (
    "The hash chain shows rows that were changed, removed or inserted by accident or by hand. "
    "It does not show that an owner of the database has computed a whole new chain."
)


class Checked(NamedTuple):
    """What a check found.

    Attributes:
        games: how many games were checked.
        entries: how many entries they have.
        documents: how many documents were checked.
        faults: what is wrong, a sentence each.
    """

    games: int
    entries: int
    documents: int
    faults: tuple[str, ...]


def check(database: Database) -> Checked:
    """Check everything in a store. Others may use it meanwhile.

    Raises:
        StoreError: it has not today's schema, or can't be read.
    """
    faults: list[str] = []
    n_entries = n_documents = 0
    with database.snapshot() as connection:
        check_today(connection, database.name)
        if database.is_sqlite:
            faults += _file_faults(connection)
        faults += _tabletop_faults(connection)
        games = connection.execute(select(_G.id).order_by(_G.changed)).scalars().all()
        for game in games:
            n_found, found = _game_faults(connection, game)
            n_entries += n_found
            faults += found
        for row in connection.execute(select(tables.documents).execution_options(yield_per=100)):
            n_documents += 1
            if row.id != document_id(row.owner, row.kind, row.system, row.name, row.content):
                faults.append(f"document {row.id}: it was changed since it was kept")
    return Checked(len(games), n_entries, n_documents, tuple(faults))


_G, _E, _T = tables.games.c, tables.entries.c, tables.tabletops.c


def _file_faults(connection: Connection) -> Iterator[str]:
    """What SQLite itself finds wrong with its file."""
    for (told,) in connection.execute(text("PRAGMA integrity_check(20)")):
        if told != "ok":
            yield f"the file is damaged: {told}"
    for table, _row, other, _key in connection.execute(text("PRAGMA foreign_key_check")):
        yield f"a row of {table} names a row of {other} that isn't there"


def _tabletop_faults(connection: Connection) -> Iterator[str]:
    """Tables whose game is not there, or is another table's."""
    joined = tables.tabletops.outerjoin(tables.games, _T.game == _G.id)
    wanted = select(_T.id, _T.game).select_from(joined).where(_T.game.is_not(None))
    for row in connection.execute(wanted.where(_G.tabletop.is_distinct_from(_T.id))):
        yield f"table {row.id}: its game {row.game} is not one of this table"


def _game_faults(connection: Connection, game: str) -> tuple[int, list[str]]:
    """How many entries a game has, and what is wrong with it."""
    row = connection.execute(select(tables.games).where(_G.id == game)).one()
    kept = connection.execute(
        select(*(_E[name] for name in Link._fields), _E.hash)
        .where(_E.game == game)
        .order_by(_E.revision)
    ).all()
    beginning = Beginning(
        game, row.kind, row.system, row.rules, row.setup, row.parent, row.parent_revision, row.begun
    )
    before = first_hash(beginning)
    faults = []
    wrong = first_wrong(before, ((Link._make(one[:-1]), one[-1]) for one in kept))
    if wrong is not None:
        what = "entry 1, or how it began," if wrong == 1 else f"entry {wrong}, or the one before,"
        faults.append(f"game {game}: {what} was changed, removed or inserted: the chain breaks")
    if row.revision != len(kept):
        has = counted(len(kept), "entry", "entries")
        faults.append(f"game {game}: it has {has}, but says {row.revision}")
    elif row.head != (kept[-1].hash if kept else before):
        faults.append(f"game {game}: how it began or ended was changed: its last hash is another")
    return len(kept), faults
