"""An exchange taken elsewhere: rolled, shared by a link, kept, or as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from shlex import quote
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, PlainTextResponse

from affray.api.access import check_owner
from affray.api.state import service_of
from affray.app.registry import system_named
from affray.app.sources import Table
from affray.app.views.toml_text import setup_text
from affray.core.errors import AffrayError
from affray.core.names import unknown
from affray.web.begun import check_begins, gone_to
from affray.web.forms import Form
from affray.web.odds_chart import odds_svg
from affray.web.odds_csv import odds_csv
from affray.web.odds_shown import odds_shown
from affray.web.packing import MOST_PACKED, packed, system_in
from affray.web.pages.price import PATIENT_S, answer_of, asked_in
from affray.web.rendering import shown, went_to
from affray.web.setups import Setup
from affray.web.wanted import Wanted

__all__ = ["router"]

router = APIRouter()

EXPORTS = ("setup.toml", "setup.json", "odds.csv", "odds.json", "chart.svg")


@router.post("/price/{system}/roll")
async def roll(request: Request, system: str, said: Form) -> Response:
    """Begin to play the exchange, from this very setup."""
    setup, _edited = await asked_in(request, system_named(system).id, said)
    table = setup.wanted.table or None
    await run_in_threadpool(check_begins, request, table)
    service = service_of(request)
    begin = partial(
        service.games.begin, "exchange", setup.wanted.system, Table(setup.table), table=table,
        means=service.tables.settings(table).means,
    )  # fmt: skip
    try:
        kept = await run_in_threadpool(begin)
    except AffrayError:  # the page says what is wrong, beside the fields
        return went_to(request, setup.wanted.address)
    return await run_in_threadpool(gone_to, request, kept)


@router.get("/price/{system}/share")
async def share(request: Request, system: str, said: Form) -> Response:
    """A link with the whole setup in it, and the question as a program sends it."""
    setup, _edited = await asked_in(request, system_named(system).id, said)
    wanted = setup.wanted
    text = packed(wanted.system, setup.table)
    saved = len(text) > MOST_PACKED
    if saved:
        check_owner(request)
        link = (
            (await run_in_threadpool(_kept, request, setup, setup.called))
            ._replace(of=wanted.of, given=wanted.given, objective=wanted.objective)
            .address
        )
    else:
        link = f"/open#{text}"
    base = str(request.base_url).rstrip("/")
    question = _question(setup)
    curl = (
        f"curl -s {base}/api/v1/systems/{wanted.system}/odds -H 'content-type: application/json' "
        f"-d {quote(json.dumps(question, ensure_ascii=False))}"
    )
    return shown(
        request, "share.html", 200, setup=setup, wanted=wanted, link=f"{base}{link}", saved=saved,
        curl=curl,
    )  # fmt: skip


def _kept(request: Request, setup: Setup, name: str) -> Wanted:
    """The address of a setup that is kept from now on."""
    documents = service_of(request).store.documents
    made = documents.keep("setup", setup.wanted.system, name[:200], setup.table)
    return Wanted(setup.wanted.system, setup=made)


def _question(setup: Setup) -> dict[str, object]:
    wanted = setup.wanted
    asked: dict[str, object] = {"setup": setup.table}
    if wanted.of:
        asked["of"] = list(wanted.of)
    if wanted.given:
        asked["given"] = list(wanted.given)
    if wanted.objective:
        asked["objective"] = wanted.objective
    return asked


@router.post("/price/{system}/keep")
async def keep(request: Request, system: str, said: Form) -> Response:
    """Keep a setup under a name, and show it."""
    setup, _edited = await asked_in(request, system_named(system).id, said)
    check_owner(request)
    name = said.text("name") or setup.called
    kept = await run_in_threadpool(_kept, request, setup, name)
    return went_to(request, kept.address)


@router.get("/price/{system}/{export}")
async def exported(request: Request, system: str, export: str, said: Form) -> Response:
    """The setup or its odds as a file."""
    if export not in EXPORTS:
        raise unknown("export of a setup", export, EXPORTS)
    setup, _edited = await asked_in(request, system_named(system).id, said)
    name = {"content-disposition": f'attachment; filename="{setup.wanted.system}-{export}"'}
    if export == "setup.toml":
        return PlainTextResponse(setup_text(setup.table), headers=name)
    if export == "setup.json":
        text = json.dumps(setup.table, ensure_ascii=False, indent=2) + "\n"
        return Response(text, media_type="application/json", headers=name)
    view = await _odds(request, setup)
    if export == "odds.json":
        return JSONResponse(dict(view))
    if export == "odds.csv":
        return Response(odds_csv(view), media_type="text/csv", headers=name)
    drawing = odds_svg(odds_shown(view), setup.wanted.show)
    return Response(drawing, media_type="image/svg+xml", headers=name)


async def _odds(request: Request, setup: Setup) -> Mapping[str, Any]:
    found = await answer_of(request, setup, "odds", seconds=PATIENT_S)
    if found.error is not None:
        raise found.error
    assert found.view is not None  # it was asked for
    return found.view


@router.get("/open")
def opened(request: Request) -> Response:
    """The page that a link with a setup leads to; the setup stands behind the #."""
    return shown(request, "open.html")


@router.post("/open")
def unpack(request: Request, said: Form) -> Response:
    """Show the setup of a link."""
    text = said.text("packed").rpartition("#")[2]
    system = system_named(system_in(text)).id
    return went_to(request, Wanted(system, packed=text).address)
