"""Tables at which people sit: made, joined by links, watched."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import StreamingResponse

from affray.api import live
from affray.api.access import Access, access_to_table, check_owner, cookie_of
from affray.api.answers import STREAM, Given, answered, sheet_body, takes, tells
from affray.api.problems import Problem
from affray.api.repeats import ISSUED
from affray.api.state import service_of
from affray.app.given import Given as Table
from affray.app.inputs.checking import validated
from affray.app.kept_tables import Member, NewLink, TableSettings
from affray.app.views.service import LinkView, TableView

__all__ = ["router"]

router = APIRouter(tags=["tables"])

Id = Annotated[str, Path(min_length=1, max_length=64, description="Id of the table.")]
TITLE = {"type": "string", "maxLength": 60}
NAME = {"type": "string", "maxLength": 60, "description": "The name that the others see."}
SETTINGS = sheet_body(TableSettings)
DAYS_S = 30 * 86_400


@router.post(
    "/tables",
    operation_id="makeTable",
    responses=tells(TableView, status=201, errors="401 413"),
    openapi_extra=takes(
        {
            "type": "object",
            "properties": {"title": TITLE, "name": NAME, "settings": SETTINGS},
            "additionalProperties": False,
        },
        {"title": "Tuesday", "name": "Ann", "settings": {"rolls": "players", "undo": "ask"}},
    ),
)
def make(request: Request, body: Given) -> Response:
    """Make a table; the answer has the key of its master."""
    check_owner(request)
    given = Table(body, "table")
    title, name = given.text("title", ""), given.text("name", "")
    settings = given.table("settings")
    given.check_all_read()
    service = service_of(request)
    table, key = service.tables.make(title, settings, name)
    return _joined(request, table, key, 201)


@router.post(
    "/join",
    operation_id="joinTable",
    responses=tells(TableView, errors="401 404"),
    openapi_extra=takes(
        {
            "type": "object",
            "properties": {"key": {"type": "string", "maxLength": 100}, "name": NAME},
            "required": ["key", "name"],
            "additionalProperties": False,
        },
        {"key": "the-secret-part-of-a-link", "name": "Bob"},
    ),
)
def join(request: Request, body: Given) -> Response:
    """Join a table by the key of a link; the answer has a key of one's own."""
    given = Table(body, "join")
    key, name = given.text("key"), given.text("name")
    given.check_all_read()
    service = service_of(request)
    table, own = service.tables.join(key, name)
    service.bells.ring(f"table:{table}")
    return _joined(request, table, own, 200)


def _joined(request: Request, table: str, key: str, status: int) -> Response:
    """The answer for somebody who has just sat down, with the cookie for the page."""
    access = access_to_table(request, table, key)
    headers = {"location": f"/api/v1/tables/{table}", ISSUED: f"{access.link} {key}"}
    answer = answered(_seen(request, table, access, key), status, **headers)
    answer.set_cookie(
        cookie_of(table), key, max_age=DAYS_S, httponly=True, samesite="strict",
        secure=request.url.scheme == "https", path="/",
    )  # fmt: skip
    return answer


@router.get(
    "/tables/{table}",
    operation_id="showTable",
    responses=tells(TableView, errors="401 403 404"),
)
def show(request: Request, table: Id) -> Response:
    """Show a table: its game, its settings, who is there; to the master its links."""
    return answered(_seen(request, table, access_to_table(request, table)))


def _seen(request: Request, table: str, access: Access, key: str = "") -> TableView:
    service = service_of(request)
    member = Member(access.link, access.name, access.role)
    return service.tables.view(
        table, member, service.present.at(table), asks=service.asked.at(table), key=key
    )


@router.patch(
    "/tables/{table}",
    operation_id="changeTable",
    responses=tells(TableView, errors="401 403 404 409"),
    openapi_extra=takes(
        {
            "type": "object",
            "properties": {
                "title": TITLE,
                "settings": SETTINGS,
                "game": {"type": "string", "maxLength": 64, "description": "Id of its next game."},
            },
            "additionalProperties": False,
        },
        {"settings": {"rolls": "server"}},
    ),
)
def change(request: Request, table: Id, body: Given) -> Response:
    """Change the title or the settings, or put another game of this table on it."""
    access = _master(request, table)
    given = Table(body, "table")
    title = given.text("title") if given.has("title") else None
    game = given.text("game") if given.has("game") else None
    settings = given.table("settings") if given.has("settings") else None
    given.check_all_read()
    service = service_of(request)
    if game is not None and service.games.kept(game).table != table:
        raise Problem("forbidden", "this game was not begun at this table")
    service.tables.change(table, title=title, settings=settings, game=game)
    service.bells.ring(f"table:{table}")
    return answered(_seen(request, table, access))


@router.post(
    "/tables/{table}/links",
    operation_id="makeLink",
    responses=tells(LinkView, status=201, errors="401 403 404"),
    openapi_extra=takes(
        sheet_body(NewLink),
        {"role": {"kind": "player", "sides": ["one"], "fighters": []}, "name": "for Bob"},
    ),
)
def link(request: Request, table: Id, body: Given) -> Response:
    """Make a link for others to join; its key is shown only now."""
    _master(request, table)
    new = validated(NewLink, body, "body")
    assert isinstance(new, NewLink)  # the sheet
    made = service_of(request).tables.link(table, new)
    return answered(LinkView(made), 201, **{ISSUED: f"{made.id} {made.key}"})


@router.delete(
    "/tables/{table}/links/{link}",
    operation_id="revokeLink",
    responses=tells(TableView, errors="401 403 404"),
)
def revoke(request: Request, table: Id, link: Id) -> Response:
    """Revoke a link; all who joined by it are out."""
    access = _master(request, table)
    service = service_of(request)
    service.tables.revoke(table, link)
    service.bells.ring(f"table:{table}")
    return answered(_seen(request, table, access))


@router.get(
    "/tables/{table}/events",
    operation_id="watchTable",
    response_class=StreamingResponse,
    responses=STREAM,
)
async def events(request: Request, table: Id) -> StreamingResponse:
    """Watch a table as server-sent events: a table as a view, after each change."""
    return await live.stream(request, f"table:{table}")


def _master(request: Request, table: str) -> Access:
    access = access_to_table(request, table)
    if access.role.kind != "master":
        raise Problem("forbidden", "only the master may do this")
    return access
