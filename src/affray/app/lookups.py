"""Looking things up: systems, rosters, clauses, schemas."""

from __future__ import annotations

import json

from affray.app.fight_setups import fight_examples
from affray.app.fight_sheets import fight_schema
from affray.app.registry import system_ids, system_named
from affray.app.setups import examples, roster, schema
from affray.app.views import (
    ClauseRow,
    RosterRow,
    RosterView,
    RulesView,
    SchemaView,
    SystemRow,
    SystemsView,
)
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.step import System

__all__ = ["list_systems", "show_roster", "show_rules", "show_schema"]


def list_systems() -> SystemsView:
    """All systems with what they hold."""
    rows = []
    for name in system_ids():
        system = system_named(name)
        done = sum(clause.status == "carried out" for clause in system.clauses.values())
        rows.append(
            SystemRow(
                system.id, system.title, system.edition, system.credit, len(system.steps),
                len(system.clauses), done, len(system.rulings), tuple(examples(system)),
                tuple(fight_examples(system)),
                tuple(field.name for field in system.fields),
                tuple(objective.name for objective in system.objectives),
            )
        )  # fmt: skip
    return SystemsView(tuple(rows))


def show_roster(system_name: str, section: str = "") -> RosterView:
    """A system's roster, or one section of it.

    Raises:
        UnknownNameError: an unknown system or section.
    """
    system = system_named(system_name)
    sections = roster(system)
    if section and section not in sections:
        raise unknown(f"roster section of {system.id}", section, sections)
    return RosterView(
        system.id,
        tuple(
            RosterRow(part, name, str(values.get("source", "")), values)
            for part, entries in sections.items()
            if section in {"", part}
            for name, values in entries.items()
        ),
    )


def show_rules(system_name: str, clause: str = "") -> RulesView:
    """A system's clauses, or one of them.

    Raises:
        UnknownNameError: an unknown system or clause.
    """
    system = system_named(system_name)
    wanted = clause.upper().replace("_", "-")
    if wanted and wanted not in system.clauses:
        raise unknown(f"clause of {system.id}", clause, system.clauses)
    proofs = _proofs(system)
    return RulesView(
        system.id,
        tuple(
            ClauseRow(*row, tuple(system.carriers.get(row.id, ())), tuple(proofs.get(row.id, ())))
            for row in system.clauses.values()
            if wanted in {"", row.id}
        ),
    )


def _proofs(system: System[Facts]) -> dict[str, list[str]]:
    path = system.folder / "proofs.json"
    found: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}
    return found


def show_schema(system_name: str, *, fight: bool = False) -> SchemaView:
    """The JSON Schema of a system's setup, or of its fights.

    Raises:
        UnknownNameError: an unknown system.
        SetupError: the system knows no fights.
    """
    system = system_named(system_name)
    return SchemaView(system.id, fight_schema(system) if fight else schema(system))
