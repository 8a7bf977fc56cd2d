"""Budgets: whatever is spent ends the work promptly, says what was done, and spoils nothing."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from fractions import Fraction
from math import inf
from mmap import PAGESIZE, mmap
from time import monotonic
from typing import Any, NamedTuple

import pytest

from affray.core.dice import Die, Pool, d
from affray.core.errors import LimitError, SetupError
from affray.core.meter import meter_in_force
from affray.core.node import At, Chance, End, Facts, Go, Node
from affray.core.reading import SumOfDice, Tally, distribution
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine import budget as budgets
from affray.engine.budget import Budget, Clock, Progress, clock_in_force, spending
from affray.engine.exchange import lasting
from affray.engine.exchange.best import solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.keeping import forget_kernels
from affray.engine.exchange.odds import odds
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.plans import DECIDE_ALL
from affray.engine.fight.sampled.battle import Battle
from tests import fight_systems as games
from tests.core.assembling import Setup, assembled
from tests.fight_systems import Body, Fighter

SHORT = 0.1
LATE = 10.0  # a busy machine; without a bound these would go on for minutes
"""Seconds of a budget, and how much later it may end on a machine that has other work as well."""


class Walk(NamedTuple):
    """Somebody who walks: how far, and how many steps are left."""

    far: int = 0
    left: int = 0
    rolled: int = 0


@step("TY-1")
def roll_step(x: Walk) -> Node[Walk]:
    """A step of 1 to 100, as long as there are any left."""
    if not x.left:
        return End(x)
    return Chance("attacker", "step", Pool((d(100), 1)), SumOfDice(), "rolled", At(walk_on, x))


@step("TY-2")
def walk_on(x: Walk) -> Node[Walk]:
    """So much further."""
    return Go(roll_step, Walk(x.far + x.rolled, x.left - 1))


FAR: Objective[Any] = Objective("far", "To go far.", lambda x: x.far, "attacker")
WALKING: System[Facts] = assembled(
    (roll_step, walk_on), fields=(Field("far", "How far.", lambda x: x.far, "TY-1"),),
    objectives=(FAR,),
)  # fmt: skip


def walk(left: int) -> Game:
    return Game(WALKING, WALKING.declared(Setup(Walk(left=left))))


def late(run: Callable[[], object], limit: str = "seconds") -> LimitError:
    """The error of work that is broken off in good time."""
    began = monotonic()
    with pytest.raises(LimitError) as caught:
        run()
    assert monotonic() - began < SHORT + LATE
    assert caught.value.limit == limit
    return caught.value


# -- the clock -------------------------------------------------------------------------------


def test_one_deadline_holds_for_all_that_is_done_inside() -> None:
    with spending(Budget(seconds=100)) as outer:
        with spending() as same:
            assert same is outer
        with spending(Budget(seconds=1000, places=7)) as inner:
            assert inner.deadline == outer.deadline
            assert (inner.places(), outer.places(5)) == (7, 5)
            with spending(Budget(places=9)) as more:
                assert more.places() == 7
        assert meter_in_force() is outer
    assert not isinstance(meter_in_force(), Clock)


def test_a_reserve_is_taken_where_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "monotonic", lambda: 100.0)
    with spending(Budget(seconds=40)) as outer, spending(outer.part(0.5, 0.9)) as clock:
        assert (clock.deadline, clock.seconds, clock.left) == (120, 20, 20)
        clock.reserve(20)  # time enough
        clock.reserve(36.5)  # not even with the reserve
        assert clock.deadline == 120
        clock.reserve(30)
        assert (clock.deadline, clock.seconds) == (130, 30)
        clock.reserve(10)
        assert clock.deadline == 130
        child = clock.in_a_child()
        child.reserve(36)
        assert (child.deadline, clock.deadline) == (136, 130)
        monkeypatch.setattr(budgets, "monotonic", lambda: 129.0)
        clock.reserve(7)
        assert (clock.deadline, clock.seconds) == (136, 36)
        monkeypatch.setattr(budgets, "monotonic", lambda: 137.0)
        with pytest.raises(LimitError, match="stopped after 36 seconds"):
            clock.poll()
        assert outer.deadline == 140


def test_a_reserve_never_goes_beyond_what_was_given_outside() -> None:
    with spending(Budget(seconds=40)) as outer:
        with spending(Budget(seconds=30, reserve=1000)) as clock:
            clock.reserve(100)
            assert clock.deadline < outer.deadline
            clock.reserve(35)
            assert clock.seconds == pytest.approx(35, abs=1)
            assert clock.deadline <= outer.deadline
        with spending(outer.part(0.5)) as clock:
            clock.reserve(30)
            assert clock.left <= 20
    with spending(), spending(Budget()) as endless:
        assert endless.part(0.5, 0.9) == Budget()
        endless.reserve(1e9)
        assert endless.seconds is None


def test_seconds_are_told_in_tenths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "monotonic", lambda: 100.0)
    with spending(Budget(seconds=10)) as clock:
        assert clock.part(1 / 3, 3 / 4) == Budget(seconds=3.3, reserve=4.2)
    with spending(Budget(seconds=10, reserve=10)) as clock:
        clock.reserve(12.345)
        assert (clock.deadline, clock.seconds) == (112.345, 12.3)


def test_where_nobody_started_a_clock_a_usual_one_runs() -> None:
    assert clock_in_force().budget == Budget()
    with spending(Budget(places=7)) as clock:
        assert clock_in_force() is clock


def test_what_is_done_inside_is_told_outside() -> None:
    with spending(Budget()) as outer, spending(Budget(seconds=5)) as inner:
        inner.tell("pairs", 3, 9, "the last ones")
        assert outer.now == inner.now == Progress("pairs", 3, 9, None, "the last ones")


def test_a_part_without_an_end_does_not_hide_what_is_found() -> None:
    clock = Clock(Budget())
    clock.tell("values", 3, 9, found=lambda: "three")
    clock.tell("places", 70_000)
    assert clock.now[:3] == ("values", 3, 9)
    clock.tell("values", 9, 9)
    clock.tell("places", 80_000)
    assert clock.now == Progress("places", 80_000)


def test_what_was_asked_outside_stops_what_is_inside() -> None:
    with spending(Budget(stop=lambda: True)), spending(Budget(seconds=5)) as clock:
        assert clock.over() == "interrupted"
        with pytest.raises(LimitError, match="interrupted"):
            clock.poll()


def test_memory_that_is_taken_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 10**9
    monkeypatch.setattr(budgets, "_resident", lambda: taken)
    monkeypatch.setattr(budgets, "BETWEEN_LOOKS_S", 0.0)
    monkeypatch.setattr(budgets, "BEFORE_LOOKS_S", 0.0)
    clock = Clock(Budget(bytes=5_000_000))
    clock.poll()
    taken += 4_000_000
    clock.poll()
    with pytest.raises(LimitError, match="would take 2 MB of memory; allowed: 5 MB, and 1"):
        clock.claim(2_000_000, "a table")
    taken += 2_000_000
    with pytest.raises(LimitError, match="having taken 5 MB of memory") as caught:
        clock.poll()
    assert caught.value.limit == "bytes"


def test_small_claims_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def look() -> int:
        looks.append(0)
        return 0

    monkeypatch.setattr(budgets, "_resident", look)
    clock = Clock(Budget(bytes=5_000_000), Clock(Budget(bytes=5_000)))
    for _ in range(2):
        for _ in range(5):
            clock.claim(1, "a row")
        assert not looks
        clock.claim(1, "a row")
        assert looks, "the stricter one looks after five bytes"
        looks.clear()
    with pytest.raises(LimitError, match="would take 1 MB of memory"):
        clock.claim(6_000, "a table")


def test_all_that_is_allowed_may_be_claimed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "_resident", lambda: 10**9)
    clock = Clock(Budget(bytes=3_000_000))
    clock.claim(3_000_000, "a table")
    with pytest.raises(LimitError) as caught:
        clock.claim(3_000_001, "a table")
    assert str(caught.value) == "a table would take 3 MB of memory; allowed: 3 MB"


def test_memory_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now, looks = 100, list[int]()

    def look() -> int:
        looks.append(now)
        return 0

    monkeypatch.setattr(budgets, "_resident", look)
    monkeypatch.setattr(budgets, "monotonic", lambda: now)
    monkeypatch.setattr(budgets, "BEFORE_LOOKS_S", 2)
    monkeypatch.setattr(budgets, "BETWEEN_LOOKS_S", 5)
    clock = Clock(Budget())
    for now in range(100, 112):  # noqa: B007  # by the clock
        clock.poll()
    assert looks == [103, 109]


def test_the_clock_is_looked_at_after_so_much_work() -> None:
    clock = Clock(Budget(stop=lambda: True))
    for _ in range(2):  # it begins anew each time
        clock.tick(budgets.BETWEEN_POLLS - 1)
        clock.tick()
        with pytest.raises(LimitError, match="interrupted"):
            clock.tick()


def test_limits_that_nobody_gave_are_the_usual_ones() -> None:
    for clock in (Clock(Budget()), Clock(Budget(), Clock(Budget()))):
        assert (clock.places(5), clock.pairs(6), clock.battles(7)) == (5, 6, 7)
        assert clock.places() == budgets.MOST_PLACES
        assert (clock.seconds, clock.left) == (None, inf)
    strict = Clock(Budget(battles=3), Clock(Budget(bytes=9)))
    assert (strict.battles(7), strict.bytes) == (3, 9)


def test_memory_that_was_given_back_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 10**9
    monkeypatch.setattr(budgets, "_resident", lambda: taken)
    outer = Clock(Budget(bytes=4_000_000))
    clock = Clock(Budget(bytes=8_000_000), outer)
    assert (clock.at_start, outer.at_start) == (taken, taken)
    taken += 3_000_000
    with pytest.raises(LimitError, match="allowed: 4 MB, and 1 MB are left"):
        clock.claim(2_000_000, "a table")
    clock.count_memory_from_now()
    clock.claim(2_000_000, "a table")
    assert (clock.at_start, outer.at_start) == (taken, taken)


def test_work_that_takes_longer_than_is_left_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(budgets, "monotonic", lambda: now)
    clock = Clock(Budget(seconds=20))
    now += 5
    clock.foresee(15, "a table")
    with pytest.raises(LimitError) as caught:
        clock.foresee(16, "a table")
    assert str(caught.value) == "a table takes some 16 seconds; of 20 15 are left"
    assert caught.value.limit == "seconds"
    now += 20
    clock.foresee(1, "a row")  # so little is begun
    with pytest.raises(LimitError, match="of 20 0 are left"):
        clock.foresee(1.1, "a table")


def test_a_forked_process_asks_and_tells_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "_resident", lambda: 0)
    told: list[Progress] = []
    asks = Budget(seconds=50, stop=lambda: True, progress=told.append)
    clock = Clock(Budget(pairs=3, seconds=100), Clock(asks))
    assert clock.over() == "interrupted"
    child = clock.in_a_child()
    monkeypatch.setattr(budgets, "monotonic", lambda: clock.began + 1)
    child.tell("pairs", 1)
    assert child.over() == ""
    assert not told
    assert (child.pairs(5), child.deadline, child.seconds) == (3, clock.deadline, 50)
    assert child.began == clock.began


def test_progress_follows_what_stopped_the_work() -> None:
    clock = Clock(Budget(seconds=0))
    assert clock.so_far == ""
    clock.tell("pairs", 1_200)
    assert clock.so_far == "; 1,200 pairs so far"
    clock.tell("pairs", 1_200, 5_000)
    with pytest.raises(LimitError, match="; 1,200 of 5,000 pairs so far") as caught:
        clock.poll()
    assert caught.value.done == {"pairs": 1_200}


def test_nobody_is_told_of_work_that_has_no_name_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "BEFORE_LOOKS_S", -1.0)
    monkeypatch.setattr(budgets, "BETWEEN_LOOKS_S", -1.0)
    told: list[Progress] = []
    clock = Clock(Budget(progress=told.append))
    clock.poll()
    assert not told
    clock.tell("pairs", 3)
    clock.poll()
    assert told == [Progress("pairs", 3)]


def test_this_process_takes_memory() -> None:
    from mmap import MAP_ANONYMOUS, MAP_PRIVATE  # not on Windows

    before = budgets._resident()
    # Mapped anew: whatever battles have freed may be used again, and counts already.
    with mmap(-1, 50_000_000, flags=MAP_PRIVATE | MAP_ANONYMOUS) as held:
        for page in range(0, len(held), PAGESIZE):
            held[page] = 1
        assert budgets._resident() - before > 30_000_000


def test_elsewhere_memory_is_asked_for_in_other_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was ever taken, in bytes on a Mac; where nobody knows it is nothing."""
    pytest.importorskip("resource")
    most = budgets._at_most()
    assert 0.5 < most / budgets._resident() < 500  # the system counts now and then
    monkeypatch.setattr(sys, "platform", "darwin")
    assert budgets._at_most() < most / 1000

    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(budgets, "open", refuse, raising=False)
    assert budgets._way_to_look() == (budgets._at_most, 1)
    monkeypatch.setitem(sys.modules, "resource", None)
    assert budgets._way_to_look() == (budgets._unknown, 1)
    assert budgets._unknown() == 0


