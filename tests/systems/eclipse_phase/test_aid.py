"""Helping the fallen in a fight with whole turns: the bleeding, and the unconscious."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import FighterId
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.hands import SetCondition
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.condition import Condition
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.scenes import (
    BLEED_TO_DEATH,
    CHECK_BLEEDING,
    TREAT,
    TURN,
    WAKE,
)
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .factory import BY_ATTACKS, QUIET, SYSTEM, pistol, play, shooter, shot, victim
from .fighting import opened

F = Fraction
WHOLE = {"turns": "actions"}
RULED = Rulings.pick(SYSTEM.rulings, WHOLE)
MEDIC = shooter(medicine=50, weapons=(pistol(),))
PATIENT = victim(weapons=(pistol(),))
SITUATION: Setup = replace(shot(attacker=MEDIC, defender=PATIENT), weapon=None)


def enter(sheet: Combatant, **changes: Any) -> Condition:
    return FIGHT.enter(sheet, RULED)._replace(**changes)


BLEEDS = enter(PATIENT, damage=40, wounds=2, prone=True)
HURT = enter(MEDIC, wounds=1)
SLEEPS = enter(PATIENT, damage=10, wounds=2, knocked_out=True)


def helping(
    deed: Deed, target: Condition, medic: Condition | None = None, /, **changes: Any
) -> At[Exchange]:
    held = changes.pop("held", {})
    setup = replace(SITUATION, **changes)
    now = enter(MEDIC) if medic is None else medic
    rulings = Rulings.pick(SYSTEM.rulings, {**WHOLE, **held})
    return FIGHT.declare(Scene(setup, deed, now, target, None, rulings))


def helped(at: At[Exchange], target: Condition, face: int) -> Condition:
    return FIGHT.apply(PATIENT, target, FIGHT.effect(play(opened(at), face), "target"))


# -- those who bleed ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("needed", "changes"),
    [
        (30, {}),  # Medicine 50, and two wounds of the patient
        (60, {"treated": True}),
    ],
)
def test_ep113_a_friend_stops_the_bleeding(needed: int, changes: dict[str, Any]) -> None:
    at = helping(TREAT, BLEEDS, **changes)
    stopped, goes_on = helped(at, BLEEDS, needed), helped(at, BLEEDS, needed + 1)
    assert FIGHT.afterwards(PATIENT, BLEEDS) is not None
    assert FIGHT.afterwards(PATIENT, stopped) is None
    assert goes_on == BLEEDS
    assert (stopped.damage, stopped.wounds, FIGHT.fate(PATIENT, stopped)) == (40, 2, "out")


def test_ep113_a66_whose_wounds_count() -> None:
    assert helped(helping(TREAT, BLEEDS, HURT), BLEEDS, 21) == BLEEDS
    assert helped(helping(TREAT, BLEEDS, HURT), BLEEDS, 20) != BLEEDS
    alone = helping(TREAT, BLEEDS, HURT, held={"treating": "patient"})
    assert helped(alone, BLEEDS, 30) != BLEEDS


def test_ep6_without_the_skill_cognition_is_tested() -> None:
    layman = replace(MEDIC, medicine=None, cog=25)
    setup = replace(SITUATION, attacker=layman)
    at = FIGHT.declare(Scene(setup, TREAT, enter(layman), BLEEDS, None, RULED))
    assert helped(at, BLEEDS, 5) != BLEEDS
    assert helped(at, BLEEDS, 6) == BLEEDS


@pytest.mark.parametrize(
    "condition",
    [enter(PATIENT, damage=20, wounds=3), enter(PATIENT, damage=53, wounds=3),
     enter(PATIENT, damage=40), enter(PATIENT, damage=40, wounds=1, bleeds="")],
)  # fmt: skip
def test_ep113_nobody_else_is_treated(condition: Condition) -> None:
    with pytest.raises(SetupError, match="isn't bleeding"):
        helping(TREAT, condition)


# -- the unconscious ---------------------------------------------------------------------------


def test_ep154_the_unconscious_are_shaken_awake() -> None:
    # INT 15 x 3 = 45, less 30, less 20 for two wounds: only 00 succeeds.
    at = helping(WAKE, SLEEPS)
    awake = helped(at, SLEEPS, 0)
    assert not FIGHT.is_out(PATIENT, awake)
    assert (awake.prone, awake.damage, awake.wounds) == (True, 10, 2)
    assert helped(at, SLEEPS, 1) == SLEEPS
    whole = SLEEPS._replace(wounds=0)
    assert not FIGHT.is_out(PATIENT, helped(helping(WAKE, whole), whole, 15))
    assert FIGHT.is_out(PATIENT, helped(helping(WAKE, whole), whole, 16))


def test_ep154_somebody_who_begins_unconscious_can_be_woken() -> None:
    sheet = victim(conditions=("unconscious",), intuition=30, weapons=(pistol(),))
    asleep = FIGHT.enter(sheet, RULED)
    setup = replace(SITUATION, defender=sheet)
    at = FIGHT.declare(Scene(setup, WAKE, enter(MEDIC), asleep, None, RULED))
    awake = FIGHT.apply(sheet, asleep, FIGHT.effect(play(opened(at), 60), "target"))
    assert FIGHT.deeds(sheet, awake)[0] == TURN
    assert not FIGHT.is_out(sheet, awake)


@pytest.mark.parametrize(
    "condition",
    [BLEEDS, enter(PATIENT, damage=35, knocked_out=True), enter(PATIENT),
     enter(PATIENT, states=(("fleeing", 1000),))],
)  # fmt: skip
def test_ep112_nobody_else_can_be_woken(condition: Condition) -> None:
    with pytest.raises(SetupError, match="can't be woken"):
        helping(WAKE, condition)


# -- when --------------------------------------------------------------------------------------


def test_ep113_help_comes_after_the_attack_unless_the_sheet_says_so() -> None:
    assert FIGHT.deeds(MEDIC, enter(MEDIC)) == (TURN, TREAT, WAKE)
    keen = replace(MEDIC, aids=("treat",))
    assert FIGHT.deeds(keen, enter(keen)) == (TREAT, TURN, WAKE)
    assert FIGHT.deeds(MEDIC, FIGHT.enter(MEDIC, BY_ATTACKS)) == (ATTACK,)
    assert FIGHT.deeds(keen, FIGHT.enter(keen, BY_ATTACKS)) == (TREAT, ATTACK)
    held = enter(MEDIC, states=(("grappled", 1000),))
    assert not {TREAT, WAKE}.intersection(FIGHT.deeds(MEDIC, held))


def fight(*, keen: bool) -> Contest:
    medic = replace(MEDIC, aids=("treat",) if keen else (), fray=99)
    dying = victim(damage=40, wounds=1, som=0, durability=35, weapons=(pistol(),))
    foe = shooter(name="foe", guns=0, weapons=(pistol(d10=0),), durability=500)
    habits = {
        **QUIET, "choose_move": ("stay",), "choose_action": ("full defense",),
    }  # fmt: skip
    plan = Plan("first", tuple(habits.items()))
    setup = replace(shot(attacker=medic, defender=foe), weapon=None)
    sides = (Side("one", (medic, dying), setup, plan), Side("other", (foe,), setup, plan))
    return Contest(SYSTEM, sides, RULED, first="one")


def test_ep113_a_medic_saves_a_life_in_battles() -> None:
    """SOM 0: they die, unless the medic's 41 of 100 comes in one of three turns."""
    for keen, expected in ((True, 1 - F(59, 100) ** 3), (False, F(1, 100))):
        played = Battle(fight(keen=keen), rounds=3).run(2_000, seed=2)
        died = played.fighters[1].fates["dead"].value
        saved = 1 - float(expected)
        # Whoever isn't saved still checks against SOM 0 less 10: 00 succeeds.
        if keen:
            saved *= 0.99
        assert abs(died - saved) < 5 * 0.5 / 2_000**0.5, keen


