"""The room against brute force: all faces in the open, both sides by minimax."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, Literal

import pytest

from affray.systems.empty_earth.sheet import Cubes, Setup
from tests.oracles import empty_earth as oracle

from .factory import BO, bow, game, joint, setup, striker, target, value, weapon

READINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "per_die": {"dodge": "per_die"},
    "all": {"dodge": "all"},
    "defender": {"post_roll": "defender"},
    "split": {"focus": "split"},
    "up_to": {"focus_amount": "up_to"},
    "die": {"focus_limit": "die"},
    "damage": {"crowd": "damage"},
    "adds": {"negative": "adds"},
}

CASES: dict[str, dict[str, Any]] = {
    "plain": {"dice": (6, 6), "defence": 4, "damage": 2},
    "aimed": {"dice": (4, 4), "defence": 3, "aim": 1, "flat": 1},
    "crowded": {"dice": (8, 8), "defence": 4, "crowded": True, "damage": 2},
    "dodged": {"dice": (6, 6), "defence": 3, "dodge": (4, 4)},
    "dodge modified": {"dice": (6, 6), "defence": 2, "dodge": (4, 4), "dodge_flat": -2},
    "dodge raised": {"dice": (6, 6), "defence": 3, "dodge": (4,), "dodge_flat": 1},
    "reroll": {"dice": (6, 6), "defence": 4, "reroll": "one", "dodge": (4,)},
    "sweep": {"dice": (6, 6), "defence": 4, "reroll": "subset", "dodge": (4, 4)},
    "focus": {"dice": (6, 6), "defence": 4, "focus": 2, "dodge": (4,)},
    "reroll and focus": {"dice": (4, 4), "defence": 3, "reroll": "one", "focus": 2},
    "dodge reroll": {"dice": (6, 6), "defence": 3, "dodge": (4, 4), "dodge_reroll": "one"},
    "dodge focus": {"dice": (6, 6), "defence": 3, "dodge": (4,), "dodge_focus": 2},
    "both": {
        "dice": (6, 6), "defence": 3, "reroll": "one", "focus": 1, "dodge": (4,),
        "dodge_reroll": "one", "dodge_focus": 1,
    },
    "effect": {"dice": (4, 4, 4), "defence": 2, "unmodified": 4, "dodge": (4,)},
}  # fmt: skip


def _ours(case: dict[str, Any], **changes: Any) -> Setup:
    """The same case on our sheets."""
    dice, flat = case["dice"], case.get("flat", 0)
    made = (bow if case.get("crowded") else weapon)(
        f"{len(dice)}D{dice[0]}{flat:+d}" if flat else f"{len(dice)}D{dice[0]}",
        case.get("damage", 1),
        piercing=case.get("piercing", 0),
        aim=case.get("aim", 0),
        unmodified=case.get("unmodified") or 0,
        unmodified_must_hit=case.get("unmodified_must_hit", False),
    )
    by = striker(
        made,
        cubes=Cubes(blue=1 if case.get("aim") else 0),
        rerolls=int(case.get("reroll") == "one"),
        sweeps=int(case.get("reroll") == "subset"),
        focus=(case["focus"],) if case.get("focus") else (),
    )
    dodge, each = case.get("dodge", ()), case.get("dodge_flat", 0)
    shown = f"{len(dodge)}D{dodge[0]}" + (f"{each:+d}" if each else "") if dodge else ""
    against = target(
        phys_def=case["defence"],
        dodge=shown,
        rerolls=int(case.get("dodge_reroll") == "one"),
        sweeps=int(case.get("dodge_reroll") == "subset"),
        focus=(case["dodge_focus"],) if case.get("dodge_focus") else (),
    )
    zones = {"distance_zones": 1, "hostile_in_own_zone": 1} if case.get("crowded") else {}
    return setup(by, replace(against, **changes), **zones)


def _settled(case: dict[str, Any]) -> dict[str, str]:
    settled = {"choose_reaction": "dodge"} if case.get("dodge") else {}
    return settled | ({"take_aim": "aim"} if case.get("aim") else {})


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", CASES)
def test_ee41_the_best_damage_is_that_of_brute_force(name: str, reading: str) -> None:
    case = CASES[name]
    made = game(_ours(case), READINGS[reading], **_settled(case))
    asked = {name: pick for name, pick in READINGS[reading].items() if _is_asked(name, case)}
    assert value(made) == _wanted(name, oracle.Rulings(**asked))


def _is_asked(ruling: str, case: dict[str, Any]) -> bool:
    """Whether a case has what a ruling is about."""
    about = {
        "dodge": ("dodge",), "negative": ("dodge",), "post_roll": ("dodge",),
        "focus": ("focus", "dodge_focus"), "focus_amount": ("focus", "dodge_focus"),
        "focus_limit": ("focus", "dodge_focus"), "crowd": ("crowded",),
    }  # fmt: skip
    return any(key in case for key in about[ruling])


@cache
def _wanted(name: str, rulings: oracle.Rulings) -> Fraction:
    return oracle.best_value(
        oracle.Attack(**CASES[name]), oracle.Target(vitality=10), rulings=rulings
    )


@pytest.mark.parametrize("must_hit", [False, True])
@pytest.mark.parametrize("reroll", ["none", "one", "subset"])
def test_ee45_the_best_chance_of_an_effect_is_that_of_brute_force(
    reroll: str, must_hit: bool
) -> None:
    case: dict[str, Any] = {**CASES["effect"], "reroll": reroll, "unmodified_must_hit": must_hit}
    if reroll == "subset":
        case["dice"] = (4, 4)
    wanted = oracle.best_value(oracle.Attack(**case), oracle.Target(vitality=10), oracle.any_effect)
    assert value(game(_ours(case), {}, **_settled(case)), "effect") == wanted


@pytest.mark.parametrize("shields", [0, 1, 3])
@pytest.mark.parametrize("dr", [0, 2])
@pytest.mark.parametrize("vitality", [1, 3, 10])
def test_ee43_outcomes_have_the_odds_of_brute_force(shields: int, dr: int, vitality: int) -> None:
    case: dict[str, Any] = {"dice": (6, 6), "defence": 3, "damage": 2, "piercing": 1}
    hero = replace(BO, phys_def=3, shields=shields, dr=dr, vitality=vitality)
    made = game(_ours(case, **_changes(hero)))
    names = ("hits", "damage", "shields", "vitality", "injuries", "on_damage", "counter")
    dist = oracle.distribution(
        oracle.Attack(**case),
        oracle.Target(vitality=vitality, shields=shields, dr=dr, pc=True, vitality_max=12),
    )
    wanted: dict[tuple[object, ...], Fraction] = {}
    for end, chance in dist.items():
        after = end.target
        key = (
            end.hits, end.final, after.shields, after.vitality, after.injuries, end.on_damage,
            end.counter,
        )  # fmt: skip
        wanted[key] = wanted.get(key, Fraction(0)) + chance
    assert joint(made, *names) == wanted


def _changes(hero: Any) -> dict[str, Any]:
    names = ("side", "shields", "dr", "vitality", "vitality_max")
    return {name: getattr(hero, name) for name in names}


@pytest.mark.parametrize("shields", ["spent", "stay"])
def test_ee25_a_row_of_attacks_is_that_of_brute_force(shields: Literal["spent", "stay"]) -> None:
    case: dict[str, Any] = {"dice": (6, 6), "defence": 4, "damage": 2, "reroll": "one"}
    made = replace(_ours(case, shields=3), attacks=2)
    attack = oracle.Attack(**case)
    wanted = oracle.solve(
        [attack, attack],
        oracle.Target(vitality=10, shields=3),
        oracle.total_final,
        rulings=oracle.Rulings(shields=shields),
    ).value
    assert value(game(made, {"shields": shields})) == wanted


@pytest.mark.parametrize("aimed", [False, True])
def test_a3_ee29_commitments_are_those_of_brute_force(aimed: bool) -> None:
    case: dict[str, Any] = {"dice": (6, 6), "defence": 4, "dodge": (4,)}
    rows = [
        [oracle.Attack(**{**case, "dodge": dodge, "aim": aim}) for aim in (0, 1)]
        for dodge in ((), (4,))
    ]
    wanted = oracle.value_of_declarations(
        rows, oracle.Target(vitality=10), defender_first=not aimed
    )
    made = _ours({**case, "aim": 1})
    assert value(game(made, {"reaction": "last" if aimed else "first"})) == wanted
