"""Maps against the oracle: thousands of pairs of Zones on random maps, every reading."""

from itertools import product

import pytest

from affray.systems.empty_earth.map.geometry import lie_of, pieces
from affray.systems.empty_earth.map.placed import Stance, stance_of
from affray.systems.empty_earth.map.sight import WORST
from affray.systems.empty_earth.map.zones import Figure, Line, Map, Zone
from tests.oracles.empty_earth_map import (
    QUARTERS,
    Chart,
    Wall,
    random_chart,
    random_scene,
    sight_between,
)
from tests.systems.empty_earth.factory import SYSTEM
from tests.systems.empty_earth.map.charts import on_map

READINGS = {
    "joints": ("joined", "apart"),
    "dots": ("any", "all"),
    "zones": ("borders", "openings"),
    "corners": ("apart", "border"),
    "walls": ("black", "both"),
}


def drawn(chart: Chart) -> Map:
    zones = []
    for name, (x0, y0, x1, y1) in chart.boxes.items():
        scale = 2 * QUARTERS
        corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        zones.append(
            Zone(
                name=name,
                outline=tuple(chart.drawn((scale * x, scale * y)) for x, y in corners),
                dots=tuple(chart.drawn(dot) for dot in chart.dots[name]),
            )
        )
    return Map(
        zones=tuple(zones),
        lines=tuple(
            Line(color=wall.color, points=on_drawing(chart, wall))  # type: ignore[arg-type]  # one of them
            for wall in chart.walls
        ),
    )


def on_drawing(chart: Chart, wall: Wall) -> tuple[tuple[int, int], ...]:
    return tuple(chart.drawn((QUARTERS * x, QUARTERS * y)) for x, y in wall.points)


def expected(chart: Chart, one: str, two: str, readings: dict[str, str]) -> Stance:
    walls = [wall._replace(points=on_drawing(chart, wall)) for wall in chart.walls]
    line = "clear"
    if one != two:
        line = sight_between(
            (
                [chart.drawn(dot) for dot in chart.dots[one]],
                [chart.drawn(dot) for dot in chart.dots[two]],
            ),
            walls,
            joined=readings["joints"] == "joined",
            every=readings["dots"] == "all",
        )
    if readings["zones"] == "borders":
        ways = chart.bordering(corners=readings["corners"] == "border")
    else:
        stops = {"black"} if readings["walls"] == "black" else {"black", "green"}
        ways = chart.bordering(stops=frozenset(stops))
    return Stance(chart.away(ways, one, two), one == two, line, int(one == two))  # type: ignore[arg-type]  # one of them


@pytest.mark.parametrize("joined", [True, False])
def test_ee13_thousands_of_sights_agree_with_the_oracle(joined: bool) -> None:
    met: dict[str, int] = {}
    for seed in range(1000):
        scene = random_scene(seed)
        walls = [list(pieces(wall.points)) for wall in scene.walls if wall.color != "other"]
        groups = [[piece for wall in walls for piece in wall]] if joined else walls
        found = max(
            (lie_of(scene.one, scene.two, group) for group in groups),
            key=WORST.index,
            default="clear",
        )
        dots = [scene.one], [scene.two]
        assert found == sight_between(dots, scene.walls, joined=joined, every=False), scene
        met[found] = met.get(found, 0) + 1
    assert min(met[lie] for lie in WORST) > 20


def test_ee11_random_maps_agree_with_the_oracle() -> None:
    every = list(product(*READINGS.values()))
    lines, zones = set(), set()
    for seed in range(64):
        chart = random_chart(seed)
        made = drawn(chart)
        for number, (one, two) in enumerate(product(chart.boxes, repeat=2)):
            readings = dict(zip(READINGS, every[(number + 7 * seed) % len(every)], strict=True))
            found = stance_of(on_map(made, one, two), SYSTEM.readings(readings))
            assert found == expected(chart, one, two, readings), (seed, one, two, readings)
            lines.add(found.line)
            zones.add(found.zones)
    assert lines == set(WORST)
    assert zones >= {None, 0, 1, 2, 3, 4}


@pytest.mark.parametrize("seed", range(40))
def test_ee14_figures_on_random_maps_are_counted(seed: int) -> None:
    chart = random_chart(1000 + seed)
    names = list(chart.boxes)
    made = drawn(chart)
    figures = [
        Figure(zone=names[(seed * n) % len(names)], friend_of=("attacker", "defender")[n % 3 > 0])
        for n in range(seed % 9)
    ]
    one, two = names[seed % len(names)], names[seed % 3 % len(names)]
    hostile = [f.zone for f in figures if f.friend_of == "defender"] + [two]
    found = stance_of(on_map(made, one, two, *figures), SYSTEM.readings({}))
    assert found.hostiles == len([zone for zone in hostile if zone == one])
