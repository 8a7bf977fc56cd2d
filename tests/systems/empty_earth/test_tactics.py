"""The rule of thumb for a turn."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.node import At, Choice, End, Option, Step
from affray.systems.empty_earth.tactics import rule_of_thumb


@pytest.mark.parametrize(
    ("names", "best"),
    [
        (("none", "stop-1", "stop-2"), "stop-2"),
        (("none", "stop-1", "stop-1-and-1-special"), "stop-1-and-1-special"),
        (("raise", "none"), "none"),
    ],
)
def test_a_dodge_stops_as_many_dice_as_it_can(names: tuple[str, ...], best: str) -> None:
    at: At[Any] = At(Step(End, ()), ())
    at.step.name = "spread_dodge"
    choice = Choice("defender", "how?", tuple(Option(name, at) for name in names))
    ranks = rule_of_thumb(at, choice)
    assert names[ranks.index(max(ranks))] == best
