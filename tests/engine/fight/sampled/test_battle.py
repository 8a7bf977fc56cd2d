"""Battles by the million against exact counts: by hand, branch by branch, by duels."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import comb, sqrt
from typing import Any, cast

import numpy as np
import pytest

from affray.core.errors import AnswerError, LimitError, SetupError, UnknownNameError
from affray.core.fight import ATTACK, Deed, Role, Scene
from affray.core.node import At, Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.budget import Budget, Clock, Progress
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import First
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import Plan
from affray.engine.fight.sampled import workers as workers_module
from affray.engine.fight.sampled.battle import Battle, BattleResult, Estimate, _Chunks, compare
from affray.engine.fight.sampled.by_side import SideLanes
from affray.engine.fight.sampled.layout import Tally
from affray.engine.fight.targeting import Targeting, View
from affray.systems.eclipse_phase import SYSTEM as EP
from affray.systems.eclipse_phase import sheet as ep
from affray.systems.eclipse_phase.gear import Weapon
from tests import fight_systems as games
from tests.engine.fight.sampled.counted_battles import Counted, counted
from tests.fight_systems import Blow, Body, Fighter

N = 20_000
N_PLAYED = 200
"""Battles that are played one by one: these take milliseconds."""
WEAKEST: tuple[Targeting, Targeting] = ("weakest", "weakest")


def last(view: View) -> int:
    """A rule: the last who stands."""
    return view.foes[-1].place


def turncoat(view: View) -> int:
    """A rule that depends on who acts and on conditions."""
    hit = [foe.place for foe in view.foes if cast("Body", foe.condition).hp < 3]
    return hit[0] if hit and view.actor else view.foes[-1].place


def assert_share(found: Estimate, p: float, n: int) -> None:
    """Within five standard errors."""
    assert abs(found.value - p) <= 5 * sqrt(max(0.0, p * (1 - p)) / n) + 1e-9
    assert found.low <= found.value <= found.high


def assert_mean(found: Estimate, mean: float, unseen: float = 0) -> None:
    """Within five standard errors, as the sample has them, and what it may not have met at all."""
    half = found.high - found.value
    assert abs(found.value - mean) <= 5 * half / 1.959963984540054 + unseen + 1e-9


def by_words(
    contest: Contest, targeting: tuple[Targeting, Targeting], rounds: int = 1000
) -> Battle:
    """A battle with a word for every fighter, whether sides would do or not."""
    battle = Battle(contest, targeting=targeting, rounds=rounds)
    battle.tables.by_sides = False
    return battle


def one_by_one(
    contest: Contest, targeting: tuple[Targeting, Targeting] = WEAKEST, rounds: int = 1000
) -> Battle:
    """A battle that has no tables."""
    battle = Battle(contest, targeting=targeting, rounds=rounds)
    battle._tables = None
    return battle


def alike(one: BattleResult, other: BattleResult) -> bool:
    """The same but for the memory taken."""
    return one._replace(tables={}) == other._replace(tables={})


# -- every rule of a fight, against all branches -------------------------------------------------


@cache
def everything() -> System[Facts]:
    """Revivals and rests by potions, blows back, guards, surrender: all that concerns others.

    Who does no harm is struck for one. Whose mates stand has two more armor. A potion (`speed`
    counts them) gets a fallen friend up, or whoever has a single point left.
    """

    def effect(outcome: Blow, role: Role) -> tuple[str, int]:
        if outcome.helps:
            return ("heal", outcome.damage) if role == "target" else ("drunk", 1)
        if role == "target":
            return ("hurt", outcome.damage)
        return ("hurt", int(outcome.damage == 0))

    def apply(sheet: Fighter, body: Body, done: tuple[str, int]) -> Body:
        if done[0] == "drunk":
            return body._replace(strength=body.strength - 1)
        sign = 1 if done[0] == "heal" else -1
        return body._replace(hp=min(sheet.hp, max(0, body.hp + sign * done[1])))

    def declare(scene: Scene[Any, Body]) -> At[Blow]:
        sheet, foe = scene.setup.attacker, scene.setup.defender
        helps = scene.deed != ATTACK
        armor = 0 if helps else foe.armor + 2 * bool(scene.context)
        blow = Blow(sheet.dice, sheet.sides, sheet.hits, armor, helps=helps)
        return At(games.choose_blow, blow)

    def deeds(sheet: Fighter, body: Body) -> tuple[Deed, ...]:
        found = [ATTACK]
        if body.strength and body.hp == 1:
            found.insert(0, Deed("rest", "self"))
        if body.strength:
            found.insert(0, games.SECOND_WIND)
        return tuple(found)

    def context(others: Sequence[tuple[Fighter, Body]]) -> bool:
        return any(body.hp > 0 for _, body in others)

    def ends(sheet: Fighter, body: Body) -> bool | None:
        if body.hp == 0 or not sheet.yields:
            return None
        return body.hp <= sheet.yields

    return games._system(
        enter=lambda sheet, rulings: Body(sheet.hp, 0, sheet.speed), effect=effect, apply=apply,
        declare=declare, deeds=deeds, context=context, ends=ends,
        harm=lambda done: done[1] if done[0] == "hurt" else 0,
    )  # fmt: skip


@cache
def tolling() -> System[Facts]:
    """A hit takes one point, and counts for all that it rolled: states don't tell the damage."""
    return games._system(
        apply=lambda sheet, body, damage: body._replace(hp=body.hp - bool(damage and body.hp))
    )


