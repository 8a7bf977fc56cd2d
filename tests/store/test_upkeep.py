"""A store is checked, copied while it is used, put back, moved to another database, and cleared."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select

from affray.core.errors import StoreError
from affray.store import pruning
from affray.store.checking import check
from affray.store.copies import backup, restore
from affray.store.database import Database
from affray.store.games import NewEntry
from affray.store.opening import Store, open_database, open_store
from affray.store.pruning import DAY_US, Pruned, prune
from affray.store.tables import METADATA
from affray.store.transfer import export, import_
from affray.store.values import now_us
from tests.store.filled import N_ENTRIES, fill

Content = dict[str, list[tuple[object, ...]]]


def content(database: Database) -> Content:
    """All rows of all tables."""
    with database.reading() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in METADATA.sorted_tables
        }


def run(database: Database, statement: str) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql(statement)


# -- check -------------------------------------------------------------------------------------


def test_a_store_without_fault_is_counted(store: Store) -> None:
    fill(store)
    found = check(store.database)
    assert found == (2, N_ENTRIES, 1, ())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE entries SET what = '{\"n\":9}' WHERE revision = 4", "entry 4, or the one before"),
        ("UPDATE entries SET who = 'Bo' WHERE revision = 4", "entry 4, or the one before"),
        ("UPDATE entries SET at = at + 1 WHERE revision = 4", "entry 4, or the one before"),
        ("UPDATE entries SET rules = '2' WHERE revision = 4", "entry 4, or the one before"),
        ("UPDATE entries SET by = '{}' WHERE revision = 4", "entry 4, or the one before"),
        ("UPDATE entries SET hash = 'x' WHERE revision = 4", "entry 4, or the one before"),
        ("UPDATE entries SET hash = 'x' WHERE revision = 5", "entry 5, or the one before"),
        ("UPDATE entries SET revision = 6 WHERE revision = 5", "entry 5, or the one before"),
        ("DELETE FROM entries WHERE revision = 4", "entry 4, or the one before"),
        ("DELETE FROM entries WHERE revision = 5", "it has 4 entries, but says 5"),
        ("UPDATE games SET revision = 4 WHERE revision = 5", "it has 5 entries, but says 4"),
        ("UPDATE games SET setup = '{}' WHERE revision = 5", "entry 1, or how it began"),
        ("UPDATE games SET system = 'x' WHERE revision = 5", "entry 1, or how it began"),
        ("UPDATE games SET parent = 'x' WHERE revision = 3", "entry 1, or how it began"),
        ("UPDATE games SET head = 'x' WHERE revision = 5", "its last hash is another"),
        ("UPDATE games SET tabletop = NULL", "is not one of this table"),
        ("UPDATE tabletops SET game = 'gone'", "is not one of this table"),
        ("UPDATE documents SET content = '{}'", "it was changed since it was kept"),
    ],
)
def test_a_row_that_was_changed_is_found(store: Store, change: str, told: str) -> None:
    fill(store)
    run(store.database, change)
    faults = check(store.database).faults
    assert any(told in fault for fault in faults), faults


def test_a_game_that_has_just_begun_is_checked_too(store: Store) -> None:
    store.games.begin("fight", "emlia", "1", {})
    assert check(store.database).faults == ()
    run(store.database, "UPDATE games SET rules = '2'")
    assert "its last hash is another" in check(store.database).faults[0]


def test_a_damaged_file_is_found(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        game = fill(store)
        for at in range(5, 100):
            store.games.append(game, at, [NewEntry({"x": "y" * 1000})], rules="1")
    file = tmp_path / "affray.db"
    with file.open("r+b") as raw:
        raw.seek(20 * 4096)
        raw.write(b"\xff" * 4096 * 3)
    with closing(open_database(tmp_path)) as damaged:
        try:
            found = " ".join(check(damaged).faults)
        except StoreError as error:
            found = str(error)
    assert "damaged" in found


# -- backup and restore ------------------------------------------------------------------------


def test_a_backup_is_put_back_with_everything(place: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    with open_store(place) as store:
        game = fill(store)
        before = content(store.database)
        backup(store.database, file)
        store.games.append(game, 5, [NewEntry({})], rules="1")
    assert [path.name for path in tmp_path.iterdir() if "unfinished" in path.name] == []
    with closing(open_database(place)) as database:
        with pytest.raises(StoreError, match=r"--force replaces"):
            restore(database, file)
        restore(database, file, force=True)
        assert content(database) == before
        assert check(database).faults == ()


def test_a_backup_is_put_where_there_is_nothing(tmp_path: Path) -> None:
    with open_store(tmp_path / "old") as store:
        fill(store)
        backup(store.database, tmp_path / "backup")
        before = content(store.database)
    with closing(open_database(tmp_path / "new", make=True)) as database:
        restore(database, tmp_path / "backup")
        assert content(database) == before


def test_a_backup_made_while_somebody_writes_is_whole(place: str, tmp_path: Path) -> None:
    enough = Event()

    def write(store: Store, game: str) -> None:
        at = 0
        while not enough.is_set():
            at = store.games.append(game, at, [NewEntry({"x": "y" * 500})] * 3, rules="1")

    with open_store(place) as store:
        game = store.games.begin("fight", "emlia", "1", {}).id
        writer = Thread(target=write, args=(store, game))
        writer.start()
        try:
            for number in range(3):
                backup(store.database, tmp_path / f"{number}")
        finally:
            enough.set()
            writer.join(60)
        kept = store.games.entries(game)
    with closing(open_database(place)) as database:
        restore(database, tmp_path / "2", force=True)
        assert check(database).faults == ()
    with open_store(place) as store:
        restored = store.games.entries(game)
    assert restored == kept[: len(restored)]
    assert len(restored) % 3 == 0


def test_a_store_that_a_server_uses_is_not_replaced(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        fill(store)
        backup(store.database, tmp_path / "backup")
        before = content(store.database)
        with (
            closing(open_database(tmp_path)) as database,
            pytest.raises(StoreError, match="a server uses this store; stop it first"),
        ):
            restore(database, tmp_path / "backup", force=True)
        assert content(store.database) == before
    with closing(open_database(tmp_path)) as database:
        restore(database, tmp_path / "backup", force=True)


def test_a_damaged_store_is_replaced(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        fill(store)
        backup(store.database, tmp_path / "backup")
        before = content(store.database)
    (tmp_path / "affray.db").write_bytes(b"nothing but noise" * 1000)
    (tmp_path / "affray.db-wal").write_bytes(b"noise")
    with closing(open_database(tmp_path)) as database:
        restore(database, tmp_path / "backup", force=True)
        assert content(database) == before


def test_what_is_no_backup_is_refused_and_the_store_stays(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        fill(store)
        before = content(store.database)
        backup(store.database, tmp_path / "newer")
    with closing(sqlite3.connect(tmp_path / "newer")) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = '999'")
    with closing(sqlite3.connect(tmp_path / "other")) as other, other:
        other.execute("CREATE TABLE recipes (id)")
    whole = (tmp_path / "newer").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text").write_text("{}")
    for name, told in (
        ("newer", "a newer affray wrote it"),
        ("other", "no backup of a store"),
        ("cut", "damaged"),
        ("text", "nothing that `affray store export` wrote"),
        ("missing", "can't be read: No such file"),
    ):
        with (
            closing(open_database(tmp_path)) as database,
            pytest.raises(StoreError, match=told),
        ):
            restore(database, tmp_path / name, force=True)
    with closing(open_database(tmp_path)) as database:
        assert content(database) == before


def test_a_backup_replaces_no_file_unasked(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("Dear Ada")
    with open_store(tmp_path / "store") as store:
        for write in (backup, export):
            with pytest.raises(StoreError, match="--force replaces a file"):
                write(store.database, file)
            with pytest.raises(StoreError, match="can't be written: No such file"):
                write(store.database, tmp_path / "none" / "file")
        assert file.read_text() == "Dear Ada"
        backup(store.database, file, force=True)
    assert file.read_bytes().startswith(b"SQLite format 3")
    assert file.stat().st_mode & 0o077 == 0


def test_a_copy_of_sqlite_is_not_put_into_postgresql(tmp_path: Path, postgresql_place: str) -> None:
    with open_store(tmp_path) as store:
        backup(store.database, tmp_path / "backup")
    with (
        closing(open_database(postgresql_place)) as database,
        pytest.raises(StoreError, match="use `affray store export` and `import`"),
    ):
        restore(database, tmp_path / "backup")


# -- export and import -------------------------------------------------------------------------


def test_everything_goes_to_the_other_database_and_back(
    tmp_path: Path, postgresql_place: str
) -> None:
    places = [str(tmp_path / "first"), postgresql_place, str(tmp_path / "second")]
    with open_store(places[0]) as store:
        fill(store)
        before = content(store.database)
        counts = export(store.database, tmp_path / "0")
    assert counts == {name: len(rows) for name, rows in before.items()}
    assert min(counts.values()) > 0
    for number, place in enumerate(places[1:]):
        with closing(open_database(place, make=True)) as database:
            assert import_(database, tmp_path / str(number)) == counts
            assert content(database) == before
            assert check(database).faults == ()
            export(database, tmp_path / str(number + 1))
    assert (tmp_path / "0").read_text() == (tmp_path / "2").read_text()
    with open_store(postgresql_place) as store:
        game = store.games.listed()[0]
        assert store.games.append(game.id, game.revision, [NewEntry({})], rules="1")


def test_a_store_that_is_not_empty_is_replaced_only_if_asked(place: str, tmp_path: Path) -> None:
    with open_store(place) as store:
        export(store.database, tmp_path / "empty")
        game = fill(store)
        before = content(store.database)
        export(store.database, tmp_path / "full")
        with pytest.raises(StoreError, match="not empty; --force replaces all of it"):
            import_(store.database, tmp_path / "empty")
        assert content(store.database) == before
        import_(store.database, tmp_path / "empty", force=True)
        assert store.games.listed() == ()
        import_(store.database, tmp_path / "full")
        assert store.games.row(game).revision == 5
        assert content(store.database) == before


def test_a_file_that_is_cut_or_wrong_changes_nothing(place: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    with open_store(place) as store:
        fill(store)
        before = content(store.database)
        export(store.database, file)
        lines = file.read_text().splitlines()
        game = next(n for n, line in enumerate(lines) if '"table": "games"' in line)
        wrong = json.loads(lines[game])
        wrong["row"]["revision"] = "five"
        twice = lines[: game + 1] + lines[game:-1] + [json.dumps({"rows": len(lines) - 1})]
        for text_lines, told in (
            (lines[:-1], "it has been cut"),
            (lines[:-2] + lines[-1:], f"{len(lines) - 3} rows are there"),
            ([*lines, lines[game]], "that is no row"),
            ([*lines[:game], "{", *lines[game:]], f"line {game + 1}: that is no row"),
            ([*lines[:game], '{"table": "x", "row": {}}'], "no row of any table"),
            ([*lines[:game], json.dumps(wrong)], "games.revision can't be 'five'"),
            (twice, "one of this id already"),
            ([lines[0].replace('"1"', '"999"')], "a newer affray wrote it"),
            ([lines[0].replace('"1"', '""')], "a newer affray wrote it"),
            ([], "nothing that `affray store export` wrote"),
        ):
            file.write_text("\n".join(text_lines))
            with pytest.raises(StoreError, match=told):
                import_(store.database, file, force=True)
            assert content(store.database) == before


# -- prune -------------------------------------------------------------------------------------


def test_what_has_expired_goes_and_games_stay_unless_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = fill(store)
    store.tabletops.revoke_link(store.tabletops.links(game=game)[0].id)
    store.jobs.add("duel", {}, client="me", server="one")
    assert prune(store.database) == Pruned(0, 1, 0, 0, 0, 0)
    assert prune(store.database, jobs_days=0) == Pruned(0, 0, 1, 0, 0, 0)
    monkeypatch.setattr(pruning, "now_us", lambda: now_us() + 1000 * DAY_US)
    assert prune(store.database, jobs_days=0) == Pruned(1, 0, 0, 0, 0, 0)
    assert len(store.games.listed()) == 2
    assert [job.state for job in store.jobs.listed("me")] == ["queued"]
    assert len(store.documents.listed("setup")) == 1


def test_old_games_go_and_those_of_a_living_table_stay(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = fill(store)
    run(store.database, "UPDATE games SET touched = 0")
    before = content(store.database)
    told = prune(store.database, games_days=30, dry_run=True)
    assert content(store.database) == before
    assert told == prune(store.database, games_days=30) == Pruned(0, 0, 0, 0, 1, 3)
    assert [row.id for row in store.games.listed()] == [game]
    run(store.database, "UPDATE tabletops SET touched = 0")
    run(store.database, f"UPDATE games SET touched = {now_us()}")
    assert prune(store.database, games_days=30) == Pruned(0, 0, 0, 0, 0, 0)
    run(store.database, "UPDATE games SET touched = 0")
    assert prune(store.database, games_days=30) == Pruned(0, 0, 0, 1, 1, 5)
    assert store.games.listed() == ()
    rows = content(store.database)
    assert (rows["entries"], rows["links"], rows["tabletops"]) == ([], [], [])
    assert check(store.database).faults == ()
