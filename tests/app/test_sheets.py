"""Sheets as the game prints them: groups, values, and what follows from them."""

import pytest

from affray.app.inputs.tables import roster
from affray.app.registry import system_named
from affray.app.sheets import kinds_of, show_sheets
from affray.app.sources import Table
from affray.app.views.sheets import Sheet, SheetRow
from affray.core.errors import UnknownNameError
from tests.scenarios import SHIPPED


def rows_of(sheet: Sheet) -> dict[str, SheetRow]:
    return {row.title: row for group in sheet.groups for row in group.rows}


def sheet_of(system: str, name: str, **own: object) -> Sheet:
    (sheet,) = show_sheets(system, name, own=[Table(own)] if own else ()).sheets
    return sheet


def test_groups_come_in_the_order_of_the_games_sheet() -> None:
    titles = [group.title for group in sheet_of("eclipse-phase", "jinx").groups]
    assert titles[:5] == ["Who", "Aptitudes", "Skills", "Pools", "Health"]


def test_ep114_what_follows_from_durability_is_worked_out() -> None:
    who = {"name": "Vex", "durability": 32, "body": "synthmorph"}
    rows = rows_of(sheet_of("eclipse-phase", "vex", fighters={"vex": who}))
    assert (rows["Death rating"].value, rows["Death rating"].computed) == (64, True)
    assert rows["Wound threshold"].value == 6  # 32 / 5 to the nearest
    assert rows["Lucidity"].value == 30  # twice the usual WIL of 15


def test_what_is_printed_takes_the_place_of_what_follows() -> None:
    who = {"name": "Vex", "durability": 32, "wound_threshold": 9}
    rows = rows_of(sheet_of("eclipse-phase", "vex", fighters={"vex": who}))
    assert rows["Wound threshold"].value == 9


def test_values_that_say_nothing_are_left_out() -> None:
    rows = rows_of(sheet_of("eclipse-phase", "jinx"))
    assert "Melee" not in rows
    assert "Wounds" not in rows
    assert "Lurks" not in rows


def test_a_weapon_is_a_part_of_its_own_with_its_damage_in_one() -> None:
    weapons = rows_of(sheet_of("eclipse-phase", "jinx"))["Weapons"]
    assert weapons.told == "medium pistol, sniper rifle, beak"
    pistol = {row.title: row.told for row in weapons.parts[0].rows}
    assert pistol["Damage"] == "2d10"
    assert pistol["Range"] == "30 meters"
    assert "Source" not in pistol


def test_one_is_no_plural() -> None:
    assert rows_of(sheet_of("grid-battles", "light_cav"))["Range"].told == "1 hex"


def test_own_entries_are_shown_all() -> None:
    own = Table({"fighters": {"a": {"like": "jinx", "name": "A"}, "b": {"like": "ripper"}}})
    view = show_sheets("eclipse-phase", own=[own])
    assert [sheet.key for sheet in view.sheets] == ["a", "b"]
    assert view.sheets[0].name == "A"


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'jinx'"):
        show_sheets("eclipse-phase", "jnx")


@pytest.mark.parametrize("system", SHIPPED)
def test_every_entry_of_every_roster_has_a_sheet(system: str) -> None:
    rules = system_named(system)
    kinds = kinds_of(rules)
    for section, entries in roster(rules).items():
        assert section in kinds
        for name in entries:
            sheet = next(s for s in show_sheets(system, name).sheets if s.section == section)
            assert sheet.groups, name
