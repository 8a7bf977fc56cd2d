"""Conditions as numbers, so that a page draws bars and never shows what only a program reads."""

from __future__ import annotations

import pytest

from affray.app.fight import Fight
from affray.app.views.played_fights import ThresholdRow, ToldRow
from tests.app.views.test_said import FIGHTS, INTERNAL, played


def row(fight: Fight, name: str, label: str) -> ToldRow:
    (fighter,) = (one for one in fight.view().fighters if one.name == name)
    (line,) = (line for line in fighter.told if line.label == label)
    return line


@pytest.mark.parametrize("system", FIGHTS)
def test_every_line_is_words_with_numbers_beside_them(system: str) -> None:
    view = played(system).view(since=-1)
    kinds = set()
    for fighter in view.fighters:
        for line in fighter.told:
            kinds.add(line.kind)
            assert not INTERNAL.search(line.value), line
            assert line.value, line
            assert (line.now is not None) == (line.kind in {"bar", "count"}), line
            assert (line.most is not None) == (line.kind == "bar"), line
    assert "bar" in kinds
    for event in view.events:
        for change in event.changes:
            assert not INTERNAL.search(f"{change.before} {change.after}".replace("None", "")), (
                change
            )


@pytest.mark.parametrize("system", FIGHTS)
def test_a_fighters_bar_is_that_of_one_of_the_lines(system: str) -> None:
    for fighter in played(system).view().fighters:
        bars = [
            ((line.most - line.now if line.rises else line.now), line.most)
            for line in fighter.told
            if line.kind == "bar" and line.most is not None and line.now is not None
        ]
        assert fighter.bar is not None
        assert (max(0, bars[0][0]), bars[0][1]) == fighter.bar


def test_ep65_damage_rises_to_out_of_action_and_death() -> None:
    """Durability 20: dead at one and a half times as much (EP-48)."""
    fight = Fight.begin("eclipse-phase", "ripper-dog")
    before = row(fight, "Guard dog", "damage")
    hurt = row(fight.hand("set", fighter="Guard dog", key="damage", value=7), "Guard dog", "damage")
    durability = before.most
    assert durability is not None
    assert (hurt.kind, hurt.now, hurt.rises) == ("bar", 7, True)
    assert hurt.value == f"7 of {durability}"
    assert hurt.thresholds[0] == ThresholdRow(durability, "out of action")
    for threshold in hurt.thresholds:
        assert f"{threshold.what} at {threshold.at}" in hurt.does


def test_ee46_vitality_falls_to_zero() -> None:
    """A figure of a player is incapacitated at 0 (EE-50), one of the Empty defeated (EE-53)."""
    fight = Fight.begin("empty-earth", ("ada", "husk"))
    ada, husk = row(fight, "Ada", "Vitality"), row(fight, "Husk", "Vitality")
    assert (husk.now, husk.most, husk.thresholds) == (3, 3, (ThresholdRow(0, "defeated"),))
    assert ada.thresholds == (ThresholdRow(0, "incapacitated"),)
    assert not ada.rises


def test_a_condition_that_nobody_has_is_none() -> None:
    assert row(Fight.begin("eclipse-phase", "ripper-dog"), "Ripper", "conditions").value == "none"
    fight = Fight.begin("eclipse-phase", "ripper-dog").hand(
        "set", fighter="Ripper", key="conditions", value="prone"
    )
    line = row(fight, "Ripper", "conditions")
    assert (line.kind, line.value) == ("text", "prone")


def test_af30_what_holds_is_a_flag() -> None:
    """Defend."""
    fight = Fight.begin("affinity", ("champion", "brass_sentry")).answer("5")
    fight = fight.answer([6, 6, 6]).answer([1, 1, 1]).answer("defend")
    line = row(fight, "Champion", "Defend")
    assert (line.kind, line.value, line.now) == ("flag", "yes", None)


def test_af53_resolve_says_where_it_gets_harder() -> None:
    """Core: no Expert action at 4, one success more at 3, a defense die fewer at 2, 0 collapses."""
    fighters = [one for one in Fight.begin("affinity", ("champion", "brass_sentry")).view().fighters
                if any(line.label == "Resolve" for line in one.told)]  # fmt: skip
    (line,) = (line for line in fighters[0].told if line.label == "Resolve")
    assert [threshold.at for threshold in line.thresholds] == [4, 3, 2, 0]
    assert line.thresholds[-1].what == "collapsed"
