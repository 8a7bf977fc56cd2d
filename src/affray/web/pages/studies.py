"""Studies: duels, battles, matrices and what-ifs, each a form and then a job."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from affray.api.problems import told_of
from affray.api.routes.jobs import CLIENT
from affray.api.state import service_of
from affray.app.inputs.intake import InputError
from affray.app.lookups import list_systems, show_example
from affray.app.registry import system_ids, system_named
from affray.app.sweep import MOST_CELLS
from affray.core.errors import AffrayError
from affray.web.brought import brought
from affray.web.forms import Form, Said
from affray.web.number_fields import Exchange, NumberField, matching
from affray.web.rendering import shown, went_to
from affray.web.study_form import KINDS, Choice, choices, defaults, question_in
from affray.web.varied import RulingField, varied_fields

__all__ = ["router"]

router = APIRouter()

AT_ONCE_S = 1.0
"""Seconds for which a short question is waited for, so that its page has the answer at once."""


@router.get("/study/{system}")
def study(request: Request, system: str, said: Form) -> Response:
    """The form of a study."""
    return _form(request, system, said, None, 200)


@router.post("/study/{system}")
async def ask(request: Request, system: str, said: Form) -> Response:
    """Begin the study that a form asks for, and go to its page."""
    found = system_named(system).id
    try:
        kind, arguments = await run_in_threadpool(question_in, found, _kind(request, said), said)
        seconds = said.text("seconds")
        service = service_of(request)
        job = await service.jobs.start(
            kind, arguments, client=CLIENT,
            seconds=float(seconds[:9]) if seconds.isdecimal() else None,
        )  # fmt: skip
    except AffrayError as error:
        return await run_in_threadpool(_form, request, system, said, error, 422)
    with suppress(TimeoutError):
        await asyncio.wait_for(service.jobs.ended(job.id), AT_ONCE_S)
    return went_to(request, f"/jobs/{job.id}")


def _kind(request: Request, said: Said) -> str:
    of = said.text("of", request.query_params.get("of", "duel"))
    if of not in KINDS:
        raise InputError(f"of: {of[:40]!r}; allowed: {', '.join(KINDS)}")
    return of


def _form(
    request: Request, system: str, said: Said, error: AffrayError | None, status: int
) -> Response:
    row = list_systems(system_named(system).id).systems[0]
    of = _kind(request, said)
    lists, typed = choices(row.id), defaults(of, said)
    faults = [] if error is None else [*error.faults]
    wrong = {one.where.strip("/").split("/")[0]: one.what for one in faults}
    numbers: tuple[NumberField | RulingField, ...] = ()
    more = 0
    if of == "sweep":
        lists["cases"] = _cases(request, row.id, said, lists["cases"], typed)
        fields = varied_fields(row.id, Exchange(typed["case"], typed["packed"]))
        numbers, more = _found(fields, typed)
        lists["across"] = (
            Choice("", "nothing: a curve"),
            *(Choice(one.path, one.title) for one in fields if one.now_told),
        )
    return shown(
        request, "study.html", status, system=row,
        systems=[list_systems(name).systems[0] for name in system_ids()],
        of=of, kinds=KINDS, lists=lists, said=typed, wrong=wrong,
        told="" if error is None else told_of(error), numbers=numbers, more=more,
        most_cells=MOST_CELLS,
    )  # fmt: skip


def _cases(
    request: Request, system: str, said: Said, cases: tuple[Choice, ...], typed: dict[str, str]
) -> tuple[Choice, ...]:
    """The exchanges to choose from; one that the address brings along is packed and comes first."""
    own = brought(request, system, said)
    if own is not None:
        typed |= {"packed": own.packed} | ({"case": ""} if own.is_new else {})
        return (Choice("", own.title), *cases)
    typed["case"] = typed["case"] or cases[0].value
    if typed["case"] not in {choice.value for choice in cases}:
        example = show_example(system, typed["case"]).example
        return (Choice(example.name, example.title), *cases)
    return cases


def _found(
    fields: tuple[NumberField | RulingField, ...], typed: dict[str, str]
) -> tuple[tuple[NumberField | RulingField, ...], int]:
    """What to choose from, the chosen one first; and how many more fit the words."""
    found, n_found = matching(fields, typed["find"])
    chosen = tuple(one for one in fields if one.path == typed["path"])
    return (*chosen, *(one for one in found if one not in chosen)), max(0, n_found - len(found))
