"""Every row of the modifier tables, once set and once not: general, ranged, melee, defense."""

from typing import Any

import pytest

from affray.core.modifier import Modifier, Total
from affray.core.sheet import replace
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.gear import Ammo, Armor, Weapon
from affray.systems.eclipse_phase.sheet import Setup

from .factory import attack_tn, blade, blow, defence_tn, game, pistol, ready, shooter, shot, target

PSI = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")
BOTH = ("shot", "blow")


def made(kind: str, **changes: Any) -> Setup:
    if kind == "psi":
        return shot(weapon=PSI, **changes)
    return shot(**changes) if kind == "shot" else blow(**changes)


def test_ep49_without_circumstances_nothing_modifies() -> None:
    assert (attack_tn(shot()), defence_tn(shot())) == (70, 30)
    assert (attack_tn(blow()), defence_tn(blow())) == (70, 60)
    assert (attack_tn(shot(weapon=PSI)), defence_tn(shot(weapon=PSI))) == (70, 45)


HARM = {"wounds": 2, "traumas": 1, "vigor": 2, "insight": 1, "moxie": 1, "threat": 3, "flex": 1}


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("harm", HARM)
def test_ep50_either_roll_knows_only_its_own_harm_and_points(kind: str, harm: str) -> None:
    """In whatever order attacks are asked for: what is remembered of one holds for the other."""
    sound = made(kind)
    changes: dict[str, Any] = {harm: HARM[harm]}
    hurt = (
        replace(sound, attacker=replace(sound.attacker, **changes)),
        replace(sound, defender=replace(sound.defender, **changes)),
    )
    plain = ready(sound)
    attacker, defender = map(ready, hurt)
    assert attacker.targets == plain.targets
    assert defender.attack == plain.attack
    assert attacker.attack != plain.attack
    assert defender.targets != plain.targets
    if harm in {"wounds", "traumas"}:
        lost = 10 * HARM[harm]
        assert attack_tn(sound) - attack_tn(hurt[0]) == lost
        assert (defence_tn(sound) or 0) - (defence_tn(hurt[1]) or 0) == lost


# -- for every attack (T-GEN) ----------------------------------------------------------------


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(
    ("movement", "modifier"), [("none", 0), ("base", 0), ("full", -20), ("rush", -20)]
)
def test_ep98_a_full_move_costs_20(kind: str, movement: str, modifier: int) -> None:
    assert attack_tn(made(kind, movement=movement)) == 70 + modifier
    assert defence_tn(made(kind, movement=movement)) == defence_tn(made(kind))


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(
    ("who", "attack", "defense"),
    [("none", 0, 0), ("attacker", 20, 0), ("defender", 0, 20), ("both", 20, 20)],
)
def test_ep98_superior_position_adds_20(kind: str, who: str, attack: int, defense: int) -> None:
    assert attack_tn(made(kind, superior=who)) == 70 + attack
    assert defence_tn(made(kind, superior=who)) == (30 if kind == "shot" else 60) + defense


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("side", ["vision", "defender_vision"])
@pytest.mark.parametrize(("sight", "modifier"), [("clear", 0), ("minor", -10), ("major", -20)])
def test_ep98_visibility_counts_for_who_sees_badly(
    kind: str, side: str, sight: str, modifier: int
) -> None:
    setup = made(kind, **{side: sight})
    mine, theirs = (modifier, 0) if side == "vision" else (0, modifier)
    assert attack_tn(setup) == 70 + mine
    assert defence_tn(setup) == (30 if kind == "shot" else 60) + theirs


def test_ep51_the_general_table_serves_the_defender() -> None:
    assert defence_tn(blow(superior="defender")) == 80
    assert defence_tn(blow(defender_vision="major")) == 40
    assert defence_tn(blow(defender=target(wounds=2))) == 40


