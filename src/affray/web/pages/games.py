"""The games of a browser, and on a server of one's own all that are kept there."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from affray.api.access import check_owner
from affray.api.problems import Problem, status_of
from affray.api.state import service_of
from affray.app.inputs.intake import InputError
from affray.app.roles import MASTER, role_to_plain
from affray.web.cookies import keep_key
from affray.web.forms import Form
from affray.web.kept_here import game_here, games_here
from affray.web.rendering import shown, went_to

__all__ = ["is_owner", "router"]

router = APIRouter()

PAGE = 50


def is_owner(request: Request) -> bool:
    """Whether somebody may make games and tables here."""
    try:
        check_owner(request)
    except Problem:
        return False
    return True


@router.get("/games")
def games(request: Request, said: Form) -> Response:
    """Games, the one changed last first."""
    return _games(request, said.text("after"))


@router.post("/games/key")
def own(request: Request, said: Form) -> Response:
    """Let the browser keep the server's key, so that it may make games and tables."""
    key = said.text("server_key")
    try:
        check_owner(request, key)
    except Problem as error:
        return _games(request, "", status_of(error), "This is not the key of this server.")
    return keep_key(request, went_to(request, "/games"), "server", key)


@router.post("/games/{game}/open")
def open_game(request: Request, game: str) -> Response:
    """Let the owner of the server into a game, as its master."""
    check_owner(request)
    service = service_of(request)
    kept = service.games.kept(game)
    _link, key = service.store.tabletops.link(role_to_plain(MASTER), game=kept.id)
    return keep_key(request, went_to(request, f"/{kept.kind}s/{kept.id}"), kept.id, key)


def _games(request: Request, after: str, status: int = 200, fault: str = "") -> Response:
    if after and not after.isdecimal():
        raise InputError(f"after: {after[:20]!r} is no number")
    here, owner = games_here(request), is_owner(request)
    found = (
        service_of(request).store.games.listed(before=int(after[:18]) if after else None,
                                               most=PAGE + 1)
        if owner else ()
    )  # fmt: skip
    known = {row.id for row in here}
    return shown(
        request, "games.html", status, here=() if after else here, fault=fault, owner=owner,
        others=[game_here(row) for row in found[:PAGE] if row.id not in known],
        next=found[PAGE - 1].changed if len(found) > PAGE else 0,
    )  # fmt: skip
