"""Walks through a duel come to what the duel comes to, whoever walks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from affray.core.errors import LimitError
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import First, Verdict
from affray.engine.fight.duels import walked as walked_module
from affray.engine.fight.duels.certain import certain_of
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.walked import walked
from affray.engine.fight.duels.walks import Pairs, Walks
from tests import fight_systems as games
from tests.engine.fight import test_extras, test_interludes
from tests.engine.fight.duels.shipped import shipped_contest
from tests.engine.fight.duels.test_exact import GAMES, ONE, OTHER, Game
from tests.fight_systems import Fighter

N, ROUNDS = 2000, 6
VERDICTS: tuple[Verdict, ...] = ("one", "other", "drawn", "ended", "stalled")
STRONG, WEAK = Fighter("a", 6, sides=4, speed=2), Fighter("b", 5, sides=3, speed=3)
SPECIAL: dict[str, tuple[Callable[[], System[Facts]], tuple[Fighter, Fighter], First | None]] = {
    "interludes": (games.stormy, test_interludes.CASES[0], "initiative"),
    "interludes on both": (games.stormy, test_interludes.CASES[1], "initiative"),
    "extra turns": (games.spurting, test_extras.CASES[2], "one"),
    "turns of several blows": (games.pacing, (STRONG, WEAK), "coin"),
    "hidden": (games.hiding, (STRONG, WEAK), "other"),
    "deeds on oneself": (games.reviving, (STRONG, WEAK), "one"),
    "dice of initiative": (games.hurrying, (STRONG, WEAK), None),
}


def comes_to(contest: Contest, rounds: int) -> tuple[list[float], float]:
    """The chance of each verdict, and the mean of rounds, of a fight that is called off."""
    found = Duel(contest).solve(rounds)
    return [*found.won, found.drawn, found.ended, found.stalled], found.rounds


def agree(contest: Contest) -> list[float]:
    """Battles that are called off lie within five standard errors of what the duel comes to."""
    rounds = ROUNDS
    chances, mean = comes_to(contest, rounds)
    found = walked(contest, N, seed=7, rounds=rounds)
    assert found.verdicts.total() == found.rounds.total() == N
    for verdict, chance in zip(VERDICTS, chances, strict=True):
        error = max(1 / N, (chance * (1 - chance) / N) ** 0.5)
        assert abs(found.verdicts[verdict] / N - chance) < 5 * error, verdict
    squares = sum(number * number * times for number, times in found.rounds.items()) / N
    own = sum(number * times for number, times in found.rounds.items()) / N
    assert abs(own - mean) < 5 * max(1e-9, (squares - own * own) / N) ** 0.5
    return chances


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_battles_agree_with_games_solved_by_hand(game: Game) -> None:
    agree(game.contest(game.firsts[-1]))


@pytest.mark.parametrize("name", SPECIAL)
def test_battles_and_bounds_agree_with_whole_duels(name: str) -> None:
    game, (one, other), first = SPECIAL[name]
    contest = games.contest(game, one, other, first)
    chances = agree(contest)
    certain = certain_of(contest, rounds=ROUNDS)
    for verdict, chance in zip(VERDICTS, chances, strict=True):
        least, most = certain.between[verdict]
        assert least - 1e-12 <= chance <= most + 1e-12
    assert certain.open < 1e-11


@pytest.mark.filterwarnings("ignore:.*distance_m")
def test_battles_and_bounds_agree_with_a_shipped_duel() -> None:
    """Points in reserve, hidden damage, several ways to begin."""
    contest = shipped_contest("eclipse-phase", "w6")
    exact = Duel(contest).solve()
    found = walked(contest, N, seed=3, rounds=1000)
    for verdict, chance in zip(VERDICTS, exact.won, strict=False):
        assert abs(found.verdicts[verdict] / N - chance) < 5 * (chance * (1 - chance) / N) ** 0.5
    certain = certain_of(contest, budget=Budget(pairs=10_000))
    for verdict, chance in zip(VERDICTS, exact.won, strict=False):
        least, most = certain.between[verdict]
        assert least <= chance <= most
    assert 0 < certain.open < 0.9
    assert 0 < certain.states <= 10_000


def test_a_fight_that_is_called_off_lasts_as_long() -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    found = walked(contest, 500, seed=1, rounds=3)
    assert set(found.rounds) == {2, 3}
    assert found.verdicts["stalled"] > 0
    assert found.verdicts["stalled"] <= found.rounds[3]


def test_a_fight_that_is_over_before_it_begins_has_no_rounds() -> None:
    contest = games.contest(games.slugging, Fighter("Gone", 0), OTHER, "one")
    found = walked(contest, 50, seed=1, rounds=9)
    assert (found.verdicts, found.rounds) == (Counter(other=50), Counter({0: 50}))
    assert certain_of(contest).between["other"][0] == pytest.approx(1, abs=1e-12)


def test_the_same_seed_gives_the_same_battles() -> None:
    contest = games.contest(games.hurrying, STRONG, WEAK)
    one, same = (walked(contest, 300, seed=5, rounds=9) for _ in range(2))
    assert one == same
    assert one != walked(contest, 300, seed=6, rounds=9)


# -- batches ---------------------------------------------------------------------------------------


def batches(monkeypatch: pytest.MonkeyPatch, *limits: str) -> list[int]:
    """Let batches end at once, or with a limit; the sizes with which they are asked."""
    sizes: list[int] = []

    def fought(_: Walks, n: int, *__: object) -> tuple[Counter[str], Counter[int]]:
        sizes.append(n)
        limit = limits[len(sizes) - 1]
        if limit:
            raise LimitError(f"no {limit}", limit=limit)
        return Counter(one=n), Counter({3: n})

    monkeypatch.setattr(walked_module, "_fought", fought)
    return sizes


def test_batches_grow_and_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    sizes = batches(monkeypatch, *[""] * 5)
    found = walked(contest, 2500, seed=1, rounds=9)
    assert sizes == [10, 30, 120, 480, 1860]
    assert found == (Counter(one=2500), Counter({3: 2500}), "")
    sizes = batches(monkeypatch, "")
    assert walked(contest, 7, seed=1, rounds=9).verdicts == Counter(one=7)
    assert sizes == [7]


def test_whole_batches_count_where_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    batches(monkeypatch, "", "", "seconds")
    found = walked(contest, 2500, seed=1, rounds=9)
    assert found == (Counter(one=40), Counter({3: 40}), "seconds")
    for limits in (("seconds",), ("", "interrupted")):
        batches(monkeypatch, *limits)
        with pytest.raises(LimitError):
            walked(contest, 2500, seed=1, rounds=9)


# -- ways to begin ---------------------------------------------------------------------------------


def test_codes_tell_pairs() -> None:
    pairs = Pairs(np.array([0, 3]), np.array([2**24 - 1, 5]), np.array([7, 2**24 - 1]))
    again = Pairs.of(pairs.codes)
    assert all((one == other).all() for one, other in zip(pairs, again, strict=True))


def test_ways_to_begin_are_one_until_they_differ() -> None:
    """By at most one ahead of two: who is one quicker goes first in some, and ties in others."""
    contest = games.contest(games.hurrying, STRONG, WEAK)
    walks = Walks(contest)
    pairs, chances = walks.begin()
    assert (len(chances), chances.sum()) == (1, 1.0)
    found = list(walks.turns(pairs))
    assert sum(turns.chance for turns in found) == pytest.approx(1)
    assert len({turns.way for turns in found}) > 1
    assert {turns.first for turns in found} == {0, 1}
    for turns in found:  # nothing more is told apart by the same pair
        again = list(walks.turns(pairs._replace(way=np.array([turns.way]))))
        assert {one.way for one in again} == {turns.way}


def test_battles_with_other_interludes_before_their_turns_are_kept_apart() -> None:
    contest = games.contest(games.stormy, *test_interludes.CASES[1], "initiative")
    walks = Walks(contest)
    begins, _ = walks.begin()
    pairs = begins.some(np.repeat(np.arange(len(begins.one)), 20))
    found = walked_module._in_order(walks, pairs, np.random.default_rng(2))
    assert len({before for before, _ in found}) == 9
    assert sum(len(some.one) for some in found.values()) == len(pairs.one)
    for (before, _), some in found.items():
        assert {walks.before(way) for way in some.way.tolist()} == {before}


def test_budgets_hold() -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    with pytest.raises(LimitError) as error:
        walked(contest, 100, seed=1, rounds=9, budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"
    with pytest.raises(LimitError) as error:
        walked(contest, 100, seed=1, rounds=9, budget=Budget(seconds=0))
    assert error.value.limit == "seconds"
