"""What never ends is noticed and no longer followed: what is left of the duel is soon over."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.endless import endless
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.following import LEFT, SLOW, Followed
from affray.engine.fight.duels.forward import Forward
from affray.engine.fight.duels.found import FoundDuel
from affray.engine.fight.duels.going import Going
from affray.engine.fight.duels.whole_round import WholeRound
from tests import fight_systems as games
from tests.engine.fight.duels.shipped import among_all
from tests.fight_systems import Fighter

HIDES = Fighter("One", 4, sides=4, armor=1, heals=1, speed=2)
FOES = {
    "both hide": Fighter("Other", 5, sides=4, armor=1, speed=3),
    "weak": Fighter("Other", 4, sides=3, armor=1, heals=1, speed=2),
    "hidden already": Fighter("Other", 1, sides=4, armor=1, speed=2),
}


@pytest.mark.parametrize("foe", FOES)
def test_pairs_that_never_end_are_those_in_which_somebody_hides(foe: str) -> None:
    duel = Duel(games.contest(games.hiding, HIDES, FOES[foe]))
    one, other = duel.duelists
    for sweep, starts in duel._sweeps:
        whole = WholeRound(sweep, [start.leads for start in starts])
        hidden = [
            np.array([duelist.conditions[here].hp == 1 for here in ids])
            for duelist, ids in zip((one, other), whole.first, strict=True)
        ]
        want = (hidden[0][:, None] | hidden[1][None, :]) & whole.met
        assert (endless(whole) == want[:, :, None]).all()


@pytest.mark.parametrize("foe", ["both hide", "weak"])
@pytest.mark.parametrize("is_made_ready_anew", [False, True])
def test_only_what_may_end_is_followed(
    foe: str, monkeypatch: pytest.MonkeyPatch, *, is_made_ready_anew: bool
) -> None:
    if is_made_ready_anew:  # as where ways to begin that are one strand differ in what never ends
        monkeypatch.setattr(Going, "leave", lambda rounds, here, without: None)
    duel = Duel(games.contest(games.hiding, HIDES, FOES[foe]))
    for sweep, starts in duel._sweeps:
        leads = [start.leads for start in starts]
        course = Followed(sweep, duel.start_pair, leads)
        assert course.to_the_end()
        ends, missed, among = course.over(np.full((1, len(leads)), 0.5))
        assert missed < 1e-14
        want = Forward(sweep, leads).run(duel.start_pair).over
        half = among_all(ends, among, sweep.n)
        np.testing.assert_allclose(half, [0.5 * want.sum(0)], rtol=0, atol=1e-12)
        never = 1 - want.sum(1)
        assert (never > 0.01).all()
        np.testing.assert_allclose(course.on[-1], never, rtol=0, atol=1e-12)
        assert course.may_end[-1] <= LEFT
        assert (np.diff(course.may_end) <= 1e-15).all()
        course.go_on()
        np.testing.assert_array_equal(course.on[-1], course.on[-2])
        assert len(course.on) == len(course.may_end) == len(course.ended)


@pytest.mark.parametrize("foe", FOES)
def test_whoever_wins_wins_as_often_as_in_whole_fractions(
    foe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        f"{FoundDuel.__module__}.FEW_STATES", 0
    )  # however few there are, round after round
    contest = games.contest(games.hiding, HIDES, FOES[foe])
    exact, found = solve_exactly(contest), Duel(contest).solve()
    hand = (*exact.won, exact.drawn, exact.ended, exact.endless)
    assert float(exact.endless) > 0
    assert (*found.won, found.drawn, found.ended, found.endless) == pytest.approx(
        [float(p) for p in hand], abs=1e-12
    )
    assert found.rounds == float("inf")
    last = Duel(contest).by_round(2 * SLOW + 200)[-1]
    assert last.going_on == pytest.approx(float(exact.endless), abs=1e-12)


def test_a_fight_that_is_slow_and_ends_is_not_taken_for_endless() -> None:
    slow = Fighter("Slow", 2, sides=100, armor=98)
    duel = Duel(games.contest(games.slugging, slow, slow, "one"))
    ((sweep, (start,)),) = duel._sweeps
    course = Followed(sweep, duel.start_pair, [start.leads])
    assert not endless(WholeRound(sweep, [start.leads])).any()
    assert not course.to_the_end()
    assert course.on[-1] == pytest.approx(course.may_end[-1])