ADA, BO, CY = Fighter("Ada", 4, sides=3), Fighter("Bo", 3, armor=1), Fighter("Cy", 5, sides=2)
SLOW = Fighter("Slow", 3, sides=3, speed=3), Fighter("Slower", 2, sides=2, speed=2)
QUICK = (Fighter("Quick", 4, sides=3, speed=3, quickness=1),)
EAGER = Fighter("Eager", 3, quickness=2), Fighter("Calm", 4, sides=3, quickness=1)
MANY, FEW = Fighter("Many", 4, sides=6, hits=5), Fighter("Few", 2, sides=6, hits=4)
KIND, KINDER = Fighter("Kind", 3, sides=4, speed=1), Fighter("Kinder", 4, sides=3, speed=2)
MEEK = Fighter("Meek", 4, sides=3, yields=1, speed=1)
FIRM = Fighter("Firm", 3, sides=3)
WELL = Fighter("Well", 3, sides=3, heals=1)
SOFT = Fighter("Soft", 4, sides=2, bleeds=1)
WIDE, THICK = Fighter("Wide", 5, sides=140, armor=1), Fighter("Thick", 2, sides=3, armor=70)
"""The outcomes of the one take more columns than those of the other."""

BATTLES: list[Any] = [
    (games.slugging, (ADA, BO), (CY, CY), "one", WEAKEST),
    (games.slugging, (ADA, ADA, BO), (CY, BO), "alternate", ("strongest", "nearest_out")),
    (games.slugging, (ADA, BO), (CY, CY), "alternate", ("spread", "random")),
    (games.slugging, (ADA, BO), (CY, CY), "other", (last, turncoat)),
    (games.simultaneous, (ADA, BO), (CY, CY), "coin", WEAKEST),
    (games.simultaneous, (ADA, BO), (CY,), "one", ("random", "spread")),
    (games.units, (MANY,), (FEW, MANY), "alternate_other", ("in_order", "weakest")),
    (games.units, (FEW, FEW), (FEW,), "one", ("random", "strongest")),
    (games.healing, (WELL, BO), (CY,), "one", ("weakest", "spread")),
    (games.healing_and_yielding, (WELL, MEEK), (MEEK, CY), "coin", WEAKEST),
    (games.twice, (ADA, BO), (CY, CY), "coin", ("spread", "spread")),
    (games.winding_up, (ADA, BO), (CY, CY), "alternate", ("weakest", "random")),
    (games.pacing, (ADA, EAGER[0]), (CY, EAGER[1]), "alternate", WEAKEST),
    (games.pacing, (EAGER[0], ADA), (CY, EAGER[1]), "seats", ("random", "spread")),
    (games.hurrying, SLOW, QUICK, "initiative", WEAKEST),
    (games.steady_order, (*SLOW, *QUICK), SLOW, "initiative", ("random", "spread")),
    (games.steady_order, SLOW, (*QUICK, *SLOW), "initiative", ("weakest", turncoat)),
    (games.eager, EAGER, EAGER[::-1], "initiative", WEAKEST),
    (games.finishing, (ADA, BO), (CY, CY), "one", ("nearest_out", "strongest")),
    (games.choosing, (ADA, BO), (CY,), "coin", ("weakest", "random")),
    (games.bleeding, (SOFT, BO), (SOFT, SOFT), "alternate", WEAKEST),
    (everything, (KIND, KINDER), (FIRM, FIRM), "one", WEAKEST),
    (everything, (KIND, FIRM), (KINDER, FIRM), "other", ("spread", turncoat)),
    (everything, (KIND, MEEK), (MEEK, FIRM), "alternate", ("random", "strongest")),
    (games.slugging, (ADA, ADA, BO), (CY, BO), "seats", ("strongest", "nearest_out")),
    (everything, (KIND, MEEK), (MEEK, FIRM), "seats", ("random", "strongest")),
    (games.guarding, (ADA, BO), (CY, CY), "one", WEAKEST),
    (games.guarding, (ADA, BO, BO), (CY, ADA), "alternate", ("random", "spread")),
    (games.slugging, (ADA, ADA, BO), (CY, BO), "alternate", WEAKEST, {"at_a_time": 2}),
    (games.bleeding, (SOFT, BO, BO), (CY, SOFT), "alternate_other", WEAKEST, {"at_a_time": 2}),
    (games.slugging, (WIDE,), (THICK, THICK), "one", WEAKEST),
    (tolling, (ADA, BO), (CY, CY), "one", WEAKEST),
    (tolling, (ADA,), (CY,), "coin", ("in_order", "strongest")),
    (games.slugging, (ADA, BO), (CY, CY), "one", WEAKEST, {"idle": True}),
    (games.slugging, (ADA, BO), (CY, CY, BO), "coin", WEAKEST, {"yields_at": 2}),
    (games.simultaneous, (ADA, BO), (SLOW[1], BO), "one", ("random", "spread"), {"yields_at": 1}),
]
BATTLES = [row if len(row) == 6 else (*row, {}) for row in BATTLES]