@pytest.mark.parametrize(
    "wrong", [{"places": -1}, {"seconds": -0.5}, {"reserve": -1}, {"seconds": float("nan")}]
)
def test_a_budget_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match="must be at least 0"), spending(Budget(**wrong)):
        pass


def test_progress_is_told() -> None:
    told: list[Progress] = []
    enough = Budget(seconds=60, progress=told.append, stop=lambda: len(told) > 2)
    with pytest.raises(LimitError):
        odds(walk(100), budget=enough)
    assert len(told) > 1
    assert {one.work for one in told} == {"places"}
    done = [one.done for one in told]
    assert done == sorted(done)
    assert done[-1] > done[0]


# -- exchanges -------------------------------------------------------------------------------


def test_odds_end_in_time_and_say_what_was_settled() -> None:
    error = late(lambda: odds(walk(100), budget=Budget(seconds=SHORT)))
    assert "toy: stopped after 0.1 seconds at '" in str(error)
    assert error.p_ended == 0
    assert error.done["places"] > 0
    assert odds(walk(2)).mean() == 101


def test_solving_ends_in_time_and_goes_on_with_what_was_followed() -> None:
    forget_kernels()
    solution = solve(walk(60), FAR, budget=Budget(seconds=SHORT))
    first = late(lambda: solution.value)
    assert "stopped after 0.1 seconds to solve" in str(first)
    second = late(lambda: solution.value)
    assert second.states > first.states
    assert solve(walk(3), FAR).value == Fraction(303, 2)
    forget_kernels()


