"""What a running server has: its store, its games, its workers, its bells."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, cast

from starlette.requests import HTTPConnection

from affray.api.bells import Bells
from affray.api.present import Asked, Present
from affray.api.settings import Settings
from affray.api.times import Times
from affray.api.work.workers import Workers

if TYPE_CHECKING:
    from affray.api.computers import Computers
    from affray.api.seen import Seen
    from affray.api.work.jobs import Jobs
    from affray.app.kept_games import KeptGames
    from affray.app.kept_tables import KeptTables
    from affray.store.opening import Store

__all__ = ["Service", "service_of"]


@dataclass
class Service:
    """What a running server has.

    Attributes:
        began: when it started, by `time.monotonic`.
    """

    settings: Settings
    store: Store
    games: KeptGames
    workers: Workers
    bells: Bells
    seen: Seen
    tables: KeptTables
    computers: Computers
    jobs: Jobs
    present: Present = field(default_factory=Present)
    asked: Asked = field(default_factory=Asked)
    times: Times = field(default_factory=Times)
    began: float = field(default_factory=monotonic)


def service_of(connection: HTTPConnection) -> Service:
    """The service behind a request or a socket."""
    return cast("Service", connection.app.state.service)
