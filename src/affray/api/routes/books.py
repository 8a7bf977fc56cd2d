"""Looking things up: systems, examples, fights, rosters, clauses, rulings, schemas."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response

from affray.api.answers import Given, answered, takes, tells, unless_known
from affray.app import lookups
from affray.app.check import check_table
from affray.app.files.proofs import proofs_beside, proofs_by_clause
from affray.app.given import Given as Table
from affray.app.inputs.intake import table_of
from affray.app.registry import system_named
from affray.app.rulings import show_rulings
from affray.app.views.books import (
    ExampleView,
    RosterView,
    RulesView,
    RulingsView,
    SchemaView,
    SystemsView,
)
from affray.app.views.checked import CheckedView

__all__ = ["router"]

router = APIRouter(tags=["books"])


@router.get("/systems", operation_id="listSystems", responses=tells(SystemsView))
def systems(request: Request) -> Response:
    """List the systems with their examples, fights, outcome fields and objectives."""
    return unless_known(request, answered(lookups.list_systems()))


@router.get(
    "/systems/{system}", operation_id="showSystem", responses=tells(SystemsView, errors="404")
)
def system(request: Request, system: str) -> Response:
    """Show one system."""
    return unless_known(request, answered(lookups.list_systems(system_named(system).id)))


@router.get(
    "/systems/{system}/roster",
    operation_id="showRoster",
    responses=tells(RosterView, errors="404"),
)
def roster(request: Request, system: str, only: str = "") -> Response:
    """List ready fighters, weapons and so on; `only` is a section or the name of an entry."""
    return unless_known(request, answered(lookups.show_roster(system, only)))


@router.get(
    "/systems/{system}/clauses",
    operation_id="listClauses",
    responses=tells(RulesView, errors="404"),
)
def clauses(request: Request, system: str) -> Response:
    """List the clauses of a book, each with its status, the code and the tests."""
    return unless_known(request, answered(_rules(system)))


@router.get(
    "/systems/{system}/clauses/{clause}",
    operation_id="showClause",
    responses=tells(RulesView, errors="404"),
)
def clause(request: Request, system: str, clause: str) -> Response:
    """Show one clause."""
    return unless_known(request, answered(_rules(system, clause)))


def _rules(system: str, clause: str = "") -> RulesView:
    found = system_named(system)
    folder = proofs_beside(found)
    proofs = proofs_by_clause(found, folder) if folder else {}
    return lookups.show_rules(system, clause, proofs=proofs)


@router.get(
    "/systems/{system}/rulings",
    operation_id="listRulings",
    responses=tells(RulingsView, errors="404"),
)
def rulings(request: Request, system: str) -> Response:
    """List where a book is silent or contradicts itself, with every reading."""
    return unless_known(request, answered(show_rulings(system, None)))


@router.get(
    "/systems/{system}/schemas/setup",
    operation_id="showSetupSchema",
    responses=tells(SchemaView, errors="404"),
)
def setup_schema(request: Request, system: str) -> Response:
    """Show the JSON Schema of a system's setups."""
    return unless_known(request, answered(lookups.show_schema(system)))


@router.get(
    "/systems/{system}/schemas/fight",
    operation_id="showFightSchema",
    responses=tells(SchemaView, errors="404"),
)
def fight_schema(request: Request, system: str) -> Response:
    """Show the JSON Schema of a system's fights."""
    return unless_known(request, answered(lookups.show_schema(system, fight=True)))


@router.get(
    "/systems/{system}/examples/{name}",
    operation_id="showExample",
    responses=tells(ExampleView, errors="404"),
)
def example(request: Request, system: str, name: str) -> Response:
    """Show an example with its table."""
    return unless_known(request, answered(lookups.show_example(system, name)))


@router.get(
    "/systems/{system}/fights/{name}",
    operation_id="showFightExample",
    responses=tells(ExampleView, errors="404"),
)
def fight(request: Request, system: str, name: str) -> Response:
    """Show a shipped fight with its table."""
    return unless_known(request, answered(lookups.show_example(system, name, fight=True)))


CHECKED = {
    "type": "object",
    "properties": {
        "setup": {"type": "object"},
        "fight": {"type": "object"},
        "text": {"type": "string", "description": "A setup or a fight in TOML or JSON."},
    },
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
}


@router.post(
    "/systems/{system}/check",
    operation_id="checkTable",
    responses=tells(CheckedView, errors="404 413"),
    openapi_extra=takes(CHECKED, {"setup": {"attacker": "jinx", "defender": "exhuman"}}),
)
def check(request: Request, system: str, body: Given) -> Response:
    """Check a setup or a fight: every fault at once; a table with faults is no error."""
    given = Table(body, "check")
    if len(body) != 1:
        given.refuse("", "needs one of setup, fight and text")
    text = given.text("text", "")
    setup, fight = given.table("setup"), given.table("fight")
    given.check_all_read()
    table = table_of(text, "text") if text else setup or fight
    is_fight = "fight" in body or {"one", "other"} <= table.keys()
    kind: Literal["setup", "fight"] = "fight" if is_fight else "setup"
    return unless_known(request, answered(check_table(system, table, kind)))