@pytest.mark.parametrize(("game", "one", "other", "first", "targeting", "more"), BATTLES)
def test_battles_agree_with_all_branches(
    game: Callable[[], System[Facts]],
    one: tuple[Fighter, ...],
    other: tuple[Fighter, ...],
    first: First,
    targeting: tuple[Targeting, Targeting],
    more: dict[str, Any],
) -> None:
    """Ends, rounds and what every fighter does; whichever way battles are carried on."""
    contest = games.contest(game, one, other, first, **more)
    exact = counted(contest, targeting, 40)
    battle = Battle(contest, targeting=targeting, rounds=40)
    found = battle.run(N, seed=3)
    assert alike(found, by_words(contest, targeting, 40).run(N, seed=3))
    assert_agrees(found, exact)
    assert_agrees(one_by_one(contest, targeting, 40).run(N_PLAYED, seed=3), exact)


def assert_agrees(found: BattleResult, exact: Counted) -> None:
    """Everything that is told of battles is as it should be, as far as a sample can show it."""
    n = found.n
    unseen = 10 / n
    for share, p in zip((*found.won, found.drawn, found.ended, found.stalled),
                        (*exact.won, exact.drawn, exact.ended, exact.stalled),
                        strict=True):  # fmt: skip
        assert_share(share, p, n)
    assert_mean(found.rounds, exact.rounds, unseen)
    for number, p in exact.histogram.items():
        assert_share(Estimate(found.histogram.get(number, 0) / n, 0, 1), p, n)
    for side, each in enumerate(exact.survivors):
        for number, p in each.items():
            assert_share(Estimate(found.survivors[side].get(number, 0) / n, 0, 1), p, n)
    for number, fighter in enumerate(found.fighters):
        assert_share(fighter.survives, exact.survives[number], n)
        assert_mean(fighter.dealt, exact.dealt[number], unseen)
        assert_mean(fighter.taken, exact.taken[number], unseen)
        assert_mean(fighter.outs, exact.outs[number], unseen)
        mates = [n for n, mate in enumerate(found.fighters) if mate.side == fighter.side]
        whole = sum(exact.dealt[mate] for mate in mates)
        assert_mean(fighter.share, exact.dealt[number] / whole if whole else 0.0, unseen)


def test_every_end_and_every_kind_of_deed_comes_up() -> None:
    """What the battles above can show is shown."""
    contest = games.contest(everything, (KIND, MEEK), (MEEK, FIRM), "alternate")
    battle = Battle(contest, targeting=("random", "strongest"))
    found = battle.run(2_000, seed=1)
    noticed, aims = battle.tables.noticed, battle.tables.rows.outcomes.aims
    assert noticed.helps
    assert noticed.acts_back
    assert noticed.can_end
    assert battle.tables.mates.matter
    assert set(np.unique(aims.now[1 : aims.size])) == {0, 1, 2}
    assert found.ended.value > 0.1


# -- by hand -----------------------------------------------------------------------------------


