"""Allocations of several numbers of hits in one go, against each by itself."""

from __future__ import annotations

import gc
from itertools import product
from random import Random
from typing import Any

import pytest

from affray.systems.emlia.harm import allocate_hits
from affray.systems.emlia.shared_hits import Noted, allocations
from tests.systems.emlia.bodies import exchange, troop
from tests.systems.emlia.test_oracle import bodies, sheets

READINGS = list(product(("start", "live"), ("every", "first"), ("hits", "unit"),
                        ("largest", "attacker"), ("left", "all")))  # fmt: skip
NAMES = "group_size", "k_scope", "group_by", "who_takes", "marked_sizes"


@pytest.mark.parametrize("first", [0, 1])
def test_em53_hits_are_shared_out_in_one_go_as_one_by_one(first: int) -> None:
    random = Random(first)
    for number, picks in enumerate(READINGS):
        readings: dict[str, Any] = dict(zip(NAMES, picks, strict=True))
        allocate = allocations()
        # Two readings in a row meet the same bodies.
        for units, _ in bodies(1000 * first + number // 2, 3, shared=True, worn=True):
            focus = random.choice([None, "A"])
            some = [*range(12), *random.sample(range(12, 60), 8)]
            if first:
                random.shuffle(some)
            for hits in some:
                x = exchange(sheets(units), hits, units[0]["base"], focus=focus, **readings)
                assert allocate(x) == allocate_hits.rule(x), (units, hits)


def test_em53_portions_that_are_the_same_are_shared_out_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 41 hits those go on that 40 have come to: one more portion at most is shared out."""
    served: list[int] = []
    serve = Noted.serve

    def noticed(spending: Noted, number: int) -> None:
        served.append(number)
        serve(spending, number)

    monkeypatch.setattr(Noted, "serve", noticed)
    one, other = (exchange([troop("A", 30, 1), troop("B", 20, 2)], hits) for hits in (40, 41))
    allocate = allocations()
    allocate(one)
    assert len(served) > 20
    served.clear()
    assert allocate(other) == allocate_hits.rule(other)
    assert len(served) <= 1


def test_allocations_are_let_go_of_with_what_knows_them() -> None:
    units, _ = next(iter(bodies(3, 1, shared=True, worn=True)))
    allocate = allocations()
    starts = [exchange(sheets(units), hits, units[0]["base"]) for hits in range(20, 24)]
    gc.collect()
    gc.disable()  # nobody searches for circles
    try:
        for x in starts:
            allocate(x)
        assert any(type(one) is Noted for one in gc.get_objects())
        del allocate
        assert not any(type(one) is Noted for one in gc.get_objects())
    finally:
        gc.enable()
