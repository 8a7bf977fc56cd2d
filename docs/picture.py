"""The picture on the README's first screen: one attack in four panels, drawn from real output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from typing import Any

__all__ = ["picture"]

WIDTH, HEIGHT, PANEL_W, PANEL_H = 960, 500, 452, 208
INK, QUIET, BAR, BEST, PAPER, FRAME = (
    "#1f2328", "#57606a", "#0969da", "#1a7f37", "#ffffff", "#d0d7de",
)  # fmt: skip

PLAY = "play eclipse-phase jinx-shoots --dice 96,7,7,5,5,1,3,9 --choose flip"
ODDS = "odds eclipse-phase jinx-shoots --of wounds"
BEST_OF = "best eclipse-phase jinx-shoots --objective hit"
DUEL = "duel eclipse-phase mind-and-fist"


def _told(command: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "affray", *command.split(), "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def _text(x: float, y: float, words: str, *, ink: str = INK, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{ink}"{more}>{escape(words)}</text>'


def _bar(x: float, y: float, width: float, ink: str = BAR) -> str:
    return f'<rect x="{x:g}" y="{y - 11:g}" width="{max(width, 1):.1f}" height="13" fill="{ink}"/>'


def _panel(number: int, title: str, command: str, body: Sequence[str]) -> str:
    x, y = 20 + number % 2 * (PANEL_W + 16), 56 + number // 2 * (PANEL_H + 14)
    return "\n".join(
        (
            f'<g transform="translate({x} {y})">',
            f'<rect width="{PANEL_W}" height="{PANEL_H}" rx="6" fill="{PAPER}" stroke="{FRAME}"/>',
            _text(14, 26, title, more=' font-size="16" font-weight="bold"'),
            _text(14, 46, f"affray {command}", ink=QUIET, more=' font-size="11" class="mono"'),
            *body,
            "</g>",
        )
    )


ROWS = range(72, PANEL_H, 21)


def _played(told: Any) -> list[str]:
    lines = [line for line in told["log"] if line["faces"] or line["option"] == "flip"]
    body = []
    for y, line in zip(ROWS, lines, strict=False):
        dice = f"{line['dice']}: {', '.join(map(str, line['faces']))}"
        answer = escape(dice if line["faces"] else line["option"])
        body.append(_text(14, y, line["actor"], ink=QUIET))
        body.append(
            f'<text x="78" y="{y}" fill="{INK}" font-size="12">'
            f'<tspan font-weight="bold">{answer}</tspan> {escape(line["says"])}</text>'
        )
    return body


def _priced(told: Any) -> list[str]:
    body = []
    for y, row in zip(ROWS, told["rows"], strict=False):
        share = row["exactly"]["float"]
        body.append(_text(14, y, _counted(row["value"], "wound")))
        body.append(_text(98, y, f"{share:.2%}".replace("%", " %")))
        body.append(_bar(168, y, share * 600))
    return body


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _solved(told: Any) -> list[str]:
    decision = told["decisions"][0]
    best = max(row["value"]["float"] for row in decision["always"])
    body = [_text(14, ROWS[0], f"{decision['ask'][0].upper()}{decision['ask'][1:]}", ink=QUIET)]
    for y, row in zip(ROWS[1:], decision["always"], strict=False):
        worth = row["value"]["float"]
        top = worth == best
        body.append(_text(14, y, row["name"] + (" ★" if top else "")))
        body.append(_text(118, y, f"{worth:.2%}".replace("%", " %")))
        body.append(_bar(188, y, worth * 240, BEST if top else BAR))
    body.append(_text(14, ROWS[5], f"with the best decisions, {told['value']['float']:.2%} to hit"
                      .replace("%", " %"), ink=BEST))  # fmt: skip
    return body


def _fought(told: Any) -> list[str]:
    body = []
    for y, side, share in zip(ROWS, told["sides"], told["won"], strict=False):
        body.append(_text(14, y, f"{side['name']} wins"))
        body.append(_text(134, y, f"{share:.2%}".replace("%", " %")))
        body.append(_bar(204, y, share * 240))
    for y, row in zip(ROWS[2:6], told["by_round"], strict=False):
        body.append(_text(14, y, f"over in round {row['number']}", ink=QUIET))
        body.append(_text(134, y, f"{row['ends']:.2%}".replace("%", " %"), ink=QUIET))
        body.append(_bar(204, y, row["ends"] * 240, QUIET))
    body.append(_text(14, ROWS[6], f"{told['rounds']:.2f} rounds on average", ink=QUIET))
    return body


def picture() -> str:
    """The picture as an SVG document."""
    panels = (
        ("Play", PLAY.partition(" --")[0], _played(_told(PLAY))),
        ("Odds", ODDS, _priced(_told(ODDS))),
        ("Best", BEST_OF, _solved(_told(BEST_OF))),
        ("Fight", DUEL, _fought(_told(DUEL))),
    )
    drawn = (
        _panel(number, title, command, body) for number, (title, command, body) in enumerate(panels)
    )
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            'font-family="system-ui, sans-serif" font-size="13">',
            "<title>An attack of Eclipse Phase played, priced and solved, and a fight</title>",
            "<style>.mono { font-family: ui-monospace, monospace }</style>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#f6f8fa"/>',
            _text(20, 34, "One rule text, four uses",
                  more=' font-size="18" font-weight="bold"'),
            *drawn,
            "</svg>\n",
        )
    )  # fmt: skip