def test_two_against_one_by_hand() -> None:
    """Two with one point each, who hit for one in half of the cases, against one of two points.

    One and Two act, then Three. Three hits for one in a third of the cases.
    """
    pair, lone = Fighter("Pair", 1, sides=2, hits=2), Fighter("Lone", 2, sides=3, hits=3)
    contest = games.contest(games.slugging, (pair, pair), lone, "one")
    half, third = Fraction(1, 2), Fraction(1, 3)
    wins: dict[tuple[int, int], Fraction] = {}
    # wins[n, h]: pair with n standing wins, at the start of a round, the lone one having h points
    for n, h in ((1, 1), (1, 2), (2, 1), (2, 2)):
        total, stays = Fraction(0), Fraction(0)
        for hits in range(n + 1):
            p = comb(n, hits) * half**n
            left = h - hits
            if left <= 0:
                total += p
                continue
            for down in (0, 1):
                q = p * (third if down else 1 - third)
                if (n - down, left) == (n, h):
                    stays += q
                elif n - down:
                    total += q * wins[n - down, left]
        wins[n, h] = total / (1 - stays)
    found = Battle(contest).run(N, seed=5)
    assert wins[1, 1] == Fraction(3, 4)
    assert_share(found.won[0], float(wins[2, 2]), N)


def test_who_kill_each_other_in_the_same_round_draw() -> None:
    """Damage is only marked by a blow, and taken at the end of the round."""
    one = Fighter("A", 1, sides=2, hits=2)
    contest = games.contest(games.simultaneous, one, one, "one")
    found = Battle(contest).run(N, seed=7)
    # Of rounds in which anybody is hit, one in three sees both hit.
    assert_share(found.drawn, 1 / 3, N)
    assert_share(found.won[0], 1 / 3, N)
    assert_mean(found.rounds, 4 / 3)


def test_units_that_shrink_by_hand() -> None:
    """Two members against one; every member hits with a d2, one goes for every hit."""
    two, one = Fighter("Two", 2, sides=2, hits=2), Fighter("One", 1, sides=2, hits=2)
    contest = games.contest(games.units, two, one, "one")
    # From one member each: half, or missed by both.
    even = Fraction(1, 2) / (1 - Fraction(1, 4))
    # From two: three in four, else hit in half of the cases.
    exact = (Fraction(3, 4) + Fraction(1, 8) * even) / (1 - Fraction(1, 8))
    assert_share(Battle(contest).run(N, seed=9).won[0], float(exact), N)


# -- duels -------------------------------------------------------------------------------------

A = ep.Combatant(
    name="A", melee=60, fray=40, kinetic=5, wound_threshold=7, durability=35, initiative=5,
    weapons=(Weapon(name="W", form="melee", skill="melee", d10=2),),
)  # fmt: skip
B = ep.Combatant(
    name="B", melee=50, fray=30, kinetic=8, wound_threshold=8, durability=40, initiative=6,
    weapons=(Weapon(name="V", form="melee", skill="melee", d10=3),),
)  # fmt: skip
FRAY = Plan("first", (("choose_defence", ("fray",)),))


def ep_contest(
    one: tuple[ep.Combatant, ...], other: tuple[ep.Combatant, ...], first: First, **rulings: str
) -> Contest:
    sides = (
        Side("One", one, ep.Setup(attacker=one[0], defender=other[0]), FRAY),
        Side("Other", other, ep.Setup(attacker=other[0], defender=one[0]), FRAY),
    )
    return Contest(cast("System[Facts]", EP), sides, Rulings.pick(EP.rulings, rulings), first=first)


def assert_agrees_with_duel(contest: Contest, n: int = N, seed: int = 11) -> None:
    exact, found = Duel(contest).solve(), Battle(contest).run(n, seed=seed)
    for share, p in zip((*found.won, found.drawn, found.ended, found.stalled),
                        (*exact.won, exact.drawn, exact.ended, exact.endless),
                        strict=True):  # fmt: skip
        assert_share(share, p, n)
    assert_mean(found.rounds, exact.rounds)


@pytest.mark.parametrize("first", ["one", "other", "coin", "initiative", "alternate"])
def test_eclipse_phase_duels(first: First) -> None:
    assert_agrees_with_duel(ep_contest((A,), (B,), first, wound_effects="modifiers"))


@pytest.mark.parametrize("game", [games.simultaneous, games.units, games.healing, games.winding_up])
def test_duels_of_other_kinds(game: Callable[[], System[Facts]]) -> None:
    one = Fighter("One", 5, dice=2, sides=4, hits=3, heals=1)
    other = Fighter("Other", 6, dice=1, sides=6, hits=3, heals=1)
    if game is games.winding_up:
        one, other = (Fighter(each.name, each.hp, sides=4) for each in (one, other))
    firsts: tuple[First, ...] = ("one", "coin")
    for first in firsts:
        assert_agrees_with_duel(games.contest(game, one, other, first))


