"""The settings of a server: where it listens, what it keeps where, how much anybody may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Limits", "Settings"]


@dataclass(frozen=True)
class Limits:
    """How much one client may take; a client may ask for less, never for more.

    Attributes:
        body_bytes: of one request.
        requests, per_seconds: how many requests in how many seconds; then 429.
        sockets: open sockets and event streams.
        seconds: of a question that a client waits for. job_seconds: of a job.
        places, bytes: of a question or a job; see `affray.engine.budget.Budget`.
        waiting: questions that wait for a worker.
    """

    body_bytes: int = 1_000_000
    requests: int = 600
    per_seconds: float = 10.0
    sockets: int = 64
    seconds: float = 45.0
    job_seconds: float = 3_600.0
    places: int = 2_000_000
    bytes: int = 900_000_000
    waiting: int = 16


@dataclass(frozen=True)
class Settings:
    """How a server runs.

    Attributes:
        data: the folder with the database; None: the user's data folder.
        database_url: of PostgreSQL; empty: SQLite in the folder.
        host, port: where it listens.
        public: whether other machines may come in.
        key: what clients of a public server must show to make games and tables.
        workers: processes that work for it; None: one for each core, at least two.
        hosts: names under which a public server is reached, beside those of this machine.
    """

    data: Path | None = None
    database_url: str = ""
    host: str = "127.0.0.1"
    port: int = 8080
    public: bool = False
    key: str = ""
    workers: int | None = None
    hosts: tuple[str, ...] = ()
    limits: Limits = Limits()
    ready: Callable[[], None] = lambda: None

    @property
    def place(self) -> str:
        """Where the store is: a folder or a URL; empty: where it usually is."""
        return self.database_url or str(self.data or "")
