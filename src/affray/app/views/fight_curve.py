"""The chances to win along a fight, as a picture: a line for each side, with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape as html_escape

from affray.app.views.fight_reports import ChanceRow, CurvePoint, FightReportView
from affray.core.drawing import prefixed, with_classes
from affray.core.showing import share_told
from affray.core.telling import escaped

__all__ = ["to_svg"]

escape = partial(html_escape, quote=False)

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 48, 52
COLORS = ("one:#0072b2", "other:#d55e00")
"""Blue and vermilion of Okabe and Ito; lines differ by dashes and marks as well."""
DASHES = ("", "6 4")
LINE = 16
"""Height of a line of text."""


def to_svg(view: FightReportView, *, prefix: str = "") -> str:
    """The curve as an SVG that needs nothing else; ids and classes begin with a prefix."""
    title = f"{view.title or view.setup}: chance to win along the fight"
    known = {point.known for point in view.curve}
    exact = (
        "exact" if known == {"exact"} else "each with the interval that holds it 95 times in 100"
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-labelledby="title about" '
        'font-family="system-ui, sans-serif" font-size="13" fill="ink:#000000">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="about">{escape(_described(view))}</desc>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="ground:#ffffff"/>',
        f'<text x="12" y="26" font-size="16" font-weight="600">{escape(title)}</text>',
        *_axes(view),
        *(line for number in (0, 1) for line in _side(view, number)),
        *_labels(view),
        f'<text x="{LEFT}" y="{HEIGHT - 12}">after so many exchanges; chances are {exact}</text>',
        "</svg>",
    ]
    return prefixed(with_classes(escaped("\n".join(lines) + "\n")), prefix)


def _described(view: FightReportView) -> str:
    one, other = view.sides
    if not view.curve:
        return "no chances are known"
    return "; ".join(
        f"after {point.exchange} exchanges {one} {share_told(*point.one, digits=0)}, {other} "
        f"{share_told(*point.other, digits=0)}"
        for point in view.curve
    )


def _x(view: FightReportView, exchange: int) -> float:
    last = max(1, view.curve[-1].exchange) if view.curve else 1
    return LEFT + (WIDTH - LEFT - RIGHT) * exchange / last


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _axes(view: FightReportView) -> Iterator[str]:
    for percent in range(0, 101, 25):
        y = _y(percent / 100)
        yield (
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
            'stroke="grid:#cccccc"/>'
        )
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>'
    last = view.curve[-1].exchange if view.curve else 0
    for exchange in sorted({0, last // 2, last}):
        x = _x(view, exchange)
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{exchange}</text>'


def _chance(point: CurvePoint, number: int) -> ChanceRow:
    return point.other if number else point.one


def _side(view: FightReportView, number: int) -> Iterator[str]:
    points = [(_x(view, point.exchange), _chance(point, number)) for point in view.curve]
    band = [(x, chance.high) for x, chance in points]
    band += [(x, chance.low) for x, chance in reversed(points)]
    color, dash = COLORS[number], DASHES[number]
    if band:
        yield f'<polygon points="{_path(band)}" fill="{color}" fill-opacity="0.15"/>'
        line = _path([(x, chance.value) for x, chance in points])
        yield (
            f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2.5" '
            f'stroke-dasharray="{dash}"/>'
        )
    for x, chance in points:
        y = _y(chance.value)
        words = f"{view.sides[number]}: {share_told(*chance, digits=0)}"
        told = f"<title>{escape(words)}</title>"
        if number:
            yield (
                f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{color}">'
                f"{told}</rect>"
            )
        else:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}">{told}</circle>'


def _path(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{_y(share):.1f}" for x, share in points)


def _labels(view: FightReportView) -> Iterator[str]:
    """The names of both sides at the ends of their lines, apart from each other."""
    if not view.curve:
        return
    last = view.curve[-1]
    places = [_y(last.one.value) + 4, _y(last.other.value) + 4]
    if abs(places[0] - places[1]) < LINE:
        upper = int(places[1] < places[0])
        places[upper] -= LINE / 2
        places[1 - upper] += LINE / 2
    for number, (name, y) in enumerate(zip(view.sides, places, strict=True)):
        short = name if len(name) <= 18 else f"{name[:17]}…"
        yield (
            f'<text x="{WIDTH - RIGHT + 12}" y="{y:.1f}" fill="{COLORS[number]}" '
            f'font-weight="600">{escape(short)}</text>'
        )