@pytest.mark.parametrize("hp", [1, 4])
def test_what_is_urgent_is_settled_at_once(hp: int) -> None:
    """In battles in which somebody has come to it, and before the first round; blow by blow."""
    dice = 3, 2

    def gathered(points: int, fresh: bool) -> list[tuple[int, bool]]:
        return [(2, False), (3, False)] if points == 1 and fresh else 2 * [(points, fresh)]

    @cache
    def wins(who: int, hps: tuple[int, int], fresh: tuple[bool, bool]) -> Fraction:
        if 0 in hps:
            return Fraction(hps[1] == 0)
        total = Fraction(0)
        for face in range(1, dice[who] + 1):
            for left, still in gathered(max(0, hps[1 - who] - face), fresh[1 - who]):
                after = (hps[0], left) if who == 0 else (left, hps[1])
                unused = (fresh[0], still) if who == 0 else (still, fresh[1])
                total += wins(1 - who, after, unused)
        return total / (2 * dice[who])

    contest = games.contest(
        games.gathering, Fighter("A", hp, sides=3), Fighter("B", 5, sides=2), "coin"
    )
    exact = sum(
        wins(who, (points, 5), (fresh, True))
        for who in (0, 1)
        for points, fresh in gathered(hp, True)
    )
    assert_share(Battle(contest).run(N, seed=11).won[0], float(exact / 4), N)


def test_of_several_each_settles_what_is_urgent() -> None:
    """Who has gathered needs as many more blows as points have come back, of one point each."""
    one, other = Fighter("A", 2, sides=1), Fighter("B", 9, sides=1)
    contest = games.contest(games.gathering, (one, one), (other, other), "other")
    found = Battle(contest, targeting=WEAKEST).run(2_000, seed=1)
    for fighter in found.fighters[:2]:
        assert_mean(fighter.taken, 2 + 1.5)
        assert 2 < fighter.taken.value < 4


def test_a_draw_of_eclipse_phase_is_as_good_as_no_other() -> None:
    """Three against three: what side one deals is what side two takes."""
    contest = ep_contest((A, A, A), (B, B, B), "alternate", wound_effects="modifiers")
    found = Battle(contest).run(N, seed=1)
    for side in (0, 1):
        dealt = sum(each.dealt.value for each in found.fighters if each.side == side)
        taken = sum(each.taken.value for each in found.fighters if each.side != side)
        assert dealt == pytest.approx(taken)
        shares = sum(each.share.value for each in found.fighters if each.side == side)
        assert shares == pytest.approx(1)
    assert [each.name for each in found.fighters] == ["A 1", "A 2", "A 3", "B 1", "B 2", "B 3"]
    assert [each.place for each in found.fighters] == [0, 1, 2, 0, 1, 2]


# -- how it is run -------------------------------------------------------------------------------


def slugging(n: int = 2, first: First = "one") -> Contest:
    return games.contest(games.slugging, (ADA,) * n, (CY,) * n, first)


