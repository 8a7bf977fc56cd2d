"""Sites for tests: one that listens, one that is asked in this process, and a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Playwright

from affray.api.settings import Settings
from affray.web.site import make_site
from tests.api.servers import OPEN, listening

__all__ = ["chromium", "serving", "visiting"]


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[str]:
    """A site that keeps its data in a folder, and listens; its address."""
    with listening(make_site(_settings(folder)), port) as address:
        yield address


@contextmanager
def visiting(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A browser without JavaScript at a site that keeps its data in a folder."""
    with TestClient(make_site(_settings(folder, **settings)), base_url="http://localhost") as made:
        yield made


def _settings(folder: Path, **settings: Any) -> Settings:
    return Settings(**{"data": folder, "workers": 2, "limits": OPEN, **settings})


def chromium(playwright: Playwright) -> Browser:
    """Chromium: the system's, else Playwright's own."""
    return playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
    )
