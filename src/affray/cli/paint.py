"""Colors for what a fight tells, where the terminal has them; without them nothing is missing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from affray.cli.texts import LONGEST, plain, tell

if TYPE_CHECKING:
    from affray.cli.person import Tell
    from affray.cli.screen import Screen

__all__ = ["tell_on"]

STYLES = (
    (re.compile(r"^(== )?Round \d.*$", re.MULTILINE), "bold"),
    (re.compile(r"^ ?\d+(?= \S)", re.MULTILINE), "bold cyan"),
    (re.compile(r"^ {0,3}[ >]\*", re.MULTILINE), "bold yellow"),
    (re.compile(r"(?<=: )[A-Z]{3,}(?=\.|$)", re.MULTILINE), "bold red"),
    (re.compile(r"\[[A-Z]{1,3}-[^\]]*\]"), "dim"),
    (re.compile(r"\([<>]?\d+ %[^)]*\)"), "dim"),
)
"""What is styled, wherever it stands: heads, numbers, marks, fates, clauses, chances."""
BAR = re.compile(r"(█*)(░*)")


def tell_on(screen: Screen) -> Tell:
    """Tells as `affray.cli.texts.tell` does, in colors if the screen shows any."""
    if not screen.styled:
        return tell

    def told(text: str, *, end: str = "\n") -> None:
        from rich.console import Console
        from rich.text import Text

        shown = Text(plain(text, lines=True, longest=20 * LONGEST))
        for pattern, style in STYLES:
            shown.highlight_regex(pattern, style)
        for match in BAR.finditer(shown.plain):
            if match[0]:
                shown.stylize(_level(len(match[1]) / len(match[0])), *match.span())
        console = Console(file=screen.file, highlight=False, width=screen.width, soft_wrap=True)
        console.print(shown, end=end, soft_wrap=True)
        screen.file.flush()

    return told


def _level(share: float) -> str:
    """The style of a bar by how full it is."""
    return "green" if share > 0.6 else "yellow" if share > 0.3 else "red"