def test_ep113_a_played_fight_tells_of_it() -> None:
    played = play_battle(fight(keen=True), seed=1, rounds=6)
    deeds = [entry.deed for entry in played.exchanges if entry.actor.side == 0]
    assert deeds[:2] == ["check for bleeding", "treat"]


def test_ep113_bleeding_is_told_and_stopped_by_hand() -> None:
    told = {line.label: line for line in FIGHT.told(PATIENT, BLEEDS)}
    assert told["bleeding"].value == "unchecked"
    open_wound = BLEEDS._replace(bleeds="bleeding")
    told = {line.label: line for line in FIGHT.told(PATIENT, open_wound)}
    assert told["bleeding"].value is True
    assert told["bleeding"].does.startswith("2 damage a turn")
    assert FIGHT.mended is not None
    stopped = FIGHT.mended(PATIENT, BLEEDS, "bleeding", "no")
    assert FIGHT.afterwards(PATIENT, stopped) is None
    with pytest.raises(SetupError, match="allowed: no"):
        FIGHT.mended(PATIENT, BLEEDS, "bleeding", "much")


# -- bleeding, round after round ---------------------------------------------------------------


def dying(medic: Combatant, **changes: Any) -> Contest:
    """A comrade with two wounds lies bleeding, and a foe who never attacks looks on."""
    bleeds = victim(som=0, durability=35, wounds=2, weapons=(pistol(),), **changes)
    foe = shooter(name="foe", guns=0, weapons=(pistol(d10=0),), durability=500)
    habits = {
        **QUIET, "choose_move": ("stay",), "choose_action": ("full defense",),
    }  # fmt: skip
    plan = Plan("first", tuple(habits.items()))
    setup = replace(shot(attacker=medic, defender=foe), weapon=None)
    sides = (Side("one", (medic, bleeds), setup, plan), Side("other", (foe,), setup, plan))
    return Contest(SYSTEM, sides, RULED, first="one")


