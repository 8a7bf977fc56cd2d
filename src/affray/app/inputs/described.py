"""JSON Schemas in which every key says what it means, as the docstring of its sheet does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["described"]

_HEAD = re.compile(r"(?:^|(?<=[;.] ))((?:\w+, )*\w+): ")


def described(schema: Mapping[str, Any]) -> dict[str, Any]:
    r"""A schema whose keys have the words that stand under `Attributes:` in its description.

    >>> words = "A card.\n\nAttributes:\n    at: its place; top, low: its\n        edges."
    >>> keys = {"at": {"type": "integer"}, "low": {"type": "integer"}}
    >>> found = described({"description": words, "properties": keys})
    >>> found["description"], found["properties"]["at"]["description"]
    ('A card.', 'its place')
    >>> found["properties"]["low"]["description"]
    'its edges'
    """
    parts = {name: described(part) for name, part in schema.get("$defs", {}).items()}
    made = {**schema, "$defs": parts} if parts else dict(schema)
    head, found, body = str(schema.get("description", "")).partition("\n\nAttributes:\n")
    if not found:
        return made
    properties = dict(made["properties"])
    for name, words in _meanings(body, properties):
        properties[name] = {"description": words, **properties[name]}
    return {**made, "description": head, "properties": properties}


def _meanings(body: str, known: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The keys that a docstring explains, each with its words."""
    for entry in re.split(r"\n    (?=\S)", body.strip()):
        text = " ".join(entry.split())
        heads = [
            (match, names)
            for match in _HEAD.finditer(text)
            if known.keys() & (names := match[1].split(", "))
        ]
        ends = [match.start() for match, _ in heads[1:]] + [len(text)]
        for (match, names), end in zip(heads, ends, strict=True):
            words = text[match.end() : end].strip(" ;").removesuffix(".")
            yield from ((name, words) for name in names if name in known)
