"""What a side may be after an exchange, against what the rules make of each condition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.outcomes import OVER, Outcomes, axis_of, outcomes_of
from affray.engine.fight.duels.strategy import Strategy
from tests.engine.skirmish import Fencer, skirmish, skirmish_of

ALL = ("light", "hard", "guard", "rest", "wait")
BOTH = [
    (Fencer("Healing", 4, 0, ALL, heals=1), Fencer("Other", 3, 0, ALL)),
    (Fencer("Yielding", 5, 0, ALL, yields=1), Fencer("Bleeding", 4, 0, ALL, yields=2, bleeds=1)),
]
OUT, GIVES_UP = (True, True), (False, True)
WAYS_OUT = [
    {("exchange", OUT)},
    {("exchange", OUT), ("exchange", GIVES_UP), ("end of the round", GIVES_UP)},
]
"""What may be over by what; nobody has so little left that bleeding takes all of it."""


@pytest.mark.parametrize(("both", "ways_out"), [*zip(BOTH, WAYS_OUT, strict=True)])
def test_outcomes_are_what_the_rules_make_of_conditions(
    both: tuple[Fencer, Fencer], ways_out: set[Any]
) -> None:
    one, other = both
    sweep = Strategy(BestDuel(skirmish_of(one, other, system=skirmish(actions=2))), 1.0).sweep
    seen = set()
    for number, slot in enumerate(sweep.slots):
        for side, duelist in enumerate(sweep.duelists):
            fight: Any = duelist.fight
            after_it = sweep.standing[(number + 1) % len(sweep.slots)][side]
            axis = axis_of(sweep, side, after_it[::2])  # the others never come up
            before = sweep.standing[number][side]
            onto = np.arange(sweep.n[side])
            found = outcomes_of(sweep, number, side, before, (axis, onto))
            assert found.n_on == len(axis.conditions)
            assert found.depth[: found.n_on].tolist() == axis.depth.tolist()
            assert (found.depth[found.n_on :] == OVER).all()
            for column, place in enumerate(before.tolist()):
                condition = duelist.conditions[place]
                if slot.begins and slot.actor.side == side:
                    condition = fight.begin_turn(duelist.sheet, condition)
                for effect, row in duelist.effects.items():
                    if row not in duelist.changes[duelist.number[condition]]:
                        continue
                    after = duelist.number[duelist.after(condition, effect)]
                    is_over = bool(sweep.over[side][after])
                    final = after
                    if slot.ends_round and not is_over:
                        ended = fight.end_round(duelist.sheet, duelist.conditions[after])
                        final = duelist.number[ended]
                    told = int(found.of[row, column])
                    if sweep.over[side][final]:
                        # It is known how it is over, and whether the end of the round did it.
                        assert told >= found.n_on
                        first = int(found.first[told])
                        assert bool(sweep.over[side][first]) == is_over
                        first = first if is_over else int(sweep.ended[side][first])
                        flags = [
                            (duelist.is_out[here], duelist.is_over[here]) for here in (first, final)
                        ]
                        assert flags[0] == flags[1]
                        seen.add(("exchange" if is_over else "end of the round", flags[1]))
                    elif final in axis.conditions:
                        assert axis.conditions[told] == final
                    else:
                        assert told == found.n_on
    assert seen == ways_out


def test_conditions_of_an_axis_lie_in_order_of_how_far_they_are_from_the_end() -> None:
    sweep = Strategy(BestDuel(skirmish_of(*BOTH[1])), 1.0).sweep
    some = np.flatnonzero(~sweep.over[0])
    axis = axis_of(sweep, 0, np.concatenate([some[::-1], some]))
    depth = sweep.components[0].depth
    assert sorted(axis.conditions.tolist()) == some.tolist()
    assert axis.depth.tolist() == sorted(depth[some].tolist())
    assert (depth[axis.conditions] == axis.depth).all()
    assert (axis.number[axis.conditions] == np.arange(len(some))).all()
    assert (axis.number[sweep.over[0]] < 0).all()


def test_a_band_holds_what_is_equally_far_from_the_end() -> None:
    depth = np.array([0, 1, 1, 3, OVER, OVER])
    outcomes = Outcomes(np.zeros((1, 1), np.int64), depth, np.arange(6), 4)
    bands = [range(4)[outcomes.band(deep)] for deep in range(5)]
    assert [list(band) for band in bands] == [[0], [1, 2], [], [3], []]
