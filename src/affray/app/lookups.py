"""Looking things up: systems, rosters, clauses, schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from affray.app.inputs.fight_sheets import fight_schema
from affray.app.inputs.intake import Raw
from affray.app.inputs.setups import examples, roster, schema
from affray.app.inputs.tables import fight_examples
from affray.app.registry import broken_systems, system_ids, system_named
from affray.app.views.books import (
    BrokenRow,
    ClauseRow,
    ExampleRow,
    ExampleView,
    RosterRow,
    RosterView,
    RulesView,
    SchemaView,
    SystemRow,
    SystemsView,
)
from affray.app.views.envelope import View
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System

Proofs = Mapping[str, tuple[str, ...]]

__all__ = [
    "Proofs", "list_systems", "show_example", "show_roster", "show_rules", "show_schema",
    "show_view_schemas",
]  # fmt: skip


def list_systems(wanted: str = "") -> SystemsView:
    """All systems with what they hold; those that can't be used with the reason.

    Args:
        wanted: id of the only one to list.

    Raises:
        UnknownNameError: an unknown system.
    """
    if wanted:
        return SystemsView((_system_row(system_named(wanted)),))
    rows, broken = [], [BrokenRow(*row) for row in broken_systems()]
    for name in system_ids():
        try:
            rows.append(_system_row(system_named(name)))
        except Exception as error:  # one system's files are no reason to hide all
            broken.append(BrokenRow(name, "", " ".join(f"{type(error).__name__}: {error}".split())))
    return SystemsView(tuple(rows), tuple(broken))


def _system_row(system: System[Facts]) -> SystemRow:
    """What a system holds; of a gap that several readings fill, what the first assumes."""
    done = sum(clause.status == "carried out" for clause in system.clauses.values())
    return SystemRow(
        system.id, system.title, system.edition, system.credit, len(system.steps),
        len(system.clauses), done, len(system.rulings), _example_rows(examples(system)),
        _example_rows(fight_examples(system)),
        tuple(field.name for field in system.fields),
        tuple(objective.name for objective in system.objectives),
        tuple({gap.clause: gap.told for gap in reversed(system.gaps)}.values())[::-1],
    )  # fmt: skip


def _example_rows(tables: Mapping[str, Raw]) -> tuple[ExampleRow, ...]:
    """Examples or fights: one with a purpose is a case, one that expects a refusal is refused."""
    rows = []
    for name, table in tables.items():
        expected, purpose = table.get("expect"), str(table.get("purpose", ""))
        is_refused = isinstance(expected, dict) and "refused" in expected
        kind: Literal["case", "vector", "refused"] = "case" if purpose else "vector"
        rows.append(ExampleRow(name, str(table.get("title", "")), purpose,
                               "refused" if is_refused else kind))  # fmt: skip
    return tuple(rows)


def show_example(system_name: str, name: str, *, fight: bool = False) -> ExampleView:
    """A shipped example or fight with its table, as one would write it.

    Raises:
        UnknownNameError: an unknown system, or nothing ships under this name.
    """
    system = system_named(system_name)
    known = fight_examples(system) if fight else examples(system)
    if name not in known:
        raise unknown(f"{'fight' if fight else 'example'} of {system.id}", name, known)
    (row,) = _example_rows({name: known[name]})
    return ExampleView(system.id, row, known[name])


def show_roster(system_name: str, wanted: str = "") -> RosterView:
    """A system's roster, one section of it, or one entry.

    Args:
        system_name: id of a system.
        wanted: a section, or the name of entries; hyphens may stand for underscores.

    Raises:
        UnknownNameError: an unknown system, or neither a section nor an entry.
    """
    system = system_named(system_name)
    sections = roster(system)
    if not sections and not wanted:
        return RosterView(system.id, ())
    names = {wanted, wanted.replace("-", "_")}
    rows = tuple(
        RosterRow(part, name, str(values.get("source", "")), values)
        for part, entries in sections.items()
        for name, values in entries.items()
        if not wanted or part in names or name in names
    )
    if not rows:
        known = [*sections, *(name for entries in sections.values() for name in entries)]
        raise unknown(f"roster section or entry of {system.id}", wanted, known)
    return RosterView(system.id, rows)


def show_rules(system_name: str, clause: str = "", *, proofs: Proofs | None = None) -> RulesView:
    """A system's clauses, or one of them, with the code and the tests that carry them.

    Args:
        system_name: id of a system.
        clause: id of a clause; "": all of them.
        proofs: tests by clause; see `affray.app.files.proofs`.

    Raises:
        UnknownNameError: an unknown system or clause.
    """
    system = system_named(system_name)
    wanted = clause.upper().replace("_", "-")
    if wanted and wanted not in system.clauses:
        raise unknown(f"clause of {system.id}", clause, system.clauses)
    proofs = proofs or {}
    return RulesView(
        system.id,
        tuple(
            ClauseRow(*row, tuple(system.carriers.get(row.id, ())), proofs.get(row.id, ()))
            for row in system.clauses.values()
            if wanted in {"", row.id}
        ),
    )


def show_schema(system_name: str, *, fight: bool = False) -> SchemaView:
    """The JSON Schema of a system's setup, or of its fights.

    Raises:
        UnknownNameError: an unknown system.
        SetupError: the system knows no fights.
    """
    system = system_named(system_name)
    return SchemaView(system.id, fight_schema(system) if fight else schema(system))


def show_view_schemas(views: Iterable[type[View]]) -> SchemaView:
    """One JSON Schema for several views; all that they share stands in it once."""
    from affray.app.views.schemas import DIALECT, schemas_of  # many modules; rarely needed

    views = tuple(views)
    links = [{"$ref": f"#/$defs/{view.__name__}"} for view in views]
    return SchemaView("", {"$schema": DIALECT, "oneOf": links, "$defs": schemas_of(views)})