def test_an_exchange_without_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lasting, "MOST_PLACES", 1_000)  # as many as usual take 20 seconds
    endless = 10**9
    late(lambda: odds(walk(endless), budget=Budget(seconds=SHORT)))
    forget_kernels()
    with pytest.raises(LimitError) as caught:  # no clock: how quick the machine is plays no part
        _ = solve(walk(endless), FAR, budget=Budget(places=20_000)).value
    assert caught.value.limit == "places"
    assert "over 1,000 places are too many to solve" in str(caught.value)


def test_places_of_an_exchange_are_limited() -> None:
    forget_kernels()
    for run in (
        lambda: odds(walk(100), budget=Budget(places=5000)),
        lambda: solve(walk(60), FAR, budget=Budget(places=5000)).value,
    ):
        error = late(run, "places")
        assert "over 5,000 places" in str(error)
        assert error.states > 5000


def test_who_asks_to_stop_is_heard() -> None:
    error = late(lambda: odds(walk(100), budget=Budget(stop=lambda: True)), "interrupted")
    assert "toy: interrupted at '" in str(error)


# -- dice ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "read"),
    [
        (Pool((d(1000), 1000)), SumOfDice()),
        (Pool((d(1000), 300)), SumOfDice()),
        (Pool((d(10), 10_000)), Tally((frozenset({7, 8, 9, 10}), frozenset({1})))),
        (Pool((d(10), 300)), Tally(tuple(frozenset({face}) for face in range(1, 6)))),
    ],
    ids=["bytes", "seconds", "triangle", "cells"],
)
def test_pools_that_are_too_large_are_refused(pool: Pool, read: Any) -> None:
    began = monotonic()
    with spending(Budget(seconds=SHORT)), pytest.raises(LimitError) as caught:
        distribution(pool, read)
    assert monotonic() - began < SHORT + LATE
    assert caught.value.limit in {"bytes", "seconds"}


