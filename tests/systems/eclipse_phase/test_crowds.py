"""Blasts in a fight: whoever stands near their target is caught as well."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from affray.app.played_view import names_in
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.node import At, Facts
from affray.engine.exchange.flow import flow
from affray.engine.exchange.game import Game
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import FighterId
from affray.engine.fight.matchup import Encounter
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.blast import Area, Blast, scatter_dice
from affray.systems.eclipse_phase.condition import Condition, Effect
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.hints import NEEDED
from affray.systems.eclipse_phase.sheet import Combatant

from .factory import BY_ATTACKS, QUIET, SYSTEM, joint, pistol, shooter, shot, victim
from .factory import game as single
from .fighting import refuse_open, summed

F = Fraction
CHARGE = Weapon(
    name="charge", form="thrown", skill="athletics", armor="energy", flat=9,
    blast=Blast(shape="uniform", radius_m=2, falloff=3),
)  # fmt: skip
THROWER = shooter(name="Thrower", athletics=60, weapons=(CHARGE,))
PLAN = Plan("first", tuple(QUIET.items()))


def drone(name: str, *place: float, **changes: Any) -> Combatant:
    known: dict[str, Any] = {
        "body": "bot",
        "fray": 30,
        "wound_threshold": 0,
        "durability": 9,
        "energy": 0,
    }
    made = victim(name=name, stands_m=place, **{**known, **changes})
    return replace(made, pieces=(), weapons=(pistol(),))


MIDDLE, LEFT, BACK = drone("Middle", 0, 0), drone("Left", -2, 0), drone("Back", 3, 4)


def contest(*drones: Combatant, one: Combatant = THROWER, meters: int = 8) -> Contest:
    setup = replace(shot(attacker=one, defender=drones[0], distance_m=meters), weapon=None)
    sides = Side("one", (one,), setup, PLAN), Side("other", drones, setup, PLAN, idle=True)
    return Contest(SYSTEM, sides, BY_ATTACKS, first="one")


def begun(*drones: Combatant, one: Combatant = THROWER) -> At[Facts]:
    """An attack on the first of them, among the others."""
    setup = replace(shot(attacker=one, defender=drones[0], distance_m=8), weapon=None)
    now = [(who, FIGHT.enter(who, BY_ATTACKS)) for who in drones]
    context = FIGHT.context(now[1:])
    scene = Scene(setup, ATTACK, FIGHT.enter(one, BY_ATTACKS), now[0][1], context, BY_ATTACKS)
    return cast("At[Facts]", FIGHT.declare(scene))


def nets(*drones: Combatant) -> dict[tuple[int, ...], Fraction]:
    """Damage to the target and to those around it, with nothing left out."""
    return told(begun(*drones))


def told(at: At[Facts]) -> dict[tuple[int, ...], Fraction]:
    """Damage to the target of an exchange and to those around it."""
    whole = Game(SYSTEM, at).settle(QUIET)
    found: dict[tuple[int, ...], Fraction] = {}
    for outcome, chance in summed(flow(whole, refuse_open(whole), needed=NEEDED)).items():
        others = dict(FIGHT.helped(outcome))
        key = FIGHT.effect(outcome, "target").net, *(others[n].net for n in sorted(others))
        found[key] = found.get(key, F(0)) + chance
    return found


def test_ep102_a_blast_in_a_fight_is_a_single_attack_on_all_of_them() -> None:
    """The same as `others` with places seen from the target."""
    placed = [replace(who, stands_m=(), place_m=who.stands_m) for who in (LEFT, BACK)]
    aimed_at = replace(MIDDLE, stands_m=(), place_m=(0, 0))
    alone = shot(
        attacker=THROWER, defender=aimed_at, distance_m=8, weapon=None, others=tuple(placed)
    )
    assert nets(MIDDLE, LEFT, BACK) == joint(single(alone), "net", "net_2", "net_3")


def test_ep102_ep103_on_target_by_hand() -> None:
    """Left at the edge gets away with Fray 15, the others take half; back is 3 m too far out.

    Athletics 60 hits on 0 to 60. Without a critical or superior success (33 to 60, no doubles):
    the middle takes 9 or 4, Left takes 9 or nothing.
    """
    found = nets(MIDDLE, LEFT, BACK)
    plain = F(sum(1 for face in range(33) if face % 11), 100)  # no superior success below 33
    dodged = F(16, 100)
    assert found[9, 9, 0] >= plain * (1 - dodged) ** 2
    both = {key for key in found if key[0] in {4, 5} and key[1] == 0}
    assert sum(found[key] for key in both) >= plain * dodged**2


def test_ep102_who_stands_where_counts_from_the_one_aimed_at() -> None:
    moved = [replace(who, stands_m=(who.stands_m[0] + 7, who.stands_m[1] - 3))
             for who in (MIDDLE, LEFT, BACK)]  # fmt: skip
    assert nets(*moved) == nets(MIDDLE, LEFT, BACK)
    far = [MIDDLE, replace(LEFT, stands_m=(-90, 0)), replace(BACK, stands_m=(0, 90))]
    assert {key[1:] for key in nets(*far)} == {(0, 0)}


def moved(*drones: tuple[Combatant, int]) -> dict[tuple[int, ...], Fraction]:
    """Damage to the target and to those around it, each after so many meters toward the thrower."""
    setup = replace(shot(attacker=THROWER, defender=drones[0][0], distance_m=80), weapon=None)
    now = [(who, FIGHT.enter(who, BY_ATTACKS)._replace(advance=far)) for who, far in drones]
    scene = Scene(setup, ATTACK, FIGHT.enter(THROWER, BY_ATTACKS), now[0][1],
                  FIGHT.context(now[1:]), BY_ATTACKS)  # fmt: skip
    return told(cast("At[Facts]", FIGHT.declare(scene)))


@pytest.mark.parametrize("far", [(72, 72, 72), (72, 0, 0), (72, 72, 0), (72, 70, 75)])
def test_ep102_a_blast_catches_those_whom_it_reaches_after_their_moves(
    far: tuple[int, int, int],
) -> None:
    """The same as if they had always stood there: meters toward the thrower are meters nearer."""
    drones = MIDDLE, LEFT, BACK
    there = [
        replace(who, stands_m=(who.stands_m[0], who.stands_m[1] - meters + 72))
        for who, meters in zip(drones, far, strict=True)
    ]
    assert moved(*zip(drones, far, strict=True)) == moved(*((who, 72) for who in there))
    if far == (72, 0, 0):
        assert {key[1:] for key in moved(*zip(drones, far, strict=True))} == {(0, 0)}


def test_ep102_shots_and_those_who_say_nothing_catch_nobody_else() -> None:
    gunner = replace(THROWER, weapons=(pistol(),))
    assert begun(MIDDLE, LEFT, one=gunner) == begun(MIDDLE, one=gunner)._replace(
        facts=begun(MIDDLE, LEFT, one=gunner).facts
    )
    hides = replace(LEFT, stands_m=())
    assert begun(MIDDLE, hides) == begun(MIDDLE)
    assert begun(hides, MIDDLE) == begun(hides)
    assert FIGHT.context([(hides, FIGHT.enter(hides, BY_ATTACKS))]) is None
    fallen = FIGHT.enter(LEFT, BY_ATTACKS)._replace(damage=9)
    assert FIGHT.context([(LEFT, fallen)]) is None
    with pytest.raises(SetupError, match="stands_m has 3 numbers"):
        drone("odd", 1, 2, 3)


def test_ep102_engines_have_the_odds_of_all_who_are_caught() -> None:
    fight = contest(MIDDLE, LEFT)
    one, two = FIGHT.enter(MIDDLE, BY_ATTACKS), FIGHT.enter(LEFT, BY_ATTACKS)
    found = fight.matchup(0, THROWER, MIDDLE).odds(
        Encounter(ATTACK, fight.enter(0, THROWER), one, FIGHT.context([(LEFT, two)]))
    )
    assert found is not None
    total: dict[tuple[int, int], Fraction] = {}
    for (_, target), helped, weight in zip(found.effects, found.helped, found.weights, strict=True):
        assert isinstance(target, Effect)
        ((place, other),) = helped
        assert place == 0
        assert isinstance(other, Effect)
        key = target.net, other.net
        total[key] = total.get(key, F(0)) + F(weight, found.total)
    assert total == nets(MIDDLE, LEFT)


def test_ep102_a_battle_has_the_chances_of_one_throw() -> None:
    """After one round both are out as often as the odds of a throw say."""
    fight, n = contest(MIDDLE, LEFT), 6_000
    expected = float(sum(chance for (one, two), chance in nets(MIDDLE, LEFT).items()
                         if one >= 9 and two >= 9))  # fmt: skip
    result = Battle(fight, rounds=1).run(n, seed=2)
    won = result.won[0].value
    assert abs(won - expected) < 5 * (expected * (1 - expected) / n) ** 0.5


def test_ep102_a_played_throw_brings_two_down() -> None:
    session = FightSession(contest(MIDDLE, LEFT, BACK)).answer("attack: Left")
    faces = iter(((20,), (99,), (99,)))  # the throw, and Fray of Left and of Middle
    while session.question is not None and session.question.kind == "exchange":
        asked = session.question
        session = session.answer(next(faces) if asked.dice is not None else asked.options[0].name)
    damage = [cast("Condition", one).damage for one in session.conditions[1]]
    assert damage == [9, 9, 0]
    assert [session.position.is_out(FighterId(1, n)) for n in range(3)] == [True, True, False]


def test_ep24_a_point_of_a_shared_pool_serves_one_of_those_caught() -> None:
    group: dict[str, Any] = {"threat": 1, "threat_group": "drones"}
    one, two = replace(MIDDLE, **group), replace(LEFT, **group)
    at = begun(one, two)
    declared = at.facts.declared  # type: ignore[attr-defined]
    assert declared.defender.threat_group == "drones"
    assert [who.threat_group for _, who in at.facts.crowd] == ["drones"]  # type: ignore[attr-defined]


def test_ep102_those_caught_answer_for_themselves_by_their_own_names() -> None:
    """Three of a kind: each rolls its own Fray, and the log calls it what the fight calls it."""
    trio = drone("Drone", 0, 0), drone("Drone", -2, 0), drone("Drone", 1, 0)
    session = FightSession(contest(*trio)).answer("attack: Drone 2")
    faces = iter(((20,), (99,), (0,), (99,)))  # the throw, then Fray: 2, 1 and 3
    asked_of = []
    while session.question is not None and session.question.kind == "exchange":
        asked = session.question
        if asked.ask == "Fray roll":
            assert asked.fighter is not None
            asked_of.append((asked.actor, session.position.name(asked.fighter)))
            assert session.side_of(asked.actor) == asked.side == 1
        session = session.answer(next(faces) if asked.dice is not None else asked.options[0].name)
    assert asked_of == [
        ("defender", "Drone 2"), ("defender 2", "Drone 1"), ("defender 3", "Drone 3"),
    ]  # fmt: skip
    assert [cast("Condition", one).damage for one in session.conditions[1]][1] == 9
    (done,) = [event for event in session.log if event.kind == "exchange"]
    assert done.session is not None
    told = " ".join(line.says for line in done.session.log)
    assert "Drone 1 gets away" in told
    assert "Drone 3: DV" in told
    assert "(2)" not in told
    assert names_in(session.position, done.fighter, done.target, done.session)[2:] == (
        ("defender 2", "Drone 1"), ("defender 3", "Drone 3"),
    )  # fmt: skip


def test_ep104_a_scatter_names_those_whose_direction_is_rolled() -> None:
    area = Area("centered", spots=(3.0, (1.0, 1.0), 4.0))
    labels = scatter_dice(area, ("Left", "Middle", "Back")).labels
    assert labels == ("direction", "meters", "direction of Left", "direction of Back")


@pytest.mark.parametrize(("meters", "told"), [(3, True), (4, True), (5, False), (8, False)])
def test_ep102_whoever_throws_within_reach_of_the_blast_is_told(meters: int, told: bool) -> None:
    """DV 9 at most, all of it within 2 m, 3 less for each whole meter outside: none left at 5 m."""
    session = FightSession(contest(MIDDLE, meters=meters))
    session = session.answer("attack: Middle")
    while session.question is not None and session.question.dice is None:
        session = session.answer(session.question.options[0].name)
    assert session.exchange is not None
    words = " ".join(line.says for line in session.exchange.log)
    assert ("may reach Thrower; the GM settles that" in words) == told
