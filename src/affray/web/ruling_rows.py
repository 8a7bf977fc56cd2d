"""Rulings, profiles and errata in words."""

from __future__ import annotations

from typing import NamedTuple

from affray.app.views.books import ReadingRow, RulingRow, RulingsView, SystemRow
from affray.core.showing import number, percent
from affray.core.telling import plain_key
from affray.web.results import Grid

__all__ = ["Profile", "Reading", "Ruling", "errata_rows", "profile_rows", "ruling_rows"]


class Reading(NamedTuple):
    """A reading: its name, what it says, whether it holds, and what it changes."""

    name: str
    meaning: str
    in_force: bool
    effect: str


class Ruling(NamedTuple):
    """An open question.

    Attributes:
        shown_by: name and title of the example that it is priced in; "": none.
        field: what is priced, in words.
        changes: the most that a reading makes a difference there.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    question: str
    readings: tuple[Reading, ...]
    shown_by: str
    shown_title: str
    field: str
    changes: float

    @property
    def words(self) -> str:
        """All that a search may find."""
        told = " ".join(f"{one.name} {one.meaning}" for one in self.readings)
        return f"{self.id} {self.title} {' '.join(self.clauses)} {self.question} {told}"


class Profile(NamedTuple):
    """Readings that belong together."""

    title: str
    in_force: bool
    picks: str


def ruling_rows(system: SystemRow, view: RulingsView) -> list[Ruling]:
    """The rulings of a view; those that change most come first where all are priced."""
    titles = {row.name: row.title for row in system.examples}
    rows = [_ruling(row, titles) for row in view.rulings]
    return sorted(rows, key=lambda row: -row.changes) if view.setup else rows


def _ruling(row: RulingRow, titles: dict[str, str]) -> Ruling:
    name = row.setup.removeprefix("example ")
    field = plain_key(row.field)
    apart = [float(one.distance) for one in row.readings if one.distance]
    return Ruling(
        row.id, plain_key(row.name), row.clauses, row.question,
        tuple(
            Reading(plain_key(one.name), one.meaning, one.in_force,
                    _effect(one, field) if row.field else "")
            for one in row.readings
        ),
        name, titles.get(name, "") or name, field, max(apart, default=0.0),
    )  # fmt: skip


def _effect(reading: ReadingRow, field: str) -> str:
    """A field's value under a reading, and how far that is from the one in force."""
    if reading.distance is None:
        return "the rules then refuse this attack"
    mean = "" if reading.mean is None else f"{field} {number(reading.mean)} on average"
    if reading.in_force:
        return mean
    apart = f"{percent(reading.distance)} of the chances move" if reading.distance else "no effect"
    return "; ".join(filter(None, (mean, apart)))


def profile_rows(view: RulingsView) -> tuple[Profile, ...]:
    """The profiles of a view."""
    return tuple(
        Profile(
            row.title, row.in_force,
            "; ".join(f"{plain_key(name)}: {plain_key(pick)}" for name, pick in row.picks.items())
            or "all as usual",
        )
        for row in view.profiles
    )  # fmt: skip


def errata_rows(view: RulingsView, clause: str = "") -> Grid | None:
    """Figures of the text that are wrong, of all clauses or of one; None: there are none."""
    rows = tuple(
        (row.clause, row.what, *(
            str(value) if row.unit == "count" else f"{value} = {percent(value)}"
            for value in (row.printed, row.true)
        ))
        for row in view.errata if clause in {"", row.clause}
    )  # fmt: skip
    head = ("clause", "figure of", "the text says", "it comes to")
    return Grid("Errata in the figures of the text", head, rows) if rows else None