@pytest.mark.parametrize("kind", [*BOTH, "psi"])
@pytest.mark.parametrize(
    ("harm", "modifier"),
    [
        ({}, 0), ({"wounds": 1}, -10), ({"traumas": 1}, -10), ({"wounds": 2, "traumas": 1}, -30),
        ({"wounds": 3, "ignore_wounds": 1}, -20), ({"wounds": 1, "ignore_wounds": 3}, 0),
        ({"traumas": 2, "ignore_wounds": 2}, -20), ({"traumas": 2, "ignore_traumas": 1}, -10),
        ({"wounds": 7}, -60),
    ],
)  # fmt: skip
def test_ep50_each_wound_and_trauma_costs_10(
    kind: str, harm: dict[str, int], modifier: int
) -> None:
    own = {"shot": 30, "blow": 60, "psi": 45}[kind]
    assert attack_tn(made(kind, attacker=shooter(**harm))) == 70 + modifier
    assert defence_tn(made(kind, defender=target(**harm))) == own + modifier
    assert attack_tn(made(kind, defender=target(**harm))) == 70


@pytest.mark.parametrize(("ignored", "modifier"), [(0, -50), (3, -20), (4, -20), (5, -20)])
def test_ep109_no_more_than_three_are_ignored(ignored: int, modifier: int) -> None:
    assert attack_tn(shot(attacker=shooter(wounds=5, ignore_wounds=ignored))) == 70 + modifier


@pytest.mark.parametrize("kind", BOTH)
def test_ep109_low_pain_tolerance_doubles_the_modifier(kind: str) -> None:
    weak = {"wounds": 2, "traumas": 1, "qualities": ("low_pain_tolerance",)}
    assert attack_tn(made(kind, attacker=shooter(**weak))) == 70 - 50
    assert attack_tn(made(kind, attacker=shooter(qualities=("low_pain_tolerance",)))) == 70


@pytest.mark.parametrize("kind", BOTH)
def test_ep99_a_called_shot_costs_10(kind: str) -> None:
    for called in ("bypass", "disarm", "knockdown", "redirect", "specific"):
        assert attack_tn(made(kind), choose_called_shot=called) == 60
    assert attack_tn(made(kind), choose_called_shot="none") == 70


@pytest.mark.parametrize(
    ("traits", "one_handed", "size", "modifier"),
    [
        (("two_handed",), True, "medium", -20), (("two_handed",), False, "medium", 0),
        ((), True, "medium", 0), (("two_handed",), True, "large", 0),
        (("two_handed",), True, "very_large", 0), (("two_handed",), True, "small", -20),
    ],
)  # fmt: skip
def test_ep96_a_two_handed_weapon_in_one_hand(
    traits: tuple[str, ...], one_handed: bool, size: str, modifier: int
) -> None:
    setup = shot(weapon=pistol(traits=traits), attacker=shooter(size=size), one_handed=one_handed)
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize(
    ("traits", "carried", "one_handed", "modifier"),
    [
        (("fixed",), True, False, -20), (("fixed",), False, False, 0), ((), True, False, 0),
        (("fixed",), True, True, -40), (("fixed",), False, True, 0),
    ],
)  # fmt: skip
def test_ep96_a_fixed_weapon_carried(
    traits: tuple[str, ...], carried: bool, one_handed: bool, modifier: int
) -> None:
    setup = shot(weapon=pistol(traits=traits), carried=carried, one_handed=one_handed)
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize("kind", [*BOTH, "psi"])
@pytest.mark.parametrize(
    ("size", "modifier"),
    [("very_small", -30), ("small", -10), ("medium", 0), ("large", 10), ("very_large", 30)],
)
def test_ep141_the_size_of_the_target(kind: str, size: str, modifier: int) -> None:
    # An attacker of the same size, so that reach stays out of it.
    setup = made(kind, defender=target(size=size), attacker=shooter(size=size))
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(("wrong", "modifier"), [(True, -20), (False, 0)])
def test_ep142_gear_of_the_wrong_size(kind: str, wrong: bool, modifier: int) -> None:
    assert attack_tn(made(kind, wrong_size=wrong)) == 70 + modifier


@pytest.mark.parametrize("kind", BOTH)
def test_ep101_who_attacks_blind_is_at_minus_30(kind: str) -> None:
    assert attack_tn(made(kind, vision="blind")) == 40


# -- ranged (T-RANGED) -----------------------------------------------------------------------

