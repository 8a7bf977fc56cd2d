"""Sheets that are refused, with the words of the refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, cast

import pytest

from affray.core.errors import SetupError
from affray.systems.emlia.gear import CoreCheck, Own, Row, Skill, Weapon
from affray.systems.emlia.sheet import Contact, Other, Setup, Troop, Unit
from affray.systems.emlia.table.placing import Placement, Table

LINE = Skill(skill="close_combat", level=4)
ALL = (Row(low=1),)
HUNDRED = tuple(Row(low=face, high=face) for face in range(1, 101))


def pair(**changes: Any) -> Setup:
    return Setup(attacker=Unit(), defender=Unit(), **changes)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Skill(skill="close_combat", level=4, diminish="1/0"), r"'1/0'; allowed: a number"),
        (lambda: Skill(skill="close_combat", level=4, diminish="half"), "'half'; allowed"),
        (lambda: Skill(skill="close_combat", level=4, diminish=-1), "-1; allowed: 0 or more"),
        (lambda: Weapon(short=5, medium=4, longest=6), r"ranges 5, 4, 6; allowed: each at least"),
        (lambda: Weapon(short=5, medium=6, longest=5), r"ranges 5, 6, 5; allowed: each at least"),
        (lambda: Unit(table=ALL), r"a table without threshold; allowed: both or neither \(EM-43\)"),
        (lambda: Unit(threshold=3), r"threshold 3 without a table"),
        (lambda: Unit(threshold=3, table=(Row(low=1, high=8),)), "no row for 9, 10; its die"),
        (lambda: Unit(threshold=3, table=(Row(low=2, high=6),), table_die=6), "no row for 1;"),
        (
            lambda: Unit(skills=(LINE, LINE)),
            "skills close_combat, close_combat; allowed: each once",
        ),
        (
            lambda: Unit(actions=(Own(name="charm"),) * 2),
            "actions charm, charm; allowed: each once",
        ),
        (lambda: Unit(threshold=3, table=(Row(low=1, high=6), Row(low=6))),
         r"table has two rows for 6; allowed: one for each face of its die \(EM-43\)"),
        (lambda: Unit(threshold=3, table=ALL * 101), "table has 101 rows; allowed: at most 100"),
        (lambda: Unit(members=3, marked=4), "marked 4; allowed: at most its members, 3"),
        (lambda: Unit(members=3, pinned=4), "pinned 4; allowed: at most its members, 3"),
        (lambda: Unit(damage=1), r"damage 1 without damage_limit; allowed: 0 \(EM-42\)"),
        (lambda: Unit(damage_limit=3, damage=3), r"damage 3; allowed: less than damage_limit, 3"),
        (lambda: Unit(wear=1), r"wear 1 without threshold; allowed: 0 \(EM-43\)"),
        (lambda: Unit(threshold=3, table=ALL, wear=3), "wear 3; allowed: less than threshold, 3"),
        (lambda: Unit(bonus=1), "a bonus to rolls on a table without a table"),
        (lambda: Unit(next_bonus=-1), "a bonus to rolls on a table without a table"),
        (lambda: Unit(came_up=("crack",)), "came_up 'crack'; allowed: names of rows"),
        (lambda: Unit(threshold=3, table=ALL, came_up=("nothing", "crack")), "came_up 'crack'"),
        (lambda: Unit(members=2, damage_limit=3, unfelt=1), "unfelt; allowed: only for a unit"),
        (lambda: Unit(lost=1, damage_limit=3, unfelt=1), "unfelt; allowed: only for a unit"),
        (lambda: Unit(members=2, threshold=3, table=ALL, suffered=1), "suffered; allowed: only"),
        (lambda: Unit(damage_limit=3, suffered=0), "suffered; allowed: only with a threshold"),
        (lambda: Unit(suffered=0), "suffered; allowed: only with a threshold and no damage_limit"),
        (lambda: Unit(threshold=3, table=ALL, wear=2, suffered=1), "suffered 1; allowed: at least"),
        (lambda: Unit(damage_limit=3, damage=1, unfelt=2), "unfelt 2; allowed: at most .*, 1"),
        (lambda: Unit(threshold=3, table=ALL, wear=1, suffered=4, unfelt=5), "its points, 4"),
        (lambda: Unit(threshold=3, table=ALL, wear=1, unfelt=2), "unfelt 2; allowed: at most"),
        (lambda: Unit(unfelt=1), "unfelt 1; allowed: at most its points, 0"),
        (lambda: Unit(skills=(Skill(skill="closecombat", level=1),)),
         "skill 'closecombat', which no action of it uses; allowed: close_combat, aimed_fire"),
        (lambda: Unit(weapons=(Weapon(skill="aimed"),)), "weapon for 'aimed', which no action"),
        (lambda: Unit(weapons=(Weapon(also="volley"),)), "weapon for 'volley', which no action"),
        (lambda: Unit(skills=(Skill(skill="charm", level=1),), actions=(Own(name="x", skill="y"),)),
         "skill 'charm', which no action of it uses; allowed: .*, y$"),
        (lambda: Unit(actions=(Own(name="charge"),)), "action 'charge'; allowed: a name that no"),
        (lambda: Unit(weapons=(Weapon(),) * 21), "21 weapons; allowed: at most 20"),
        (lambda: Unit(actions=tuple(Own(name=f"n{n}") for n in range(21))),
         "21 actions; allowed: at most 20"),
        (lambda: Unit(joined=(Troop(),) * 13), r"13 joined; allowed: at most 12 \(EM-50\)"),
        (lambda: Other(who=Unit(), side="friend", engages=True), "engages, of a friend"),
        (lambda: pair(path=((0, 0), (1, 1))), "path without a table"),
        (lambda: pair(blind=True, in_sight=True), r"blind and in_sight; allowed: one of them"),
        (lambda: pair(engaged=True, distance=2), r"engaged at a distance of 2; allowed: 0"),
        (lambda: pair(path=((0, 0), (0, 1)) * 51, table=Table()), "102 in path; allowed"),
        (lambda: pair(wrap=(1, 1, 1, 1)), "4 in wrap; allowed: at most 3"),
        (lambda: pair(others=(Other(who=Unit()),) * 21), "21 in others; allowed: at most 20"),
        (lambda: CoreCheck(sides=6, base=7), r"base 7; allowed: at most its sides, 6 \(EM-3\)"),
    ],
)  # fmt: skip
def test_em1_sheets_that_say_nothing_sensible_are_refused(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(SetupError, match=words):
        make()


def given(made: object) -> dict[str, object]:
    """The fields of a sheet that are neither empty nor off."""
    found = {field.name: getattr(made, field.name) for field in fields(cast("Any", made))}
    return {name: value for name, value in found.items() if value not in ((), "", None, False)}


def test_em3_em13_what_a_sheet_says_that_says_nothing() -> None:
    """One character in close formation, with Hits 1, on even ground, in nobody's way."""
    troop = {"members": 1, "formation": "close", "hits": 1, "speed": 6, "table_die": 10,
             "cover": "none", "concealment": "none", "vertical_cover": "none"}  # fmt: skip
    assert given(Troop()) == given(Unit()) == troop
    assert given(CoreCheck()) == {"sides": 10, "base": 6, "ones": "cancel"}
    assert given(Weapon()) == {"skill": "close_combat"}
    assert given(Row(low=1)) == {"low": 1, "name": "nothing"}
    assert given(Own(name="x")) == {"name": "x", "like": "close_combat", "hits": 1}
    contact = {"side": "front", "own_side": "front", "fronts": 1, "own_fronts": 1}
    assert given(Contact()) == contact
    assert given(Other(who=Unit())) == {
        "who": Unit(), "side": "enemy", "fights": True, "contact": Contact(),
    }  # fmt: skip
    assert given(pair()) == {
        "attacker": Unit(), "defender": Unit(), "action": "open", "focus": "open",
        "combat": "auto", "contact": Contact(), "move": "none", "may_align": True,
        "align_cost": (0, 0, 0),
    }  # fmt: skip
    assert given(Placement(unit="A")) == {
        "unit": "A", "side": "attacker", "shape": "block", "base": 1, "depth": 1, "files": 1,
        "members": 1,
    }  # fmt: skip
    assert given(Table()) == {"length": "inch"}


