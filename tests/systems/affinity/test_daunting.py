"""Attacks and hazards that call for a check of Resolve by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.systems.affinity.sheet import Action, Combatant, Hazard

from .factory import STRIKER, chance, game, joint, play, setup, target

F = Fraction
HOWL = Action(name="howl", base=1, required=1, type="psychic", daunts=True)
TERROR = replace(STRIKER, actions=(HOWL,))
SAFE = {"choose_action": ("howl",), "choose_exertion": ("0",)}


CORE = {"resolve": "core"}


def against(foe: Combatant, rulings: Mapping[str, str] = CORE) -> Any:
    return game(setup(TERROR, foe), dict(rulings)).settle(SAFE)


def by_hand() -> dict[tuple[int, int], Fraction]:
    """One die hits from 2 on, a 6 for two points; a d10 cancels one from 5 on; a d6 is Resolve."""
    found: dict[tuple[int, int], Fraction] = {}
    for attack, body, check in product(range(1, 7), range(1, 11), range(1, 7)):
        dealt = 0 if attack == 1 else 2 if attack == 6 else 1
        lost = max(0, dealt - (body >= 5)) if dealt else 0
        change = 0 if not dealt or check == 5 else 1 if check == 6 else -1
        key = lost, 3 + change
        found[key] = found.get(key, F(0)) + F(1, 360)
    return found


def test_af52_an_attack_that_daunts_calls_for_a_check() -> None:
    """Whether the defense cancels its harm or not, but only where it succeeds."""
    foe = target(hd=9, resolve=3, resolve_max=5)
    assert joint(against(foe), "hd_lost", "resolve") == by_hand()


def test_af52_there_is_one_check_in_a_round() -> None:
    checked = target(hd=9, resolve=3, resolve_max=5, checked=True)
    assert play(against(checked), 3, 9)["resolve"] == 3
    # One point more in this round calls for a check as well: still one.
    hurt = target(hd=9, resolve=3, resolve_max=5, lost_this_round=1)
    end = play(against(hurt), 3, 1, 6)
    assert (end["hd_lost"], end["resolve"], end["checked"]) == (1, 4, True)


def test_af52_where_resolve_is_not_checked_nothing_daunts() -> None:
    foe = target(hd=9)
    assert chance(against(foe, {"resolve": "off"}), "checked") == 0


def test_af52_a_stabilized_one_holds() -> None:
    held = target(hd=9, resolve=3, resolve_max=5, stabilized=True)
    assert play(against(held), 3, 9)["resolve"] == 3


@pytest.mark.parametrize("damage", [0, 1])
def test_af52_af72_a_phase_may_daunt_without_harm(damage: int) -> None:
    howls = Hazard(name="howls", damage=damage, daunts=True)
    foe = target(hd=9, resolve=3, resolve_max=5)
    made = game(setup(STRIKER, foe, hazard=howls), CORE)
    assert chance(made, "checked") == 1
    end = play(made, *([9] if damage else []), 1)
    assert (end["hd_lost"], end["resolve"]) == (0, 2)


def test_af52_only_attacks_daunt() -> None:
    with pytest.raises(SetupError, match="daunts with kind 'heal'; allowed: an attack"):
        Action(name="song", kind="heal", heal=1, daunts=True)
