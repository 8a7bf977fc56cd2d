"""Systems of other packages, installed for a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affray.app import registry

Installed = Callable[[str, str], None]


def forget_systems() -> None:
    """Let the registry look again for what is installed."""
    for kept in (registry._outside, registry._loaded, registry.system_named):
        kept.cache_clear()


def installed_in(folder: Path, package: str, points: str) -> None:
    """Install a package in a folder: its name, and its entry points as `name = module:object`."""
    made = folder / f"{package}-1.dist-info"
    made.mkdir()
    (made / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (made / "entry_points.txt").write_text(f"[affray.systems]\n{points}\n")
    forget_systems()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """Installs a package: its name, and its entry points as `name = module:object`."""
    monkeypatch.syspath_prepend(str(tmp_path))
    forget_systems()
    yield lambda package, points: installed_in(tmp_path, package, points)
    forget_systems()
