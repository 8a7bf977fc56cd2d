"""Agreement with the independent oracle: target numbers, and whole attacks as distributions."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.exchange import best
from affray.systems.eclipse_phase.gear import Ammo, Trait, Weapon
from affray.systems.eclipse_phase.sheet import Setup, Size
from tests.oracles import eclipse_phase as oracle

from .factory import (
    attack_tn,
    blade,
    blow,
    chance,
    defence_tn,
    game,
    joint,
    objective,
    pistol,
    ready,
    shooter,
    shot,
    target,
    victim,
)

FIELDS = ("hit", "critical", "superior", "dv", "net", "wounds", "prone", "knocked_out")
Row = tuple[object, ...]

READINGS = {
    "ties": ("miss", "deadlock", "higher_skill"),
    "critical_doubles": ("total", "dice", "weapon"),
    "piercing_twice": ("once", "quarter"),
    "minus_die": ("remove", "subtract"),
    "half_ammo": ("total", "weapon"),
    "small_half": ("total", "dice"),
    "undefended": ("test", "automatic"),
    "called_critical": ("both", "doubles", "effect"),
    "called_second": ("damage", "lost"),
    "factors": ("once", "each"),
    "low_pain": ("checks", "wounds"),
}


def theirs(
    tn_a: int, tn_d: int | None, attack: oracle.Attack, who: oracle.Target, rulings: oracle.Rulings
) -> dict[Row, Fraction]:
    """The oracle's joint distribution of `FIELDS`, with the collapse at durability beside it."""
    counts: dict[Row, Fraction] = {}
    for o, p in oracle.resolve(tn_a, tn_d, attack, who, rulings=rulings).items():
        total = who.damage + o.net
        falls = o.hit and total >= who.dur
        faints = o.unconscious and total < who.dr
        row = (o.hit, o.critical, o.superior, o.dv, o.net, o.wounds, o.prone or falls, faints)
        counts[row] = counts.get(row, Fraction(0)) + p
    return counts


def agree(seed: int) -> None:
    """One random attack under random readings."""
    draw = Random(seed)
    picks = {
        name: draw.choice(list(rows)) if draw.random() < 0.3 else next(iter(rows))
        for name, rows in READINGS.items()
    }
    traits: tuple[Trait, ...] = ("armor_piercing",) if draw.random() < 0.3 else ()
    small = draw.random() < 0.2
    ammo = Ammo() if small else Ammo(
        d10=draw.choice((0, 0, -1)), d6=draw.choice((0, 0, 1)), half=draw.random() < 0.2,
        traits=traits,
    )  # fmt: skip
    if ammo.d10:  # the oracle takes a lost die from the weapon first and never doubles it
        picks["critical_doubles"] = "total"
        picks["half_ammo"] = "total"
    if small and picks["small_half"] == "dice":  # which of two whole-dice factors comes first?
        picks["critical_doubles"] = "total"
    tn_a, tn_d = draw.randint(-10, 120), draw.choice((None, draw.randint(-20, 100)))
    dice = oracle.DV(draw.choice((0, 1, 2)), draw.choice((0, 1)), draw.randint(1, 8))
    wt, dur, som = draw.randint(2, 12), draw.choice((12, 20, 40)), draw.randint(5, 30)
    held, ignored = draw.randint(0, 3), draw.randint(0, 4)
    who = victim(
        kinetic=draw.randint(0, 12), wound_threshold=wt, durability=dur, som=som,
        damage=draw.choice((0, 5)), wounds=held, ignore_wounds=ignored, fray=0,
        qualities=("medichines",) + ("low_pain_tolerance",) * (draw.random() < 0.2),
        conditions=("unconscious",) * (tn_d is None), size="small" if small else "medium",
    )  # fmt: skip
    burst, bypass = not small and draw.random() < 0.4, draw.random() < 0.3
    weapon: dict[str, Any] = {"d10": dice.d10, "d6": dice.d6, "flat": dice.flat}
    attacker = shooter(guns=0, melee=0, size="small" if small else "medium")
    made = (blow if small else shot)(
        attacker=attacker, defender=who, ammo=ammo,
        weapon=blade(**weapon) if small else pistol(**weapon),
    )  # fmt: skip
    settled = {"choose_called_shot": "bypass" if bypass else "none"}
    if burst:
        settled |= {"choose_mode": "burst", "choose_fire": "damage"}
    made = aimed_at(made, settled, tn_a, tn_d)
    played = game(made, picks, **settled)

    extra = oracle.DV(d10=int(burst), d6=ammo.d6)
    their_attack = oracle.Attack(
        dice,
        oracle.Hurt(extra=extra, minus_d10=-ammo.d10, small=small, half_ammo=ammo.half),
        piercing="armor_piercing" in ammo.traits,
        called="bypass" if bypass else "none",
        wounds_only=True,
    )
    their_target = oracle.Target(
        armor=who.kinetic, wt=wt, dur=dur, dr=oracle.derived_dr(dur), som_check=3 * som,
        damage=who.damage, wounds=held, ignore_wounds=ignored,
        low_pain="low_pain_tolerance" in who.qualities,
        wound_step=20 if "low_pain_tolerance" in who.qualities else 10,
    )  # fmt: skip
    rulings = replace(oracle.BOOK, **picks)  # type: ignore[arg-type]  # as the room calls them
    assert joint(played, *FIELDS) == theirs(tn_a, tn_d, their_attack, their_target, rulings)


