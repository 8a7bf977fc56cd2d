"""A unit's condition for the people at the table, and what a game master may set."""

from __future__ import annotations

from affray.core.fight import Gauge, Threshold, Told, gauged
from affray.core.mending import Mend, mending
from affray.core.step import cites
from affray.systems.grid_battles.sheet import Unit
from affray.systems.grid_battles.state import Condition

__all__ = ["mended", "told"]


OFF = (Threshold(0, "off the map"),)


@cites("GB-15", "GB-16", "GB-41")
def told(unit: Unit, now: Condition) -> tuple[Told, ...]:
    """The points that are left, where it stands, and what it had of its turn where that matters."""
    if not now.points:
        gone = "it is off the map (GB-16)"
        gauge = Gauge(0, unit.health_max, OFF)
        return (Told("health", "removed", gone, "health", bar=gauge.left, gauge=gauge),)
    hits = "hit" if now.points == 1 else "hits"
    gone = f"removed after {now.points} more {hits} (GB-16)"
    gauge = Gauge(now.points, now.most, OFF)
    lines = [gauged("health", gauge, gone, "health")._replace(bar=gauge.left)]
    if now.hex:
        lines.append(
            Told("status", now.status, _status(now), short=now.status if now.tired else "")
        )
        lines.append(Told("hex", now.hex, short=f"on {now.hex}", is_place=True))
    elif now.tired:
        does = "no Battle Back (GB-6)"
        lines.append(Told("status", "fatigued", does, "fatigued", short="fatigued"))
    return tuple(lines)


@cites("GB-6", "GB-41", "GB-53")
def _status(now: Condition) -> str:
    if now.tired:
        return "had its turn in this round; no Battle Back (GB-6)"
    if now.status == "fresh":
        return "has its turn to come in this round (GB-44)"
    return "its turn goes on; no Battle Back (GB-6)"


def _health(unit: Unit, now: Condition) -> range:
    return range(now.most + 1)


def _put_health(unit: Unit, now: Condition, value: int | str) -> Condition:
    return now._replace(points=int(value))


def _tired(unit: Unit, now: Condition) -> range:
    return range(2 if now.points else 0)


def _put_tired(unit: Unit, now: Condition, value: int | str) -> Condition:
    return now._replace(tired=bool(value))


mended = mending(
    Mend[Unit, Condition]("health", _health, _put_health),
    Mend[Unit, Condition]("fatigued", _tired, _put_tired),
)
