"""Steps 1 and 2: what is declared, who may defend with what, and what is refused."""

import re
from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.gear import Ammo, Exotic, Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup

from .factory import (
    BLADE,
    PISTOL,
    SHOOTER,
    TARGET,
    answered,
    attack_tn,
    blade,
    blow,
    chance,
    defence_tn,
    facts_of,
    game,
    offered,
    pistol,
    question,
    ready,
    shooter,
    shot,
    struck,
    target,
)

SEEKER = Weapon(
    name="seeker", form="seeker", skill="guns", d10=3, modes=("single",), rounds=4, range_m=75,
    traits=("no_close",),
)  # fmt: skip
GRENADE = Weapon(name="grenade", form="thrown", skill="athletics", d10=3)
CHARGE = Weapon(name="charge", form="charge", skill="demolitions", d10=3, armor="energy")
STAB = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")


def with_skill(skill: str) -> Setup:
    skilled: dict[str, Any] = {skill: 55}
    return shot(weapon=pistol(skill=skill), attacker=Combatant(name="a", **skilled))


# -- what is declared ------------------------------------------------------------------------


def test_ep41_an_attack_is_one_opposed_test() -> None:
    session = Session(game(shot()))
    assert (question(session).actor, question(session).ask) == ("attacker", "attack roll")
    session = session.answer((50,))
    assert (question(session).actor, question(session).ask) == ("defender", "defense roll")


def test_ep42_weapon_mode_and_purpose_come_before_any_die() -> None:
    armed = shooter(weapons=(PISTOL, BLADE))
    open_game = game(
        shot(attacker=armed, weapon=None, distance_m=2),
        None,
        "declare_attack",
        "choose_mode",
        "choose_fire",
    )
    session = Session(open_game)
    assert offered(session) == ["pistol", "blade"]
    session = session.answer("pistol")
    assert offered(session) == ["single", "semi", "burst", "auto"]
    session = session.answer("burst")
    assert offered(session) == ["hit", "damage"]
    assert question(session.answer("hit")).dice is not None


@pytest.mark.parametrize("skill", ["guns", "athletics", "demolitions", "interface", "exotic"])
def test_ep43_the_method_decides_the_skill(skill: str) -> None:
    assert attack_tn(with_skill(skill)) == 55
    assert attack_tn(blow(attacker=shooter(melee=45))) == 45


@pytest.mark.parametrize(
    ("skill", "aptitude", "tn"),
    [
        ("guns", "ref", 21), ("athletics", "som", 22), ("demolitions", "cog", 23),
        ("interface", "cog", 23), ("exotic", "som", 22),
    ],
)  # fmt: skip
def test_ep43_and_its_aptitude_without_the_skill(skill: str, aptitude: str, tn: int) -> None:
    raw = Combatant(name="a", ref=21, som=22, cog=23, wil=24, intuition=25)
    assert getattr(raw, aptitude) == tn
    assert attack_tn(shot(weapon=pistol(skill=skill), attacker=raw)) == tn


@pytest.mark.parametrize("distance", [0, 2, 5, 11, 200])
def test_ep43_a_placed_charge_knows_no_range(distance: float) -> None:
    setup = shot(weapon=CHARGE, attacker=shooter(demolitions=60), distance_m=distance)
    assert attack_tn(setup) == 60


# -- who may defend, with what ---------------------------------------------------------------


@pytest.mark.parametrize(
    "condition", ["surprised", "incapacitated", "unconscious", "immobilized", "detached"]
)
def test_ep36_who_cannot_react_has_no_defence(condition: str) -> None:
    helpless = target(conditions=(condition,))
    assert defence_tn(shot(defender=helpless)) is None
    assert struck(game(shot(defender=helpless)), 15, 1, 1).hit


@pytest.mark.parametrize("condition", ["prone", "grappled", "blinded", "stunned"])
def test_ep36_everybody_else_may_defend(condition: str) -> None:
    assert defence_tn(shot(defender=target(conditions=(condition,)))) is not None


def test_ep44_defending_may_be_declined() -> None:
    session = Session(game(shot(), None, "choose_defence"))
    assert offered(session) == ["fray", "none"]
    ended = session.answer("none").answer((20,)).answer((1, 1))
    assert ended.outcome is not None


def test_ep44_each_defender_decides_for_itself() -> None:
    setup = shot(others=(target(name="second"),))
    session = Session(game(setup, None, "choose_defence", choose_mode="burst"))
    assert question(session).actor == "defender"
    session = session.answer("none")
    assert question(session).actor == "defender 2"
    assert [who.tn for who in facts_of(session.answer("fray")).targets] == [None, 30]


