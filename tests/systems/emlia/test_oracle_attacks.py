"""Whole attacks, from a file's table to the joint odds of damage, against brute force."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from affray.app.inputs.setups import examples, load_raw
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.decisions import decisions
from affray.engine.exchange.odds import outcomes
from tests.oracles import emlia as oracle

from .factories import SYSTEM

DICE = 5


@pytest.mark.parametrize("wish", ["damage", "casualties"])
def test_em52_focus_is_worth_what_brute_force_counts(wish: str) -> None:
    """For damage no focus is best, for casualties that on the drummers, who need not three points.

    Eight against eight: nobody is outnumbered, the difficulty is 6, and 7 with a focus.
    """
    made = load_raw(SYSTEM, dict(examples(SYSTEM)["focus-drummers"]), "an example").game
    solution = solve(made, objective_named(SYSTEM, wish))
    (decision,) = decisions(solution)
    body: list[Any] = [
        {"name": "trolls", "members": 5, "hits": 3, "base": 1, "limit": 3},
        {"name": "drummers", "members": 2, "hits": 3, "base": 1},
        {"name": "goblins", "members": 1, "hits": 2, "base": 1},
    ]
    expected = {}
    for name in ("none", "trolls", "drummers", "goblins"):
        focus = None if name == "none" else name
        ends = oracle.attack_outcomes(8, 6 if focus is None else 7, body, focus)
        expected[name] = sum(
            (p * sum(one.points if wish == "damage" else one.casualties for one in end))
            for end, p in ends.items()
        )
    assert {one.name: one.value for one in decision.always} == expected
    assert max(expected, key=lambda name: expected[name]) == (
        "none" if wish == "damage" else "drummers"
    )
    assert solution.value == max(expected.values())
    assert decision.step == "choose_focus"


def _body(rng: random.Random) -> list[dict[str, Any]]:
    """Two to four troops of different Hits, some with limits, thresholds, damage, markers."""
    troops = []
    for number, hits in enumerate(rng.sample(range(1, 6), rng.randint(2, 4))):
        troop: dict[str, Any] = {
            "name": f"T{number}", "members": rng.randint(1, 7), "hits": hits,
            "to_hit": rng.choice((-3, -2, -1, 0, 0, 1)),
        }  # fmt: skip
        kind = rng.randrange(5)
        if kind == 1:
            troop |= {"damage_limit": rng.randint(1, 3)}
        if kind == 2:
            table = [{"low": 1, "high": 4}, {"low": 5, "name": "breach", "casualties": 1}]
            troop |= {"threshold": rng.randint(1, 2), "table_die": 6, "table": table}
        if kind == 3:
            troop |= {"markers": rng.randint(0, hits - 1)}
        troops.append(troop)
    return troops


def _worn(troops: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """The same later in the turn: some are marked, and there is damage on the way."""
    for troop in troops:
        troop["marked"] = rng.randint(0, troop["members"])
        for key, full in (("damage", "damage_limit"), ("wear", "threshold")):
            if full in troop:
                troop[key] = rng.randrange(troop[full])
    return troops


def _as_oracle(troop: dict[str, Any], base: int) -> Any:
    unit: dict[str, Any] = {key: troop[key] for key in ("name", "members", "hits")}
    unit |= {"base": base, "markers": troop.get("markers", 0), "marked": troop.get("marked", 0)}
    unit["damage"] = troop.get("damage", 0) + troop.get("wear", 0)
    if "damage_limit" in troop:
        unit["limit"] = troop["damage_limit"]
    if "threshold" in troop:
        rows = [(1, 4, {}), (5, None, {"casualties": 1})]
        unit |= {"threshold": troop["threshold"], "die": 6, "table": rows}
    return unit


def _readings(rng: random.Random) -> dict[str, Any]:
    return {
        "check": rng.choice(("d10_6_cancel", "d6_4", "botch", "half", "none")),
        "clamp": rng.choice(("sides", "open")),
        "k_scope": rng.choice(("every", "first")),
        "group_size": rng.choice(("start", "live")),
        "focus_merge": rng.choice(("yes", "no")),
        "focus_cap": rng.choice(("after", "inside")),
        "focus_penalty": rng.choice(("once", "both")),
    }


@pytest.mark.parametrize("seed", range(60))
def test_em51_em53_whole_attacks_are_as_brute_force_has_them(seed: int) -> None:
    rng = random.Random(seed)
    _is_as_brute_force_has_it(_body(rng), rng)


@pytest.mark.parametrize("seed", range(100, 140))
def test_em44_later_attacks_of_a_turn_are_as_brute_force_has_them(seed: int) -> None:
    """Who is marked counts for the difficulty, and takes no more hits."""
    rng = random.Random(seed)
    _is_as_brute_force_has_it(_worn(_body(rng), rng), rng)


def _is_as_brute_force_has_it(troops: list[dict[str, Any]], rng: random.Random) -> None:
    base, readings = rng.randint(0, 1), _readings(rng)
    focus = rng.choice([None, *range(len(troops))])
    first, *joined = troops
    members = sum(troop["members"] for troop in troops)  # as many: nobody is outnumbered
    raw = {
        "attacker": {
            "name": "A", "members": members,
            "skills": [{"skill": "close_combat", "level": DICE}],
            "weapons": [{"name": "axe", "damage": base}],
        },
        "defender": {**first, "joined": joined},
        "action": "close_combat",
        "focus": "none" if focus is None else troops[focus]["name"],
    }  # fmt: skip
    loaded = load_raw(SYSTEM, raw, "a file", rulings=readings)
    names = [f"damage_{n}" for n in range(1, len(troops) + 1)]
    found = outcomes(loaded.game, names).fractions()
    rule: Any = readings["check"]
    clamp: Any = readings["clamp"]
    number = oracle.mixed_difficulty(
        [(troop["members"], troop["to_hit"]) for troop in troops], focus, rule=rule, clamp=clamp,
        focus_merge=readings["focus_merge"], focus_cap=readings["focus_cap"],
        focus_penalty=readings["focus_penalty"],
    )  # fmt: skip
    units = [_as_oracle(troop, base) for troop in troops]
    expected: dict[tuple[int, ...], Fraction] = oracle.attack_odds(
        DICE, number, units, None if focus is None else troops[focus]["name"], rule=rule,
        clamp=clamp, k_scope=readings["k_scope"], group_size=readings["group_size"],
    )  # fmt: skip
    assert found == {points: p for points, p in expected.items() if p}
