"""What is accepted stays, whatever is killed, full, gone or wrong meanwhile.

The servers here are processes as `affray serve` makes them. `make faults` runs all of this again
and again; what is killed is killed at a random moment.
"""

import os
import random
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient
from sqlalchemy import make_url

from affray.api.server import make_app
from affray.api.settings import Settings
from affray.cli.main import app
from affray.store import values
from tests.api.calls import Answer, Calls
from tests.api.servers import Server, lives, running, until, watching
from tests.store.postgresql import run

FIGHT = {"system": "empty-earth", "fight": ["ada,bo", "3xhusk"]}
LONG = {"fight": ["ada,bo", "3xhusk"], "n": 10**8, "seed": 1, "limits": {"seconds": 300}}
SPECTATOR: Answer = {"kind": "spectator", "sides": [], "fighters": []}
MOMENT = random.SystemRandom()
"""Faults come at any moment; what must hold after them doesn't depend on it."""


class Played:
    """A fight in which the server rolls and the first option is taken, one answer after another."""

    def __init__(self, calls: Calls, **more: object) -> None:
        game = calls.post("/fights", {**FIGHT, **more}, 201)
        self.id, self.key, self.known = game["id"], game["key"], game
        self.path, self.topic = f"/fights/{self.id}", f"game:{self.id}"

    def answer(self, calls: Calls) -> Answer:
        """Answer what is asked."""
        return self.sent(calls, 200)

    def sent(self, calls: Calls, status: int, **headers: str) -> Answer:
        """Send an answer to what is asked, and expect a status."""
        mine = calls.with_key(self.key)
        found = mine.post(f"{self.path}/changes", self.next, status, **headers)
        if status == 200:
            self.known = found
        return found

    @property
    def next(self) -> Answer:
        """The answer to what is asked; when it is over, the last one is taken back."""
        question, at = self.known["fight"]["question"], self.known["revision"]
        if question is None:
            return {"do": "undo", "at": at}
        if question["options"]:
            return {"do": "answer", "option": question["options"][0]["name"], "at": at}
        return {"do": "roll", "at": at}

    def seen(self, calls: Calls) -> Answer:
        """How it stands."""
        return calls.with_key(self.key).get(self.path)


def among_computers(server: Server) -> Played:
    """A long fight that computers play; it has come to their first decision."""
    seats = {"one": "computer:greedy", "other": "computer:greedy"}
    fight = Played(server.calls, fight=["ada,bo", "9xhusk"], seats=seats)
    while not fight.known["computing"]:
        fight.answer(server.calls)
    return fight


def goes_on(server: Server, fight: Played) -> None:
    """Computers play a fight on, to its end or beyond where it stands."""
    at = fight.seen(server.calls)["revision"]
    until(lambda: (now := fight.seen(server.calls))["fight"]["verdict"] or now["revision"] > at)


# -- killed ----------------------------------------------------------------------------------------


