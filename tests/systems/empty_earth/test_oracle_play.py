"""The room against brute force where cubes are spent, Abilities used and blows answered.

Situations are drawn with a seed: attack lines, features of every timing, Abilities, Reroll and
Focus of both sides, an Armor effect, turns, rows of attacks and Counters, under readings that are
drawn as well. Both sides at their best have the value that brute force finds; and where both keep
to habits that were drawn, everything that can come of it has the chances of brute force.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any, Literal, get_args, get_type_hints

import pytest

from affray.engine.exchange import odds as exact
from affray.systems.empty_earth.cards import StageEffect, Unmodified
from affray.systems.empty_earth.gear import Active, Armor, Weapon
from affray.systems.empty_earth.sheet import Affliction, Cubes, Feature, Fighter, Setup
from tests.oracles import empty_earth_play as oracle

from .factory import game, value

READINGS = {
    name: get_args(hint) for name, hint in get_type_hints(oracle.Readings).items()
}  # fmt: skip
"""The words are the same as the room's."""

VALUES = (
    0,
    3,
    4,
    5,
    11,
    14,
    16,
    19,
    23,
    24,
    25,
    36,
    39,
    41,
    42,
    45,
    48,
    54,
    57,
    60,
    61,
    64,
    77,
    78,
    81,
    84,
    90,
    95,
    96,
    98,
    99,
    100,
    101,
    103,
    106,
    108,
    111,
    117,
    118,
    119,
)
"""Of 120 situations those that reach every branch of the rules twice, if two of all reach it."""
SPREADS = [seed for seed in range(1000, 1080) if seed != 1076]
"""All but one that takes as long as all others."""
MOST = 2_000
"""Positions of a situation, roughly."""


# ------------------------------------------------------------------ drawing


def drawn(seed: int) -> oracle.Scene:
    """A situation with a few things in it, small enough to go through every die."""
    rng = Random(seed)
    while True:
        scene = _scene(rng)
        if _size(scene) <= MOST:
            return scene


def _size(scene: oracle.Scene) -> int:
    """About how many positions there are."""
    one, other = scene.attacker, scene.defender
    total = _rolls(one, other, scene) * scene.attacks**3
    if scene.readings.counter in {"attack", "paid"}:
        total += 6 * _rolls(other, one, scene)
    return total * (2 if scene.new_turn != "none" else 1)


def _rolls(by: oracle.Fighter, against: oracle.Fighter, scene: oracle.Scene) -> int:
    ways = 0
    for line in by.lines:
        bought = [f for f in line.features if f.timing != "on_damage"]
        own = line.dice.sides**line.dice.n * _used(by, bought, line.dice)
        dice = against.center if line.essential else against.dodge
        theirs = 1
        if dice.n and against.reactions:
            theirs += dice.sides**dice.n * _used(against, against.abilities, dice)
        aims = 1 + bool(line.aim and by.blue)
        ways += own * theirs * aims * 2 ** (len(bought) + len(against.abilities))
    return ways * (3 if scene.readings.post_roll == "alternate" else 1)


def _used(who: oracle.Fighter, features: Sequence[oracle.Feature], dice: oracle.Dice) -> int:
    """Count roughly the tables of dice that effects after the roll lead to."""
    effects: list[oracle.Fighter | oracle.Feature] = [who, *features]
    rerolls = sum(one.rerolls + dice.n * one.sweeps for one in effects)
    focus = sum(len(one.focus) for one in effects)
    return int((1 + dice.n) ** (rerolls + focus))


