"""Explosions: how far they spread, what distance takes off, and where a miss lands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import cos, floor, hypot, pi, sin
from typing import Annotated, Literal

from affray.core.dice import Face, Pool, d
from affray.core.lazy import NamedTuple
from affray.core.reading import Counts
from affray.core.sheet import Ge, Le, sheet
from affray.core.step import cites
from affray.systems.eclipse_phase.tables import (
    FALLOFF,
    MOST_FALLOFF,
    NEAR_EDGE_M,
    SCATTER_M,
)

__all__ = [
    "Arc", "Area", "Blast", "Landing", "Reach", "ScatterRead", "Spot", "distance_to", "in_arc",
    "landing_at", "reach_at", "scatter_dice",
]  # fmt: skip

Arc = Literal["none", "half", "quarter"]
"""Where a placed charge is shaped to: everywhere, to one side, into a quarter."""
Spot = tuple[float, float] | float
"""Where a target stands, seen from the point aimed at: meters to the right and beyond, or only
how many meters off, in a direction that nobody gave."""

HAIR = 1e-9
"""Meters that no ruler shows: distances that should be whole come out as whole."""


@sheet
class Blast:
    """An explosion (EP-102).

    Attributes:
        Blast (EP-102):
            shape: "centered" loses damage from its center on, "uniform" has its full damage within
                a radius.
            radius_m: how far a uniform blast reaches in full.
            falloff: damage lost for each meter, from the center or outside the radius.
            effects_m (Reach of traits): how far its traits act; left out: within the radius of a
                uniform blast, and of a centered one wherever it does damage.
            trigger: what sets it off: the impact, the end of its flight, or later a timer, a signal
                or somebody near it; it catches everybody who stands there then (EP-105).
            sticky: it sticks where it hits and doesn't scatter before its timer runs out (EP-104).
            shaped: a charge is shaped to one side, or into a quarter: beyond the charge, seen from
                where it was laid (EP-108).
    """

    shape: Literal["centered", "uniform"]
    radius_m: Annotated[float, Ge(0), Le(1_000)] = 0
    falloff: Annotated[int, Ge(1), Le(MOST_FALLOFF)] = FALLOFF
    effects_m: Annotated[float, Ge(0), Le(1_000)] | None = None
    trigger: Literal["impact", "airburst", "timer"] = "impact"
    sticky: bool = False
    shaped: Arc = "none"

    def check(self) -> str | None:
        """A uniform blast has a radius, a centered one has none and may be shaped."""
        if self.shape == "uniform" and not self.radius_m:
            return "a uniform blast needs 'radius_m'"
        if self.shape == "centered" and self.radius_m:
            return "a centered blast has no radius; leave 'radius_m' out"
        if self.shape == "uniform" and self.shaped != "none":
            return "only a centered blast can be shaped; leave 'shaped' out"
        if self.sticky and self.trigger != "timer":
            return f"'sticky' changes nothing with the trigger {self.trigger!r}; leave it out"
        return None


class Reach(NamedTuple):
    """What of an area attack gets to one target.

    Attributes:
        lost: DV that distance takes off.
        farther: DV that it would take off a meter farther out, where that tells whether the
            target is near the edge; None where it doesn't.
        effects: whether traits act there: always, if damage is done, or never.
        edge: whether the target is within a meter of the edge of a uniform blast.
    """

    lost: int = 0
    farther: int | None = None
    effects: Literal["always", "with_damage", "never"] = "always"
    edge: bool = False


class Landing(NamedTuple):
    """Where an area attack goes off, and what of it gets to each target; None: nothing.

    Attributes:
        scatter_m: meters from the point aimed at.
    """

    scatter_m: int
    reaches: tuple[Reach | None, ...]


class Area(NamedTuple):
    """An area attack, once its numbers stand.

    Attributes:
        shape: a cone has neither center nor falloff.
        radius, falloff: of a blast. effects: as `Blast.effects_m`.
        spots: where the targets stand; sheltered: whether each is near cover.
        objects: whether each is an object.
        tested: whether there is an attack roll at all. needs_test: a miss does nothing: a beam
            lands nowhere else, and a charge may not go off (A-65). settles: a hit doesn't scatter.
        placed: it lies where it was put and never scatters.
        arc: where a charge is shaped to, if the test succeeds.
        on_objects: whether superior and critical successes count against objects only.
        opposed: whether Fray has to beat the attack roll (A-16).
        nearest: whether meters are rounded to nearest instead of down (A-41).
        growth: by how much one and two superior failures multiply scatter (A-42).
        bearings: directions of scatter (A-62).
        one_roll: whether the damage is rolled once for all (A-60).
        far_edge: whether the edge is where damage ends, of every blast (A-61).
    """

    shape: Literal["cone", "centered", "uniform"]
    radius: float = 0
    falloff: int = 0
    effects: float | None = None
    spots: tuple[Spot, ...] = ()
    sheltered: tuple[bool, ...] = ()
    objects: tuple[bool, ...] = ()
    tested: bool = True
    needs_test: bool = False
    settles: bool = True
    placed: bool = False
    arc: Arc = "none"
    on_objects: bool = False
    opposed: bool = False
    nearest: bool = False
    growth: tuple[int, int] = (2, 4)
    bearings: int = 12
    one_roll: bool = True
    far_edge: bool = False


# -- distance --------------------------------------------------------------------------------


@cites("EP-102")
def _lost(area: Area, meters: float) -> int:
    """DV that distance takes off, by whole meters."""
    outside = meters if area.shape == "centered" else max(0.0, meters - area.radius)
    return area.falloff * floor(outside + (0.5 if area.nearest else 0) + HAIR)


@cites("EP-102", "EP-103")
def reach_at(area: Area, meters: float, most: int) -> Reach | None:
    """What of a blast gets to somebody at a distance from its center.

    Args:
        area: the blast.
        meters: the distance.
        most: the highest DV that it can have.
    """
    lost, farther = _lost(area, meters), _lost(area, meters + NEAR_EDGE_M)
    effects: Literal["always", "with_damage", "never"] = "never"
    if area.effects is None:
        effects = "with_damage"
    elif meters <= area.effects + HAIR:
        effects = "always"
    if lost >= most and effects != "always":
        return None
    if area.shape == "centered" or area.far_edge:
        return Reach(lost, farther, effects)
    return Reach(lost, None, effects, abs(meters - area.radius) <= NEAR_EDGE_M + HAIR)


def in_arc(spot: Spot, arc: Arc) -> bool:
    """Whether a shaped charge points at a spot; it points beyond, away from whoever laid it."""
    if arc == "none" or not isinstance(spot, tuple):
        return True
    right, beyond = spot
    return beyond >= 0 if arc == "half" else beyond >= abs(right)


def distance_to(spot: Spot) -> float:
    """How far a spot is from the point aimed at."""
    return hypot(*spot) if isinstance(spot, tuple) else spot


def landing_at(area: Area, most: int, *, shaped: bool) -> Landing:
    """What gets to each target when the blast goes off where it was aimed or laid.

    Args:
        area: the blast.
        most: the highest DV that it can have.
        shaped: whether a charge that was meant to be is shaped to one side.
    """
    arc = area.arc if shaped else "none"
    return Landing(0, tuple([
        reach_at(area, distance_to(spot), most) if in_arc(spot, arc) else None
        for spot in area.spots
    ]))  # fmt: skip


# -- scatter ---------------------------------------------------------------------------------


def _is_placed(spot: Spot) -> bool:
    return isinstance(spot, tuple) or not spot


def scatter_dice(area: Area, names: Sequence[str]) -> Pool:
    """The dice of a scatter: direction, meters, and the direction of each target without one.

    Args:
        area: the blast.
        names: what logs call the targets, in their order.
    """
    whose = zip(area.spots, names, strict=True)
    unknown = [name for spot, name in whose if not _is_placed(spot)]
    where = tuple((f"direction of {name}", 1) for name in unknown)
    return Pool(
        (d(area.bearings), 1), (SCATTER_M, 1), (d(area.bearings), len(unknown)),
        labels=(("direction", 1), ("meters", 1), *where),
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _apart(spot: Spot, meters: int, turn: float) -> float:
    """How far a spot is from a point so many meters off; turn: the angle to its direction."""
    if isinstance(spot, tuple):
        right, beyond = spot
        return hypot(right - meters * sin(turn), beyond - meters * cos(turn))
    return hypot(spot - meters * cos(turn), meters * sin(turn))


@cites("EP-104")
class ScatterRead(NamedTuple):
    """Where a stray explosive lands, and what of the blast gets to each target.

    The faces come as the direction (the highest one is straight on), the meters, and then the
    direction in which each target stands that has only a distance.

    Attributes:
        area: the blast.
        times: what superior failures multiply the meters by.
        most: the highest DV that it can have.
    """

    area: Area
    times: int
    most: int

    def __call__(self, faces: tuple[Face, ...]) -> Landing:
        """The landing of these faces."""
        bearing, meters, *others = [int(face) for face in faces]
        meters *= self.times
        stand = iter(others)
        return Landing(meters, tuple([
            self._reach(spot, meters, bearing if _is_placed(spot) else bearing - next(stand))
            for spot in self.area.spots
        ]))  # fmt: skip

    def _reach(self, spot: Spot, meters: int, turns: int) -> Reach | None:
        """What gets to a spot; turns: the direction of the point, in steps of the clock."""
        at = spot if spot else (0.0, 0.0)
        angle = 2 * pi * turns / self.area.bearings
        return reach_at(self.area, _apart(at, meters, angle), self.most)

    def counted(self, pool: Pool) -> Counts[Landing]:  # noqa: ARG002  # always these dice
        """Direction by direction, with the targets whose direction is open each by itself."""
        spots, bearings = self.area.spots, range(1, self.area.bearings + 1)
        counts: Counts[Landing] = {}
        for meters in [int(face) * self.times for face in SCATTER_M.faces]:
            adrift = {
                spot: _tallied(self._reach(spot, meters, turns) for turns in bearings)
                for spot in spots
                if not _is_placed(spot)
            }
            for bearing in bearings:
                each = [
                    [(self._reach(spot, meters, bearing), 1)]
                    if _is_placed(spot)
                    else list(adrift[spot].items())
                    for spot in spots
                ]
                for rows in product(*each):
                    landing = Landing(meters, tuple([reach for reach, _ in rows]))
                    ways = 1
                    for _, more in rows:
                        ways *= more
                    counts[landing] = counts.get(landing, 0) + ways
        return counts


def _tallied(reaches: Iterator[Reach | None]) -> dict[Reach | None, int]:
    counts: dict[Reach | None, int] = {}
    for reach in reaches:
        counts[reach] = counts.get(reach, 0) + 1
    return counts
