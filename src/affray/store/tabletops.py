"""Tables at which people sit, and the links that let them there."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, insert, or_, select, update

from affray.store import tables
from affray.store.database import Database, next_number
from affray.store.errors import NotKeptError, RevisionError
from affray.store.values import Raw, as_json, as_text, from_json, new_id, now_us

__all__ = ["Link", "Tabletop", "Tabletops"]


class Tabletop(NamedTuple):
    """A table at which people sit.

    Attributes:
        id: its id.
        title: what people call it.
        settings: who rolls, who may undo, ...: the caller's own table.
        game: id of the game that is played there now, if any.
        revision: how often it was changed.
        made: when it was made, in microseconds.
        touched: when it last changed.
        changed: the number of its last change among all changes.
    """

    id: str
    title: str
    settings: Raw
    game: str | None
    revision: int
    made: int
    touched: int
    changed: int


class Link(NamedTuple):
    """A link that lets somebody to a table, or to a single game.

    Attributes:
        id: its id, which is no secret.
        role: what it lets people do: the caller's own table.
        name: who uses it, typed once; "" until then.
        tabletop: the table, or None.
        game: the game, or None.
        parent: id of the link by which somebody joined and got this one, or None.
        made: when it was made, in microseconds.
        expires: from when on it is no longer valid; None: never.
        revoked: when somebody revoked it; None: nobody did.
        seen: when it was last used, as far as somebody noted that.
    """

    id: str
    role: Raw
    name: str
    tabletop: str | None
    game: str | None
    parent: str | None
    made: int
    expires: int | None
    revoked: int | None
    seen: int | None


class Tabletops:
    """The tables of a store and the links to them and to games.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, title: str, settings: Raw) -> Tabletop:
        """Make a table at which nothing is played yet.

        Raises:
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            now = now_us()
            made = Tabletop(
                new_id(), as_text(title), settings, None, 0, now, now, next_number(connection)
            )
            row = made._asdict() | {"settings": as_json(settings)}
            connection.execute(insert(tables.tabletops), row)
        return made

    def tabletop(self, tabletop: str) -> Tabletop:
        """A table by its id.

        Raises:
            NotKeptError: there is none.
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            return _tabletop(connection, tabletop)

    def change(
        self,
        tabletop: str,
        at: int,
        *,
        title: str | None = None,
        settings: Raw | None = None,
        game: str | None = None,
    ) -> Tabletop:
        """Change a table, if nobody else has changed it: as it is then. What is None stays.

        Args:
            tabletop: its id.
            at: the revision that it has for the caller.
            title: a new title.
            settings: all settings anew.
            game: the game that is played there from now on; it becomes one of this table.

        Raises:
            RevisionError: it was changed meanwhile; nothing changes.
            NotKeptError: there is no such table or game.
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            old = _tabletop(connection, tabletop, lock=True)
            if old.revision != at:
                raise RevisionError(
                    f"the table is at revision {old.revision} by now, not at {at}", old.revision
                )
            new = old._replace(
                title=old.title if title is None else as_text(title),
                settings=old.settings if settings is None else settings,
                game=old.game if game is None else game,
                revision=at + 1,
                touched=now_us(),
            )
            if game is not None:
                seated = update(tables.games).where(tables.games.c.id == game)
                if not connection.execute(seated.values(tabletop=tabletop)).rowcount:
                    raise NotKeptError(f"there is no game {as_text(game)[:40]!r} here")
            new = new._replace(changed=next_number(connection))
            row = new._asdict() | {"settings": as_json(new.settings)}
            connection.execute(update(tables.tabletops).where(_T.id == tabletop).values(row))
        return new

    # -- links -----------------------------------------------------------------------------

    def link(
        self,
        role: Raw,
        *,
        tabletop: str | None = None,
        game: str | None = None,
        name: str = "",
        expires: int | None = None,
        parent: str | None = None,
    ) -> tuple[Link, str]:
        """Make a link to a table or to a game: the link, and its token, which nobody keeps.

        Args:
            role: what it lets people do.
            tabletop: the table; exactly one of this and `game`.
            game: the game.
            name: who will use it.
            expires: from when on it is no longer valid, in microseconds; None: never.
            parent: the link by which somebody joins; this one is revoked with it.

        Raises:
            NotKeptError: the parent is not valid any more.
            StoreError: there is no such table or game, or it can't be written.
        """
        token = new_id()
        made = Link(
            new_id(), role, as_text(name), tabletop, game, parent, now_us(), expires, None, None
        )  # fmt: skip
        row = made._asdict() | {"role": as_json(role), "token_hash": _hashed(token)}
        with self._database.writing() as connection:
            if parent is not None:
                asked = _LINKS.where(_L.id == parent).with_for_update(key_share=True)
                _check_valid(connection.execute(asked).one_or_none())
            connection.execute(insert(tables.links), row)
        return made, token

    def issue_again(self, link: str) -> str:
        """A new token for a link whose first one was lost on its way; that one ends.

        Raises:
            NotKeptError: there is no such link.
            StoreError: it can't be written.
        """
        token = new_id()
        with self._database.writing() as connection:
            changed = update(tables.links).where(_L.id == link)
            if not connection.execute(changed.values(token_hash=_hashed(token))).rowcount:
                raise NotKeptError("there is no such link here")
        return token

    def link_of(self, token: str) -> Link:
        """The link of a token, if it is valid now.

        Raises:
            NotKeptError: there is none, or it has expired or was revoked.
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            asked = _LINKS.where(_L.token_hash == _hashed(token))
            found = connection.execute(asked).one_or_none()
        return _check_valid(found)

    def links(self, *, tabletop: str | None = None, game: str | None = None) -> tuple[Link, ...]:
        """All links to a table or a game, in the order in which they were made.

        Raises:
            StoreError: they can't be read.
        """
        place = _L.tabletop == tabletop if tabletop is not None else _L.game == game
        with self._database.reading() as connection:
            found = connection.execute(_LINKS.where(place).order_by(_L.made, _L.id)).all()
        return tuple(map(_link, found))

    def name_link(self, link: str, name: str) -> None:
        """Note who uses a link.

        Raises:
            NotKeptError: there is no such link.
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            self._change_link(connection, _L.id == link, {"name": as_text(name)})

    def see_link(self, link: str) -> None:
        """Note that a link is used now; call it once a minute, not at every request.

        Raises:
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            connection.execute(update(tables.links).where(_L.id == link).values(seen=now_us()))

    def revoke_link(self, link: str) -> None:
        """Make a link and all that came of it invalid; its table or game counts as changed.

        Raises:
            NotKeptError: there is no such link.
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            of_it = or_(_L.id == link, _L.parent == link)
            self._change_link(connection, of_it, {"revoked": now_us()})

    def _change_link(
        self, connection: Connection, which: ColumnElement[bool], values: dict[str, object]
    ) -> None:
        changed = update(tables.links).where(which).values(values)
        places = connection.execute(changed.returning(_L.tabletop, _L.game)).all()
        if not places:
            raise NotKeptError("there is no such link here")
        for tabletop, game in set(map(tuple, places)):
            place = tables.games if tabletop is None else tables.tabletops
            at = place.c.id == (game if tabletop is None else tabletop)
            connection.execute(select(place.c.id).where(at).with_for_update(key_share=True))
            number = next_number(connection)
            connection.execute(update(place).where(at).values(changed=number))


_T, _L = tables.tabletops.c, tables.links.c
_LINKS = select(*(_L[name] for name in Link._fields))
_NEVER = 2**63


def _hashed(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def _tabletop(connection: Connection, tabletop: str, *, lock: bool = False) -> Tabletop:
    asked = select(*(_T[name] for name in Tabletop._fields)).where(_T.id == tabletop)
    found = connection.execute(
        asked.with_for_update(key_share=True) if lock else asked
    ).one_or_none()
    if found is None:
        raise NotKeptError(f"there is no table {as_text(tabletop)[:40]!r} here")
    return Tabletop(*found)._replace(settings=from_json(found.settings))


def _check_valid(row: Sequence[object] | None) -> Link:
    """The link of a row, if it is valid now."""
    link = None if row is None else _link(row)
    if link is None or link.revoked is not None or (link.expires or _NEVER) <= now_us():
        raise NotKeptError("this link is not valid, or no longer")
    return link


def _link(row: Sequence[object]) -> Link:
    found = Link._make(row)
    return found._replace(role=from_json(str(found.role)))
