"""The pages and the API in one process keep out of each other's way."""

import pytest
from fastapi.testclient import TestClient


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/api/v1/systems", 405),
        ("DELETE", "/api/v1/systems/emlia/odds", 405),
        ("GET", "/api/v1/nowhere", 404),
        ("GET", "/api/v1", 404),
    ],
)
def test_what_is_below_the_api_is_answered_by_the_api(
    client: TestClient, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.json()["status"]) == (status, status)
    assert answer.headers["content-type"] == "application/problem+json"
    assert ("allow" in answer.headers) == (status == 405)


def test_a_place_that_only_looks_like_the_api_is_a_page(client: TestClient) -> None:
    answer = client.get("/api/v10")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.parametrize("path", ["/no-such-page", "/fights/none", "/price/emlia?case=nobody"])
def test_who_asks_for_parts_hears_why_there_are_none(client: TestClient, path: str) -> None:
    page = client.get(path)
    answer = client.get(path, headers={"X-Parts": "question log"})
    assert answer.status_code == page.status_code == 404
    assert answer.json()["parts"] == {}
    assert answer.json()["refused"].rstrip(".") in page.text.replace("&#39;", "'")
