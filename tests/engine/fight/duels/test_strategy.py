"""What strategies promise: nobody gains more than the residual, and what may never end is told."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from affray.core.errors import LimitError
from affray.engine.budget import Budget, spending
from affray.engine.fight.duels import ground
from affray.engine.fight.duels import strategy as strategies
from affray.engine.fight.duels.beginning import starts_of
from affray.engine.fight.duels.chunks import Grown, States
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.stand_ins import Both
from affray.engine.fight.duels.strategy import Strategy
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.duels.wants import TOGETHER
from tests.engine.noting import noting
from tests.engine.skirmish import Body, Fencer, skirmish, skirmish_of

GUARDS = ("light", "hard", "guard")
RICH = Fencer("One", 4, 2, finishes=2), Fencer("Other", 4, 1, executes=1)


def solved(one: Fencer, other: Fencer) -> Strategy:
    strategy = Strategy(BestDuel(skirmish_of(one, other)), 1.0)
    strategy.solve()
    return strategy


def state(strategy: Strategy, phase: int, one: Body, other: Body) -> tuple[States, int]:
    """The states among which one is, and its column."""
    duelists = strategy.duel.duelists
    pair = duelists[0].number[one] * len(duelists[1].conditions) + duelists[1].number[other]
    assert strategy.states[phase]  # they are told from now on
    found = strategy.found(phase, pair)
    assert found is not None
    return found


def pick(states: States, choice: int, column: int, option: int) -> None:
    picks = states.picks.copy()
    picks[choice, column] = option
    states.picks = picks


def evaluate(strategy: Strategy) -> None:
    """Work out what every state is worth under what is picked now."""
    for chunk in strategy.chunks:
        strategy._evaluate(strategy._grown(chunk, (0, 0)), 1.0)


# One point each, light or hard: whoever acts wins with 3/4 if both strike lightly.


def test_the_residual_is_what_the_first_side_could_gain() -> None:
    strategy = solved(Fencer("A", 1), Fencer("B", 1))
    states, column = state(strategy, 0, Body(1), Body(1))
    assert strategy.residual < 1e-15
    assert strategy.values[0, strategy.duel.start_pair] + 0.5 == pytest.approx(3 / 4)
    pick(states, 0, column, 1)
    evaluate(strategy)
    # Hard: x = 1/3 + 2/3 * 1/3 x, so 3/7; a light strike now, hard ones later: 2/3 + 1/3 * 1/7.
    assert strategy.values[0, strategy.duel.start_pair] + 0.5 == pytest.approx(3 / 7)
    assert strategy.gains() == pytest.approx(5 / 7 - 3 / 7, abs=1e-15)


def test_what_will_not_be_solved_in_time_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    with spending(Budget(seconds=20)):
        Strategy(BestDuel(skirmish_of(Fencer("A", 1), Fencer("B", 1))), 1.0)
        monkeypatch.setattr(ground, "LEAST_S", 100)
        with pytest.raises(LimitError, match="best play in 2 states takes some") as got:
            Strategy(BestDuel(skirmish_of(Fencer("A", 1), Fencer("B", 1))), 1.0)
    assert got.value.limit == "seconds"


def test_solving_takes_a_reserve_that_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ground, "USUAL_S", 100)
    for reserve, seconds in ((150, 20), (300, 200)):
        with spending(Budget(seconds=20, reserve=reserve)) as clock:
            Strategy(BestDuel(skirmish_of(Fencer("A", 1), Fencer("B", 1))), 1.0)
            assert clock.seconds == pytest.approx(seconds, abs=5)


def test_the_residual_is_what_the_second_side_could_gain() -> None:
    strategy = solved(Fencer("A", 1), Fencer("B", 1))
    states, column = state(strategy, 1, Body(1), Body(1))
    pick(states, 0, column, 1)
    evaluate(strategy)
    # B strikes hard: x = 2/3 + 1/3 * 2/3 x, so A wins with 6/7, and with 4/7 when B acts.
    assert strategy.values[0, strategy.duel.start_pair] + 0.5 == pytest.approx(6 / 7)
    assert strategy.gains() == pytest.approx(4 / 7 - 1 / 3 * 6 / 7, abs=1e-15)


def test_the_residual_sees_any_one_pick_that_is_worse() -> None:
    """All kinds of choices, few points: the residual is worked out for each pick."""
    strategy = solved(Fencer("One", 2, 1, finishes=2), Fencer("Other", 2, 1, executes=1))
    seen = 0
    for states in strategy.states[0] + strategy.states[1]:
        for choice in range(0, states.tree.n_picks, 2):
            before = states.picks
            pick(states, choice, 0, 1 - min(1, int(before[choice, 0])))
            evaluate(strategy)
            gains = strategy.gains()
            assert gains >= 0
            seen += gains > 1e-6
            states.picks = before
    evaluate(strategy)
    assert seen > 20
    assert strategy.gains() < 1e-14


def test_the_residual_sees_values_that_are_wrong() -> None:
    strategy = solved(*RICH)
    strategy.values[0, strategy.duel.start_pair] += 1e-3
    assert strategy.gains() >= 1e-3 - 1e-12


def test_the_table_of_worths_is_claimed_as_it_is_made() -> None:
    with noting() as clock:
        values = solved(Fencer("A", 1), Fencer("B", 2)).values
    assert (values.nbytes, f"{values.size:,} states") in clock.claims


@pytest.mark.parametrize("moves", [("light", "hard"), GUARDS])
def test_only_what_may_be_endless_is_first_taken_to_be_called_off(
    moves: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever guards may put off the end; a strike that hits ends it for certain one day."""
    chances: list[float] = []
    improve = Strategy._improve

    def noted(strategy: Strategy, grown: Grown, goes_on: float) -> float:
        chances.append(goes_on)
        return improve(strategy, grown, goes_on)

    monkeypatch.setattr(Strategy, "by_shares", lambda _: None)
    monkeypatch.setattr(Strategy, "_improve", noted)
    solved(Fencer("A", 2, 0, moves), Fencer("B", 2, 1, moves))
    assert 1.0 in chances
    assert (min(chances) < 1) == ("guard" in moves)


