"""JSON Schemas of what people write: roster names in place of sheets, and tables with `like`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast

from affray.app.inputs.intake import Raw

__all__ = ["LIKE", "OPTIONS", "as_written", "ref_to", "with_like"]

OPTIONS: Raw = {
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
    ]
}
"""The JSON Schema of a choice settled beforehand: an option, or several."""
LIKE: Raw = {
    "type": "string",
    "title": "Like",
    "group": "Roster",
    "description": "a roster entry that this one is like; keys beside it replace its values",
}
"""The JSON Schema of the key `like`."""
NAME: Raw = {"type": "string", "description": "the name of a roster entry"}


def as_written(schema: Raw, named: Collection[str]) -> Raw:
    """A schema of filled tables as one of what people write.

    Args:
        schema: of a sheet; sheets within it stand under `$defs`.
        named: keys where the name of a roster entry may stand for a sheet.
    """
    liked: dict[str, None] = {}
    parts = {
        name: _with_names(cast("Raw", part), named, liked)
        for name, part in cast("Raw", schema.get("$defs", {})).items()
    }
    whole = _with_names(schema, named, liked)
    for name in liked:
        parts[f"{name}Like"] = with_like(parts[name])
    return {**whole, "$defs": parts} if parts else whole


def with_like(sheet: Raw) -> Raw:
    """The schema of a table that is like a roster entry: it needs no other key."""
    properties = {**cast("Raw", sheet["properties"]), "like": LIKE}
    title = f"{sheet.get('title', 'Entry')} like another"
    return {**sheet, "title": title, "properties": properties, "required": ["like"]}


def ref_to(name: str) -> Raw:
    """A reference to a sheet under `$defs`."""
    return {"$ref": f"#/$defs/{name}"}


def _with_names(sheet: Raw, named: Collection[str], liked: dict[str, None]) -> Raw:
    """The schema of one sheet with names under these keys; notes the sheets they stand for."""
    properties = sheet.get("properties")
    if not isinstance(properties, dict):
        return sheet
    changed = {
        key: _or_name(held, liked) if key in named else held for key, held in properties.items()
    }
    return {**sheet, "properties": changed}


def _or_name(held: Raw, liked: dict[str, None]) -> Raw:
    """The schema of a value where the name of a roster entry may stand for each sheet."""
    if "$ref" in held:
        name = str(held["$ref"]).rsplit("/", 1)[1]
        liked[name] = None
        rest = {key: value for key, value in held.items() if key != "$ref"}
        return {**rest, "anyOf": [NAME, ref_to(name), ref_to(f"{name}Like")]}
    if isinstance(held.get("items"), Mapping):
        return {**held, "items": _or_name(cast("Raw", held["items"]), liked)}
    if isinstance(held.get("anyOf"), list):
        found: list[Raw] = []
        for part in cast("list[Raw]", held["anyOf"]):
            changed = _or_name(part, liked)
            inner = changed.get("anyOf")
            found += cast("list[Raw]", inner) if isinstance(inner, list) else [changed]
        return {**held, "anyOf": found}
    return held
