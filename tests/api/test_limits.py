"""What one client may take of a server: sockets, streams; odd messages hurt nobody."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from affray.api.server import make_app
from affray.api.settings import Limits, Settings
from affray.api.work.errors import WorkFailedError
from affray.core.errors import AffrayError, RulesError, StoreError
from affray.store.errors import DatabaseError
from tests.api.calls import Calls

HOST = {"host": "localhost"}


def test_a_client_has_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    app = make_app(Settings(data=tmp_path, workers=2, limits=Limits(sockets=1)))
    with TestClient(app, base_url="http://localhost") as client:
        with client.websocket_connect("/api/v1/live", headers=HOST):
            with (
                client.websocket_connect("/api/v1/live", headers=HOST) as second,
                pytest.raises(WebSocketDisconnect) as closed,
            ):
                second.receive_text()
            assert closed.value.code == 4429
            mine = Calls(client)
            game = mine.post("/fights", {"system": "empty-earth", "fight": ["bo", "husk"]}, 201)
            path, key = f"/api/v1/fights/{game['id']}/events", f"Bearer {game['key']}"
            refused = client.get(path, headers={"authorization": key})
            assert (refused.status_code, refused.json()["code"]) == (429, "too-many")
            assert int(refused.headers["retry-after"]) > 0
        with client.websocket_connect("/api/v1/live", headers=HOST) as again:
            again.send_json({"watch": "nothing"})
            assert again.receive_json()["problem"]["status"] == 404


@pytest.mark.parametrize("bad", ["", "[", "[1]", '{"watch": 1}', '{"leave": 1, "watch": "x:y"}'])
def test_a_message_that_says_nothing_gets_a_problem(client: TestClient, bad: str) -> None:
    with client.websocket_connect("/api/v1/live", headers=HOST) as socket:
        socket.send_text(bad)
        assert socket.receive_json()["problem"]["status"] == 422
        socket.send_bytes(b"\x00\x01")
        assert socket.receive_json()["problem"]["status"] == 422
        socket.send_json({"watch": "game:nothing"})
        assert socket.receive_json()["problem"]["status"] == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost"}, 200),
        ({"origin": "http://LOCALHOST"}, 200),
    ],
)
def test_only_own_names_and_own_pages_come_in(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    answer = client.get("/api/v1/health", headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert answer.headers["cache-control"] == "no-store"


LINK = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
SITES = ("same-origin", "none", "same-site", "cross-site")


@pytest.mark.parametrize("site", SITES)
def test_pages_of_other_sites_may_only_link_here(client: TestClient, site: str) -> None:
    """Same-site is foreign as well: it may be another program's page on another port."""
    is_own, headers = site in {"same-origin", "none"}, {"sec-fetch-site": site}
    tables = "/api/v1/tables"
    for how in ({}, LINK, {"sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty"}):
        made = client.post(tables, json={"title": "T"}, headers={**headers, **how})
        assert made.status_code == (201 if is_own else 403)
        client.cookies.clear()
        with pytest.raises(WebSocketDisconnect) if not is_own else nullcontext() as closed:
            sent = {**HOST, **headers, **how}
            with client.websocket_connect("/api/v1/live", headers=sent) as socket:
                socket.send_json({"watch": "game:nothing"})
                assert socket.receive_json()["problem"]["status"] == 404
        assert closed is None or closed.value.code == 4403
    frame = {**LINK, "sec-fetch-dest": "iframe"}
    for how, is_let_in in ((LINK, True), ({}, is_own), (frame, is_own)):
        answer = client.get("/api/v1/health", headers={**headers, **how})
        assert answer.status_code == (200 if is_let_in else 403), how
        for path, status in ((f"{tables}/x", 405), ("/api/v1/systems", 405)):
            assert client.delete(path, headers={**headers, **how}).status_code == (
                status if is_own else 403
            )


def test_a_public_server_wants_its_key(tmp_path: Path) -> None:
    body = {"system": "empty-earth", "fight": ["bo", "husk"]}
    for key in ("", "the key of this server"):
        app = make_app(Settings(data=tmp_path, workers=2, public=True, key=key))
        with TestClient(app, base_url="http://somewhere.example") as client:
            calls = Calls(client)
            for given in ("", "wrong", "x" * 500):
                calls.with_key(given).post("/fights", body, 401)
            if key:
                calls.with_key(key).post("/fights", body, 201)
            odd = client.get("/api/v1/games", headers={b"authorization": b"Bearer \xe9"})
            assert odd.status_code == 401


def test_requests_beyond_the_rate_are_told_when_to_come_again(tmp_path: Path) -> None:
    app = make_app(Settings(data=tmp_path, workers=2, limits=Limits(requests=5, per_seconds=60)))
    with TestClient(app, base_url="http://localhost") as client:
        statuses = [client.get("/api/v1/health").status_code for _ in range(5)]
        refused = client.get("/api/v1/health")
    assert statuses == [200] * 5
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 12


def test_a_body_is_bounded_in_size_and_form(client: TestClient) -> None:
    path = "/api/v1/systems/emlia/check"
    assert client.post(path, content=b" " * 1_000_001).status_code == 413
    parts = (b" " * 100_000 for _ in range(11))
    assert client.post(path, content=parts).status_code == 413
    deep = b'{"setup":' + b'{"a":' * 5000 + b"1" + b"}" * 5001
    for wrong in (
        b"\xff\xfe{",
        b"{",
        b'{"a": NaN}',
        b'{"a":1,"a":2}',
        b"[1]",
        deep,
        b'{"a":1e999}',
        b"a = 1",
        b'{"nothing": {}}',
    ):
        answer = client.post(path, content=wrong)
        assert answer.status_code == 422, wrong[:20]
        assert answer.headers["content-type"] == "application/problem+json"


def test_unknown_places_and_methods_are_problems(client: TestClient) -> None:
    for method, path, status in (
        ("GET", "/nowhere", 404), ("DELETE", "/api/v1/systems", 405), ("GET", "/api/v1", 404),
    ):  # fmt: skip
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()["status"]) == (status, status)
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_fault_of_the_program_tells_nothing_of_its_inside(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("/secret/place")

    monkeypatch.setattr("affray.app.lookups.list_systems", broken)
    answer = client.get("/api/v1/systems/emlia")
    assert answer.status_code == 500
    assert answer.json()["code"] == "broken"
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "error",
    [
        DatabaseError("postgresql://ann:***@secret/games", "the disk is full", "/srv/secret"),
        StoreError("/srv/secret/affray.db: there is no store"),
    ],
)
def test_where_the_store_is_is_not_told(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr("affray.app.lookups.list_systems", broken)
    answer = client.get("/api/v1/systems/emlia")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert answer.json()["detail"] in {
        "the disk is full",
        "the store can't be used now; the server's log says why",
    }
    assert not any(word in answer.text for word in ("secret", "ann", "games", "affray.db"))


@pytest.mark.parametrize("error", [RulesError, WorkFailedError])
def test_no_folder_of_the_server_is_told(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, error: type[AffrayError]
) -> None:
    def broken(*_: object) -> None:
        raise error("/srv/secret/affray.db: the database refuses it: disk full")

    monkeypatch.setattr("affray.app.lookups.list_systems", broken)
    answer = client.get("/api/v1/systems/emlia")
    assert answer.status_code == 500
    assert answer.json()["detail"] == "affray.db: the database refuses it: disk full"
    assert "secret" not in answer.text