def test_taking_turns_from_the_start_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for both in (RICH, (Fencer("A", 2, 1, GUARDS), Fencer("B", 4, 1, GUARDS, pierces=True))):
        together = solved(*both)
        with monkeypatch.context() as patch:
            patch.setattr(strategies, "TOGETHER", 0)
            in_turn = solved(*both)
        assert in_turn.values == pytest.approx(together.values, abs=1e-12)
        assert in_turn.residual < 1e-14


@pytest.mark.parametrize("together", [0, TOGETHER])
@pytest.mark.parametrize("turn", [1, -1])
def test_the_residual_is_no_less_than_what_one_side_could_gain(
    turn: int, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One strikes hard, though light is better: nobody changes any pick for so little."""
    monkeypatch.setattr(strategies, "GAIN", 10.0)
    monkeypatch.setattr(strategies, "TOGETHER", together)
    monkeypatch.setattr(Strategy, "by_shares", lambda _: None)
    both = Fencer("Harsh", 1, moves=("hard", "light")), Fencer("Light", 1, moves=("light",))
    one, other = both[::turn]
    strategy = solved(one, other)
    assert not any(some.picks.any() for slot in strategy.states for some in slot)
    # The harsh one wins with x = 1/3 + 2/3 * 1/3 x = 3/7 if they act; 2/3 + 1/3 * 1/3 x if light.
    assert strategy.gains() == pytest.approx(2 / 3 + 1 / 3 * 1 / 3 * 3 / 7 - 3 / 7)
    assert strategy.residual >= strategy.gains() - 1e-14


def test_the_residual_counts_what_is_settled_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hit could end it, for a point that nobody spends: either end is nearer to the end."""
    monkeypatch.setattr(strategies, "GAIN", 10.0)
    strategy = solved(
        Fencer("One", 1, 1, ("light",), finishes=2), Fencer("Other", 2, 0, ("light",))
    )
    assert strategy.residual >= strategy.gains() - 1e-14 > 1e-3
    # With a point left each, and Other about to act, One wins with x = 1/3 * (2/3 + 1/3 x) = 1/4.
    slacks = [strategy._grown(chunk, strategies.BOTH).slack for chunk in strategy.chunks]
    assert max(slacks) == pytest.approx(1 - 1 / 4)
    assert strategy.residual >= 1 - 1 / 4


@pytest.mark.parametrize("luck", [0, 1])
def test_it_is_told_how_much_is_solved(luck: int) -> None:
    """State by state where choices come before the dice, else pair by pair."""
    with spending() as clock:
        strategy = solved(Fencer("A", 2, luck), Fencer("B", 3))
    work, done, wanted, *_ = clock.now
    if luck:
        # Of those that have points left both have at most 2 and 3, with their luck or without.
        assert (work, wanted) == ("pairs of conditions solved", 2 * 2 * 3)
        assert done == 2 * 2 * 3 - len(strategy.chunks[-1].spots) > 0
    else:
        assert (work, wanted) == ("states solved", n_states(strategy))
        last = 2  # both may act with all of their points
        assert done == n_states(strategy) - last > 0


def test_many_columns_in_parts_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solved(*RICH)
    monkeypatch.setattr(strategies, "AT_ONCE", 1)
    parts = solved(*RICH)
    assert max(len(states.spots) for states in parts.states[0]) == 1
    assert parts.values == pytest.approx(whole.values, abs=1e-14)


def nobody_stands_in(sweep: Sweep, *_: object) -> list[Both]:
    one, other = (np.arange(n) for n in sweep.n)
    return [(one, other)] * len(sweep.slots)


@pytest.mark.parametrize(
    "both",
    [
        (Fencer("Frail", 2, 1, bleeds=1), Fencer("Other", 3, 0, GUARDS, bleeds=2)),
        (Fencer("Quick", 2, 1, speed=1), Fencer("Slow", 3, 0, GUARDS, heals=1)),
    ],
)
def test_conditions_that_come_to_the_same_share_their_exchanges(
    both: tuple[Fencer, Fencer], monkeypatch: pytest.MonkeyPatch
) -> None:
    for actions, first in ((1, "one"), (2, None)):
        system = skirmish(actions=actions, die=0 if first else 2)
        duel = BestDuel(skirmish_of(*both, cast("Any", first), system=system))
        begins = [start.leads for start in starts_of(duel.contest, duel.duelists)]
        found = []
        for patched in (False, True):
            with monkeypatch.context() as patch:
                if patched:
                    patch.setattr(ground, "stand_ins", nobody_stands_in)
                found.append(Strategy(duel, 1.0 if first else begins))
            found[-1].solve()
        fewer, every = found
        assert n_states(fewer) <= n_states(every)
        for place, slot in enumerate(every.seen, start=every.sweep.offset):
            for spot in np.flatnonzero(slot & fewer_seen(fewer, every, place)).tolist():
                other = fewer.spots.of[every.spots.pair[spot], every.spots.begin[spot]]
                assert fewer.values[place, other] == pytest.approx(
                    every.values[place, spot], abs=1e-12
                )


def n_states(strategy: Strategy) -> int:
    return sum(len(rows.spots) for rows in strategy.ground.rows)


def fewer_seen(fewer: Strategy, every: Strategy, place: int) -> np.typing.NDArray[np.bool_]:
    """Which spots of one strategy come up in another one's slot."""
    number = place - every.sweep.offset
    spots = fewer.spots.of[every.spots.pair, every.spots.begin]
    return np.asarray((spots >= 0) & fewer.seen[number][spots])


def test_blocks_in_many_parts_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Fencer("A", 2, 1, GUARDS), Fencer("B", 3, 1)
    whole = solved(*both)
    assert max(len(chunk.starts) for chunk in whole.chunks) > 1
    monkeypatch.setattr(strategies, "IN_CHUNK", 1)
    parts = solved(*both)
    assert {len(chunk.starts) for chunk in parts.chunks} == {1}
    assert parts.values == pytest.approx(whole.values, abs=1e-14)
    assert parts.residual < 1e-14


def test_exchanges_of_both_orders_are_settled_together(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Fencer("Quick", 3, 1, speed=1), Fencer("Slow", 3, 0, GUARDS)
    duel = BestDuel(skirmish_of(*both, None, system=skirmish(die=2)))
    leads = [start.leads for start in starts_of(duel.contest, duel.duelists)]

    def made() -> Strategy:
        strategy = Strategy(duel, [np.asarray(lead) for lead in leads])
        strategy.solve()
        return strategy

    together = made()
    sharing = [some for chunk in together.chunks for some in together._sharing(chunk.states)]
    first, other = next(some for some in sharing if len(some) == 2)
    assert first.slot != other.slot
    assert first.attack == other.attack
    most = (len(first.spots) + len(other.spots)) * first.tree.n_places
    monkeypatch.setattr(strategies, "AT_ONCE", most)
    assert [first, other] in together._sharing([first, other])
    monkeypatch.setattr(strategies, "AT_ONCE", most - 1)
    assert list(together._sharing([first, other])) == [[first], [other]]
    monkeypatch.setattr(strategies, "AT_ONCE", 1)
    apart = made()
    assert all(len(some) == 1 for chunk in apart.chunks for some in apart._sharing(chunk.states))
    assert apart.values == pytest.approx(together.values, abs=1e-14)
    picks = [
        np.concatenate([states.picks.ravel() for slot in one.states for states in slot])
        for one in (apart, together)
    ]
    assert picks[0].sum() == picks[1].sum() > 0
    assert together.gains() <= together.residual + 1e-15


def test_ways_to_begin_side_by_side_come_to_what_each_comes_to_by_itself() -> None:
    both = Fencer("Quick", 3, 1, speed=1), Fencer("Slow", 3, 0, GUARDS)
    duel = BestDuel(skirmish_of(*both, None, system=skirmish(die=2)))
    leads = [
        start.leads
        for start in starts_of(duel.contest, duel.duelists)
        if not isinstance(start.leads, float)
    ]
    assert len(leads) > 1
    together = Strategy(duel, leads)
    together.solve()
    for number, lead in enumerate(leads):
        alone = Strategy(duel, [lead])
        alone.solve()
        for place, seen in enumerate(alone.seen, start=alone.sweep.offset):
            spots = together.spots.of[seen, number]
            assert together.values[place, spots] == pytest.approx(
                alone.values[place, seen], abs=1e-12
            )
    assert together.gains() <= together.residual + 1e-15


def test_a_fight_that_may_begin_anywhere_is_worth_the_same_where_this_one_comes() -> None:
    duel = BestDuel(skirmish_of(*RICH))
    here, anywhere = Strategy(duel, 1.0), Strategy(duel, 1.0, everywhere=True)
    here.solve()
    anywhere.solve()
    for place, seen in enumerate(here.seen):
        assert (seen <= anywhere.seen[place]).all()
        mine = here.values[place, seen]
        assert anywhere.values[place, seen] == pytest.approx(mine, abs=1e-12)


def test_a_fight_begins_where_it_does_unless_somebody_asks() -> None:
    duel = BestDuel(skirmish_of(Fencer("A", 2, moves=("guard",)), Fencer("B", 3, moves=GUARDS)))
    here, anywhere = Strategy(duel, 1.0), Strategy(duel, 1.0, everywhere=True)
    fewer, more = (sum(map(np.count_nonzero, some.seen)) for some in (here, anywhere))
    assert 0 < fewer < more


# -- fights without end ----------------------------------------------------------------------------


def may_be_endless(strategy: Strategy) -> bool:
    """Whether both sides together can stay in some block of pairs for ever."""
    grown = [strategy._grown(chunk, (0, 0)) for chunk in strategy.chunks]
    return any(strategy._may_be_endless(one) for one in grown)


MAY_BE_ENDLESS = [
    (Fencer("A", 3), Fencer("B", 3), False),
    (Fencer("A", 3, 2, finishes=2), Fencer("B", 3, 1), False),
    (Fencer("A", 3, 1, ("wait", "light")), Fencer("B", 3), False),
    (Fencer("A", 3, 1, ("wait", "light")), Fencer("B", 3, 1, ("light", "wait")), True),
    (Fencer("A", 3, 0, GUARDS), Fencer("B", 3), True),
    (Fencer("A", 3, 0, GUARDS), Fencer("B", 3, pierces=True), False),
    (Fencer("A", 3, 0, ("rest",)), Fencer("B", 3, 0, ("hard",)), False),
    (Fencer("A", 3, 0, ("rest",)), Fencer("B", 3, 0, ("hard",), speed=9), False),
    (Fencer("A", 3, 0, ("rest",)), Fencer("B", 3, 0, ("light",)), True),
    (Fencer("A", 3, 0, ("rest",)), Fencer("B", 3, heals=3, moves=("rest", "hard")), True),
    (Fencer("A", 3, 0, ("wait",), bleeds=1), Fencer("B", 3, moves=("wait",)), True),
]
"""Two fencers, and whether both together can go on for ever."""


@pytest.mark.parametrize(("one", "other", "endless"), MAY_BE_ENDLESS)
def test_whether_a_fight_may_be_endless(one: Fencer, other: Fencer, endless: bool) -> None:
    for first in ("one", "other"):
        duel = BestDuel(skirmish_of(one, other, first))
        assert may_be_endless(Strategy(duel, 1.0)) is endless
    duel = BestDuel(skirmish_of(one, other, None, system=skirmish(die=1)))
    for start in starts_of(duel.contest, duel.duelists):
        leads = start.leads if isinstance(start.leads, float) else [start.leads]
        assert may_be_endless(Strategy(duel, leads)) is endless


def test_nobody_can_do_anything_so_it_is_a_stalemate() -> None:
    duel = BestDuel(skirmish_of(Fencer("A", 1, 0, ("wait",)), Fencer("B", 9, 0, ("wait",))))
    result = duel.solve()
    assert result.endless == 1
    assert result.rounds == float("inf")
    strategy = Strategy(duel, 1.0)
    strategy.solve()
    assert strategy.values[0, duel.start_pair] == 0


@pytest.mark.parametrize("number", [0, 1])
def test_who_is_behind_guards_for_ever_whoever_it_is(number: int) -> None:
    """Guarding is worth no more than the strike after it, as long as one means to strike."""
    weak, strong = Fencer("Weak", 1, 0, GUARDS), Fencer("Strong", 4)
    result = BestDuel(skirmish_of(*((weak, strong) if number == 0 else (strong, weak)))).solve()
    reached = 1 if number == 0 else 1 / 3  # before the guard is up, a light strike hits with 2/3
    assert result.endless == pytest.approx(reached)
    assert result.won[number] == 0


@pytest.mark.parametrize("number", [0, 1])
def test_who_is_ahead_does_not_dawdle(number: int) -> None:
    """Waiting first is worth as much, but who always waits does not win."""
    ahead, behind = Fencer("Ahead", 3, 0, ("wait", "light")), Fencer("Behind", 1, 0, ("wait",))
    result = BestDuel(skirmish_of(*((ahead, behind) if number == 0 else (behind, ahead)))).solve()
    assert result.won[number] == pytest.approx(1)


def test_a_guard_that_may_fail_is_no_way_out() -> None:
    weak, strong = Fencer("Weak", 1, 0, ("guard",)), Fencer("Strong", 4, pierces=True)
    result = BestDuel(skirmish_of(weak, strong)).solve()
    assert result.won[0] == 0
    assert result.won[1] == pytest.approx(1)
