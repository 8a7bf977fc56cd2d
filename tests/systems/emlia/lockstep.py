"""Room and oracle side by side: worn troops, random dice, the same questions at the same time."""

from __future__ import annotations

from random import Random
from typing import Any

from affray.engine.exchange.session import Session
from tests.oracles.emlia_activation import Activation, Dice, Pick
from tests.oracles.emlia_situation import Raw

__all__ = ["lockstep", "worn"]


def worn(rng: Random, troop: Raw) -> None:
    """What a troop has suffered before, and what it can suffer."""
    members = troop["members"]
    troop["speed"] = rng.choice((0, 3, 5, 6, 6, 7.5))
    troop["morale"] = rng.choice((None, 0, 1, 5))
    troop["marked"] = rng.randint(0, members) if rng.random() < 0.2 else 0
    troop["markers"] = rng.choice((0, 0, 0, 1, 2)) if troop["marked"] < members else 0
    troop["bonus"] = troop["next_bonus"] = 0
    if troop["threshold"] is None:
        return
    troop["threshold"] = rng.choice((1, 2, 3))
    troop["wear"] = rng.randrange(troop["threshold"])
    if troop["damage_limit"] is not None:  # one count of points, as the oracle has it
        troop["damage"] = troop["wear"] = 0
    troop["bonus"], troop["next_bonus"] = rng.choice((0, 0, 1)), rng.choice((0, 0, 2))
    plain = {"bonus": 0, "next_bonus": 0, "destroyed": False, "casualties": 0, "weaker": 0,
             "speed": None, "uncovers": False, "endangers": rng.choice((0, 1, 3))}  # fmt: skip
    rows: list[Raw] = [
        {"name": "crack", "next_bonus": 1, "casualties": rng.choice((0, 1))},
        {"name": "breach", "uncovers": True, "weaker": rng.choice((0, 1))},
        {"name": "lame", "speed": rng.choice((0, 2, 4)), "bonus": 1},
        {"name": "ruin", "destroyed": True},
    ]
    lows = (1, 2, 4, rng.choice((6, 6, 7)))
    highs = (1, 3, lows[3] - 1, None)
    troop["table"] = [
        {**plain, **row, "low": low, "high": high}
        for row, low, high in zip(rows, lows, highs, strict=True)
    ]
    troop["came_up"] = rng.choice(([], ["crack"], ["breach"], ["breach", "lame"], ["ruin"]))


def _faces(rng: Random, asked: Dice) -> tuple[int, ...]:
    """Good dice, bad dice, or any."""
    low, high = rng.choice(((1, asked.sides), (1, asked.sides), (asked.sides // 2, asked.sides),
                            (1, 2)))  # fmt: skip
    return tuple(rng.randint(max(1, low), high) for _ in range(asked.number))


def lockstep(session: Session, oracle: Activation, rng: Random, seed: int) -> Session:
    """Room and oracle side by side to the end."""
    course = oracle.run()
    answer: Any = None
    while True:
        try:
            asks = course.send(answer)
        except StopIteration:
            assert session.question is None, (seed, session.question)
            return session
        question = session.question
        if isinstance(asks, Pick) and len(asks.names) == 1:
            answer = asks.names[0]  # nobody is asked
            continue
        assert question is not None, (seed, asks)
        if isinstance(asks, Dice):
            assert question.dice is not None, (seed, asks, question)
            assert str(question.dice) == f"{asks.number}d{asks.sides}", seed
            answer = _faces(rng, asks)
        else:
            assert [option.name for option in question.options] == list(asks.names), (seed, asks)
            assert [name for name, _ in question.closed] == list(asks.closed), (seed, asks)
            assert question.actor == asks.actor, seed
            free = [option.name for option in question.options if not option.spends]
            assert free == [name for name in asks.names if name != "align"], seed  # it spends
            answer = rng.choice(asks.names)
        session = session.answer(answer)
