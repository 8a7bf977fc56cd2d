"""The addresses that the guide to the page names answer."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

GUIDE = Path(__file__).parents[2] / "docs" / "page.md"
NAMED = sorted(set(re.findall(r"`(/[^`\s]*)`", GUIDE.read_text("utf-8"))))


def test_addresses_are_named() -> None:
    assert len(NAMED) > 8


@pytest.mark.parametrize("place", NAMED)
def test_an_address_of_the_guide_answers(place: str, client: TestClient) -> None:
    assert client.get(place).status_code == 200
