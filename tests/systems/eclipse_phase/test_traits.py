"""Shock, stun, pain, blinding, entangling and traumas: rolled, lasting, and acting on fighters."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.condition import Condition, Effect
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.scenes import BREAK_FREE
from affray.systems.eclipse_phase.tables import LASTING

from .factory import (
    BLADE,
    SYSTEM,
    attack_tn,
    blow,
    chance,
    defence_tn,
    facts_of,
    game,
    offered,
    pistol,
    play,
    shooter,
    shot,
    victim,
)
from .fighting import condition, declared, fresh, opened

F = Fraction
HARMLESS: dict[str, Any] = {"d10": 0, "flat": 1}


def brought(trait: str, *faces: int, attack: int = 20, **changes: Any) -> dict[str, int]:
    """The conditions that a hit with a trait brings, after these faces of checks."""
    gun = pistol(traits=(trait,), **HARMLESS)
    extra = (1,) if attack > 33 else ()
    done = play(
        game(shot(weapon=gun, defender=victim(**changes)), {"critical_doubles": "dice"}),
        attack, 98, *extra, *faces,
    )  # fmt: skip
    return dict(done.final.conditions)


# -- one attack ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "expected"),
    [  # SOM 60 + energy armor 4 = 64; V25
        (64, {"stunned": 3}),
        (65, {"incapacitated": 3, "stunned": 63}),
        (66, {"incapacitated": 1, "stunned": 61}),  # a critical failure has no superior one
        (98, {"incapacitated": 1, "stunned": 61}),
    ],
)
def test_ep107_shock(face: int, expected: dict[str, int]) -> None:
    assert brought("shock", face, energy=4) == expected


def test_ep107_shock_knocks_down_whom_it_takes_out() -> None:
    gun = pistol(traits=("shock",), **HARMLESS)
    for face, prone in ((60, False), (61, True)):
        done = play(game(shot(weapon=gun, defender=victim())), 20, 98, face)
        assert done.final.prone is prone


def test_ep107_how_long_a_shock_lasts_on_average() -> None:
    """Vector O-19: against 49 half succeed; 0.8 turns out of action on average."""
    gun = pistol(traits=("shock",), **HARMLESS)
    prey = victim(som_check=49, wound_threshold=0, conditions=("immobilized",))
    setup = shot(attacker=shooter(guns=98), weapon=gun, defender=prey)
    found = game(setup)
    hit = chance(found, "hit")
    rows = {  # 50 to 66 but for doubles are superior failures
        1 + 2 * worse: F(
            sum((50 <= f <= 66 and f % 11 != 0) == bool(worse) for f in range(50, 100)), 100
        )
        for worse in (0, 1)
    }
    for turns, share in rows.items():
        value = (f"incapacitated {turns}", f"stunned {turns + 60}")
        assert chance(found, "conditions", value) == hit * share
    assert sum(turns * share for turns, share in rows.items()) == F(4, 5)


@pytest.mark.parametrize(
    ("face", "expected"),
    [
        (60, {}),
        (61, {"stunned": 2}),
        (70, {"stunned": 1}),
        (77, {"incapacitated": 1, "stunned": 20}),
    ],
)
def test_ep61_stun(face: int, expected: dict[str, int]) -> None:
    assert brought("stun", face) == expected


def test_ep61_pain() -> None:
    assert brought("pain", 45) == {"impaired_20": 1}
    assert brought("pain", 46) == {"impaired_20": 1, "fleeing": 1}
    tough: dict[str, Any] = {"qualities": ("pain_tolerance",)}
    assert brought("pain", 75, **tough) == {"impaired_10": 1}  # 45 + 30
    assert brought("pain", 76, **tough) == {"impaired_10": 1, "fleeing": 1}
    assert brought("pain", qualities=("immune_to_pain",)) == {}


def test_ep61_blinding() -> None:
    assert brought("blinding", 45) == {}
    assert brought("blinding", 46) == {"blinded": 2}
    assert brought("blinding", 67) == {"blinded": 1}
    assert brought("blinding", 88) == {"blinded": LASTING}


def test_ep61_entangling_holds_faster_with_superior_successes() -> None:
    assert brought("entangling", 45) == {}
    assert brought("entangling", 46) == {"grappled": LASTING}
    assert brought("entangling", 35, attack=40) == {}  # 45 - 10
    assert brought("entangling", 36, attack=40) == {"grappled": LASTING, "entangled": 1}


# -- the mind --------------------------------------------------------------------------------


def scared(sv: int, *faces: int, rulings: dict[str, str] | None = None, **changes: Any) -> Any:
    mind = Weapon(name="scare", form="psi", skill="psi", armor="mental", harm="stress", flat=sv)
    setup = shot(weapon=mind, distance_m=5, defender=victim(**changes))
    return play(game(setup, rulings), 20, 98, *faces)


def test_ep123_a_trauma_may_disorient() -> None:
    # Lucidity 30, trauma threshold 6; WIL 45 - 10 for the trauma.
    assert dict(scared(6, 35).final.conditions) == {}
    assert dict(scared(6, 36).final.conditions) == {"disoriented": 1}
    assert dict(scared(5).final.conditions) == {}


@pytest.mark.parametrize(
    ("die", "name"),
    [(1, "enraged"), (2, "enraged"), (3, "fleeing"), (4, "fleeing"), (5, "detached"),
     (6, "detached")],
)  # fmt: skip
def test_ep123_two_at_once_bring_acute_stress(die: int, name: str) -> None:
    assert dict(scared(12, 25).final.conditions) == {"disoriented": 1}  # 45 - 20
    assert dict(scared(12, 26, die).final.conditions) == {name: LASTING}


def test_ep125_stress_has_its_own_words() -> None:
    fields = {field.name: field for field in SYSTEM.fields}

    def told(done: Any) -> dict[str, object]:
        names = ("wounds", "traumas", "total", "total_stress", "breakdown", "insane", "dead",
                 "incapacitated", "unconscious")  # fmt: skip
        return {name: fields[name].of(done) for name in names}

    nothing = dict.fromkeys(
        ("wounds", "total", "dead", "incapacitated", "unconscious", "insane", "breakdown"), 0
    )
    assert told(scared(6, 35)) == {**nothing, "traumas": 1, "total_stress": 6}
    full = told(scared(6, stress=24))
    assert full == {**nothing, "traumas": 1, "total_stress": 30, "breakdown": True}
    lost = told(scared(60))
    assert lost == {
        **nothing, "traumas": 10, "total_stress": 60, "breakdown": True, "insane": True
    }  # fmt: skip
    kill = next(one for one in SYSTEM.objectives if one.name == "kill")
    assert kill.utility(scared(60)) == 0


# -- conditions act --------------------------------------------------------------------------


def test_ep115_on_those_who_attack() -> None:
    rows = {
        "stunned": -30, "impaired_10": -10, "impaired_20": -20, "impaired_30": -30, "deafened": 0,
    }  # fmt: skip
    for name, modifier in rows.items():
        assert attack_tn(shot(attacker=shooter(conditions=(name,)))) == 70 + modifier, name
    both = shooter(conditions=("impaired_10", "impaired_30"))
    assert attack_tn(shot(attacker=both)) == 40  # the worst counts
    for name in ("dazed", "disoriented", "fleeing", "incapacitated", "detached"):
        with pytest.raises(SetupError, match=f"is {name} and can't attack"):
            attack_tn(shot(attacker=shooter(conditions=(name,))))


def test_ep115_on_those_who_defend() -> None:
    rows = {"stunned": -30, "impaired_20": -20, "dazed": 0, "fleeing": 0, "disoriented": 0}
    for name, modifier in rows.items():
        hurt = victim(conditions=(name,))
        assert defence_tn(blow(defender=hurt)) == 60 + modifier, name


def test_ep123_the_enraged_attack_in_spite_of_traumas() -> None:
    assert attack_tn(shot(attacker=shooter(traumas=2))) == 50
    assert attack_tn(shot(attacker=shooter(traumas=2, conditions=("enraged",)))) == 70
    assert defence_tn(blow(defender=victim(traumas=2, conditions=("enraged",)))) == 40


def test_ep115_the_confused() -> None:
    lost = shot(attacker=shooter(conditions=("confused",)))  # COG 45 - 30
    assert play(game(lost), 15, 99).astray is False
    gone = play(game(lost), 16, 74)
    assert (gone.astray, gone.final.hit) == (True, False)
    assert play(game(lost), 16, 75, 99).astray is False
    assert chance(game(lost), "astray") == F(84 * 75, 10_000)
    session = Session(game(blow(defender=victim(conditions=("confused",))), {}, "choose_defence"))
    assert offered(session) == ["fray", "none"]


# -- in fights -------------------------------------------------------------------------------


def test_ep115_conditions_of_an_attack_are_kept() -> None:
    zap = shot(weapon=pistol(traits=("shock",), **HARMLESS))
    at = declared(fresh(shooter()), fresh(victim()), zap)
    done = play(opened(at), 20, 98, 99)
    effect = FIGHT.effect(done, "target")
    assert effect.states == (("incapacitated", 1), ("stunned", 61))
    after = FIGHT.apply(victim(), condition(), effect)
    assert after == condition(damage=1, prone=True, states=effect.states)


def test_ep115_a55_turns_of_conditions() -> None:
    sheet = victim(weapons=(BLADE,))
    start = condition(states=(("incapacitated", 1), ("stunned", 2)))
    assert FIGHT.deeds(sheet, start) == ()
    one = FIGHT.begin_turn(sheet, start)  # the own turn that is lost
    assert one.states == (("incapacitated", 0), ("stunned", 1))
    assert FIGHT.deeds(sheet, one) == ()
    two = FIGHT.begin_turn(sheet, FIGHT.end_round(sheet, one))
    assert two.states == (("stunned", 0),)
    assert FIGHT.deeds(sheet, two) == (ATTACK,)
    assert FIGHT.begin_turn(sheet, two).states == ()
    rounds = start._replace(by_round=True)
    assert FIGHT.begin_turn(sheet, rounds) == rounds
    assert FIGHT.end_round(sheet, rounds).states == (("stunned", 1),)


def test_ep115_a_longer_condition_of_the_same_name_stays() -> None:
    before = condition(states=(("blinded", 1), ("stunned", 5)))
    after = FIGHT.apply(victim(), before, Effect(states=(("blinded", 3), ("stunned", 2))))
    assert after.states == (("blinded", 3), ("stunned", 5))


def test_ep93_the_entangled_break_free_with_a_check() -> None:
    sheet = victim(weapons=(BLADE,))
    held = condition(states=(("entangled", 1), ("grappled", LASTING)))
    assert FIGHT.deeds(sheet, held) == (BREAK_FREE,)
    setup = replace(blow(attacker=sheet, defender=sheet))
    scene = Scene(setup, BREAK_FREE, held, held, None, Rulings())
    at = FIGHT.declare(scene)
    for face, free in ((50, True), (51, False)):  # SOM 60 - 10
        done = play(opened(at), face)
        after = FIGHT.apply(sheet, held, FIGHT.effect(done, "target"))
        assert after == (condition() if free else held)


def test_ep36_nobody_defends_while_a_shock_lasts() -> None:
    out = fresh(victim(), states=(("incapacitated", 1), ("stunned", 61)))
    x = facts_of(Session(opened(declared(fresh(shooter()), out, shot()))))
    assert x.targets[0].tn is None


@pytest.mark.parametrize(
    ("now", "fate"),
    [
        ({"states": (("fleeing", LASTING),)}, "fled"),
        ({"states": (("detached", LASTING),)}, "out"),
        ({"stress": 30}, "out"),
        ({"stress": 60}, "insane"),
        ({"states": (("fleeing", 1),)}, "standing"),
    ],
)
def test_ep125_how_the_mind_leaves_a_fight(now: dict[str, Any], fate: str) -> None:
    here = Condition(dies_at=53, bleeds="wounded")._replace(**now)
    assert FIGHT.fate(victim(), here) == fate
    assert FIGHT.is_out(victim(), here) is (fate != "standing")
