"""What an attack leaves behind, and what of the fight before it needs to know."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, cast

import pytest

from affray.core.fight import UNKNOWN
from affray.core.node import At, Chance
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.condition import Effect
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.hints import HINTS, NEEDED
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .factory import (
    blade,
    blow,
    facts_of,
    pistol,
    play,
    shooter,
    shot,
    victim,
)
from .fighting import (
    ATTACKED,
    HIT,
    HOUSE_RULE,
    MIND,
    MISS,
    SHOOTER,
    SPENDING,
    VICTIM,
    F,
    Held,
    Settled,
    declared,
    effects,
    enter,
    fresh,
    opened,
)

# -- damage held back ------------------------------------------------------------------------

DEFENDERS: dict[str, tuple[Combatant, dict[str, Any]]] = {
    "fresh": (victim(kinetic=6, mental=2), {}),
    "hurt": (victim(kinetic=6, mental=2, ignore_wounds=1), {
        "damage": 20, "wounds": 2, "stress": 14, "traumas": 1}),
    "rich": (victim(kinetic=6, vigor=2, moxie=1), {"damage": 20, "wounds": 1}),
    "bot": (victim(body="bot", kinetic=6), {"damage": 30, "wounds": 1}),
    "helpless": (victim(conditions=("immobilized",)), {"damage": 12}),
}  # fmt: skip
LONG = ("melee", "knockdown", "psi-stress")
"""Attacks by which points after the rolls are followed; others add nothing but places to that."""
APART = [
    (attacked, whose, spending)
    for attacked, whose, spending in product(ATTACKED, DEFENDERS, SPENDING)
    if (whose == "rich") == (spending != "nothing")
    and (spending != "after" or attacked in LONG)
    and not (whose == "bot" and attacked.startswith("psi"))  # it works on the living
]


def suffered_apart(
    setup: Setup, whose: str, rulings: Held, settled: Settled
) -> Iterator[dict[object, Fraction]]:
    """What befalls both: with the real damage, and with it held back.

    All that the target is put out by counts as one; after that only the damage matters.
    """
    sheet, changes = DEFENDERS[whose]
    other = fresh(sheet, **changes)
    one = fresh(SHOOTER)
    if "spend_before_attack" in settled:
        one = fresh(shooter(vigor=1, moxie=1))
    elif "spend_after_defence" in settled:
        one = fresh(
            shooter(guns=35, melee=35, psi=35)
        )  # few numbers to be beaten, all of them told
    is_stress = setup.weapon is not None and setup.weapon.harm == "stress"
    standing = sheet.lucid - other[1].stress if is_stress else FIGHT.vitals(*other)
    for held in (None, UNKNOWN):
        found: dict[object, Fraction] = {}
        at = declared(one, other, setup, rulings, held=held)
        for (mine, theirs), chance in effects(at, **settled).items():
            key: object = (mine, theirs)
            if theirs.net >= standing:
                key = (mine, "out", theirs.net, theirs.wounds)
            found[key] = found.get(key, F(0)) + chance
        yield found


@pytest.mark.parametrize(("attacked", "whose", "spending"), APART, ids=map("-".join, APART))
def test_ep64_damage_held_back_changes_nothing_for_who_is_not_put_out(
    attacked: str, whose: str, spending: str
) -> None:
    setup, settled = ATTACKED[attacked]
    for rulings in [{}] if spending == "after" else [{}, HOUSE_RULE]:
        real, apart = suffered_apart(setup, whose, rulings, {**settled, **SPENDING[spending]})
        assert real == apart
        assert len(real) > 2


def test_ep64_held_back_damage_is_not_in_the_facts() -> None:
    starts = {
        declared(fresh(SHOOTER), fresh(VICTIM, damage=damage, stress=stress), shot(), held=UNKNOWN)
        for damage, stress in ((0, 0), (20, 0), (0, 12))
    }
    assert len(starts) == 1
    assert HINTS.hidden.part(enter(VICTIM, damage=20, stress=12)) == (20, 12)
    others: list[dict[str, Any]] = [
        {"wounds": 1},
        {"traumas": 1},
        {"prone": True},
        {"exposed": True},
        {"pools": (1,) * 5},
    ]
    for changes in others:
        at = declared(fresh(SHOOTER), fresh(VICTIM, **changes), shot(), held=UNKNOWN)
        assert at not in starts, changes


def test_ep64_held_damage_is_what_the_exchange_counts_from() -> None:
    other = fresh(VICTIM, damage=30, stress=20)
    for setup, before, limit in ((shot(weapon=pistol(d10=0, flat=3)), 30, 33), (MIND, 20, 26)):
        at = declared(fresh(SHOOTER), other, setup)
        outcome = play(opened(at), *HIT)
        assert outcome.final.total == limit
        assert outcome.final.total - outcome.final.net == before


@pytest.mark.parametrize("rulings", [{}, HOUSE_RULE], ids=["checks", "modifiers"])
def test_ep67_wounds_that_no_check_reads_leave_the_facts(rulings: Held) -> None:
    """Wounds and the modifiers they make: with a helpless target only checks could tell."""
    sheet = victim(conditions=("immobilized",))
    seen = set()
    for wounds in (0, 1, 2):
        whole = opened(declared(fresh(SHOOTER), fresh(sheet, wounds=wounds), shot(), rulings))
        place = cast("At[Exchange]", Session(whole).here)
        node = place.step.rule(place.facts)
        assert isinstance(node, Chance)
        assert HINTS.forget is not None
        assert HINTS.needed is not None
        assert facts_of(Session(whole)).targets[0].wounds == wounds
        seen.add(HINTS.forget(node, HINTS.needed).then)
    assert len(seen) == (1 if rulings else 3)


# -- what an attack leaves behind ------------------------------------------------------------


def test_nothing_comes_of_a_miss() -> None:
    for setup in (shot(), blow(), MIND):
        outcome = play(opened(declared(fresh(SHOOTER), fresh(VICTIM), setup)), *MISS)
        assert FIGHT.effect(outcome, "actor") == Effect()
        assert FIGHT.effect(outcome, "target") == Effect()


def test_a_hit_that_armor_stops_is_as_good_as_a_miss() -> None:
    for setup in (shot(weapon=pistol(d10=0, flat=6)), MIND, blow(weapon=blade(d10=0))):
        other = fresh(victim(kinetic=6, mental=6))
        outcome = play(opened(declared(fresh(SHOOTER), other, setup)), *HIT)
        assert outcome.final.hit
        assert FIGHT.effect(outcome, "target") == Effect()


def test_equal_harm_is_an_equal_effect() -> None:
    """A plain hit and one with a superior success, for as much; a critical and two dice."""
    one, other = fresh(SHOOTER), fresh(VICTIM)
    at = declared(one, other, shot(weapon=pistol(d10=1)))
    ways = [(20, 98, 6), (40, 98, 2, 4), (44, 98, 3)]
    found = {FIGHT.effect(play(opened(at), *faces), "target") for faces in ways}
    assert found == {Effect(6)}
    assert FIGHT.harm(Effect(6)) == 6


def test_the_attacker_suffers_one_thing_whatever_the_dice_show() -> None:
    for setup, settled in ATTACKED.values():
        found = effects(declared(fresh(SHOOTER), fresh(VICTIM), setup, held=UNKNOWN), **settled)
        wild = settled.get("choose_style") == "damage"
        assert {mine for mine, _ in found} == {Effect(exposed=wild)}


def test_what_effects_do_not_read_may_be_forgotten() -> None:
    for setup, settled in ATTACKED.values():
        other = fresh(victim(vigor=1, moxie=1), damage=10, wounds=1)
        spending = {**settled, **SPENDING["before"]}
        at = declared(fresh(shooter(flex=1)), other, setup, held=UNKNOWN)
        assert effects(at, needed=NEEDED, **spending) == effects(at, **spending)
