"""Allocation of hits against two independent oracles, on random small bodies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from affray.core.node import At, Chance, End
from affray.systems.emlia.gear import Row
from affray.systems.emlia.harm import allocate_hits
from affray.systems.emlia.sheet import Troop
from tests.oracles import emlia as oracle
from tests.oracles import emlia_text as text
from tests.systems.emlia.bodies import Came, exchange, troop

CALM = (Row(low=1),)
SIZES, MARKERS = (1, 1, 2, 3, 4, 5, 8, 10), (0, 0, 0, 1, 2, 3)


def bodies(
    seed: int, number: int, *, shared: bool, worn: bool = False
) -> Iterator[tuple[list[dict[str, Any]], int]]:
    """Random small bodies with their base damage, as tables of the oracles."""
    random = Random(seed)
    for _ in range(number):
        n = random.randint(1, 4)
        values = random.choices(range(1, 5), k=n) if shared else random.sample(range(1, 8), n)
        base = random.randint(0, 3)
        units = []
        for name, hits in zip("ABCD", values, strict=False):
            unit: dict[str, Any] = {
                "name": name, "members": random.choice(SIZES), "hits": hits, "base": base,
                "markers": random.choice(MARKERS),
            }  # fmt: skip
            for key in ("limit", "threshold"):
                if random.random() < 0.25:
                    unit[key] = random.randint(1, 4)
            track = [key for key in ("limit", "threshold") if key in unit]
            if worn and len(track) == 1:
                unit["damage"] = random.randrange(unit[track[0]])
            units.append(unit)
        yield units, random.randint(1, 40)


def sheets(units: list[dict[str, Any]]) -> list[Troop]:
    return [
        troop(unit["name"], unit["members"], unit["hits"], damage_limit=unit.get("limit"),
              threshold=unit.get("threshold"), markers=unit["markers"],
              **{"wear" if "threshold" in unit else "damage": unit.get("damage", 0)},
              table=CALM if "threshold" in unit else ())
        for unit in units
    ]  # fmt: skip


def calm(x: Any) -> Came:
    """An allocation whose tables do nothing."""
    at = At(allocate_hits, x)
    while True:
        node = at.step(at.facts)
        if isinstance(node, End):
            return Came(node.outcome, (), ())
        at = node.then if isinstance(node, Chance) else node.at  # type: ignore[union-attr]  # no choice
        if isinstance(node, Chance):
            at = At(at.step, at.facts._replace(row=0))


READINGS: list[dict[str, Any]] = [
    dict(zip(("h_floor", "group_size", "k_scope", "markers_owner"), picks, strict=True))
    for picks in product(("one", "outright"), ("start", "live"), ("every", "first"),
                         ("able", "largest"))
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(READINGS)))
def test_em53_bodies_of_different_hits_are_as_the_oracle_has_them(number: int) -> None:
    readings = READINGS[number]
    for units, hits in bodies(number, 30, shared=False, worn=True):
        for focus in (None, "A"):
            expected = oracle.allocate(units, hits, focus, **readings)  # type: ignore[arg-type]  # plain tables
            came = calm(exchange(sheets(units), hits, units[0]["base"], focus=focus, **readings))
            by = expected.by.values()
            assert came.dealt == tuple(one.points for one in by), (units, hits, focus)
            assert came.marked == tuple(one.casualties for one in by)
            assert came.markers == tuple(one.markers for one in by)
            assert came.x.rolls == sum(one.rolls for one in by)


def test_em56_bodies_that_share_hits_are_as_the_text_has_them() -> None:
    for units, hits in bodies(99, 300, shared=True):
        if len(units) == 1 and "threshold" in units[0]:
            continue  # a single unit takes points, not rolls (EM-41)
        for focus in (None, 0):
            expected = text.apply_hits(units, hits, focus)  # type: ignore[arg-type]  # plain tables
            came = calm(exchange(sheets(units), hits, units[0]["base"],
                                 focus=None if focus is None else "A"))  # fmt: skip
            assert came.dealt == expected.points, (units, hits, focus)
            assert came.marked == expected.casualties
            assert came.markers == expected.markers
            assert came.x.lost == expected.lost
            assert came.x.rolls == sum(expected.rolls)


@pytest.mark.parametrize("group_by", ["hits", "unit"])
def test_em53_b15_groups_without_markers_are_as_the_oracle_has_them(group_by: Any) -> None:
    for units, hits in bodies(7, 150, shared=True):
        clean = [{**unit, "markers": 0} for unit in units]
        expected = oracle.allocate(clean, hits, "A", group_by=group_by)  # type: ignore[arg-type]  # plain tables
        came = calm(exchange(sheets(clean), hits, clean[0]["base"], focus="A", group_by=group_by))
        assert came.dealt == tuple(one.points for one in expected.by.values()), (clean, hits)
        assert came.markers == tuple(one.markers for one in expected.by.values())
        assert came.x.lost == expected.lost
