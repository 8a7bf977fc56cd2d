"""Actors of the Foundry system "ep2e": numbers where that system keeps them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from affray.core.adapter import Brought
from affray.systems.eclipse_phase.imports.foundry_eclipsephase import ADAPTER as OTHER
from affray.systems.eclipse_phase.imports.foundry_ep2e import ADAPTER

SLEEVE: dict[str, Any] = {
    "subtype": "Uplift Biomorph",
    "size": "verySmall",
    "unarmedDV": "1d10 + 1",
    "movementRates": [{"type": "walker", "base": 2, "full": 8}, {"type": "winged", "base": 8}],
    "pools": {"insight": 2, "moxie": 1, "vigor": 0, "flex": 1},
    "physicalHealth": {"baseDurability": 30, "damage": 4, "wounds": 1},
}
ACTOR: dict[str, Any] = {
    "name": "Tarn",
    "type": "character",
    "system": {
        "aptitudes": {"cog": 10, "int": 15, "ref": 20, "sav": 15, "som": 20, "wil": 10},
        "skills": {"fray": {"points": 20}, "guns": {"points": 50}, "melee": {"points": 0}},
        "fieldSkills": {"exotic": [], "medicine": []},
        "flex": 1,
        "spentPools": {"insight": 1},
        "settings": {"useThreat": False},
        "mentalHealth": {"damage": 3, "wounds": 1},
    },
    "flags": {"ep2e": {"synthetic": None, "biological": {"system": SLEEVE, "items": []}}},
    "items": [],
}


def actor(*items: dict[str, Any], **system: Any) -> dict[str, Any]:
    made = deepcopy(ACTOR)
    made["items"] = list(items)
    made["system"] |= system
    return made


def item(name: str, kind: str, **system: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "system": system}


def read(*items: dict[str, Any], **system: Any) -> Brought:
    return ADAPTER.read(actor(*items, **system))


def test_it_knows_its_own_files_alone() -> None:
    assert ADAPTER.fits(actor())
    assert not OTHER.fits(actor())
    assert not ADAPTER.fits({"system": {"aptitudes": {"cog": 10}}})


def test_ep6_skills_are_points_and_aptitude_and_fray_and_perceive_twice_it() -> None:
    values = read().values
    assert (values["fray"], values["perceive"]) == (2 * 20 + 20, 2 * 15)
    assert values["guns"] == 20 + 50
    assert "melee" not in values  # not trained: it defaults


def test_no_skill_is_above_a_hundred() -> None:
    assert read(skills={"fray": {"points": 80}}).values["fray"] == 100


def test_skills_with_fields_are_found() -> None:
    fields = {
        "exotic": [{"field": "Whips", "points": 30, "linkedAptitude": "som"}],
        "medicine": [{"field": "Paramedic", "points": 20, "linkedAptitude": "cog"}],
        "hardware": [{"field": "Demolitions", "points": 35, "linkedAptitude": "cog"}],
        "know": [{"field": "Poetry", "points": 70, "linkedAptitude": "int"}],
    }
    values = read(fieldSkills=fields).values
    assert values["exotics"] == [{"field": "whips", "value": 50}]
    assert (values["medicine"], values["demolitions"]) == (30, 45)


def test_the_sleeve_gives_body_health_movement_and_pools() -> None:
    values = read().values
    assert (values["body"], values["size"]) == ("uplift", "very_small")
    assert (values["durability"], values["damage"], values["wounds"]) == (30, 4, 1)
    assert (values["move_base"], values["move_full"]) == (2, 8)
    assert (values["unarmed_d10"], values["unarmed_d6"], values["unarmed_flat"]) == (1, 0, 1)
    assert (values["insight"], values["insight_max"]) == (1, 2)  # one of two is spent
    assert values["flex"] == 2  # the sleeve's and the ego's
    assert (values["stress"], values["traumas"]) == (3, 1)
    assert values["initiative"] == 7  # (20 + 15) / 5


def test_ep24_threat_stands_for_the_pools() -> None:
    values = read(settings={"useThreat": True}, threat=4, spentPools={"threat": 1}).values
    assert (values["threat"], values["threat_max"]) == (3, 4)
    assert "insight" not in values


def test_a_synthmorph_brings_its_frame() -> None:
    made = actor()
    frame = {"energy": 6, "kinetic": 4, "source": "Light Frame"}
    shell = {"shellType": "bot", "inherentArmor": frame, "physicalHealth": {"baseDurability": 40}}
    made["flags"]["ep2e"] = {"synthetic": {"system": shell}}
    brought = ADAPTER.read(made)
    assert (brought.values["body"], brought.values["durability"]) == ("bot", 40)
    (piece,) = brought.carried
    assert (piece.key, piece.names[0], piece.table["layer"]) == ("pieces", "Light Frame", "frame")


def test_an_infomorph_has_the_durability_of_its_mind() -> None:
    made = actor()
    made["flags"]["ep2e"] = {"infomorph": {"system": {"meshHealth": {"baseDurability": 40}}}}
    values = ADAPTER.read(made).values
    assert (values["body"], values["durability"]) == ("infomorph", 40)


def test_without_a_sleeve_it_says_so() -> None:
    made = actor()
    made["flags"] = {}
    brought = ADAPTER.read(made)
    assert "no sleeve is worn" in brought.left_out[-1]
    assert "durability" not in brought.values


def test_a_weapon_has_its_formula_modes_and_marks() -> None:
    attack = {"damageFormula": "2d10 + 6", "firingModes": ["semiAuto", "fullAuto"]}
    (gun,) = read(
        item("Bolter", "beamWeapon", primaryAttack=attack, range=50, long=True,
             battery={"charge": 20, "max": 25})
    ).carried  # fmt: skip
    assert gun.table == {
        "name": "Bolter", "form": "beam", "skill": "guns", "d10": 2, "flat": 6,
        "armor": "energy", "traits": ["long"], "modes": ["semi", "auto"], "range_m": 50,
        "rounds": 20,
    }  # fmt: skip


def test_a_railgun_is_looked_for_as_one_first() -> None:
    (gun,) = read(item("Sniper Rifle", "railgun", range=750)).carried
    assert gun.names == ("rail Sniper Rifle", "Sniper Rifle")


def test_an_exotic_weapon_names_its_field() -> None:
    attack = {"damageFormula": "1d10", "attackTraits": ["shock"], "armorPiercing": True}
    (whip,) = read(
        item("Whip", "meleeWeapon", primaryAttack=attack, reachBonus=20, exoticSkill="Whips")
    ).carried
    assert (whip.table["skill"], whip.table["field"], whip.table["reach"]) == (
        "exotic", "whips", 20,
    )  # fmt: skip
    assert whip.table["traits"] == ["shock", "armor_piercing"]


def test_what_is_not_equipped_stays_away() -> None:
    brought = read(item("Knife", "meleeWeapon", state={"equipped": False}))
    assert not brought.carried
    assert brought.left_out == ("Knife: not equipped",)


def test_traits_and_ware_that_rules_read_are_taken_once() -> None:
    ware = item("Medichines", "physicalTech", wareType="nanoware")
    made = actor(ware, item("Bad Luck", "trait"))
    made["flags"]["ep2e"]["biological"]["items"] = [ware]
    assert ADAPTER.read(made).values["qualities"] == ["medichines", "bad_luck"]


def test_what_can_not_be_taken_is_told_a_line_each() -> None:
    brought = read(
        item("Neon Skin", "physicalTech", wareType="cyberware"), item("Rope", "physicalTech"),
        item("Coin", "physicalTech"), item("Frag", "explosive"), item("Stoic", "trait"),
        skills={"guns": {"points": 40, "specialization": "Pistols"}},
    )  # fmt: skip
    assert [line.partition(":")[0] for line in brought.left_out] == [
        "guns", "ware Neon Skin", "explosive Frag", "trait Stoic", "physical tech"
    ]  # fmt: skip
    assert "Rope, Coin" in brought.left_out[-1]
