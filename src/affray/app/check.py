"""A table checked: everything that is wrong with it, at once, and never an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from affray.app.fight import Fight
from affray.app.files import saved, saved_fights
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_sheets import SIDES
from affray.app.notes import with_notes
from affray.app.play import PlayedGame
from affray.app.registry import system_named
from affray.app.samples import SCHEMA as SAMPLES
from affray.app.sources import AS_WRITTEN, Changes, Shipped, Table, source_of
from affray.app.views.checked import CheckedView, Kind
from affray.core.errors import AnswerError, MissingError, SetupError, StoreError

__all__ = ["check_fight", "check_setup", "check_table"]

SAVED: Mapping[object, Kind] = {
    saved.SCHEMA: "saved-game", saved_fights.SCHEMA: "saved-fight", SAMPLES: "saved-battles",
}  # fmt: skip


def check_table(
    system_name: str,
    table: Mapping[str, object] | Table,
    kind: Literal["setup", "fight"] = "setup",
) -> CheckedView:
    """Check a setup or a fight.

    Args:
        system_name: id of a system.
        table: the table.
        kind: how it will be used.

    Raises:
        UnknownNameError: an unknown system; nothing is raised for the table.
    """
    if kind == "fight":
        return check_fight(system_name, table)
    return check_setup(system_name, table)


@with_notes
def check_setup(
    system_name: str,
    source: str | Mapping[str, object] | Shipped | Table,
    changes: Changes = AS_WRITTEN,
) -> CheckedView:
    """Check a setup with what holds instead; errors as for `check_table`.

    Args:
        system_name: id of a system.
        source: the name of a shipped example, or a table.
        changes: what holds instead of what it says.
    """
    system, found = system_named(system_name), source_of(source)
    try:
        game = PlayedGame.begin(system.id, found, changes)
    except (SetupError, StoreError, AnswerError, MissingError) as error:
        what = _what(found, "exchange")
        return CheckedView(system.id, "setup", _called(found), what, ok=False, faults=error.faults)
    loaded = game.loaded
    return CheckedView(
        system.id, "setup", loaded.origin, _what(found, "exchange"), ok=True, title=loaded.title,
        remarks=game.remarks, assumed=loaded.assumed,
    )  # fmt: skip


@with_notes
def check_fight(
    system_name: str,
    source: str | Mapping[str, object] | Shipped | Table,
    changes: FightChanges = FIGHT_AS_WRITTEN,
) -> CheckedView:
    """Check a fight with what holds instead; errors as for `check_table`.

    Args:
        system_name: id of a system.
        source: the name of a shipped fight, or a table.
        changes: what holds instead of what it says.
    """
    system, found = system_named(system_name), source_of(source)
    try:
        fight = Fight.begin(system.id, found, changes)
    except (SetupError, StoreError, AnswerError, MissingError) as error:
        what = _what(found, "fight")
        return CheckedView(system.id, "fight", _called(found), what, ok=False, faults=error.faults)
    loaded = fight.loaded
    what = "game" if loaded.whole else _what(found, "fight")
    return CheckedView(
        system.id, "fight", loaded.origin, what, ok=True, title=loaded.title,
        sides=tuple(side.name for side in loaded.contest.sides), remarks=fight.remarks,
        assumed=loaded.gaps,
    )  # fmt: skip


def _called(source: Shipped | Table) -> str:
    return source.name if isinstance(source, Shipped) else source.origin


def _what(source: Shipped | Table, otherwise: Kind) -> Kind:
    """The kind of table that this is, by its keys."""
    if isinstance(source, Shipped):
        return otherwise
    schema = source.raw.get("schema")
    if isinstance(schema, str) and schema in SAVED:
        return SAVED[schema]
    if any(side in source.raw for side in SIDES):
        return "fight"
    return "exchange" if {"attacker", "defender"} & source.raw.keys() else otherwise
