"""Who sits at a table, as pages show it, and whose turn it is in its game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from starlette.requests import HTTPConnection

from affray.api.access import Access, access_to_table
from affray.api.problems import Problem
from affray.api.state import service_of
from affray.api.topics import News
from affray.app.kept_tables import Member
from affray.app.registry import system_named
from affray.app.roles import Role
from affray.app.views.service import LinkRow, RoleRow, TableView
from affray.core.lazy import NamedTuple
from affray.web.rendering import parts_of

__all__ = ["GRANTED", "ROLLS", "UNDO", "People", "people_at", "people_in", "table_news"]

ASKED: Mapping[str, str] = {
    "undo": "wants the last answer taken back",
    "redo": "wants what was taken back given again",
    "correct": "wants a die corrected",
}
GRANTED: Mapping[str, str] = {"undo": "Take it back", "redo": "Give it again"}
ROLLS: Mapping[str, str] = {
    "players": "Everybody rolls own dice and types the faces, or lets the server roll",
    "server": "The server rolls for everybody",
}
UNDO: Mapping[str, str] = {
    "own": "Players take back their own last answer",
    "ask": "Players ask; the game master takes back",
    "anybody": "Every player takes back anything",
}
PARTS = ("on_table", "table_links", "table_settings")
MOST_KEPT = 200


class MemberHere(NamedTuple):
    """Somebody at a table: the name, the role in words, and whether a page is open."""

    name: str
    role: str
    is_here: bool


class Ask(NamedTuple):
    """What a player asks for, in words; `grant` are those of the button, "" without one."""

    name: str
    what: str
    told: str
    grant: str


class LinkHere(NamedTuple):
    """A link as the master sees it in the list."""

    id: str
    name: str
    role: str
    until: str
    is_own: bool


class People(NamedTuple):
    """A table as its pages show it.

    Attributes:
        id, title: of the table. role: of the one who looks, in words.
        is_master: whether that one rules the table.
        game, game_title, game_about: the game on it: its page, and what it is; "": none.
        is_over: whether that game has ended.
    """

    id: str
    title: str
    role: str
    is_master: bool
    members: tuple[MemberHere, ...]
    asks: tuple[Ask, ...]
    links: tuple[LinkHere, ...]
    game: str
    game_title: str
    game_about: str
    is_over: bool
    rolls: str
    undo: str


def people_at(connection: HTTPConnection, table: str) -> People:
    """Who sits at a table, for the one who asks.

    Raises:
        Problem: no key of this table.
        NotKeptError: there is no such table.
    """
    view, access = _seen(connection, table)
    return _people(view, access.link if access.role.kind == "master" else "")


def people_in(connection: HTTPConnection, table: str | None) -> People | None:
    """Who sits at the table of a game; None: it is at none, or the one who asks isn't there."""
    try:
        return None if table is None else people_at(connection, table)
    except Problem:
        return None


def _seen(connection: HTTPConnection, table: str, key: str = "") -> tuple[TableView, Access]:
    """A table as somebody sees it, but for the name, and what that one may do."""
    service, access = service_of(connection), access_to_table(connection, table, key)
    member = Member(access.link, access.name, access.role)
    view = service.tables.view(
        table, member, service.present.at(table), asks=service.asked.at(table)
    )
    return replace(view, name=""), access


def table_news(connection: HTTPConnection, name: str, key: str, since: int | None) -> News:
    """What is new of a table, as parts of its pages."""
    view, access = _seen(connection, name, key)
    own = access.link if access.role.kind == "master" else ""
    return News((view, own), 0, _news(view, own), access)


@lru_cache(MOST_KEPT)
def _news(view: TableView, own: str) -> str:
    """The parts of a table, made once for all who see the same."""
    context = {"people": _people(view, own), "rolls": ROLLS, "undo": UNDO}
    parts = {
        **parts_of("people.html", ("people",), context), **parts_of("table.html", PARTS, context),
    }  # fmt: skip
    return json.dumps({"parts": parts}, ensure_ascii=False)


@lru_cache(MOST_KEPT)
def _people(view: TableView, own: str) -> People:
    """A table for its pages; `own` is the id of the master's own link."""
    game = view.game
    return People(
        id=view.id,
        title=view.title or "Table without a name",
        role=told(view.role),
        is_master=view.role.kind == "master",
        members=tuple(MemberHere(row.name, told(row.role), row.there) for row in view.members),
        asks=tuple(
            Ask(row.name, row.what, ASKED.get(row.what, row.what), GRANTED.get(row.what, ""))
            for row in view.asks
        ),
        links=tuple(_link(row, own) for row in view.links if not row.revoked),
        game="" if game is None else f"/{game.kind}s/{game.id}",
        game_title="" if game is None else game.title,
        game_about="" if game is None else f"{game.kind}, {system_named(game.system).title}",
        is_over=game is not None and game.over,
        rolls=view.settings.rolls,
        undo=view.settings.undo,
    )


def _link(row: LinkRow, own: str) -> LinkHere:
    until = f"until {row.expires[:10]}" if row.expires else "never ends"
    return LinkHere(row.id, row.name, told(row.role), until, row.id == own)


def told(role: RoleRow) -> str:
    """A role in words."""
    return Role(*role).told  # type: ignore[arg-type]  # the same fields
