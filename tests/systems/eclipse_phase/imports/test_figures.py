"""Adapters read whatever stands where: what isn't as it should be is left out, nothing breaks."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from affray.core.adapter import Adapter, Brought
from affray.systems.eclipse_phase.imports import foundry_eclipsephase, foundry_ep2e
from affray.systems.eclipse_phase.imports.figures import dice_in, number_in, quality_called
from tests.systems.eclipse_phase.imports import test_foundry_eclipsephase as own
from tests.systems.eclipse_phase.imports import test_foundry_ep2e as ep2e

ATTACK = {
    "damageFormula": "2d10 + 6", "firingModes": ["semiAuto"], "attackTraits": ["shock"],
    "armorUsed": "energy",
}  # fmt: skip
MODE = {"d10": 2, "range": "50m", "firingMode": "saBF", "traits": {"reach": {"value": True}}}
SYNTH = {
    "shellType": "bot", "physicalHealth": {"baseDurability": 40},
    "inherentArmor": {"energy": 6, "kinetic": 4, "source": "Light Frame"},
}  # fmt: skip
ITEMS = (
    ep2e.item("Bolter", "beamWeapon", primaryAttack=ATTACK, battery={"charge": 2}),
    ep2e.item("Whip", "meleeWeapon", primaryAttack=ATTACK, exoticSkill="Whips"),
    ep2e.item("Vest", "armor", armorValues={"energy": 1}, state={"equipped": True}),
    ep2e.item("Rig", "physicalTech", wareType="cyberware"),
)
IN_A_SHELL = ep2e.actor(*ITEMS, fieldSkills={"exotic": [{"field": "Whips", "points": 3}]})
IN_A_SHELL["flags"] = {"ep2e": {"synthetic": {"system": SYNTH, "items": [ITEMS[0]]}}}
ACTORS: list[tuple[Adapter, dict[str, Any]]] = [
    (foundry_ep2e.ADAPTER, ep2e.actor(*ITEMS)),
    (foundry_ep2e.ADAPTER, IN_A_SHELL),
    (
        foundry_eclipsephase.ADAPTER,
        own.actor(
            own.item("Coil", "rangedWeapon", ammoType="rail", mode1=MODE),
            own.item("Pole", "ccWeapon", mode1=MODE), own.item("Coat", "armor", kinetic="+6"),
            own.item("Exotic", "specialSkill", specname="Whips", value=30),
        ),
    ),
]  # fmt: skip
JUNK: tuple[object, ...] = (
    None, 5, -7, 1e300, "x", "", [], {}, [1], [[]], [{"a": []}], {"a": 1}, True, "9" * 50,
)  # fmt: skip


def places(value: object, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a table."""
    pairs: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        pairs = enumerate(value)
    for key, inner in pairs:
        yield (*place, key)
        yield from places(inner, (*place, key))


@pytest.mark.parametrize(("adapter", "actor"), ACTORS)
def test_no_value_at_any_place_breaks_an_adapter(adapter: Adapter, actor: dict[str, Any]) -> None:
    for *way, last in places(actor):
        for junk in JUNK:
            changed: Any = deepcopy(actor)
            inner = changed
            for key in way:
                inner = inner[key]
            inner[last] = junk
            if adapter.fits(changed):
                assert isinstance(adapter.read(changed), Brought)


@pytest.mark.parametrize(("value", "number"), [
    ("50m", 50), ("+3", 3), ("-2", -2), (7, 7), (None, None), (True, None), ("none", None),
])  # fmt: skip
def test_numbers_in_texts(value: object, number: int | None) -> None:
    assert number_in(value) == number


@pytest.mark.parametrize(("formula", "dice"), [
    ("2d10", {"d10": 2}), ("1d10+1d6", {"d10": 1, "d6": 1}), ("1d6 - 1", {"d6": 1, "flat": -1}),
    ("d10", {"d10": 1}), ("3", {"flat": 3}), ("2d8", None), ("", None), ("Special", None),
])  # fmt: skip
def test_dice_of_a_formula(formula: str, dice: dict[str, int] | None) -> None:
    assert dice_in(formula) == dice


def test_a_quality_may_have_a_level() -> None:
    assert quality_called("Pain Tolerance (Level 1)") == "pain_tolerance"
    assert quality_called("Medichines") == "medichines"
    assert quality_called("Neon Skin") is None
