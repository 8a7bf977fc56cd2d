"""What a fight asks of the situation at the table: how far apart it begins, and on which ground."""

from __future__ import annotations

from typing import TypeAlias

from affray.core.fight import ATTACK, Scene
from affray.core.matter import Matter, Offer, number_typed
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.affinity.attempts import dice_lost
from affray.systems.affinity.numbers import move_of
from affray.systems.affinity.sheet import MOST_YARDS, Setup
from affray.systems.affinity.state import Condition, Exchange
from affray.systems.affinity.tables import BANDS, MOVES, REACH

__all__ = ["MATTERS"]

OFTEN_YD = (REACH["melee"], BANDS["near"], BANDS["short"], BANDS["long"])
"""Distances that are offered; any other can be typed."""

Here: TypeAlias = Scene[Setup, Condition]


@cites("AF-70", "AF-78")
def _distances(here: Here) -> tuple[Offer, ...]:
    """Distances between the two sides, with what range does to each attack."""
    if here.deed != ATTACK:
        return ()
    now = here.setup.distance_yd
    return tuple(_at(here, yards) for yards in sorted({now, *OFTEN_YD}))


def _at(here: Here, yards: int) -> Offer:
    setup = replace(here.setup, distance_yd=yards)
    told = []
    for action in setup.attacker.actions:
        if action.kind == "attack":
            lost = dice_lost(setup, action, here.rulings)
            if isinstance(lost, str):
                told.append(f"{action.name} out of range")
            elif lost:
                told.append(f"{action.name} -{lost} {'die' if lost == 1 else 'dice'} (AF-70)")
    return Offer(yards, str(yards), "; ".join(dict.fromkeys(told)))


def _distance(here: Here, text: str) -> Offer:
    return _at(here, number_typed(text, "yards", MOST_YARDS))


@cites("AF-62")
def _grounds(here: Here) -> tuple[Offer, ...]:
    """The ground, where somebody has a way to go."""
    if here.deed != ATTACK or here.setup.distance_yd <= REACH["melee"]:
        return ()
    return tuple(
        Offer(slow, name, f"a free move of {move_of((), MOVES['free'], difficult=slow)} yards")
        for slow, name in ((False, "no"), (True, "yes"))
    )


MATTERS: tuple[Matter[Exchange], ...] = (
    Matter(
        "distance_yd", "How many yards are there between both sides at the beginning?", "fight",
        _distances, _distance, "yards", "Distance between both sides: {value} yards",
    ),
    Matter("difficult", "Is the ground difficult?", "fight", _grounds,
           told="Difficult ground: {value}"),
)  # fmt: skip
