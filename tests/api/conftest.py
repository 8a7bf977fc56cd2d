"""A server in this process, with its store in a temporary folder, for all tests of a module."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from affray.api.server import make_app
from affray.api.settings import Settings
from tests.api.calls import Calls
from tests.api.servers import OPEN, listening


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a server that keeps its data in a folder of its own."""
    folder: Path = tmp_path_factory.mktemp("data")
    with TestClient(
        make_app(Settings(data=folder, workers=2)), base_url="http://localhost"
    ) as made:
        yield made


@pytest.fixture(scope="module")
def calls(client: TestClient) -> Calls:
    """The same, with less to write."""
    return Calls(client)


SHORT = replace(OPEN, seconds=2.0, job_seconds=2.0)
"""Whatever is asked here is answered soon."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that listens."""
    folder: Path = tmp_path_factory.mktemp("data")
    with listening(make_app(Settings(data=folder, workers=2, limits=SHORT))) as address:
        yield address