def _scene(rng: Random) -> oracle.Scene:
    names = rng.sample(sorted(READINGS), rng.choice((0, 1, 2, 4)))
    if rng.random() < 0.35:
        names.append("counter")
    readings = oracle.Readings(**{name: rng.choice(READINGS[name]) for name in names})
    attacks = 2 if rng.random() < 0.2 else 1
    answers = readings.counter != "off"
    small = attacks > 1 or answers
    zones = rng.choice((0, 0, 1))
    one = _fighter(rng, zones, attacks=True, small=small, rich=True)
    other = _fighter(rng, zones, attacks=answers, small=small, rich=rng.random() < 0.6)
    return oracle.Scene(
        one,
        other,
        attacks=attacks,
        zones=zones,
        hostile=(rng.choice((0, 1)), rng.choice((0, 1))),
        new_turn=rng.choice(("none", "none", "attacker", "defender")),
        turn_between=attacks > 1 and rng.random() < 0.5,
        others_injured=rng.random() < 0.5,
        **(_stage(rng) if "pc" in {one.side, other.side} else {}),
        readings=readings,
    )


def _fighter(rng: Random, zones: int, *, attacks: bool, small: bool, rich: bool) -> oracle.Fighter:
    side: Literal["pc", "ally", "enemy"] = rng.choice(("pc", "ally", "enemy", "enemy"))
    few = 0.3 if small else 0.6
    lines = tuple(
        _line(rng, f"line-{i + 1}", zones if not i else rng.choice((0, 1)), small=small)
        for i in range(rng.choice((1, 1, 2)) if attacks else 0)
    )
    worn = rng.random() < 0.3
    dodge, center = _dice(rng, small=small), _dice(rng, small=small)
    vitality = rng.choice((1, 2, 3, 4, 6))
    effects = rng.choice(("none", "rerolls", "focus", "both", "sweeps")) if rich else "none"
    return oracle.Fighter(
        lines=lines,
        side=side,
        phys_def=rng.choice((1, 2, 3)),
        ess_def=rng.choice((1, 2, 3)),
        dr=rng.choice((0, 0, 1, 2)),
        dodge=dodge if rng.random() < 0.7 else oracle.Dice(),
        center=center if rng.random() < 0.5 else oracle.Dice(),
        vitality=vitality,
        most=vitality + rng.choice((0, 2)),
        shields=rng.choice((0, 0, 1, 3)),
        injuries=int(side == "pc" and rng.random() < 0.4),
        red=rng.choice((0, 1, 2)),
        blue=rng.choice((0, 1, 2)),
        reactions=rng.choice((0, 1, 1, 2)),
        active=(rng.choice((0, 2)), rng.choice((1, 2))) if worn else None,
        abilities=tuple(_ability(rng, name) for name in ("Ward", "Wits")[: rng.choice((0, 1, 2))])
        if rich and rng.random() < few
        else (),
        rerolls=int(effects in {"rerolls", "both"}),
        sweeps=int(effects == "sweeps"),
        focus=(rng.choice((1, 2)),) if effects in {"focus", "both"} else (),
        retaliation=rng.choice((0, 0, 1, 2)),
        conditions=_borne(rng),
    )


def _borne(rng: Random) -> tuple[oracle.Condition, ...]:
    """A Condition to begin with, now and then; it lets the fighter act."""
    found = _condition(rng, "Old")
    return (found._replace(no_actions=False),) if rng.random() < 0.25 else ()


def _dice(rng: Random, *, small: bool) -> oracle.Dice:
    n = rng.choice((1, 1, 2))
    return oracle.Dice(n, rng.choice((2, 3)) if small or n > 1 else 4, rng.choice((-1, 0, 0, 1)))


def _line(rng: Random, name: str, zones: int, *, small: bool) -> oracle.Line:
    n = rng.choice((1, 2))
    sides = rng.choice((2, 3, 4)) if small or n > 1 else rng.choice((4, 6))
    damage = rng.choice((0, 1, 2, 3))
    timings = ("pre_roll", "post_roll", "immediate", "on_hit", "on_damage")
    effect_at = min(sides, rng.choice((0, 0, 2, 3)))
    return oracle.Line(
        name,
        oracle.Dice(n, sides, rng.choice((-1, 0, 0, 1))),
        damage,
        rng.choice((0, 0, 1)),
        essential=rng.random() < 0.3,
        zones=zones,
        aim=rng.choice((0, 1, 2)),
        features=tuple(
            _feature(rng, word, rng.choice(timings))
            for word in ("Barb", "Sting")[: rng.choice((0, 1, 1, 2))]
        ),
        effect_at=effect_at,
        effect_needs_hit=effect_at > 0 and rng.random() < 0.5,
        **(_on_unmodified(rng) if effect_at else {}),
    )


