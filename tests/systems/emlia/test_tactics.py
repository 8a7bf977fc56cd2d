"""The rule of thumb for activations."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.node import At, Choice, End, Option, Step
from affray.systems.emlia.tactics import rule_of_thumb


@pytest.mark.parametrize(
    ("names", "best"),
    [
        (("charge", "move", "pass"), "charge"),
        (("move", "pass", "charge"), "move"),
        (("aimed fire", "move", "pass", "charge"), "aimed fire"),
        (("close combat", "charge"), "charge"),
    ],
)
def test_nobody_charges_in_vain(names: tuple[str, ...], best: str) -> None:
    """A charge that can't get there comes last of all options; it costs morale."""
    at: At[Any] = At(Step(End, ()), ())
    at.step.name = "choose_action"
    choice = Choice("attacker", "which?", tuple(Option(name, at) for name in names))
    ranks = rule_of_thumb(at, choice)
    assert names[ranks.index(max(ranks))] == best
    if best != "charge" and "pass" in names:
        assert ranks[names.index("charge")] < ranks[names.index("pass")]
