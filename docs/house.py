"""The picture of the house: which packages there are, and who imports whom."""

from __future__ import annotations

import ast
from html import escape
from pathlib import Path
from typing import NamedTuple

__all__ = ["arrows", "house"]

SRC = Path(__file__).resolve().parent.parent / "src" / "affray"


class Room(NamedTuple):
    """A package in the picture: its dotted name below `affray`, its place and size in pixels."""

    name: str
    x: int
    y: int
    w: int = 150
    h: int = 54


SYSTEMS = ("eclipse_phase", "empty_earth", "grid_battles", "affinity", "emlia")
ROOMS = (
    Room("cli", 405, 20),
    Room("web", 215, 95),
    Room("api", 215, 185),
    Room("mcp", 405, 185),
    Room("testing", 655, 130),
    Room("app", 405, 275),
    Room("store", 20, 275),
    *(Room(f"systems.{name}", 20 + n % 3 * 130, 425 + n // 3 * 70, 120)
      for n, name in enumerate(SYSTEMS)),
    Room("engine.fight.duels", 470, 400, 140, 44),
    Room("engine.fight.sampled", 620, 400, 140, 44),
    Room("engine.fight.played", 770, 400, 140, 44),
    Room("engine.fight", 545, 470, 290, 44),
    Room("engine.exchange", 545, 540, 290, 44),
    Room("core", 405, 655, 150),
)  # fmt: skip
"""The rooms, from the roof down."""


def _room_of(module: str) -> str | None:
    """The most exact room that a module below `affray` lies in."""
    fits = [room.name for room in ROOMS if f"{module}.".startswith(f"{room.name}.")]
    return max(fits, key=len, default=None)


def _imports(path: Path) -> set[str]:
    """The modules below `affray` that a file names in its imports, those for types too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{name.name}" for name in node.names)
    return {name.removeprefix("affray.") for name in found if name.startswith("affray.")}


def _files() -> dict[Path, str]:
    files = {}
    for path in sorted(SRC.rglob("*.py")):
        module = ".".join(path.relative_to(SRC).with_suffix("").parts)
        room = _room_of(module.removesuffix(".__init__"))
        if room is not None:
            files[path] = room
    return files


def arrows() -> set[tuple[str, str]]:
    """Each two rooms of which the first imports something of the second."""
    return {
        (room, other)
        for path, room in _files().items()
        for other in map(_room_of, _imports(path))
        if other is not None and other != room
    }


def _edge(one: Room, other: Room) -> tuple[float, float, float, float]:
    """Where an arrow leaves the first box and meets the second."""
    down = one.y < other.y
    return (
        one.x + one.w / 2, one.y + (one.h if down else 0),
        other.x + other.w / 2, other.y + (0 if down else other.h),
    )  # fmt: skip


def house() -> str:
    """The picture as an SVG document."""
    by_name = {room.name: room for room in ROOMS}
    drawn = []
    for one, other in sorted(arrows()):
        x1, y1, x2, y2 = _edge(by_name[one], by_name[other])
        drawn.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="#8c959f" '
            f'stroke-width="1.5" marker-end="url(#tip)"><title>{one} imports {other}</title></line>'
        )
    for room in ROOMS:
        name = room.name.rpartition(".")[2].replace("_", " ")
        x, y = room.x + room.w / 2, room.y + room.h / 2
        drawn.append(
            f'<rect x="{room.x}" y="{room.y}" width="{room.w}" height="{room.h}" rx="6" '
            'fill="#ffffff" stroke="#57606a"/>'
            f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle" font-weight="bold">'
            f"{escape(name)}</text>"
        )
    return "\n".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 930 730" role="img" '
            'font-family="system-ui, sans-serif" font-size="13">',
            "<title>The house: packages, and who imports whom</title>",
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
            'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">'
            '<path d="M0 0L10 5L0 10z" fill="#8c959f"/></marker></defs>',
            '<rect width="930" height="730" rx="8" fill="#f6f8fa"/>',
            '<rect x="10" y="380" width="410" height="190" rx="8" fill="#ddf4ff"/>',
            '<text x="22" y="401" fill="#57606a">systems: rules, nothing else</text>',
            '<rect x="455" y="360" width="465" height="240" rx="8" fill="#dafbe1"/>',
            '<text x="467" y="381" fill="#57606a">engine: what can be done with any rules</text>',
            *drawn,
            "</svg>\n",
        )
    )
