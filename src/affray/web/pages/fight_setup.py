"""The page on which a fight is set up, and the way from it into the fight."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request, Response

from affray.api.state import service_of
from affray.app.fight import Fight
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.intake import InputError, table_of
from affray.app.lookups import list_systems
from affray.app.registry import system_ids
from affray.app.sources import Shipped, Table
from affray.core.errors import AffrayError, Fault
from affray.web.begun import check_begins, gone_to
from affray.web.fight_setup import SEATS, Setup
from affray.web.forms import Form, Said
from affray.web.rendering import shown

__all__ = ["router"]

router = APIRouter()

PASTED = "what you pasted"


@router.get("/fight/{system}")
def set_up(request: Request, system: str, said: Form) -> Response:
    """The form: a shipped case, or both sides from the roster."""
    setup = Setup(system, said)
    names: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    try:
        names = _names(Fight.begin(setup.system.id, setup.source, setup.changes))
    except AffrayError as error:
        faults = tuple(one for one in error.faults if one.code != "missing")
    return _form(request, setup, faults, names)


@router.post("/fights")
def begin(request: Request, said: Form) -> Response:
    """Begin the fight, and go there; or show the form again, with what is wrong beside it."""
    setup = Setup(said.text("system"), said)
    table = said.text("table") or None
    check_begins(request, table)
    service = service_of(request)
    try:
        system, source, changes, seats = _wanted(setup)
        kept = service.games.begin(
            "fight", system, source, changes, seats=seats, table=table,
            means=service.tables.settings(table).means,
        )  # fmt: skip
    except AffrayError as error:
        told = {one.where for one in error.faults}
        empty = () if "text" in said else setup.nobody
        more = tuple(one for one in empty if one.where not in told)
        return _form(request, setup, (*error.faults, *more), status=422)
    return gone_to(request, kept)


def _wanted(
    setup: Setup,
) -> tuple[str, Shipped | Table, FightChanges, Mapping[str, str]]:
    """The system, the fight, its changes and its seats, from the form or from what was pasted."""
    text = setup.said.text("text")
    if not text:
        if "text" in setup.said:
            raise InputError("there is nothing to read; paste a fight as TOML or JSON")
        return setup.system.id, setup.source, setup.changes, setup.seats
    table = table_of(text, PASTED)
    system = table.get("system")
    known = isinstance(system, str) and system in system_ids()
    seats = {} if "seats" in table else setup.seats  # a saved fight knows who sits where
    return (
        str(system) if known else setup.system.id, Table(table, PASTED), FIGHT_AS_WRITTEN, seats
    )  # fmt: skip


def _names(fight: Fight) -> tuple[str, ...]:
    return tuple(side.name for side in fight.loaded.contest.sides)


def _form(
    request: Request, setup: Setup, faults: tuple[Fault, ...], names: tuple[str, ...] = (),
    status: int = 200,
) -> Response:  # fmt: skip
    said = setup.said
    system = list_systems(setup.system.id).systems[0]
    case = next((row for row in system.fights if row.name == setup.case), None)
    return shown(
        request, "fight_setup.html", status, system=system, setup=setup, case=case,
        cases=[row for row in system.fights if row.kind == "case"],
        sides=setup.sides(faults, names), roster=setup.roster(), fields=setup.fields(faults),
        ways=setup.first(), seats=SEATS, first=said.text("first"), rounds=said.text("rounds"),
        table=said.text("table"), text=said.text("text"), faults=setup.left_over(faults),
        many_wrong=len(faults), beside=setup.beside(faults),
        ready=bool(names), open=_is_open(said, faults),
    )  # fmt: skip


def _is_open(said: Said, faults: tuple[Fault, ...]) -> bool:
    """Whether the situation is shown: something is said of it, or is wrong with it."""
    is_said = any(value.strip() for value in said.below("now.").values())
    return is_said or any("situation" in one.where for one in faults)
