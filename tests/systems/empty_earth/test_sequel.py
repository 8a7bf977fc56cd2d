"""The setup after an exchange: Vitality, Shields, Injuries, reactions and cubes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError
from tests.systems.sequels import follow, told_next

CLUB: dict[str, Any] = {
    "name": "club", "dice": "2D6", "damage": 2,
    "features": [{"name": "heavy", "cost": {"red": 1}, "damage": 1}],
}  # fmt: skip
STRIKER: dict[str, Any] = {"name": "striker", "side": "pc", "attacks": [CLUB],
                           "cubes": {"red": 2}}  # fmt: skip
TARGET: dict[str, Any] = {"name": "target", "phys_def": 4, "vitality": 10}
PAIR = {"attacker": STRIKER, "defender": TARGET}


def test_ee46_lost_vitality_and_spent_cubes_last() -> None:
    """Two hits of three each, one red cube for the heavy blow."""
    before, after = follow("empty-earth", PAIR, 5, 6, options=("heavy",))
    assert (after.defender.vitality, after.defender.vitality_max) == (4, 10)
    assert after.attacker.cubes == replace(before.attacker.cubes, red=1)
    assert replace(after, attacker=before.attacker, defender=before.defender) == before


def test_ee46_the_next_exchange_goes_on_from_there() -> None:
    """Two hits of two each, twice: ten, six, two."""
    once = told_next("empty-earth", PAIR, 5, 6, options=("none",))
    _, twice = follow("empty-earth", once, 5, 6, options=("none",))
    assert twice.defender.vitality == 2


def test_ee47_an_injury_and_the_vitality_that_comes_back_last() -> None:
    """Down to nothing, an Injury, and a four on the die."""
    hero = {**TARGET, "side": "pc", "vitality": 3}
    _, after = follow("empty-earth", {**PAIR, "defender": hero}, 5, 6, 4, options=("none",))
    found = after.defender
    assert (found.vitality, found.injuries, found.injured_this_stage) == (4, 1, True)


def test_ee53_nobody_goes_on_as_somebody_who_is_defeated() -> None:
    weak = {**PAIR, "defender": {**TARGET, "vitality": 3}}
    with pytest.raises(SetupError, match=r"defender: target is defeated and gone.*\(EE-53\)"):
        follow("empty-earth", weak, 5, 6, options=("none",))
