"""Values of a table put in by their paths, such as `attacker.weapons.0.damage`."""

from __future__ import annotations

from collections.abc import Mapping

from affray.app.inputs.intake import InputError, Raw, pointer
from affray.app.sources import Table
from affray.core.errors import Fault, SetupError
from affray.core.telling import shown

__all__ = ["with_value", "with_values"]


def with_values(table: Table, values: Mapping[str, object]) -> Table:
    """A setup or a fight with other values at some paths, put in one after the other.

    Raises:
        SetupError: it is a saved game.
        InputError: a path leads nowhere; the fault is at `/set/PATH`.
    """
    if values and "schema" in table.raw:
        raise SetupError(f"{table.origin}: a saved game keeps its setup; no value can be set in it")
    raw = dict(table.raw)
    for path, value in values.items():
        try:
            raw = with_value(raw, path, value, table.origin)
        except InputError as error:
            faults = [one._replace(where=pointer(["set", path]), origin="") for one in error.faults]
            raise InputError(str(error), faults=faults) from None
    return table._replace(raw=raw)


def with_value(raw: Raw, path: str, value: object, origin: str) -> Raw:
    """A table with another value at a path; the rest is shared with the old one.

    A roster name on the way stands for an entry that is like it.

    Args:
        raw: the table.
        path: keys and list indexes with dots between them; only the last key may be new.
        value: what shall stand there.
        origin: where the table came from, for messages.

    >>> with_value({"attacker": "bo", "range": [1, 2]}, "attacker.dodge", 3, "x")
    {'attacker': {'like': 'bo', 'dodge': 3}, 'range': [1, 2]}
    >>> with_value({"range": [1, 2]}, "range.1", 5, "x")
    {'range': [1, 5]}

    Raises:
        InputError: the path leads nowhere.
    """
    keys = path.split(".")
    if not all(keys):
        raise InputError(f"path {shown(path)}; write keys with dots between them")
    found = _put(raw, keys, 0, value, origin)
    assert isinstance(found, dict)  # as it was one
    return found


def _put(held: object, keys: list[str], depth: int, value: object, origin: str) -> object:
    if depth == len(keys):
        return value
    key, is_last = keys[depth], depth == len(keys) - 1
    if isinstance(held, str):
        held = {"like": held}
    if isinstance(held, dict) and (key in held or is_last):
        return {**held, key: _put(held.get(key), keys, depth + 1, value, origin)}
    if isinstance(held, list) and key.isdecimal() and int(key) < len(held):
        place = int(key)
        inner = _put(held[place], keys, depth + 1, value, origin)
        return [*held[:place], inner, *held[place + 1 :]]
    if isinstance(held, dict):
        allowed = f"its keys are {', '.join(map(str, list(held)[:20]))}"
    elif isinstance(held, list):
        allowed = f"indexes go from 0 to {len(held) - 1}" if held else "the list is empty"
    else:
        allowed = "it is a single value"
    where = ".".join(keys[:depth]) or "the table"
    what = f"nothing is at {shown('.'.join(keys[: depth + 1]))}: of {where}, {allowed}"
    fault = Fault(pointer(keys[: depth + 1]), what, code="unknown-key", origin=origin)
    raise InputError(f"{origin}: {what}", faults=[fault])