def test_em3_em45_sheets_at_the_edge_of_what_is_allowed() -> None:
    assert CoreCheck(sides=6, base=6).base == 6
    assert Skill(skill="close_combat", level=4, diminish="1/3").diminish == "1/3"
    assert Weapon(short=5, medium=5, longest=5).longest == 5
    assert Unit(threshold=1, table=(Row(low=1, high=5), Row(low=6)), table_die=6).table_die == 6
    assert Unit(members=3, marked=3, pinned=3).marked == 3
    assert Unit(damage_limit=3, damage=2, unfelt=2).points == 2
    assert Unit(damage_limit=3, damage=2, marked=1, unfelt=5).points == 5
    assert Unit(threshold=3, table=ALL, wear=2).points == 2
    assert Unit(threshold=3, table=ALL, wear=2, suffered=2, unfelt=2).points == 2
    assert Unit(marked=1, unfelt=1).points == 1
    charm = Own(name="charm", skill="wit"), Own(name="fear")
    skills = Skill(skill="wit", level=1), Skill(skill="fear", level=1)
    made = Unit(actions=charm, skills=skills, weapons=(Weapon(skill="wit", also="fear"),) * 20)
    assert len(made.weapons) == 20
    assert len(Unit(joined=(Troop(),) * 12).joined) == 12
    assert len(pair(others=(Other(who=Unit()),) * 20, wrap=(1, 1, 1)).others) == 20
    assert len(Unit(threshold=3, table_die=100, table=HUNDRED).table) == 100
    assert Other(who=Unit(), engages=True).engages
