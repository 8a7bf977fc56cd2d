"""A sheet as the game prints it: its groups, with the values that stand in them."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.core.lazy import NamedTuple, dataclass

__all__ = ["Sheet", "SheetGroup", "SheetPart", "SheetRow", "SheetView"]


class SheetRow(NamedTuple):
    """One value of a sheet.

    Attributes:
        key: the name of the field, or of what is computed.
        told: the value in words, with its unit.
        value: the value itself; a sheet within this one as a table.
        meaning: one line: what it says, its range, its clauses.
        computed: whether the sheet works it out from its fields.
        parts: the sheets that it consists of, such as weapons.
    """

    key: str
    title: str
    told: str
    value: object
    meaning: str
    computed: bool = False
    parts: tuple[SheetPart, ...] = ()


class SheetGroup(NamedTuple):
    """A part of a sheet under one heading."""

    title: str
    rows: tuple[SheetRow, ...]


class SheetPart(NamedTuple):
    """A sheet within another one: a weapon, a piece of armor; `told` has its rows in one line."""

    name: str
    told: str
    rows: tuple[SheetRow, ...]


class Sheet(NamedTuple):
    """One sheet: its section of the roster, its key there, its name, and its groups."""

    section: str
    key: str
    name: str
    groups: tuple[SheetGroup, ...]


@dataclass(frozen=True)
class SheetView(View):
    """Sheets of a system, each with all values that say something."""

    schema = "affray/sheet"
    system: str
    sheets: tuple[Sheet, ...]
