"""What can be watched: games, tables and jobs, each as the one who watches may see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import HTTPConnection

from affray.api.access import Access, access_to_game, access_to_table
from affray.api.job_views import job_view
from affray.api.seen import text_of
from affray.api.state import service_of
from affray.app.kept_tables import Member
from affray.core.lazy import NamedTuple
from affray.store.jobs import FINISHED

__all__ = ["TOPICS", "News"]


class News(NamedTuple):
    """What is new of a topic.

    Attributes:
        mark: equal as long as nothing is new. revision: how far the client then knows it.
        text: a view in its envelope, as JSON.
        access: of the one who watches; None: nobody needs any.
        is_last: whether nothing can follow.
    """

    mark: object
    revision: int
    text: str
    access: Access | None = None
    is_last: bool = False


def game_news(connection: HTTPConnection, name: str, key: str, since: int | None) -> News:
    """What is new of a game for whoever has this key."""
    service = service_of(connection)
    kept = service.games.kept(name)
    access = access_to_game(connection, kept, key)
    revision, text = service.seen.text(kept, access.role, since)
    return News((revision, kept.table), revision, text, access)


def table_news(connection: HTTPConnection, name: str, key: str, since: int | None) -> News:
    """What is new of a table for whoever has this key; a table is told whole each time."""
    service = service_of(connection)
    access = access_to_table(connection, name, key)
    member = Member(access.link, access.name, access.role)
    text = text_of(
        service.tables.view(name, member, service.present.at(name), asks=service.asked.at(name))
    )
    return News(text, 0, text, access)


def job_news(connection: HTTPConnection, name: str, _key: str, since: int | None) -> News:
    """What is new of a job; its id is enough."""
    job = service_of(connection).store.jobs.job(name)
    return News(job.changed, job.changed, text_of(job_view(job)), is_last=job.state in FINISHED)


TOPICS: Mapping[str, Callable[[HTTPConnection, str, str, int | None], News]] = {
    "game": game_news,
    "table": table_news,
    "job": job_news,
}
"""What can be watched, by the first part of its topic."""
