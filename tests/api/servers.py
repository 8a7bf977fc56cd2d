"""Servers that listen: in this process, or as people start them in one of their own.

The latter can be killed, starved and cut off.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil
import uvicorn
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from affray.api.serving import _listening
from affray.api.settings import Limits, Settings
from affray.store.opening import DATABASE_URL
from tests.api.calls import Answer, Calls

__all__ = ["OPEN", "PATIENCE_S", "Server", "listening", "lives", "running", "until", "watching"]

PATIENCE_S = 120.0
"""Seconds in which what is waited for must come, on a machine that is busy."""
OPEN = Limits(requests=10**9, sockets=10**6, waiting=200)
"""So many requests of one client are no fault here."""
COMMAND = [sys.executable, "-m", "affray", "serve", "--port", "0", "--workers", "2"]


class Server:
    """A running server.

    Attributes:
        process: its main process.
        http: asks it, each request by a connection that may stay open.
        calls: the same, with less to write.
    """

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.http = httpx2.Client(base_url=address, timeout=PATIENCE_S)
        self.calls = Calls(self.http)  # type: ignore[arg-type]  # asked as a test client is
        self.live = address.replace("http", "ws") + "/api/v1/live"

    @property
    def workers(self) -> list[Answer]:
        """Its workers, once all are there."""

        def found() -> list[Answer]:
            slots: list[Answer] = self.calls.get("/metrics")["workers"]["slots"]
            return slots if all(slot["state"] in {"idle", "busy"} for slot in slots) else []

        workers: list[Answer] = until(found)
        return workers

    def kill(self) -> None:
        """End it as a power cut does, and wait until it is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def running(place: str | Path) -> Iterator[Server]:
    """A server whose store is in a folder, or in a PostgreSQL at a URL."""
    is_url = "://" in str(place)
    env = {**os.environ, DATABASE_URL: str(place) if is_url else ""}
    more = [] if is_url else ["--data", str(place)]
    with subprocess.Popen(
        [*COMMAND, *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            server = Server(process, found[0])
            with server.http:
                yield server
        finally:
            process.kill()


@contextmanager
def listening(app: FastAPI, port: int = 0) -> Iterator[str]:
    """The address of a server in a thread of this process; a later one may have its port again."""
    with _listening(Settings(port=port)) as taken:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
        thread = threading.Thread(target=server.run, args=([taken],), daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.05)
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
        server.should_exit = True
        thread.join(20)


def until(find: Callable[[], Any]) -> Any:
    """What is found, as soon as that is something.

    Raises:
        AssertionError: nothing was found for too long.
    """
    end = time.monotonic() + PATIENCE_S
    while not (found := find()):
        assert time.monotonic() < end, "it never comes"
        time.sleep(0.05)
    return found


@contextmanager
def watching(server: Server, topic: str, key: str) -> Iterator[Callable[[], Answer]]:
    """A socket that watches something: the next that is told by it."""
    socket: ClientConnection
    with connect(server.live, max_size=None) as socket:
        socket.send(json.dumps({"watch": topic, "key": key}))

        def told() -> Answer:
            found: Answer = json.loads(socket.recv(PATIENCE_S))
            return found

        yield told


def lives(pid: int) -> bool:
    """Whether there is such a process, and more of it than its remains."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