LONG = pistol(traits=("long",))
RANGED: dict[str, tuple[dict[str, Any], dict[str, str], int]] = {
    "no aim": ({"aim": "none"}, {}, 0),
    "quick aim": ({"aim": "quick"}, {}, 10),
    "complex aim": ({"aim": "complex"}, {}, 30),
    "fired from cover": ({"attacker_cover": True}, {}, -10),
    "second weapon": ({"earlier_attacks": 1}, {}, -20),
    "third weapon": ({"earlier_attacks": 2}, {}, -40),
    "in melee": ({"in_melee": True}, {}, -10),
    "in melee, long": ({"in_melee": True, "weapon": LONG}, {}, -30),
    "long, not in melee": ({"weapon": LONG}, {}, 0),
    "no smartlink": ({"smartlink": False}, {}, -10),
    "lacks smartlink": ({"weapon": pistol(traits=("lacks_smartlink",))}, {}, -10),
    "lacks it either way": (
        {"smartlink": False, "weapon": pistol(traits=("lacks_smartlink",))}, {}, -10,
    ),
    "minor cover": ({"cover": "minor"}, {}, -10),
    "moderate cover": ({"cover": "moderate"}, {}, -20),
    "major cover": ({"cover": "major"}, {}, -30),
    "hidden": ({"hidden": True}, {}, -30),
    "prone at 10 m": ({"defender": target(conditions=("prone",))}, {}, -10),
    "prone at 9.9 m": ({"defender": target(conditions=("prone",)), "distance_m": 9.9}, {}, 0),
    "prone at 50 m": ({"defender": target(conditions=("prone",)), "distance_m": 50}, {}, -20),
    "standing at 50 m": ({"distance_m": 50}, {}, -10),
    "single": ({}, {"choose_mode": "single"}, 0),
    "burst for accuracy": ({}, {"choose_mode": "burst", "choose_fire": "hit"}, 10),
    "burst for damage": ({}, {"choose_mode": "burst", "choose_fire": "damage"}, 0),
    "auto for accuracy": ({}, {"choose_mode": "auto", "choose_fire": "hit"}, 30),
    "auto for damage": ({}, {"choose_mode": "auto", "choose_fire": "damage"}, 0),
    "indirect": ({"indirect": True}, {}, -20),
    "painted, but no seeker": ({"indirect": True, "painted": True}, {}, -20),
    "painted, but seen": ({"painted": True}, {}, 0),
    "homing after an aim": (
        {"homing": True, "aim": "quick", "ammo": Ammo(name="homing", homing=True)}, {}, 20,
    ),
    "homing rounds at first sight": ({"ammo": Ammo(name="homing", homing=True)}, {}, 0),
    "no homing rounds": ({"homing": True}, {}, 0),
}  # fmt: skip


@pytest.mark.parametrize("row", RANGED)
def test_ep77_the_ranged_table(row: str) -> None:
    changes, settled, modifier = RANGED[row]
    assert attack_tn(shot(**changes), **settled) == 70 + modifier


@pytest.mark.parametrize(
    "changes",
    [
        {"aim": "complex"}, {"attacker_cover": True}, {"earlier_attacks": 2}, {"in_melee": True},
        {"smartlink": False}, {"cover": "major"}, {"hidden": True}, {"indirect": True},
        {"distance_m": 2}, {"homing": True},
    ],
)  # fmt: skip
def test_ep77_means_nothing_in_melee(changes: dict[str, Any]) -> None:
    assert attack_tn(blow(**changes)) == 70


@pytest.mark.parametrize(("prone", "modifier"), [(True, -10), (False, 0)])
def test_ep97_prone_counts_for_the_one_who_lies(prone: bool, modifier: int) -> None:
    second = target(name="second", conditions=("prone",) * prone)
    setup = shot(others=(second,))
    spread = {"choose_mode": "burst", "choose_fire": "spread"}
    assert attack_tn(setup, **spread) == 70
    assert ready(setup, None, **spread).targets[1].shift == modifier


# -- psi ------------------------------------------------------------------------------------

