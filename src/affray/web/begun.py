"""Who may begin a game, and the way to one that has just been begun."""

from __future__ import annotations

from fastapi import Request, Response

from affray.api.access import access_to_table, check_owner, made_key
from affray.api.problems import Problem
from affray.api.state import service_of
from affray.app.kept_games import Kept
from affray.web.cookies import keep_key
from affray.web.rendering import went_to

__all__ = ["check_begins", "gone_to"]


def check_begins(request: Request, table: str | None) -> None:
    """Check that somebody may begin a game: at a table its master may, elsewhere the owner.

    Raises:
        Problem: neither of them.
    """
    if table is None:
        check_owner(request)
    elif access_to_table(request, table).role.kind != "master":
        raise Problem("forbidden", "only the game master may begin a game at a table")


def gone_to(request: Request, made: Kept) -> Response:
    """The way to the page of a game that has just been begun.

    The browser keeps its key; a game that was begun at a table is put on it, so that all who sit
    there follow.
    """
    service, (_link, key) = service_of(request), made_key(request, made)
    if made.table is not None:
        service.tables.change(made.table, title=None, settings=None, game=made.id)
        service.bells.ring(f"table:{made.table}")
    service.computers.set_to_work(made)
    answer = went_to(request, f"/{made.kind}s/{made.id}")
    return keep_key(request, answer, made.id, key) if key else answer
