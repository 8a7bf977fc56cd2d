"""A sheet as the game prints it: its groups, with the values that stand in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from affray.app.views.envelope import View
from affray.core.lazy import NamedTuple, dataclass

__all__ = ["AttackRow", "MadeView", "Sheet", "SheetGroup", "SheetPart", "SheetRow", "SheetView"]


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


class AttackRow(NamedTuple):
    """The odds of one attack, as far as they could be worked out.

    Attributes:
        field: the outcome field.
        meaning: what it is.
        mean: its mean.
        p_some: the chance that it is more than nothing.
        assumed: values of the situation that the system assumes, since nobody gave them.
        situation: the same in words.
        refused: why there are no odds; "" if there are.
    """

    attacker: str
    defender: str
    field: str = ""
    meaning: str = ""
    mean: Fraction | None = None
    p_some: Fraction | None = None
    assumed: Mapping[str, object] = {}
    situation: str = ""
    refused: str = ""


@dataclass(frozen=True)
class MadeView(View):
    """A fighter that was made: the roster entry, the sheet, and one attack each way.

    Attributes:
        section, key: where the entry stands in a roster.
        entry: the entry itself.
        file: where it was written.
        foe: the roster name of the one against whom it is priced.
    """

    schema = "affray/new"
    system: str
    section: str
    key: str
    entry: dict[str, object]
    sheet: Sheet
    foe: str
    attacks: tuple[AttackRow, ...]
    file: str = ""


@dataclass(frozen=True)
class ImportView(MadeView):
    """A fighter from a file of another program.

    Attributes:
        format: the format of the file.
        entries: all entries of a roster that came of it, by section: the fighter, and what the
            roster doesn't have.
        left_out: what could not be taken, a line each.
    """

    schema = "affray/import"
    format: str = ""
    entries: dict[str, object] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
