"""Numbers of hits that share the course of an allocation, against each by itself."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from affray.systems.emlia.allocation import Spending
from affray.systems.emlia.course import spent
from tests.systems.emlia.bodies import exchange
from tests.systems.emlia.test_oracle import bodies, sheets

READINGS = list(product(("start", "live"), ("every", "first"), ("hits", "unit"),
                        ("largest", "attacker"), ("left", "all")))  # fmt: skip
NAMES = "group_size", "k_scope", "group_by", "who_takes", "marked_sizes"


@pytest.mark.parametrize("first", [0, 1])
def test_em53_hits_that_share_a_course_are_spent_as_by_themselves(first: int) -> None:
    random = Random(first)
    for number, picks in enumerate(READINGS):
        readings: dict[str, Any] = dict(zip(NAMES, picks, strict=True))
        # Two readings in a row meet the same bodies.
        for units, _ in bodies(1000 * first + number // 2, 3, shared=True, worn=True):
            focus = random.choice([None, "A"])
            some = [*range(12), *random.sample(range(12, 60), 8)]
            if first:
                random.shuffle(some)
            for hits in some:
                x = exchange(sheets(units), hits, units[0]["base"], focus=focus, **readings)
                assert x.pile is not None
                alone = Spending(x, x.pile)
                among: tuple[int, ...] = ()
                if hits and len(units) == 1:
                    alone.hurt_one()
                elif hits:
                    among = alone.hurt_body()
                shared, shared_among = spent(x, x.pile)
                assert (shared.facts(), shared_among) == (alone.facts(), among), (units, hits)
                assert (shared.hits, shared.rolls) == (alone.hits, alone.rolls)
