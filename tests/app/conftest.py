"""Systems of other packages, installed for a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affray.app import registry

Installed = Callable[[str, str], None]


def _forget() -> None:
    for kept in (registry._outside, registry._loaded, registry.system_named):
        kept.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """Installs a package: its name, and its entry points as `name = module:object`."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(package: str, points: str) -> None:
        folder = tmp_path / f"{package}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (folder / "entry_points.txt").write_text(f"[affray.systems]\n{points}\n")
        _forget()

    _forget()
    yield installed
    _forget()
