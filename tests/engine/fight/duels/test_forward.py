"""Duels from the start on, against the sweep back from the end and round after round."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.app.inputs.fight_setups import load_fight
from affray.engine.fight.duels import forward
from affray.engine.fight.duels.answers import ROUNDS
from affray.engine.fight.duels.blocks import Equations
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.following import Followed, followed
from affray.engine.fight.duels.forward import Forward
from affray.engine.fight.duels.sweep import Sweep
from tests import fight_systems as games
from tests.engine.fight.duels.shipped import among_all, shipped_duel
from tests.fight_systems import Fighter

SLOW = "manned-tower"
"""A fight that takes too many rounds to follow all of them."""
DUELS = [
    ("eclipse-phase", "w6"),  # one way to begin, nothing comes back
    ("eclipse-phase", "grenades-against-a-torch"),  # nine side by side, and pairs that come back
    ("affinity", "raid"),  # large blocks, solved sparse
    ("emlia", SLOW),
    ("empty-earth", "bo-haunt"),
]


@pytest.mark.parametrize(("system_name", "fight"), DUELS)
def test_forward_back_and_round_by_round_come_to_the_same(system_name: str, fight: str) -> None:
    _come_to_the_same(shipped_duel(system_name, fight), is_slow=fight == SLOW)


def test_who_heals_at_the_start_of_a_turn_heals_once_for_all_its_actions() -> None:
    one, other = Fighter("A", 9, sides=4, heals=1), Fighter("B", 8, sides=4, heals=2)
    _come_to_the_same(Duel(games.contest(games.healing_twice, one, other, "one")))


def _come_to_the_same(duel: Duel, *, is_slow: bool = False) -> None:
    """Of many ways to begin, all are followed together; three are swept back one by one."""
    questions = duel.questions
    columns = questions.reshape(-1, questions.shape[-1])
    for sweep, starts in duel._sweeps:
        leads = [start.leads for start in starts]
        over, rounds, residual = Forward(sweep, leads).run(duel.start_pair)
        assert residual < 1e-9
        for place in {0, len(starts) // 2, len(starts) - 1}:
            start = starts[place]
            back = Sweep(duel.duelists, duel.attacks, start.leads)
            want = back.run(questions, ROUNDS)[0, duel.start_pair]
            found = over[place] @ columns
            found[ROUNDS] = rounds[place]
            np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-12)
        ended = np.zeros_like(over)
        for on, now in followed(sweep, duel.start_pair, leads):
            ended += now
            if on.sum() < 1e-13:
                break
        np.testing.assert_allclose(ended, over, rtol=1e-9, atol=1e-12)
        course = Followed(sweep, duel.start_pair, leads)
        assert course.to_the_end() is not is_slow
        if is_slow:
            continue
        if course._fading is None:
            assert course.on[-1].max() <= 1e-16
        ends, missed, among = course.over()
        found = among_all(ends, among, sweep.n)
        assert missed < 1e-14
        np.testing.assert_allclose(found, over, rtol=1e-9, atol=1e-12)
        while course.may_end[-1] > 1e-13:
            course.go_on()
        np.testing.assert_allclose(course.ended[-1], over @ columns[:, :ROUNDS], rtol=0, atol=1e-12)
        np.testing.assert_allclose(course.rounds, rounds, rtol=1e-9)


@pytest.mark.parametrize("most", [0, forward.MOST_EFFECTS])
@pytest.mark.parametrize("armor", [0, 2])
def test_either_may_go_first_and_miss(
    armor: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Effects one by one, or those that come to the same added up."""
    monkeypatch.setattr(forward, "MOST_EFFECTS", most)
    one, other = Fighter("One", 4, armor=armor, speed=1), Fighter("Other", 5, sides=3)
    duel = Duel(games.contest(games.hurrying, one, other, None))
    columns = duel.questions.reshape(-1, duel.questions.shape[-1])
    ((sweep, starts),) = duel._sweeps
    assert sweep.offset
    over, rounds, residual = Forward(sweep, [start.leads for start in starts]).run(duel.start_pair)
    assert residual < 1e-14
    for place, start in enumerate(starts):
        back = Sweep(duel.duelists, duel.attacks, start.leads)
        want = back.run(duel.questions, ROUNDS)[0, duel.start_pair]
        found = over[place] @ columns
        found[ROUNDS] = rounds[place]
        np.testing.assert_allclose(found, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("most", [0, forward.MOST_EFFECTS])
def test_a_fight_in_which_nothing_ever_changes_ends_nowhere(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "MOST_EFFECTS", most)
    one, other = Fighter("One", 4, armor=9), Fighter("Other", 5, armor=9)
    duel = Duel(games.contest(games.hurrying, one, other, None))
    for sweep, starts in duel._sweeps:
        with np.errstate(all="raise"):
            visits = Forward(sweep, [start.leads for start in starts]).run(duel.start_pair)
        assert not visits.over.any()
        assert visits.residual == 0


def test_the_residual_of_pairs_that_come_back_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    visited, missed = Equations.visited, iter((0.25, *[0.0] * 1000))

    def missing(self: Equations, known: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        return visited(self, known)[0], next(missed)

    monkeypatch.setattr(Equations, "visited", missing)
    one, other = Fighter("One", 3, heals=1), Fighter("Other", 3)
    duel = Duel(games.contest(games.healing, one, other, "one"))
    ((sweep, (start,)),) = duel._sweeps
    assert Forward(sweep, [start.leads]).run(duel.start_pair).residual == 0.25


def test_rounds_are_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = Duel(load_fight("eclipse-phase", "w6").contest)
    duel.solve()
    rounds = duel.by_round()
    assert len(rounds) > 1

    def go_on(_: Followed) -> None:
        raise AssertionError

    monkeypatch.setattr(Followed, "go_on", go_on)
    assert duel.by_round() == rounds


def test_conditions_that_are_still_to_come_are_followed() -> None:
    """Of two hundred points few are lost in the first rounds, and all of them in the end."""
    one, other = Fighter("One", 200, dice=3), Fighter("Other", 200, dice=3)
    duel = Duel(games.contest(games.slugging, one, other, "one"))
    ((sweep, (start,)),) = duel._sweeps
    course = Followed(sweep, duel.start_pair, [start.leads])
    course.go_on()
    while course.on[-1].max() > 1e-16:
        course.go_on()
    ends, missed, among = course.over()
    over = among_all(ends, among, sweep.n)
    assert missed < 1e-12
    want = Forward(sweep, [start.leads]).run(duel.start_pair).over
    np.testing.assert_allclose(over, want, rtol=0, atol=1e-12)
    assert course.ended[-1].sum() == pytest.approx(1, abs=1e-12)
