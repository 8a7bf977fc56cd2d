"""Tables: made, looked at, and ruled by their master."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from affray.api.access import Access, access_to_game, access_to_table, check_owner
from affray.api.changing import change_game
from affray.api.problems import Problem, status_of, told_of
from affray.api.state import service_of
from affray.app.fight import Fight
from affray.app.inputs.checking import validated
from affray.app.inputs.intake import InputError, Raw
from affray.app.kept_tables import NewLink
from affray.app.lookups import list_systems
from affray.core.errors import AffrayError
from affray.web.begun import gone_to
from affray.web.cookies import keep_key
from affray.web.forms import Form, Said
from affray.web.join_links import JoinLink, join_link
from affray.web.kept_here import GameHere, game_here, links_here, tables_here
from affray.web.pages.games import is_owner
from affray.web.people import GRANTED, ROLLS, UNDO, people_at
from affray.web.rendering import shown, wanted_parts, went_to

__all__ = ["router"]

router = APIRouter()

SIDES = {"one": ("one", "attacker"), "other": ("other", "defender", "ally")}
"""What a player of a side plays: the side of a fight, and in an exchange these roles."""


@router.get("/tables")
def tables(request: Request) -> Response:
    """The form for a new table, and the tables that this browser knows."""
    return _tables(request, Said(()))


@router.post("/tables")
def make(request: Request, said: Form) -> Response:
    """Make a table, and go there; the browser keeps the key of its master."""
    server_key = said.text("server_key")
    try:
        check_owner(request, server_key)
        name = said.text("name")
        if not name:
            raise InputError("Type your own name; the others see it.")
        settings: Raw = {
            "rolls": said.text("rolls", "players"), "undo": said.text("undo", "own"),
        }  # fmt: skip
        table, key = service_of(request).tables.make(said.text("title"), settings, name)
    except AffrayError as error:
        return _tables(request, said, status_of(error), told_of(error))
    answer = went_to(request, f"/tables/{table}")
    if server_key:
        keep_key(request, answer, "server", server_key)
    return keep_key(request, answer, table, key)


def _tables(request: Request, said: Said, status: int = 200, fault: str = "") -> Response:
    return shown(
        request, "tables.html", status, tables=tables_here(request), said=said, fault=fault,
        wants_key=not is_owner(request), rolls=ROLLS, undo=UNDO,
    )  # fmt: skip


@router.get("/tables/{table}")
def table(request: Request, table: str) -> Response:
    """A table as its role sees it."""
    return _table(request, table)


@router.post("/tables/{table}/links")
def make_link(request: Request, table: str, said: Form) -> Response:
    """Make a link; it is shown on the page that answers, and never again."""
    _master(request, table)
    kind, names = said.text("role"), said.text("fighters").replace("\n", ",").split(",")
    role: Raw = {"kind": kind}
    if kind == "player":
        role["sides"] = [one for side in said.texts("side") for one in SIDES.get(side, (side,))]
        role["fighters"] = [*said.texts("fighter"), *filter(None, map(str.strip, names))]
    try:
        if kind == "player" and not (role["sides"] or role["fighters"]):
            raise InputError("Choose a side for the player, or name fighters.")
        days = said.text("days", "30")
        if not days.isdecimal():
            raise InputError(f"Days: {days[:20]!r} is no number; type 0 to 366.")
        sheet = {"role": role, "name": said.text("name"), "days": int(days[:4])}
        new = validated(NewLink, sheet, "the link")
        assert isinstance(new, NewLink)  # the sheet
        made = service_of(request).tables.link(table, new)
    except AffrayError as error:
        return _table(request, table, status_of(error), fault=told_of(error))
    _ring(request, table)
    return _table(request, table, 201, made=join_link(request, made))


@router.post("/tables/{table}/links/{link}/revoke")
def revoke(request: Request, table: str, link: str) -> Response:
    """Revoke a link; all who joined by it are out."""
    _master(request, table)
    service_of(request).tables.revoke(table, link)
    return _changed(request, table)


@router.post("/tables/{table}/settings")
def settle(request: Request, table: str, said: Form) -> Response:
    """Change the title and what holds at the table."""
    _master(request, table)
    settings: Raw = {name: said.text(name) for name in ("rolls", "undo") if name in said}
    service_of(request).tables.change(table, title=said.text("title"), settings=settings, game=None)
    return _changed(request, table)


@router.post("/tables/{table}/fights")
def begin(request: Request, table: str, said: Form) -> Response:
    """Begin a shipped fight at the table, put it on, and go there."""
    _master(request, table)
    service = service_of(request)
    kept = service.games.begin(
        "fight", said.text("system"), said.text("case"), table=table,
        means=service.tables.settings(table).means,
    )  # fmt: skip
    return gone_to(request, kept)


@router.post("/tables/{table}/game")
def put_on(request: Request, table: str, said: Form) -> Response:
    """Put a game on the table: one that was begun at it, or one of the master's own."""
    _master(request, table)
    service = service_of(request)
    kept = service.games.kept(said.text("game"))
    if kept.table not in {None, table} or access_to_game(request, kept).role.kind != "master":
        raise Problem("forbidden", "this game is played at another table, or is not yours")
    service.tables.change(table, title=None, settings=None, game=kept.id)
    _ring(request, table)
    return went_to(request, f"/{kept.kind}s/{kept.id}")


