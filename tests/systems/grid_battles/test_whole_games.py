"""Random games at the ford: what holds whatever the dice and the decisions."""

from collections.abc import Mapping
from functools import cache
from itertools import pairwise

import pytest

from affray.app.inputs.setups import load_raw
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.grid_battles.map.hexes import to_label
from affray.systems.grid_battles.rulings import RULINGS
from affray.systems.grid_battles.state import Board, Exchange
from affray.testing.material import random_session

from .factory import SYSTEM, board_of

READINGS = [(ruling.name, reading) for ruling in RULINGS for reading in ruling.options]


def ford(rulings: Mapping[str, str] | None = None) -> Game:
    raw: dict[str, object] = {"scenario": {"like": "ford", "rounds": 5}, "dice": "assumed"}
    return load_raw(SYSTEM, raw, "ford", rulings=rulings).game


@cache
def boards(seed: int) -> tuple[tuple[str, Board], ...]:
    """Every place of a random game: the step that comes, and the board that it sees."""
    *_, last = random_session(ford(), seed, most=800)
    return tuple(
        (entry.at.step.name, entry.at.facts.game)
        for entry in last.steps_taken
        if isinstance(entry.at.facts, Exchange)
    )


@pytest.mark.parametrize("seed", range(4))
def test_gb51_no_two_units_share_a_hex_and_none_leaves_the_map(seed: int) -> None:
    for _, board in boards(seed):
        labels = [to_label(piece.hex) for piece in board.pieces if piece]
        assert len(set(labels)) == len(labels)
        assert all(label[:2] <= "04" and label[2:] <= "03" for label in labels)


@pytest.mark.parametrize("seed", range(4))
def test_gb46_nobody_attacks_twice_in_a_round(seed: int) -> None:
    attacks = [
        (board.round, board.pair[0])
        for (before, _), (step, board) in pairwise(boards(seed))
        if (before, step) == ("choose_attack", "roll_attack") and board.pair
    ]
    assert len(set(attacks)) == len(attacks)


@pytest.mark.parametrize("seed", range(4))
def test_gb44_every_turn_takes_two_units_or_all_that_are_fresh(seed: int) -> None:
    n_fresh = 0
    for (before, old), (step, board) in pairwise(boards(seed)):
        army = slice(4, 8) if board.side else slice(4)
        statuses = [piece.status for piece in board.pieces[army] if piece]
        if (before, step) == ("begin_turn", "activate"):
            n_fresh = statuses.count("fresh")
            assert old.side == board.side
        if (before, step) == ("activate", "choose_mover"):
            assert statuses.count("activated") == min(2, n_fresh)


@pytest.mark.parametrize("seed", range(4))
def test_gb16_health_only_falls(seed: int) -> None:
    for (_, before), (_, after) in pairwise(boards(seed)):
        for old, new in zip(before.pieces, after.pieces, strict=True):
            assert old is not None or new is None
            assert new is None or (old is not None and new.points <= old.points)


@pytest.mark.parametrize(("ruling", "reading"), READINGS)
def test_every_reading_plays_a_whole_game(ruling: str, reading: str) -> None:
    *_, last = random_session(ford(rulings={ruling: reading}), 1, most=800)
    assert last.outcome is not None
    assert board_of(last).winner
    assert all(line.clauses for line in last.log)


def test_gb48_the_ford_begins_as_it_is_written() -> None:
    session = Session(ford())
    assert session.picture.splitlines()[1].split() == ["00", "LC:3", "PI:4", ".", ".", "."]
    assert session.picture.splitlines()[3].split() == ["02", ".", ".", ".", "ma:4/hill", "ar:3"]
