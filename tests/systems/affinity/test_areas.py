"""Areas and chosen targets: all whom an attack reaches defend, in exchanges, fights and battles."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, cast

import pytest

from affray.app.played_view import names_in
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from affray.systems.affinity.changes import helped
from affray.systems.affinity.sheet import Action, Ally, Combatant, Layer, Setup
from affray.systems.affinity.state import Condition, Exchange

from .factory import SYSTEM, attack, game, held_to, joint, mean, played, striker

F = Fraction
BURST = Action(name="burst", type="fire", reach="ranged", shape="area", required=1, base=1)
MAGE = striker(BURST, universal=(), level=1)
FRAIL = Combatant(name="frail", body="fragile", hd=1, hd_max=1, universal=())
QUIET = {"choose_action": ("burst",), "choose_exertion": ("0",)}


def cast_at(*targets: Combatant, yards: tuple[int, ...] = (), by: Combatant = MAGE) -> Setup:
    """An attack on the first of them; the others stand beside, or so many yards away."""
    apart = yards or (0,) * (len(targets) - 1)
    allies = tuple(
        Ally(combatant=one, distance_yd=n) for one, n in zip(targets[1:], apart, strict=True)
    )
    return Setup(attacker=by, defender=targets[0], distance_yd=20, allies=allies)


def lost_by_hand(
    capacities: tuple[int, ...], base: int, *, extra: bool
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """What frail ones lose, face by face: one attack die, and their own d6s, 5 or more cancel.

    Args:
        capacities: dice of each defender.
        base: damage of a success. extra: whether the second success of a 6 adds a point.
    """
    faces = product(range(1, 7), repeat=1 + sum(capacities))
    chance = F(1, 6 ** (1 + sum(capacities)))
    for first, *dice in faces:
        damage = 0 if first == 1 else base + (extra and first == 6)
        lost, rest = [], dice
        for capacity in capacities:
            mine, rest = rest[:capacity], rest[capacity:]
            lost.append(min(1, max(0, damage - sum(face >= 5 for face in mine))))
        yield tuple(lost), chance


def summed(rows: Iterator[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for key, chance in rows:
        found[key] = found.get(key, F(0)) + chance
    return found


BOTH = summed(lost_by_hand((1, 1), 1, extra=False))
"""What two frail ones lose to one burst that adds no damage."""


# -- one exchange ----------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "extra"), [("spread", False), ("damage", True)])
def test_af75_one_roll_and_each_defends_alone(reading: str, extra: bool) -> None:
    by_hand = summed(lost_by_hand((1, 1), 1, extra=extra))
    made = attack(cast_at(FRAIL, FRAIL), rulings={"area_damage": reading})
    assert joint(made, "hd_lost", "others_lost") == by_hand
    assert mean(made, "others") == F(5, 6)  # a 1 misses, and reaches nobody


def test_af75_three_targets_of_different_capacity() -> None:
    able = replace(FRAIL, level=5, proficiency=3)  # two dice
    by_hand = summed(
        ((one, two + three), p) for (one, two, three), p in lost_by_hand((1, 2, 1), 2, extra=False)
    )
    made = attack(cast_at(FRAIL, able, FRAIL, by=striker(replace(BURST, base=2), universal=())))
    assert joint(made, "hd_lost", "others_lost") == by_hand


def test_af31_af75_types_of_damage_count_for_each_by_himself() -> None:
    immune = replace(FRAIL, immune=("fire",))
    hit = F(5, 6) * F(2, 3)
    assert joint(attack(cast_at(immune, FRAIL)), "hd_lost", "others_lost") == {
        (0, 1): hit, (0, 0): 1 - hit,
    }  # fmt: skip
    assert joint(attack(cast_at(FRAIL, immune)), "hd_lost", "others_lost") == {
        (1, 0): hit, (0, 0): 1 - hit,
    }  # fmt: skip


def test_af75_who_stands_outside_is_reached_once_the_area_has_grown() -> None:
    """Two dice, of which a 6 counts twice: three successes are two more than are needed."""
    mage = striker(BURST, level=3, universal=())
    made = attack(cast_at(FRAIL, FRAIL, yards=(8,), by=mage))
    both = list(product(range(1, 7), repeat=2))
    successes = [sum(face >= 2 for face in faces) + faces.count(6) for faces in both]
    reached = F(sum(n >= 3 for n in successes), 36)
    assert mean(made, "others") == reached
    assert mean(attack(cast_at(FRAIL, FRAIL, yards=(11,), by=mage)), "others") == 0
    wide = replace(mage, actions=(replace(BURST, area_yd=11),))
    assert mean(attack(cast_at(FRAIL, FRAIL, yards=(11,), by=wide)), "others") == F(35, 36)


def test_af75_further_chosen_targets_are_the_nearest() -> None:
    mage = striker(replace(BURST, shape="select"), level=3, universal=())
    made = cast_at(FRAIL, FRAIL, FRAIL, yards=(9, 3), by=mage)
    x = ended(made, 6, 1, 1, 1, options=("more",))
    assert x.targets == 1
    assert [place for place, _ in helped(x)] == [1]
    assert x.lost == 1


def test_af75_single_attacks_and_the_fallen_are_left_alone() -> None:
    blow = replace(BURST, shape="single")
    made = attack(cast_at(FRAIL, FRAIL, by=striker(blow, universal=())))
    assert mean(made, "others") == 0
    fallen = replace(FRAIL, hd=0)
    assert mean(attack(cast_at(FRAIL, fallen)), "others") == 0


def ended(made: Setup, *faces: int, options: tuple[str, ...] = ()) -> Exchange:
    """The outcome of an exchange played with these faces."""
    session = played(game(made).settle(QUIET), *faces, options=options)
    assert session.outcome is not None
    return cast("Exchange", session.outcome)


def test_af27_af75_layers_and_loss_of_each_are_their_own() -> None:
    armored = replace(FRAIL, layers=(Layer(die=8, temp_hd=5),), hd=2, hd_max=2)
    x = ended(cast_at(armored, replace(armored, name="other")), 4, 3, 2, 7)
    ((place, effect),) = helped(x)
    assert (place, effect.lost, effect.layers) == (0, 1, ())  # d8: 3, then d6: 2
    assert (x.lost, x.layers) == (0, None)  # d8: 7 holds


def test_af41_af75_an_ally_intervenes_once_against_an_area() -> None:
    """Two dice save the one beside; the guard then takes the fire, and nobody asks again."""
    guard = replace(FRAIL, name="guard", level=3, universal=("intervene",))
    x = ended(cast_at(FRAIL, FRAIL, guard), 4, 4, 1, 1, 1, options=("intervene",))
    effects = dict(helped(x))
    assert (x.lost, effects[0].lost, effects[1].lost) == (1, 0, 1)
    assert (effects[0].deed, effects[1].deed) == ("", "intervene")


# -- fights ----------------------------------------------------------------------------------


def contest(*foes: Combatant, by: Combatant = MAGE, **picks: str) -> Contest:
    one = Setup(attacker=by, defender=foes[0], distance_yd=20)
    other = Setup(attacker=foes[0], defender=by, distance_yd=20)
    plan = Plan("first", tuple(QUIET.items()))
    sides = Side("one", (by,), one, plan), Side("other", foes, other, plan, idle=True)
    return Contest(SYSTEM, sides, held_to(picks), first="one")


def turn_by_hand(chances: Mapping[tuple[int, ...], Fraction]) -> dict[tuple[int, int], Fraction]:
    """Who of two frail ones has fallen after a turn of two bursts, each at whoever stands."""
    alone = F(5, 6) * F(2, 3)
    found: dict[tuple[int, int], Fraction] = {}
    for fallen, p in chances.items():
        if fallen == (0, 0):
            then: Mapping[tuple[int, ...], Fraction] = chances
        elif fallen == (1, 1):
            then = {(0, 0): F(1)}
        else:
            then = {(1 - fallen[0], 1 - fallen[1]): alone, (0, 0): 1 - alone}
        for more, q in then.items():
            key = fallen[0] + more[0], fallen[1] + more[1]
            found[key] = found.get(key, F(0)) + p * q
    return found


def test_af75_a_battle_has_the_chances_of_brute_force() -> None:
    fight, n = contest(FRAIL, FRAIL), 8_000
    expected = float(turn_by_hand(BOTH)[1, 1])
    result = Battle(fight, rounds=1).run(n, seed=2)
    won = result.won[0].value
    assert abs(won - expected) < 5 * (expected * (1 - expected) / n) ** 0.5


def test_af75_a_duel_is_that_of_a_single_attack() -> None:
    """With nobody else about: a burst fells with 5/6 of 2/3, twice a turn."""
    fells = F(5, 6) * F(2, 3)
    solved = Duel(contest(FRAIL)).solve(rounds=1)
    assert float(solved.won[0]) == pytest.approx(float(1 - (1 - fells) ** 2))


def test_af75_a_played_burst_reaches_all_who_stand_there() -> None:
    """Three of a kind: each defends with its own die, by its own name; the one aimed at last."""
    session = FightSession(contest(FRAIL, FRAIL, FRAIL)).answer("attack: frail 2")
    faces = iter(((3,), (1,), (5,), (2,)))
    names = []
    while session.question is not None and session.question.kind == "exchange":
        here = session.question
        if here.ask.startswith("defend"):
            assert here.fighter is not None
            names.append(session.position.name(here.fighter))
        session = session.answer(next(faces) if here.dice is not None else here.options[0].name)
        if any(event.kind == "exchange" for event in session.log):
            break
    assert names == ["frail 1", "frail 3", "frail 2"]
    assert [cast("Condition", one).now.hd for one in session.conditions[1]] == [0, 0, 1]
    (done,) = [event for event in session.log if event.kind == "exchange"]
    assert done.session is not None
    told = " ".join(line.says for line in done.session.log)
    assert "frail 1" in told.lower()
    assert "frail 1 is down" in told.lower()
    assert names_in(session.position, done.fighter, done.target, done.session)[2:] == (
        ("defender 2", "frail 1"), ("defender 3", "frail 3"),
    )  # fmt: skip
