"""The exchange that an address brings along, as the page of an exchange links other pages."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request

from affray.web.forms import Said
from affray.web.packing import packed, unpacked
from affray.web.setup_sources import setup_of
from affray.web.wanted import wanted_in

__all__ = ["Brought", "brought"]


class Brought(NamedTuple):
    """An exchange that is no shipped case: packed, what it is called, whether it has just come."""

    packed: str
    title: str
    is_new: bool


def brought(request: Request, system: str, said: Said) -> Brought | None:
    """The exchange that an address brings along; None: none, or a shipped case as it is.

    Raises:
        AffrayError: it can't be read, or a document is not there.
    """
    wanted = wanted_in(system, said)
    if wanted.changes or wanted.setup or wanted.attacker or wanted.defender:
        setup = setup_of(request, wanted)
        text = packed(system, {**setup.table, "title": setup.called})
        return Brought(text, setup.called, is_new=True)
    if wanted.packed:
        title = str(unpacked(wanted.packed, system).get("title") or "The attack that was sent")
        return Brought(wanted.packed, title, is_new="case" not in said)
    return None
