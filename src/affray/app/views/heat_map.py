"""The matrix of who beats whom as a picture: colors that mean something by number as well.

One hue from light to dark, through the sky blue of Okabe and Ito, so that it reads in grey and to
every eye; each cell holds its number, in black or white, whichever can be read better.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape as html_escape
from itertools import pairwise

from affray.app.views.fights import CellRow, Estimate, MatrixView
from affray.core.drawing import prefixed, with_classes
from affray.core.showing import share_told, share_within
from affray.core.telling import escaped

__all__ = ["Color", "cell_text", "ground", "ink", "to_svg"]

Color = tuple[int, int, int]

escape = partial(html_escape, quote=False)

STOPS: tuple[tuple[float, Color], ...] = (
    (0.0, (247, 251, 255)), (0.5, (86, 180, 233)), (1.0, (0, 44, 72)),
)  # fmt: skip
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
NOTHING: Color = (255, 255, 255)

CELL = 40
LETTER = 8.5
"""Width of a letter of a label, about."""
TOP = 56


def ground(share: float) -> Color:
    """The color behind a share from 0 to 1."""
    for (low, dark), (high, light) in pairwise(STOPS):
        if share <= high:
            part = (share - low) / (high - low)
            red, green, blue = (round(a + (b - a) * part) for a, b in zip(dark, light, strict=True))
            return red, green, blue
    return STOPS[-1][1]


def _light(color: Color) -> float:
    """Relative luminance, as WCAG has it."""
    linear = [
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in color)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink(color: Color) -> Color:
    """Black or white, whichever stands out more."""
    light = _light(color)
    return BLACK if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else WHITE


def cell_text(wins: Estimate | None) -> str:
    """A sampled chance in whole percent; what came up never or always as a bound."""
    return "-" if wins is None else share_told(*wins, digits=0).removesuffix(" %")


def to_svg(view: MatrixView, *, prefix: str = "") -> str:
    """The matrix as an SVG that needs nothing else; ids and classes begin with a prefix."""
    longest = max(map(len, view.names))
    left, top = 24 + longest * LETTER, TOP + longest * LETTER
    width = max(left + CELL * len(view.names) + 24, 560)
    height = top + CELL * len(view.names) + 64
    title = f"{view.system}: how often the row beats the column, in percent"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-labelledby="title about" '
        'font-family="system-ui, sans-serif" font-size="14" fill="ink:#000000">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="about">{escape(view.how)}</desc>',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="ground:#ffffff"/>',
        f'<text x="12" y="28" font-size="18" font-weight="600">{escape(title)}</text>',
        *_labels(view, left, top),
        *_cells(view, left, top),
        f'<text x="12" y="{height - 34:.0f}" font-size="12">{escape(_note(view))}</text>',
        f'<text x="12" y="{height - 14:.0f}" font-size="12">'
        f"{view.n} battles a pair, seed {view.seed}</text>",
        "</svg>",
    ]
    return prefixed(with_classes(escaped("\n".join(lines) + "\n")), prefix)


def _note(view: MatrixView) -> str:
    if view.left_out:
        return f"left out, as they can't attack: {', '.join(view.left_out)}"
    return "every fighter of the roster"


def _labels(view: MatrixView, left: float, top: float) -> Iterator[str]:
    for number, name in enumerate(view.names):
        middle = (number + 0.5) * CELL
        label = escape(name)
        yield (
            f'<text x="{left - 8:.1f}" y="{top + middle + 5:.1f}" text-anchor="end">{label}</text>'
        )
        x, y = left + middle + 5, top - 8
        yield (
            f'<text x="{x:.1f}" y="{y:.1f}" transform="rotate(-90 {x:.1f} {y:.1f})">{label}</text>'
        )


def _cells(view: MatrixView, left: float, top: float) -> Iterator[str]:
    places = {name: number for number, name in enumerate(view.names)}
    for cell in view.cells:
        x, y = left + places[cell.column] * CELL, top + places[cell.row] * CELL
        color = NOTHING if cell.wins is None else ground(cell.wins.value)
        yield (
            f"<g><title>{escape(_told(cell))}</title>"
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{CELL}" height="{CELL}" '
            f'fill="cell:{_hex(color)}" stroke="ground:#ffffff"/>'
            f'<text x="{x + CELL / 2:.1f}" y="{y + CELL / 2 + 5:.1f}" text-anchor="middle" '
            f'fill="number:{_hex(ink(color))}">{escape(cell_text(cell.wins))}</text></g>'
        )


def _told(cell: CellRow) -> str:
    if cell.wins is None:
        return f"{cell.row} against {cell.column}: {cell.refused}"
    return f"{cell.row} beats {cell.column} in {share_within(*cell.wins, digits=1)}"


def _hex(color: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
