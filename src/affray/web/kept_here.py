"""The games and tables for which a browser has keys."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import Request

from affray.api.access import cookie_of
from affray.api.state import service_of
from affray.app.kept_tables import when
from affray.app.registry import system_ids, system_named
from affray.core.lazy import NamedTuple
from affray.store.errors import NotKeptError
from affray.store.games import GameRow
from affray.store.tabletops import Link, Tabletop

__all__ = ["GameHere", "TableHere", "game_here", "games_here", "links_here", "tables_here"]

PREFIX = cookie_of("")


class GameHere(NamedTuple):
    """A game as a list of games shows it.

    Attributes:
        address: of its page. title: of it. about: its kind and its system, in words.
        day, minute: when it changed last (UTC). is_over: whether it has ended.
        table: the title of its table; "": none.
    """

    id: str
    address: str
    title: str
    about: str
    day: str
    minute: str
    is_over: bool
    table: str
    changed: int


class TableHere(NamedTuple):
    """A table as a list shows it: its page, its title, and who the browser is there."""

    address: str
    title: str
    name: str
    changed: int


def links_here(request: Request) -> Iterator[Link]:
    """The links of all keys that a browser has, as far as they still open something."""
    for name, key in request.cookies.items():
        if not name.startswith(PREFIX) or name == cookie_of("server"):
            continue
        try:
            yield service_of(request).store.tabletops.link_of(key)
        except NotKeptError:
            continue


def tables_here(request: Request) -> list[TableHere]:
    """The tables for which a browser has keys, the one changed last first."""
    store, found = service_of(request).store, []
    for link in links_here(request):
        if link.tabletop is not None:
            table = store.tabletops.tabletop(link.tabletop)
            title = table_title(table)
            found.append(TableHere(f"/tables/{table.id}", title, link.name, table.changed))
    return sorted(found, key=lambda row: -row.changed)


def games_here(request: Request) -> list[GameHere]:
    """The games for which a browser has keys, the one changed last first."""
    store, found = service_of(request).store, dict[str, GameHere]()
    for link in links_here(request):
        if link.game is not None:
            row = store.games.row(link.game)
            found.setdefault(row.id, game_here(row))
        elif link.tabletop is not None:
            title = table_title(store.tabletops.tabletop(link.tabletop))
            for row in store.games.listed(tabletop=link.tabletop):
                found[row.id] = game_here(row, title)
    return sorted(found.values(), key=lambda row: -row.changed)


def game_here(row: GameRow, table: str = "") -> GameHere:
    """A game of the store as a list shows it."""
    system = system_named(row.system).title if row.system in system_ids() else row.system
    day, _, minute = when(row.touched).partition("T")
    return GameHere(
        row.id, f"/{row.kind}s/{row.id}", row.title, f"{row.kind.capitalize()}, {system}", day,
        minute[:5], row.state == "over", table, row.changed,
    )  # fmt: skip


def table_title(table: Tabletop) -> str:
    """What a table is called."""
    return table.title or "Table without a name"
