"""Worked examples of the books, each once: the rules and the oracles are held to the same data.

What ships is an example of its system that names the vector, as in `vectors = ["V1"]`; the rest
stands in `tests/vectors/SYSTEM.toml`, in the same form. Oracles read both, so nothing of affray is
used here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Vector", "roster_of", "unshipped", "vectors_of", "written_out"]

_HERE = Path(__file__).parent
_SYSTEMS = _HERE.parents[1] / "src" / "affray" / "systems"
_BESIDE = {
    "title", "purpose", "vectors", "notes", "choose", "rulings", "play", "expect", "odds",
    "shows", "source",
}  # fmt: skip


class Vector(NamedTuple):
    """A situation and what comes of it.

    Attributes:
        name: of the example. ids: vectors and clauses that it shows.
        setup: the sheets, as they are written.
        choose, rulings: choices by step and readings by ruling that differ from the default.
        dice, options: faces and options, in the order in which they are asked for.
        expect: fields of the outcome. odds: fields with the chances of their values.
    """

    name: str
    ids: tuple[str, ...]
    setup: Mapping[str, Any]
    choose: Mapping[str, Any]
    rulings: Mapping[str, str]
    dice: tuple[Any, ...]
    options: tuple[str, ...]
    expect: Mapping[str, Any]
    odds: Mapping[str, Any]


@cache
def unshipped(system: str) -> Mapping[str, Mapping[str, Any]]:
    """Vectors that no example carries, as examples would have them."""
    path = _HERE / f"{system}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


@cache
def vectors_of(system: str) -> Mapping[str, Vector]:
    """Every vector of a system, by the name of its example."""
    path = _SYSTEMS / system.replace("-", "_") / "examples.toml"
    shipped = tomllib.loads(path.read_text("utf-8"))
    assert not shipped.keys() & unshipped(system).keys()
    tables = {**shipped, **unshipped(system)}
    return {name: _vector(name, table) for name, table in tables.items() if "vectors" in table}


@cache
def roster_of(system: str, file: str) -> Mapping[str, Mapping[str, Any]]:
    """The entries of a file of a system's roster, as they are written."""
    path = _SYSTEMS / system.replace("-", "_") / "roster" / f"{file}.toml"
    return tomllib.loads(path.read_text("utf-8"))


def written_out(
    given: str | Mapping[str, Any], entries: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """A sheet that may be given by its name in the roster, or as like one that is in it."""
    if isinstance(given, str):
        return dict(entries[given])
    like = entries[given["like"]] if "like" in given else {}
    return {**like, **{key: value for key, value in given.items() if key != "like"}}


def _vector(name: str, table: Mapping[str, Any]) -> Vector:
    play = table.get("play", {})
    return Vector(
        name, tuple(table["vectors"]), {k: v for k, v in table.items() if k not in _BESIDE},
        table.get("choose", {}), table.get("rulings", {}), tuple(play.get("dice", ())),
        tuple(play.get("choose", ())), table.get("expect", {}), table.get("odds", {}),
    )  # fmt: skip