KEEN = replace(MEDIC, aids=("treat",), fray=99)
# Medicine 50 less 20 saves with 31 of 100 faces; SOM 0 less 20 holds with 00 alone.
TREATED, HELD = F(31, 100), F(1, 100)


@pytest.mark.parametrize(("damage", "turns"), [(52, 1), (51, 1), (50, 2), (48, 3)])
def test_ep113_who_bleeds_dies_in_the_middle_of_a_fight(damage: int, turns: int) -> None:
    """The check is made at once, and each round costs 2 of 53."""
    contest = dying(KEEN, damage=damage)
    expected = float((1 - TREATED) ** turns * (1 - HELD))
    result = Battle(contest, rounds=9).run(4_000, seed=4)
    dead = result.fighters[1].fates["dead"].value
    assert abs(dead - expected) < 5 * (expected * (1 - expected) / 4_000) ** 0.5


def test_ep113_a_played_battle_bleeds_alike() -> None:
    n, expected = 120, float((1 - TREATED) ** 2 * (1 - HELD))
    contest, died = dying(KEEN, damage=50), 0
    for seed in range(n):
        played = play_battle(contest, seed=seed, rounds=5)
        deeds = [entry.deed for entry in played.exchanges if entry.actor.side == 0]
        dead = played.fates[0][1] == "dead"
        died += dead
        assert deeds.count("check for bleeding") <= 1
        assert ("bleed to death" in deeds) is False  # dead long before the fight is over
        if dead:
            assert deeds[:3] == ["check for bleeding", "treat", "treat"]
            assert "treat" not in deeds[3:]
    assert abs(died / n - expected) < 5 * (expected * (1 - expected) / n) ** 0.5


