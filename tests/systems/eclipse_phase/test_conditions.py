"""What conditions do to attackers and defenders, and who is out of action (T-COND).

Guns, Melee, Psi 70 and Perceive 50 against Fray 60, Melee 50, WIL 45, as in the factory.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.condition import Effect
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.scenes import BREAK_FREE
from affray.systems.eclipse_phase.sheet import Combatant, Setup

from .factory import (
    BLADE,
    BY_ATTACKS,
    attack_tn,
    blade,
    blow,
    chance,
    defence_tn,
    facts_of,
    game,
    offered,
    pistol,
    play,
    question,
    ready,
    shooter,
    shot,
    struck,
    target,
    victim,
)

F = Fraction
STAB = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")
TURRET = pistol(name="turret", skill="interface")
CONDITIONS = ("surprised", "incapacitated", "unconscious", "detached")


def wielder(*conditions: Any, **changes: Any) -> Combatant:
    return shooter(interface=70, conditions=conditions, **changes)


# -- stunned ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "tn"), [(pistol(), 40), (blade(), 40), (STAB, 60), (TURRET, 60)]
)
def test_ep115_the_stunned_attack_at_minus_30_or_with_the_mind_at_minus_10(
    weapon: Weapon, tn: int
) -> None:
    far = None if weapon.is_melee else 10
    assert attack_tn(shot(attacker=wielder("stunned"), weapon=weapon, distance_m=far)) == tn
    assert attack_tn(shot(attacker=wielder(), weapon=weapon, distance_m=far)) == 70


def test_ep115_melee_60_stunned_against_fray_30_hits_as_30_does() -> None:
    """Successes 0 to 30 of each; by brute force over all pairs of rolls."""
    setup = blow(attacker=shooter(melee=60, conditions=("stunned",)), defender=target(fray=30))
    hits = sum(
        a <= 30 and (d > 30 or (a % 11 == 0, a) > (d % 11 == 0, d))
        for a in range(100)
        for d in range(100)
    )
    assert chance(game(setup), "hit") == F(hits, 10_000)


def test_ep115_the_stunned_resist_psi_at_minus_10() -> None:
    assert defence_tn(shot(weapon=STAB, defender=target(conditions=("stunned",)))) == 35
    assert defence_tn(shot(weapon=STAB, defender=target())) == 45


def test_ep115_the_stunned_search_at_minus_10() -> None:
    dark = game(shot(attacker=wielder("stunned"), vision="blind"), search_target="perceive")
    for face, found in ((40, True), (41, False)):
        session = Session(dark).answer((face,))
        assert question(session).ask == "attack roll"
        assert facts_of(session).numbers.wide is not found


def test_ep72_suppressive_fire_knows_no_stun() -> None:
    held = {"choose_mode": "auto", "choose_fire": "suppress"}
    assert attack_tn(shot(attacker=wielder("stunned")), **held) == 70


# -- blinded ---------------------------------------------------------------------------------


def test_ep115_half_of_what_the_blinded_would_hit_goes_wide() -> None:
    seeing, unseeing = (game(blow(attacker=shooter(conditions=how))) for how in ((), ("blinded",)))
    assert attack_tn(blow(attacker=wielder("blinded"))) == 70
    assert chance(unseeing, "hit") == chance(seeing, "hit") / 2
    assert not struck(unseeing, 30, 98, 49).hit
    assert struck(unseeing, 30, 98, 50, 1, 1).hit


def test_ep101_in_the_dark_the_blinded_are_as_blind_as_anybody() -> None:
    dark = shot(vision="blind", attacker=shooter(conditions=("blinded",)))
    assert offered(Session(game(dark, None, "search_target"))) == ["perceive", "shoot"]
    assert attack_tn(dark) == 40
    assert struck(game(dark, search_target="perceive"), 50, 30, 98, 1, 1).hit  # found


# -- grappled, immobilized -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("grappled", "is grappled and has to break free first (EP-93)"),
        ("immobilized", "needs a physical action, and 'shooter' is immobilized"),
    ],
)
def test_ep115_the_bound_attack_with_the_mind_only(condition: str, words: str) -> None:
    for setup in (shot(attacker=wielder(condition)), blow(attacker=wielder(condition))):
        with pytest.raises(SetupError) as refused:
            ready(setup)
        assert words in str(refused.value)
    for weapon in (STAB, TURRET):
        assert attack_tn(shot(attacker=wielder(condition), weapon=weapon)) == 70
    armed = wielder(condition, weapons=(pistol(), TURRET))
    open_game = game(shot(attacker=armed, weapon=None), None, "declare_attack")
    assert question(Session(open_game)).ask == "attack roll"  # one weapon is left: no question


def test_ep115_the_grappled_dodge_at_minus_30_and_parry_nothing() -> None:
    held = target(conditions=("grappled",), full_defense=True, athletics=60)
    assert offered(Session(game(blow(defender=held), None, "choose_defence"))) == ["fray", "none"]
    assert defence_tn(blow(defender=held)) == 60  # 60 + 30 - 30
    assert defence_tn(shot(defender=held)) == 30
    assert defence_tn(shot(weapon=STAB, defender=held)) == 75  # WIL 45 + 30


def test_ep47_the_immobilized_resist_psi_and_dodge_nothing() -> None:
    held = target(conditions=("immobilized",))
    assert defence_tn(blow(defender=held)) is None
    assert defence_tn(shot(defender=held)) is None
    assert defence_tn(shot(weapon=STAB, defender=held)) == 45


# -- out of action ---------------------------------------------------------------------------


def test_ep35_the_surprised_attack_nobody() -> None:
    with pytest.raises(SetupError, match="'shooter' is surprised and can't attack"):
        ready(blow(attacker=wielder("surprised")))


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("weapon", [BLADE, STAB])
def test_ep36_the_helpless_neither_attack_nor_defend(condition: str, weapon: Weapon) -> None:
    with pytest.raises(SetupError, match=f"'shooter' is {condition} and can't attack"):
        ready(shot(attacker=wielder(condition), weapon=weapon))
    far = None if weapon.is_melee else 10
    helpless = target(conditions=(condition,))
    assert defence_tn(shot(weapon=weapon, defender=helpless, distance_m=far)) is None


OUT: list[tuple[dict[str, int], bool]] = [
    ({"damage": 34}, False), ({"damage": 35}, True), ({"damage": 60}, True),
    ({"stress": 29}, False), ({"stress": 30}, True), ({"stress": 500, "lucidity": 0}, False),
    ({"stress": 1, "lucidity": 1}, True), ({"stress": 0, "lucidity": 1}, False),
    ({"damage": 1, "durability": 1}, True), ({"damage": 0, "durability": 1}, False),
]  # fmt: skip


@pytest.mark.parametrize(("harm", "out"), OUT, ids=[repr(harm) for harm, _ in OUT])
def test_ep65_damage_at_durability_puts_out_of_action(harm: dict[str, int], out: bool) -> None:
    who = victim(guns=70, **harm)
    assert (defence_tn(shot(defender=who)) is None) is out
    if not out:
        assert attack_tn(shot(attacker=who)) == 70
        return
    (kind, number), *_ = harm.items()
    with pytest.raises(SetupError, match=f"incapacitated: {kind} {number} reaches"):
        ready(shot(attacker=who))


def test_ep39_against_who_is_out_a_plain_test_is_made() -> None:
    assert chance(game(shot(defender=victim(damage=35))), "hit") == F(71, 100)


# -- fights ----------------------------------------------------------------------------------


def test_ep93_whoever_enters_a_fight_grappled_breaks_free_first() -> None:
    held = victim(conditions=("grappled",), weapons=(BLADE,))
    now = FIGHT.enter(held, BY_ATTACKS)
    assert FIGHT.deeds(held, now) == (BREAK_FREE,)
    assert FIGHT.deeds(held, FIGHT.apply(held, now, Effect(freed=True))) == (ATTACK,)


@pytest.mark.parametrize(
    ("conditions", "weapons", "able"),
    [
        ((), (BLADE,), True), (("immobilized",), (BLADE,), False),
        (("immobilized",), (BLADE, STAB), True), (("detached",), (STAB,), False),
        (("stunned", "blinded"), (BLADE,), True),
    ],
)  # fmt: skip
def test_ep115_in_a_fight_the_bound_do_what_they_can(
    conditions: Any, weapons: tuple[Weapon, ...], able: bool
) -> None:
    who = victim(conditions=conditions, weapons=weapons)
    assert bool(FIGHT.deeds(who, FIGHT.enter(who, BY_ATTACKS))) is able


# -- low pain tolerance ----------------------------------------------------------------------

PAINED = ("low_pain_tolerance",)


def test_ep110_low_pain_tolerance_costs_30_on_every_som_check() -> None:
    """SOM 60: 10 after a wound, 0 against a disarm, 20 against bleeding with help at hand."""
    hit = game(shot(weapon=pistol(d10=0, flat=7), defender=victim(qualities=PAINED)))
    assert [struck(hit, 20, 98, face).prone for face in (10, 11)] == [False, True]
    pained = victim(qualities=PAINED)
    aimed = shot(weapon=pistol(d10=0, flat=8), attacker=shooter(guns=90), defender=pained)
    disarmed = game(aimed, choose_called_shot="disarm")
    assert [play(disarmed, 40, 98, *faces).final.disarmed for faces in ((0,), (1, 5))] == [
        False, True,
    ]  # fmt: skip
    bleeding = game(shot(weapon=pistol(d10=0, flat=7), treated=True,
                         defender=victim(damage=28, qualities=PAINED)))  # fmt: skip
    assert [struck(bleeding, 20, 98, face).bleeding for face in (40, 41)] == [0, 1]


def test_ep109_it_makes_wounds_count_double_and_no_other_check_harder() -> None:
    assert attack_tn(shot(attacker=shooter(wounds=2, traumas=1, qualities=PAINED))) == 20
    sent = game(shot(attacker=shooter(guns=90), defender=target(ref=20, qualities=PAINED)),
                choose_called_shot="redirect")  # fmt: skip
    assert [struck(sent, 40, 98, face).redirected for face in (30, 31)] == [False, True]


# -- sheets that make no sense ---------------------------------------------------------------

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "condition twice": ({"conditions": ("stunned", "stunned")}, "conditions names 'stunned' twice"),
    "quality twice": ({"qualities": PAINED * 2}, "qualities names 'low_pain_tolerance' twice"),
    "skill twice": ({"specialized": ("fray", "fray")}, "specialized names 'fray' twice"),
    "two weapons": ({"weapons": (BLADE, blade(d10=3))}, "two different weapons are called 'blade'"),
    "group without a pool": ({"threat_group": "dogs"}, "threat_group is 'dogs', but 'threat' is 0"),
}


@pytest.mark.parametrize("case", WRONG)
def test_ep42_what_would_be_read_once_can_not_be_given_twice(case: str) -> None:
    changes, words = WRONG[case]
    with pytest.raises(SetupError, match=words):
        shooter(**changes)


def test_ep42_the_same_weapon_may_be_carried_twice() -> None:
    armed = shooter(weapons=(BLADE, BLADE))
    made = Setup(attacker=armed, defender=target())
    assert ready(made).numbers.tn == 70


@pytest.mark.parametrize(
    ("perceive", "reading", "found"),
    [
        (None, "ordinary", F(1, 100)), (None, "critical", F(1, 100)), (None, "may_fail", F(0)),
        (0, "may_fail", F(1, 100)), (2, "may_fail", F(1, 100)), (15, "may_fail", F(6, 100)),
    ],
)  # fmt: skip
def test_ep6_a_search_without_the_skill_may_fail_with_00(
    perceive: int | None, reading: str, found: Fraction
) -> None:
    """One wound, so at -10 without the skill; half of the shots at what is not found go wide."""
    dull = shooter(perceive=perceive, intuition=0, guns=98, wounds=1)
    asleep = target(conditions=("unconscious",))
    dark = shot(vision="blind", attacker=dull, attacker_modifier=60, defender=asleep)
    hits = chance(game(dark, {"default_zero": reading}, search_target="perceive"), "hit")
    assert hits == F(99, 100) * (found + (1 - found) / 2)


@pytest.mark.parametrize("damage", [0, 1])
def test_ep65_the_least_body_and_the_least_mind_give_out_at_one(damage: int) -> None:
    frail = victim(durability=1, death_rating=1, lucidity=1, wound_threshold=0)
    gun, armored = pistol(d10=0, flat=1), replace(frail, kinetic=1 - damage)
    done = struck(game(shot(weapon=gun, defender=armored)), 20, 98)
    assert (done.total, done.incapacitated, done.dead) == (damage, damage == 1, damage == 1)
    mind = blow(weapon=replace(STAB, d10=0, flat=damage, harm="stress"), defender=frail)
    stressed = struck(game(replace(mind, distance_m=5)), 20, 98)
    assert (stressed.total, stressed.incapacitated, stressed.dead) == (damage, damage == 1, False)
    begun = FIGHT.enter(frail, BY_ATTACKS)
    assert FIGHT.is_out(frail, begun._replace(stress=damage)) is (damage == 1)
    assert FIGHT.is_out(frail, begun._replace(damage=damage)) is (damage == 1)
