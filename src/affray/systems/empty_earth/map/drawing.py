"""The map as an SVG: Zones, lines in their colors, aim dots, figures, and the line of sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from affray.core.ruling import Rulings
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.map.geometry import Point
from affray.systems.empty_earth.map.picture import box, codes, name_of, summary
from affray.systems.empty_earth.map.placed import ground_of, stance_on
from affray.systems.empty_earth.map.sight import best_dots
from affray.systems.empty_earth.map.zones import Figure, Ground
from affray.systems.empty_earth.state import Exchange
from affray.systems.empty_earth.tables import SEEN

__all__ = ["drawing"]

WIDE, TALL = 860.0, 560.0
"""Most that the map may take up, in points of the drawing."""
MARGIN, FOOT, STEP = 28.0, 40.0, 26.0
NARROWEST = 420.0
GROUND, ZONE, INK, GREY = "ground:#fbfaf7", "place:#ffffff", "ink:#1c1c1c", "grey:#8a8a8a"
STROKES = {
    "black": "line-black:#1c1c1c",
    "green": "line-green:#2e7d32",
    "other": "line-other:#a1784f",
}
FILLS = {"attacker": "one:#f4b183", "defender": "other:#a6cee3"}
SIGHT = {True: "seen:#2e7d32", False: "unseen:#b3261e"}


class _Scale:
    """From places on the map to points of the drawing; y grows downwards there."""

    def __init__(self, ground: Ground) -> None:
        self.left, bottom, right, self.top = box(ground.chart)
        across, high = right - self.left, self.top - bottom
        self.points = min(WIDE / max(across, 1), TALL / max(high, 1))
        self.width = max(NARROWEST, 2 * MARGIN + across * self.points)
        self.height = 2 * MARGIN + high * self.points + FOOT

    def at(self, point: Point) -> tuple[float, float]:
        return (
            MARGIN + (point[0] - self.left) * self.points,
            MARGIN + (self.top - point[1]) * self.points,
        )

    def path(self, points: Sequence[Point]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, points))


def drawing(x: Exchange) -> str:
    """The map as an SVG document; "" without one."""
    setup = x.terms.setup
    ground = x.terms.ground or (ground_of(setup) if setup else None)
    return "" if ground is None else _document(ground, x.rulings)


def _document(ground: Ground, rulings: Rulings) -> str:
    scale, told = _Scale(ground), escape(summary(ground, rulings))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scale.width:.0f} '
        f'{scale.height:.0f}" role="img" font-family="sans-serif" font-size="12" '
        'text-anchor="middle">',
        f"<title>{escape(ground.chart.name or 'Map')}</title>",
        f"<desc>Zones with their aim dots. The attacker and friends stand in squares, the "
        f"defender and friends in circles. From {told}.</desc>",
        f'<rect width="100%" height="100%" fill="{GROUND}"/>',
        *_zones(ground, scale),
        *_lines(ground, scale),
        *_sight(ground, rulings, scale),
        *_figures(ground, scale),
        f'<text x="{MARGIN:.0f}" y="{scale.height - MARGIN:.0f}" text-anchor="start" '
        f'fill="{INK}">{told}</text>',
    ]
    return "\n".join((*parts, "</svg>")) + "\n"


def _zones(ground: Ground, scale: _Scale) -> Iterator[str]:
    for zone in ground.chart.zones:
        yield (
            f'<polygon class="zone" data-place="{escape(zone.name)}" '
            f'points="{scale.path(zone.outline)}" fill="{ZONE}" '
            f'stroke="{GREY}" stroke-dasharray="2 4"><title>{escape(zone.name)}</title></polygon>'
        )
        for dot in zone.dots:
            x, y = scale.at(dot)
            yield f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{INK}"/>'
        x, y = scale.at(zone.dots[0])
        yield f'<text x="{x:.1f}" y="{y - 10:.1f}" fill="{GREY}">{escape(zone.name)}</text>'


def _lines(ground: Ground, scale: _Scale) -> Iterator[str]:
    for line in ground.chart.lines:
        wide = 2 if line.color == "other" else 5
        yield (
            f'<polyline class="{line.color}" points="{scale.path(line.points)}" fill="none" '
            f'stroke="{STROKES[line.color]}" stroke-width="{wide}" stroke-linejoin="round"/>'
        )


def _sight(ground: Ground, rulings: Rulings, scale: _Scale) -> Iterator[str]:
    """The line of sight between the two, dashed: green if it is free, red if not."""
    stance = stance_on(ground, rulings)
    if stance.adjacent:
        return
    ends = best_dots(ground.chart, ground.attacker.zone, ground.defender.zone, rulings)
    sees = SEEN[rulings[rule.SIGHT], stance.line]
    yield (
        f'<polyline class="sight" points="{scale.path(ends)}" fill="none" '
        f'stroke="{SIGHT[sees]}" stroke-width="1.5" stroke-dasharray="7 4"/>'
    )


def _figures(ground: Ground, scale: _Scale) -> Iterator[str]:
    met: dict[str, int] = {}
    for code, figure in codes(ground):
        x, y = scale.at(ground.chart.of(figure.zone).dots[0])
        place = met[figure.zone] = met.get(figure.zone, -1) + 1
        yield _figure(code, figure, (x + STEP * (place % 4 - 0.5), y + STEP * (0.8 + place // 4)))


def _figure(code: str, figure: Figure, at: tuple[float, float]) -> str:
    x, y = at
    name = escape(name_of(code, figure))
    shape = (
        f'<rect x="{x - 11:.1f}" y="{y - 11:.1f}" width="22" height="22" '
        if figure.friend_of == "attacker"
        else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" '
    )
    return (
        f'<g class="figure" data-unit="{name}" data-at="{escape(figure.zone)}">'
        f"<title>{name}</title>"
        f'{shape}fill="{FILLS[figure.friend_of]}" stroke="{INK}"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" fill="{INK}">{escape(code)}</text></g>'
    )