@pytest.mark.parametrize(
    ("damage", "wounds", "checks", "after"),
    [(40, 2, False, (42, "bleeding")), (52, 3, False, (53, "bleeding")),
     (40, 2, True, (42, "always"))],
)  # fmt: skip
def test_ep113_a38_a_turn_of_bleeding(
    damage: int, wounds: int, checks: bool, after: tuple[int, str]
) -> None:
    rare = BLEEDS.rare._replace(checks=checks)
    bleeds = BLEEDS._replace(damage=damage, wounds=wounds, bleeds="bleeding", rare=rare)
    ended = FIGHT.end_round(PATIENT, bleeds)
    assert (ended.damage, ended.bleeds) == after
    again = FIGHT.urgent(PATIENT, ended)
    assert (again is not None) is checks
    assert FIGHT.fate(PATIENT, ended) == ("dead" if after[0] == 53 else "out")


def test_ep113_checked_once_as_soon_as_somebody_falls() -> None:
    check = FIGHT.urgent(PATIENT, BLEEDS)
    assert check == CHECK_BLEEDING
    setup = replace(SITUATION, attacker=PATIENT, defender=PATIENT)
    at = FIGHT.declare(Scene(setup, check, BLEEDS, BLEEDS, None, RULED))
    # SOM 20 x 3, less 20 for two wounds.
    held = FIGHT.apply(PATIENT, BLEEDS, FIGHT.effect(play(opened(at), 40), "target"))
    failed = FIGHT.apply(PATIENT, BLEEDS, FIGHT.effect(play(opened(at), 41), "target"))
    assert FIGHT.urgent(PATIENT, held) is FIGHT.afterwards(PATIENT, held) is None
    assert failed.damage == 40  # a turn has yet to pass
    assert FIGHT.urgent(PATIENT, failed) is None
    assert FIGHT.afterwards(PATIENT, failed) == BLEED_TO_DEATH
    last = FIGHT.declare(Scene(setup, BLEED_TO_DEATH, failed, failed, None, RULED))
    dead = FIGHT.apply(PATIENT, failed, FIGHT.effect(play(opened(last)), "target"))
    assert FIGHT.fate(PATIENT, dead) == "dead"


def test_ep113_the_neediest_is_helped_first() -> None:
    assert FIGHT.needs(PATIENT, BLEEDS) > FIGHT.needs(PATIENT, SLEEPS) > 0
    assert FIGHT.needs(PATIENT, enter(PATIENT)) == 0
    assert FIGHT.needs(PATIENT, BLEEDS._replace(bleeds="")) == 0
    contest = dying(KEEN, damage=40)
    one, other = contest.sides
    asleep = replace(PATIENT, conditions=("unconscious",))
    both = one._replace(fighters=(KEEN, asleep, one.fighters[1]))
    played = play_battle(contest.changed(sides=(both, other)), seed=1, rounds=1)
    treated = next(entry for entry in played.exchanges if entry.deed == "treat")
    assert treated.target.place == 2


def test_ep113_a_game_master_steps_in() -> None:
    session = FightSession(dying(KEEN, damage=40))
    question = session.question
    assert question is not None
    assert question.ask == "SOM check"
    bleeding = session.answer((99,))
    assert bleeding.question is not None
    assert bleeding.question.kind == "deed"
    (_, patient), _ = bleeding.conditions
    assert isinstance(patient, Condition)
    assert patient.bleeds == "bleeding"
    stopped = bleeding.hand(SetCondition(FighterId(0, 1), "bleeding", "no"))
    closed = dict(stopped.question.closed) if stopped.question else {}
    assert closed["treat: victim"] == "'victim' isn't bleeding"


def test_ep113_people_may_choose_to_help() -> None:
    session = FightSession(fight(keen=False)).answer((99,))
    question = session.question
    assert question is not None
    names = {option.name for option in question.options}
    assert {"full defense", "treat: victim"} <= names, "as the plan has it"
    assert dict(question.closed)["wake: victim"] == "'victim' can't be woken"
