"""The setup after an attack: harm, points, rounds, and what is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from affray.app.inputs.setups import load
from affray.app.next_setup import next_setup
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Setup
from affray.testing.material import ended
from tests.systems.sequels import follow, told_next

JINX = "jinx-shoots"
CHOICES = {
    "choose_mode": "burst", "choose_called_shot": "none", "choose_defence": "fray",
    "choose_fire": "damage",
}  # fmt: skip


def test_ep64_ep79_harm_rounds_and_points_last() -> None:
    """11 damage and a wound; a burst of three from sixteen rounds; the point of the flip."""
    before, after = follow("eclipse-phase", JINX)
    assert (after.defender.damage, after.defender.wounds) == (11, 1)
    assert (before.weapon.rounds, after.weapon.rounds) == (16, 13)
    assert (before.attacker.flex, after.attacker.flex) == (1, 0)
    # The pistol of the setup is the one of the sheet: one count.
    assert [one.rounds for one in after.attacker.weapons if one.name == "medium pistol"] == [13]
    kept = replace(after.attacker, flex=1, weapons=before.attacker.weapons)
    assert kept == before.attacker


def test_ep64_the_next_attack_adds_to_it() -> None:
    once = told_next("eclipse-phase", JINX)
    assert isinstance(once["defender"], dict)
    twice = {**once, "defender": {**once["defender"], "damage": 20}, "choose": CHOICES}
    # 51 hits with a superior success; 20 against armor 10; the second wound calls for a check.
    _, after = follow("eclipse-phase", twice, 51, 99, 5, 5, 5, 5, 9)
    assert after.weapon.rounds == 10
    assert (after.defender.damage, after.defender.wounds) == (30, 2)


def test_ep64_a_miss_leaves_everything_but_the_rounds() -> None:
    before, after = follow("eclipse-phase", JINX, 98, 1, options=("none",))
    assert after.defender == before.defender
    shooter = replace(after.attacker, weapons=before.attacker.weapons)
    assert replace(after, weapon=before.weapon, attacker=shooter) == before


def _aimed(**changes: Any) -> dict[str, Any]:
    table = told_next("eclipse-phase", JINX)
    return {**table, "choose": CHOICES, **changes}


def test_ep48_aim_and_move_are_over_and_a_full_move_still_counts() -> None:
    raw = _aimed(movement="full", aim="none")
    _, after = follow("eclipse-phase", raw, 98, 1)
    assert (after.movement, after.attacker.moved_full) == ("none", True)
    raw = _aimed(aim="quick", choose={"choose_mode": "semi", "choose_called_shot": "none",
                                      "choose_defence": "fray"})  # fmt: skip
    _, after = follow("eclipse-phase", raw, 98, 1)
    assert (after.aim, after.attacker.moved_full) == ("none", False)


def test_ep107_conditions_last_with_their_turns() -> None:
    """A stun baton that hits: the table says for how many turns, and a fight counts them."""
    loaded = load("eclipse-phase", "stun-baton")
    plays = (ended(loaded.game, seed) for seed in range(40))
    stunned = next(play for play in plays if "stunned" in str(play.result["conditions"]))
    found = load("eclipse-phase", next_setup(loaded, stunned).table).setup
    assert isinstance(found, Setup)
    turns = {one.condition: one.turns for one in found.defender.lasting}
    assert turns["stunned"] >= 1
    assert set(turns) <= set(found.defender.conditions)
    states = dict(FIGHT.enter(found.defender, loaded.readings).states)
    assert states == turns


def test_ep105_a_grenade_is_used_up_and_places_go_with_the_last_one() -> None:
    """The thrower goes on with a pistol; nobody's place matters to that."""
    guards = {"like": "corp_guard", "flex": 0, "place_m": [3, 0]}
    weapons = ["frag_grenade", "medium_pistol"]
    table = {
        "attacker": {"name": "thrower", "athletics": 60, "weapons": weapons},
        "defender": {"like": "corp_guard", "flex": 0, "sheltered": True},
        "others": [{**guards, "name": "second guard"}], "distance_m": 8,
        "choose": {"declare_attack": "fragmentation grenade", "choose_called_shot": "none",
                   "choose_defence": "fray"},
    }  # fmt: skip
    before, after = follow("eclipse-phase", table, 30, 90, 90, 5, 5, 5, 5, 20, 20)
    assert [weapon.name for weapon in before.attacker.weapons] == [
        "fragmentation grenade", "medium pistol",
    ]  # fmt: skip
    assert [weapon.name for weapon in after.attacker.weapons] == ["medium pistol"]
    assert [who.damage for who in after.targets] == [14, 8]
    assert [(who.place_m, who.sheltered) for who in after.targets] == [((), False)] * 2


def test_ep79_a_seeker_counts_its_missiles() -> None:
    table = {
        "attacker": {"name": "gunner", "guns": 60, "weapons": ["seeker_pistol"]},
        "defender": {"like": "corp_guard", "flex": 0, "place_m": [5, 0]},
        "ammo": "frag_micromissile", "distance_m": 30,
        "choose": {"choose_called_shot": "none", "choose_defence": "fray"},
    }  # fmt: skip
    before, after = follow("eclipse-phase", table, 30, 90, 5, 5, 5, 20)
    assert (before.attacker.weapons[0].rounds, after.attacker.weapons[0].rounds) == (8, 7)
    assert after.defender.place_m == (5, 0)
