"""Odds as a drawing that needs nothing else: a bar for each row, its chance beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape as html_escape

from affray.core.drawing import with_classes
from affray.core.telling import escaped
from affray.web.odds_rows import OddsLine
from affray.web.odds_shown import Odds

__all__ = ["odds_svg"]

escape = partial(html_escape, quote=False)

WIDTH, LEFT, RIGHT, TOP, LINE = 720, 170, 110, 72, 24
SHORT, TITLE = 22, 80
SHOWN = {"exactly": "exactly", "at_least": "at least", "at_most": "at most"}


def odds_svg(odds: Odds, show: str = "exactly") -> str:
    """The rows of odds as an SVG.

    Args:
        odds: what is drawn.
        show: which of the chances: "exactly", "at_least" or "at_most".
    """
    height = TOP + LINE * len(odds.shown) + 44
    told = "; ".join(f"{line.value}: {line.share(show).told}" for line in odds.shown)
    about = f"{odds.head}, {SHOWN[show]}; {odds.told_known.lower()}"
    title, policy = escape(_cut(odds.title, TITLE)), escape(_cut(odds.policy, TITLE + 20))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title about" '
        'font-family="system-ui, sans-serif" font-size="14" fill="ink:#000000">',
        f'<title id="title">{escape(odds.title)}</title>',
        f'<desc id="about">{escape(about)}: {escape(told)}</desc>',
        f'<rect width="{WIDTH}" height="{height}" fill="ground:#ffffff"/>',
        f'<text x="12" y="26" font-size="16" font-weight="600">{title}</text>',
        f'<text x="12" y="50">{escape(_cut(about, TITLE + 20))}</text>',
        *_rows(odds.shown, show),
        f'<text x="12" y="{height - 14}" font-size="12">{policy}</text>',
        "</svg>",
    ]
    return with_classes(escaped("\n".join(lines) + "\n"))


def _rows(lines: tuple[OddsLine, ...], show: str) -> Iterator[str]:
    room = WIDTH - LEFT - RIGHT
    for number, line in enumerate(lines):
        share, y = line.share(show), TOP + number * LINE
        yield (
            f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">'
            f"{escape(_cut(line.value, SHORT))}</text>"
        )
        yield (
            f'<rect x="{LEFT}" y="{y}" width="{room}" height="{LINE - 8}" rx="3" '
            'fill="track:#e4e1d9"/>'
        )
        yield (
            f'<rect x="{LEFT}" y="{y}" width="{share.part * room:.2f}" height="{LINE - 8}" '
            'rx="3" fill="one:#0072b2"/>'
        )
        if share.exact is None:
            yield (
                f'<rect x="{LEFT + share.low * room:.2f}" y="{y + 5}" height="{LINE - 18}" '
                f'width="{max(1.0, (share.high - share.low) * room):.2f}" fill="ink:#000000"/>'
            )
        yield f'<text x="{WIDTH - RIGHT + 8}" y="{y + 13}">{escape(share.told[:16])}</text>'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