def aimed_at(setup: Setup, settled: dict[str, str], tn_a: int, tn_d: int | None) -> Setup:
    """The same attack with skills that give these target numbers."""
    seen = ready(setup, **settled)
    skill = "melee" if setup.weapon is not None and setup.weapon.is_melee else "guns"
    value = tn_a - seen.numbers.tn
    low = min(0, value)
    skilled: dict[str, Any] = {skill: value - low}
    setup = replace(
        setup, attacker=replace(setup.attacker, **skilled), attacker_modifier=max(-60, low)
    )
    if tn_d is None:
        return setup
    gap = tn_d - (seen.targets[0].tn or 0)
    most = 200 if skill == "melee" else 100
    value = max(0, min(most, gap))
    fray = value * (1 if skill == "melee" else 2)
    return replace(
        setup,
        defender=replace(setup.defender, fray=fray),
        defender_modifier=max(-60, min(60, gap - value)),
    )


@pytest.mark.parametrize("block", range(10))
def test_whole_attacks_are_distributed_as_the_oracle_counts(block: int) -> None:
    for seed in range(block * 5, block * 5 + 5):
        agree(seed)


@settings(max_examples=30, deadline=None, derandomize=True, database=None)
@given(st.integers(-70, 160), st.integers(-70, 100))
def test_ep55_any_two_numbers_hit_as_often_as_counted(tn_a: int, tn_d: int) -> None:
    setup = aimed_at(shot(attacker=shooter(guns=0), defender=target(fray=0)), {}, tn_a, tn_d)
    assert (attack_tn(setup), defence_tn(setup)) == (max(-60, tn_a), max(-60, tn_d))
    split = joint(game(setup), "hit", "critical", "superior")
    counted = oracle.strikes(max(-60, tn_a), max(-60, tn_d))
    assert split == {tuple(strike): p for strike, p in counted.items()}


POINTS = [
    (70, 30, "both", "own", ()), (40, 45, "both", "both", ()), (95, 12, "defender", "own", ()),
    (23, 50, "attacker", "both", ("bad_luck",)), (66, 33, "both", "own", ("bad_luck",)),
    (5, 20, "attacker", "own", ()),
]  # fmt: skip


@pytest.mark.parametrize(("tn_a", "tn_d", "side", "reveal", "luck"), POINTS)
def test_ep20_the_best_use_of_points_is_the_oracles(
    tn_a: int, tn_d: int, side: str, reveal: str, luck: tuple[str, ...]
) -> None:
    ours, others = side in {"attacker", "both"}, side in {"defender", "both"}
    setup = shot(
        attacker=shooter(guns=tn_a, flex=int(ours), qualities=luck),
        defender=target(fray=2 * tn_d, flex=int(others)),
    )
    opened = game(setup, {"reveal": reveal}, "spend_after_attack", "spend_after_defence")
    uses: tuple[oracle.PoolUse, ...] = ("keep", "upgrade", "downgrade")
    uses = uses if luck else (*uses, "flip")
    played = oracle.pool_play(
        tn_a, tn_d, attacker=uses if ours else (), defender=oracle.ALL_USES if others else (),
        reveal=reveal,  # type: ignore[arg-type]  # one of two words
    )  # fmt: skip
    assert best.solve(opened, objective("hit")).value == played.value


