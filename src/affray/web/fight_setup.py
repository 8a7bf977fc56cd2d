"""A fight to be set up: what the form says, the fight that it comes to, and what is wrong with it.

A form has rows of fighters (`one.0.who`, `one.0.many`), what holds for both sides (`now.KEY`), who
goes first, the most rounds, and a seat for each side. A row names a roster entry, or with `@` an
entry of the shipped fight that the form began from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from affray.app import lookups
from affray.app.fight_computers import AT_SEATS
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_scene import keys_known
from affray.app.inputs.fight_sheets import (
    FIRST,
    SIDES,
    section_of_fighters,
)
from affray.app.inputs.intake import Raw
from affray.app.inputs.tables import fight_examples
from affray.app.inputs.whole_games import whole_game
from affray.app.registry import system_named
from affray.app.sources import Shipped, Table
from affray.core.errors import Fault
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System
from affray.web.fields import Choice
from affray.web.fight_faults import has_field, said_of, told_at
from affray.web.forms import Said
from affray.web.situation_fields import (
    SituationField,
    situation_field,
    situation_schema,
    value_said,
)

__all__ = ["SEATS", "Row", "Setup", "SideForm"]

SEATS: Mapping[str, str] = {
    "typed": "people, with their own dice or the server's",
    "rolled": "people; the server rolls",
    "computer": "the computer, which looks ahead",
    **{f"computer:{name}": f"the computer: {words}"
       for name, words in AT_SEATS.items() if name != "search"},
}  # fmt: skip
"""Who may sit at a side."""
USUAL_SEATS = {"one": "typed", "other": "computer"}
MOST_ROWS = 20


class Row(NamedTuple):
    """A row of a side: who, and how many of the kind; `faults` are what is wrong with it."""

    number: int
    who: str
    many: str
    faults: tuple[str, ...] = ()


class SideForm(NamedTuple):
    """A side of the form: its key, what it is called, its rows, and who answers for it."""

    key: str
    name: str
    rows: tuple[Row, ...]
    seat: str
    own: tuple[Choice, ...]
    faults: tuple[str, ...] = ()


class Setup:
    """A fight as a form says it.

    Args:
        system: id of the system.
        said: the form.

    Raises:
        UnknownNameError: no such system or fight.
    """

    def __init__(self, system: str, said: Said) -> None:
        self.system: System[Facts] = system_named(system)
        self.said = said
        self.case = said.text("case")
        known = fight_examples(self.system)
        if self.case and self.case not in known:
            raise unknown(f"fight of {self.system.id}", self.case, known)
        self.written: Raw = known.get(self.case, {})
        self.is_whole = bool(self.case) and (
            whole_game(self.system, Shipped(self.case)) is not None
        )
        self._has_rows = any(key.endswith(".who") for key, _ in said.pairs)

    # -- what it comes to ------------------------------------------------------------------------

    @property
    def source(self) -> Shipped | Table:
        """The fight itself: the shipped one as it is, or with the sides that were chosen."""
        sides = {key: self._fighters(key) for key in SIDES}
        if self.case and all(fighters is None for fighters in sides.values()):
            return Shipped(self.case)
        raw: Raw = {key: value for key, value in self.written.items() if key != "purpose"}
        for key, fighters in sides.items():
            side = raw.get(key)
            if fighters is not None:
                raw[key] = {**(side if isinstance(side, dict) else {}), "fighters": fighters}
        return Table(raw, self.case or "fight")

    @property
    def changes(self) -> FightChanges:
        """What holds instead of what the fight says; what doesn't fit is refused with the rest."""
        rounds = self.said.text("rounds")
        number = value_said(rounds, {"type": "integer"}) if rounds else None
        return FightChanges(
            first=self.said.text("first"), rounds=cast("int | None", number),
            situation=dict(self._situation()),
        )  # fmt: skip

    @property
    def nobody(self) -> tuple[Fault, ...]:
        """The sides for which nobody was chosen, as faults."""
        what = "nobody; at least one must fight"
        return tuple(
            Fault(f"/{key}/fighters", what, code="missing")
            for key in SIDES
            if not self.is_whole and not self._rows(key)
        )

    @property
    def seats(self) -> dict[str, str]:
        """Who answers for each side."""
        return {key: self.said.text(f"{key}.seat", USUAL_SEATS[key]) for key in SIDES}

    def _rows(self, key: str) -> list[Row]:
        """The rows of a side that name somebody."""
        if not self._has_rows:
            own = self._written_fighters(key)
            return [Row(n, f"@{n}", str(_number(one))) for n, one in enumerate(own)]
        found = [
            Row(n, self.said.text(f"{key}.{n}.who"), self.said.text(f"{key}.{n}.many", "1"))
            for n in range(MOST_ROWS)
        ]
        return [row for row in found if row.who]

    def _written_fighters(self, key: str) -> Sequence[object]:
        side = self.written.get(key)
        fighters = side.get("fighters", []) if isinstance(side, dict) else []
        return fighters if isinstance(fighters, list) else []

    def _fighters(self, key: str) -> list[object] | None:
        """The fighters of a side as a fight names them; None: as the shipped one has them."""
        own = self._written_fighters(key)
        rows = [(row.who, row.many) for row in self._rows(key)]
        if self.case and rows == [(f"@{n}", str(_number(one))) for n, one in enumerate(own)]:
            return None
        return [self._fighter(who, many, own) for who, many in rows]

    def _fighter(self, who: str, many: str, own: Sequence[object]) -> object:
        number: object = int(many) if many.isdecimal() and len(many) < 10 else many
        place = who.removeprefix("@")
        if who.startswith("@") and place.isdecimal() and int(place[:10]) < len(own):
            entry = own[int(place)]
            table: Raw = dict(entry) if isinstance(entry, dict) else {"like": entry}
            return {**table, "number": number}
        return {"like": who, "number": number}

    def _situation(self) -> Iterator[tuple[str, object]]:
        schema = situation_schema(self.system)
        for key, value in self.said.below("now.").items():
            if value.strip():
                yield key, value_said(value.strip(), schema.get(key, {}))

    # -- what the form shows ---------------------------------------------------------------------

    def roster(self) -> tuple[Choice, ...]:
        """Everybody in the roster who may fight."""
        rows = lookups.show_roster(self.system.id, section_of_fighters(self.system)).entries
        return tuple(Choice(row.name, str(row.values.get("name") or row.name)) for row in rows)

    def sides(self, faults: Sequence[Fault] = (), names: Sequence[str] = ()) -> list[SideForm]:
        """Both sides, with an empty row after those that name somebody."""
        called = {one.value: one.words for one in self.roster()}
        made = []
        for n, key in enumerate(SIDES):
            rows = self._rows(key)
            shown = [
                Row(place, row.who, row.many, told_at(faults, (key, "fighters", str(place))))
                for place, row in enumerate(rows)
            ]
            shown += [Row(len(rows), "", "1")] if len(rows) < MOST_ROWS else []
            own = tuple(
                Choice(f"@{place}", f"{_called(one, called)} (as in the example)")
                for place, one in enumerate(self._written_fighters(key))
            )
            name = ("First side", "Second side")[n]
            if names:
                name = f"{name} ({names[n]})" if names[n] in SIDES else names[n]
            rest = [one for one in faults if one.where in {f"/{key}", f"/{key}/fighters"}]
            made.append(SideForm(key, name, tuple(shown), self.seats[key], own,
                                 tuple(map(said_of, rest))))  # fmt: skip
        return made

    def fields(self, faults: Sequence[Fault] = ()) -> list[SituationField]:
        """What can be said of the situation by one control each."""
        asked = keys_known(self.system)
        return [
            situation_field(
                key, schema, list(self._written_of(key)), self.said.text(f"now.{key}"), faults,
                is_asked=key in asked,
            )
            for key, schema in situation_schema(self.system).items()
        ]  # fmt: skip

    def _written_of(self, key: str) -> Iterator[object]:
        """What the sides of the shipped fight say of the situation."""
        for side in SIDES:
            situation = _table(_table(self.written.get(side)).get("situation"))
            if key in situation:
                yield situation[key]

    def first(self) -> tuple[Choice, ...]:
        """Who may go first."""
        return tuple(Choice(name, words) for name, words in FIRST.items())

    def beside(self, faults: Sequence[Fault]) -> dict[str, tuple[str, ...]]:
        """What is wrong with who goes first and with the rounds."""
        return {key: told_at(faults, (key,)) for key in ("first", "rounds")}

    def left_over(self, faults: Sequence[Fault]) -> list[str]:
        """What is wrong that stands beside no field."""
        fields = situation_schema(self.system)
        return [said_of(one) for one in faults if not has_field(one, fields)]


def _number(entry: object) -> object:
    return entry.get("number", 1) if isinstance(entry, dict) else 1


def _called(entry: object, called: Mapping[str, str]) -> str:
    if not isinstance(entry, dict):
        return called.get(str(entry), str(entry))
    like = str(entry.get("like", ""))
    return str(entry.get("name") or called.get(like, like))


def _table(value: object) -> Raw:
    return value if isinstance(value, dict) else {}
