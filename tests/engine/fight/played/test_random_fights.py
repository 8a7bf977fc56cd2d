"""Random fights of small games: what `affray.testing` holds every system to holds in these."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from affray.core.node import Facts
from affray.core.system import System
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import First
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.hands import Enter, Leave
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.session import FightSession
from affray.testing.played import conditions_apart, random_fight, same_battle_apart, state_of
from tests import fight_systems as games
from tests.fight_systems import Fighter

GAMES = [
    games.slugging, games.simultaneous, games.units, games.healing, games.yielding,
    games.healing_and_yielding, games.twice, games.winding_up, games.pacing, games.hurrying,
    games.steady_order, games.finishing, games.choosing, games.bleeding, games.reviving,
    games.resting, games.guarding,
]  # fmt: skip
WAYS: tuple[First, ...] = ("coin", "alternate")


def contest(game: Callable[[], System[Facts]], first: First, *more: Plan) -> Contest:
    one = tuple(
        Fighter(name, 4, sides=4, hits=3, heals=1, yields=1, speed=2) for name in ("Ada", "Bo")
    )
    return games.contest(game, one, (*one[:1], Fighter("Ox", 6, sides=3)), first, *more)


@pytest.mark.parametrize("first", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_random_fight_keeps_the_laws(game: Callable[[], System[Facts]], first: First) -> None:
    for seed in range(2):
        begun = contest(game, first)
        *_, last = random_fight(begun, seed, hands=True)
        assert not list(conditions_apart(last))
        again = FightSession(begun, 8).replay(last.moves)
        assert state_of(again) == state_of(last)
        for before, after in pairwise(last.line):
            assert state_of(after.undo()) == state_of(before)


@pytest.mark.parametrize("first", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_people_who_take_the_first_option_fight_the_battle(
    game: Callable[[], System[Facts]], first: First
) -> None:
    planned = contest(game, first, Plan("first"))
    for seed in range(2):
        battle = play_battle(planned, seed=seed, rounds=8)
        assert not list(same_battle_apart(planned, battle))


def test_random_fights_differ_and_hands_are_among_their_moves() -> None:
    """Laws would prove little if every seed gave the same fight, or nobody had a hand in one."""
    ends = set()
    kinds = set()
    for seed in range(12):
        *_, last = random_fight(contest(games.slugging, "one"), seed, hands=True)
        ends.add(last.moves)
        kinds |= {type(move) for move in last.moves}
    assert len(ends) == 12
    assert {Enter, Leave} <= kinds


def test_a_battle_that_is_cut_short_or_ends_otherwise_is_told() -> None:
    planned = contest(games.slugging, "one", Plan("first"))
    battle = play_battle(planned, seed=1, rounds=8)
    short = battle._replace(exchanges=battle.exchanges[:-1])
    assert list(same_battle_apart(planned, short)) == ["round 4: blow needs more faces"]
    (told,) = same_battle_apart(planned, battle._replace(verdict="drawn"))
    assert told == f"it ends {battle.verdict!r}, the battle 'drawn'"
