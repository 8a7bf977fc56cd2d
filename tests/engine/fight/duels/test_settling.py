"""Duels in which every choice comes before the dice, settled with shares of exchanges."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from scipy.sparse import csr_array

from affray.core.errors import LimitError
from affray.engine.fight.duels import by_slots, settling, slot_sums
from affray.engine.fight.duels import strategy as strategies
from affray.engine.fight.duels.beginning import starts_of
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.settling import Settling
from affray.engine.fight.duels.shares import Shares, are_plain
from affray.engine.fight.duels.strategy import Strategy
from affray.engine.fight.duels.tree import Picks, Rolls, Tree
from tests.engine.fight.duels.test_strategy import MAY_BE_ENDLESS
from tests.engine.skirmish import Fencer, skirmish, skirmish_of

ALL = ("light", "hard", "guard", "rest", "wait")
BOTH = [
    (Fencer("A", 3), Fencer("B", 2)),
    (Fencer("Healing", 4, 0, ALL, heals=1), Fencer("Piercing", 3, pierces=True)),
    (Fencer("Bleeding", 4, 0, ALL, bleeds=1), Fencer("Other", 3, 0, ALL, bleeds=2)),
    (Fencer("Yielding", 5, 0, yields=1), Fencer("Slow", 4, 0, ALL, yields=2, bleeds=1)),
    (Fencer("Resting", 3, 0, ("rest", "light")), Fencer("Always first", 3, speed=9)),
    (Fencer("Waiting", 1, 0, ("wait",)), Fencer("Guarding", 2, 0, ("guard", "wait"))),
]


def leads_of(duel: BestDuel, first: str | None) -> list[Any] | float:
    """The likeliest way to begin, by itself."""
    if first is not None:
        return 1.0
    start = max(starts_of(duel.contest, duel.duelists), key=lambda start: start.case.chance)
    return [np.asarray(start.leads, float)]


def solved(duel: BestDuel, leads: list[Any] | float) -> Strategy:
    strategy = Strategy(duel, leads)
    strategy.solve()
    return strategy


@pytest.mark.parametrize("both", BOTH)
@pytest.mark.parametrize(("actions", "first"), [(1, "one"), (2, None)])
def test_it_comes_to_what_trees_come_to(
    both: tuple[Fencer, Fencer],
    actions: int,
    first: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = skirmish(actions=actions, die=0 if first else 2)
    duel = BestDuel(skirmish_of(*both, cast("Any", first), system=system))
    leads = leads_of(duel, first)
    found = solved(duel, leads)
    monkeypatch.setattr(slot_sums, "AT_ONCE", 1)
    in_parts = solved(duel, leads)
    monkeypatch.setattr(strategies.Strategy, "by_shares", lambda _: None)
    told = solved(duel, leads)
    at = told.spots.of[duel.start_pair, 0]
    for one in (found, in_parts):
        assert one.values[0, at] == pytest.approx(told.values[0, at], abs=1e-12)
        for number in range(len(told.states)):
            place, some = told.sweep.offset + number, told.ground.rows_of(number) >= 0
            assert one.values[place, some] == pytest.approx(told.values[place, some], abs=1e-12)
        assert one.gains() <= one.residual + 1e-14
        assert one.residual < 1e-13


@pytest.mark.parametrize("both", BOTH[1:4])
def test_taking_turns_from_the_start_comes_to_the_same(
    both: tuple[Fencer, Fencer], monkeypatch: pytest.MonkeyPatch
) -> None:
    for one, other in (both, both[::-1]):
        together = solved(BestDuel(skirmish_of(one, other)), 1.0)
        with monkeypatch.context() as patch:
            patch.setattr(settling, "TOGETHER", 0)
            in_turn = solved(BestDuel(skirmish_of(one, other)), 1.0)
        assert in_turn.values == pytest.approx(together.values, abs=1e-12)
        assert in_turn.gains() <= in_turn.residual + 1e-14 < 1e-12


def test_only_what_was_found_is_kept() -> None:
    """What shares of exchanges are worth takes much memory."""
    strategy = solved(BestDuel(skirmish_of(*BOTH[1])), 1.0)
    assert strategy.settled is not None
    assert not strategy.settled.sums


@pytest.mark.parametrize(
    ("one", "other", "endless"), [row for row in MAY_BE_ENDLESS if not row[0].luck + row[1].luck]
)
@pytest.mark.parametrize("first", ["one", None])
def test_levels_in_which_both_can_stay_for_ever_are_found(
    one: Fencer, other: Fencer, endless: bool, first: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = settling._Level._may_be_endless
    told: list[bool] = []

    def noted(level: settling._Level) -> bool:
        told.append(asked(level))
        return told[-1]

    gone: list[bool] = []

    def gone_round(steps: Any, worth: Any) -> float | None:
        gone.append(told[-1])
        return by_slots.gone_round(steps, worth)

    monkeypatch.setattr(settling._Level, "_may_be_endless", noted)
    monkeypatch.setattr(settling, "gone_round", gone_round)
    duel = BestDuel(skirmish_of(one, other, cast("Any", first), system=skirmish(die=not first)))
    solved(duel, leads_of(duel, first))
    assert told
    assert any(told) is endless
    assert not any(gone), "what a state was worth before would stay there where nothing leaves"
    assert bool(gone) is not all(told)


def test_the_residual_is_the_largest_of_all_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Strategy(BestDuel(skirmish_of(*BOTH[1])), 1.0)
    made = strategy.by_shares()
    assert made is not None
    solve, missed = settling._Level.solve, iter([0.25, 0.5, 0.125])
    monkeypatch.setattr(
        settling._Level, "solve", lambda level: solve(level) * 0 + next(missed, 0.0)
    )
    made.solve()
    assert next(missed, None) is None
    assert made.residual == 0.5


def test_a_list_is_cut_where_its_parts_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five at once: 2 and 3, then 1, for there are 5 more, then 9 by themselves, which are more."""
    monkeypatch.setattr(slot_sums, "AT_ONCE", 5)
    assert slot_sums._cuts(np.cumsum([2, 3, 1, 5, 9, 1])) == [2, 3, 4, 5, 6]
    assert slot_sums._cuts(np.array([7])) == [1]


