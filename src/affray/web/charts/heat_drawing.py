"""A heat map of the page as a drawing of its own, with the line of 50 %."""

from __future__ import annotations

from collections.abc import Iterator

from affray.app.views.heat_map import ground, ink
from affray.core.drawing import with_classes
from affray.core.telling import escaped
from affray.web.charts.heat_maps import Heat, HeatCell
from affray.web.charts.styles import text

__all__ = ["heat_file"]

CELL, LETTER, TOP, BELOW = 44, 8.5, 72, 40
LINE = "half:#d55e00"


def heat_file(chart: Heat) -> str:
    """A heat map as an SVG that needs nothing else."""
    longest = max(len(label) for label, _ in chart.rows)
    left, top = 24 + longest * LETTER, TOP + max(map(len, chart.columns)) * LETTER
    wide = max(left + CELL * len(chart.columns) + 24, 24 + LETTER * len(chart.title), 560)
    high = top + CELL * len(chart.rows) + BELOW
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" '
        f'width="{wide:.0f}" height="{high:.0f}" role="img" aria-labelledby="title about" '
        'font-family="system-ui, sans-serif" font-size="14" fill="ink:#000000">',
        f'<title id="title">{text(chart.title)}</title>',
        f'<desc id="about">{text(chart.note)}</desc>',
        f'<rect width="{wide:.0f}" height="{high:.0f}" fill="ground:#ffffff"/>',
        f'<text x="12" y="26" font-size="16" font-weight="600">{text(chart.title)}</text>',
        f'<text x="12" y="48">{text(chart.corner)}</text>',
    ]
    for number, name in enumerate(chart.columns):
        x, y = left + (number + 0.5) * CELL + 5, top - 8
        turned = f"rotate(-90 {x:.1f} {y:.1f})"
        lines.append(f'<text x="{x:.1f}" y="{y:.1f}" transform="{turned}">{text(name)}</text>')
    edges: list[str] = []
    for row, (label, cells) in enumerate(chart.rows):
        y = top + row * CELL
        lines.append(
            f'<text x="{left - 8:.1f}" y="{y + CELL / 2 + 5:.1f}" text-anchor="end">'
            f"{text(label)}</text>"
        )
        for column, cell in enumerate(cells):
            lines.append(_cell(cell, left + column * CELL, y))
            edges += _edges(cell, left + column * CELL, y)
    note = f'<text x="12" y="{high - 14:.0f}" font-size="12">{NOTE}</text>'
    return escaped(with_classes("\n".join([*lines, *edges, note, "</svg>", ""])))


NOTE = "A thick line runs where 50 % lies between two cells."


def _cell(cell: HeatCell, x: float, y: float) -> str:
    color = (255, 255, 255) if cell.share is None else ground(cell.share)
    return (
        f"<g><title>{text(cell.words)}</title>"
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{CELL}" height="{CELL}" '
        f'fill="cell:{_hex(*color)}" stroke="ground:#ffffff"/>'
        f'<text x="{x + CELL / 2:.1f}" y="{y + CELL / 2 + 5:.1f}" text-anchor="middle" '
        f'fill="number:{_hex(*ink(color))}">{text(cell.told)}</text></g>'
    )


def _edges(cell: HeatCell, x: float, y: float) -> Iterator[str]:
    """The line of 50 %, where it runs along a cell."""
    right, bottom = x + CELL, y + CELL
    if "half-right" in cell.kind:
        yield (
            f'<line x1="{right:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{bottom:.1f}" '
            f'stroke="{LINE}" stroke-width="4"/>'
        )
    if "half-below" in cell.kind:
        yield (
            f'<line x1="{x:.1f}" x2="{right:.1f}" y1="{bottom:.1f}" y2="{bottom:.1f}" '
            f'stroke="{LINE}" stroke-width="4"/>'
        )


def _hex(red: int, green: int, blue: int) -> str:
    return f"#{red:02x}{green:02x}{blue:02x}"
