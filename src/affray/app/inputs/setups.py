"""Setups: from a file, standard input or a shipped example to a game that can be played.

A setup is a table. These keys mean the same in every system; all others belong to its sheet
(`affray schema SYSTEM` prints it):

| key | meaning |
|---|---|
| `system` | which system it is for; a check only |
| `title`, `vectors`, `notes`, `source` | for people |
| `choose` | choices settled beforehand: step name = option, or a list, most wanted first |
| `rulings` | readings of open questions: name = reading; `profile` names several at once |
| `roster` | own entries by section, or files with them that lie beside the setup or below |
| `play` | `dice` and `choose`: a script for `affray play --script` |
| `expect` | outcome fields and what they must come to; `affray play --script` checks them |
| `odds` | exact odds of shipped examples; tests read them, commands don't |
| `shows` | rulings of which a shipped example is a good case: name = outcome field |

Where a sheet is expected, the name of a roster entry will do; a table with `like = "name"` takes
that entry and overrides it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from affray.app.files.documents import Document
from affray.app.inputs.intake import InputError, Raw, place_told, table_checked
from affray.app.inputs.rosters import ROSTER_SCHEMA, Filling, roster_for
from affray.app.inputs.tables import (
    adapter,
    check_system,
    examples,
    list_at,
    read_table,
    roster,
    settled_at,
    table_at,
    text_at,
    texts_at,
    validated,
)
from affray.app.registry import system_named
from affray.core.dice import Face
from affray.core.errors import SetupError
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import shown
from affray.engine.exchange.game import Game

__all__ = [
    "InputError", "Loaded", "Raw", "examples", "load", "load_raw", "read_source", "roster",
    "schema",
]  # fmt: skip

RESERVED = (
    "system", "title", "vectors", "notes", "choose", "rulings", "play", "expect", "odds", "source",
    "roster", "shows",
)  # fmt: skip


class Loaded(NamedTuple):
    """A setup, ready: the game, and what the file says besides.

    Attributes:
        origin: where it came from, for messages.
        raw: the whole table, roster names resolved; enough to load it again.
        dice, options: the script for playing it.
        expect: outcome fields and what they must come to.
        remarks: what a user should know of it: that a saved game comes from other rules.
    """

    game: Game
    title: str
    origin: str
    raw: Raw
    dice: tuple[Face, ...]
    options: tuple[str, ...]
    expect: Mapping[str, object]
    remarks: tuple[str, ...] = ()


def read_source(system: System[Facts], source: str | Mapping[str, object]) -> Document:
    """The table behind a SETUP argument and where it came from.

    Args:
        system: whose examples are meant.
        source: a path, the name of a shipped example, `-` for standard input, or the table itself.

    Raises:
        UnknownNameError: neither a file nor an example.
        InputError: it can't be read, or is neither TOML nor JSON.
    """
    if isinstance(source, str):
        return read_table(system, source, examples(system), "example")
    return Document(table_checked(source, "table"), "table")


def schema(system: System[Facts]) -> Raw:
    """The JSON Schema of a system's setup, the keys common to all systems included."""
    made = dict(adapter(system.setup).json_schema())
    properties = dict(made["properties"])
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    options = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    properties |= {
        "system": {"const": system.id},
        "title": {"type": "string"},
        "notes": {"type": "string"},
        "choose": {"type": "object", "additionalProperties": options},
        "rulings": texts,
        "roster": ROSTER_SCHEMA,
        "play": {
            "type": "object",
            "properties": {
                "dice": {"type": "array", "items": {"type": ["integer", "string"]}},
                "choose": {"type": "array", "items": {"type": "string"}},
            },
            "additionalProperties": False,
        },
    }
    return {**made, "properties": properties, "title": f"{system.title} setup"}


# -- loading ---------------------------------------------------------------------------------


def load(
    system_name: str,
    source: str | Mapping[str, object],
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Loaded:
    """A setup, ready to be played, priced or solved.

    Args:
        system_name: id of a system.
        source: a path, the name of a shipped example, `-` for standard input, or the table itself.
        choose: more choices settled beforehand; they win over the file's.
        rulings: more rulings; they win over the file's.

    Raises:
        UnknownNameError: an unknown system or example.
        InputError: a file that can't be read or doesn't fit.
        SetupError: a declaration that the rules refuse.
    """
    system = system_named(system_name)
    raw, origin, folder = read_source(system, source)
    return load_raw(system, raw, origin, choose=choose, rulings=rulings, folder=folder)


def load_raw(
    system: System[Facts],
    raw: Mapping[str, object],
    origin: str,
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
    folder: Path | None = None,
    roster_files: Sequence[str] = (),
) -> Loaded:
    """A setup from a table.

    Args:
        system: whose setup it is.
        raw: the table.
        origin: where it came from, for messages.
        choose: as for `load`.
        rulings: as for `load`.
        folder: roster files that it names lie here or below; None: it may name none.
        roster_files: roster files that count instead, wherever they lie.

    Raises:
        InputError, SetupError: as for `load`.
    """
    raw = table_checked(raw, origin)
    check_system(system, raw, origin)
    own = {key: value for key, value in raw.items() if key not in RESERVED}
    filling = Filling(roster_for(system, raw, origin, folder=folder, files=roster_files), origin)
    filled = {**filling.defaults(own), **filling.table(own)}
    setup = validated(
        system.setup, filled, origin, where=filling.where, schema=f"affray schema {system.id}"
    )
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
        raise type(error)(f"{origin}: {error}") from None
    game = Game(system, start).settle(settled)
    # What the user's own roster holds is filled in by now.
    kept = {key: raw[key] for key in RESERVED if key in raw and key != "roster"}
    return Loaded(
        game=game,
        title=title,
        origin=origin,
        raw={**kept, **filled, "choose": _plain(settled), "rulings": dict(picks)},
        dice=dice,
        options=options,
        expect=expect,
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
            raise InputError(f"{origin}: play.choose.{number}: {shown(option)}; needed is a text")
        options.append(option)
    return tuple(faces), tuple(options)


def _plain(settled: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    return {step: list(names) for step, names in settled.items()}
