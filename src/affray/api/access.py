"""Who somebody is: keys, the roles they give, and what those may do.

A key is a token of 128 bits. It comes as a bearer header, or from the page as a cookie that only
goes back to this server; it never stands in an address. The store keeps its hash.
"""

from __future__ import annotations

from hmac import compare_digest

from starlette.requests import HTTPConnection

from affray.api.problems import Problem
from affray.api.state import service_of
from affray.app.kept_games import Kept
from affray.app.roles import MASTER, Role, role_from, role_to_plain
from affray.core.lazy import NamedTuple
from affray.store.errors import NotKeptError
from affray.store.tabletops import Link

__all__ = [
    "Access", "access_to_game", "access_to_table", "check_owner", "cookie_of", "key_of", "made_key",
]  # fmt: skip


class Access(NamedTuple):
    """What a key lets somebody do.

    Attributes:
        role: in a game or at a table. name: as it was typed once. link: its id.
        table: id of the table; None: only the game.
        expires: from when on it lets nobody in, in microseconds; None: never.
    """

    role: Role
    name: str
    link: str
    table: str | None
    expires: int | None = None


def key_of(connection: HTTPConnection, place: str) -> str:
    """The key that comes with a request; empty: none.

    Args:
        connection: a request or a socket.
        place: id of the game or table, by which its cookie is called.
    """
    kind, _, key = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and key:
        return key.strip()
    return connection.cookies.get(cookie_of(place), "")


def cookie_of(place: str) -> str:
    """The name of the cookie that holds the key of a game or a table."""
    return f"affray-{place}"


def access_to_game(connection: HTTPConnection, kept: Kept, key: str = "") -> Access:
    """What somebody may do in a game.

    Args:
        connection: a request or a socket.
        kept: the game.
        key: the key, if it doesn't come with the connection.

    Raises:
        Problem: no key, or none of this game.
    """
    key = key or key_of(connection, kept.id) or key_of(connection, kept.table or "")
    link = _link_of(connection, key)
    if link.game != kept.id and (kept.table is None or link.tabletop != kept.table):
        raise Problem("forbidden", "this key is for another game")
    return _access(link)


def access_to_table(connection: HTTPConnection, table: str, key: str = "") -> Access:
    """What somebody may do at a table; errors as for `access_to_game`."""
    link = _link_of(connection, key or key_of(connection, table))
    if link.tabletop != table:
        raise Problem("forbidden", "this key is for another table")
    return _access(link)


def check_owner(connection: HTTPConnection, key: str = "") -> None:
    """Let only those make or list things who may; on a server of one's own that is everybody.

    Args:
        connection: a request or a socket.
        key: the server's key, if it doesn't come with the connection.

    Raises:
        Problem: a public server wants its key.
    """
    settings = service_of(connection).settings
    given, wanted = (key or key_of(connection, "server")).encode(), settings.key.encode()
    if settings.public and not (wanted and compare_digest(given, wanted)):
        raise Problem("no-key", "this server makes games and tables only with its key", headers=ASK)


def made_key(connection: HTTPConnection, kept: Kept) -> tuple[str, str]:
    """The id of a link, and its key, for the master of a game that has just been made.

    A game at a table needs none: the keys of the table open it.
    """
    if kept.table is not None:
        return "", ""
    store = service_of(connection).store
    link, key = store.tabletops.link(role_to_plain(MASTER), game=kept.id)
    return link.id, key


ASK = {"www-authenticate": "Bearer"}


def _link_of(connection: HTTPConnection, key: str) -> Link:
    if not key:
        raise Problem(
            "no-key",
            "a key is needed: open the link you were sent, or send Authorization: Bearer KEY",
            headers=ASK,
        )
    try:
        return service_of(connection).store.tabletops.link_of(key)
    except NotKeptError:
        raise Problem("no-key", "this key is not valid, or no longer", headers=ASK) from None


def _access(link: Link) -> Access:
    return Access(role_from(link.role), link.name, link.id, link.tabletop, link.expires)
