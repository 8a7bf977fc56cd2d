"""The result of checking a table."""

from __future__ import annotations

from typing import Literal

from affray.app.views.envelope import View
from affray.core.errors import Fault
from affray.core.lazy import dataclass

__all__ = ["CheckedView", "Kind"]

Kind = Literal["exchange", "fight", "game", "saved-game", "saved-fight", "saved-battles"]
"""Kinds of tables: one exchange, a fight, a whole game, and what is saved of them."""


@dataclass(frozen=True)
class CheckedView(View):
    """A table with everything that is wrong with it.

    `kind` is what it was checked as, `setup` or `fight`; `what` is what it is, by its keys; `setup`
    names the table. `faults` is empty where nothing is wrong. Of a table without faults `sides`
    names those of a fight, and `remarks` and `assumed` say what is worth knowing.
    """

    schema = "affray/checked"
    system: str
    kind: str
    setup: str
    what: Kind
    ok: bool
    title: str = ""
    sides: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
