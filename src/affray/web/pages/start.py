"""The first page: three doors, then a system and a case."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from affray.app import lookups
from affray.app.registry import system_ids, system_named
from affray.app.views.books import SystemRow
from affray.web.forms import Form
from affray.web.kept_here import games_here, tables_here
from affray.web.prices_here import prices_here
from affray.web.rendering import shown

__all__ = ["router"]

router = APIRouter()

MOST_FOUND = 30
MOST_RECENT = 4
"""Tables, and games, of this browser on the first page; all others are behind a link."""


@router.get("/")
def start(request: Request, said: Form) -> Response:
    """The doors; behind them the cases of a system, and a search for all other examples."""
    chosen = said.text("system", "eclipse-phase")
    system = system_row(system_named(chosen).id)
    words = said.text("find")
    found, more = matches(system, words) if words else ((), 0)
    return shown(
        request, "start.html", systems=[system_row(name) for name in system_ids()], system=system,
        cases=[row for row in system.examples if row.kind == "case"],
        fights=[row for row in system.fights if row.kind == "case"],
        words=words, found=found, more=more, tables=tables_here(request)[:MOST_RECENT],
        games=games_here(request)[:MOST_RECENT], prices=prices_here(request),
    )  # fmt: skip


def system_row(name: str) -> SystemRow:
    """A system with what it ships."""
    return lookups.list_systems(name).systems[0]


def matches(system: SystemRow, words: str) -> tuple[list[dict[str, str]], int]:
    """The shipped examples and fights that have all these words, and how many more there are."""
    wanted = words.lower().split()
    all_found = [
        {"name": row.name, "title": row.title or row.name, "kind": kind, "refused": row.kind}
        for kind, rows in (("exchange", system.examples), ("fight", system.fights))
        for row in rows
        if all(word in f"{row.name} {row.title} {row.purpose}".lower() for word in wanted)
    ]
    return all_found[:MOST_FOUND], max(0, len(all_found) - MOST_FOUND)