@pytest.fixture(params=["processes", "threads"])
def team(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several workers are processes, or threads."""
    forks = request.param == "processes"
    if forks and sys.platform != "linux":
        pytest.skip("processes can be forked on Linux only")
    monkeypatch.setattr(workers_module, "can_fork", lambda: forks)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.engine.fight.sampled.battle.CHUNK", 1_000)


@pytest.mark.usefixtures("small_chunks", "team")
@pytest.mark.parametrize("first", ["one", "coin"])
def test_the_seed_decides_and_workers_do_not(first: First) -> None:
    contest = slugging(3, first)
    results = [Battle(contest).run(7_500, seed=4, workers=workers) for workers in (1, 2, 3)]
    assert all(alike(results[0], other) for other in results)
    assert results[0].n == sum(results[0].histogram.values()) == 7_500
    assert not alike(results[0], Battle(contest).run(7_500, seed=5))
    battle = Battle(contest)
    again = [battle.run(7_500, seed=4) for _ in range(2)]
    assert alike(again[0], again[1])
    assert alike(again[0], results[0])


@pytest.mark.parametrize("most", [1, 9, 10, 11, 20, 21, 39, 40, 41, 75, 100])
def test_chunks_of_a_stopped_run_are_those_of_a_run_of_as_many(most: int) -> None:
    """Two early ones, then twice as many battles in each; the last one has what is left."""
    whole = [10, 10, 20, 20, 20, 20]
    chunks = _Chunks(most, 10)
    found = [chunks.battles(chunk) for chunk in range(chunks.n_chunks)]
    assert sum(found) == most
    assert found[:-1] == whole[: len(found) - 1]
    assert 0 < found[-1] <= whole[len(found) - 1]


@pytest.mark.usefixtures("small_chunks", "team")
def test_sides_give_way_to_words_and_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.engine.fight.sampled.by_side.FEW_STATES", -700)
    contest = slugging(3, "coin")
    battle = Battle(contest, targeting=("strongest", "weakest"))
    assert SideLanes.suits(battle.tables)
    found = battle.run(3_000, seed=1, workers=2)
    assert not battle.tables.by_sides
    assert found.tables["states"] == 0
    assert alike(found, by_words(contest, ("strongest", "weakest")).run(3_000, seed=1))


def test_sides_have_a_state_for_each_way_they_stand() -> None:
    """The weakest of two is hit until it is out, then the other; one alone has all its points.

    Two of four points: nobody is hurt, one is (three ways), one is out and the other may be hurt
    (four ways), both are out. The other side: five points, and none.
    """
    battle = Battle(games.contest(games.slugging, (ADA, ADA), (CY,), "coin"), targeting=WEAKEST)
    found = battle.run(3_000, seed=1)
    assert battle.tables.by_sides
    assert found.tables["states"] == (1 + 3 + 4 + 1) + (5 + 1)


def test_damage_that_does_not_follow_from_the_state_may_come_up_late() -> None:
    """Of few battles, most come to a state by a blow of one point before another does by two."""
    contest = games.contest(tolling, (ADA, BO), (CY,), "coin")
    for seed in range(8):
        battle = Battle(contest, targeting=WEAKEST, rounds=40)
        found = battle.run(4, seed=seed)
        assert alike(found, by_words(contest, WEAKEST, 40).run(4, seed=seed))


def test_shares_add_up_to_one() -> None:
    contest = games.contest(everything, (KIND, MEEK), (MEEK, FIRM), "coin")
    found = Battle(contest, rounds=4).run(3_000, seed=1)
    parts = (*found.won, found.drawn, found.ended, found.stalled)
    assert sum(part.value for part in parts) == pytest.approx(1)
    assert found.stalled.value > 0
    assert max(found.histogram) == 4
    for side in (0, 1):
        assert sum(found.survivors[side].values()) == found.n == found.wanted == 3_000
    assert not found.partial
    assert set(found.tables) >= {"conditions", "rows", "bytes"}


def test_who_cannot_hurt_each_other_stall() -> None:
    wall = Fighter("Wall", 3, armor=9)
    found = Battle(games.contest(games.slugging, wall, wall, "one"), rounds=30).run(100, seed=1)
    assert found.stalled == (1.0, found.stalled.low, 1.0)
    assert found.histogram == {30: 100}
    assert found.fighters[0].share == (0.0, 0.0, 0.0)


def test_a_battle_may_be_over_before_it_begins() -> None:
    for hp, ends in (((0, 1), (0, 1, 0)), ((0, 0), (0, 0, 1))):
        one, other = (Fighter("F", points) for points in hp)
        found = Battle(games.contest(games.slugging, one, other, "one")).run(10, seed=1)
        assert (found.won[0].value, found.won[1].value, found.drawn.value) == ends
        assert found.histogram == {0: 10}


@pytest.mark.usefixtures("small_chunks", "team")
@pytest.mark.parametrize("workers", [1, 2])
def test_stopping_gives_what_there_is(workers: int) -> None:
    told: list[int] = []

    def progress(so_far: Progress) -> None:
        if so_far.work == "battles":
            assert so_far.wanted == 50_000
            assert so_far.error is not None
            assert so_far.error > 0
            told.append(so_far.done)

    battle = Battle(slugging())
    budget = Budget(stop=lambda: len(told) > 2, progress=progress)
    found = battle.run(50_000, seed=1, workers=workers, budget=budget)
    assert found.partial
    assert found.stopped_by == "interrupted"
    assert found.n == told[-1] < found.wanted == 50_000  # type: ignore[operator]  # a number
    again = battle.run(found.n, seed=1)
    expected = again._replace(partial=True, stopped_by="interrupted", wanted=50_000)
    assert alike(found, expected)


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("workers", [1, 2])
def test_stopping_at_once_is_an_interrupt(workers: int) -> None:
    battle = Battle(slugging())
    with pytest.raises(
        LimitError, match="interrupted before the first battle of 4 fighters was over"
    ) as stopped:
        battle.run(200_000, seed=1, workers=workers, budget=Budget(stop=lambda: True))
    assert stopped.value.limit == "interrupted"
    assert stopped.value.done["battles"] == 0
    assert battle.run(100, seed=1).n == 100


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.skipif(sys.platform != "linux", reason="processes can be forked on Linux only")
def test_the_chunks_of_a_lost_process_are_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = Battle(slugging())
    alone = battle.run(4_000, seed=1)
    monkeypatch.setattr(workers_module, "can_fork", lambda: True)
    monkeypatch.setattr(workers_module, "_child", lambda *_: None)
    assert alike(battle.run(4_000, seed=1, workers=3), alone)


@pytest.mark.usefixtures("small_chunks", "team")
def test_an_error_of_a_worker_is_everybodys() -> None:
    def work(chunk: int) -> int:
        if chunk == 1:
            raise AnswerError("spoiled")
        return chunk

    with pytest.raises(AnswerError, match="spoiled"):
        workers_module.added_up(work, lambda whole: False, int.__add__, (4, 2, Clock(Budget())))


@pytest.mark.usefixtures("small_chunks")
def test_an_interrupt_gives_what_there_is() -> None:
    def progress(so_far: Progress) -> None:
        if so_far.done == 4_000:
            raise KeyboardInterrupt

    found = Battle(slugging()).run(50_000, seed=1, budget=Budget(progress=progress))
    assert found.partial
    assert found.n == 4_000


@pytest.mark.usefixtures("small_chunks", "team")
def test_a_wanted_error_ends_it() -> None:
    battle = Battle(slugging())
    found = battle.run(None, seed=1, target_error=1.5)
    last = 2_000  # it is no early chunk
    assert found.n > 2_000
    assert found.error <= 1.5 < battle.run(found.n - last, seed=1).error
    assert found.error == pytest.approx(50 * (found.won[0].high - found.won[0].low))
    assert found.wanted is None
    assert not found.partial
    assert alike(found, battle.run(None, seed=1, target_error=1.5, workers=2))
    capped = battle.run(2_000, seed=1, target_error=0.01)
    assert (capped.n, capped.partial) == (2_000, False)


def test_numbers_that_make_no_sense_are_refused() -> None:
    battle = Battle(slugging())
    for more in ({"n": None}, {"n": 0}, {"workers": 0}, {"target_error": 0.0}, {"n": 10**9}):
        with pytest.raises(SetupError):
            battle.run(**{"seed": 1, **more})  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SetupError):
        battle.run(10, seed=-1)
    with pytest.raises(SetupError):
        Battle(slugging(), rounds=0)
    with pytest.raises(UnknownNameError, match="weakest"):
        Battle(slugging(), targeting=("weekest", "random"))


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_rule_that_names_nobody_is_refused(workers: int) -> None:
    battle = Battle(slugging(), targeting=(lambda view: 7, "weakest"))
    with pytest.raises(AnswerError, match=r"place 7 for fighter 0; .* 0 \(Cy 1\), 1 \(Cy 2\)"):
        battle.run(120_000, seed=1, workers=workers)


def test_too_many_points_for_tables_are_played_one_by_one() -> None:
    """One blow of up to a trillion against half of one: it hits four times in six."""
    giant, titan = Fighter("Giant", 10**12, sides=6, hits=3), Fighter("Titan", 1)
    found = Battle(games.contest(games.slugging, giant, titan, "one")).run(400, seed=1)
    assert (found.n, found.partial, found.tables) == (400, False, {})
    assert_share(Estimate(found.histogram[1] / 400, 0, 1), 4 / 6, 400)


def test_damage_is_counted_however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words hold so much damage; the rest is in tallies, in good time."""
    healer = Fighter("Healer", 40, sides=3, heals=3)
    contest = games.contest(games.healing, (healer,) * 2, (healer,) * 2, "coin")
    battle = by_words(contest, WEAKEST, 60)
    monkeypatch.setattr(battle.tables.layout, "taken", 0x3F)
    found = battle.run(500, seed=2)
    assert max(fighter.taken.value for fighter in found.fighters) > 0x3F
    assert alike(found, by_words(contest, WEAKEST, 60).run(500, seed=2))


def test_more_damage_than_can_be_counted_is_not_counted_in_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two exchanges a round, of up to three points: 60 of them in ten rounds, 66 in eleven."""
    monkeypatch.setattr(Tally, "dealt", 63)
    healer = Fighter("Healer", 40, sides=3, heals=3)
    contest = games.contest(games.healing, healer, healer, "one")
    by_tables, played = (Battle(contest, rounds=n).run(100, seed=1) for n in (10, 11))
    assert by_tables.stalled.value == played.stalled.value == 1
    assert by_tables.tables
    assert not played.tables


# -- battles played one by one -------------------------------------------------------------------


def test_an_exchange_with_too_many_outcomes_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many battles as were wanted, however many workers, and the same again with this seed."""
    plain = Battle(slugging()).run(N, seed=1)
    monkeypatch.setattr("affray.engine.fight.sampled.rows.MOST_WORK", 0)
    found = [Battle(slugging()).run(300, seed=1, workers=workers) for workers in (1, 2)]
    assert found[0] == found[1]
    assert (found[0].n, found[0].partial, found[0].tables) == (300, False, {})
    assert found[0].won[0].low - 0.05 < plain.won[0].value < found[0].won[0].high + 0.05
    assert Battle(slugging()).run(300, seed=2).histogram != found[0].histogram


def test_battles_played_one_by_one_stop_when_they_should(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.engine.fight.sampled.rows.MOST_WORK", 0)
    told: list[int] = []
    budget = Budget(stop=lambda: len(told) > 2, progress=lambda so_far: told.append(so_far.done))
    found = Battle(slugging()).run(50_000, seed=1, budget=budget)
    assert found.stopped_by == "interrupted"
    assert found.n == told[-1] == 3
    late = Battle(slugging()).run(50_000, seed=1, budget=Budget(seconds=0))
    assert (late.n, late.stopped_by) == (1, "seconds")  # one is better than none
    brief = Battle(slugging()).run(50_000, seed=1, played_s=0.1)
    assert brief.stopped_by == "seconds"
    sure = Battle(slugging()).run(None, seed=1, target_error=20)
    assert sure.error <= 20
    assert not sure.partial


def test_two_setups_without_tables_are_compared() -> None:
    contest = slugging(2)
    one, other, difference = compare(one_by_one(contest), Battle(contest), 50, seed=1)
    assert one == other
    assert difference.rounds == (0.0, 0.0, 0.0)
    assert difference.won.value == 0
    assert difference.n == one.n == 50


def test_choices_that_take_too_long_to_solve_are_made_by_a_rule_of_thumb(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contest = games.contest(games.choosing, (ADA, BO), (CY,), "one")
    assert one_by_one(contest).run(20, seed=1).by_thumb == 0
    monkeypatch.setattr("affray.engine.fight.sampled.one_by_one.SOLVING", 0)
    found = one_by_one(contest).run(20, seed=1, budget=Budget(seconds=60))
    assert found.n == 20
    assert found.by_thumb > 20


# -- two battles compared ------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["one", "coin", "initiative"])
@pytest.mark.parametrize("targeting", [WEAKEST, ("random", "spread")])
def test_equal_setups_do_not_differ(first: First, targeting: tuple[Targeting, Targeting]) -> None:
    game = games.hurrying if first == "initiative" else games.slugging
    contest = games.contest(game, SLOW, SLOW, first)
    one, other, difference = compare(
        Battle(contest, targeting=targeting), by_words(contest, targeting), 3_000, seed=1
    )
    assert alike(one, other)
    assert (difference.won.value, *difference.rounds) == (0.0, 0.0, 0.0, 0.0)
    assert difference.n == 3_000


@pytest.mark.usefixtures("small_chunks", "team")
def test_pairs_are_surer_than_two_runs() -> None:
    """A little more armor: what differs is seen much better with the same luck."""
    better = Fighter("Better", 5, sides=4)
    plain, armed = slugging(3), games.contest(games.slugging, (ADA, ADA, better), (CY,) * 3, "one")
    n = 4_000
    one, other, difference = compare(Battle(plain), Battle(armed), n, seed=1, workers=2)
    assert difference.won.value == pytest.approx(one.won[0].value - other.won[0].value)
    assert difference.rounds.value == pytest.approx(one.rounds.value - other.rounds.value)
    p, q = one.won[0].value, other.won[0].value
    unpaired = 1.96 * sqrt((p * (1 - p) + q * (1 - q)) / n)
    paired = difference.won.high - difference.won.value
    assert 0 < paired < 0.8 * unpaired
    exact = [counted(each).won[0] for each in (plain, armed)]
    assert_share(one.won[0], exact[0], n)
    assert_share(other.won[0], exact[1], n)
    assert abs(difference.won.value - (exact[0] - exact[1])) <= 5 * paired / 1.96
    again = compare(Battle(plain), Battle(armed), n, seed=1)
    assert again[2] == difference


def test_teams_of_different_sizes_share_their_luck() -> None:
    """One more of them: who was there before rolls as before."""
    two, three = (games.contest(games.slugging, (ADA,) * k, (CY,) * 2, "one") for k in (2, 3))
    one, other, difference = compare(Battle(two), Battle(three), 4_000, seed=1)
    halves = [each.rounds.high - each.rounds.value for each in (one, other)]
    paired = difference.rounds.high - difference.rounds.value
    assert paired < 0.9 * sqrt(halves[0] ** 2 + halves[1] ** 2)


def test_pairs_share_the_luck_of_what_is_urgent_whoever_else_is_there() -> None:
    """The other one is out from the start, so nothing differs."""
    one, other, gone = Fighter("A", 5, sides=2), Fighter("B", 5, sides=2), Fighter("Gone", 0)
    alone, beside = (
        games.contest(games.gathering, team, other, "one") for team in (one, (one, gone))
    )
    difference = compare(Battle(alone), Battle(beside), 1_000, seed=1)[2]
    assert (difference.won.value, *difference.rounds) == (0.0, 0.0, 0.0, 0.0)
