"""The fight that follows another one: everybody as they were left, after a rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.app.fight import Fight
from affray.app.next_fight import NextFight, next_fight
from affray.app.sources import Table
from affray.core.errors import SetupError, UnknownNameError


def over(verdict: str = "one") -> Fight:
    """The marsh, ended by a game master's hand: the fighter is hurt, a hound is dead."""
    fight = Fight.begin("affinity", "marsh")
    fight = fight.hand("set", fighter="Fighter", key="hd", value=4)
    fight = fight.hand("set", fighter="Mage", key="hd", value=1)
    fight = fight.hand("set", fighter="Bog Hound 2", key="hd", value=0)
    return fight.hand("end", verdict=verdict)


def hit_dice(found: NextFight, side: str = "one") -> dict[str, int]:
    rows: Any = found.table[side]
    return {row["name"]: row["hd"] for row in rows["fighters"]}


def test_af28_hit_dice_that_were_lost_stay_lost_in_the_next_fight() -> None:
    found = next_fight(over())
    assert found.refused == ""
    assert hit_dice(found)["Fighter"] == 4
    assert hit_dice(found)["Mage"] == 1
    there = Fight.begin("affinity", Table(found.table, "next"))
    rows = {row.name: row.told for row in there.view().fighters}
    told = {line.key: line.value for line in rows["Fighter"]}
    assert str(told["hd"]).startswith("4")


def test_af51_a_rest_brings_hit_dice_back_to_those_who_take_it() -> None:
    """The nearest counts: a fighter's own rest, else the side's, else everybody's."""
    everybody = next_fight(over(), {"": "recover 2"})
    assert (hit_dice(everybody)["Fighter"], hit_dice(everybody)["Mage"]) == (6, 3)
    side = next_fight(over(), {"one": "recover 1"})
    assert (hit_dice(side)["Fighter"], hit_dice(side, "other")) == (
        5, hit_dice(next_fight(over()), "other"),
    )  # fmt: skip
    own = next_fight(over(), {"one": "recover 1", "Mage": "recover 2"})
    assert (hit_dice(own)["Fighter"], hit_dice(own)["Mage"]) == (5, 3)


def test_others_may_come_against_those_who_are_left() -> None:
    found = next_fight(over(), against="2xnovice")
    there = Fight.begin("affinity", Table(found.table, "next"))
    names = [row.name for row in there.view().fighters]
    assert names == ["Fighter", "Mage", "Healer", "Novice 1", "Novice 2"]
    with pytest.raises(UnknownNameError, match="nobody"):
        next_fight(over(), against="nobody")


def test_gb16_units_that_are_removed_are_told_and_a_side_without_any_is_refused() -> None:
    fight = Fight.begin("grid-battles", "ford")
    assert fight.loaded.whole is not None
    with pytest.raises(SetupError, match="this game is one exchange; no fight follows it"):
        next_fight(fight.hand("end", verdict="drawn"))
    siege = Fight.begin("grid-battles", "siege")
    key = next(line.key for line in siege.view().fighters[1].told if line.key)
    siege = siege.hand("set", fighter=siege.view().fighters[1].name, key=key, value=0)
    found = next_fight(siege if siege.verdict else siege.hand("end", verdict="one"))
    assert [why for _, why in found.absent if "is removed (GB-16)" in why]
    assert "nobody; at least one must fight" in found.refused


def test_nothing_follows_before_the_end_or_where_nobody_says_what_lasts() -> None:
    with pytest.raises(SetupError, match="the fight is not over; play it to the end"):
        next_fight(Fight.begin("affinity", "marsh"))
    spears = Fight.begin("emlia", "spears").hand("end", verdict="one")
    contest = spears.session.contest
    contest.fight = replace(contest.fight, leaves=None)
    with pytest.raises(SetupError, match="emlia does not say what lasts after a fight"):
        next_fight(spears)


def test_em44_a_unit_comes_into_the_next_fight_with_the_members_it_has_left() -> None:
    fight = Fight.begin("emlia", "spears").hand(
        "set", fighter="Line Spears", key="members", value=4
    )
    table = next_fight(fight.hand("end", verdict="drawn")).table
    there = Fight.begin("emlia", Table(table, "next"))
    told = {row.name: str(row.told[0].value) for row in there.view().fighters}
    assert told["Line Spears"].startswith("4 of")
    rows: Any = table["one"]
    assert [(row["members"], row["lost"]) for row in rows["fighters"]] == [(4, 16)]


def test_what_is_asked_goes_on_where_a_file_says_it() -> None:
    for asks in ({}, {"asks": ["distance_yd"]}):
        table = {"one": {"fighters": ["squire"]}, "other": {"fighters": ["novice"]}, **asks}
        fight = Fight.begin("affinity", Table(table, "a file")).hand("end", verdict="one")
        assert next_fight(fight).table.get("asks") == asks.get("asks")


def test_a_table_belongs_to_its_own_fight() -> None:
    fight = Fight.begin("emlia", "ford-meadow").hand("end", verdict="one")
    found = next_fight(fight)
    assert ("table" in fight.loaded.raw, "table" in found.table, found.refused) == (True, False, "")


def test_rests_that_there_are_not_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="siesta"):
        next_fight(over(), {"": "siesta"})
    with pytest.raises(UnknownNameError, match="Merlin"):
        next_fight(over(), {"Merlin": "recover"})
    with pytest.raises(SetupError, match="grid-battles knows no rest between fights"):
        next_fight(Fight.begin("grid-battles", "siege").hand("end", verdict="one"), {"": "nap"})