@router.post("/tables/{table}/asks")
def grant(request: Request, table: str, said: Form) -> Response:
    """Do what a player has asked for, or decline it."""
    access, what = _master(request, table), said.text("grant")
    service = service_of(request)
    game_id = service.store.tabletops.tabletop(table).game
    if what == "no" or game_id is None:
        service.asked.forget(table)
    elif what in GRANTED:
        change_game(request, service.games.kept(game_id), access, {"do": what})
    else:
        raise InputError(f"grant: {what[:20]!r}; allowed: {', '.join(GRANTED)}, no")
    _ring(request, table)
    if wanted_parts(request):
        return shown(request, "people.html", people=people_at(request, table))
    return went_to(request, f"/tables/{table}")


def _changed(request: Request, table: str) -> Response:
    """The way back to the table after a change, which the others hear of."""
    _ring(request, table)
    return went_to(request, f"/tables/{table}")


def _ring(request: Request, table: str) -> None:
    service_of(request).bells.ring(f"table:{table}")


def _table(
    request: Request, table: str, status: int = 200, *, made: JoinLink | None = None,
    fault: str = "",
) -> Response:  # fmt: skip
    access = access_to_table(request, table)
    is_master = access.role.kind == "master"
    return shown(
        request, "table.html", status, people=people_at(request, table), name=access.name,
        made=made, fault=fault, watch=f"table:{table}", rolls=ROLLS, undo=UNDO,
        systems=[row for row in list_systems().systems if row.fights] if is_master else (),
        fighters=_fighters(request, table) if is_master else (),
        kept=_puttable(request, table) if is_master else (),
    )  # fmt: skip


def _fighters(request: Request, table: str) -> tuple[str, ...]:
    """The names of those who fight in the game on a table."""
    service = service_of(request)
    game_id = service.store.tabletops.tabletop(table).game
    if game_id is None:
        return ()
    game = service.games.kept(game_id).game
    if isinstance(game, Fight):
        return tuple(name for side in game.session.position.names for name in side)
    return tuple(dict.fromkeys(game.names.values()))


def _puttable(request: Request, table: str) -> list[GameHere]:
    """The games that the master may put on the table: earlier ones, and those of the browser."""
    store = service_of(request).store
    now, here = store.tabletops.tabletop(table).game, store.games.listed(tabletop=table)
    own = {link.game for link in links_here(request)}
    rows = {row.id: row for row in (*here, *(store.games.row(one) for one in own if one))}
    return [
        game_here(row) for row in rows.values() if row.id != now and row.tabletop in {None, table}
    ]


def _master(request: Request, table: str) -> Access:
    access = access_to_table(request, table)
    if access.role.kind != "master":
        raise Problem("forbidden", "only the game master of this table may do this")
    return access
