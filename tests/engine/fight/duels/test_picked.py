"""Duels under what is picked: the same as the same picks followed state by state, by hand."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from affray.engine.fight.duels import picked as module
from affray.engine.fight.duels.beginning import starts_of
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.picked import Picked, decided
from affray.engine.fight.duels.strategy import Strategy
from tests.engine.skirmish import Fencer, skirmish, skirmish_of

BOTH = Fencer("Quick", 3, 1, speed=1), Fencer("Slow", 3, 0, ("light", "hard"))


def duel_and_strategy() -> tuple[BestDuel, Strategy]:
    duel = BestDuel(skirmish_of(*BOTH, None, system=skirmish(die=2)))
    leads = [np.asarray(duel._by_pair(start)) for start in starts_of(duel.contest, duel.duelists)]
    strategy = Strategy(duel, leads)
    strategy.solve()
    return duel, strategy


def picked_of(duel: BestDuel, strategy: Strategy) -> Picked:
    verdicts = duel.verdicts.ravel()
    return Picked(decided(strategy), duel.start_pair, np.eye(len(strategy.begins)), verdicts)


def one_round(
    strategy: Strategy, begin: int, now: dict[int, float]
) -> tuple[dict[int, float], dict[int, float]]:
    """Pairs that go on after a round, and those that are over then, exchange by exchange."""
    sweep, over, after = (
        strategy.sweep,
        defaultdict[int, float](float),
        defaultdict[int, float](float),
    )
    on, half = sweep.going_on().ravel(), len(sweep.slots) // 2
    for order in (0, 1):
        here = {}
        for pair, chance in now.items():
            lead = float(strategy.leads[strategy.spots.of[pair, begin]])
            here[pair] = chance * (1 - lead if order else lead)
        for number in range(order * half, order * half + half):
            then = defaultdict[int, float](float)
            for pair, chance in here.items():
                if not chance:
                    continue
                found = strategy.found(number, pair, begin)
                assert found is not None
                states, column = found
                odds = states.tree.forward(states.picks[:, [column]])[:, 0]
                there = strategy.spots.ways.there(number, states.attack, np.array([pair]))[:, 0]
                for to, more in zip(there.tolist(), odds.tolist(), strict=True):
                    (then if on[to] else over)[to] += chance * more
            here = then
        for pair, chance in here.items():
            after[pair] += chance
    return after, over


@pytest.mark.parametrize("at_once", [1, 250_000], ids=["in many parts", "in few"])
def test_rounds_are_what_exchanges_come_to_one_by_one(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", at_once)
    duel, strategy = duel_and_strategy()
    picked = picked_of(duel, strategy)
    course = picked.by_round()
    now = [{duel.start_pair: 1.0} for _ in strategy.begins]
    for _ in range(3):
        on, over = (
            picked.by_pair(*both)
            for both in zip((picked.rounds, picked.ends), next(course), strict=True)
        )
        for begin in range(len(strategy.begins)):
            now[begin], ended = one_round(strategy, begin, now[begin])
            for found, expected in ((on[begin], now[begin]), (over[begin], ended)):
                whole = np.zeros(len(found))
                whole[list(expected)] = list(expected.values())
                assert found == pytest.approx(whole, abs=1e-14)


def test_all_at_once_comes_to_the_same_as_round_after_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    duel, strategy = duel_and_strategy()
    followed = picked_of(duel, strategy).visits
    monkeypatch.setattr(module, "SLOW", 2)
    monkeypatch.setattr(module, "PATIENCE", 0)
    solved = picked_of(duel, strategy).visits
    assert solved.over == pytest.approx(followed.over, abs=1e-13)
    assert solved.rounds == pytest.approx(followed.rounds, abs=1e-12)
    assert solved.over.sum(0) == pytest.approx(np.ones(len(strategy.begins)))


def test_what_is_worth_follows_from_where_it_ends() -> None:
    """The worth of the start is what the fight comes to under the picks, for each way to begin."""
    duel, strategy = duel_and_strategy()
    picked = picked_of(duel, strategy)
    over, (mine, theirs) = picked.last(picked.visits.over)
    worth = (duel.questions[mine][:, theirs, 0] - duel.questions[mine][:, theirs, 1]).ravel() / 2
    starts = strategy.spots.of[duel.start_pair]
    assert over @ worth == pytest.approx(strategy.values[0, starts], abs=1e-12)


def test_a_fight_that_is_over_before_it_begins() -> None:
    duel = BestDuel(skirmish_of(Fencer("A", 0), Fencer("B", 1)))
    result = duel.solve()
    assert result.won == (0, 1)
    assert result.rounds == 0
    assert duel.by_round(3)[0].won == (0, 1)
