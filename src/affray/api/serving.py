"""Start a server: take its port, open its store, then listen until it is told to end."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import token_urlsafe
from types import FrameType

import uvicorn
from fastapi import FastAPI
from platformdirs import user_data_dir

from affray.api.server import make_app
from affray.api.settings import Settings
from affray.core.errors import StoreError
from affray.engine.watchdog import unwatched
from affray.store.opening import DATA_FOLDER, open_store

__all__ = ["serve", "with_key"]

KEY_FILE = "server.key"
KEY_BYTES = 16

GRACE_S = 3
"""Seconds that open requests have when the server ends."""


def serve(
    settings: Settings,
    ready: Callable[[str], None],
    make: Callable[[Settings], FastAPI] = make_app,
) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        settings: where and for whom.
        ready: is called with the server's address when it answers.
        make: makes what is served: the API, or the API with pages.

    Raises:
        StoreError: the port is taken, or the store can't be opened.
    """
    with closing(_listening(settings)) as listening:
        open_store(settings.place).close()  # what is wrong with it is said before anything starts
        address = f"http://{_named(settings)}:{listening.getsockname()[1]}"
        app = make(replace(settings, ready=lambda: ready(address)))
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False,
            timeout_graceful_shutdown=GRACE_S, ws_max_size=settings.limits.body_bytes,
        )  # fmt: skip
        with unwatched():
            _Server(config).run([listening])


class _Server(uvicorn.Server):
    """A server for which a signal is the usual end, and no error."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End when SIGINT or SIGTERM comes, once what is open has had its time."""
        before = {one: signal.signal(one, self._end) for one in ENDING}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self.should_exit = True


ENDING = (signal.SIGINT, signal.SIGTERM)


def _listening(settings: Settings) -> socket.socket:
    """The socket on which a server listens."""
    host, port = settings.host, settings.port
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # With its protocol named, asyncio sends small answers without a delay of 40 ms.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen()  # who comes before the server is ready waits
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(
            f"can't listen on {host}, port {port}: {why}; choose another with --port"
        ) from None
    return made


def _named(settings: Settings) -> str:
    host = settings.host
    return f"[{host}]" if ":" in host else host


def with_key(settings: Settings) -> Settings:
    """The same settings with the key of a public server, which is made once and kept.

    Raises:
        StoreError: the file with the key can't be read or written.
    """
    usual = os.environ.get(DATA_FOLDER) or user_data_dir("affray", appauthor=False)
    folder = settings.data or Path(usual)
    file = folder / KEY_FILE
    try:
        if not file.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as made:
                made.write(token_urlsafe(KEY_BYTES) + "\n")
        key = file.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise StoreError(f"{file}: the server's key can't be kept here: {why}") from None
    if len(key) < KEY_BYTES:
        raise StoreError(f"{file}: this is no key; remove the file, and a new one is made")
    return replace(settings, key=key)