def test_ep44_everyone_defends_against_each_attack_anew() -> None:
    setup = shot(others=(target(name="second"), target(name="third")))
    seen = ready(setup, choose_mode="auto", choose_fire="spread")
    assert [who.tn for who in seen.targets] == [30, 30, 30]


def test_ep45_melee_or_fray_at_full_value() -> None:
    session = Session(game(blow(), None, "choose_defence"))
    assert offered(session) == ["fray", "melee", "none"]
    assert defence_tn(blow(), choose_defence="fray") == 60
    assert defence_tn(blow(), choose_defence="melee") == 50


def test_ep45_the_better_defence_stands_first() -> None:
    fighter = target(fray=40, melee=65)
    session = Session(game(blow(defender=fighter), None, "choose_defence"))
    assert offered(session) == ["melee", "fray", "none"]


def test_ep46_half_fray_against_bullets_and_nothing_else() -> None:
    session = Session(game(shot(), None, "choose_defence"))
    assert offered(session) == ["fray", "none"]
    assert defence_tn(shot()) == 30


@pytest.mark.parametrize("weapon", [PISTOL, GRENADE, CHARGE])
def test_ep46_every_attack_from_afar_meets_half_fray(weapon: Weapon) -> None:
    assert defence_tn(shot(weapon=weapon)) == 30


def test_ep46_modifiers_come_after_halving() -> None:
    assert defence_tn(shot(superior="defender")) == 50


def test_ep47_psi_meets_a_wil_check() -> None:
    resisting = target(wil=20)
    assert defence_tn(shot(weapon=STAB, defender=resisting)) == 60
    assert defence_tn(shot(weapon=STAB, defender=target(wil_check=65))) == 65


def test_ep47_and_nothing_else() -> None:
    session = Session(game(shot(weapon=STAB), None, "choose_defence"))
    assert offered(session) == ["wil", "none"]


def test_ep48_full_defense_adds_30() -> None:
    guarded = target(full_defense=True)
    assert defence_tn(blow(defender=guarded)) == 90
    assert defence_tn(blow(defender=guarded), choose_defence="melee") == 80
    assert defence_tn(shot(defender=guarded)) == 60
    assert defence_tn(shot(weapon=STAB, defender=target(full_defense=True, wil=20))) == 90


def test_ep48_athletics_serves_only_on_full_defense() -> None:
    assert "athletics" not in offered(Session(game(blow(), None, "choose_defence")))
    guarded = target(full_defense=True, athletics=75)
    session = Session(game(blow(defender=guarded), None, "choose_defence"))
    assert offered(session) == ["athletics", "fray", "melee", "none"]
    assert defence_tn(blow(defender=guarded), choose_defence="athletics") == 105


def test_ep48_athletics_is_halved_against_bullets_before_the_30() -> None:
    guarded = target(full_defense=True, athletics=75)
    assert defence_tn(shot(defender=guarded), choose_defence="athletics") == 68


def test_ep39_against_no_defence_a_plain_test_is_made() -> None:
    helpless = shot(attacker=shooter(guns=40), defender=target(conditions=("incapacitated",)))
    assert struck(game(helpless), 15, 1, 1).hit
    assert not struck(game(helpless), 41).hit
    assert chance(game(helpless), "hit") * 100 == 41


def test_ep39_a_declined_defence_counts_as_failed() -> None:
    assert chance(game(shot(), choose_defence="none"), "hit") * 100 == 71


# -- refusals --------------------------------------------------------------------------------

