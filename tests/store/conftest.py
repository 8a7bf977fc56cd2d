"""Every test of the store runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest

from affray.store.database import FILE
from affray.store.opening import DATA_FOLDER, DATABASE_URL, Store, open_store


@pytest.fixture(scope="session")
def ready_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite that has the tables of a store, and nothing in them."""
    folder = tmp_path_factory.mktemp("ready")
    open_store(folder).close()
    return folder / FILE


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path, ready_file: Path) -> str:
    """Where there is no store yet: a folder for SQLite, or the URL of an empty database."""
    if request.param == "sqlite":
        if "store" in request.fixturenames:
            (tmp_path / "data").mkdir()
            copy(ready_file, tmp_path / "data" / FILE)
        return str(tmp_path / "data")
    found: str = request.getfixturevalue("postgresql_place")
    return found


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """An empty store."""
    with open_store(place) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _no_store_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(DATABASE_URL, raising=False)
    monkeypatch.setenv(DATA_FOLDER, str(tmp_path / "of-the-user"))
