"""Databases of every released schema are brought to today's, with all that is in them."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import MetaData, insert, text

from affray.core.errors import StoreError
from affray.store.checking import check
from affray.store.database import Database
from affray.store.migrations import RELEASES
from affray.store.opening import Store, open_database, open_store
from affray.store.schema import migrate, schema_of, upgrade
from affray.store.tables import METADATA
from tests.store.released import RELEASED


def build(place: str, schema: str) -> Database:
    """A database as a released affray has left it."""
    database = open_database(place, make=True)
    with database.rebuilding() as connection:
        migrate(connection, schema)
        tables = MetaData()
        tables.reflect(connection)
        connection.execute(tables.tables["counter"].delete())
        for table in tables.sorted_tables:
            if rows := RELEASED[schema].get(table.name):
                connection.execute(insert(table), rows)
    return database


def test_every_released_schema_has_rows_in_all_its_tables(place: str) -> None:
    assert tuple(RELEASED) == RELEASES
    for schema, rows in RELEASED.items():
        database = open_database(place, make=True)
        with database.rebuilding() as connection:
            migrate(connection, schema)
            tables = MetaData()
            tables.reflect(connection, only=lambda name, _: name != "alembic_version")
            assert set(tables.tables) == {name for name, found in rows.items() if found}
        database.close()


@pytest.mark.parametrize("schema", RELEASES)
def test_a_released_database_is_upgraded_with_all_that_is_in_it(place: str, schema: str) -> None:
    build(place, schema).close()
    with open_store(place) as store:
        checked = check(store.database)
        assert checked.faults == ()
        assert (checked.games, checked.entries, checked.documents) == (1, 2, 1)
        game = store.games.game("g1")
        assert [one.what for one in game.entries] == [
            {"do": "answer", "faces": [7]}, {"do": "undo"},
        ]  # fmt: skip
        assert (game.row.title, game.row.tabletop, game.row.revision) == ("Dock", "t1", 2)
        assert store.tabletops.tabletop("t1").game == "g1"
        assert store.tabletops.link_of("token").name == "Ada"
        assert store.jobs.job("j1").result == {"p": 0.5}
        assert store.documents.listed("setup")[0].name == "Dock"
        assert store.changes.last() == 9
        store.games.change("g1", title="Dock 2")
        assert store.changes.last() == 10


def test_migrations_come_to_the_tables_that_the_code_uses(store: Store) -> None:
    with store.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_an_upgrade_says_from_which_schema_to_which(place: str) -> None:
    database = open_database(place, make=True)
    assert upgrade(database) == ("", RELEASES[-1])
    assert upgrade(database) == (RELEASES[-1], RELEASES[-1])
    database.close()


def test_a_newer_database_is_refused_and_stays(place: str) -> None:
    database = build(place, RELEASES[-1])
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '999'"))
    with pytest.raises(StoreError, match=r"a newer affray wrote it .schema 999; .*up to 1"):
        open_store(place)
    with pytest.raises(StoreError, match="a newer affray wrote it"):
        check(database)
    with database.reading() as connection:
        assert schema_of(connection) == "999"
    database.close()


def test_a_database_of_another_program_is_refused_and_stays(place: str) -> None:
    database = open_database(place, make=True)
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE recipes (id integer)"))
    with pytest.raises(StoreError, match="no store of affray: it has a table 'recipes'"):
        open_store(place)
    with database.reading() as connection:
        assert schema_of(connection) == ""
    database.close()


def test_a_migration_that_fails_leaves_the_database_as_it_was(place: str) -> None:
    database = open_database(place, make=True)

    def fail_halfway() -> None:
        with database.rebuilding() as connection:
            migrate(connection, RELEASES[0])
            connection.execute(text("SELECT 1 FROM nowhere"))

    with pytest.raises(StoreError, match="nowhere"):
        fail_halfway()
    with database.reading() as connection:
        assert schema_of(connection) == ""
    assert upgrade(database) == ("", RELEASES[-1])
    database.close()
