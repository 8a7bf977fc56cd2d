"""Ducking behind cover, as a quick action of a whole turn (H-4)."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.node import At, Choice, Facts
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import Plan
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.condition import Condition, Rare
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .factory import BY_ATTACKS, QUIET, SYSTEM, pistol, play, shooter, shot, victim

WHOLE = Rulings.pick(SYSTEM.rulings, {"turns": "actions"})
GUN = pistol(d10=0, flat=90)
ONE = shooter(name="one", guns=70, fray=0, weapons=(GUN,))
CRATES = shooter(name="other", guns=70, fray=0, weapons=(GUN,), cover_near="moderate")
HABITS: dict[str, tuple[str, ...]] = {
    **QUIET, "choose_quick": ("none",), "choose_move": ("stay",), "choose_action": ("attack",),
    "declare_attack": (GUN.name,),
}  # fmt: skip


def enter(sheet: Combatant, *, covered: bool = False) -> Condition:
    begun = FIGHT.enter(sheet, WHOLE)
    return begun._replace(rare=begun.rare._replace(covered=covered))


def turn(
    one: Combatant, mine: Condition, other: Combatant, theirs: Condition, **situation: Any
) -> At[Facts]:
    setup: Setup = replace(shot(attacker=one, defender=other), weapon=None, **situation)
    return cast("At[Facts]", FIGHT.declare(Scene(setup, ATTACK, mine, theirs, None, WHOLE)))


def settled(at: At[Facts], **done: str) -> Game:
    chosen = {**HABITS, **{step: (name,) for step, name in done.items()}}
    return Game(SYSTEM, at).settle(chosen)


def attack_tn(at: At[Facts], **done: str) -> int:
    for entry in Session(settled(at, **done)).steps_taken:
        facts = entry.after.facts
        if isinstance(facts, Exchange) and facts.attack is not None:
            return facts.attack.tn
    raise AssertionError("no attack")


def quick(at: At[Facts]) -> list[str]:
    session = Session(settled(at))
    met = next(entry.at for entry in session.steps_taken if entry.at.step.name == "choose_quick")
    choice = met.step(met.facts)
    return [option.name for option in choice.options] if isinstance(choice, Choice) else []


@pytest.mark.parametrize(
    ("near", "around", "tn"),
    [("minor", "none", 60), ("moderate", "none", 50), ("major", "none", 40),
     ("moderate", "major", 40), ("major", "minor", 40)],
)  # fmt: skip
def test_ep77_shots_at_somebody_who_has_ducked(near: Any, around: str, tn: int) -> None:
    """The better of both covers counts."""
    hides = replace(CRATES, cover_near=near)
    for covered, expected in ((True, tn), (False, {"none": 70, "minor": 60, "major": 40}[around])):
        at = turn(ONE, enter(ONE), hides, enter(hides, covered=covered), cover=around)
        assert attack_tn(at) == expected


def test_ep77_shots_from_cover() -> None:
    """Ducked now or before: -10. Whoever comes out of it fires freely."""
    before = turn(CRATES, enter(CRATES, covered=True), ONE, enter(ONE))
    assert quick(before) == ["none", "rise", "aim"]
    assert attack_tn(before) == 60
    assert attack_tn(before, choose_quick="rise") == 70
    now = turn(CRATES, enter(CRATES), ONE, enter(ONE))
    assert quick(now) == ["none", "duck", "aim"]
    assert attack_tn(now, choose_quick="duck") == 60
    anyway = turn(CRATES, enter(CRATES, covered=True), ONE, enter(ONE), attacker_cover=True)
    assert attack_tn(anyway, choose_quick="rise") == 60
    assert quick(turn(ONE, enter(ONE), CRATES, enter(CRATES))) == ["none", "aim"]


@pytest.mark.parametrize(
    ("covered", "done", "after"),
    [
        (False, {"choose_quick": "duck"}, True), (False, {}, False), (True, {}, True),
        (True, {"choose_quick": "rise"}, False), (True, {"choose_move": "back"}, False),
        (False, {"choose_quick": "duck", "choose_move": "back"}, False),
    ],
)  # fmt: skip
def test_ep28_cover_lasts_until_somebody_moves_or_comes_out(
    covered: bool, done: dict[str, str], after: bool
) -> None:
    here = enter(CRATES, covered=covered)
    whole = settled(turn(CRATES, here, ONE, enter(ONE)), **done)
    left = FIGHT.apply(CRATES, here, FIGHT.effect(play(whole, 99), "actor"))
    assert left.rare.covered is after
    told = {line.label: line.value for line in FIGHT.told(CRATES, left)}
    assert ("behind cover" in cast("tuple[str, ...]", told["stance"])) is after


def duel(**other: Any) -> Contest:
    """Each hit kills; who has ducked is hit by 50, fires at 60."""
    plans = [Plan("first", tuple({**HABITS, "choose_quick": names}.items()))
             for names in (("none",), ("duck", "none"))]  # fmt: skip
    hides = replace(CRATES, **other)
    setup: Setup = replace(shot(attacker=ONE, defender=hides), weapon=None)
    sides = Side("one", (ONE,), setup, plans[0]), Side("other", (hides,), setup, plans[1])
    return Contest(SYSTEM, sides, WHOLE, first="other")


def test_ep28_a_duel_from_behind_crates_by_hand() -> None:
    """A shot needs 60 from cover, and 50 at it.

    Fray 0 holds with 00 alone, a critical success that only another one overcomes.
    """
    fires, struck = (
        Fraction(99 * (tn + 1) + sum(face % 11 == 0 for face in range(tn + 1)), 10_000)
        for tn in (60, 50)
    )
    won = fires / (1 - (1 - fires) * (1 - struck))
    assert Duel(duel()).solve().won[1] == pytest.approx(float(won), abs=1e-12)
    sampled = Battle(duel(), rounds=50).run(4_000, seed=7).won[1].value
    assert abs(sampled - float(won)) < 5 * (float(won * (1 - won)) / 4_000) ** 0.5


def test_ep28_cover_is_for_whole_turns() -> None:
    with pytest.raises(SetupError, match="only whole turns have"):
        FIGHT.enter(CRATES, BY_ATTACKS)
    assert FIGHT.mended is not None
    ducked = FIGHT.mended(CRATES, enter(CRATES), "stance", "behind cover")
    assert ducked.rare == Rare(economy=True, covered=True)
    with pytest.raises(SetupError, match="cover_near"):
        FIGHT.mended(victim(), enter(victim()), "stance", "behind cover")
