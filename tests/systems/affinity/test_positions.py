"""Yards in a fight: the free move, closing in, who is close enough to help."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import At, Facts
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import odds
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.played.play import play_battle
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.fight import FIGHT, HEAL
from affray.systems.affinity.positions import Footing, footing
from affray.systems.affinity.sheet import Action, Combatant, Setup
from affray.systems.affinity.state import CombatantState, Condition, Exchange
from tests.oracles import affinity as oracle
from tests.systems.walking import Walk, settled, walked

from .factory import BLADE, MEND, SLOWED, STRIKER, SYSTEM, TARGET, held_to

F = Fraction
RUNNER = replace(STRIKER, universal=("dash", "march"), hd=3, hd_max=3)
FOE = replace(STRIKER, name="foe", universal=("dash",))
BOW = Action(name="bow", weapon="ranged_light", reach="ranged", max_yd=40)
GUARD = Combatant(name="guard", level=3, hd=5, hd_max=5, actions=(BLADE,), universal=("intervene",))


def stands(sheet: Combatant, **changes: Any) -> Condition:
    condition = FIGHT.enter(sheet, held_to({}))
    return condition._replace(now=condition.now._replace(**changes))


def declared(
    one: Condition,
    other: Condition,
    *,
    deed: Deed = ATTACK,
    context: Hashable = (),
    sheets: tuple[Combatant, Combatant] = (RUNNER, FOE),
    **situation: Any,
) -> At[Exchange]:
    setup = Setup(attacker=sheets[0], defender=sheets[1], **situation)
    return FIGHT.declare(Scene(setup, deed, one, other, context, held_to({})))


def walk(at: At[Exchange], **picks: Any) -> Walk:
    return walked(FIGHT, at, settled(**picks))


# -- how far one stands ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("yards", "changes", "wanted"),
    [
        (5, {}, Footing(5)),
        (6, {}, Footing(0, 6, 1)),
        (10, {}, Footing(0, 10, 1)),
        (15, {}, Footing(5, 10, 1)),
        (16, {}, Footing(6, 10, 1, closes=True)),
        (10, {"walked": True}, Footing(10, 0, 1, closes=True)),
        (10, {"conditions": (SLOWED,)}, Footing(5, 5, 1)),
        (11, {"conditions": (SLOWED,)}, Footing(6, 5, 1, closes=True)),
        (60, {"gone": 40}, Footing(10, 10, 1, closes=True)),
        (60, {"gone": 80}, Footing(0)),
    ],
)
def test_af78_the_free_move_is_used_where_a_blow_needs_it(
    yards: int, changes: dict[str, Any], wanted: Footing
) -> None:
    setup = Setup(attacker=RUNNER, defender=FOE, distance_yd=yards)
    both = (CombatantState(**changes), CombatantState())
    assert footing(setup, both, held_to({})) == wanted


def test_af70_whoever_shoots_stays_where_they_are() -> None:
    archer = replace(RUNNER, actions=(BOW,))
    setup = Setup(attacker=archer, defender=FOE, distance_yd=40)
    both = (CombatantState(), CombatantState())
    assert footing(setup, both, held_to({})) == Footing(40)
    far = replace(setup, distance_yd=50)
    assert footing(far, both, held_to({})) == Footing(40, 10, 1)
    out = footing(replace(setup, distance_yd=51), both, held_to({}))
    assert out == Footing(41, 10, 1, closes=True)


def test_af72_difficult_ground_halves_the_free_move() -> None:
    setup = Setup(attacker=RUNNER, defender=FOE, distance_yd=20, difficult=True)
    both = (CombatantState(), CombatantState())
    assert footing(setup, both, held_to({})) == Footing(15, 5, 1, closes=True)


# -- closing in ------------------------------------------------------------------------------


def test_af78_out_of_reach_one_closes_in() -> None:
    found = walk(declared(stands(RUNNER), stands(FOE), distance_yd=60), choose_exertion="0")
    assert found.offered["close_in"] == ("dash", "march")
    gone = {mine.gone: p for (mine, _), p in found.effects.items()}
    assert gone == {10: F(1, 6), 20: F(5, 6)}  # ten yards free, ten more with a success
    assert all(mine.walked for mine, _ in found.effects)


def test_af45_af78_what_is_left_of_the_distance_after_a_free_move_and_a_dash() -> None:
    """Of 60 yards ten are free, and a dash takes ten more unless its one die shows a 1."""
    at = cast("At[Facts]", declared(stands(RUNNER), stands(FOE), distance_yd=60))
    played = Game(SYSTEM, at).settle({"close_in": ("dash",), "choose_exertion": ("0",)})
    assert odds(played, "distance").fractions() == {50: F(1, 6), 40: F(5, 6)}


def test_af78_a_dash_ends_beside_the_foe() -> None:
    near = stands(RUNNER, gone=36, walked=True)
    found = walk(declared(near, stands(FOE), distance_yd=42), choose_exertion="0")
    assert {mine.gone for mine, _ in found.effects} == {0, 6}


def test_af62_the_free_move_comes_once_in_a_turn() -> None:
    after = FIGHT.apply(RUNNER, stands(RUNNER), Effect(deed="dash", gone=20, walked=True))
    assert (after.now.gone, after.now.walked) == (20, True)
    found = walk(declared(after, stands(FOE), distance_yd=60), choose_exertion="0")
    assert {mine.gone for mine, _ in found.effects} == {0, 10}
    assert {theirs.gone for _, theirs in found.effects} == {0}  # only who dashes goes anywhere
    assert not FIGHT.begin_turn(RUNNER, after).now.walked


def test_af45_without_a_dash_there_is_the_free_move_alone() -> None:
    slow = replace(RUNNER, universal=())
    found = walk(declared(stands(slow), stands(FOE), sheets=(slow, FOE), distance_yd=60))
    assert {(mine.deed, mine.gone) for mine, _ in found.effects} == {("pass", 10)}


def test_af70_at_five_yards_nobody_moves() -> None:
    at = declared(stands(RUNNER), stands(FOE))
    found = walk(at, choose_exertion="0")
    assert {(mine.gone, mine.walked) for mine, _ in found.effects} == {(0, False)}
    moved = declared(stands(RUNNER, gone=30), stands(FOE, gone=25), distance_yd=60)
    assert moved == at  # once they have met, it is one exchange


@pytest.mark.parametrize(("gone", "helps"), [(0, True), (5, True), (6, False), (-6, False)])
def test_af41_a_guard_within_five_yards_may_intervene(gone: int, helps: bool) -> None:
    context = FIGHT.context([(GUARD, stands(GUARD, gone=gone))])
    found = walk(declared(stands(RUNNER), stands(FOE), context=context), choose_exertion="0")
    assert ("ask_ally" in found.offered) == helps


def test_af51_a_healer_walks_to_a_friend_or_is_refused() -> None:
    healer = replace(RUNNER, actions=(MEND,))
    hurt = stands(FOE, hd=1, gone=14)
    sheets = (healer, FOE)
    found = walk(declared(stands(healer), hurt, deed=HEAL, sheets=sheets), choose_exertion="0")
    assert {mine.gone for mine, _ in found.effects} == {10}
    with pytest.raises(SetupError, match="16 yards away; allowed: in reach"):
        declared(stands(healer), stands(FOE, hd=1, gone=16), deed=HEAL, sheets=sheets)


# -- whole fights ----------------------------------------------------------------------------


def sides(yards: int, foe: Combatant = FOE) -> tuple[Side, Side]:
    one = Setup(attacker=RUNNER, defender=foe, distance_yd=yards)
    other = Setup(attacker=foe, defender=RUNNER, distance_yd=yards)
    return Side("one", (RUNNER,), one), Side("other", (foe,), other)


@pytest.mark.parametrize("yards", [5, 25, 60])
def test_af78_turns_until_somebody_is_in_reach_are_those_of_brute_force(yards: int) -> None:
    """A runner whose foe stands still: a free move and two dashes a turn, until a blow lands."""
    dist = oracle.turns_to_reach(yards)
    runner = replace(RUNNER, universal=("dash",))
    ends: dict[int, Fraction] = {}
    states = {stands(runner): F(1)}
    for turn in range(1, 5):
        after: dict[Condition, Fraction] = {}
        waiting = {FIGHT.begin_turn(runner, one): p for one, p in states.items()}
        for _ in range(FIGHT.actions):
            after = {}
            for one, p in waiting.items():
                at = declared(one, stands(FOE), sheets=(runner, FOE), distance_yd=yards)
                if at.facts.terms.setup.act != "close":
                    ends[turn] = ends.get(turn, F(0)) + p
                    continue
                for (mine, _), q in walk(at, choose_exertion="0").effects.items():
                    now = FIGHT.apply(runner, one, mine)
                    after[now] = after.get(now, F(0)) + p * q
            waiting = after
        states = {FIGHT.end_round(runner, one): p for one, p in after.items()}
    assert ends == {turn: p for turn, p in dist.items() if turn <= 4}


def test_af78_a_fight_at_sixty_yards_comes_to_blows() -> None:
    contest = Contest(SYSTEM, sides(60), held_to({}), first="one")
    played = play_battle(contest, seed=3)
    assert played.verdict in {"one", "other", "drawn"}
    assert played.exchanges[-1].deed == "attack"
    solved = Duel(contest).solve()
    assert sum(solved.won) + solved.drawn == pytest.approx(1)


def test_af78_a_short_walk_is_worked_out_exactly() -> None:
    still = replace(FOE, universal=(), hd=1, hd_max=1)
    runner = replace(RUNNER, universal=("dash",), hd=1, hd_max=1)
    one = Setup(attacker=runner, defender=still, distance_yd=20)
    other = Setup(attacker=still, defender=runner, distance_yd=20)
    pair = (Side("one", (runner,), one), Side("other", (still,), other))
    contest = Contest(SYSTEM, pair, held_to({}), first="one")
    exact, solved = solve_exactly(contest), Duel(contest).solve()
    assert [float(x) for x in exact.won] == pytest.approx(solved.won)
    assert TARGET.level == 1
