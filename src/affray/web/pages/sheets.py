"""Sheets of fighters; own setups and fighters are pasted, checked and saved, all faults at once."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request, Response

from affray.api.access import check_owner
from affray.api.state import service_of
from affray.app.check import check_setup
from affray.app.inputs.fight_sheets import section_of_fighters
from affray.app.inputs.intake import InputError, Raw, table_of
from affray.app.lookups import show_roster, show_schema
from affray.app.registry import system_named
from affray.app.sheets import show_sheets
from affray.app.sources import Table
from affray.core.errors import AffrayError, Fault
from affray.web.forms import Form
from affray.web.pages.start import system_row
from affray.web.rendering import shown, went_to
from affray.web.setup_sources import document_here, two_fighters
from affray.web.wanted import SHEET, Wanted

__all__ = ["router"]

router = APIRouter()

PASTED = "what you pasted"
MOST_LISTED = 50
MOST_NAME = 200


@router.get("/sheets/{system}")
def sheets(request: Request, system: str) -> Response:
    """What is saved here, and the form for more."""
    check_owner(request)
    return _page(request, system_named(system).id)


@router.post("/sheets/{system}")
def save(request: Request, system: str, said: Form) -> Response:
    """Save what was pasted, or tell everything that is wrong with it."""
    check_owner(request)
    found = system_named(system).id
    text, name = said.text("text"), said.text("name")
    try:
        if not text:
            raise InputError("there is nothing to read; paste a setup or a fighter")
        table = table_of(text, PASTED)
        kind = "setup" if table.keys() & _keys_of_setups(found) else "sheet"
        faults = _faults(found, kind, table)
    except AffrayError as error:
        faults = error.faults
    if faults:
        return _page(request, found, text=text, name=name, faults=faults)
    called = (name or str(table.get("title") or table.get("name") or "without a name"))[:MOST_NAME]
    made = service_of(request).store.documents.keep(kind, found, called, table)
    return went_to(request, _address(found, kind, made))


@router.post("/sheets/{system}/forget")
def forget(request: Request, system: str, said: Form) -> Response:
    """Forget one."""
    check_owner(request)
    service_of(request).store.documents.forget(said.text("document"))
    return went_to(request, f"/sheets/{system_named(system).id}")


@router.get("/sheets/{system}/{name}")
def sheet(request: Request, system: str, name: str) -> Response:
    """A fighter of the roster, or an own one, as the game prints it."""
    found = system_named(system)
    if name.startswith(SHEET):
        _called, entry = document_here(request, found.id, name.removeprefix(SHEET))
        own = Table({section_of_fighters(found): {"own": entry}}, "what is saved")
        view = show_sheets(found.id, own=[own])
        wanted = Wanted(found.id, changes=(("attacker", name),))
    else:
        view = show_sheets(found.id, name)
        wanted = Wanted(found.id, attacker=name)
    return shown(
        request, "sheet.html", system=system_row(found.id), sheet=view.sheets[0],
        priced=wanted.address,
    )  # fmt: skip


def _keys_of_setups(system: str) -> frozenset[str]:
    """The keys that only a setup has, no fighter."""
    properties = cast("Raw", show_schema(system).setup["properties"])
    return frozenset(properties) - {"name", "source", "notes", "title"}


def _faults(system: str, kind: str, table: Raw) -> tuple[Fault, ...]:
    """Everything that is wrong; a fighter is checked as one who attacks."""
    if kind == "setup":
        return check_setup(system, Table(table, PASTED)).faults
    duel, _title = two_fighters(Wanted(system), {"attacker": table})
    checked = check_setup(system, Table(duel, PASTED))
    own = (fault for fault in checked.faults if fault.where.startswith("/attacker"))
    return tuple(fault._replace(where=fault.where.removeprefix("/attacker")) for fault in own)


def _address(system: str, kind: str, document: str) -> str:
    if kind == "setup":
        return Wanted(system, setup=document).address
    return Wanted(system, changes=(("attacker", f"{SHEET}{document}"),)).address


def _page(
    request: Request,
    system: str,
    *,
    text: str = "",
    name: str = "",
    faults: tuple[Fault, ...] = (),
) -> Response:
    documents = service_of(request).store.documents
    roster = show_roster(system, section_of_fighters(system_named(system))).entries
    kept = {
        title: [
            (
                row.name,
                row.id,
                _address(system, kind, row.id),
                f"/sheets/{system}/{SHEET}{row.id}" if kind == "sheet" else "",
            )
            for row in documents.listed(kind, system=system, most=MOST_LISTED)
        ]
        for kind, title in (("setup", "Setups"), ("sheet", "Fighters"))
    }
    return shown(
        request, "sheets.html", 422 if faults else 200, system=system_row(system), kept=kept,
        roster=[(str(row.values.get("name") or row.name), row.name) for row in roster],
        text=text, name=name, faults=[_told(fault) for fault in faults],
    )  # fmt: skip


def _told(fault: Fault) -> tuple[str, str]:
    where = fault.where.strip("/").replace("/", ", ").replace("_", " ")
    allowed = f"; allowed: {fault.allowed}" if fault.allowed else ""
    return where, f"{fault.what}{'' if allowed in fault.what else allowed}"