def test_ten_thousand_dice_add_up() -> None:
    weights = (1, 2)
    coin = Die("coin", (0, 1), weights)
    found = distribution(Pool((coin, 9_999)), SumOfDice())
    assert found.chance(0) == Fraction(1, 3**9_999)
    assert found.chance(9_998) == Fraction(9_999 * 2**9_998, 3**9_999)
    assert found.mean() == 6_666


def test_the_collector_is_as_it_was_after_the_work() -> None:
    before = gc.get_threshold()
    with spending(Budget(seconds=100)):
        assert gc.get_threshold()[0] > before[0]
        with spending(Budget(places=7)):
            pass
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_threshold() == before
    with pytest.raises(ZeroDivisionError), spending():
        1 / 0  # noqa: B018  # whatever goes wrong
    assert gc.get_threshold() == before


def test_a_collector_that_is_off_stays_off() -> None:
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with spending():
            assert gc.get_threshold()[0] == 0
        assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)


# -- duels -----------------------------------------------------------------------------------


def growing(where: str) -> Contest:
    """A fight in which somebody gets stronger for ever: as a turn begins, or with each blow."""

    def stronger(sheet: Fighter, body: Body) -> Body:
        return body._replace(strength=body.strength + 1)

    def struck(sheet: Fighter, body: Body, damage: int) -> Body:
        return body._replace(strength=body.strength + damage)

    changes: dict[str, Any] = {"begin_turn": stronger} if where == "turn" else {"apply": struck}
    system = games._system(**changes)
    return games.contest(lambda: system, Fighter("One", 5), Fighter("Other", 5), "one")


