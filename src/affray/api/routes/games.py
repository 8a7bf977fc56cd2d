"""Exchanges and fights that people play: begun, looked at, changed, forked, watched.

Both kinds have the same routes, under `/exchanges` and `/fights`. Every route but the one that
begins a game wants a key of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from affray.api import live
from affray.api.access import Access, access_to_table, check_owner, made_key
from affray.api.answers import STREAM, Given, answered, sheet_body, takes, tells
from affray.api.changing import change_game, open_game
from affray.api.problems import Problem
from affray.api.repeats import ISSUED
from affray.api.routes.questions import MORE, asked
from affray.api.seen import game_view
from affray.api.state import service_of
from affray.api.work.questions import QUESTIONS
from affray.app.begun import BeginExchange, BeginFight
from affray.app.change_schema import change_schema
from affray.app.exports import FORMS, PARTS, export
from affray.app.follows import AfterExchange, AfterFight, next_view
from affray.app.given import Given as Table
from affray.app.inputs.checking import validated
from affray.app.inputs.intake import Raw
from affray.app.kept_games import Kept, sides_of
from affray.app.kept_tables import game_row
from affray.app.revisions import EVERYTHING
from affray.app.rights import check_before, check_numbers
from affray.app.roles import MASTER, SPECTATOR, Role, as_role
from affray.app.views.advice import AdviceView
from affray.app.views.exports import ExportView
from affray.app.views.fight_reports import ChancesView, FightReportView
from affray.app.views.hit_chances import HitChancesView
from affray.app.views.kept_games import GameView, NextView, SavedView
from affray.app.views.service import GamesView
from affray.core.errors import MovedOnError

__all__ = ["router"]

router = APIRouter(tags=["games"])

Id = Annotated[str, Path(min_length=1, max_length=64, description="Id of the game.")]
Since = Annotated[
    int | None, Query(ge=0, le=2**53, description="Only what happened after this revision.")
]
As = Annotated[
    str, Query(alias="as", max_length=200, description="For the master: look as a side does.")
]
Form = Annotated[str, Path(description=f"One of {', '.join(FORMS)}.", max_length=40)]
Part = Annotated[str, Query(description=f"One of {', '.join(PARTS)}.", max_length=40)]
Number = Annotated[int | None, Query(ge=1, le=10**6, description="Of the exchange.")]
Cursor = Annotated[int | None, Query(ge=1, le=2**53, description="`next` of the page before.")]
PAGE = 50
ERRORS = "401 403 404"
FORK: Raw = {
    "type": "object",
    "properties": {
        "moves": {"type": "integer", "minimum": 0, "description": "How many the new one has."}
    },
    "additionalProperties": False,
}


@router.get("/games", operation_id="listGames", responses=tells(GamesView, errors="401"))
def games(request: Request, after: Cursor = None) -> Response:
    """List all games that are kept here, the one changed last first."""
    check_owner(request)
    found = service_of(request).store.games.listed(before=after, most=PAGE + 1)
    rows, more = found[:PAGE], found[PAGE:]
    return answered(GamesView(tuple(map(game_row, rows)), str(rows[-1].changed) if more else ""))


def _question(name: str, example: Raw) -> dict[str, object]:
    """The body of a question about a game."""
    schema = sheet_body(QUESTIONS[name], without=frozenset({"game"}), more=MORE)
    return takes(schema, example)


def _routes(
    kind: str,
    sheet: type[BeginFight | BeginExchange],
    example: Raw,
    after: type[AfterFight | AfterExchange],
) -> None:
    """Make the routes that both kinds of games have."""
    called, path = kind.capitalize(), f"/{kind}s"
    one = f"{path}/{{game}}"

    @router.post(
        path,
        operation_id=f"begin{called}",
        responses=tells(GameView, status=201, errors="401 403 404 413"),
        openapi_extra=takes(sheet_body(sheet), example),
    )
    def begin(request: Request, body: Given) -> Response:
        """Begin one; the answer has the key of its master."""
        wanted = validated(sheet, body, "body")
        assert isinstance(wanted, BeginFight | BeginExchange)  # the sheet
        if wanted.table:
            _check_master(access_to_table(request, wanted.table))
        else:
            check_owner(request)
        service, table = service_of(request), wanted.table or None
        kept = service.games.begin(
            kind, wanted.system, wanted.source, wanted.changes, seats=wanted.seats, table=table,
            means=service.tables.settings(table).means,
        )  # fmt: skip
        return _made(request, kept)

    @router.get(one, operation_id=f"show{called}", responses=tells(GameView, errors=ERRORS))
    def show(request: Request, game: Id, since: Since = None, role: As = "") -> Response:
        """Show it as the role of the key sees it; with `since` only what is new."""
        kept, access = open_game(request, kind, game)
        return answered(game_view(kept, _looking(access, role, kept), since))

    @router.post(
        f"{one}/changes",
        operation_id=f"change{called}",
        responses=tells(GameView, errors=f"{ERRORS} 409 413"),
        openapi_extra=takes(change_schema(kind), {"do": "roll", "at": 0}),
    )
    def change(request: Request, game: Id, body: Given) -> Response:
        """Answer, lay dice, say a turn in one line, take back, give somebody a hand, and so on.

        The answer has what happened after the revision that the change names with `at`.
        """
        kept, access = open_game(request, kind, game)
        return _changed(request, kept, access, body)

    @router.post(
        f"{one}/fork",
        operation_id=f"fork{called}",
        responses=tells(GameView, status=201, errors=f"{ERRORS} 413"),
        openapi_extra=takes(FORK, {"moves": 1}),
    )
    def fork(request: Request, game: Id, body: Given) -> Response:
        """Begin a new one with its first moves, to go on another way."""
        kept, access = open_game(request, kind, game)
        _check_master(access)
        given = Table(body, "fork")
        moves = given.number("moves", len(kept.game.moves))
        given.check_all_read()
        return _made(request, service_of(request).games.fork(game, moves))

    @router.get(
        f"{one}/saved", operation_id=f"save{called}", responses=tells(SavedView, errors=ERRORS)
    )
    def saved(request: Request, game: Id) -> Response:
        """Get it as a table that any affray goes on with; for its master."""
        kept, access = open_game(request, kind, game)
        _check_master(access)
        return answered(SavedView(_saved(kept)))

    @router.post(
        f"{one}/next",
        operation_id=f"next{called}",
        responses=tells(NextView, errors=f"{ERRORS} 413"),
        openapi_extra=takes(sheet_body(after), {}),
    )
    def following(request: Request, game: Id, body: Given) -> Response:
        """Get what follows it when it is over, to begin that with; for its master."""
        kept, access = open_game(request, kind, game)
        _check_master(access)
        wanted = validated(after, body, "body")
        assert isinstance(wanted, AfterFight | AfterExchange)  # the sheet
        return answered(next_view(kept.game, wanted))

    @router.get(
        f"{one}/export/{{form}}",
        operation_id=f"export{called}",
        responses=tells(ExportView, errors=ERRORS),
    )
    def exported(
        request: Request, game: Id, form: Form, part: Part = "log", number: Number = None
    ) -> Response:
        """Get its log, an exchange or its last roll as a text for a chat or a virtual tabletop."""
        kept, access = open_game(request, kind, game)
        with kept.lock:
            seen = kept.game.view(access.role, since=EVERYTHING)
        return answered(export(seen, form, part, number))

    @router.get(
        f"{one}/events",
        operation_id=f"watch{called}",
        response_class=StreamingResponse,
        responses=STREAM,
    )
    async def events(request: Request, game: Id) -> StreamingResponse:
        """Watch it as server-sent events; `Last-Event-ID` is the revision that is known."""
        return await live.stream(request, f"game:{game}")

    @router.post(
        f"{one}/advise",
        operation_id=f"advise{called}",
        responses=tells(AdviceView, errors=f"{ERRORS} 413"),
        openapi_extra=_question("advise", {"limits": {"seconds": 1}}),
    )
    async def advise(request: Request, game: Id, body: Given) -> Response:
        """Tell what each option of the open decision is worth."""
        kept, access = await run_in_threadpool(open_game, request, kind, game)
        stands = kept.game  # the same for the check and the question, whatever happens meanwhile
        check_before(stands, access.role)
        return await asked(request, "advise", {**body, "game": stands.saved})


_routes(
    "exchange", BeginExchange, {"system": "eclipse-phase", "setup": "jinx-shoots"}, AfterExchange
)
_routes("fight", BeginFight, {"system": "empty-earth", "fight": ["bo", "2xhusk"]}, AfterFight)


@router.post(
    "/fights/{game}/chances",
    operation_id="chancesFight",
    responses=tells(ChancesView, errors=f"{ERRORS} 413"),
    openapi_extra=_question("chances", {"limits": {"seconds": 1}}),
)
async def chances(request: Request, game: Id, body: Given) -> Response:
    """Tell how likely each side is to win from here."""
    kept, access = await run_in_threadpool(open_game, request, "fight", game)
    stands = kept.game
    check_numbers(stands, access.role)
    return await asked(request, "chances", {**body, "game": stands.saved})


@router.post(
    "/fights/{game}/hits",
    operation_id="hitsFight",
    responses=tells(HitChancesView, errors=f"{ERRORS} 413"),
    openapi_extra=_question("hits", {"limits": {"seconds": 1}}),
)
async def hits(request: Request, game: Id, body: Given) -> Response:
    """Tell how likely the attack hits, with each option of the open turn."""
    kept, access = await run_in_threadpool(open_game, request, "fight", game)
    stands = kept.game
    check_before(stands, access.role)
    return await asked(request, "hits", {**body, "game": stands.saved})


@router.post(
    "/fights/{game}/report",
    operation_id="reportFight",
    responses=tells(FightReportView, errors=f"{ERRORS} 413"),
    openapi_extra=_question("report", {"limits": {"seconds": 5}}),
)
async def report(request: Request, game: Id, body: Given) -> Response:
    """Look back at it: luck, costly decisions, who carried it; before the end for its master."""
    kept, access = await run_in_threadpool(open_game, request, "fight", game)
    stands = kept.game
    if stands.question is not None:
        _check_master(access)
    return await asked(request, "report", {**body, "game": stands.saved})


def _check_master(access: Access) -> None:
    if access.role.kind != "master":
        raise Problem("forbidden", "only the master may do this")


def _looking(access: Access, role: str, kept: Kept) -> Role:
    """The role in which somebody looks; a master may take another one."""
    if not role:
        return access.role
    _check_master(access)
    return SPECTATOR if role == SPECTATOR.kind else as_role(role, sides_of(kept.game))


def _saved(kept: Kept) -> Raw:
    with kept.lock:
        return kept.game.saved


def _made(request: Request, kept: Kept) -> Response:
    """The answer with a game that has just been made; without a table it comes with its key."""
    headers = {"location": f"/api/v1/{kept.kind}s/{kept.id}"}
    link, key = made_key(request, kept)
    if key:
        headers[ISSUED] = f"{link} {key}"
    service_of(request).computers.set_to_work(kept)
    return answered(game_view(kept, MASTER, key=key), 201, **headers)


def _changed(
    request: Request, kept: Kept, access: Access, change: Mapping[str, object]
) -> Response:
    try:
        after = change_game(request, kept, access, change)
    except MovedOnError as error:
        seen = game_view(kept, access.role)
        shown = seen.fight or seen.exchange
        assert shown is not None  # one of them is there
        more = {"revision": seen.revision, "question": shown.question}
        raise Problem("moved-on", str(error), more=more) from None
    if after is None:
        told = replace(game_view(kept, access.role), told=("The game master has been asked.",))
        return answered(told, 202)
    at = change.get("at")
    since = at if isinstance(at, int) else None
    return answered(game_view(kept, access.role, since, after=after))
