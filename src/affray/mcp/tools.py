"""All tools: their names, what they take and give, and a call read and answered."""

from __future__ import annotations

from collections.abc import Mapping

from affray.app.change_schema import change_schema
from affray.app.inputs.checking import adapter, validated
from affray.app.inputs.described import described
from affray.app.inputs.intake import table_checked
from affray.app.views.schemas import schemas_of
from affray.core.names import unknown
from affray.mcp.asking import (
    AskBattle,
    AskBest,
    AskDuel,
    AskOdds,
    CheckTable,
    ListSystems,
    LookUp,
)
from affray.mcp.calls import Call
from affray.mcp.playing import (
    AdviseGame,
    AskChances,
    BeginGame,
    ChangeGame,
    ExportGame,
    LookAtGame,
    SaveGame,
)

__all__ = ["TOOLS", "changes_games", "input_schema", "is_long", "output_schema",
           "read_call", "seconds_of", "words_of"]  # fmt: skip

QUICK_S = 5.0
"""Seconds for calls that have no budget of their own."""


TOOLS: Mapping[str, type[Call]] = {
    "list_systems": ListSystems,
    "look_up": LookUp,
    "check_table": CheckTable,
    "ask_odds": AskOdds,
    "ask_best": AskBest,
    "begin_game": BeginGame,
    "look_at_game": LookAtGame,
    "change_game": ChangeGame,
    "advise_game": AdviseGame,
    "ask_chances": AskChances,
    "export_game": ExportGame,
    "save_game": SaveGame,
    "ask_duel": AskDuel,
    "ask_battle": AskBattle,
}
"""All tools by name, in the order in which they are listed."""


def read_call(name: str, arguments: Mapping[str, object]) -> Call:
    """A call of a tool from its arguments.

    Raises:
        UnknownNameError: no such tool.
        InputError: the arguments don't fit it; says everything that is wrong.
    """
    if name not in TOOLS:
        raise unknown("tool", name, TOOLS)
    return validated(TOOLS[name], table_checked(arguments, name), name)  # type: ignore[return-value]  # of that kind


def is_long(kind: type[Call]) -> bool:
    """Whether it usually takes seconds."""
    return bool(getattr(kind, "is_long", False))


def changes_games(kind: type[Call]) -> bool:
    """Whether it makes or changes a game."""
    return bool(getattr(kind, "changes_games", False))


def seconds_of(call: Call) -> float:
    """The seconds that a call may take."""
    return float(getattr(call, "seconds", QUICK_S))


# -- what is told of them --------------------------------------------------------------------------


def words_of(kind: type[Call]) -> str:
    """What a tool does, for the model that chooses among them."""
    text = str(described(adapter(kind).json_schema(), kind).get("description", ""))
    return "\n".join(line.strip() for line in text.splitlines())


def input_schema(kind: type[Call]) -> dict[str, object]:
    """The JSON Schema of a tool's arguments."""
    schema = described(adapter(kind).json_schema(), kind)
    rows = {
        name: {key: value for key, value in row.items() if key not in {"title", "group"}}
        for name, row in schema["properties"].items()
    }
    if kind is ChangeGame:
        rows["change"] = {"description": rows["change"]["description"], **change_schema("fight")}
    return {
        "type": "object", "properties": rows, "required": schema.get("required", []),
        "additionalProperties": False,
    }  # fmt: skip


def output_schema(kind: type[Call]) -> dict[str, object]:
    """The JSON Schema of a tool's result; what its keys mean says `affray schema --views`.

    Raises:
        RulesError: a view that no schema can be made of.
    """
    schemas = {name: _bare(schema) for name, schema in schemas_of(kind.views).items()}
    links = [{"$ref": f"#/$defs/{view.__name__}"} for view in kind.views]
    return {"type": "object", "anyOf": links, "$defs": schemas}


def _bare(schema: object) -> object:
    """A schema without words."""
    if isinstance(schema, dict):
        return {
            key: _bare(value)
            for key, value in schema.items()
            if not (key == "description" and isinstance(value, str))
        }
    return [_bare(one) for one in schema] if isinstance(schema, list) else schema
