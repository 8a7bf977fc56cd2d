"""Results of looking things up: systems, rosters, clauses, rulings, schemas."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from affray.app.views.envelope import View
from affray.core.lazy import NamedTuple, dataclass

__all__ = [
    "BrokenRow", "ClauseRow", "ErratumRow", "ExampleRow", "ExampleView", "ProfileRow",
    "ReadingRow", "RosterRow", "RosterView", "RulesView", "RulingRow", "RulingsView",
    "SchemaView", "SystemRow", "SystemsView",
]  # fmt: skip


class ExampleRow(NamedTuple):
    """A shipped example or fight.

    Attributes:
        name, title: its name in commands, and what it is called.
        purpose: what it is good for, in one sentence; "" except for cases.
        kind: "case": for people, a few of each system; "vector": a single rule or an example of
            the book, for reference; "refused": against the rules, to show what is refused.
    """

    name: str
    title: str
    purpose: str
    kind: Literal["case", "vector", "refused"]


class SystemRow(NamedTuple):
    """One system: how much of its book is carried out, and what it ships.

    Attributes:
        id, title, edition, credit: what it is, and whose.
        steps: how many steps its rules have.
        clauses, carried_out: how many clauses its book has, and how many are carried out.
        rulings: how many open questions it has.
        examples: exchanges. fights: whole fights; none if it knows no fights.
        fields, objectives: names of what odds and decisions may be about.
        gaps: what is assumed where the book has gaps.
    """

    id: str
    title: str
    edition: str
    credit: str
    steps: int
    clauses: int
    carried_out: int
    rulings: int
    examples: tuple[ExampleRow, ...]
    fights: tuple[ExampleRow, ...]
    fields: tuple[str, ...]
    objectives: tuple[str, ...]
    gaps: tuple[str, ...] = ()


class BrokenRow(NamedTuple):
    """A system that can't be used: its name, the package that brings it, and the reason."""

    name: str
    package: str
    why: str


@dataclass(frozen=True)
class SystemsView(View):
    """All systems; those that can't be used apart."""

    schema = "affray/systems"
    version = 2
    systems: tuple[SystemRow, ...]
    broken: tuple[BrokenRow, ...] = ()


@dataclass(frozen=True)
class ExampleView(View):
    """A shipped example or fight, with its table as one would write it."""

    schema = "affray/example"
    system: str
    example: ExampleRow
    table: dict[str, object]


class RosterRow(NamedTuple):
    """One roster entry: its section and name, where it comes from, and its values."""

    section: str
    name: str
    source: str
    values: dict[str, object]


@dataclass(frozen=True)
class RosterView(View):
    """A system's roster."""

    schema = "affray/roster"
    system: str
    entries: tuple[RosterRow, ...]


class ClauseRow(NamedTuple):
    """One clause: what it is about, what became of it and why, the code and the tests."""

    id: str
    source: str
    title: str
    status: str
    reason: str
    code: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class RulesView(View):
    """A system's clauses."""

    schema = "affray/rules"
    system: str
    clauses: tuple[ClauseRow, ...]


class ReadingRow(NamedTuple):
    """One reading of a question; with a setup, what a field comes to under it."""

    name: str
    meaning: str
    default: bool
    in_force: bool
    mean: Fraction | None
    distance: Fraction | None


class RulingRow(NamedTuple):
    """One open question with its readings; `setup` and `field` are what they are priced for."""

    id: str
    name: str
    clauses: tuple[str, ...]
    question: str
    readings: tuple[ReadingRow, ...]
    setup: str = ""
    field: str = ""


class ProfileRow(NamedTuple):
    """Readings that belong together, such as those of an edition."""

    name: str
    title: str
    picks: dict[str, str]
    in_force: bool


class ErratumRow(NamedTuple):
    """A figure of the text that is wrong: what it says, and what it comes to."""

    clause: str
    what: str
    printed: Fraction
    true: Fraction
    unit: Literal["chance", "count"]


@dataclass(frozen=True)
class RulingsView(View):
    """A system's open questions, and how far the readings lie apart: in a setup, or in examples.

    With a setup every reading is priced there; else in the example that shows the ruling, if one
    does. `distance` is the largest difference in probability that any event about the field can
    have between a reading and the one in force (total variation). `partial`: some rulings are not
    priced, since a limit was reached: `stopped_by`.
    """

    schema = "affray/rulings"
    system: str
    setup: str
    field: str
    rulings: tuple[RulingRow, ...]
    profiles: tuple[ProfileRow, ...]
    errata: tuple[ErratumRow, ...]
    partial: bool
    stopped_by: str


@dataclass(frozen=True)
class SchemaView(View):
    """The JSON Schema of a system's setup, of its fights, or, with `system` "", of views."""

    schema = "affray/schema"
    system: str
    setup: dict[str, object]
