"""Setups: from a table to a game that can be played.

Some keys mean the same in every system (`COMMON`); all others belong to its sheet. Where a sheet
is expected, the name of a roster entry will do; a table with `like = "name"` takes that entry and
overrides it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from affray.app.inputs.described import described
from affray.app.inputs.intake import InputError, Raw, place_told, table_checked
from affray.app.inputs.rosters import ROSTER_SCHEMA, Filling, roster_for
from affray.app.inputs.tables import (
    adapter,
    check_system,
    examples,
    fight_examples,
    list_at,
    roster,
    settled_at,
    table_at,
    text_at,
    texts_at,
    validated,
)
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
from affray.core.telling import shown
from affray.engine.exchange.game import Game

__all__ = [
    "InputError", "Loaded", "Raw", "examples", "load", "load_raw", "load_table", "roster", "schema",
    "setup_behind",
]  # fmt: skip

COMMON: Mapping[str, str] = {
    "system": "which system it is for; a check only",
    "title": "what it is called; for people",
    "vectors": "test vectors that it stands for; for people",
    "notes": "for people",
    "source": "where it comes from; for people",
    "choose": "choices settled beforehand: step = option, or a list, most wanted first",
    "rulings": "readings of open questions: name = reading; profile names several at once",
    "roster": str(ROSTER_SCHEMA["description"]),
    "play": "a script, played on request: dice and choices in order",
    "expect": "outcome fields, and what they must come to when the script is played",
    "odds": "exact odds of shipped examples; tests read them, commands don't",
    "shows": "rulings of which a shipped example is a good case: name = outcome field",
}
"""What the keys mean that all systems share."""


class Loaded(NamedTuple):
    """A setup, ready: the game, and what the file says besides.

    Attributes:
        origin: where it came from, for messages.
        raw: the whole table, roster names resolved; enough to load it again.
        dice, options: the script that stands in it.
        expect: outcome fields and what they must come to.
        remarks: what a user should know of it: that a saved game comes from other rules.
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
            raise InputError(f"{source.origin}: {A_FIGHT}", advice="a-fight")
    elif source.name not in known and source.name in fight_examples(system):
        raise UnknownNameError(f"{shown(source.name)}: {A_FIGHT}", advice="a-fight")
    return table_behind(system, source, known, "example")


def schema(system: System[Facts]) -> Raw:
    """The JSON Schema of a system's setup, the keys common to all systems included."""
    made = described(adapter(system.setup).json_schema(), system.setup)
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    options = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    faces = {"type": "array", "items": {"type": ["integer", "string"]}}
    picks = {"type": "array", "items": {"type": "string"}}
    common: Raw = {
        "system": {"const": system.id},
        "title": {"type": "string"},
        "notes": {"type": "string"},
        "choose": {"type": "object", "additionalProperties": options},
        "rulings": texts,
        "roster": ROSTER_SCHEMA,
        "play": {
            "type": "object",
            "properties": {
                "dice": {**faces, **_explained("dice", "faces in the order of the rolls")},
                "choose": {**picks, **_explained("choose", "options in the order of the choices")},
            },
            "additionalProperties": False,
        },
    }
    shared = {
        key: {**cast("Raw", value), **_explained(key, COMMON[key])} for key, value in common.items()
    }
    properties = {**made["properties"], **shared}
    return {**made, "properties": properties, "title": f"{system.title} setup"}


def _explained(key: str, words: str) -> Raw:
    return {"title": key.capitalize(), "description": words, "group": "File"}


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
    filling = Filling(roster_for(system, raw, origin, beside=beside, own=own), origin)
    filled = {**filling.defaults(said), **filling.table(said)}
    setup = validated(system.setup, filled, origin, where=filling.where, advice="list-keys")
    filling.tell_unused()
    picks = {**texts_at(raw, "rulings", origin), **(rulings or {})}
    settled = {**settled_at(raw, origin), **(choose or {})}
    title = text_at(raw, "title", origin)
    dice, options = _script(raw, origin)
    expect = table_at(raw, "expect", origin)
    readings = system.readings(picks)
    try:
        start = system.declared(setup, readings)
    except SetupError as error:
        raise type(error)(f"{origin}: {error}", advice=error.advice) from None
    game = Game(system, start).settle(settled)
    # What the user's own roster holds is filled in by now.
    kept = {key: raw[key] for key in COMMON if key in raw and key != "roster"}
    return Loaded(
        game=game,
        title=title,
        origin=origin,
        raw={**kept, **filled, "choose": _plain(settled), "rulings": dict(picks)},
        dice=dice,
        options=options,
        expect=expect,
        assumed=system.assumed(setup, readings),
        setup=setup,
        readings=readings,
    )


def _script(raw: Raw, origin: str) -> tuple[tuple[Face, ...], tuple[str, ...]]:
    """Faces and options under the key `play`."""
    play = table_at(raw, "play", origin)
    for key in play:
        if key not in {"dice", "choose"}:
            raise InputError(
                f"{origin}: {place_told(('play', key))}: unknown key; known: dice, choose"
            )
    faces: list[Face] = []
    for number, face in enumerate(list_at(play, "dice", f"{origin}: play")):
        if isinstance(face, bool) or not isinstance(face, (int, str)):
            raise InputError(
                f"{origin}: play.dice.{number}: {shown(face)}; allowed: whole numbers and texts"
            )
        faces.append(face)
    options = []
    for number, option in enumerate(list_at(play, "choose", f"{origin}: play")):
        if not isinstance(option, str):
            raise InputError(f"{origin}: play.choose.{number}: {shown(option)}; must be a text")
        options.append(option)
    return tuple(faces), tuple(options)


def _plain(settled: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    return {step: list(names) for step, names in settled.items()}