def test_what_was_answered_before_a_server_is_killed_is_there(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        job = server.calls.post("/systems/empty-earth/battle", LONG, 202)["job"]["id"]
        until(lambda: state_of(server, job) == "running")
        workers = [worker["pid"] for worker in server.workers]
        fights = [Played(server.calls) for _ in range(3)]
        for fight in fights:
            fight.answer(server.calls)
        apart = among_computers(server)
        threading.Timer(MOMENT.uniform(0.05, 0.3), server.kill).start()
        with pytest.raises(httpx2.TransportError):
            answer_on(fights, server)
        until(lambda: not any(map(lives, workers)))
    assert "no fault" in checked(tmp_path)
    with running(tmp_path) as server:
        goes_on(server, apart)
        for fight in fights:
            found = fight.seen(server.calls)
            assert found["revision"] - fight.known["revision"] in {0, 1}  # 1: not heard of any more
            fight.known = found
            assert fight.answer(server.calls)["revision"] > found["revision"]
        assert state_of(server, job) == "interrupted"
        again = server.calls.post(f"/jobs/{job}/restart", status=202)["job"]["id"]
        assert state_of(server, again) in {"queued", "running"}


def answer_on(fights: list[Played], server: Server) -> None:
    """Answer in all fights in turn, for as long as a server answers."""
    while True:
        for fight in fights:
            fight.answer(server.calls)


def test_a_killed_worker_takes_one_question_along_and_no_other(tmp_path: Path) -> None:
    with running(tmp_path) as server, ThreadPoolExecutor() as threads:
        short, long = server.workers
        os.kill(long["pid"], signal.SIGSTOP)  # so it is at work for as long as it takes
        lost = threads.submit(odds, server, of="hit", seconds=20)
        until(lambda: server.workers[1]["state"] == "busy")
        waits = threads.submit(odds, server, of="net", seconds=20)
        assert odds(server, of="net", seconds=5).status_code == 200
        os.kill(long["pid"], signal.SIGKILL)
        answer = lost.result()
        assert (answer.status_code, answer.json()["code"]) == (503, "worker-lost")
        assert int(answer.headers["retry-after"]) > 0
        assert waits.result().status_code == 200
        assert odds(server, of="hit", seconds=20).status_code == 200
        os.kill(short["pid"], signal.SIGKILL)  # an idle one is missed by nobody
        assert odds(server, of="dv", seconds=5).status_code in {200, 503}
        until(lambda: {short["pid"], long["pid"]}.isdisjoint(w["pid"] for w in server.workers))


def odds(server: Server, of: str, seconds: int) -> httpx2.Response:
    """Ask for odds; those that may take more than five seconds wait for the second worker."""
    body = {"setup": "jinx-shoots", "of": [of], "limits": {"seconds": seconds}}
    return server.http.post("/api/v1/systems/eclipse-phase/odds", json=body)


def state_of(server: Server, job: str) -> str:
    """How a job is."""
    state: str = server.calls.get(f"/jobs/{job}")["job"]["state"]
    return state


def checked(folder: Path) -> str:
    """What `affray store check` says."""
    done = CliRunner().invoke(app, ["store", "check", "--data", str(folder)])
    assert done.exit_code == 0, done.output
    return done.output


# -- full ------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux starves other processes")
def test_a_full_disk_is_told_and_nothing_changes_until_there_is_room(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        fight = Played(server.calls)
        fight.answer(server.calls)
        before = fight.seen(server.calls)
        with no_room(server.process.pid):
            for _ in range(3):
                problem = fight.sent(server.calls, 503)
                assert problem["detail"] in FULL
            assert fight.seen(server.calls) == before
            server.calls.post("/fights", FIGHT, 503)
        assert fight.answer(server.calls)["revision"] == before["revision"] + 1
    assert "no fault" in checked(tmp_path)


FULL = {
    "the disk is full; nothing was written. Make room and try again",
    "the disk reports an error; nothing was written",
}


@contextmanager
def no_room(pid: int) -> Iterator[None]:
    """Let a process write to no file any more, as if the disk were full."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


# -- two servers, and a database that goes away ----------------------------------------------------


def test_two_servers_share_a_database_which_may_go_away(
    postgresql: str, postgresql_place: str
) -> None:
    with running(postgresql_place) as one, running(postgresql_place) as other:
        fight = Played(one.calls)
        with (
            watching(one, fight.topic, fight.key) as heard_by_one,
            watching(other, fight.topic, fight.key) as heard_by_other,
        ):
            heard = (heard_by_one, heard_by_other)
            assert [told()["revision"] for told in heard] == [fight.known["revision"]] * 2
            for server in (one, other, one, other):
                after = fight.answer(server.calls)["revision"]
                assert [until_at(told, after) for told in heard] == [after, after]
            for _ in range(5):
                one_wins(fight, one, other)
            apart = among_computers(one)
            with away(postgresql, postgresql_place):
                for server in (one, other):
                    check_away(server, fight, postgresql_place)
            for server in (one, other):
                until(partial(is_ready, server))
                goes_on(server, apart)
                after = fight.answer(server.calls)["revision"]
                assert [until_at(told, after) for told in heard] == [after, after]


def is_ready(server: Server) -> bool:
    """Whether a server says that it can work."""
    return server.http.get("/api/v1/ready").status_code == 200


def until_at(told: Callable[[], Answer], revision: int) -> int:
    """The revision that a socket is told of, as soon as it is this one or a later one."""
    found: int = until(lambda: (at := told()["revision"]) >= revision and at)
    return found


def one_wins(fight: Played, one: Server, other: Server) -> None:
    """Of two answers at the same revision one is taken; the other gets the new question."""
    mine = {"authorization": f"Bearer {fight.key}"}
    path, change = f"/api/v1{fight.path}/changes", fight.next
    with ThreadPoolExecutor() as threads:
        both = [
            threads.submit(server.http.post, path, json=change, headers=mine)
            for server in (one, other)
        ]
    found = sorted((sent.result() for sent in both), key=lambda answer: answer.status_code)
    assert [answer.status_code for answer in found] == [200, 409]
    won, lost = (answer.json() for answer in found)
    assert lost["code"] == "moved-on"
    assert (lost["revision"], lost["question"]) == (won["revision"], won["fight"]["question"])
    fight.known = won


@contextmanager
def away(postgresql: str, place: str) -> Iterator[None]:
    """Let nobody reach a database."""
    name = place.partition("?")[0].rpartition("/")[2]
    run(postgresql, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    run(postgresql, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    f"WHERE datname = '{name}'")  # fmt: skip
    try:
        yield
    finally:
        run(postgresql, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def check_away(server: Server, fight: Played, place: str) -> None:
    """A server whose database is away says so, and where it is to nobody."""
    mine = {"authorization": f"Bearer {fight.key}"}
    path = f"/api/v1{fight.path}"
    asked = [
        server.http.get(path, headers=mine),
        server.http.post(f"{path}/changes", json=fight.next, headers=mine),
        server.http.post(
            f"{path}/changes", json=fight.next, headers={**mine, "idempotency-key": "a"}
        ),
        server.http.get("/api/v1/games"),
        server.http.get("/api/v1/ready"),
    ]
    url = make_url(place)
    for answer in asked:
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert "the database can't be reached" in answer.text
        assert not any(f"{secret}" in answer.text for secret in (url.database, url.query["host"]))
    assert server.http.get("/api/v1/health").status_code == 200
    assert odds(server, of="hit", seconds=5).status_code == 200


# -- clocks ----------------------------------------------------------------------------------------


def test_a_clock_that_is_set_back_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_app(Settings(data=tmp_path, workers=2))
    with TestClient(made, base_url="http://localhost") as client:
        calls = Calls(client)
        table = calls.post("/tables", {"title": "T", "name": "Mia"}, 201)
        master, path = calls.with_key(table["key"]), f"/tables/{table['id']}"
        link = master.post(f"{path}/links", {"role": SPECTATOR}, 201)["link"]
        fight, other = Played(calls), Played(calls)
        other.answer(calls)
        once = fight.next, fight.sent(calls, 200, idempotency_key="once")
        with client.websocket_connect("/api/v1/live", headers={"host": "localhost"}) as socket:
            socket.send_json({"watch": fight.topic, "key": fight.key})
            assert socket.receive_json()["revision"] == fight.known["revision"]
            hour_ns = 3600 * 10**9
            late = SimpleNamespace(time_ns=lambda: time.time_ns() - hour_ns)
            monkeypatch.setattr(values, "time", late)
            for _ in range(3):
                after = fight.answer(calls)
                assert socket.receive_json()["revision"] == after["revision"]
        mine = calls.with_key(fight.key)
        assert mine.post(f"{fight.path}/changes", once[0], idempotency_key="once") == once[1]
        assert [one["id"] for one in calls.get("/games")["games"]] == [fight.id, other.id]
        joined = calls.post("/join", {"key": link["key"], "name": "Sue"})
        assert calls.with_key(joined["key"]).get(path)["id"] == table["id"]
        master.delete(f"{path}/links/{link['id']}")
        calls.with_key(joined["key"]).get(path, 401)
        job = calls.post("/systems/empty-earth/battle", {**LONG, "n": 100}, 202)["job"]["id"]
        until(lambda: calls.get(f"/jobs/{job}")["job"]["state"] == "done")
    assert "no fault" in checked(tmp_path)
    with TestClient(
        make_app(Settings(data=tmp_path, workers=2)), base_url="http://localhost"
    ) as again:
        assert fight.seen(Calls(again))["revision"] == fight.known["revision"]
