"""The site: the pages, and the API in the same process."""

from __future__ import annotations

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from affray.api.guards import BROKEN
from affray.api.problems import status_of, told_of
from affray.api.server import V1, make_app
from affray.api.settings import Settings
from affray.core.errors import AffrayError
from affray.web import live
from affray.web.pages import (
    fight_asked,
    fight_setup,
    games,
    jobs,
    joining,
    play,
    price,
    price_exports,
    projector,
    rules,
    sheets,
    start,
    studies,
    tables,
)
from affray.web.rendering import STATIC, refused

__all__ = ["make_site"]

PARTS = (
    start,
    price,
    price_exports,
    sheets,
    fight_setup,
    fight_asked,
    play,
    studies,
    jobs,
    rules,
    tables,
    joining,
    games,
    projector,
    live,
)
"""What the site is made of; of two routes that fit an address, the first one answers."""


def make_site(settings: Settings | None = None) -> FastAPI:
    """The API's app with the pages beside it; both work on the same store and workers."""
    app = make_app(settings)
    pages = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    pages.state = app.state  # the same service
    for part in PARTS:
        pages.include_router(part.router)
    pages.mount("/static", _Kept(directory=STATIC))
    pages.add_exception_handler(AffrayError, _refused)
    pages.add_exception_handler(HTTPException, _http)
    pages.add_exception_handler(Exception, _broken)
    app.router.routes.append(_Pages("/", pages))
    return app


class _Pages(Mount):
    """The pages, which leave everything below the API's path to the API, wrong methods too."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request is for a page."""
        is_for_api = f"{scope['path']}/".startswith(f"{V1}/")
        return (Match.NONE, {}) if is_for_api else super().matches(scope)


class _Kept(StaticFiles):
    """Files of ours: an address with the digest of the content may be kept for ever."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                how = (
                    b"public, max-age=31536000, immutable" if scope["query_string"] else b"no-cache"
                )
                message["headers"] = [*message["headers"], (b"cache-control", how)]
            await send(message)

        await super().__call__(scope, receive, sending)


async def _refused(request: Request, error: Exception) -> Response:
    """Anything that was refused, as a page."""
    assert isinstance(error, AffrayError)
    if isinstance(error.__cause__, AffrayError):
        error = error.__cause__
    return refused(request, status_of(error), told_of(error))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, AffrayError):  # FastAPI hides what reading a body raised
        return await _refused(request, error.__cause__)
    told = "there is no such page" if error.status_code == 404 else str(error.detail)
    return refused(request, error.status_code, told)


async def _broken(request: Request, _error: Exception) -> Response:
    """A fault of the program; the server writes it into its log."""
    return refused(request, 500, BROKEN)
