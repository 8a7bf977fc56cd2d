"""The one socket of a page: what changes comes as parts of the page, made by the server."""

from __future__ import annotations

from fastapi import APIRouter, WebSocket

from affray.api.live import Topics, talk
from affray.web.live_games import game_news
from affray.web.live_jobs import job_news
from affray.web.people import table_news
from affray.web.wall import wall_news

__all__ = ["TOPICS", "router"]

router = APIRouter()

TOPICS: Topics = {
    "game": game_news, "game.projector": wall_news, "job": job_news, "table": table_news,
}  # fmt: skip
"""What a page can watch; news of it are `{"parts": {name: HTML}}`."""


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """The socket of a page."""
    await talk(socket, TOPICS)