def _on_unmodified(rng: Random) -> dict[str, Any]:
    test = rng.choice(("at_least", "at_least", "exactly", "at_most"))
    effect = rng.choice(((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1)))
    condition = _condition(rng, "Marked") if rng.random() < 0.2 else None
    return {"effect_test": test, "effect": effect, "effect_condition": condition}


def _stage(rng: Random) -> dict[str, Any]:
    """A deck and Stage-end effects, now and then."""
    deck = tuple(_condition(rng, name) for name in ("Arm", "Leg")[: rng.choice((0, 0, 1, 2))])
    ends = tuple(_stage_end(rng) for _ in range(rng.choice((0, 0, 1, 2))))
    return {"deck": deck, "stage_end": ends}


def _stage_end(rng: Random) -> oracle.StageEnd:
    what = rng.choice(("vitality", "injuries", "loses", "gains", "cures", "condition"))
    values = {"cures": True, "condition": _condition(rng, "Spent")}
    return oracle.StageEnd(**{what: values.get(what, rng.choice((1, 2)))})  # type: ignore[arg-type]


def _feature(rng: Random, name: str, timing: Any) -> oracle.Feature:
    cost: dict[str, Any] = rng.choice(({"red": 1}, {"red": 2}, {"blue": 1}, {}))
    early = ("each_die", "damage", "piercing", "rerolls", "focus", "condition")
    late = {"on_hit": ("damage", "piercing", "condition"), "on_damage": ("condition",)}
    what = rng.choice(late.get(timing, early))
    return oracle.Feature(name, timing=timing, **cost, **_effect(rng, name, what))


def _ability(rng: Random, name: str) -> oracle.Feature:
    cost: dict[str, Any] = rng.choice(({"red": 1}, {"blue": 1}, {}))
    answers = ("each_die", "rerolls", "focus", "defence", "dr", "shields", "condition")
    early = ("each_die", "damage", "piercing", "rerolls", "focus", "condition", "shields")
    late = {"on_hit": ("damage", "piercing", "condition"), "on_damage": ("condition",),
            "pre_roll": early}  # fmt: skip
    timing: Any = rng.choice(("immediate", "immediate", "post_roll", "post_roll", *late))
    what = rng.choice(late.get(timing, answers))
    both = timing in {"immediate", "post_roll"} and what not in {"defence", "dr"}
    roles: Any = ("either", "attacker", "defender") if both else ("either",)
    return oracle.Feature(
        name, timing=timing, role=rng.choice(roles), **cost, **_effect(rng, name, what)
    )


def _effect(rng: Random, name: str, what: str) -> dict[str, Any]:
    if what == "focus":
        return {"focus": (rng.choice((1, 2)),)}
    return {what: _condition(rng, f"{name}ed") if what == "condition" else rng.choice((1, 1, 2))}


def _condition(rng: Random, name: str) -> oracle.Condition:
    number = rng.choice(("each_die", "phys_def", "ess_def", "dr", "none"))
    changes: dict[str, Any] = {} if number == "none" else {number: rng.choice((-1, -1, 1))}
    ban = rng.choice(("none", "none", "no_reactions", "no_actions"))
    bans: dict[str, Any] = {} if ban == "none" else {ban: True}
    return oracle.Condition(name, turns=rng.choice((0, 1, 2)), **changes, **bans)


# ------------------------------------------------------------------ the same on our sheets


def setup_of(scene: oracle.Scene) -> Setup:
    pcs = "pc" in {scene.attacker.side, scene.defender.side}
    state: Literal["carried", "none"] = "carried" if scene.others_injured else "none"
    return Setup(
        attacker=_sheet(scene.attacker, "A"),
        defender=_sheet(scene.defender, "B"),
        attacks=scene.attacks,
        distance_zones=scene.zones,
        hostile_in_own_zone=scene.hostile[0],
        hostile_near_defender=scene.hostile[1],
        new_turn=scene.new_turn,
        turn_between=scene.turn_between,
        other_pcs=(state,) if pcs else (),
        injury_deck=tuple(map(_suffered, scene.deck)),
        stage_end=tuple(_stage_effect(n, one) for n, one in enumerate(scene.stage_end)),
    )


