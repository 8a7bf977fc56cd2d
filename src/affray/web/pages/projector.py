"""What hangs on the wall behind a table."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from affray.api.access import access_to_table
from affray.api.changing import open_game
from affray.api.state import service_of
from affray.web.rendering import shown
from affray.web.wall import wall_context

__all__ = ["router"]

router = APIRouter()


@router.get("/tables/{table}/projector")
def of_table(request: Request, table: str) -> Response:
    """The game on a table; the page follows when another one is put on it."""
    access_to_table(request, table)
    service = service_of(request)
    game = service.store.tabletops.tabletop(table).game
    if game is None:
        return shown(request, "projector_waits.html", watch=f"table:{table}")
    return shown(
        request, "projector.html", watch=f"table:{table} game.projector:{game}",
        **wall_context(request, service.games.kept(game)),
    )  # fmt: skip


@router.get("/fights/{game}/projector")
def of_fight(request: Request, game: str) -> Response:
    """A fight, whether or not it is at a table."""
    return _of_game(request, "fight", game)


@router.get("/exchanges/{game}/projector")
def of_exchange(request: Request, game: str) -> Response:
    """An exchange, whether or not it is at a table."""
    return _of_game(request, "exchange", game)


def _of_game(request: Request, kind: str, game: str) -> Response:
    kept, _access = open_game(request, kind, game)
    return shown(
        request, "projector.html", watch=f"game.projector:{game}", **wall_context(request, kept)
    )
