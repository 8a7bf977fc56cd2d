"""The oracle of Empty Earth: against the worked examples and exact odds, and by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.vectors import Vector, vectors_of

from . import empty_earth as ee

F = Fraction
VECTORS = vectors_of("empty-earth")
KNOWN = {
    "setup": {"attacker", "defender", "distance_zones", "hostile_in_own_zone", "attacks",
              "other_pcs"},
    "attacker": {"attacks", "cubes", "rerolls", "sweeps", "focus"},
    "weapon": {"dice", "damage", "piercing", "reach", "range_zones", "kind", "aim", "unmodified"},
    "defender": {"phys_def", "ess_def", "vitality", "shields", "dr", "dodge", "center", "rerolls",
                 "sweeps", "focus", "side", "vitality_max", "injuries"},
    "choices": {"choose_reaction", "take_aim"},
    "options": {"reroll", "focus", "stop", "no", "counter"},
    "fields": {"hits", "regular", "piercing", "final", "on_hit", "on_damage", "counter",
               "unmodified", "damage", "defeated", "shields", "vitality", "injuries",
               "incapacitated", "stage_ended"},
}  # fmt: skip
"""What the oracle tells: no features, no Counter, no map, no roster."""
READINGS = {
    "dodge": {"pool", "per_die", "all"}, "focus": {"one", "split"}, "shields": {"spent", "stay"}
}  # fmt: skip
TOLD_IDS = {
    "S-3", "S-4", "S-5", "S-6", "V1", "V2", "V4", "V5", "V7", "V8", "V10", "V11a", "V11b", "V13a",
    "V13b", "V14", "V16a", "V16c", "V17", "V19", "V20", "V31", "V32", "V37", "V38", "V40", "V44",
    "V46", "V47", "V48", "V49", "O1", "O2", "O4", "O4p", "O4d", "O4a", "O5p", "O5d", "O7", "O8s",
    "O8x", "O10", "O11", "O13", "O14", "O16", "O17", "O19", "O20", "W2",
}  # fmt: skip
"""Vectors that the oracle has to tell."""


def is_told(vector: Vector) -> bool:
    """Whether the oracle knows every word of a vector."""
    setup = vector.setup
    by, against = setup.get("attacker", {}), setup.get("defender", {})
    if setup.keys() - KNOWN["setup"] or "refused" in vector.expect or "attacks" not in by:
        return False
    unknown = by.keys() - KNOWN["attacker"] | against.keys() - KNOWN["defender"]
    unknown |= {key for weapon in by["attacks"] for key in set(weapon) - KNOWN["weapon"]}
    unknown |= vector.choose.keys() - KNOWN["choices"]
    unknown |= {option.partition("-")[0] for option in vector.options} - KNOWN["options"]
    unknown |= {name for name, one in vector.rulings.items() if one not in READINGS.get(name, ())}
    return not unknown


# -- vectors as the oracle has them ------------------------------------------------------------


def dice_of(text: str) -> tuple[tuple[int, ...], int]:
    """'2D6+1': the dice, and what is added to each."""
    found = re.fullmatch(r"(\d+)D(\d+)([+-]\d+)?", text)
    assert found is not None, text
    return (int(found[2]),) * int(found[1]), int(found[3] or 0)


def reroll_of(fighter: Mapping[str, Any]) -> ee.Reroll:
    if "sweeps" in fighter:
        return "subset"
    return "one" if "rerolls" in fighter else "none"


def attack_of(vector: Vector) -> ee.Attack:
    """The attack with what both have committed."""
    by, against = vector.setup["attacker"], vector.setup["defender"]
    (weapon,) = by["attacks"]
    kind = weapon.get("kind", "physical")
    dice, flat = dice_of(weapon["dice"])
    answer = vector.choose.get("choose_reaction", "none")
    dodge, dodge_flat = dice_of(against[answer]) if answer != "none" else ((), 0)
    return ee.Attack(
        dice, against["phys_def" if kind == "physical" else "ess_def"],
        weapon["damage"], weapon.get("piercing", 0), flat,
        aim=weapon["aim"] if vector.choose.get("take_aim") == "aim" else 0,
        crowded=ee.is_crowded(
            weapon.get("reach", "melee"), vector.setup.get("hostile_in_own_zone", 0)
        ),
        reroll=reroll_of(by), focus=sum(by.get("focus", ())),
        dodge=ee.dodge_dice_rolled(kind, answer, dodge), dodge_flat=dodge_flat,
        dodge_reroll=reroll_of(against), dodge_focus=sum(against.get("focus", ())),
        unmodified=weapon.get("unmodified"),
    )  # fmt: skip


def target_of(vector: Vector) -> ee.Target:
    against = vector.setup["defender"]
    left = against.get("vitality", against.get("vitality_max", 10))
    return ee.Target(
        left, against.get("shields", 0), against.get("dr", 0),
        pc=against.get("side") == "pc", vitality_max=against.get("vitality_max", 1_000),
        injuries=against.get("injuries", 0),
    )  # fmt: skip


def others_of(vector: Vector) -> list[ee.Target]:
    """The other player characters of the Stage."""
    return [ee.Target(1, pc=True, injuries=int(one != "none"))
            for one in vector.setup.get("other_pcs", ())]  # fmt: skip


def placed(faces: ee.Faces, attack: ee.Attack, options: Sequence[str], fresh: list[int]) -> Any:
    """Faces and Focus after what the attacker picked: 'reroll-miss', 'focus-3-on-miss'."""
    shown, focus = list(faces), [0] * len(faces)
    for option in options:
        what, *words = option.split("-")
        if what == "reroll":
            assert words == ["miss"]
            shown[shown.index(min(shown))] = fresh.pop(0)
        elif what == "focus":
            points, _, which = words
            assert which != "miss" or min(ee.modified(tuple(shown), attack)) <= attack.defence
            focus[shown.index(min(shown) if which == "miss" else int(which))] = int(points)
        else:
            assert what in {"stop", "no", "counter"}  # the best Dodge; the Counter comes later
    return tuple(shown), tuple(focus)


def played(vector: Vector) -> tuple[list[ee.Outcome], bool]:
    """The outcomes of the attacks, by the faces of the vector; and whether the Stage ended."""
    attack, target, faces = attack_of(vector), target_of(vector), list(vector.dice)
    rulings = ee.Rulings(**vector.rulings)  # type: ignore[arg-type]  # as the room calls them
    done: list[ee.Outcome] = []
    for _ in range(vector.setup.get("attacks", 1)):
        rolled = [[faces.pop(0) for _ in dice] for dice in (attack.dice, attack.dodge)]
        shown, focus = placed(tuple(rolled[0]), attack, vector.options, faces)
        _, ends = ee.resolve(
            shown, attack, target, focus=focus, dodges=tuple(rolled[1]), rulings=rulings
        )
        if len(ends) > 1:
            regained = faces.pop(0)
            ends = [end for end in ends if end.target.vitality == regained]
        (end,) = ends
        done.append(end)
        target = end.target
        if target.pc and ee.stage_ends([target, *others_of(vector)]):
            break
    assert not faces
    return done, target.pc and ee.stage_ends([target, *others_of(vector)])


def field_of(name: str, ends: Sequence[ee.Outcome]) -> object:
    """A field of the outcome, as the room calls it."""
    last = ends[-1]
    if name == "damage":
        return ee.total_final(tuple(ends))
    if name == "counter":
        return any(end.counter for end in ends)
    if name == "defeated":
        return last.target.vitality == 0 and not last.target.pc
    if name in {"shields", "vitality", "injuries", "incapacitated"}:
        return getattr(last.target, name)
    return getattr(last, name)


# -- vectors -----------------------------------------------------------------------------------

TOLD = [name for name, vector in VECTORS.items() if is_told(vector)]


def test_all_that_can_be_told_is_told() -> None:
    assert {id_ for name in TOLD for id_ in VECTORS[name].ids} >= TOLD_IDS


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].expect])
def test_worked_examples(name: str) -> None:
    vector = VECTORS[name]
    ends, stage_ended = played(vector)
    expected = {key: vector.expect[key] for key in vector.expect.keys() & KNOWN["fields"]}
    assert expected
    assert expected.pop("stage_ended", stage_ended) == stage_ended
    assert {key: field_of(key, ends) for key in expected} == expected


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].odds])
def test_exact_odds(name: str) -> None:
    vector = VECTORS[name]
    odds = dict(vector.odds)
    goal = ee.any_effect if odds.pop("_objective", "") == "effect" else ee.total_final
    attacks = [attack_of(vector)] * vector.setup.get("attacks", 1)
    rulings = ee.Rulings(**vector.rulings)  # type: ignore[arg-type]  # as the room calls them
    ends = ee.solve(attacks, target_of(vector), goal, rulings=rulings).ends
    for field, mean in odds.pop("_mean", {}).items():
        told = ((field_of(field, end), p) for end, p in ends.items())
        assert sum(value * p for value, p in told) == F(mean)  # type: ignore[operator]  # numbers
    for field, chances in odds.items():
        found = ee.marginal(ends, lambda end, field=field: str(field_of(field, end)).lower())  # type: ignore[misc]
        assert {value: found.get(value, F(0)) for value in chances} == {
            value: F(p) for value, p in chances.items()
        }


# -- the oracle by hand ------------------------------------------------------------------------

DEEP = ee.Target(vitality=100)
TWO = ee.Attack((6, 6), defence=4, damage=2)


def enemy(shields: int = 0, dr: int = 0, vitality: int = 10) -> ee.Target:
    """A target that draws no Injuries."""
    return ee.Target(vitality, shields, dr)


def test_ee_v20_dice_before_the_dodge() -> None:
    attack = ee.Attack((6, 6, 6), 5, damage=2, piercing=1, flat=1, aim=1, crowded=True)
    assert ee.modified((5, 4, 6), attack, (0, 1, 0)) == (6, 6, 7)


def test_ee_v16c_dice_after_a_dodge_off_every_die() -> None:
    left, _ = ee.resolve(
        (5, 6), replace(TWO, dodge=(4,)), enemy(), dodges=(2,), rulings=ee.Rulings(dodge="all")
    )
    assert left == (3, 4)


def test_ee_s1_s2_number_of_rolls() -> None:
    assert len(list(ee.rolls((6, 6, 6)))) == 6**3
    assert len(list(ee.rolls((4, 4, 4)))) == 4**3


def test_ee_s4_s5_unmodified_values() -> None:
    attack = ee.Attack((6,), 3, unmodified=4)
    ((rerolled,), (focused,)) = (
        ee.resolve((4,), attack, enemy())[1],
        ee.resolve((1,), attack, enemy(), focus=(3,))[1],
    )
    assert ee.modified((4,), attack) == ee.modified((1,), attack, (3,)) == (4,)
    assert (rerolled.unmodified, focused.unmodified) == (1, 0)


def test_ee_v14_effects_on_unmodified_values() -> None:
    attack = replace(TWO, flat=1, unmodified=4)
    _, (o,) = ee.resolve((1, 6), attack, enemy(), focus=(3, 0))
    assert o.unmodified == 1


def pc(vitality: int, injuries: int = 0) -> ee.Target:
    """A player character with a track of ten."""
    return ee.Target(vitality, pc=True, vitality_max=10, injuries=injuries)


def test_ee_v31_first_zero() -> None:
    _, ends = ee.resolve((6,), ee.Attack((6,), 4, damage=9), pc(1))
    assert [o.target.vitality for o in ends] == [1, 2, 3, 4, 5, 6]
    assert all(o.drew_injury and o.target.injuries == 1 for o in ends)
    assert not any(o.target.incapacitated for o in ends)


def test_ee_v32_second_zero() -> None:
    _, (o,) = ee.resolve((6,), ee.Attack((6,), 4, damage=2), pc(2, injuries=1))
    assert o.target == pc(0, injuries=1)._replace(incapacitated=True)
    assert not o.drew_injury


def test_ee_v34_v35_revival() -> None:
    down = pc(0, injuries=1)._replace(incapacitated=True)
    with pytest.raises(ValueError, match="three black"):
        ee.revive(down, 3, black_cubes=2)
    with pytest.raises(ValueError, match="another player"):
        ee.revive(down, 3, black_cubes=3, by_another=False)
    assert ee.revive(down, 3, black_cubes=3) == pc(3, injuries=1)


def test_ee_v37_v38_stage_ends() -> None:
    a, b = pc(5, injuries=1), pc(1)
    assert not ee.stage_ends([a, b])
    _, ends = ee.resolve((6,), ee.Attack((6,), 4), b)
    assert all(ee.stage_ends([a, o.target]) for o in ends)
    assert all(ee.stage_ends([o.target]) for o in ends)


def test_ee_v41_v44_reach() -> None:
    borders = [("A", "B"), ("B", "C")]
    assert ee.zones_away(borders, "A", "C") == 2
    assert not ee.may_attack("melee", ee.zones_away(borders, "A", "B"), sees=True)
    assert ee.may_attack("melee", 0, sees=True)
    assert ee.may_attack("ranged", 2, attack_range=2, sees=True)
    assert not ee.may_attack("ranged", 2, attack_range=2, sees=False)
    assert not ee.may_attack("ranged", 3, attack_range=2, sees=True)
    assert not ee.is_crowded("melee", 2)


def test_ee_v43_colours() -> None:
    def sees(colour: str) -> bool:
        return ee.line_of_sight((0, 0), (4, 0), [ee.Wall(colour, (2, -1), (2, 1))])

    assert [sees(colour) for colour in ("black", "green", "brown")] == [False, False, True]


def test_ee_v46_center_against_physical() -> None:
    assert ee.dodge_dice_rolled("physical", "center", (6,)) == ()
    assert ee.dodge_dice_rolled("physical", "dodge", (6,)) == (6,)


@pytest.mark.parametrize(
    ("walls", "touching", "sees"),
    [
        pytest.param([], False, True, id="l1"),
        pytest.param([ee.Wall("black", (2, -1), (2, 1))], False, False, id="l2"),
        pytest.param([ee.Wall("green", (2, -1), (2, 1))], False, False, id="l3"),
        pytest.param([ee.Wall("black", (2, 1), (2, 3))], False, True, id="l4"),
        pytest.param([ee.Wall("black", (2, 0), (2, 3))], False, True, id="l5"),
        pytest.param([ee.Wall("black", (2, 0), (2, 3))], True, False, id="l5-strict"),
        pytest.param([ee.Wall("black", (1, 0), (3, 0))], False, False, id="collinear"),
    ],
)
def test_ee_line_of_sight(walls: list[ee.Wall], touching: bool, sees: bool) -> None:
    assert ee.line_of_sight((0, 0), (4, 0), walls, touching=touching) is sees


def test_ee_l6_same_zone() -> None:
    wall = ee.Wall("black", (2, -1), (2, 1))
    assert ee.line_of_sight((0, 0), (4, 0), [wall], same_zone=True)


def test_ee_minimax_written_out() -> None:
    """Two d4 with one reroll against one dodge d4 with a reroll, once more as nested loops."""
    faces = range(1, 5)

    def surviving(a: int, b: int, dodge: int) -> int:
        """Hits left after the best use of `dodge` points against defence 2."""
        over = sorted(x - 2 for x in (a, b) if x > 2)
        left = len(over)
        for need in over:
            if dodge >= need:
                dodge -= need
                left -= 1
        return left

    def reply(a: int, b: int, dodge: int) -> Fraction:
        again = sum((F(surviving(a, b, x), 4) for x in faces), F(0))
        return min(F(surviving(a, b, dodge)), again)

    def best(a: int, b: int, dodge: int) -> Fraction:
        first = sum((reply(x, b, dodge) for x in faces), F(0)) / 4
        second = sum((reply(a, x, dodge) for x in faces), F(0)) / 4
        return max(reply(a, b, dodge), first, second)

    total = sum((best(a, b, d) for a in faces for b in faces for d in faces), F(0)) / 64
    attack = ee.Attack((4, 4), 2, reroll="one", dodge=(4,), dodge_reroll="one")
    assert ee.best_value(attack, DEEP, ee.total_hits) == total


def test_ee_more_freedom_never_hurts_its_owner() -> None:
    attack = ee.Attack((6, 6), 3, damage=2, dodge=(4,))
    none, one, subset = (
        ee.best_value(replace(attack, reroll=reroll), DEEP) for reroll in ("none", "one", "subset")
    )
    assert none < one < subset
    assert ee.best_value(replace(attack, reroll="one", dodge_reroll="one"), DEEP) < one
    assert ee.best_value(replace(attack, focus=1), DEEP) > none
    up_to = ee.Rulings(focus_amount="up_to")
    assert ee.best_value(replace(attack, focus=2), DEEP, rulings=up_to) == ee.best_value(
        replace(attack, focus=2), DEEP
    )


def test_ee_defender_spends_the_dodge_where_it_matters() -> None:
    """The six carries an effect if it hits: for that utility it goes, not the cheaper five."""
    attack = ee.Attack((6, 6), 4, dodge=(4,), unmodified=6, unmodified_must_hit=True)
    left, _ = ee.resolve((5, 6), attack, DEEP, dodges=(2,), utility=ee.any_effect)
    assert left == (5, 4)
    left, _ = ee.resolve((5, 6), attack, DEEP, dodges=(2,))
    assert left == (4, 6)


def test_ee_two_attacks_through_an_injury() -> None:
    """The first hit draws the Injury, the second finds what the 1D6 gave back: by hand."""
    attack = ee.Attack((6,), 3, damage=2)
    start = ee.Target(vitality=1, shields=1, pc=True, vitality_max=6)
    node = ee.solve([attack, attack], start, lambda os: int(os[-1].target.incapacitated))
    assert sum(node.ends.values()) == 1
    assert node.value == F(1, 2) * F(1, 2) * F(2, 6)
    assert node.value == ee.chance(node.ends, lambda os: os[-1].target.incapacitated)


def test_ee_shields_are_saved_by_a_defender_who_looks_ahead() -> None:
    """Blunting a hit that Shields would stop anyway pays when a second attack follows."""
    first = ee.Attack((6,), 3, damage=2, dodge=(4,))
    second = ee.Attack((6,), 3, damage=2)
    start = DEEP._replace(shields=2)
    assert ee.best_value(first, start) == 0
    landed = F(3, 24)  # 1D6 against 3 with 1D4 off: only 5-1, 6-1 and 6-2 hit
    both = ee.solve([first, second], start, ee.vitality_lost(100))
    assert both.value == landed * F(1, 2) * 2


def test_ee_negative_dodge_dice() -> None:
    attack = ee.Attack((6,), 4, dodge=(4,), dodge_flat=-3)
    assert ee.dodge_points((1,), attack) == (0,)
    below = ee.Rulings(negative="adds")
    assert ee.dodge_points((1,), attack, rulings=below) == (-2,)


def test_ee_order_of_post_roll_effects() -> None:
    """Whoever decides last knows more (A-4)."""
    attack = ee.Attack((6, 6), 3, reroll="one", dodge=(4,), dodge_reroll="one")
    defender_first = ee.Rulings(post_roll="defender")
    assert ee.best_value(attack, DEEP) < ee.best_value(attack, DEEP, rulings=defender_first)


def test_ee_readings_of_focus() -> None:
    attack = ee.Attack((6,), 6, focus=3)
    assert ee.best_value(attack, DEEP) == F(1, 2)
    capped = ee.Rulings(focus_limit="die")
    assert ee.best_value(attack, DEEP, rulings=capped) == 0


def test_ee_reading_of_the_penalty() -> None:
    attack = ee.Attack((6,), 3, damage=2, crowded=True)
    on_damage = ee.Rulings(crowd="damage")
    assert (ee.best_value(attack, DEEP), ee.best_value(attack, DEEP, rulings=on_damage)) == (
        F(2, 3),
        F(1, 2),
    )


def test_ee_declarations() -> None:
    """The defender chooses to dodge, the attacker then to aim."""
    plain = ee.Attack((6,), 4)
    aim, dodge = replace(plain, aim=1), replace(plain, dodge=(4,))
    rows = [[plain, aim], [dodge, replace(aim, dodge=(4,))]]
    value = ee.value_of_declarations(rows, DEEP)
    assert value == ee.best_value(rows[1][1], DEEP)
    assert value == ee.value_of_declarations(rows, DEEP, defender_first=False)


def test_ee_incapacitated_target_stays_down() -> None:
    down = pc(0, injuries=1)._replace(incapacitated=True)
    _, (o,) = ee.resolve((6,), ee.Attack((6,), 4), down)
    assert o.target == down
    _, (missed,) = ee.resolve((1,), ee.Attack((6,), 4), down)
    assert not missed.counter
    assert ee.start_of_turn(down._replace(shields=2)) == down