def _stage_effect(number: int, one: oracle.StageEnd) -> StageEffect:
    return StageEffect(
        name=f"end-{number}",
        vitality=one.vitality,
        injuries=one.injuries,
        loses=Cubes(red=one.loses),
        gains=Cubes(red=one.gains),
        cures=one.cures,
        condition=_suffered(one.condition) if one.condition else None,
    )


def _sheet(one: oracle.Fighter, name: str) -> Fighter:
    stats: dict[str, Any] = {
        "phys_def": one.phys_def, "ess_def": one.ess_def, "dr": one.dr,
        "dodge": _printed(one.dodge), "center": _printed(one.center),
    }  # fmt: skip
    if one.active:
        active = Active(reactions=one.active[0], dr=one.active[1])
        stats = {"armor": Armor(active=active, **stats)}
    return Fighter(
        name=name, side=one.side, vitality=one.vitality, vitality_max=one.most,
        shields=one.shields, injuries=one.injuries, cubes=Cubes(red=one.red, blue=one.blue),
        reactions=one.reactions, rerolls=one.rerolls, sweeps=one.sweeps, focus=one.focus,
        abilities=tuple(map(_same, one.abilities)), retaliation=one.retaliation,
        conditions=tuple(map(_suffered, one.conditions)),
        attacks=tuple(
            Weapon(
                name=line.name, kind="essential" if line.essential else "physical",
                reach="ranged" if line.zones else "melee", range_zones=line.zones,
                dice=_printed(line.dice), damage=line.damage, piercing=line.piercing,
                aim=line.aim, features=tuple(map(_same, line.features)),
                unmodified=line.effect_at,
                unmodified_must_hit=line.effect_needs_hit, unmodified_test=line.effect_test,
                unmodified_effect=_unmodified(line),
            )
            for line in one.lines
        ),
        **stats,
    )  # fmt: skip


def _printed(dice: oracle.Dice) -> str:
    return f"{dice.n}D{dice.sides}" + (f"{dice.each:+d}" if dice.each else "") if dice.n else ""


def _same(one: oracle.Feature) -> Feature:
    names = ("timing", "role", "each_die", "damage", "piercing", "rerolls", "sweeps", "focus",
             "defence", "dr", "shields", "condition")  # fmt: skip
    cost = Cubes(red=one.red, blue=one.blue)
    values = {name: getattr(one, name) for name in names}
    values["condition"] = _suffered(one.condition) if one.condition else None
    return Feature(name=one.name, cost=cost, **values)


def _unmodified(line: oracle.Line) -> Unmodified | None:
    damage, piercing, shields = line.effect
    if not (damage or piercing or shields or line.effect_condition):
        return None
    condition = _suffered(line.effect_condition) if line.effect_condition else None
    return Unmodified(damage=damage, piercing=piercing, shields=shields, condition=condition)


def _suffered(one: oracle.Condition) -> Affliction:
    return Affliction(**one._asdict())


def picks(scene: oracle.Scene) -> dict[str, str]:
    return {name: getattr(scene.readings, name) for name in READINGS}


# ------------------------------------------------------------------ what is compared


@pytest.mark.parametrize("seed", VALUES)
def test_ee30_both_at_their_best_have_the_value_of_brute_force(seed: int) -> None:
    scene = drawn(seed)
    wish = Random(seed).choice(sorted(oracle.UTILITIES))
    made = game(setup_of(scene), picks(scene))
    assert value(made, wish) == oracle.value(scene, wish), (wish, scene)


