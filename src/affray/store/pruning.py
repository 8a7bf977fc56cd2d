"""Remove what nobody needs any more."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Table, delete, func, or_, select

from affray.store import tables
from affray.store.database import Database
from affray.store.jobs import FINISHED
from affray.store.schema import check_today
from affray.store.values import now_us

__all__ = ["Pruned", "prune"]

DAY_US = 86_400_000_000


class Pruned(NamedTuple):
    """How many rows were removed, or would be.

    Attributes:
        replies: first answers that have expired.
        links: links that have expired or were revoked.
        jobs: finished jobs.
        tabletops: tables.
        games: games.
        entries: entries of these games.
    """

    replies: int
    links: int
    jobs: int
    tabletops: int
    games: int
    entries: int


def prune(
    database: Database, *, jobs_days: int = 30, games_days: int | None = None, dry_run: bool = False
) -> Pruned:
    """Remove what has expired, finished jobs, and if wanted games that nobody plays any more.

    A game that is played at a table stays as long as the table, and a table as long as one of its
    games was touched.

    Args:
        database: where; it has today's schema.
        jobs_days: days for which finished jobs stay.
        games_days: days for which games and tables stay after they were touched; None: for ever.
        dry_run: whether only to say what would be removed.

    Raises:
        StoreError: it can't be written.
    """
    now = now_us()
    with database.writing() as connection:
        check_today(connection, database.name)

        def removed(table: Table, *which: ColumnElement[bool]) -> int:
            return connection.execute(delete(table).where(*which)).rowcount

        n_replies = removed(tables.replies, tables.replies.c.expires <= now)
        n_links = removed(tables.links, or_(_L.expires <= now, _L.revoked.is_not(None)))
        old_jobs = _J.ended <= now - jobs_days * DAY_US
        n_jobs = removed(tables.jobs, _J.state.in_(FINISHED), old_jobs)
        n_tabletops = n_games = n_entries = 0
        if games_days is not None:
            since = now - games_days * DAY_US
            in_use = select(_G.tabletop).where(_G.tabletop.is_not(None), _G.touched > since)
            n_tabletops = removed(tables.tabletops, _T.touched <= since, _T.id.not_in(in_use))
            at_tables = select(_T.game).where(_T.game.is_not(None))
            old = (_G.touched <= since) & _G.id.not_in(at_tables)
            of_old = select(func.count()).select_from(tables.entries)
            of_old = of_old.where(tables.entries.c.game.in_(select(_G.id).where(old)))
            n_entries = connection.execute(of_old).scalar_one()
            n_games = removed(tables.games, old)
        if dry_run:
            connection.rollback()
    return Pruned(n_replies, n_links, n_jobs, n_tabletops, n_games, n_entries)


_G, _T, _L, _J = tables.games.c, tables.tabletops.c, tables.links.c, tables.jobs.c
