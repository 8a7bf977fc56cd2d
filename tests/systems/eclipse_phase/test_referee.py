"""Random attacks, played out with random dice, are judged by a referee who shares no code."""

from typing import Any

import pytest

from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase import SYSTEM
from affray.systems.eclipse_phase.state import Exchange
from tests.oracles.eclipse_phase_referee import judge

from .generate import attack, play_out, stranger


def judged(session: Session) -> tuple[dict[str, Any], dict[str, Any]]:
    """What came of an attack, and what the referee says."""
    ended = session.outcome
    assert isinstance(ended, Exchange)
    assert not any(one.knocks or one.extra or one.doubled for one in ended.done)  # used up
    begun = session.steps_taken[0].at.facts
    assert isinstance(begun, Exchange)
    settled = next(
        e.at.facts for e in session.steps_taken if e.at.step.name == "spend_before_attack"
    )
    assert isinstance(settled, Exchange)
    answers = [
        (entry.at.step.name, entry.answer.option or entry.answer.faces)
        for entry in session.steps_taken if entry.answer is not None
    ]  # fmt: skip
    rulings = {ruling.name: begun.rulings[ruling] for ruling in SYSTEM.rulings}
    theirs = judge(begun.declared, rulings, settled, answers)
    done = [
        {name: getattr(one, name) for name in theirs["done"][0]}
        | {"effect": one.effect.name, "pools": dict(one.pools)}
        for one in ended.done
    ]
    ours = {name: getattr(ended, name) for name in theirs if name not in {"done", "pools"}}
    return {**ours, "pools": dict(ended.pools), "done": done}, theirs


@pytest.mark.parametrize("block", range(10))
def test_ep41_random_attacks_end_as_the_referee_says(block: int) -> None:
    for seed in range(block * 30, block * 30 + 30):
        ours, theirs = judged(play_out(attack(seed), seed))
        assert ours == theirs, seed


@pytest.mark.parametrize("block", range(10))
def test_ep41_stranger_attacks_too(block: int) -> None:
    n_played = 0
    for seed in range(block * 80, block * 80 + 80):
        game = stranger(seed)
        if game is not None:
            ours, theirs = judged(play_out(game, seed))
            assert ours == theirs, seed
            n_played += 1
    assert n_played > 40
