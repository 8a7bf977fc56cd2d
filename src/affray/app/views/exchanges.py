"""What use cases return: plain records, and the one place that turns them into JSON.

Every view has a schema name and a version; `to_json` wraps it in an envelope with both. Exact
numbers appear as numerator and denominator strings beside the float.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import ClassVar, NamedTuple

from affray import _version
from affray.core.modifier import Modifier, Total
from affray.engine.exchange.session import LogLine

__all__ = [
    "BestView",
    "BrokenRow",
    "ClauseRow",
    "Cost",
    "DecisionRow",
    "FieldStats",
    "OddsRow",
    "OddsView",
    "OptionRow",
    "PictureView",
    "PlayView",
    "QuestionRow",
    "ReadingRow",
    "RosterRow",
    "RosterView",
    "RulesView",
    "RulingRow",
    "RulingsView",
    "SchemaView",
    "SituationRow",
    "SystemRow",
    "SystemsView",
    "View",
    "plain",
    "to_json",
]  # fmt: skip


@dataclass(frozen=True)
class View:
    """A result that can be shown or printed for machines."""

    schema: ClassVar[str]
    version: ClassVar[int] = 1


class SystemRow(NamedTuple):
    """One system: how much of its book is carried out."""

    id: str
    title: str
    edition: str
    credit: str
    steps: int
    clauses: int
    carried_out: int
    rulings: int
    examples: tuple[str, ...]
    fights: tuple[str, ...]
    fields: tuple[str, ...]
    objectives: tuple[str, ...]


class BrokenRow(NamedTuple):
    """A system that can't be used: its name, the package that brings it, and the reason."""

    name: str
    package: str
    why: str


@dataclass(frozen=True)
class SystemsView(View):
    """All systems; those that can't be used apart."""

    schema = "affray/systems"
    systems: tuple[SystemRow, ...]
    broken: tuple[BrokenRow, ...] = ()


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
    """One clause: what it is about, what became of it, the code and the tests."""

    id: str
    source: str
    title: str
    status: str
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
    """The JSON Schema of a system's setup, or of its fights."""

    schema = "affray/schema"
    system: str
    setup: dict[str, object]


class OptionRow(NamedTuple):
    """One option on offer."""

    name: str
    words: str
    spends: int


class QuestionRow(NamedTuple):
    """What a game waits for."""

    actor: str
    ask: str
    step: str
    clauses: tuple[str, ...]
    dice: str
    options: tuple[OptionRow, ...]
    about: tuple[tuple[str, object], ...]
    closed: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PlayView(View):
    """A game as far as it was played: the log, then a question or the outcome.

    `told` names the outcome fields that are worth telling: those that are not false, zero or
    empty, and those that the exchange was about. `picture` shows the table as lines of text, where
    the system draws one. `remarks` say what a user should know of the game.
    """

    schema = "affray/play"
    system: str
    setup: str
    title: str
    seed: int | None
    log: tuple[LogLine, ...]
    question: QuestionRow | None
    outcome: dict[str, object]
    told: tuple[str, ...]
    picture: str
    explanation: tuple[str, ...]
    saved: dict[str, object]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class PictureView(View):
    """How the table looks: as lines of text, and as an SVG document where there is one."""

    schema = "affray/picture"
    system: str
    setup: str
    title: str
    picture: str
    drawing: str
    remarks: tuple[str, ...] = ()


class OddsRow(NamedTuple):
    """One outcome: its probability, and those of at least and at most as much."""

    value: object
    exactly: Fraction
    at_least: Fraction | None
    at_most: Fraction | None


class FieldStats(NamedTuple):
    """Statistics of a numeric field."""

    mean: Fraction
    variance: Fraction
    sd: float
    median: object
    quartiles: tuple[object, object]


@dataclass(frozen=True)
class OddsView(View):
    """The exact distribution of one field, or the joint one of several.

    `how` says how it was got, `policy` who decided what was open.
    """

    schema = "affray/odds"
    system: str
    setup: str
    title: str
    fields: tuple[str, ...]
    meaning: tuple[str, ...]
    unit: str
    given: tuple[str, ...]
    policy: str
    how: str
    rows: tuple[OddsRow, ...]
    stats: FieldStats | None
    remarks: tuple[str, ...] = ()


class Cost(NamedTuple):
    """An option with its value and what it costs to take it."""

    name: str
    words: str
    value: Fraction
    cost: Fraction


class SituationRow(NamedTuple):
    """One situation of a decision: what is seen, what is best, how likely it is met."""

    about: tuple[tuple[str, object], ...]
    best: str
    chance: Fraction
    options: tuple[Cost, ...]


class DecisionRow(NamedTuple):
    """A decision: its policy in words, each option as a habit, every situation."""

    step: str
    actor: str
    ask: str
    clauses: tuple[str, ...]
    words: tuple[str, ...]
    always: tuple[Cost, ...]
    situations: tuple[SituationRow, ...]


@dataclass(frozen=True)
class BestView(View):
    """The best option at every choice that is met, and what the exchange is then worth.

    `regrets` are the choices made so far, each with what it cost.
    """

    schema = "affray/best"
    system: str
    setup: str
    title: str
    objective: str
    meaning: str
    threshold: Fraction
    value: Fraction
    decisions: tuple[DecisionRow, ...]
    regrets: tuple[tuple[str, Cost], ...]
    remarks: tuple[str, ...] = ()


# -- JSON ------------------------------------------------------------------------------------


def to_json(view: View) -> dict[str, object]:
    """A view as JSON data, in its envelope: schema, version, and the program's version."""
    body = {field.name: plain(getattr(view, field.name)) for field in fields(view)}
    return {
        "schema": view.schema, "version": view.version, "affray": _version.VERSION, **body
    }  # fmt: skip


def plain(value: object) -> object:
    """Anything as JSON data."""
    if isinstance(value, Fraction):
        return {
            "numerator": str(value.numerator),
            "denominator": str(value.denominator),
            "float": float(value),
        }
    if isinstance(value, Total):
        return {
            "value": value.value,
            "base": plain(value.base),
            "terms": [plain(term) for term in value.terms],
            "counted": value.capped,
            "beyond": [plain(term) for term in value.beyond],
            "cap": value.cap,
        }
    if isinstance(value, Modifier):
        return {"label": value.label, "value": value.value, "clause": value.clause}
    if isinstance(value, Enum):
        return value.value
    names: tuple[str, ...] | None = getattr(value, "_fields", None)
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)
