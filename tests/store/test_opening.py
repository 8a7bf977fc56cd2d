"""Where a store is, and what is said when it can't be opened or written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text

from affray.core.errors import StoreError
from affray.store import database as databases
from affray.store.errors import UnavailableError
from affray.store.games import NewEntry
from affray.store.opening import (
    DATA_FOLDER,
    DATABASE_URL,
    open_database,
    open_store,
    place_of_store,
)
from tests.store.postgresql import run


@contextmanager
def every_connection(pragma: str) -> Iterator[None]:
    """Set a pragma on each new connection to SQLite."""

    def connected(given: object, _entry: object) -> None:
        given.execute(f"PRAGMA {pragma}").close()  # type: ignore[attr-defined]  # sqlite3's

    event.listen(Engine, "connect", connected)
    try:
        yield
    finally:
        event.remove(Engine, "connect", connected)


def test_the_folder_given_goes_before_the_environment_and_that_before_the_users(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(DATABASE_URL, "postgresql://host/name")
    monkeypatch.setenv(DATA_FOLDER, "/data")
    assert place_of_store("/mine") == "/mine"
    assert place_of_store() == "postgresql://host/name"
    monkeypatch.delenv(DATABASE_URL)
    assert place_of_store() == "/data"
    monkeypatch.delenv(DATA_FOLDER)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert place_of_store() == str(tmp_path / "affray")


def test_a_store_stays_when_it_is_closed_and_its_folder_is_its_owners(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    with open_store(folder) as store:
        game = store.games.begin("fight", "emlia", "1", {})
        assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())
    assert folder.stat().st_mode & 0o077 == 0
    with open_store(folder) as store:
        assert store.games.row(game.id) == game
    with open_store(f"sqlite:///{folder}/affray.db") as store:
        assert store.games.row(game.id) == game


def test_servers_that_start_at_once_make_one_store(place: str) -> None:
    def start(number: int) -> str:
        with open_store(place) as store:
            return store.games.begin("fight", "emlia", "1", {"n": number}).id

    with ThreadPoolExecutor(6) as threads:
        games = set(threads.map(start, range(6)))
    with open_store(place) as store:
        assert {row.id for row in store.games.listed()} == games
        assert len(games) == 6


def test_sqlite_writes_each_change_to_the_disk_before_it_says_so(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, store.database.writing() as connection:
        found = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert found == {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000,
    }  # fmt: skip


@pytest.mark.parametrize(
    "where", ["mysql://host/name", "sqlite://", "://", "postgresql://host:port/name"]
)
def test_a_url_of_no_store_is_refused(where: str) -> None:
    with pytest.raises(StoreError, match="write postgresql://USER"):
        open_store(where)


def test_a_missing_store_is_not_made_by_who_only_looks(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"affray.db: there is no store; `affray serve` makes one"):
        open_database(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="this folder can't be made: Not a directory"):
        open_store(tmp_path / "file" / "folder")
    with pytest.raises(StoreError, match="this folder can't be made"):
        open_store("a\0b")


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "affray.db").mkdir()
    with pytest.raises(StoreError, match="the file can't be opened"):
        open_store(tmp_path)


def test_a_file_of_something_else_is_told_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "affray.db"
    file.write_text("a shopping list" * 100)
    with pytest.raises(StoreError, match="no SQLite database; it stays"):
        open_store(tmp_path)
    assert file.read_text() == "a shopping list" * 100


def test_a_write_protected_store_is_told(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        game = store.games.begin("fight", "emlia", "1", {})
    with every_connection("query_only = ON"), open_store(tmp_path) as store:
        assert store.games.row(game.id) == game
        with pytest.raises(StoreError, match="write-protected"):
            store.games.append(game.id, 0, [NewEntry({})], rules="1")


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        game = store.games.begin("fight", "emlia", "1", {})
    with every_connection("max_page_count = 60"), open_store(tmp_path) as store:
        at = 0

        def write_until_full() -> None:
            nonlocal at
            for at in range(1000):
                store.games.append(game.id, at, [NewEntry({"x": "y" * 2000})], rules="1")

        with pytest.raises(StoreError, match="the disk is full; nothing was written"):
            write_until_full()
    with open_store(tmp_path) as store:
        assert store.games.row(game.id).revision == len(store.games.entries(game.id)) == at > 0
        assert store.games.append(game.id, at, [NewEntry({})], rules="1") == at + 1


def test_a_database_that_stays_locked_is_told(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(place) as first:
        game = first.games.begin("fight", "emlia", "1", {})
        monkeypatch.setattr(databases, "PATIENCE_S", 0.2)
        with open_store(place) as second, first.database.writing() as connection:
            databases.next_number(connection)
            with pytest.raises(UnavailableError, match=r"another program has kept .* locked"):
                second.games.append(game.id, 0, [NewEntry({})], rules="1")
            assert second.games.row(game.id) == game
        with open_store(place) as second:
            assert second.games.append(game.id, 0, [NewEntry({})], rules="1") == 1


def test_a_missing_package_is_named_with_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "psycopg", None)
        with pytest.raises(StoreError, match=r"psycopg; install it: .*affray\[postgresql\]"):
            open_store("postgresql://host/name")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "platformdirs", None)
        without.delenv(DATA_FOLDER)
        with pytest.raises(StoreError, match=r"platformdirs; install it: .*affray\[serve\]"):
            place_of_store()
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "sqlalchemy", None)
        without.delitem(sys.modules, "affray.store.database")
        with pytest.raises(StoreError, match=r"sqlalchemy; install it: .*affray\[serve\]"):
            open_store(tmp_path)


# -- PostgreSQL --------------------------------------------------------------------------------


def test_a_postgresql_that_is_not_there_is_told_without_the_password(
    postgresql: str, tmp_path: Path
) -> None:
    with pytest.raises(UnavailableError, match="can't be reached") as refused:
        open_store(f"postgresql://ada:secret@/name?host={tmp_path}")
    assert "secret" not in str(refused.value)
    assert "ada" in str(refused.value)
    with pytest.raises(
        StoreError, match=r"can't be reached: .*database \"nothing\" does not exist"
    ):
        open_store(postgresql.replace("NAME", "nothing"))


def test_a_postgresql_that_comes_back_is_used_again(postgresql: str, postgresql_place: str) -> None:
    with open_store(postgresql_place) as store:
        game = store.games.begin("fight", "emlia", "1", {})
        name = postgresql_place.partition("?")[0].rpartition("/")[2]
        end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"

        def cut_off() -> None:
            with store.database.writing() as connection:
                run(postgresql, end)
                databases.next_number(connection)

        with pytest.raises(UnavailableError, match="closed the connection"):
            cut_off()
        assert store.games.append(game.id, 0, [NewEntry({})], rules="1") == 1
        run(postgresql, end)
        assert store.games.row(game.id).revision == 1


def test_what_postgresql_reports_of_its_disk_and_its_users_is_told(postgresql_place: str) -> None:
    with open_store(postgresql_place) as store:
        for code, words in (("53100", "the disk is full"), ("42501", "has no right")):
            raised = text(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$")
            with pytest.raises(StoreError, match=words), store.database.writing() as connection:
                connection.execute(raised)
