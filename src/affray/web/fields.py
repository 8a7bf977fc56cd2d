"""The fields of a form, from the schema of a system's setups and what a setup holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, cast

from affray.app import lookups
from affray.app.inputs.described import meanings, sheets_within
from affray.app.inputs.intake import Raw, value_of
from affray.app.inputs.typed import as_typed
from affray.app.registry import system_named
from affray.core.errors import AffrayError
from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key

__all__ = [
    "AS_WRITTEN",
    "NO",
    "SIMPLE",
    "YES",
    "Choice",
    "Field",
    "fields_in",
    "matching",
    "value_typed",
]

Kind = Literal["entry", "number", "choice", "switch", "text", "list", "table"]

AS_WRITTEN = ""
"""The choice of what the setup says, where entries of the roster can stand."""
NOTHING = "none"
SIMPLE = frozenset({"number", "choice", "switch", "text", "list"})
"""Kinds of fields that hold no table."""
OPEN = frozenset({"", NOTHING, "-"})
YES, NO = "yes", "no"
RULINGS = "Rulings"
DEEPEST = 4


class Choice(NamedTuple):
    """One of the values that a field can have: as it is sent, and in words."""

    value: str
    words: str


class Field(NamedTuple):
    """One field of a form.

    Attributes:
        path: keys and indexes with dots between them.
        title: what the game's sheet calls it. group: where it stands: "Defender: Armor".
        kind: how it is typed: an entry of the roster, a number, one of a few words, yes or no, a
            text, words with commas between, or a table as JSON.
        value: what the setup has there, or what holds where it says nothing. text: the same, as it
            stands in the form.
        choices: all allowed values, where there are few.
        unit: of the number. help: what it means, its range and its clauses.
        section: of the roster; "" where no entry of it can stand. opens: it may be left out.
    """

    path: str
    title: str
    group: str
    kind: Kind
    value: object
    text: str
    choices: tuple[Choice, ...] = ()
    unit: str = ""
    help: str = ""
    section: str = ""
    opens: bool = False
    whole: bool = False

    @property
    def id(self) -> str:
        """Its id in a page."""
        return f"f-{self.path}"

    @property
    def depth(self) -> int:
        """How deep it stands in the setup; 0: it is a key of the setup itself."""
        return self.path.count(".")


@cache
def _schema(system: str) -> Raw:
    return lookups.show_schema(system).setup


@cache
def _entries(system: str, section: str) -> tuple[Choice, ...]:
    rows = lookups.show_roster(system, section).entries
    return tuple(
        Choice(row.name, str(row.values.get("name") or plain_key(row.name)))
        for row in rows
        if row.section == section
    )


@cache
def _units(system: str) -> Mapping[tuple[str, str], str]:
    """The unit of each field, by the name of its sheet and its own."""
    kind = system_named(system).setup
    found = {"": kind, **sheets_within(kind)}
    return {
        (name, one.name): one.unit
        for name, sheet in found.items()
        for one in meanings(sheet).values()
    }


def fields_in(system: str, filled: Raw) -> dict[str, Field]:
    """All fields of a setup by their paths, in the order of the sheets.

    Args:
        system: id of the system.
        filled: the setup, the roster's entries in place of their names.
    """
    walk = _Walk(system, cast("Raw", _schema(system).get("$defs", {})))
    found = walk.sheet("", (), cast("Raw", _schema(system)["properties"]), filled)
    return {field.path: field for field in (*found, *_rulings(system, filled))}


def _rulings(system: str, filled: Raw) -> Iterator[Field]:
    """The readings of what the book leaves open."""
    held = filled.get("rulings")
    picks = held if isinstance(held, dict) else {}
    for ruling in system_named(system).rulings:
        value = str(picks.get(ruling.name, ruling.default))
        choices = tuple(Choice(name, plain_key(name)) for name in ruling.options)
        told = "; ".join(f"{plain_key(name)}: {words}" for name, words in ruling.options.items())
        about = f"{ruling.question} {told} ({', '.join(ruling.clauses)})"
        yield Field(
            f"rulings.{ruling.name}", plain_key(ruling.name).capitalize(), RULINGS, "choice",
            value, value, choices, help=about,
        )  # fmt: skip


class _Walk(NamedTuple):
    """Walks through a setup along its schema."""

    system: str
    sheets: Raw

    def sheet(
        self, name: str, path: tuple[str, ...], properties: Raw, held: Raw, owner: str = ""
    ) -> Iterator[Field]:
        """The fields of one sheet."""
        for key, schema in properties.items():
            schema = cast("Raw", schema)
            if schema.get("group") in {"File", "Origin"} or key == "like":
                continue
            unit = _units(self.system).get((name, key), "")
            value = held.get(key, schema.get("default"))
            yield from self.field((*path, key), schema, value, owner, unit)

    def field(
        self, path: tuple[str, ...], schema: Raw, value: object, owner: str, unit: str
    ) -> Iterator[Field]:
        """A field, and those of the sheets in it."""
        parts = cast("list[Raw]", schema.get("anyOf") or [schema])
        opens = any(part.get("type") == "null" for part in parts)
        kinds = [part for part in parts if part.get("type") != "null"]
        sheet = _sheet_of(kinds)
        title = str(schema.get("title") or plain_key(path[-1]).capitalize())
        group = ": ".join(filter(None, (owner, str(schema.get("group", "")))))
        made = Field(".".join(path), title, group, "table", value, _text("table", value),
                     unit=unit, help=str(schema.get("description", "")), opens=opens)  # fmt: skip
        below = title if not owner else f"{owner}, {title.lower()}"
        if sheet:
            section = system_named(self.system).roster_keys.get(path[-1], "")
            yield self.entry(made, section) if section else made
            if isinstance(value, dict) and len(path) < DEEPEST:
                yield from self.within(sheet, path, value, below)
            return
        items = cast("Raw", kinds[0].get("items", {})) if kinds else {}
        inner = _sheet_of(cast("list[Raw]", items.get("anyOf") or [items]))
        if inner and isinstance(value, list) and len(path) < DEEPEST:
            for number, one in enumerate(value):
                if isinstance(one, dict):
                    where, name = (*path, str(number)), str(one.get("name") or "")
                    called = f"{owner}, {name}" if owner and name else name
                    yield from self.within(inner, where, one, called or f"{below} {number + 1}")
        if not inner or not value:
            yield _simple(made, kinds[0] if kinds else {}, items)

    def within(self, sheet: str, path: tuple[str, ...], held: Raw, owner: str) -> Iterator[Field]:
        """The fields of a sheet that stands in a field."""
        known = cast("Raw", cast("Raw", self.sheets[sheet]).get("properties", {}))
        yield from self.sheet(sheet, path, known, held, owner)

    def entry(self, made: Field, section: str) -> Field:
        """A field in which an entry of the roster can stand."""
        choices = [Choice(AS_WRITTEN, "as the setup has it"), *_entries(self.system, section)]
        if made.opens:
            choices.append(Choice(NOTHING, "none"))
        return made._replace(kind="entry", text=AS_WRITTEN, choices=tuple(choices), section=section)


def _sheet_of(parts: list[Raw]) -> str:
    """The name of the sheet that can stand somewhere; "": none."""
    names = [str(part["$ref"]).rsplit("/", 1)[1] for part in parts if "$ref" in part]
    return next((name for name in names if not name.endswith("Like")), "")


def _simple(made: Field, schema: Raw, items: Raw) -> Field:
    """A field that holds a single value, or words."""
    kind: Kind = "table"
    choices: tuple[Choice, ...] = ()
    if "enum" in schema:
        kind = "choice"
        words = cast("list[object]", schema["enum"])
        choices = tuple(Choice(str(word), as_typed(word)) for word in words)
        if made.opens:
            choices = (Choice(NOTHING, "not given"), *choices)
    elif schema.get("type") == "boolean":
        kind = "choice" if made.opens else "switch"
        choices = (Choice(YES, "yes"), Choice(NO, "no"))
        if made.opens:
            choices = (Choice(NOTHING, "not given"), *choices)
    elif schema.get("type") in {"integer", "number"}:
        kind = "number"
    elif schema.get("type") == "string":
        kind = "text"
    elif schema.get("type") == "array" and items.get("type") == "string":
        kind = "list"
    whole = schema.get("type") == "integer"
    return made._replace(kind=kind, choices=choices, text=_text(kind, made.value), whole=whole)


def _text(kind: Kind, value: object) -> str:
    """A value as it stands in a form."""
    from json import dumps

    if value is None or value == []:
        return NOTHING if kind == "choice" else ""
    if kind in {"choice", "switch"}:
        return (
            {True: YES, False: NO}.get(value, str(value)) if isinstance(value, bool) else str(value)
        )
    if kind == "list" and isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    if kind in {"text", "number", "entry"} and isinstance(value, (str, int, float)):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return dumps(value, ensure_ascii=False)


def value_typed(field: Field | None, text: str) -> object:
    """The value that was typed into a field; what can't be read stays a text, and is refused.

    Args:
        field: the field; None: of a path that no field has.
        text: what was typed.
    """
    text = text.strip()
    if field is None or field.kind == "table":
        nothing: object = [] if field is not None and isinstance(field.value, list) else None
        return value_of(text, "") if text else nothing
    if field.opens and text in OPEN:
        return None
    if field.kind in {"text", "entry"}:
        return text
    if field.kind == "list":
        return [] if text in OPEN else [part.strip() for part in text.split(",") if part.strip()]
    if any(choice.value in {YES, NO} for choice in field.choices):
        return {YES: True, NO: False, "true": True, "false": False}.get(text, text)
    if field.kind == "choice":
        return text
    try:
        return value_of(text.replace("−", "-"), "")
    except AffrayError:
        return text


def matching(
    fields: Mapping[str, Field], words: str, most: int = 60
) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields that a search finds.

    Args:
        fields: all of them by path.
        words: what is looked for; a field must have every word.
        most: how many there are at most.

    Returns:
        Those that have the words in their title or group, and those that have them elsewhere: in
        their path, help or unit.
    """
    wanted = words.lower().split()
    if not wanted:
        return (), ()
    named: list[Field] = []
    others: list[Field] = []
    for field in fields.values():
        title = f"{field.title} {field.group}".lower()
        if all(word in title for word in wanted):
            named.append(field)
        elif all(
            word in f"{title} {plain_key(field.path)} {field.help} {field.unit}".lower()
            for word in wanted
        ):
            others.append(field)
    return tuple(named[:most]), tuple(others[: max(0, most - len(named))])
