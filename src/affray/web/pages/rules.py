"""The rules: clauses with what became of them, rulings with what they change, errata, profiles."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from affray.api.routes.questions import ask_worker
from affray.app.files.proofs import proofs_beside, proofs_by_clause
from affray.app.lookups import list_systems, show_rules
from affray.app.registry import system_named
from affray.app.rulings import list_rulings
from affray.app.views.books import ClauseRow, RulingsView, SystemRow
from affray.app.views.decoded import view_from
from affray.core.telling import plain_key
from affray.web.brought import Brought, brought
from affray.web.clause_examples import cases_by_clause
from affray.web.forms import Form, Said
from affray.web.packing import unpacked
from affray.web.rendering import shown
from affray.web.ruling_rows import errata_rows, profile_rows, ruling_rows

__all__ = ["router"]

router = APIRouter()

MOST_CASES = 3
OWN = "own"
"""Prices all in the exchange that the address brings along."""
EACH = "each"
"""Prices each ruling in the example that shows it, instead of all in one."""


@cache
def clauses_of(system: str) -> tuple[ClauseRow, ...]:
    """The clauses of a system with code and tests; the tests are looked for once."""
    found = system_named(system)
    folder = proofs_beside(found)
    proofs = proofs_by_clause(found, folder) if folder else {}
    return show_rules(system, proofs=proofs).clauses


@router.get("/rules")
def systems(request: Request) -> Response:
    """The books."""
    return shown(request, "books.html", systems=list_systems().systems)


@router.get("/rules/{system}")
async def rules(request: Request, system: str, said: Form) -> Response:
    """The clauses of a book, found by words; or its rulings, and what they change."""
    row = list_systems(system_named(system).id).systems[0]
    if said.text("of") != "rulings":
        return await run_in_threadpool(_clauses, request, row, said)
    case, words = said.text("case"), said.text("find")
    cases = [("", "not priced"), (EACH, "each in the example that shows it")]
    own = await run_in_threadpool(brought, request, row.id, said)
    if own is not None:
        cases.append((OWN, own.title))
        case = OWN if own.is_new else case
    view = await _priced(request, row.id, case, own) if case else list_rulings(row.id)
    cases += [(one.name, one.title) for one in row.examples if one.kind == "case"]
    if case not in dict(cases):
        cases.append((case, plain_key(case)))
    return shown(
        request, "rulings.html", system=row, systems=list_systems().systems, find=words, case=case,
        cases=cases, packed=own.packed if own else "",
        rulings=[one for one in ruling_rows(row, view) if _fits(one.words, words)],
        is_one=case not in {"", EACH}, profiles=profile_rows(view), errata=errata_rows(view),
        partial="Some rulings are not priced, since the time was over." if view.partial else "",
    )  # fmt: skip


def _clauses(request: Request, row: SystemRow, said: Said) -> Response:
    words, status = said.text("find"), said.text("status")
    rows = clauses_of(row.id)
    found = [
        one for one in rows
        if _fits(f"{one.id} {one.source} {one.title} {one.reason}", words)
        and status in {"", one.status}
    ]  # fmt: skip
    statuses = [("", "any"), *((name, name) for name in dict.fromkeys(one.status for one in rows))]
    return shown(
        request, "rules.html", system=row, systems=list_systems().systems, find=words, rows=found,
        status=status, statuses=statuses, n=len(rows),
    )  # fmt: skip


@router.get("/rules/{system}/{clause}")
def clause(request: Request, system: str, clause: str) -> Response:
    """One clause: what it is about, what became of it, its code, tests, rulings and cases."""
    row = list_systems(system_named(system).id).systems[0]
    (found,) = show_rules(row.id, clause).clauses
    rows = clauses_of(row.id)
    at = [one.id for one in rows].index(found.id)
    view = list_rulings(row.id)
    return shown(
        request, "clause.html", system=row, row=rows[at],
        before=rows[at - 1].id if at else "", after=rows[at + 1].id if at + 1 < len(rows) else "",
        cases=cases_by_clause(row.id).get(found.id, ())[:MOST_CASES], place=rows[at].source,
        rulings=[one for one in ruling_rows(row, view) if found.id in one.clauses],
        errata=errata_rows(view, found.id),
    )  # fmt: skip


async def _priced(request: Request, system: str, case: str, own: Brought | None) -> RulingsView:
    """The rulings with what they change in an exchange; a worker prices them."""
    asked: dict[str, object] = {"system": system}
    if case != EACH:
        asked["setup"] = unpacked(own.packed, system) if own and case == OWN else case
    view = view_from((RulingsView,), await ask_worker(request, "rulings", asked))
    assert isinstance(view, RulingsView)
    return view


def _fits(text: str, words: str) -> bool:
    return all(word in text.lower() for word in words.lower().split())
