"""What changed since a moment, for servers that share a store."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, literal, select, union_all

from affray.store import tables
from affray.store.database import Database

__all__ = ["Changed", "Changes"]


class Changed(NamedTuple):
    """One thing that changed.

    Attributes:
        number: the number of its last change among all changes.
        kind: "game", "tabletop" or "job".
        id: its id.
        revision: the revision that it has now; 0 for a job.
    """

    number: int
    kind: str
    id: str
    revision: int


class Changes:
    """The changes of a store, in the order in which they were committed.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def last(self) -> int:
        """The number of the last change.

        Raises:
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            number: int = connection.execute(_LAST).scalar_one()
        return number

    def after(self, number: int, *, most: int = 1000) -> tuple[Changed, ...]:
        """What changed after the change of this number: each thing once, the newest last.

        Ask again with the last number. A thing that changed twice is told with its last change.

        Raises:
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            rows = connection.execute(_AFTER, {"number": number, "most": most})
            return tuple(Changed(*row) for row in rows)


_LAST = select(tables.counter.c.last)
_GAMES, _TABLETOPS, _JOBS = tables.games.c, tables.tabletops.c, tables.jobs.c
_ALL = union_all(
    select(_GAMES.changed.label("number"), literal("game"), _GAMES.id, _GAMES.revision).where(
        _GAMES.changed > bindparam("number")
    ),
    select(_TABLETOPS.changed, literal("tabletop"), _TABLETOPS.id, _TABLETOPS.revision).where(
        _TABLETOPS.changed > bindparam("number")
    ),
    select(_JOBS.changed, literal("job"), _JOBS.id, literal(0)).where(
        _JOBS.changed > bindparam("number")
    ),
)
_AFTER = _ALL.order_by("number").limit(bindparam("most"))
