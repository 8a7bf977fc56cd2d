"""A game as it hangs on the wall: as a spectator sees it, with nothing to press."""

from __future__ import annotations

import json

from starlette.requests import HTTPConnection

from affray.api.access import access_to_game
from affray.api.state import service_of
from affray.api.topics import News
from affray.app.kept_games import Kept
from affray.app.roles import SPECTATOR
from affray.web.live_games import context_of, looked_at
from affray.web.logs import log_of
from affray.web.rendering import parts_of

__all__ = ["wall_context", "wall_news"]

MOST_SAID = 3
"""Sentences of what happened last."""
PARTS = ("wall_turn", "wall_said", "turns", "fighters", "map")


def wall_context(connection: HTTPConnection, kept: Kept) -> dict[str, object]:
    """What `projector.html` names."""
    look = looked_at(connection, kept, SPECTATOR)
    said = [
        f"{entry.who}: {text}" if entry.who else text
        for entry in log_of(look).entries[-MOST_SAID:]
        for text in entry.said
    ]
    return {"sides": (), "map": None, "turns": None, **context_of(look), "said": said[-MOST_SAID:]}


def wall_news(connection: HTTPConnection, name: str, key: str, since: int | None) -> News:
    """What is new on the wall."""
    kept = service_of(connection).games.kept(name)
    access = access_to_game(connection, kept, key)
    with kept.lock:
        revision = kept.game.revision
        parts = parts_of("projector.html", PARTS, wall_context(connection, kept))
    return News((revision, kept.table), revision, json.dumps({"parts": parts}), access)
