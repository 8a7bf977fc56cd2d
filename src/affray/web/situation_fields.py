"""The situation of a fight as fields: what one control each can say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from affray.app.inputs.fight_sheets import fight_schema
from affray.app.inputs.intake import Raw
from affray.core.errors import Fault
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import plain_key, value_told
from affray.web.fields import Choice
from affray.web.fight_faults import keys_of, said_of

__all__ = ["SituationField", "plain_kind", "situation_field", "situation_schema", "value_said"]

KINDS = frozenset({"boolean", "integer", "number", "string"})


class SituationField(NamedTuple):
    """A field of the situation.

    Attributes:
        key, title, help: what it is.
        kind: "choice" or "number".
        value: as it was said; "": it stays as it is. usual: how it is then, in words.
        choices: of a choice. least, most, step: of a number; "": any.
        faults: what is wrong with it.
    """

    key: str
    title: str
    help: str
    kind: str
    value: str
    usual: str
    choices: tuple[Choice, ...] = ()
    least: str = ""
    most: str = ""
    step: str = ""
    faults: tuple[str, ...] = ()


def situation_schema(system: System[Facts]) -> Mapping[str, Raw]:
    """The keys of the situation that one control can say, with their schema."""
    schema = cast("Any", fight_schema(system))
    ref = schema["properties"]["situation"]["$ref"].rsplit("/", 1)[1]
    found = schema["$defs"][ref]["properties"]
    return {key: one for key, one in found.items() if plain_kind(one) is not None}


def plain_kind(schema: Raw) -> Raw | None:
    """The schema of a value that one control can say; None: it takes more than that."""
    kinds = [schema] if "type" in schema else cast("list[Raw]", schema.get("anyOf", []))
    kinds = [one for one in kinds if one.get("type") != "null"]
    if len(kinds) != 1 or kinds[0].get("type") not in KINDS:
        return None
    if kinds[0]["type"] == "string" and "enum" not in kinds[0]:
        return None
    return kinds[0]


def situation_field(
    key: str, schema: Raw, own: Sequence[object], value: str, faults: Sequence[Fault], *,
    is_asked: bool,
) -> SituationField:  # fmt: skip
    """A key of the situation as a field.

    Args:
        key: the key.
        schema: of its value.
        own: what the sides of the fight say of it.
        value: as it was typed; "": nothing was.
        faults: of the whole fight.
        is_asked: whether play asks for it where nothing is said.
    """
    plain = cast("Raw", plain_kind(schema))
    usual = schema.get("default")
    words = " and ".join(dict.fromkeys(map(_in_words, own)))
    if not own:
        words = "asked in play" if is_asked else _in_words(usual)
    is_choice = "enum" in plain or plain["type"] == "boolean"
    choices: tuple[Choice, ...] = ()
    if is_choice:
        values = cast("list[object]", plain.get("enum", [True, False]))
        choices = tuple(
            Choice(str(one).lower() if isinstance(one, bool) else str(one), _in_words(one))
            for one in values
        )
    least, most = (str(plain.get(name, "")) for name in ("minimum", "maximum"))
    return SituationField(
        key, str(schema["title"]), str(schema.get("description", "")),
        "choice" if is_choice else "number", value, words, choices, least, most,
        "1" if plain["type"] == "integer" else "any",
        tuple(said_of(one) for one in faults if "situation" in (at := keys_of(one))
              and at[-1] == key),
    )  # fmt: skip


def _in_words(value: object) -> str:
    return plain_key(value_told(value))


def value_said(value: str, schema: Raw) -> object:
    """What was typed as the kind of value that is meant; as it is where it isn't one."""
    plain = plain_kind(schema) or {}
    match plain.get("type"):
        case "boolean" if value in {"true", "false"}:
            return value == "true"
        case "integer" | "number":
            try:
                return int(value)
            except ValueError:
                pass
            try:
                return float(value)
            except ValueError:
                return value
        case _:
            return value
