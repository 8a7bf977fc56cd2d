"""The outcome fields that can be asked for, and the objectives of each side.

Three attack lines against both defenses at 3, Damage Resistance 1 and Vitality 4. By hand:

- the axe, 1D6 for 5, hits with 1/2 and does 4;
- the sickle, 3D4 for 1, hits with each die in 1/4: none 27/64, one 27/64, two 9/64, three 1/64;
  the first point is absorbed, so it does 0, 0, 1 and 2;
- the needle, 1D8 for 1 piercing, hits with 5/8 and does 1.

So each wish has its own best line, and whoever played to lose would take another one.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.engine.exchange import best
from affray.engine.exchange import odds as exact
from affray.engine.exchange.decisions import decisions
from affray.engine.exchange.game import Game
from affray.systems.empty_earth.gear import Active, Armor
from affray.systems.empty_earth.questions import FIELDS, OBJECTIVES
from affray.systems.empty_earth.sheet import Cubes, Fighter
from affray.systems.empty_earth.standing import condition_of
from affray.systems.empty_earth.state import Exchange

from .factory import (
    ADA,
    BO,
    feature,
    game,
    objective,
    play,
    played,
    setup,
    striker,
    target,
    weapon,
)

F = Fraction

AXE = replace(weapon("1D6", 5), name="axe")
SICKLE = replace(weapon("3D4", 1, unmodified=4), name="sickle")
NEEDLE = replace(weapon("1D8", 0, piercing=1), name="needle")
TOUGH = target(phys_def=3, dr=1, vitality=4)
LINES = setup(striker(AXE, SICKLE, NEEDLE), TOUGH)


def solved(made: Game, wish: str) -> tuple[str, Fraction]:
    """Give the first choice and the worth of the game after it."""
    found = best.solve(made, objective(wish))
    return decisions(found)[0].situations[0].best, found.value


@pytest.mark.parametrize(
    ("wish", "line", "worth"),
    [
        ("damage", "axe", F(4, 2)),  # sickle 11/64, needle 5/8
        ("hit", "needle", F(5, 8)),  # axe 1/2, sickle 37/64
        ("wound", "needle", F(5, 8)),  # axe 1/2, sickle 10/64
        ("effect", "sickle", F(37, 64)),  # the others have no effect
        ("kill", "axe", F(1, 2)),  # the others do less than 4
        ("trade", "axe", F(4, 2)),
        ("survive", "axe", F(1, 2)),  # the attacker leaves as little hope as there is
        ("unhurt", "needle", F(3, 8)),
    ],
)
def test_ee28_every_wish_has_its_own_best_line(wish: str, line: str, worth: Fraction) -> None:
    assert solved(game(LINES), wish) == (line, worth)


def test_ee28_every_wish_is_asked_here() -> None:
    asked = {"damage", "hit", "wound", "effect", "kill", "trade", "survive", "unhurt"}
    assert {wish.name for wish in OBJECTIVES} == asked


@pytest.mark.parametrize(
    ("wish", "line", "answer", "worth"),
    [
        # The shield leaves 0 of 2, or 3 of the axe's 5; the feint makes the defense 5.
        ("damage", "axe", "Feint", F(4, 6)),  # shield 3/2
        ("hit", "axe", "Feint", F(1, 6)),  # shield 1/2
        ("wound", "axe", "Feint", F(1, 6)),
        ("kill", "axe", "Shield", F(0)),  # 3 of 4
        ("survive", "axe", "Shield", F(1)),
        ("unhurt", "axe", "Feint", F(5, 6)),
        ("damage", "sickle", "Feint", F(0)),
        ("unhurt", "sickle", "Feint", F(1)),
    ],
)
def test_ee29_the_defender_wants_the_opposite(
    wish: str, line: str, answer: str, worth: Fraction
) -> None:
    """One red cube for one of two Abilities; to use none is never better."""
    feint = feature("Feint", timing="immediate", defence=2)
    shield = feature("Shield", timing="immediate", dr=1)
    wary = replace(TOUGH, abilities=(feint, shield), cubes=Cubes(red=1))
    made = game(replace(LINES, defender=wary), declare_attack=line)
    assert solved(made, wish) == (answer, worth)


def test_ee44_a_trade_counts_what_counters_do() -> None:
    """The axe misses with 1/2, and the Counter then does 3 for certain: 4/2 - 3/2.

    The needle misses with 3/8: 5/8 - 9/8. The sickle does nothing with 54/64: less still. For
    damage alone the Counter doesn't matter; and nobody who is asked leaves it.
    """
    answers = replace(TOUGH, attacks=(weapon("1D6", 3),))
    made = game(replace(LINES, defender=answers), {"counter": "attack"})
    assert solved(made, "trade") == ("axe", F(1, 2))
    held = game(replace(LINES, defender=answers), {"counter": "attack"}, declare_attack="needle")
    assert best.solve(held, objective("trade")).value == F(5, 8) - F(9, 8)
    assert best.solve(held, objective("damage")).value == F(5, 8)


def test_ee43_wishes_of_a_row_count_every_attack() -> None:
    """Two attacks of 1D6 for 2 against 4: each hits with 1/3, independent of the other."""
    made = game(setup(weapon("1D6"), target(vitality=4), attacks=2))
    worth = {wish: best.solve(made, objective(wish)).value for wish in ("damage", "hit", "wound")}
    assert worth == {"damage": F(4, 3), "hit": F(5, 9), "wound": F(5, 9)}
    assert best.solve(made, objective("kill")).value == F(1, 9)
    assert best.solve(made, objective("survive")).value == F(8, 9)
    assert best.solve(made, objective("unhurt")).value == F(4, 9)


def test_ee54_no_line_can_do_what_is_over() -> None:
    """A player character who is down takes no more harm: nothing to be gained or lost."""
    down = game(replace(LINES, defender=replace(BO, phys_def=3, vitality=0, injuries=1)))
    assert best.solve(down, objective("kill")).value == 0
    assert best.solve(down, objective("survive")).value == 1


def test_ee43_every_field_can_be_asked_alone_and_by_its_other_names() -> None:
    for field in FIELDS:
        for name in (field.name, *field.also):
            made = game(LINES, declare_attack="sickle")
            assert sum(exact.odds(made, name).fractions().values()) == 1
    assert exact.odds(made, "final") == exact.odds(made, "damage")


def test_ee43_fields_of_one_outcome() -> None:
    """3D4+1 for 2+1 against 3 with DR 1, two Shields: 4 and 3 hit, 4 + 2 - 2 - 1, so 10 to 7."""
    who = target(phys_def=3, dr=1, shields=2, retaliation=3, dodge="1D4",
                 cubes=Cubes(blue=1, black=3))  # fmt: skip
    by = striker(weapon("3D4+1", 2, piercing=1, unmodified=3), vitality=8, cubes=Cubes(red=2))
    seen = play(game(setup(by, who), choose_reaction="none"), 4, 3, 1)
    assert seen == {
        "damage": 3, "hits": 2, "regular": 4, "piercing": 2, "vitality": 7, "shields": 0,
        "on_hit": True, "on_damage": True, "counter": False, "unmodified": 2, "injuries": 0,
        "downed": False, "incapacitated": False, "defeated": False, "stage_ended": False,
        "conditions": (), "retaliation": 6, "counter_damage": 0, "attacker_vitality": 2,
        "counters": False, "attacker_out": False, "stage_effects": (),
        "zone": "", "zones_away": "", "hostiles": "", "line_of_sight": "",  # there is no map
        "reactions": 1, "cubes": 2, "attacker_shields": 0, "attacker_injuries": 0,
        "attacker_injured_this_stage": False, "attacker_reactions": 1,
        "attacker_armor_active": False,
        "injured_this_stage": False, "armor_active": False, "attacker_conditions": (),
        "attacker_red_cubes": 2, "attacker_blue_cubes": 0, "attacker_black_cubes": 0,
        "defender_red_cubes": 0, "defender_blue_cubes": 1, "defender_black_cubes": 3,
    }  # fmt: skip


def carried(sheet: Fighter, seen: Mapping[str, Any], who: str) -> Fighter:
    """A sheet with what the fields of an outcome say, key by key."""
    lead = "" if who == "defender" else "attacker_"
    keys = ("vitality", "shields", "injuries", "injured_this_stage", "reactions", "armor_active")
    cubes = Cubes(**{color: seen[f"{who}_{color}_cubes"] for color in ("red", "blue", "black")})
    return replace(sheet, cubes=cubes, **{key: seen[lead + key] for key in keys})


def test_ee46_an_outcome_can_be_entered_as_the_next_setup() -> None:
    """A bought Armor effect, a Dodge, a miss, a Counter through a Shield, then an Injury."""
    worn = Armor(phys_def=4, dodge="1D4", active=Active(reactions=3))
    ada = replace(ADA, phys_def=0, attacks=(weapon("1D6", 20),), shields=1, cubes=Cubes(black=2))
    bo = Fighter(
        name="Bo", side="pc", armor=worn, attacks=(weapon("1D6", 3),), vitality=9, vitality_max=12,
        cubes=Cubes(blue=2, red=1),
    )  # fmt: skip
    made = setup(ada, bo, new_turn="defender", attacks=2, other_pcs=("none",))
    session = played(
        game(made, {"counter": "paid"}), 1, 1, 5, 6, 3, options=(
            "activate", "dodge", "counter", "none",
        ),
    )  # fmt: skip
    end = session.outcome
    assert isinstance(end, Exchange)
    seen = {field.name: field.of(end) for field in FIELDS}
    next_ada, next_bo = carried(ada, seen, "attacker"), carried(bo, seen, "defender")
    assert condition_of(next_ada) == end.terms.striker
    assert condition_of(next_bo) == end.defending
    assert (next_ada.vitality, next_ada.shields) == (8, 0)  # 3 less a Shield
    assert (next_bo.vitality, next_bo.injuries, next_bo.injured_this_stage) == (3, 1, True)
    assert (next_bo.reactions, next_bo.armor_active, next_bo.cubes) == (2, True, Cubes(blue=1))


def test_ee34_best_play_tells_the_dodge_that_a_reroll_looks_at() -> None:
    """A 4 against 2: over by two. A Dodge of 1 or 3 or 4 settles it, one of 2 calls for more."""
    made = game(setup(striker(weapon("1D4"), rerolls=1), target(phys_def=2, dodge="1D4")),
                choose_reaction="dodge")  # fmt: skip
    solution = best.solve(made, objective("hit"))
    report = next(one for one in decisions(solution) if one.step == "adjust_attack")
    told = {(str(dict(one.about)["attack dice"]), dict(one.about)["dodge"]): one.best
            for one in report.situations}  # fmt: skip
    assert told["3", 1] == "reroll-3"  # stopped, unless a 4 comes up
    assert told["4", 1] == "pass"
