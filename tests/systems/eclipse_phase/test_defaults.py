"""What stands for what nobody wrote: sheets with only what they must have, and a plain miss."""

from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.systems.eclipse_phase.gear import Ammo, Armor, Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import MISSED, Check, Exchange

from .factory import game, play, shot, victim

NOBODY = Combatant(name="nobody")
STICK = Weapon(name="stick", form="melee", skill="melee")
NONE_OF_IT = (
    "energy", "kinetic", "mental", "insight", "moxie", "vigor", "flex", "threat", "ignore_wounds",
    "ignore_traumas", "unarmed_d10", "unarmed_flat", "melee_d10", "melee_d6", "extra_weapons",
    "damage", "wounds", "stress", "traumas", "initiative", "layers", "ignored_wounds",
    "ignored_traumas",
)  # fmt: skip
UNTOLD = (
    "som_check", "ref_check", "wil_check", "fray", "melee", "guns", "athletics", "demolitions",
    "interface", "exotic", "psi", "perceive", "wound_threshold", "death_rating", "lucidity",
)  # fmt: skip


def test_ep114_a_name_makes_a_plain_biomorph() -> None:
    assert (NOBODY.body, NOBODY.size, NOBODY.is_biological) == ("biomorph", "medium", True)
    aptitudes = ("som", "ref", "wil", "intuition", "cog")
    assert {getattr(NOBODY, one) for one in aptitudes} == {15}
    assert (NOBODY.durability, NOBODY.threshold, NOBODY.death, NOBODY.lucid) == (30, 6, 45, 30)
    assert (NOBODY.unarmed_d6, NOBODY.worn) == (1, (0, 0))


@pytest.mark.parametrize("key", NONE_OF_IT)
def test_ep114_and_nothing_else(key: str) -> None:
    assert getattr(NOBODY, key) == 0


def test_ep6_nor_any_skill_or_printed_value() -> None:
    assert [key for key in UNTOLD if getattr(NOBODY, key) is not None] == []
    lists = (NOBODY.specialized, NOBODY.pieces, NOBODY.weapons, NOBODY.qualities)
    assert {*lists, NOBODY.conditions} == {()}
    turn_before = (NOBODY.full_defense, NOBODY.was_aggressive, NOBODY.moved_full)
    assert turn_before == (False, False, False)
    assert NOBODY.threat_group == ""


def test_ep60_a_weapon_has_only_what_it_is_given() -> None:
    assert (STICK.d10, STICK.d6, STICK.flat, STICK.rounds, STICK.range_m, STICK.reach) == (0,) * 6
    assert (STICK.armor, STICK.harm, STICK.traits, STICK.modes) == ("kinetic", "damage", (), ())
    assert (STICK.unarmed, STICK.concealable) == (False, False)


def test_ep83_plain_rounds_change_nothing() -> None:
    rounds = Ammo()
    assert (rounds.name, rounds.d10, rounds.d6, rounds.traits) == ("standard", 0, 0, ())
    flags = (rounds.half, rounds.no_damage, rounds.biomorphs_only, rounds.homing)
    assert flags == (False,) * 4
    assert (Armor().energy, Armor().kinetic, Armor().layer) == (0, 0, "full")


def test_ep49_an_attack_without_circumstances() -> None:
    setup = Setup(attacker=NOBODY, defender=NOBODY, weapon=STICK)
    flags = (
        "vacuum", "attacker_cover", "hidden", "homing", "in_melee", "indirect", "painted",
        "one_handed", "carried", "wrong_size", "treated",
    )  # fmt: skip
    assert [flag for flag in flags if getattr(setup, flag) is not False] == []
    numbers = ("extra_weapons", "earlier_attacks", "failed_before", "attacker_modifier",
               "defender_modifier")  # fmt: skip
    assert {getattr(setup, number) for number in numbers} == {0}
    assert (setup.gravity, setup.smartlink, setup.distance_m, setup.others) == (1, True, None, ())
    assert (setup.vision, setup.defender_vision) == ("clear", "clear")
    words = (setup.cover, setup.superior, setup.movement, setup.aim)
    assert words == ("none",) * 4
    assert setup.ammo == Ammo()


NOTHING_DONE: dict[str, Any] = {
    "hit": False, "critical": False, "superior": 0, "extra": 0, "doubled": False,
    "deadlock": False, "defense_critical": False,
    "dv": 0, "net": 0, "total": 0, "wounds": 0, "all_wounds": 0,
    "effect": ("none", None),
    "disarmed": False, "redirected": False, "prone": False, "knocked_out": False,
    "unconscious": False, "incapacitated": False, "revivable": True, "dead": False,
    "bleeding": 0, "dies_in": 0, "insane": False, "conditions": (), "knocks": False,
    "calls": (), "needs": (), "spent": 0,
    "stress": False, "pools": (), "dodged": False,
}  # fmt: skip


def test_ep54_a_miss_does_nothing_at_all() -> None:
    assert MISSED._asdict() == NOTHING_DONE
    ended = play(game(shot(defender=victim())), 99)
    assert [struck._asdict() for struck in ended.done] == [NOTHING_DONE]


def test_ep41_an_attack_begins_with_nothing_settled() -> None:
    begun = Exchange(Rulings())
    numbers = (begun.ready, begun.dv, begun.lands_m, begun.rounds, begun.spent, begun.failures)
    assert numbers == (0,) * 6
    flags = (begun.touch, begun.wide, begun.fumble, begun.broken, begun.exposed)
    assert flags == (False,) * 5
    assert [roll.success for roll in (begun.roll, begun.defense, begun.check)] == [False] * 3
    assert (begun.called, begun.targets, begun.struck, begun.done) == ("none", (), (), ())
    assert Check("stand", "som").modifier == 0
