"""Who is shut out while watching is told so and left out at once; so is every later request."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from affray.api.seen import Seen
from affray.api.state import Service
from affray.store.errors import UnavailableError
from affray.store.values import now_us
from tests.api.calls import Answer, Calls

HOST = {"host": "localhost"}
SPECTATOR: Answer = {"kind": "spectator", "sides": [], "fighters": []}
FIGHT = {"system": "empty-earth", "fight": ["bo", "husk"]}
SOON_US = 500_000


class Watched:
    """A table with a fight, its master, and a spectator with a key that can be revoked."""

    def __init__(self, calls: Calls) -> None:
        made = calls.post("/tables", {"title": "T", "name": "Mia"}, 201)
        self.path, self.topic = f"/tables/{made['id']}", f"table:{made['id']}"
        self.id, self.master = made["id"], calls.with_key(made["key"])
        fight = self.master.post("/fights", {**FIGHT, "table": made["id"]}, 201)
        self.fight, self.game = f"/fights/{fight['id']}", f"game:{fight['id']}"
        link = self.master.post(f"{self.path}/links", {"role": SPECTATOR}, 201)["link"]
        self.link, self.sue = link["id"], calls.with_key(self.joined(link["key"]))

    def joined(self, key: str) -> str:
        """The key of somebody who joins by a link."""
        found: str = self.master.post("/join", {"key": key, "name": "Sue"})["key"]
        return found

    def revoke(self) -> None:
        """Let Sue in no more."""
        self.master.delete(f"{self.path}/links/{self.link}")

    def check_out(self, who: Calls) -> None:
        """Every later request is refused."""
        for path in (self.path, self.fight, f"{self.fight}/events", f"{self.fight}/export/text"):
            assert who.get(path, 401)["code"] == "no-key"
        for part in ("changes", "advise", "chances", "hits"):
            assert who.post(f"{self.fight}/{part}", {"do": "roll"}, 401)["code"] == "no-key"


def told_until_closed(socket: Any) -> tuple[list[Answer], WebSocketDisconnect]:
    """What a socket still tells, and how it was closed."""
    told: list[Answer] = []
    while True:
        try:
            told.append(socket.receive_json())
        except WebSocketDisconnect as closed:
            return told, closed


@pytest.mark.parametrize("topics", [["game"], ["topic"], ["topic", "game"]])
def test_a_socket_is_closed_when_its_link_is_revoked(
    calls: Calls, client: TestClient, topics: list[str]
) -> None:
    table = Watched(calls)
    with client.websocket_connect("/api/v1/live", headers=HOST) as socket:
        for topic in topics:
            socket.send_json({"watch": getattr(table, topic), "key": table.sue.key})
            assert "view" in socket.receive_json()
        table.revoke()
        told, closed = told_until_closed(socket)
    assert (closed.code, closed.reason) == (4401, "this key is not valid, or no longer")
    assert told[-1]["problem"]["code"] == "no-key"
    table.check_out(table.sue)
    table.master.get(table.fight)


def test_the_others_watch_on(calls: Calls, client: TestClient) -> None:
    """Whoever has left a game is not shut out either, and a wrong key closes nothing."""
    table = Watched(calls)
    with client.websocket_connect("/api/v1/live", headers=HOST) as socket:
        socket.send_json({"watch": table.game, "key": table.sue.key})
        socket.receive_json()
        socket.send_json({"leave": table.game})
        socket.send_json({"watch": table.game, "key": table.master.key})
        socket.receive_json()
        table.revoke()
        socket.send_json({"watch": table.topic, "key": table.sue.key})
        assert socket.receive_json()["problem"]["status"] == 401
        table.master.post(f"{table.fight}/changes", {"do": "answer", "faces": ["Bo"]})
        assert socket.receive_json()["topic"] == table.game


def test_a_socket_is_closed_when_its_key_expires(calls: Calls, client: TestClient) -> None:
    table = Watched(calls)
    service: Service = client.app.state.service  # type: ignore[attr-defined]  # an ASGI app
    _link, key = service.store.tabletops.link(
        SPECTATOR, tabletop=table.id, name="Tom", expires=now_us() + SOON_US
    )
    with client.websocket_connect("/api/v1/live", headers=HOST) as socket:
        socket.send_json({"watch": table.game, "key": key})
        assert "view" in socket.receive_json()
        _told, closed = told_until_closed(socket)
    assert closed.code == 4401
    table.check_out(calls.with_key(key))


def test_a_database_that_is_away_shuts_nobody_out(
    calls: Calls, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changed meanwhile is told when it is back."""
    table, times = Watched(calls), iter([True, True])
    text = Seen.text

    def away(*given: Any) -> Any:
        if next(times, False):
            raise UnavailableError("here", "the database can't be reached")
        return text(*given)

    monkeypatch.setattr("affray.api.live.AGAIN_S", 0.01)
    with client.websocket_connect("/api/v1/live", headers=HOST) as socket:
        socket.send_json({"watch": table.game, "key": table.sue.key})
        before = socket.receive_json()["revision"]
        monkeypatch.setattr(Seen, "text", away)
        table.master.post(f"{table.fight}/changes", {"do": "answer", "faces": ["Bo"]})
        assert socket.receive_json()["revision"] > before
    assert not next(times, False), "it was asked while it was away"


def events(lines: Iterator[str]) -> Iterator[tuple[str, Answer]]:
    """The events of a stream: what each is called, and its data."""
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


@pytest.mark.parametrize("kind", ["fight", "path"])
def test_a_stream_ends_with_a_problem_when_its_link_is_revoked(address: str, kind: str) -> None:
    with httpx2.Client(base_url=address, timeout=20) as http:
        table = Watched(Calls(http))  # type: ignore[arg-type]  # asked as a test client is
        headers = {"authorization": f"Bearer {table.sue.key}"}
        path = f"/api/v1{getattr(table, kind)}/events"
        with http.stream("GET", path, headers=headers) as answer:
            told = events(answer.iter_lines())
            assert next(told)[0] == "change"
            revoking = threading.Thread(target=table.revoke)
            revoking.start()
            last = list(told)[-1]
            revoking.join()
        assert (last[0], last[1]["code"], last[1]["status"]) == ("problem", "no-key", 401)
        table.check_out(table.sue)
