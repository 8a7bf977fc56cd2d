"""Actors of the Foundry system "eclipsephase": new ones, old ones, threats."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from affray.core.adapter import Brought
from affray.systems.eclipse_phase.imports.foundry_eclipsephase import ADAPTER
from affray.systems.eclipse_phase.imports.foundry_ep2e import ADAPTER as OTHER

HELD: dict[str, Any] = {
    "aptitudes": {
        key: {"value": value}
        for key, value in {"cog": 15, "int": 20, "ref": 15, "sav": 10, "som": 20, "wil": 10}.items()
    },
    "skillsVig": {"fray": {"value": 10}, "guns": {"value": 45}, "melee": {"value": None}},
    "skillsIns": {"perceive": {"value": None}, "interface": {"value": 20}},
    "skillsMox": {"psi": {"value": None}},
    "pools": {"insight": {"value": 1}, "flex": {"value": None}},
    "ego": {"egoFlex": 1},
    "health": {"physical": {"value": 6}, "mental": {"value": 2}},
    "physical": {"wounds": 1},
    "mental": {"trauma": None},
    "activeMorph": "m1",
}
MORPH = {
    "_id": "m1", "name": "Bouncer", "type": "morph",
    "system": {
        "type": "synth", "dur": 35, "insight": 2, "moxie": 0, "vigor": 1, "flex": 1,
        "movement": {"move1": {"base": 4, "full": "12"}},
    },
}  # fmt: skip


def actor(*items: dict[str, Any], kind: str = "character", **held: Any) -> dict[str, Any]:
    return {
        "name": "Oru", "type": kind, "system": deepcopy(HELD) | held, "items": [MORPH, *items],
    }  # fmt: skip


def item(name: str, kind: str, **held: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "system": held}


def read(*items: dict[str, Any], kind: str = "character", **held: Any) -> Brought:
    return ADAPTER.read(actor(*items, kind=kind, **held))


def test_it_knows_its_own_files_alone() -> None:
    assert ADAPTER.fits(actor())
    assert not OTHER.fits(actor())
    assert not ADAPTER.fits({"system": {"aptitudes": {"cog": {"value": 10}}}})


def test_ep6_skills_are_points_and_aptitude_and_fray_and_perceive_twice_it() -> None:
    values = read().values
    assert (values["fray"], values["perceive"]) == (2 * 15 + 10, 2 * 20)
    assert (values["guns"], values["interface"]) == (15 + 45, 15 + 20)
    assert "melee" not in values


def test_skills_of_a_threat_are_as_printed() -> None:
    values = read(kind="goon", threatLevel={"current": 2, "total": 3}).values
    assert (values["fray"], values["guns"]) == (10, 45)
    assert "perceive" not in values
    assert (values["threat"], values["threat_max"]) == (2, 3)


def test_the_morph_is_an_item() -> None:
    values = read().values
    assert (values["body"], values["durability"]) == ("synthmorph", 35)
    assert (values["move_base"], values["move_full"]) == (4, 12)
    assert (values["insight"], values["insight_max"]) == (1, 2)  # one of two is spent
    assert (values["vigor"], values["flex"]) == (1, 2)  # nothing is said of them; the ego's flex
    assert (values["damage"], values["wounds"], values["stress"]) == (6, 1, 2)
    assert "traumas" not in values


def test_in_old_files_the_morph_is_a_body_and_a_full_bar_is_no_damage() -> None:
    held = deepcopy(HELD)
    held["bodies"] = {
        "activeMorph": "morph2",
        "morph2": {"type": "bio", "dur": "30", "movement": "2/8", "vigor": 3},
    }
    old = {"name": "Oru", "type": "character", "data": held, "items": []}
    assert ADAPTER.fits(old)
    values = ADAPTER.read(old).values
    assert (values["body"], values["durability"], values["vigor"]) == ("biomorph", 30, 3)
    assert (values["move_base"], values["move_full"]) == (2, 8)
    assert "damage" not in values


@pytest.mark.parametrize(("name", "specname", "aptitude", "wanted"), [
    ("Med: Paramedic", "", "Cognition", {"medicine": 45}),
    ("Hardware: Demolitions", "", "cog", {"demolitions": 45}),
    ("Exotic Skill: Whips", "", "som", {"exotics": [{"field": "whips", "value": 50}]}),
    ("Exotic", "Whips", "som", {"exotics": [{"field": "whips", "value": 50}]}),
    ("Pilot: Air", "", "ref", {}),
])  # fmt: skip
def test_special_skills_by_their_names(
    name: str, specname: str, aptitude: str, wanted: dict[str, Any]
) -> None:
    skill = item(name, "specialSkill", specname=specname, value=30, aptitude=aptitude)
    values = read(skill).values
    assert {k: values[k] for k in ("medicine", "demolitions", "exotics") if k in values} == wanted


def test_a_gun_has_dice_in_numbers_a_code_of_modes_and_a_range_in_words() -> None:
    traits = {"armorPiercing": {"value": True}, "long": {"value": False}}
    mode = {"d10": 2, "d6": None, "bonus": 4, "range": "50m", "firingMode": "saBF",
            "traits": traits}  # fmt: skip
    (gun,) = read(item("Coil Gun", "rangedWeapon", ammoType="rail", ammoMax=20, mode1=mode)).carried
    assert gun.names[0] == "rail Coil Gun"
    assert gun.table == {
        "name": "Coil Gun", "form": "railgun", "skill": "guns", "d10": 2, "flat": 4,
        "armor": "kinetic", "modes": ["semi", "burst"], "range_m": 50, "rounds": 20,
        "traits": ["armor_piercing"],
    }  # fmt: skip


def test_an_old_gun_has_everything_in_words() -> None:
    (gun,) = read(
        item("Popper", "rangedWeapon", range="25m", dv="1d10+1d6", firingMode="SA/BF/FA")
    ).carried
    assert (gun.table["d10"], gun.table["d6"], gun.table["range_m"]) == (1, 1, 25)
    assert gun.table["modes"] == ["semi", "burst", "auto"]


def test_armor_with_a_plus_is_no_layer() -> None:
    full, bonus, frame = read(
        item("Coat", "armor", energy="4", kinetic="6", slotType="main"),
        item("Shield", "armor", energy="+3", kinetic="+4"),
        item("Light Frame Armor", "armor", energy=6, kinetic=4),
    ).carried
    assert (full.table["layer"], full.table["energy"]) == ("full", 4)
    assert (bonus.table["layer"], bonus.table["kinetic"]) == ("bonus", 4)
    assert frame.table["layer"] == "frame"
    assert "Light Frame" in frame.names


def test_reach_counts_only_where_the_weapon_has_it() -> None:
    reach = {"reach": {"value": True, "skillMod": "10"}}
    off = {"reach": {"value": False, "skillMod": "10"}}
    has, hasnt = read(
        item("Pole", "ccWeapon", mode1={"d10": 1, "traits": reach}),
        item("Pin", "ccWeapon", mode1={"d6": 1, "traits": off}),
    ).carried
    assert (has.table["reach"], hasnt.table["reach"]) == (10, 0)


def test_what_can_not_be_taken_is_told_a_line_each() -> None:
    skills = {"guns": {"value": 45, "spec": True, "specname": "Pistols"}}
    brought = read(
        item("Knife", "ccWeapon", active=False), item("Neon Skin", "ware"),
        item("Cortical Stack", "ware"), item("Medichines", "ware"), item("Frag", "grenade"),
        item("Poetry", "knowSkill"), skillsVig=skills,
    )  # fmt: skip
    assert [line.partition(":")[0] for line in brought.left_out] == [
        "guns", "Knife", "ware Neon Skin", "grenade Frag", "ware", "know skill"
    ]  # fmt: skip
    assert brought.values["qualities"] == ["medichines"]
