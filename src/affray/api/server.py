"""The server: one FastAPI app with its guards, its store and its workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_urlsafe

from fastapi import FastAPI

from affray.api import live
from affray.api.background import follow, tidy
from affray.api.bells import Bells
from affray.api.computers import Computers
from affray.api.guards import Guards
from affray.api.openapi import tell_openapi
from affray.api.problems import catch_errors
from affray.api.repeats import Repeats
from affray.api.routes import books, documents, games, jobs, questions, status, tables
from affray.api.seen import Seen
from affray.api.settings import Settings
from affray.api.state import Service
from affray.api.times import Timed
from affray.api.work.jobs import Jobs
from affray.api.work.workers import Size, Workers
from affray.app.kept_games import KeptGames
from affray.app.kept_tables import KeptTables
from affray.store.opening import open_store

__all__ = ["V1", "make_app"]

V1 = "/api/v1"


def make_app(settings: Settings | None = None) -> FastAPI:
    """The app of a server; its store and its workers live as long as it runs."""
    settings = settings or Settings()

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        with open_store(settings.place) as store:
            size = Size(waiting_of_client=settings.limits.waiting)
            bells, workers = Bells(), Workers(settings.workers, size)
            kept = KeptGames(
                store, lambda game: bells.ring(f"game:{game}"),
                lambda game: computers.set_to_work(game),  # noqa: PLW0108  # made below
            )  # fmt: skip
            computers = Computers(kept, workers)
            long = Jobs(
                workers, store.jobs, token_urlsafe(8), most_s=settings.limits.job_seconds,
                is_alone=not settings.database_url,
            )  # fmt: skip
            app.state.service = Service(
                settings, store, kept, workers, bells, Seen(), KeptTables(store), computers, long
            )  # fmt: skip
            behind = {
                asyncio.create_task(follow(store.changes, bells)),
                asyncio.create_task(tidy(store.database)),
            }
            async with workers, long:
                settings.ready()
                yield
                for task in behind:
                    task.cancel()
                await computers.end()

    app = FastAPI(
        docs_url=None, redoc_url=None, openapi_url=f"{V1}/openapi.json", lifespan=running,
        redirect_slashes=False,
    )  # fmt: skip
    catch_errors(app)
    tell_openapi(app)
    for part in (status, books, questions, games, jobs, tables, documents, live):
        app.include_router(part.router, prefix=V1)
    app.add_middleware(Repeats)
    app.add_middleware(Timed, times=lambda scope: scope["app"].state.service.times)
    app.add_middleware(Guards, settings=settings)
    return app
