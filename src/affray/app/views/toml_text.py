"""Tables as TOML, so that what is shown can be put into a file of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

__all__ = ["entry_text", "setup_text"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def entry_text(section: str, name: str, values: Mapping[str, object]) -> str:
    """A roster entry as TOML.

    >>> print(entry_text("weapons", "club", {"name": "Club", "dice": [1, 2], "aim": {"up": True}}))
    [weapons.club]
    name = "Club"
    dice = [1, 2]
    aim = { up = true }
    """
    lines = [f"[{_key(section)}.{_key(name)}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in values.items()]
    return "\n".join(lines)


def setup_text(table: Mapping[str, object]) -> str:
    """A setup as TOML: values first, then a section for each table.

    >>> print(setup_text({"title": "Two", "attacker": {"health": 2}, "distance_hexes": 1}), end="")
    title = "Two"
    distance_hexes = 1
    <BLANKLINE>
    [attacker]
    health = 2
    """
    lines, sections = [], []
    for key, value in table.items():
        if isinstance(value, Mapping):
            rows = [f"{_key(str(name))} = {_value(held)}" for name, held in value.items()]
            sections.append("\n".join([f"\n[{_key(key)}]", *rows]))
        else:
            lines.append(f"{_key(key)} = {_value(value)}")
    return "\n".join([*lines, *sections]) + "\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(str(key))} = {_value(held)}" for key, held in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