@pytest.mark.parametrize("rounds", [None, 5])
def test_conditions_without_bound_end_in_time(rounds: int | None) -> None:
    contest = growing("blow")
    error = late(lambda: Duel(contest, budget=Budget(seconds=SHORT)).solve(rounds))
    assert "toy: stopped after 0.1 seconds" in str(error)
    late(lambda: solve_exactly(contest, budget=Budget(seconds=SHORT, pairs=10**9)))
    late(lambda: BestDuel(contest, budget=Budget(seconds=SHORT)).solve(rounds))


@pytest.mark.parametrize("rounds", [None, 5])
def test_what_the_end_of_a_fight_bounds_is_worked_out(rounds: int | None) -> None:
    """Strength grows with each turn, for ever; but each turn somebody loses a point."""
    contest = growing("turn")
    exact = solve_exactly(contest)
    found = Duel(contest, budget=Budget(seconds=60)).solve(rounds)
    assert found.won == pytest.approx(tuple(map(float, exact.won)), abs=1e-12)
    best = BestDuel(contest, budget=Budget(seconds=60)).solve(rounds)  # nobody has a choice
    assert best.won == pytest.approx(tuple(map(float, exact.won)), abs=1e-12)


def test_conditions_without_bound_are_fought_in_battles() -> None:
    found = Battle(growing("blow"), rounds=30).run(200, seed=1)
    assert found.stalled.value == 1
    error = late(
        lambda: Battle(growing("blow"), rounds=10**6).run(200, seed=1, budget=Budget(seconds=SHORT))
    )
    assert error.done["battles"] == 0


def test_a_duel_that_was_broken_off_can_be_asked_again() -> None:
    one, other = Fighter("One", 300, dice=3), Fighter("Other", 300, dice=3)
    contest = games.contest(games.slugging, one, other, "one")
    with pytest.raises(LimitError) as caught:
        Duel(contest, budget=Budget(seconds=0.0))
    assert caught.value.limit == "seconds"
    whole = Duel(contest)
    with pytest.raises(LimitError, match=r"stopped after 0 seconds; 89,401 pairs of conditions"):
        Duel(contest, budget=Budget(seconds=0.0)).solve()
    fresh = Duel(games.contest(games.slugging, one, other, "one")).solve()
    assert whole.solve().won == fresh.won


def test_tables_that_are_too_large_are_refused_before_they_are_made() -> None:
    one, other = Fighter("One", 300, dice=3), Fighter("Other", 300, dice=3)
    contest = games.contest(games.slugging, one, other, "one")
    error = late(lambda: Duel(contest, budget=Budget(bytes=1_000_000)).solve(), "bytes")
    assert "would take" in str(error)
    assert Duel(contest).solve().won[0] > 0.5


# -- battles ---------------------------------------------------------------------------------


def slow() -> Battle:
    """Two hundred against two hundred."""
    one, other = Fighter("One", 50, sides=6), Fighter("Other", 50, sides=6)
    return Battle(games.contest(games.slugging, (one,) * 200, (other,) * 200, "one"))


def test_a_battle_too_large_for_its_time_says_so() -> None:
    error = late(lambda: slow().run(1000, seed=1, budget=Budget(seconds=SHORT)))
    assert "before the first battle of 400 fighters was over" in str(error)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_battle_gives_what_there_is_when_time_is_over(workers: int) -> None:
    one, other = Fighter("One", 3), Fighter("Other", 3)
    battle = Battle(games.contest(games.slugging, one, other, "one", plan=DECIDE_ALL))
    began, enough = monotonic(), 0.6  # for a first chunk, also on a busy machine
    found = battle.run(10**8, seed=1, workers=workers, budget=Budget(seconds=enough))
    assert monotonic() - began < enough + LATE
    assert (found.partial, found.stopped_by, found.wanted) == (True, "seconds", 10**8)
    assert found.n >= 25_000
    again = battle.run(found.n, seed=1)
    assert (again.won, again.rounds) == (found.won, found.rounds)


def test_battles_are_counted() -> None:
    one, other = Fighter("One", 3), Fighter("Other", 3)
    battle = Battle(games.contest(games.slugging, one, other, "one"))
    found = battle.run(500, seed=1, budget=Budget(battles=100))
    assert (found.n, found.partial, found.stopped_by) == (100, True, "battles")
    sure = battle.run(None, seed=1, target_error=1e-9, budget=Budget(battles=100))
    assert (sure.n, sure.partial, sure.stopped_by) == (100, True, "battles")