def settles(one: Fencer, other: Fencer) -> bool:
    return Strategy(BestDuel(skirmish_of(one, other)), 1.0).by_shares() is not None


def test_it_takes_choices_before_the_dice() -> None:
    assert settles(Fencer("A", 2), Fencer("B", 2, 0, ALL))
    assert not settles(Fencer("A", 2, 1), Fencer("B", 2))  # luck after the roll
    assert not settles(Fencer("A", 2), Fencer("B", 2, 1))


def test_too_many_numbers_are_left_to_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Strategy(BestDuel(skirmish_of(*BOTH[1])), 1.0)
    made = strategy.by_shares()
    assert made is not None
    for sums in made.sums:
        sums.start(made.sweep, strategy.duel.verdicts)
        assert sums.size == sums.worth.size > 0
    size = sum(sums.size for sums in made.sums)
    monkeypatch.setattr(settling, "MOST_NUMBERS", size)
    assert strategy.by_shares() is not None
    monkeypatch.setattr(settling, "MOST_NUMBERS", size - 1)
    assert strategy.by_shares() is None


def test_several_ways_to_begin_are_left_to_trees() -> None:
    both = Fencer("Quick", 3, 0, speed=1), Fencer("Slow", 3)
    duel = BestDuel(skirmish_of(*both, None, system=skirmish(die=2)))
    leads = [start.leads for start in starts_of(duel.contest, duel.duelists)]
    assert len(leads) > 1
    assert Strategy(duel, leads).by_shares() is None
    assert Strategy(duel, leads[:1]).by_shares() is not None


def test_shares_add_up_to_the_rolls() -> None:
    duel = BestDuel(skirmish_of(*BOTH[1]))
    for attacks in duel.trees:
        assert are_plain(attacks.trees)
        shares = Shares(attacks.trees, attacks.effect_numbers)
        roll = 0
        for number, tree in enumerate(attacks.trees):
            own, foe = attacks.effect_numbers(number)
            rows = [
                dict(zip(layer.chances.indices[a:b], layer.chances.data[a:b], strict=True))
                for layer in tree.layers
                if isinstance(layer, Rolls)
                for a, b in zip(layer.chances.indptr, layer.chances.indptr[1:], strict=False)
            ]
            for row in rows:
                told: dict[tuple[int, int], float] = {}
                for end, chance in row.items():
                    pair = int(own[end]), int(foe[end])
                    told[pair] = told.get(pair, 0) + chance
                found: dict[tuple[int, int], float] = {}
                for entry in range(shares.entries[roll], shares.entries[roll + 1]):
                    share = shares.share[entry]
                    for at in range(shares.starts[share], shares.starts[share + 1]):
                        pair = int(shares.own[entry]), int(shares.effects[at])
                        likely = shares.chance[entry] * shares.likely[at]
                        found[pair] = found.get(pair, 0) + likely
                assert found == pytest.approx(told, abs=1e-12)
                roll += 1
            # What nobody rolls for is a roll with one end.
            last = int(shares.rolls[number + 1])
            assert all(shares.entries[n + 1] - shares.entries[n] == 1 for n in range(roll, last))
            assert shares.chance[shares.entries[roll] : shares.entries[last]] == pytest.approx(1)
            roll = last