REFUSED: dict[str, tuple[Setup, dict[str, str], tuple[str, ...]]] = {
    "empty_magazine": (
        shot(weapon=pistol(rounds=0)), {},
        ("pistol", "single needs 1 round,", "auto needs 10 rounds", "holds 0"),
    ),
    "others_with_single": (
        shot(weapon=pistol(modes=("single", "semi")), others=(TARGET,)), {},
        ("pistol", "single attacks 1 at most", "2 targets"),
    ),
    "burst_at_three": (
        shot(weapon=pistol(modes=("burst",)), others=(TARGET, TARGET)), {},
        ("pistol", "burst attacks 2 at most", "3 targets"),
    ),
    "auto_at_four": (
        shot(weapon=pistol(rounds=19), others=(TARGET, TARGET, TARGET)), {},
        ("pistol", "auto attacks 3 at most", "4 targets"),
    ),
    "quick_aim_with_burst": (
        shot(weapon=pistol(modes=("burst",)), aim="quick"), {},
        ("burst", "quick aim", "only single and semi"),
    ),
    "complex_aim_with_auto": (
        shot(weapon=pistol(modes=("auto",)), aim="complex"), {},
        ("auto", "complex aim", "only single and semi"),
    ),
    "charge_with_a_grenade": (
        shot(weapon=GRENADE, movement="charge"), {}, ("movement", "grenade", "only melee"),
    ),
    "charge_with_a_gun": (
        shot(movement="charge"), {}, ("movement", "pistol", "only melee"),
    ),
    "unconscious_attacker": (
        shot(attacker=shooter(conditions=("unconscious",))), {},
        ("attacker", "shooter", "unconscious"),
    ),
    "incapacitated_attacker": (
        shot(attacker=shooter(conditions=("incapacitated",))), {},
        ("attacker", "shooter", "incapacitated"),
    ),
    "seeker_too_near": (
        shot(weapon=SEEKER, distance_m=10), {}, ("seeker", "10 m", "distance_m", "10 m or less"),
    ),
    "others_with_a_grenade": (
        shot(weapon=GRENADE, others=(TARGET,)), {}, ("others", "grenade", "one target"),
    ),
    "thrown_without_som": (
        shot(weapon=GRENADE, attacker=shooter(som=0), distance_m=11), {},
        ("grenade", "11", "distance_m", "SOM 0", "10 m at most"),
    ),
    "special_rounds_in_a_railgun": (
        shot(weapon=pistol(form="railgun"), ammo=Ammo(name="biter", d6=1)), {},
        ("pistol", "ammo", "biter", "only firearms"),
    ),
    "special_rounds_in_a_blade": (
        blow(ammo=Ammo(name="soft", half=True)), {}, ("blade", "ammo", "soft", "only firearms"),
    ),
    "psi_on_a_machine": (
        shot(weapon=STAB, defender=target(body="synthmorph")), {}, ("stab", "biological"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_ep42_a_bad_declaration_says_what_is_wrong_and_what_is_allowed(case: str) -> None:
    setup, settled, words = REFUSED[case]
    with pytest.raises(SetupError) as refused:
        ready(setup, **settled)
    for word in words:
        assert word in str(refused.value)


CLOSED: dict[str, tuple[Setup, dict[str, str], str]] = {
    "burst_short_of_rounds": (
        shot(weapon=pistol(rounds=2)), {"choose_mode": "burst"},
        "needs 3 rounds, pistol holds 2; allowed: single, semi",
    ),
    "others_with_single": (
        shot(others=(TARGET,)), {"choose_mode": "single"},
        "attacks 1 at most, the setup has 2 targets; allowed: burst, auto",
    ),
    "burst_at_three": (
        shot(others=(TARGET, TARGET)), {"choose_mode": "burst"},
        "attacks 2 at most, the setup has 3 targets; allowed: auto",
    ),
    "quick_aim_with_burst": (
        shot(aim="quick"), {"choose_mode": "burst"},
        "can't follow a quick aim; only single and semi can be aimed; allowed: single, semi",
    ),
    "complex_aim_with_auto": (
        shot(aim="complex"), {"choose_mode": "auto"},
        "can't follow a complex aim; only single and semi can be aimed; allowed: single, semi",
    ),
    "suppression_short_of_rounds": (
        shot(weapon=pistol(rounds=19)), {"choose_mode": "auto", "choose_fire": "suppress"},
        "needs 20 rounds, pistol holds 19; allowed: hit, damage",
    ),
    "called_shot_at_several": (
        shot(others=(TARGET,)), {"choose_mode": "burst", "choose_called_shot": "bypass"},
        "several targets can't be called (A-53); allowed: none",
    ),
    "called_shot_of_suppression": (
        shot(),
        {"choose_mode": "auto", "choose_fire": "suppress", "choose_called_shot": "disarm"},
        "suppressive fire can't be called; allowed: none",
    ),
    "called_psi": (
        shot(weapon=STAB), {"choose_called_shot": "specific"}, "psi can't be called",
    ),
    "called_shot_with_a_cone": (
        shot(weapon=pistol(form="spray", traits=("cone",))), {"choose_called_shot": "bypass"},
        "area",
    ),
    "unknown_defence": (shot(), {"choose_defence": "melee"}, "allowed: fray, none"),
}  # fmt: skip


@pytest.mark.parametrize("case", CLOSED)
def test_ep42_a_closed_option_tells_why(case: str) -> None:
    setup, settled, words = CLOSED[case]
    with pytest.raises(AnswerError, match=re.escape(words)):
        ready(setup, **settled)


@pytest.mark.parametrize("style", ["hit", "damage"])
def test_ep84_a_charge_without_aggression_tells_why(style: str) -> None:
    charging = blow(movement="charge")
    with pytest.raises(AnswerError, match=r"not in a charge \(A-28\); allowed: plain"):
        ready(charging, {"aggressive_charge": "refused"}, choose_style=style)


def test_ep42_a_closed_option_tells_why_in_play() -> None:
    session = Session(game(shot(weapon=pistol(rounds=9)), None, "choose_mode"))
    assert question(session).closed == (("auto", "needs 10 rounds, pistol holds 9"),)
    with pytest.raises(AnswerError, match="needs 10 rounds"):
        session.answer("auto")
    assert offered(session) == ["single", "semi", "burst"]


def test_ep42_a_setup_needs_a_weapon() -> None:
    with pytest.raises(SetupError, match="no weapon is given and 'shooter' has none"):
        Setup(attacker=SHOOTER, defender=TARGET)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"form": "kinetic", "skill": "guns", "range_m": 10}, "firing mode"),
        ({"form": "beam", "skill": "guns", "modes": ("semi",)}, "range rating"),
        ({"form": "melee", "skill": "melee", "modes": ("semi",)}, "no firing modes"),
        ({"form": "sword", "skill": "melee"}, "allowed: melee, improvised"),
        ({"form": "melee", "skill": "melee", "d10": 21}, "20 or less"),
    ],
)
def test_ep42_a_weapon_must_make_sense(facts: dict[str, object], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        Weapon(name="odd", **facts)  # type: ignore[arg-type]  # wrong on purpose


def test_ep42_nothing_is_left_half_done_by_a_refusal() -> None:
    session = answered(game(shot()), 50)
    with pytest.raises(AnswerError, match="0 to 99"):
        session.answer((100,))
    assert question(session).ask == "defense roll"


def test_ep99_a_blade_may_be_called() -> None:
    assert attack_tn(blow(weapon=blade()), choose_called_shot="bypass") == 60


# -- Exotic skills ---------------------------------------------------------------------------

WHIP = Weapon(name="whip", form="melee", skill="exotic", field="whips", d6=1)
BOW = Weapon(name="bow", form="thrown", skill="exotic", field="Bow", d10=1)
SKILLS = (Exotic(field="whips", value=35), Exotic(field="bow", value=55, specialized=True))


@pytest.mark.parametrize(("weapon", "tn"), [(WHIP, 35), (BOW, 65)])
def test_ep43_each_exotic_weapon_has_its_own_skill(weapon: Weapon, tn: int) -> None:
    archer = replace(SHOOTER, exotic=None, exotics=SKILLS)
    far = 2 if weapon.is_melee else 10
    assert attack_tn(shot(attacker=archer, weapon=weapon, distance_m=far)) == tn


def test_ep43_the_weapon_that_is_picked_decides_the_exotic_skill() -> None:
    both = replace(SHOOTER, exotic=None, exotics=SKILLS, weapons=(WHIP, BOW))
    setup = shot(attacker=both, weapon=None)
    assert attack_tn(setup, declare_attack="bow") == 65
    near = replace(setup, distance_m=2)
    assert attack_tn(near, declare_attack="whip") == 35


def test_ep6_without_the_field_som_is_tested() -> None:
    archer = replace(SHOOTER, exotic=None, som=12, exotics=SKILLS[1:])
    assert attack_tn(blow(attacker=archer, weapon=WHIP)) == 12


def test_ep43_one_number_is_one_exotic_skill() -> None:
    """It serves all weapons of one field."""
    assert attack_tn(shot(attacker=shooter(exotic=35), weapon=BOW)) == 35
    with pytest.raises(SetupError, match="'bow' and 'whips'; give each in 'exotics'"):
        shot(attacker=shooter(exotic=35, weapons=(WHIP, BOW)), weapon=None)


@pytest.mark.parametrize(("changes", "words"), [
    ({"exotic": 35, "exotics": SKILLS}, "beside 'exotics' leave it out"),
    ({"exotic": None, "exotics": (SKILLS[0], SKILLS[0])}, "exotics names 'whips' twice"),
    ({"exotic": None, "exotics": SKILLS, "weapons": (replace(WHIP, field=""),)},
     "give the weapon a 'field'"),
])  # fmt: skip
def test_ep43_unclear_exotic_skills_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        blow(attacker=shooter(**changes), weapon=None)


def test_ep43_only_exotic_weapons_have_a_field() -> None:
    with pytest.raises(SetupError, match="'field' names an Exotic skill"):
        Weapon(name="club", form="melee", skill="melee", field="clubs")
