"""A table turned, shifted, or seen in a mirror: everything turns, shifts and changes sides with it.

Nothing here knows what charges, alignments and envelopments come to; but a table has no directions
of its own, and left and right are alike. Ranks are full, so blocks have a mirror image.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, radians, sin
from random import Random
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.systems.emlia.table.contact import Edge, contacts, distance, fighting
from affray.systems.emlia.table.figures import boundary, corners, gap_between
from affray.systems.emlia.table.manoeuvres import align, charge, envelop
from affray.systems.emlia.table.placing import Placement, Table

from .placed import ring, table, us

Move = Callable[[Placement], Placement]
SWAPPED: dict[Edge, Edge] = {"left": "right", "right": "left", "front": "front", "rear": "rear"}


def turned(angle: float, by: tuple[float, float]) -> Move:
    """Everything turned about the origin, clockwise, and shifted."""
    turn = radians(angle)

    def move(one: Placement) -> Placement:
        return replace(
            one,
            x=one.x * cos(turn) + one.y * sin(turn) + by[0],
            y=one.y * cos(turn) - one.x * sin(turn) + by[1],
            facing=one.facing + angle,
        )

    return move


def mirrored(one: Placement) -> Placement:
    """Left for right."""
    return replace(one, x=-one.x, facing=-one.facing)


def _close(found: Placement, wanted: Placement) -> None:
    assert (found.x, found.y) == pytest.approx((wanted.x, wanted.y), abs=1e-6)
    assert (found.facing - wanted.facing + 180) % 360 == pytest.approx(180, abs=1e-6)
    assert (found.shape, found.files, found.members) == (wanted.shape, wanted.files, wanted.members)


def _spots(places: tuple[Placement, ...]) -> list[tuple[float, ...]]:
    return sorted(
        (round(one.x, 4) + 0.0, round(one.y, 4) + 0.0, round(cos(radians(one.facing)), 4) + 0.0)
        for one in places
    )


def _block(rng: Random, name: str, **more: Any) -> Placement:
    files = rng.randint(1, 5)
    return us(name, files=files, members=files * rng.randint(1, 3), **more)


def _beside(rng: Random, aim: Placement, name: str, past: float = 0.2, **more: Any) -> Placement:
    """A block flush with one edge of another, somewhere along it; or half past its corner."""
    made = _block(rng, name, **more)
    (x1, y1), (x2, y2) = rng.choice(
        list(zip(corners(aim), (*corners(aim)[1:], corners(aim)[0]), strict=True))
    )
    far = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    along = rng.choice((0.3, 0.5, far / 2, far / 2 + 0.25, far - 0.4, far + past)) / far
    edge = corners(aim).index((x1, y1))
    return replace(
        made,
        x=x1 + along * (x2 - x1),
        y=y1 + along * (y2 - y1),
        facing=aim.facing + 180 + 90 * edge,
    )


def _round(rng: Random, aim: Placement, name: str, **more: Any) -> Placement:
    """A ring that touches one edge of a block."""
    flush = _beside(rng, aim, name, 0, **more)
    turn, radius = radians(flush.facing), rng.choice((1.5, 2.0, 3.3))
    x, y = flush.x - radius * sin(turn), flush.y - radius * cos(turn)
    return ring(name, x, y, radius, members=rng.randint(2, 20), **more)


def _scene(seed: int) -> Table:
    """Enemies in contact, of blocks and rings; further units beside them."""
    rng = Random(seed)
    aim = _block(rng, "aim", side="defender", facing=rng.choice((0, 20, 180)))
    kind = rng.choice(("block", "block", "round", "target round"))
    if kind == "target round":
        aim = ring("aim", 0, 0, rng.choice((1.5, 2.0, 3.3)), members=9, side="defender")
        own = _against(rng, aim)
    else:
        own = _round(rng, aim, "own") if kind == "round" else _beside(rng, aim, "own")
    units = [own, aim]
    for name, side in (("third", "attacker"), ("far", "defender")):
        more = _block(rng, name, side=side, x=rng.uniform(-8, 8), y=rng.uniform(-8, 8),
                      facing=rng.uniform(0, 360))  # fmt: skip
        if all(gap_between(more, other) > 0.05 for other in units):
            units.append(more)
    return table(*units)


def _against(rng: Random, aim: Placement) -> Placement:
    """A block whose front touches a ring in the middle of a member."""
    made, turn = _block(rng, "own"), rng.uniform(0, 360)
    x = aim.x - aim.radius * sin(radians(turn))
    y = aim.y - aim.radius * cos(radians(turn))
    return replace(made, x=x, y=y, facing=turn)


def _aligned(found: Table, one: str, other: str) -> Placement | None:
    try:
        return align(found, one, other)
    except SetupError:
        return None


def _agree(scene: Table, move: Move, edges: dict[Edge, Edge], most: float) -> None:
    """Everything asked about a moved table is what was asked about the table, moved."""
    there = replace(scene, placements=tuple(map(move, scene.placements)))
    for here, moved in zip(contacts(scene), contacts(there), strict=True):
        assert (edges[here.edge_of_one], edges[here.edge_of_other]) == moved[2:4]
        assert here[4:6] == moved[4:6]
    for name in scene.units:
        enemies = [other for other in scene.units if scene.of(other).side != scene.of(name).side]
        for reach in (0, 1, 3):
            assert fighting(scene.of(name), map(scene.of, enemies), reach) == fighting(
                there.of(name), map(there.of, enemies), reach
            )
    for name in scene.units[2:]:
        assert distance(there, "own", name) == pytest.approx(distance(scene, "own", name))
    for one, other in (("own", "aim"), ("aim", "own")):
        found, wanted = _aligned(there, one, other), _aligned(scene, one, other)
        assert (found is None) is (wanted is None)
        if found is not None and wanted is not None:
            _close(found, move(wanted))
    for way in (0, 1, most / 2, most):
        wraps, wraps_there = envelop(scene, "own", "aim", way), envelop(there, "own", "aim", way)
        assert wraps.members == wraps_there.members
        assert {edges[edge] for edge in wraps.edges} == set(wraps_there.edges)
        assert _spots(tuple(map(move, wraps.places))) == _spots(wraps_there.places)
    if "far" in scene.units:
        for reach in (2, 40):
            run, ran = charge(scene, "own", "far", reach), charge(there, "own", "far", reach)
            assert (run.arrives, run.met) == (ran.arrives, ran.met)
            assert ran.moved == pytest.approx(run.moved, abs=1e-6)
            assert (edges[run.edge] if run.edge else None) == ran.edge
            _close(ran.end, move(run.end))


@pytest.mark.parametrize("seed", range(60))
def test_em10_a_table_has_no_directions_of_its_own(seed: int) -> None:
    rng = Random(seed)
    same: dict[Edge, Edge] = {edge: edge for edge in SWAPPED}
    angle, by = rng.uniform(-400, 400), (rng.uniform(-50, 50), rng.uniform(-50, 50))
    _agree(_scene(seed), turned(angle, by), same, 30)


@pytest.mark.parametrize("seed", range(60))
def test_em10_left_and_right_are_alike(seed: int) -> None:
    scene = _scene(seed)
    own = scene.of("own")
    # As many as wrap, and not all round: the last place is taken clockwise first.
    crowd = replace(own, members=own.files * 40)
    try:
        contacts(replace(scene, placements=(crowd, *scene.placements[1:])))
    except SetupError:
        crowd = own
    _agree(replace(scene, placements=(crowd, *scene.placements[1:])), mirrored, SWAPPED, 1)


@pytest.mark.parametrize("seed", range(60))
def test_em21_places_lie_at_the_target_and_at_nobody_else(seed: int) -> None:
    """Seen by shapely alone."""
    scene = _scene(seed)
    for place in envelop(scene, "own", "aim", 30).places:
        figure = boundary(place)
        assert figure.distance(boundary(scene.of("aim"))) < 0.02
        for other in scene.units[1:]:
            # round a circle a flush base cuts in a little
            assert figure.intersection(boundary(scene.of(other))).area < 0.02
