"""Fighters from files of other programs: the adapter that fits, names of the roster first."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from affray.app.imports import import_fighter, programs
from affray.app.inputs.intake import InputError
from affray.app.sources import Table
from affray.app.views.sheets import ImportView
from affray.core.errors import UnknownNameError
from tests.systems.eclipse_phase.imports.test_foundry_ep2e import actor, item


def brought(*items: dict[str, Any], **system: Any) -> ImportView:
    return import_fighter("foundry", Table(actor(*items, **system), "tarn.json"))


def test_both_formats_are_found_by_themselves() -> None:
    titles = sorted(adapter.title for _, adapter in programs()["foundry"])
    assert titles == ["Foundry, system eclipsephase", "Foundry, system ep2e"]


def test_the_file_says_which_adapter_reads_it() -> None:
    view = brought()
    assert (view.system, view.format) == ("eclipse-phase", "Foundry, system ep2e")
    assert (view.section, view.key, view.entry["guns"]) == ("fighters", "tarn", 70)


def test_weapons_of_the_roster_are_taken_by_name_in_any_order_of_words() -> None:
    view = brought(
        item("Sniper Rifle", "railgun"), item("Vacsuit (Standard)", "armor"),
        item("Shock Glove (Synth)", "meleeWeapon"),
    )  # fmt: skip
    assert view.entry["weapons"] == ["rail_sniper_rifle", "shock_glove"]
    assert view.entry["pieces"] == ["vacsuit_standard"]
    assert list(view.entries) == ["fighters"]


def test_numbers_that_differ_from_the_roster_are_told() -> None:
    view = brought(item("Knife", "meleeWeapon", primaryAttack={"damageFormula": "5d10"}))
    assert view.entry["weapons"] == ["knife"]
    (line,) = [line for line in view.left_out if line.startswith("Knife")]
    assert "the roster's knife is taken; the file differs in" in line
    assert "damage d10s" in line


def test_what_the_roster_lacks_becomes_an_entry() -> None:
    whip = item("Neon Whip", "meleeWeapon", primaryAttack={"damageFormula": "1d10 + 2"})
    view = brought(whip)
    assert view.entry["weapons"] == ["neon_whip"]
    assert view.entries["weapons"] == {
        "neon_whip": {"name": "Neon Whip", "form": "melee", "skill": "melee", "d10": 1, "flat": 2}
    }


def test_what_fits_no_sheet_is_left_out_with_the_reason() -> None:
    view = brought(item("Dud", "firearm", range=50))
    assert "weapons" not in view.entry
    assert any(line.startswith("Dud: a kinetic weapon needs") for line in view.left_out)


def test_a_value_out_of_range_is_left_out_alone() -> None:
    aptitudes = {"cog": 400, "int": 15, "ref": 20, "som": 20, "wil": 10}
    view = brought(aptitudes=aptitudes)
    assert "cog" not in view.entry
    assert view.entry["ref"] == 20
    assert any(line.startswith("COG: ") and "40" in line for line in view.left_out)


def test_a_fighter_of_a_file_is_priced() -> None:
    view = brought(item("Medium Pistol", "firearm"))
    assert [row.defender for row in view.attacks] == ["Exhuman", "Tarn"]
    assert view.attacks[0].mean is not None


def test_a_file_that_is_no_actor_is_refused_with_the_formats() -> None:
    with pytest.raises(InputError, match="ep2e"):
        import_fighter("foundry", Table({"name": "?"}, "x.json"))
    with pytest.raises(UnknownNameError, match="Did you mean 'foundry'"):
        import_fighter("fondry", Table(deepcopy(actor())))
