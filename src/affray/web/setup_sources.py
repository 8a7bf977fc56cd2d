"""Where the setup of an exchange comes from: a case, what is saved, a link, or two fighters."""

from __future__ import annotations

from fastapi import Request

from affray.api.access import check_owner
from affray.api.state import service_of
from affray.app import lookups
from affray.app.inputs.checking import validated
from affray.app.inputs.fight_fighters import entries_of
from affray.app.inputs.intake import Raw
from affray.app.inputs.rosters import Filling, roster_for
from affray.app.registry import system_named
from affray.core.errors import AffrayError, UnknownNameError
from affray.web.fields import Choice
from affray.web.packing import unpacked
from affray.web.setups import Setup
from affray.web.wanted import ROLES, SHEET, Wanted

__all__ = ["document_here", "setup_of", "two_fighters"]


def setup_of(request: Request, wanted: Wanted) -> Setup:
    """The setup that an address asks about.

    Raises:
        UnknownNameError: a case, a fighter or a document that nobody knows.
    """
    sheets = {
        text.removeprefix(SHEET): document_here(request, wanted.system, text.removeprefix(SHEET))[1]
        for _path, text in wanted.changes
        if text.startswith(SHEET)
    }
    own = _own_sheets(request, wanted.system)
    if wanted.case:
        shown = lookups.show_example(wanted.system, wanted.case)
        return Setup(wanted, shown.table, shown.example.title or wanted.case, sheets, own)
    if wanted.setup:
        name, table = document_here(request, wanted.system, wanted.setup)
        return Setup(wanted, table, name, sheets, own)
    if wanted.packed:
        table = unpacked(wanted.packed, wanted.system)
        return Setup(wanted, table, str(table.get("title") or "A setup that was sent"), sheets, own)
    return Setup(wanted, *two_fighters(wanted), sheets, own)


def two_fighters(wanted: Wanted, own: Raw | None = None) -> tuple[Raw, str]:
    """Two fighters of the roster, or own ones, with what a fight assumes of the situation."""
    system = system_named(wanted.system)
    roster = roster_for(system, {}, "")
    known = entries_of(roster)
    names = list(known)
    attacker = wanted.attacker or names[0]
    others = [name for name in names if name != attacker] or names
    table: Raw = {"attacker": attacker, "defender": wanted.defender or others[0], **(own or {})}
    called = [str(known.get(str(table[role]), {}).get("name") or table[role]) for role in ROLES]
    try:
        setup = validated(system.setup, Filling(roster, "setup").table(table), "setup")
        assumed = dict(system.fight.assumes(setup)) if system.fight is not None else {}
    except AffrayError:
        assumed = {}  # what is wrong is told beside the fields
    return {**table, **assumed}, " attacks ".join(called)


def _own_sheets(request: Request, system: str) -> tuple[Choice, ...]:
    """The fighters that are saved here, for those who may see them."""
    try:
        check_owner(request)
    except AffrayError:
        return ()
    kept = service_of(request).store.documents.listed("sheet", system=system)
    return tuple(Choice(f"{SHEET}{row.id}", f"{row.name} (own)") for row in kept)


def document_here(request: Request, system: str, document: str) -> tuple[str, Raw]:
    """A document that is saved here: its name, and what it holds.

    Raises:
        UnknownNameError: it is for another system.
        NotKeptError: there is none.
    """
    found = service_of(request).store.documents.document(document)
    if found.row.system != system:
        raise UnknownNameError(f"this document is for {found.row.system}")
    return found.row.name, found.content
