"""Keys of games and tables in a browser: one cookie for each, the oldest forgotten.

With very many, games are forgotten before tables, and the server's key never.
"""

from __future__ import annotations

from fastapi import Request, Response

from affray.api.access import cookie_of
from affray.api.state import service_of
from affray.store.errors import NotKeptError

__all__ = ["DAYS_S", "keep_key"]

DAYS_S = 180 * 86_400
MOST = 60
"""Keys that a browser keeps; with more, requests would grow too large."""
PREFIX = cookie_of("")


def keep_key(request: Request, answer: Response, place: str, key: str) -> Response:
    """Let the browser keep the key of a game or a table; it goes back to this server only.

    Args:
        request: of the browser.
        answer: on which the key goes along; it is returned.
        place: id of the game or table.
        key: of it.
    """
    known = {cookie_of(place), cookie_of("server")}
    kept = [
        name for name in request.cookies  # browsers send the oldest first
        if name.startswith(PREFIX) and name not in known
    ]  # fmt: skip
    if len(kept) >= MOST:
        kept.sort(key=lambda name: _is_for_table(request, request.cookies[name]))
    for name in kept[: max(0, len(kept) + 1 - MOST)]:
        answer.delete_cookie(name)
    answer.set_cookie(
        cookie_of(place), key, max_age=DAYS_S, httponly=True, samesite="lax",
        secure=request.url.scheme == "https",
    )  # fmt: skip
    return answer


def _is_for_table(request: Request, key: str) -> bool:
    try:
        return service_of(request).store.tabletops.link_of(key).tabletop is not None
    except NotKeptError:
        return False
