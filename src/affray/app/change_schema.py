"""The JSON Schema of changes of a game; see `affray.app.changes`."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["change_schema"]

TEXT = {"type": "string", "maxLength": 20_000}
FACE = {"type": ["integer", "string"]}
FACES = {"type": "array", "items": FACE, "maxItems": 1000}
TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
MANY = {"type": "integer", "minimum": 1, "maximum": 1_000_000}

KINDS: Mapping[str, tuple[str, dict[str, object], tuple[str, ...]]] = {
    "option": ("Answers the open question.", {"option": TEXT}, ("option",)),
    "faces": ("Answers the open roll.", {"faces": FACES}, ("faces",)),
    "lay": ("Lays faces of the open roll on the table.", {"faces": FACES}, ("faces",)),
    "line": ("Says a turn in one line.", {"text": TEXT, "fills": {"type": "boolean"}}, ("text",)),
    "picks": ("Says a turn by the options of its decisions.", {"picks": TEXTS}, ("picks",)),
    "roll": ("Has the server roll the dice that don't lie yet.", {}, ()),
    "decide": (
        "Has the computer decide.",
        {
            "policy": TEXT,
            "objective": TEXT,
            "seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000},
            "seed": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
        },
        (),
    ),
    "correct": (
        "Puts another face on a die of the last roll.",
        {"die": MANY, "face": FACE},
        ("die", "face"),
    ),
    "undo": ("Takes answers of people back.", {"n": MANY}, ()),
    "redo": ("Gives answers again that were taken back.", {"n": MANY}, ()),
    "seats": ("Names who answers for a side or a fighter.", {"seats": TEXTS}, ("seats",)),
    "hand": ("A game master's hand, with the keys that it needs.", {"what": TEXT}, ("what",)),
    "habit": (
        "Has an option always taken at a step; an empty one: no more.",
        {"who": TEXT, "step": TEXT, "option": TEXT, "against": TEXT},
        ("who", "step", "option"),
    ),
}
AT = {
    "type": "integer",
    "minimum": 0,
    "description": "The revision that it is meant for; if the game has moved on, nothing is done.",
}


CALLED = {"option": "answer", "faces": "answer", "picks": "line"}
"""The `do` of those that have another name than it."""
FOR_FIGHTS = frozenset({"hand", "habit", "picks"})


def change_schema(kind: str) -> dict[str, object]:
    """The JSON Schema of one change of a game, "fight" or "exchange"."""
    return {"oneOf": [_kind(name) for name in KINDS if kind == "fight" or name not in FOR_FIGHTS]}


def _kind(name: str) -> dict[str, object]:
    words, properties, needed = KINDS[name]
    return {
        "type": "object",
        "title": name,
        "description": words,
        "properties": {"do": {"const": CALLED.get(name, name)}, **properties, "at": AT},
        "required": ["do", *needed],
        "additionalProperties": name == "hand",
    }
