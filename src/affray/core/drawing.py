"""SVG drawings that a page can restyle: colors carry a role, ids and classes a prefix.

A drawing writes a color with its role before it, as in `fill="ink:#1c1c1c"`. `with_classes` leaves
the color as a presentation attribute, which any rule of a style sheet overrides, and gives the
element the class `fill-ink`. There are no style attributes and no style elements, so a strict
content policy lets every drawing through.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.telling import shown

__all__ = ["Press", "Spot", "as_buttons", "prefixed", "spots_of", "with_classes"]

_TAG = re.compile(r"<([A-Za-z]+)(\s[^<>]*)?>")
_ROLE = re.compile(r'(?<=\s)(fill|stroke)="([a-z][a-z0-9-]*):([^"]*)"')
_CLASS = re.compile(r'(?<=\sclass=")[^"]*(?=")')
_IDS = re.compile(r'(?<=\sid=")[^"]*(?=")|(?<=\saria-labelledby=")[^"]*(?=")')
_LINKS = re.compile(r'(url\(#|\shref="#)')
_NAMED = re.compile(r'\sdata-(place|unit)="([^"]*)"(?:\sdata-at="([^"]*)")?')
_SPOT = re.compile(rf"<[a-z]+[^<>]*?{_NAMED.pattern}[^<>]*>(?:<title>([^<]*)</title>)?")
_POINTS = re.compile(r'\spoints="([^"]+)"')
_MOVED = re.compile(r'\stransform="translate\((\S+) (\S+)\)')
_PREFIX = re.compile(r"(?:[A-Za-z][A-Za-z0-9_-]*)?")

LOW = 0.2
"""How far above the lower end of a polygon words stand on it, of its height."""
PLATE = 6.5
"""The width of a letter on such a plate."""


def with_classes(svg: str) -> str:
    """A drawing whose colors with roles have become plain colors and classes.

    >>> with_classes('<rect class="unit" width="2" fill="ink:#1c1c1c" stroke="none"/>')
    '<rect class="unit fill-ink" width="2" fill="#1c1c1c" stroke="none"/>'
    >>> with_classes('<circle r="1" stroke="grey:#8a8a8a"/>')
    '<circle class="stroke-grey" r="1" stroke="#8a8a8a"/>'
    """

    def plain(tag: re.Match[str]) -> str:
        roles = [f"{found[1]}-{found[2]}" for found in _ROLE.finditer(tag[0])]
        if not roles:
            return tag[0]
        name, rest = tag[1], _ROLE.sub(r'\1="\3"', tag[2])
        if _CLASS.search(rest):
            return f"<{name}{_CLASS.sub(lambda own: ' '.join((own[0], *roles)), rest)}>"
        return f'<{name} class="{" ".join(roles)}"{rest}>'

    return _TAG.sub(plain, svg)


def prefixed(svg: str, prefix: str) -> str:
    """A drawing with a prefix before each id and class, so that two on a page don't clash.

    >>> prefixed('<g id="a" class="unit fill-ink"><rect fill="url(#a)"/></g>', "map-")
    '<g id="map-a" class="map-unit map-fill-ink"><rect fill="url(#map-a)"/></g>'

    Raises:
        SetupError: a prefix that is no beginning of a name in HTML.
    """
    if not _PREFIX.fullmatch(prefix):
        raise SetupError(
            f"the prefix {shown(prefix)}; allowed: a letter, then letters, digits, - and _"
        )

    def named(names: re.Match[str]) -> str:
        return " ".join(f"{prefix}{name}" for name in names[0].split())

    def tag(found: re.Match[str]) -> str:
        text = _IDS.sub(named, _CLASS.sub(named, found[0]))
        return _LINKS.sub(lambda link: f"{link[1]}{prefix}", text)

    return _TAG.sub(tag, svg) if prefix else svg


class Spot(NamedTuple):
    """Something on a drawing that has a name.

    Attributes:
        kind: "place" or "unit". name: as options point at it.
        at: of a unit the place where it stands; "": the drawing has no places.
        title: what it is, in words.
    """

    kind: str
    name: str
    at: str
    title: str


class Press(NamedTuple):
    """A button on a drawing.

    Attributes:
        label: what it says.
        options: the answers that it stands for; (): it gives none.
        mark: a word or number that is written upon it; "": none.
    """

    label: str
    options: tuple[str, ...] = ()
    mark: str = ""


def spots_of(svg: str) -> tuple[Spot, ...]:
    """Everything on a drawing that has a name, in its order; each once.

    >>> spots_of('<g data-unit="Ada" data-at="01"><title>Ada: 3/3</title></g>')
    (Spot(kind='unit', name='Ada', at='01', title='Ada: 3/3'),)
    """
    found = (Spot(*(unescape(text or "") for text in one.groups())) for one in _SPOT.finditer(svg))
    return tuple({(spot.kind, spot.name): spot for spot in found}.values())


def as_buttons(svg: str, presses: Mapping[tuple[str, str], Press]) -> str:
    """A drawing on which some things are buttons.

    Each gets an id, `role="button"`, its label, and its answers as `data-options`, a line each; one
    without answers is `aria-disabled`. Only the first can be reached by the tab key; whoever
    shows the drawing moves that on with the arrow keys. The rest of the drawing is left to be seen.

    Args:
        svg: the drawing, before ids and classes get a prefix.
        presses: the buttons, by the kind and name of a spot.

    """
    stops = 0
    marks: list[str] = []

    def button(tag: re.Match[str]) -> str:
        nonlocal stops
        named = _NAMED.search(tag[0])
        press = named and presses.get((named[1], unescape(named[2])))
        if not press:
            return tag[0]
        stops += 1
        if press.mark:
            marks.append(_marked(tag[0], press.mark))
        answers = escape("\n".join(press.options)).replace("\n", "&#10;")
        does = f'data-options="{answers}"' if press.options else 'aria-disabled="true"'
        return (
            f'<{tag[1]} id="spot-{stops}" role="button" tabindex="{0 if stops == 1 else -1}" '
            f'aria-label="{escape(press.label)}" {does}{tag[2]}>'
        )

    made = _TAG.sub(button, svg).replace("</svg>", f"{''.join(marks)}</svg>")
    return made.replace(' role="img"', ' role="group"', 1) if stops else made


def _marked(tag: str, words: str) -> str:
    """Words on a plate upon a part of a drawing: low on a polygon, else where it is moved to."""
    moved, outline = _MOVED.search(tag), _POINTS.search(tag)
    if outline is not None:
        across, down = zip(
            *(map(float, point.split(",")) for point in outline[1].split()), strict=True
        )
        x = (min(across) + max(across)) / 2
        y = max(down) - LOW * (max(down) - min(down))
    elif moved is not None:
        x, y = float(moved[1]), float(moved[2])
    else:
        return ""
    wide = PLATE * len(words) + PLATE
    return (
        f'<g class="mark" aria-hidden="true"><rect class="fill-ground stroke-ink" '
        f'x="{x - wide / 2:.1f}" y="{y - 7:.1f}" width="{wide:.1f}" height="14" rx="3" '
        f'fill="#fbfaf7" stroke="#1c1c1c"/><text class="fill-ink" x="{x:.1f}" y="{y + 4:.1f}" '
        f'font-size="11" font-weight="bold" fill="#1c1c1c">{escape(words)}</text></g>'
    )