def test_an_improvement_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Strategy(BestDuel(skirmish_of(*BOTH[1])), 1.0)
    made = strategy.by_shares()
    assert isinstance(made, Settling)
    monkeypatch.setattr(settling, "MOST_TURNS", 0)
    with pytest.raises(LimitError, match="toy: picks still improve after 0 turns"):
        made.solve()


def test_what_never_comes_to_rest_is_left_to_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = BestDuel(skirmish_of(*BOTH[1]))
    found = solved(duel, 1.0)
    monkeypatch.setattr(settling, "MOST_TURNS", 0)
    by_trees = solved(duel, 1.0)
    start = found.spots.of[duel.start_pair, 0]
    assert by_trees.values[0, start] == pytest.approx(found.values[0, start], abs=1e-12)
    assert by_trees.gains() <= by_trees.residual + 1e-14

    def stops(made: Settling) -> None:
        raise LimitError("no time", limit="seconds")

    monkeypatch.setattr(Settling, "solve", stops)
    with pytest.raises(LimitError, match="no time"):
        solved(duel, 1.0)


@pytest.mark.parametrize("both", BOTH[1:4])
def test_the_residual_is_no_less_than_what_somebody_could_gain(
    both: tuple[Fencer, Fencer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody changes any pick for so little, so everybody keeps to what is listed first."""
    monkeypatch.setattr(settling, "GAIN", 10.0)
    found = solved(BestDuel(skirmish_of(*both)), 1.0)
    assert {int(pick) for slot in found.states for one in slot for pick in one.picks.ravel()} == {0}
    gains = found.gains()
    assert gains > 1e-3
    assert found.residual >= gains - 1e-14


def test_choices_lead_to_choices() -> None:
    """Either side picks one of three; who acts picks who may, or ends it."""
    rolls = Rolls(
        slice(3, 5),
        csr_array(np.array([[0.25, 0.75, 0.0], [0.0, 0.5, 0.5]])),
    )
    first = Picks(slice(5, 7), slice(0, 2), np.array([[3, 4, 0], [4, 3, 2]]), np.array([0, 1]))
    last = Picks(slice(7, 8), slice(2, 3), np.array([[5, 6, 1]]), np.array([0]))
    tree = Tree((("a", "x"), ("a", "y"), ("b", "x")), [rolls, first, last])
    assert are_plain([tree])
    shares = Shares([tree], lambda _: (np.array([0, 0, 1]), np.array([0, 1, 0])))
    (choices,) = shares.choices
    assert (choices.n_rolls, choices.n_picks) == (5, 3)
    # Worth of the ends: 8, 4, 0. Rolls are worth 5, 2; the ends to which choices lead 8, 4, 0.
    worth = np.array([[5.0], [2.0], [8.0], [4.0], [0.0]])
    picks = np.zeros((1, 3), np.int16)
    alike = settling._Alike(choices, np.array([0]), np.array([0]), picks, 0)
    changed, slack = alike.improve(worth, (1, -1))
    assert changed
    assert slack == 0
    assert picks.tolist() == [[2, 2, 0]]
    assert alike.picked().tolist() == [2]
    assert alike.improve(worth, (-1, 1)) == (True, 0)
    assert picks.tolist() == [[1, 1, 0]]
    assert alike.picked().tolist() == [1]
    assert alike.improve(worth, (0, 0)) == (False, 0)
    opens = np.array([[1.0], [0.0], [0.0], [0.0], [0.0]])
    assert alike.settled(opens).tolist() == [[False], [False], [False]]
    assert alike.settled(np.zeros((5, 1))).all()
    only = np.array([[False], [False], [True]])
    assert alike.improve(worth, (1, -1), only) == (True, 6)
    assert picks.tolist() == [[1, 1, 1]]


def test_what_going_round_does_not_solve_is_factorized(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = BestDuel(skirmish_of(*BOTH[1], None, system=skirmish(actions=2, die=2)))
    leads = leads_of(duel, None)
    found = solved(duel, leads)
    monkeypatch.setattr(settling, "gone_round", lambda steps, worth: worth.fill(9))
    told = solved(duel, leads)
    for number in range(len(found.settled.first) - 1 if found.settled else 0):
        assert told.values[number] == pytest.approx(found.values[number], abs=1e-12)
    assert told.residual < 1e-13