PSI_ROWS: dict[str, tuple[dict[str, Any], int]] = {
    "at 0 m": ({"distance_m": 0}, 10),
    "at 2 m": ({"distance_m": 2}, 10),
    "at 2.1 m": ({"distance_m": 2.1}, 0),
    "at 10 m": ({"distance_m": 10}, 0),
    "at 10.1 m": ({"distance_m": 10.1}, -10),
    "at 12 m": ({"distance_m": 12}, -10),
    "at 12.1 m": ({"distance_m": 12.1}, -20),
    "at 14 m": ({"distance_m": 14}, -20),
    "at 15 m": ({"distance_m": 15}, -30),
    "moderate cover": ({"cover": "moderate"}, -20),
    "hidden": ({"hidden": True}, -30),
    "a cyberbrain": ({"defender": target(qualities=("cyberbrain",))}, -30),
    "no smartlink, an aim": ({"smartlink": False, "aim": "complex"}, 0),
}


@pytest.mark.parametrize("row", PSI_ROWS)
def test_ep137_what_modifies_psi(row: str) -> None:
    changes, modifier = PSI_ROWS[row]
    assert attack_tn(shot(weapon=PSI, **changes)) == 70 + modifier


# -- melee (T-MELEE) -------------------------------------------------------------------------

PRONE = target(conditions=("prone",))
TOUCHY = blade(traits=("touch_only",))
MELEE: dict[str, tuple[dict[str, Any], dict[str, str], int]] = {
    "plain": ({}, {}, 0),
    "aggressive for accuracy": ({}, {"choose_style": "hit"}, 10),
    "aggressive for damage": ({}, {"choose_style": "damage"}, 0),
    "charge instead of a full move": ({"movement": "charge"}, {}, -10),
    "two opponents": ({"others": (target(),)}, {}, -20),
    "three opponents": ({"others": (target(), target())}, {}, -40),
    "extra weapons": ({"extra_weapons": 2}, {}, 0),
    "reach": ({"weapon": blade(reach=10)}, {}, 10),
    "long reach": ({"weapon": blade(reach=20)}, {}, 20),
    "equal reach": (
        {"weapon": blade(reach=10), "defender": target(weapons=(blade(reach=10),))}, {}, 0,
    ),
    "outreached": (
        {"weapon": blade(reach=10), "defender": target(weapons=(blade(reach=20),))}, {}, 0,
    ),
    "one size larger": ({"attacker": shooter(size="large")}, {}, 10),
    "size and reach": ({"attacker": shooter(size="large"), "weapon": blade(reach=10)}, {}, 20),
    "reach is 30 at most": (
        {"attacker": shooter(size="very_large"), "weapon": blade(reach=20)}, {}, 30,
    ),
    "touch": ({"weapon": TOUCHY}, {"choose_touch": "touch"}, 20),
    "touch forgone": ({"weapon": TOUCHY}, {"choose_touch": "strike"}, 0),
    "over a prone foe": ({"defender": PRONE}, {}, 20),
    "both prone": ({"defender": PRONE, "attacker": shooter(conditions=("prone",))}, {}, 0),
    "prone and superior": ({"defender": PRONE, "superior": "attacker"}, {}, 20),
}  # fmt: skip


@pytest.mark.parametrize("row", MELEE)
def test_ep86_the_melee_table(row: str) -> None:
    changes, settled, modifier = MELEE[row]
    assert attack_tn(blow(**changes), **settled) == 70 + modifier


@pytest.mark.parametrize(
    "changes",
    [
        {"extra_weapons": 3}, {"defender": target(conditions=("prone",))},
        {"attacker": shooter(size="very_large")},
    ],
)  # fmt: skip
def test_ep86_means_nothing_to_a_shot(changes: dict[str, Any]) -> None:
    assert attack_tn(shot(**{"distance_m": 5, **changes})) == 70


# -- defense (T-DEF, T-COND) -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "fray", "melee", "half"),
    [
        ({}, 60, 50, 30),
        ({"full_defense": True}, 90, 80, 60),
        ({"was_aggressive": True}, 50, 50, 20),
        ({"conditions": ("blinded",)}, 30, 20, 0),
        ({"conditions": ("stunned",)}, 30, 20, 0),
        ({"conditions": ("prone",)}, 60, 50, 30),
        ({"extra_weapons": 1}, 70, 60, 30),
        ({"extra_weapons": 3}, 90, 80, 30),
        ({"extra_weapons": 4}, 90, 80, 30),
        ({"weapons": (blade(reach=10),)}, 70, 60, 30),
    ],
)
def test_ep115_what_modifies_a_defence(
    changes: dict[str, Any], fray: int, melee: int, half: int
) -> None:
    who = target(**changes)
    assert defence_tn(blow(defender=who), choose_defence="fray") == fray
    assert defence_tn(blow(defender=who), choose_defence="melee") == melee
    assert defence_tn(shot(defender=who)) == half


