"""The condition of a unit between the exchanges of a fight: plain numbers, or all that matters."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.sheet import Face, Formation, Troop, Unit
from affray.systems.emlia.state import Status
from affray.systems.emlia.table.contact import Edge

__all__ = [
    "Condition",
    "Force",
    "Ranks",
    "has_ranks",
    "has_tables",
    "packed",
    "stands",
    "troops_of",
]


class Ranks(NamedTuple):
    """A unit of which nothing but its numbers matters between exchanges.

    Attributes:
        members: alive at the start of the round. marked: of them casualties.
        markers: hits left over.
        rulings: the readings in force.
    """

    members: int
    marked: int
    markers: int
    rulings: Rulings


class Force(NamedTuple):
    """A unit and those who joined it, with all that may matter.

    Attributes:
        statuses: of the unit and of those who joined it.
        rulings: the readings in force.
        sides: on which enemies have fought the unit in this round, one for each. fronts: the most
            sides that any of them found it fought on.
        hits: the statuses as hits find them, where a declaration knows no more than the others see;
            None: as `statuses`.
        formation: the one that the unit has taken; None: that of its sheet.
        mingles: beside or against units in open formation, and not alone, it may be one body with
            its mates: all of them as easy to hit as each other ("alike"), or not ("apart").
    """

    statuses: tuple[Status, ...]
    rulings: Rulings
    sides: tuple[Edge | Face, ...] = ()
    fronts: int = 1
    hits: tuple[Status, ...] | None = None
    formation: Formation | None = None
    mingles: Literal["", "alike", "apart"] = ""


Condition = Ranks | Force


def troops_of(unit: Unit) -> tuple[Troop, ...]:
    """The unit itself, then those who joined it."""
    return (unit, *unit.joined)


@lru_cache(maxsize=4096)
def has_ranks(unit: Unit, rulings: Rulings) -> bool:
    """A unit is plain numbers if every point of damage takes one of its members."""
    alone = not unit.joined and unit.formation != "open"
    plain = unit.damage_limit is None and unit.threshold is None and not unit.weaker
    steady = unit.morale is None or rulings[rule.MORALE] == "off"
    return alone and plain and steady


@lru_cache(maxsize=4096)
def has_tables(unit: Unit) -> bool:
    """Points of damage lead to rolls on a table of the unit, or of somebody who joined it."""
    return any(troop.threshold is not None for troop in troops_of(unit))


def packed(unit: Unit, statuses: tuple[Status, ...], rulings: Rulings) -> Condition:
    """The condition of a unit, as short as it can be."""
    if has_ranks(unit, rulings):
        now = statuses[0]
        gone = unit.members + unit.lost - now.members
        bare = Status(now.members, now.marked, markers=now.markers, lost=gone)
        if now._replace(morale=0) == bare:
            return Ranks(now.members, now.marked, now.markers, rulings)
    return Force(statuses, rulings)


@lru_cache(maxsize=65536)
def stands(unit: Unit, condition: Condition) -> tuple[Status, ...]:
    """The statuses of a unit and of those who joined it."""
    if isinstance(condition, Force):
        return condition.statuses
    members, marked, markers, _ = condition
    lost = unit.members + unit.lost - members
    return (Status(members, marked, markers=markers, lost=lost),)