@pytest.mark.parametrize("seed", [2030, 2055, 2064])
def test_ee40_the_one_die_with_the_penalty_is_picked_after_all_effects(seed: int) -> None:
    scene = drawn(seed)
    line = replace(scene.attacker.lines[0], zones=1, essential=False)
    dodge = scene.defender.dodge._replace(each=-1)  # it may come to nothing
    scene = replace(
        oracle.replace_reading(scene, crowd="one_die", dodge="all"),
        attacker=replace(scene.attacker, lines=(line,)),
        defender=replace(scene.defender, dodge=dodge, rerolls=1),
        hostile=(1, scene.hostile[1]),
        zones=1,
    )
    made = game(setup_of(scene), picks(scene))
    assert value(made, "damage") == oracle.value(scene, "damage")


def habits(scene: oracle.Scene, rng: Random) -> dict[str, tuple[str, ...]]:
    """Draw options for each step, in order of preference."""
    words = ("Barb", "Sting", "Ward", "Wits")
    bundles = tuple(
        "+".join(some) or "none" for size in range(4, -1, -1) for some in combinations(words, size)
    )
    found: dict[str, tuple[str, ...]] = {
        "activate_armor": rng.choice((("activate", "no"), ("no",))),
        "declare_attack": rng.choice((("line-2", "line-1"), ("line-1", "line-2"))),
        "choose_reaction": rng.choice((("dodge", "none"), ("center", "none"), ("none",))),
        "take_aim": rng.choice((("aim-2", "aim", "no"), ("aim", "no"), ("no",))),
        "offer_counter": rng.choice((("counter", "no"), ("no",))),
        "adjust_attack": ("pass",),
        "adjust_dodge": ("pass",),
        "spread_dodge": ("none",),
    }
    for step in (
        "buy_immediate", "use_abilities", "buy_features", "buy_after_roll", "buy_on_hit",
        "buy_on_damage", "use_after_roll",
    ):  # fmt: skip
        found[step] = bundles if rng.random() < 0.8 else ("none",)
    lines = scene.attacker.lines + scene.defender.lines
    if not any(line.effect_needs_hit for line in lines):
        found["spread_dodge"] = ("stop-2", "stop-1", "none")
    return found


FIELDS = (
    "hits", "regular", "piercing", "damage", "vitality", "shields", "injuries", "on_hit",
    "on_damage", "counter", "unmodified", "downed", "stage_ended", "conditions",
    "counter_damage", "attacker_conditions", "attacker_vitality", "attacker_shields",
    "attacker_injuries", "reactions", "attacker_reactions", "armor_active",
    "attacker_armor_active", "counters", "retaliation", "attacker_out",
    "attacker_red_cubes", "attacker_blue_cubes", "defender_red_cubes", "defender_blue_cubes",
)  # fmt: skip


def named(person: oracle.Person) -> tuple[str, ...]:
    return tuple(one.name for one, _ in person.suffers)


def told(end: oracle.Over) -> tuple[object, ...]:
    (one, other), t = end.people, end.tally
    return (
        t.hits, t.regular, t.piercing, t.damage, other.vitality, other.shields, other.injuries,
        t.hits > 0, t.on_damage, t.counter, t.effects, t.downed, t.stage_ended, named(other),
        t.countered, named(one), one.vitality, one.shields, one.injuries, other.reactions,
        one.reactions, other.active, one.active, t.answers, t.retaliated, one.fallen,
        one.red, one.blue, other.red, other.blue,
    )  # fmt: skip


@pytest.mark.parametrize("seed", SPREADS)
def test_ee43_all_that_comes_of_habits_has_the_chances_of_brute_force(seed: int) -> None:
    scene = drawn(seed)
    if scene.readings.crowd == "one_die":  # which die takes it is named by its value there
        scene = oracle.replace_reading(scene, crowd="each_die")
    kept = habits(scene, Random(seed))
    wanted: dict[tuple[object, ...], Fraction] = {}
    for end, p in oracle.spread(scene, kept).items():
        wanted[told(end)] = wanted.get(told(end), Fraction(0)) + p
    made = game(setup_of(scene), picks(scene))
    settled = made.settle(kept)
    assert exact.outcomes(settled, FIELDS).fractions() == wanted, scene