@pytest.mark.parametrize(("tn_a", "tn_d"), [(60, (30, 30)), (80, (10, 60)), (40, (-5, 0))])
def test_ep71_two_targets_under_one_roll(tn_a: int, tn_d: tuple[int, int]) -> None:
    first, second = (
        victim(fray=2 * max(0, tn), wound_threshold=5, kinetic=4 + tn % 3, durability=200)
        for tn in tn_d
    )
    setup = shot(attacker=shooter(guns=tn_a), defender=first, others=(second,),
                 weapon=pistol(d10=1, d6=1))  # fmt: skip
    spread = game(setup, choose_mode="burst", choose_fire="spread")
    their = [
        (
            max(0, tn),
            oracle.Attack(oracle.DV(1, 1)),
            oracle.Target(armor=who.kinetic, wt=5, dur=200, dr=300, som_check=60),
        )
        for tn, who in zip(tn_d, (first, second), strict=True)
    ]
    counted = oracle.resolve_several(tn_a, their, lambda o: (o.hit, o.net, o.wounds))
    ours = joint(spread, "hit", "net", "wounds", "hit_2", "net_2", "wounds_2")
    assert ours == {(*one, *two): p for (one, two), p in counted.items()}


@pytest.mark.parametrize("perceive", [None, 20, 50, 99])
def test_ep101_blind_attacks(perceive: int | None) -> None:
    dark = shot(vision="blind", attacker=shooter(perceive=perceive or 50))
    searching = game(dark, search_target="shoot" if perceive is None else "perceive")
    assert chance(searching, "hit") == oracle.p_hit_blind(40, 30, perceive=perceive)


# -- target numbers --------------------------------------------------------------------------

SIZES: tuple[Size, ...] = ("very_small", "small", "medium", "large", "very_large")
MODES = {"single": "SS", "semi": "SA", "burst": "BF", "auto": "FA"}
FIRE = {"hit": "to_hit", "damage": "damage", "suppress": "suppressive"}


