"""The commands of the store, as an operator types them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.cli.main import app
from affray.cli.store import store as commands
from affray.store.opening import DATA_FOLDER, DATABASE_URL, open_store
from tests.cli.running import affray
from tests.store.filled import N_ENTRIES, fill

ALL = f"{N_ENTRIES} entries, 2 games, 2 links, 1 document, 1 job, 1 reply, 1 table"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with something in every table, and the working folder."""
    monkeypatch.delenv(DATABASE_URL, raising=False)
    monkeypatch.setenv(DATA_FOLDER, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    with open_store(tmp_path / "data") as store:
        fill(store)
    return tmp_path


def told(*words: str) -> str:
    """What a command prints that succeeds."""
    done = affray("store", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*words: str) -> str:
    """The message of a command that ends with status 3."""
    done = affray("store", *words)
    assert done.returncode == 3
    return done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", commands.where)
def test_help_has_an_example_that_runs(name: str) -> None:
    told("backup", "friday.db")
    told("export", "friday.jsonl")
    words = ["store", name]
    shown = CliRunner().invoke(app, [*words, "--help"], prog_name="affray", env={"COLUMNS": "200"})
    example = re.search(r"Example: affray (.+)", " ".join(shown.output.split()))
    assert example is not None
    assert example[1].split()[:2] == words
    for file in ("friday.db", "friday.jsonl"):
        if name in {"backup", "export"}:
            Path(file).unlink()
    data = ["--data", "other"] if name == "import" else []
    assert told(*example[1].split()[1:], *data)


def test_check_counts_and_says_what_a_chain_shows(folder: Path) -> None:
    shown = told("check")
    counts = f"2 games with {N_ENTRIES} entries and 1 document checked: no fault."
    assert f"{folder}/data/affray.db: {counts}" in shown
    assert "does not show that an owner of the database has computed a whole new chain" in shown


def test_check_ends_with_status_3_where_something_is_wrong(folder: Path) -> None:
    with open_store(folder / "data") as store, store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE entries SET who = 'Bo' WHERE revision = 4")
    done = affray("store", "check")
    assert done.returncode == 3
    assert "entry 4, or the one before, was changed, removed or inserted" in done.stdout
    assert "1 fault; a backup brings back what it holds" in done.stderr


def test_a_backup_is_made_and_put_back(folder: Path) -> None:
    assert "friday.db: a backup of" in told("backup", "friday.db")
    assert "--force replaces a file" in refused("backup", "friday.db")
    assert "--force replaces it" in refused("restore", "friday.db")
    assert "restored from friday.db" in told("restore", "friday.db", "--force")
    assert "restored from friday.db" in told("restore", "friday.db", "--data", "other")
    assert "no fault" in told("check", "--data", "other")
    assert (folder / "other" / "affray.db").is_file()


@pytest.mark.usefixtures("folder")
def test_a_store_is_exported_and_imported() -> None:
    assert all(one in told("export", "all.jsonl", "--force") for one in ALL.split(", "))
    assert all(
        one in told("import", "all.jsonl", "--data", "other", "--force") for one in ALL.split(", ")
    )
    assert "not empty; --force replaces all of it" in refused("import", "all.jsonl")


@pytest.mark.usefixtures("folder")
def test_prune_says_what_it_would_remove_and_removes_it() -> None:
    counts = "0 games with 0 entries, 0 tables, 0 links, 1 job, 0 replies."
    assert f"would remove {counts}" in told("prune", "--jobs", "0", "--dry-run")
    assert f"removed {counts}" in told("prune", "--jobs", "0")
    assert "removed 1 game with 3 entries" not in told("prune", "--jobs", "0")
    counts = f"2 games with {N_ENTRIES} entries, 1 table, 0 links, 0 jobs, 0 replies."
    assert f"removed {counts}" in told("prune", "--games", "0")
    assert affray("store", "prune", "--games", "-1").returncode == 2


@pytest.mark.usefixtures("folder")
def test_upgrade_says_from_where_to_where() -> None:
    assert "schema 1, as it was." in told("upgrade")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["check", "upgrade", "prune"])
def test_a_store_that_is_not_there_is_told(name: str) -> None:
    assert "none/affray.db: there is no store" in refused(name, "--data", "none")
    assert not Path("none").exists()