def test_ep86_the_larger_defender_has_the_reach() -> None:
    assert defence_tn(blow(defender=target(size="large"))) == 70
    assert defence_tn(blow(defender=target(size="large"), weapon=blade(reach=20))) == 60
    assert defence_tn(blow(attacker=shooter(size="very_small"),
                           defender=target(size="very_large"))) == 90  # fmt: skip


SIZES = ("very_small", "small", "medium", "large", "very_large")


@pytest.mark.parametrize("ours", range(5))
@pytest.mark.parametrize("theirs", range(5))
def test_ep86_each_step_of_size_is_10_up_to_30(ours: int, theirs: int) -> None:
    big, other = shooter(size=SIZES[ours]), target(size=SIZES[theirs])
    seen = {term.label: term.value for term in terms(blow(attacker=big, defender=other))}
    assert seen.get("reach", 0) == min(30, 10 * max(0, ours - theirs))
    reach = min(30, 10 * max(0, theirs - ours))
    assert defence_tn(blow(attacker=big, defender=other)) == 60 + reach


def total(setup: Setup) -> Total:
    """The attacker's target number, itemised."""
    log = Session(game(setup)).log
    return next(line.totals[0] for line in log if line.totals)


def terms(setup: Setup) -> tuple[Modifier, ...]:
    """The attacker's modifiers, itemised."""
    return total(setup).terms


def test_ep6_the_log_says_whether_skill_or_aptitude_is_rolled() -> None:
    assert total(shot()).base == Modifier("Guns", 70, "EP-43")
    green = shooter(guns=None, ref=15)
    assert total(shot(attacker=green)).base == Modifier("Ref (no guns)", 15, "EP-6")


def test_ep49_the_log_itemises_every_modifier() -> None:
    hard = shot(cover="minor", vision="major", aim="quick", attacker=shooter(wounds=1))
    assert {(term.value, term.clause) for term in terms(hard)} == {
        (-10, "EP-77"), (-20, "EP-98"), (10, "EP-73"), (-10, "EP-50"),
    }  # fmt: skip
    assert terms(shot()) == ()


# -- layers of armor -------------------------------------------------------------------------

VEST = Armor(name="vest", energy=4, kinetic=10)
SUIT = Armor(name="suit", energy=8, kinetic=14)
PLATE = Armor(name="plate", energy=2, kinetic=3, layer="bonus")
FRAME = Armor(name="frame", energy=6, kinetic=4, layer="frame")


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(
    ("pieces", "som", "modifier"),
    [
        ((), 15, 0), ((SUIT,), 5, 0), ((SUIT, PLATE, PLATE), 5, 0), ((SUIT, VEST), 24, -20),
        ((SUIT, VEST), 23, -40), ((SUIT, VEST, PLATE), 26, -40), ((SUIT, VEST, PLATE), 27, -20),
        ((FRAME, VEST), 30, -20), ((SUIT, SUIT, VEST), 40, -40), ((FRAME,), 1, 0),
    ],
)  # fmt: skip
def test_ep117_layers_weigh_on_both_sides(
    kind: str, pieces: tuple[Armor, ...], som: int, modifier: int
) -> None:
    loaded = {"pieces": pieces, "som": som}
    assert attack_tn(made(kind, attacker=shooter(**loaded))) == 70 + modifier
    own = 30 if kind == "shot" else 60
    assert defence_tn(made(kind, defender=target(**loaded))) == own + modifier


def test_ep117_the_mind_carries_no_armor() -> None:
    loaded = {"pieces": (SUIT, SUIT), "som": 10}
    setup = shot(weapon=PSI, attacker=shooter(**loaded), defender=target(**loaded))
    assert (attack_tn(setup), defence_tn(setup)) == (70, 45)
