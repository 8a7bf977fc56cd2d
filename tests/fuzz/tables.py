"""Random tables: setups that fit a system's schema, and tables that fit nothing."""

from __future__ import annotations

import copy
import datetime
import random
from collections.abc import Mapping
from functools import cache
from typing import cast

from affray.app.inputs.setups import Raw, examples, roster, schema
from affray.app.registry import system_named

__all__ = ["Maker"]

Node = Mapping[str, object]

MOST_ITEMS = 3
DEEP = 5
OPTIONAL = 0.15
"""How often a key is given that could be left out."""

WILD: tuple[object, ...] = (
    None, True, False, -1, 0, 1, 10**6, 2**63, 10**30, -(10**30), 0.5, float("nan"),
    float("inf"), "", " ", "none", "x" * 10_000, "\x1b[31mred", "\ud800", "nul\0", "\u0663", "²",
    "../../etc/hosts", "1D6", "0D0", "9999D9999", "1D6+", [], {}, [[]], [None], {"": 1},
    {"name": {"name": {}}}, ["a"] * 1_000, datetime.date(2020, 2, 30 - 1),
)  # fmt: skip
"""Values that somebody might put anywhere."""


@cache
def _schema(system: str) -> Raw:
    return schema(system_named(system))


class Maker:
    """Makes tables for one system out of one source of randomness.

    Args:
        system: id of the system.
        seed: what they are made from; equal seeds make equal tables.
    """

    def __init__(self, system: str, seed: int) -> None:
        self.system = system_named(system)
        self.random = random.Random(f"{system} {seed}")
        self._root = cast("Node", _schema(system))
        self._defs = cast("Mapping[str, Node]", self._root.get("$defs", {}))
        known = roster(self.system).values()
        self._names = ("nobody", *(name for entries in known for name in entries))

    # -- setups ------------------------------------------------------------------------------

    def setup(self) -> Raw:
        """A setup that the schema allows; the rules may still refuse it."""
        kind = self.random.random()
        if kind < 0.6:
            table = self.example()
        elif kind < 0.9:
            table = self.pair()
        else:
            table = self._object(self._root, 0)
            table = {**self.pair(), **table}
        table.pop("system", None)
        for _ in range(self.random.choice((0, 1, 1, 2, 3, 5))):
            self._change(table, self._root)
        return table

    def example(self) -> Raw:
        """A shipped example."""
        name = self.random.choice(sorted(examples(self.system)))
        return copy.deepcopy(examples(self.system)[name])

    def pair(self) -> Raw:
        """Two of the roster against each other."""
        section = self.system.roster_keys.get("attacker", "fighters")
        names = sorted(roster(self.system).get(section, {"nobody": {}}))
        return {"attacker": self.random.choice(names), "defender": self.random.choice(names)}

    def spoiled(self) -> Raw:
        """A setup with something in it that nobody would accept, most of the time."""
        table = self.setup()
        for _ in range(self.random.choice((1, 1, 2, 4))):
            self.spoil(table)
        return table

    def wild(self) -> object:
        """Anything at all."""
        return copy.deepcopy(self.random.choice(WILD))

    # -- changes -----------------------------------------------------------------------------

    def _change(self, table: dict[str, object], node: Node) -> None:
        """Put another value that fits under one key, at any depth."""
        node = self._resolved(node)
        properties = cast("Mapping[str, Node]", node.get("properties", {}))
        if not properties:
            return
        inner = [key for key, value in table.items() if isinstance(value, dict)]
        inner = [key for key in inner if key in properties]
        if inner and self.random.random() < 0.6:
            key = self.random.choice(inner)
            self._change(cast("dict[str, object]", table[key]), properties[key])
            return
        key = self.random.choice(sorted(properties))
        if key in table and self.random.random() < 0.15:
            del table[key]
        else:
            table[key] = self._value(properties[key], 1)

    def spoil(self, value: object) -> None:
        """Put something wild anywhere inside."""
        if isinstance(value, dict) and value:
            key = self.random.choice(list(value))
            if self.random.random() < 0.5 and isinstance(value[key], (dict, list)):
                self.spoil(value[key])
            elif self.random.random() < 0.2:
                value[str(self.wild())] = self.wild()
            else:
                value[key] = self.wild()
        elif isinstance(value, list) and value:
            place = self.random.randrange(len(value))
            if isinstance(value[place], (dict, list)) and self.random.random() < 0.7:
                self.spoil(value[place])
            else:
                value[place] = self.wild()

    # -- values that fit ---------------------------------------------------------------------

    def _resolved(self, node: Node) -> Node:
        while "$ref" in node:
            node = self._defs[str(node["$ref"]).rpartition("/")[2]]
        if "anyOf" in node:
            objects = [
                found
                for part in cast("list[Node]", node["anyOf"])
                if (found := self._resolved(part)).get("properties")
            ]
            return objects[0] if objects else node
        return node

    def _value(self, node: Node, depth: int) -> object:  # one way for each kind of the schema
        if "$ref" in node:
            node = self._defs[str(node["$ref"]).rpartition("/")[2]]
        if "const" in node:
            return node["const"]
        if "anyOf" in node:
            parts = cast("list[Node]", node["anyOf"])
            whole = [part for part in parts if not str(part.get("$ref", "")).endswith("Like")]
            return self._value(self.random.choice(whole), depth)
        if "enum" in node:
            return self.random.choice(cast("list[object]", node["enum"]))
        kind = node.get("type")
        if kind == "object":
            return self._object(node, depth)
        if kind == "array":
            return self._array(node, depth)
        if kind == "integer":
            return self._integer(node)
        if kind == "number":
            return self.random.choice((0, 0.5, 1, 2, 3.25, 10))
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "null":
            return None
        return self._text()

    def _integer(self, node: Node) -> int:
        low = cast("int", node.get("minimum", -3))
        high = cast("int", node.get("maximum", max(low, 0) + 20))
        likely = [low, low + 1, low + 2, min(high, low + 10), high]
        if self.random.random() < 0.7:
            return self.random.randint(low, min(high, low + 12))
        return self.random.choice([number for number in likely if low <= number <= high])

    def _text(self) -> str:
        return self.random.choice((*self._names, "", "Vex", "1D6", "2D6+1", "1D4"))

    def _array(self, node: Node, depth: int) -> list[object]:
        fixed = cast("list[Node]", node.get("prefixItems", []))
        if fixed:
            return [self._value(item, depth + 1) for item in fixed]
        item = node.get("items")
        if not isinstance(item, Mapping) or depth > DEEP:
            return []
        low = cast("int", node.get("minItems", 0))
        high = min(cast("int", node.get("maxItems", MOST_ITEMS)), max(low, MOST_ITEMS))
        number = self.random.randint(low, high)
        return [self._value(item, depth + 1) for _ in range(number)]

    def _object(self, node: Node, depth: int) -> dict[str, object]:
        made: dict[str, object] = {}
        required = cast("list[str]", node.get("required", []))
        properties = cast("Mapping[str, Node]", node.get("properties", {}))
        for key, inner in properties.items():
            if depth == 0 and key in {"choose", "rulings", "play", "roster", "system"}:
                continue
            if key in required or (depth <= DEEP and self.random.random() < OPTIONAL):
                made[key] = self._value(inner, depth + 1)
        return made
