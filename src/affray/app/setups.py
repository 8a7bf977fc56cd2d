"""Setups: from a file, standard input or a shipped example to a game that can be played.

A setup is a table. These keys mean the same in every system; all others belong to its sheet
(`affray schema SYSTEM` prints it):

| key | meaning |
|---|---|
| `system` | which system it is for; a check only |
| `title`, `vectors`, `notes` | for people |
| `choose` | choices settled beforehand: step name = option, or a list, most wanted first |
| `rulings` | readings of open questions: name = reading; `profile` names several at once |
| `roster` | a file with entries of your own, or several; sections as in `affray roster` |
| `play` | `dice` and `choose`: a script for `affray play --script` |
| `expect`, `odds` | outcome fields and what they must come to; tests read them |
| `shows` | rulings of which this is a good case: name = outcome field |

Where a sheet is expected, the name of a roster entry will do; a table with `like = "name"` takes
that entry and overrides it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from affray.app.registry import system_named
from affray.app.tables import (
    ROSTER_SCHEMA,
    InputError,
    Raw,
    adapter,
    check_system,
    examples,
    list_at,
    read_table,
    resolved,
    roster,
    roster_for,
    settled_at,
    table_at,
    texts_at,
    validated,
)
from affray.core.dice import Face
from affray.core.node import Facts
from affray.core.step import System
from affray.engine.game import Game

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


def read_source(system: System[Facts], source: str) -> tuple[Raw, str]:
    """The table behind a SETUP argument and where it came from.

    Args:
        system: whose examples are meant.
        source: a path, the name of a shipped example, or `-` for standard input.

    Raises:
        UnknownNameError: neither a file nor an example.
        InputError: it can't be read, or is neither TOML nor JSON.
    """
    return read_table(system, source, examples(system), "example")


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
    source: str,
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Loaded:
    """A setup, ready to be played, priced or solved.

    Args:
        system_name: id of a system.
        source: a path, the name of a shipped example, or `-` for standard input.
        choose: more choices settled beforehand; they win over the file's.
        rulings: more rulings; they win over the file's.

    Raises:
        UnknownNameError: an unknown system or example.
        InputError: a file that can't be read or doesn't fit.
        SetupError: a declaration that the rules refuse.
    """
    system = system_named(system_name)
    raw, origin = read_source(system, source)
    return load_raw(system, raw, origin, choose=choose, rulings=rulings)


def load_raw(
    system: System[Facts],
    raw: Raw,
    origin: str,
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Loaded:
    """A setup from a table; arguments and errors as for `load`."""
    check_system(system, raw, origin)
    own = {key: value for key, value in raw.items() if key not in RESERVED}
    entries = roster_for(system, raw, origin)
    filled = {**entries.defaults(own), **resolved(entries, own)}
    setup = validated(system.setup, filled, origin)
    picks = {**texts_at(raw, "rulings", origin), **(rulings or {})}
    settled = {**settled_at(raw, origin), **(choose or {})}
    play = table_at(raw, "play", origin)
    stray = set(play) - {"dice", "choose"}
    if stray:
        raise InputError(f"{origin}: play: unknown key {sorted(stray)[0]!r}; known: dice, choose")
    start = system.declared(setup, system.readings(picks))
    game = Game(system, start).settle(settled)
    # What the user's own roster holds is filled in by now.
    kept = {key: raw[key] for key in RESERVED if key in raw and key != "roster"}
    return Loaded(
        game=game,
        title=str(raw.get("title", "")),
        origin=origin,
        raw={**kept, **filled, "choose": _plain(settled), "rulings": dict(picks)},
        dice=tuple(list_at(play, "dice", origin)),  # type: ignore[arg-type]  # dice refuse others
        options=tuple(str(option) for option in list_at(play, "choose", origin)),
        expect=table_at(raw, "expect", origin),
    )


def _plain(settled: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    return {step: list(names) for step, names in settled.items()}