def circumstances(draw: Random) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Facts for any attack: of the setup, of both sides, and as the oracle knows them."""
    yes = {name: draw.random() < 0.25 for name in ("wrong", "one", "fixed", "two", "prone")}
    harm_a = {name: draw.randint(0, 3) for name in ("wounds", "traumas", "ignore_wounds")}
    harm_d = {name: draw.randint(0, 3) for name in ("wounds", "traumas", "ignore_wounds")}
    size_a, size_d = draw.choice(SIZES), draw.choice(SIZES)
    setup = {
        "superior": draw.choice(("none", "attacker", "defender", "both")),
        "vision": draw.choice(("clear", "minor", "major", "blind")),
        "defender_vision": draw.choice(("clear", "minor", "major")),
        "wrong_size": yes["wrong"], "one_handed": yes["one"],
        "carried": yes["fixed"], "attacker_modifier": draw.choice((0, 0, 10, -30)),
        "defender_modifier": draw.choice((0, 0, 20, -10)),
    }  # fmt: skip
    sides: dict[str, Any] = {
        "attacker": shooter(
            size=size_a, conditions=("stunned",) * (draw.random() < 0.2), **harm_a
        ),
        "defender": target(
            size=size_d, full_defense=draw.random() < 0.3, was_aggressive=draw.random() < 0.3,
            moved_full=draw.random() < 0.3,
            conditions=("prone",) * yes["prone"] + ("stunned",) * (draw.random() < 0.2), **harm_d,
        ),
        "traits": ("two_handed",) * yes["two"] + ("fixed",) * yes["fixed"],
    }  # fmt: skip
    known = {
        **{f"{name}_a": n for name, n in harm_a.items()},
        **{f"{name}_d": n for name, n in harm_d.items()},
        "size_a": size_a, "size_d": size_d, "superior_position": setup["superior"],
        "sight_a": setup["vision"], "sight_d": setup["defender_vision"],
        "wrong_size_gear": yes["wrong"], "two_handed_in_one": (yes["two"] or yes["fixed"])
        and yes["one"], "fixed_carried": yes["fixed"], "gm_a": setup["attacker_modifier"],
        "gm_d": setup["defender_modifier"], "prone_d": yes["prone"],
        "full_defence": sides["defender"].full_defense,
        "was_aggressive": sides["defender"].was_aggressive,
        "moved_full_d": sides["defender"].moved_full,
        "stunned_a": "stunned" in sides["attacker"].conditions,
        "stunned_d": "stunned" in sides["defender"].conditions,
    }  # fmt: skip
    return setup, sides, known


NUMBER_READINGS = {
    "wound_cap": ("inside", "outside"),
    "prone_superior": ("once", "stack"),
    "move_fray": ("attack", "both"),
    "aggressive_parry": ("fray", "all"),
    "short_rating": ("close", "beyond"),
    "steady": ("penalties", "all", "to_hit"),
    "athletics": ("halved", "full"),
}


def readings(draw: Random) -> tuple[dict[str, str], oracle.Rulings]:
    picks = {name: draw.choice(list(rows)) for name, rows in NUMBER_READINGS.items()}
    return picks, replace(oracle.BOOK, **picks)  # type: ignore[arg-type]  # as the room calls them


@pytest.mark.parametrize("block", range(5))
def test_ep49_shots_have_the_numbers_of_the_oracle(block: int) -> None:
    draw = Random(block)
    for _ in range(40):
        changes, sides, known = circumstances(draw)
        picks, rulings = readings(draw)
        mode = draw.choice(list(MODES))
        fire = draw.choice(list(FIRE)) if mode in {"burst", "auto"} else ""
        fire = "hit" if fire == "suppress" and mode == "burst" else fire
        aim = draw.choice(("none", "quick", "complex")) if not fire else "none"
        form = draw.choice(("kinetic", "railgun", "beam", "seeker"))
        traits = tuple(draw.sample(("long", "steady", "cone"), draw.randint(0, 2)))
        flag = {name: draw.random() < 0.3 for name in ("cover", "melee", "hidden", "blind", "mark")}
        distance = draw.choice((1, 2, 8, 10, 11, 50, 51, 100, 170))
        gravity, vacuum, rating = (
            draw.choice((1, 1, 0, 2)),
            draw.random() < 0.3,
            draw.choice((5, 50)),
        )
        setup = shot(
            **changes, attacker=sides["attacker"], defender=sides["defender"], aim=aim,
            weapon=pistol(form=form, traits=(*traits, *sides["traits"]), range_m=rating),
            distance_m=distance, gravity=gravity, vacuum=vacuum, attacker_cover=flag["cover"],
            in_melee=flag["melee"], hidden=flag["hidden"], indirect=flag["blind"],
            painted=flag["mark"], cover=draw.choice(("none", "minor", "moderate", "major")),
            movement=draw.choice(("none", "base", "full", "rush")), smartlink=draw.random() < 0.7,
            earlier_attacks=draw.choice((0, 0, 1)),
        )  # fmt: skip
        situation: Any = {
            **known, "kind": "ranged", "distance": distance, "rating": rating,
            "weapon_class": form, "cone": "cone" in traits, "long": "long" in traits,
            "steady": "steady" in traits, "gravity": gravity, "vacuum": vacuum,
            "mode": MODES[mode], "option": FIRE.get(fire, "single"), "aim": aim,
            "attacker_cover": flag["cover"], "cover": setup.cover, "hidden": flag["hidden"],
            "in_melee": flag["melee"], "no_smartlink": not setup.smartlink,
            "nth_weapon": setup.earlier_attacks, "indirect": flag["blind"],
            "painted_seeker": flag["mark"] and form == "seeker", "move": setup.movement,
        }  # fmt: skip
        settled = {"choose_mode": mode} | ({"choose_fire": fire} if fire else {})
        mods = oracle.attacker_modifiers(situation, rulings=rulings)
        if fire == "suppress":  # traumas count with wounds here
            traumas = oracle.wound_modifier(known["traumas_a"])
            mods = [*mods, ("traumas", traumas)]
        assert attack_tn(setup, picks, **settled) == oracle.target_number(70, mods, rulings=rulings)
        for skill in ("fray", *(("athletics",) if setup.defender.full_defense else ())):
            half = (
                oracle.ranged_fray(60)
                if skill == "fray"
                else oracle.ranged_athletics(60, rulings=rulings)
            )
            defending: Any = {**situation, "defence": skill}
            mods = oracle.defender_modifiers(defending, rulings=rulings)
            expected = oracle.target_number(half, mods, rulings=rulings)
            assert defence_tn(setup, picks, **settled, choose_defence=skill) == expected


@pytest.mark.parametrize("block", range(5))
def test_ep137_psi_has_the_numbers_of_the_oracle(block: int) -> None:
    draw = Random(200 + block)
    for _ in range(40):
        changes, sides, known = circumstances(draw)
        picks, rulings = readings(draw)
        distance, hidden = draw.choice((0, 2, 3, 10, 10.5, 12, 13, 40)), draw.random() < 0.3
        cyber = draw.random() < 0.3
        who = replace(sides["defender"], qualities=("cyberbrain",) * cyber)
        weapon = Weapon(name="stab", form="psi", skill="psi", d10=2, traits=sides["traits"])
        setup = shot(**changes, attacker=sides["attacker"], defender=who, weapon=weapon,
                     distance_m=distance, hidden=hidden,
                     cover=draw.choice(("none", "minor", "moderate", "major")))  # fmt: skip
        situation: Any = {
            **known, "kind": "psi", "distance": Fraction(distance), "cover": setup.cover,
            "hidden": hidden, "cyberbrain_d": cyber, "defence": "wil",
        }  # fmt: skip
        mods = oracle.attacker_modifiers(situation, rulings=rulings)
        assert attack_tn(setup, picks) == oracle.target_number(70, mods, rulings=rulings)
        mods = oracle.defender_modifiers(situation, rulings=rulings)
        assert defence_tn(setup, picks) == oracle.target_number(45, mods, rulings=rulings)


@pytest.mark.parametrize("block", range(5))
def test_ep49_blows_have_the_numbers_of_the_oracle(block: int) -> None:
    draw = Random(100 + block)
    for _ in range(40):
        changes, sides, known = circumstances(draw)
        picks, rulings = readings(draw)
        style = draw.choice(("plain", "hit", "damage"))
        reach_a, reach_d = draw.choice((0, 10, 20)), draw.choice((0, 0, 10, 20))
        if known["size_a"] != known["size_d"]:  # who has both is clear; mixed cases are a ruling
            reach_a = reach_d = 0
        touch = draw.random() < 0.3
        armed = replace(
            sides["defender"], weapons=(blade(reach=reach_d),), extra_weapons=draw.choice((0, 2, 5))
        )
        movement = draw.choice(("none", "full", "charge"))
        weapon = blade(reach=reach_a, traits=("touch_only", *sides["traits"]))
        setup = blow(**changes, attacker=sides["attacker"], defender=armed, weapon=weapon,
                     movement=movement)  # fmt: skip
        situation: Any = {
            **known, "kind": "melee", "aggressive": "none" if style == "plain" else style,
            "charge": movement == "charge", "move": "full" if movement == "charge" else movement,
            "reach_a": reach_a, "reach_d": reach_d, "touch_only": touch,
            "extra_weapons_d": armed.extra_weapons,
        }  # fmt: skip
        settled = {"choose_style": style, "choose_touch": "touch" if touch else "strike"}
        mods = oracle.attacker_modifiers(situation, rulings=rulings)
        expected = oracle.target_number(70, mods, rulings=rulings)
        assert attack_tn(setup, picks, **settled) == expected
        for skill, value in (("fray", 60), ("melee", 50)):
            defending: Any = {**situation, "defence": skill}
            mods = oracle.defender_modifiers(defending, rulings=rulings)
            expected = oracle.target_number(value, mods, rulings=rulings)
            assert defence_tn(setup, picks, **settled, choose_defence=skill) == expected
