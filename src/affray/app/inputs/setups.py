"""Setups: from a table to a game that can be played.

Some keys mean the same in every system (`COMMON`); all others belong to its sheet. Where a sheet
is expected, the name of a roster entry will do; a table with `like = "name"` takes that entry and
overrides it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from affray.app.inputs.checking import Gathered, adapter, other_kind, validated
from affray.app.inputs.common_keys import (
    COMMON,
    common_keys,
    common_schema,
    readings_of,
    steps_checked,
)
from affray.app.inputs.described import described
from affray.app.inputs.intake import InputError, Raw, Written, table_checked
from affray.app.inputs.rosters import Filling, roster_for
from affray.app.inputs.tables import (
    check_system,
    examples,
    fight_examples,
    roster,
)
from affray.app.inputs.written_schema import as_written
from affray.app.registry import system_named
from affray.app.sources import (
    AS_WRITTEN,
    Beside,
    Changes,
    Shipped,
    Source,
    Table,
    source_of,
    table_behind,
)
from affray.core.dice import Face
from affray.core.errors import SetupError, UnknownNameError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.core.telling import heard, shown
from affray.engine.exchange.game import Game

__all__ = [
    "InputError", "Loaded", "Raw", "examples", "load", "load_raw", "load_table", "roster", "schema",
    "setup_behind",
]  # fmt: skip


class Loaded(NamedTuple):
    """A setup, ready: the game, and what the file says besides.

    Attributes:
        origin: where it came from, for messages.
        raw: the whole table, roster names resolved; enough to load it again.
        dice, options: the script that stands in it.
        expect: outcome fields and what they must come to.
        remarks: what a user should know of it: that a saved game comes from other rules.
        notes: roster entries that nothing names.
        assumed: what it rests on that the book leaves out, in sentences.
        setup: its sheet. readings: the rulings in force.
    """

    game: Game
    title: str
    origin: str
    raw: Raw
    dice: tuple[Face, ...]
    options: tuple[str, ...]
    expect: Mapping[str, object]
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    setup: object = None
    readings: Rulings = Rulings()

    def __repr__(self) -> str:
        title = f": {self.title}" if self.title else ""
        return f"<{self.origin} of {self.game.system.id}{title}>"


A_FIGHT = "this is a whole fight, not one exchange"


def setup_behind(system: System[Facts], source: Source) -> Table:
    """The table behind a source.

    Raises:
        UnknownNameError: no example of this name ships.
        UnknownNameError, InputError: it is a fight.
    """
    known = examples(system)
    if isinstance(source, Table):
        if {"one", "other"} <= source.raw.keys():
            raise other_kind(InputError, source.origin, A_FIGHT, advice="a-fight")
    elif source.name not in known and source.name in fight_examples(system):
        raise UnknownNameError(f"{shown(source.name)}: {A_FIGHT}", advice="a-fight")
    return table_behind(system, source, known, "example")


def schema(system: System[Facts]) -> Raw:
    """The JSON Schema of a setup as people write it, the keys common to all systems included."""
    made = described(adapter(system.setup).json_schema(), system.setup)
    written = as_written(made, system.roster_keys)
    properties = {**cast("Raw", written["properties"]), **common_schema(system)}
    return {**written, "properties": properties, "title": f"{system.title} setup"}


# -- loading ---------------------------------------------------------------------------------


def load(
    system_name: str,
    source: str | Mapping[str, object] | Shipped | Table,
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Loaded:
    """A setup, ready to be played, priced or solved.

    Args:
        system_name: id of a system.
        source: the name of a shipped example, or a setup as a table.
        choose: more choices decided beforehand; they win over the table's.
        rulings: more readings; they win over the table's.

    Raises:
        UnknownNameError: an unknown system or example.
        InputError: a table that doesn't fit.
        SetupError: a declaration that the rules refuse.
    """
    system = system_named(system_name)
    changes = Changes(choose or {}, rulings or {})
    return load_table(system, setup_behind(system, source_of(source)), changes)


def load_table(system: System[Facts], table: Table, changes: Changes = AS_WRITTEN) -> Loaded:
    """A setup from a table, with what holds instead of what it says; errors as for `load`."""
    return load_raw(
        system, table.raw, table.origin, choose=changes.settle, rulings=changes.rulings,
        beside=table.beside, own=changes.roster,
    )  # fmt: skip


def load_raw(
    system: System[Facts],
    raw: Mapping[str, object],
    origin: str,
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
    beside: Beside | None = None,
    own: Sequence[Table] = (),
) -> Loaded:
    """A setup from the parts of a table.

    Args:
        system: whose setup it is.
        raw: the table.
        origin: where it came from, for messages.
        choose: as for `load`.
        rulings: as for `load`.
        beside: reads the roster files that it names; None: it may name none.
        own: own roster entries that count instead.

    Raises:
        InputError, SetupError: as for `load`.
    """
    raw = table_checked(raw, origin)
    check_system(system, raw, origin)
    said = {key: value for key, value in raw.items() if key not in COMMON}
    wrong, at = Gathered(), Written(origin)
    with wrong.kept():
        entries = roster_for(system, raw, origin, beside=beside, own=own)
        filling = Filling(entries, origin, refused=[])
        filled = {**filling.defaults(said), **filling.table(said)}
        setup = validated(system.setup, filled, origin, filling=filling, advice="list-keys")
    common = common_keys(raw, at, wrong)
    with wrong.kept():
        readings = readings_of(system, common.picks, rulings or {}, at)
    with wrong.kept():
        settled = steps_checked(system, common.settled, choose or {}, at)
    wrong.tell()
    with heard() as notes:
        filling.tell_unused()
    try:
        start = system.declared(setup, readings)
    except SetupError as error:
        told = f"{origin}: {error}"
        faults = error.at("", origin).faults
        raise type(error)(told, advice=error.advice, faults=faults) from None
    # What the user's own roster holds is filled in by now.
    kept = {key: raw[key] for key in COMMON if key in raw and key != "roster"}
    picks = {**common.picks, **(rulings or {})}
    return Loaded(
        game=Game(system, start).settle(settled),
        title=common.title,
        origin=origin,
        raw={**kept, **filled, "choose": _plain(settled), "rulings": picks},
        dice=common.dice,
        options=common.options,
        expect=common.expect,
        notes=tuple(notes),
        assumed=system.assumed(setup, readings),
        setup=setup,
        readings=readings,
    )


def _plain(settled: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    return {step: list(names) for step, names in settled.items()}
