"""The computer plays whole games: it decides sensibly where nobody can solve them."""

from __future__ import annotations

from time import process_time

import pytest

from affray.app.exchange_computers import computer_decides, computer_rolls, decide, roll
from affray.app.play import PlayedGame
from affray.app.sources import Shipped, Table
from affray.engine.budget import Budget

MEETING = {
    "scenario": {
        "columns": 4, "rows": 3, "activations": 1, "starts": "one", "destroy": 2, "rounds": 6,
        "one": [{"unit": "knight", "hex": "0000"}, {"unit": "swordman", "hex": "0001"}],
        "other": [
            {"unit": {"like": "archer", "health": 1}, "hex": "0301"},
            {"unit": {"like": "archer", "health": 1}, "hex": "0302"},
        ],
    },
}  # fmt: skip
"""A strong army and a weak one: whoever leads the strong one and attacks has won by round six."""


def played(game: PlayedGame, side: str, *, seed: int, places: int) -> PlayedGame:
    """A game in which the computer plays one side, and the other picks the first option."""
    dice = computer_rolls(seed)
    policy = computer_decides(game, "win", Budget(places=places), seed=seed)
    while (question := game.question) is not None:
        if question.dice:
            game = roll(game, dice)
        elif question.actor == side:
            game = decide(game, policy)
        else:
            game = game.answer(question.options[0].name)
    return game


@pytest.mark.parametrize("seed", [1, 2])
def test_the_computer_beats_whoever_takes_the_first_option(seed: int) -> None:
    """The first options are to stay and not to attack: two of those never come to blows."""
    game = played(
        PlayedGame.begin("grid-battles", Table(MEETING, "a meeting")), "one", seed=seed, places=700
    )
    assert game.session.result["winner"] == "one"


@pytest.mark.slow
def test_at_the_ford_the_first_unit_to_fall_is_of_the_side_that_stays() -> None:
    """The shipped game to its third unit takes longer; there more looks win ten of ten games."""
    first = {"scenario": {"like": "ford", "rounds": 12, "destroy": 1}, "dice": "assumed"}
    begun = PlayedGame.begin("grid-battles", Table(first, "to the first unit"))
    assert played(begun, "other", seed=1, places=700).session.result["winner"] == "other"


def test_a_whole_game_is_played_to_the_end() -> None:
    """By either side, with a few looks ahead at each decision."""
    game = played(PlayedGame.begin("grid-battles", Shipped("chase")), "other", seed=1, places=300)
    assert game.session.result["winner"] in {"one", "other", "draw"}


def test_a_whole_game_keeps_within_the_time_for_all_of_it() -> None:
    """Some forty decisions, each of which might take two seconds; in seconds of the processor."""
    game = PlayedGame.begin("grid-battles", Shipped("breakout"))
    dice, policy = computer_rolls(1), computer_decides(game, "win", in_all_s=1.0)
    began = process_time()
    while (question := game.question) is not None:
        game = roll(game, dice) if question.dice else decide(game, policy)
    assert process_time() - began < 4
    assert game.session.result["winner"] in {"one", "other", "draw"}


def test_the_same_seed_plays_the_same_game() -> None:
    begun = PlayedGame.begin("grid-battles", Table(MEETING, "a meeting"))
    games = [played(begun, "one", seed=5, places=60).answers for _ in range(2)]
    assert games[0] == games[1]
