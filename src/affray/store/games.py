"""Games: how each began, and its entries, which are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from affray.store import tables
from affray.store.chain import Beginning, Link, first_hash, next_hash
from affray.store.database import Database, next_number
from affray.store.errors import NotKeptError, RevisionError
from affray.store.values import Raw, as_json, as_text, from_json, new_id, now_us

__all__ = ["BY_HAND", "Entry", "Game", "GameRow", "Games", "NewEntry"]

BY_HAND: Raw = {"kind": "hand"}
"""A person decided or rolled it; others: {"kind": "dice"} for dice of the server, and
{"kind": "computer", "policy": ..., "seed": ...}."""


class NewEntry(NamedTuple):
    """One thing that happens in a game, to be written down.

    Attributes:
        what: what is done: an answer, an undo, a corrected die, ...
        who: the name of the person or the seat; "" if nobody has one.
        by: by what it was decided; see `BY_HAND`.
    """

    what: Raw
    who: str = ""
    by: Raw = BY_HAND


class Entry(NamedTuple):
    """One thing that happened in a game.

    Attributes:
        revision: its place, from 1; the game's revision is that of its last entry.
        what: what was done.
        who: the name of who did it.
        by: by what it was decided; see `BY_HAND`.
        at: when, in microseconds.
        rules: the version of the rules then.
        hash: the hash over this entry and the one before.
    """

    revision: int
    what: Raw
    who: str
    by: Raw
    at: int
    rules: str
    hash: str


class GameRow(NamedTuple):
    """A game as lists show it.

    Attributes:
        id: its id.
        kind: "fight" or "exchange".
        system: id of the system.
        rules: the version of the rules with which it began.
        title: what people call it.
        state: how far it is, such as "open" or "over".
        tabletop: id of the table at which it is played, if any.
        parent: id of the game it was forked from, if any.
        parent_revision: the revision of the parent at which it was forked.
        begun: when it began, in microseconds.
        touched: when it last changed.
        revision: the number of its entries.
        changed: the number of its last change among all changes; lists follow it.
    """

    id: str
    kind: str
    system: str
    rules: str
    title: str
    state: str
    tabletop: str | None
    parent: str | None
    parent_revision: int | None
    begun: int
    touched: int
    revision: int
    changed: int


class Game(NamedTuple):
    """A game with everything that happened in it."""

    row: GameRow
    setup: Raw
    entries: tuple[Entry, ...]


class Games:
    """The games of a store.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(
        self,
        kind: str,
        system: str,
        rules: str,
        setup: Raw,
        *,
        title: str = "",
        state: str = "open",
        tabletop: str | None = None,
        id: str | None = None,  # noqa: A002  # what it is
    ) -> GameRow:
        """Begin a game at revision 0.

        Args:
            kind: "fight" or "exchange".
            system: id of the system.
            rules: the version of the rules.
            setup: the table from which it begins.
            title: what people call it.
            state: how far it is.
            tabletop: the table at which it is played.
            id: an id that the caller has made; None: a new one.

        Raises:
            StoreError: there is a game of this id, or no such table, or it can't be written.
        """
        beginning = Beginning(
            as_text(id or new_id()), as_text(kind), as_text(system), as_text(rules),
            as_json(setup), None, None, now_us(),
        )  # fmt: skip
        with self._database.writing() as connection:
            return _begin(connection, beginning, _Shown(as_text(title), state, tabletop), ())

    def append(
        self,
        game: str,
        at: int,
        new: Sequence[NewEntry],
        *,
        rules: str,
        title: str | None = None,
        state: str | None = None,
    ) -> int:
        """Add entries to a game, if nobody else has added some: its new revision.

        Args:
            game: id of the game.
            at: the revision that it has for the caller.
            new: what happened, in order.
            rules: the version of the rules.
            title: a new title.
            state: a new state.

        Raises:
            RevisionError: the game has moved on; nothing is added.
            NotKeptError: there is no such game.
            StoreError: it can't be written.
        """
        shown = _Shown(title if title is None else as_text(title), state)
        with self._database.writing() as connection:
            row = connection.execute(_HEAD, {"game": game}).one_or_none()
            if row is None:
                raise _no_game(game)
            if row.revision != at:
                raise RevisionError(
                    f"the game is at revision {row.revision} by now, not at {at}", row.revision
                )
            rows, head = _chained(game, row.head, _links(new, at, rules))
            if rows:
                connection.execute(_ADD, rows)
            _move(connection, game, at + len(new), head, shown)
        return at + len(new)

    def fork(self, game: str, at: int, *, title: str = "", tabletop: str | None = None) -> GameRow:
        """Begin a new game that has the first entries of another one.

        The new one has copies, so it stays when the other one is pruned.

        Args:
            game: id of the other game.
            at: its revision with which the new one begins.
            title: what people call the new one.
            tabletop: the table at which the new one is played.

        Raises:
            NotKeptError: there is no such game, or not yet this revision.
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            old = connection.execute(_GAME, {"game": game}).one_or_none()
            if old is None:
                raise _no_game(game)
            if not 0 <= at <= old.revision:
                raise NotKeptError(f"the game has revisions from 0 to {old.revision}, not {at}")
            copies = connection.execute(_ENTRIES, {"game": game, "after": 0, "last": at})
            links = [Link(r.revision, r.at, r.rules, r.who, r.by, r.what) for r in copies]
            beginning = Beginning(
                new_id(), old.kind, old.system, old.rules, old.setup, game, at, now_us()
            )
            shown = _Shown(as_text(title or old.title), "open", tabletop)
            return _begin(connection, beginning, shown, links)

    def change(
        self, game: str, *, title: str | None = None, state: str | None = None,
        tabletop: str | None = None,
    ) -> None:  # fmt: skip
        """Change what lists show of a game; what happened in it stays.

        Args:
            game: id of the game.
            title: a new title.
            state: a new state.
            tabletop: the table at which it is played from now on.

        Raises:
            NotKeptError: there is no such game.
            StoreError: it can't be written.
        """
        shown = _Shown(title if title is None else as_text(title), state, tabletop)
        with self._database.writing() as connection:
            row = connection.execute(_HEAD, {"game": game}).one_or_none()
            if row is None:
                raise _no_game(game)
            _move(connection, game, row.revision, row.head, shown)

    def row(self, game: str) -> GameRow:
        """A game as lists show it.

        Raises:
            NotKeptError: there is no such game.
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            found = connection.execute(_ROW, {"game": game}).one_or_none()
        if found is None:
            raise _no_game(game)
        return GameRow(*found)

    def game(self, game: str) -> Game:
        """A game with its setup and all its entries.

        Raises:
            NotKeptError: there is no such game.
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            found = connection.execute(_GAME, {"game": game}).one_or_none()
            if found is None:
                raise _no_game(game)
            # Entries are only added, so these are the same whatever others add meanwhile.
            asked = {"game": game, "after": 0, "last": found.revision}
            kept = connection.execute(_ENTRIES, asked).all()
        row = GameRow(*(getattr(found, name) for name in GameRow._fields))
        return Game(row, from_json(found.setup), tuple(map(_entry, kept)))

    def entries(self, game: str, *, after: int = 0) -> tuple[Entry, ...]:
        """The entries of a game after a revision; none if there is no such game.

        Raises:
            StoreError: they can't be read.
        """
        with self._database.reading() as connection:
            asked = {"game": game, "after": after, "last": MOST_REVISIONS}
            return tuple(map(_entry, connection.execute(_ENTRIES, asked).all()))

    def listed(
        self, *, tabletop: str | None = None, before: int | None = None, most: int = 50
    ) -> tuple[GameRow, ...]:
        """Games, the one that changed last first.

        Args:
            tabletop: only those played at this table.
            before: the `changed` of the last row of the page before.
            most: rows of a page.

        Raises:
            StoreError: they can't be read.
        """
        wanted = select(*_SHOWN).order_by(tables.games.c.changed.desc()).limit(most)
        if tabletop is not None:
            wanted = wanted.where(tables.games.c.tabletop == tabletop)
        if before is not None:
            wanted = wanted.where(tables.games.c.changed < before)
        with self._database.reading() as connection:
            return tuple(GameRow(*row) for row in connection.execute(wanted))


MOST_REVISIONS = 2**62

_G, _E = tables.games.c, tables.entries.c
_SHOWN = tuple(_G[name] for name in GameRow._fields)
_OF_GAME = _G.id == bindparam("game")
_ROW = select(*_SHOWN).where(_OF_GAME)
_GAME = select(tables.games).where(_OF_GAME)
_HEAD = select(_G.revision, _G.head).where(_OF_GAME).with_for_update(key_share=True)
_ENTRIES = (
    select(*(_E[name] for name in Entry._fields))
    .where(_E.game == bindparam("game"))
    .where(_E.revision > bindparam("after"), _E.revision <= bindparam("last"))
    .order_by(_E.revision)
)
_ADD = insert(tables.entries)
_MOVE = (
    update(tables.games)
    .where(_OF_GAME)
    .values({name: bindparam(name) for name in ("revision", "head", "touched", "changed")})
    .values(
        {
            name: func.coalesce(bindparam(f"new_{name}", type_=tables.Words), _G[name])
            for name in ("title", "state", "tabletop")
        }
    )
)


class _Shown(NamedTuple):
    """What lists are to show of a game from now on; None stays as it is."""

    new_title: str | None = None
    new_state: str | None = None
    new_tabletop: str | None = None


def _no_game(game: str) -> NotKeptError:
    return NotKeptError(f"there is no game {as_text(game)[:40]!r} here")


def _entry(row: Sequence[object]) -> Entry:
    found = Entry._make(row)
    return found._replace(what=from_json(str(found.what)), by=from_json(str(found.by)))


def _links(new: Sequence[NewEntry], at: int, rules: str) -> list[Link]:
    """New entries as their rows will hold them, after a revision."""
    now, rules = now_us(), as_text(rules)
    return [
        Link(revision, now, rules, as_text(one.who), as_json(one.by), as_json(one.what))
        for revision, one in enumerate(new, at + 1)
    ]


def _begin(
    connection: Connection, beginning: Beginning, shown: _Shown, links: Sequence[Link]
) -> GameRow:
    """Write a new game with its first entries."""
    game, begun = beginning.game, beginning.begun
    rows, head = _chained(game, first_hash(beginning), links)
    row = GameRow(
        game, beginning.kind, beginning.system, beginning.rules, shown.new_title or "",
        shown.new_state or "", shown.new_tabletop, beginning.parent, beginning.parent_revision,
        begun, begun, len(rows), next_number(connection),
    )  # fmt: skip
    more = {"setup": beginning.setup, "head": head}
    connection.execute(insert(tables.games), row._asdict() | more)
    if rows:
        connection.execute(_ADD, rows)
    return row


def _chained(game: str, head: str, links: Sequence[Link]) -> tuple[list[dict[str, object]], str]:
    """The rows of entries that follow one of this hash, and the hash of the last."""
    rows = []
    for one in links:
        head = next_hash(head, one)
        rows.append(one._asdict() | {"game": game, "hash": head})
    return rows, head


def _move(connection: Connection, game: str, revision: int, head: str, more: _Shown) -> int:
    """Write what lists show of a game: the number of the change."""
    number = next_number(connection)
    values = {"game": game, "revision": revision, "head": head, "touched": now_us(),
              "changed": number}  # fmt: skip
    connection.execute(_MOVE, values | more._asdict())
    return number
