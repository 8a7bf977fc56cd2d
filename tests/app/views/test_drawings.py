"""Pictures as SVG: two fit on a page, a style sheet restyles them, a strict policy allows them."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest

from affray.app.battle import Sampling
from affray.app.fight import Fight
from affray.app.fight_report import ask_report
from affray.app.matrix import ask_matrix
from affray.app.picture import draw
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.app.views import fight_curve, heat_map
from affray.app.views.fight_reports import FightReportView
from affray.app.views.fights import MatrixView
from affray.core.errors import SetupError
from affray.engine.budget import Budget

SVG = "{http://www.w3.org/2000/svg}"
COLOR = re.compile(r"none|#[0-9a-f]{6}|url\(#[\w-]+\)")
MAPS = {"emlia": "table-charge", "empty-earth": "past-the-hedge", "grid-battles": "ford"}


@cache
def matrix() -> MatrixView:
    return ask_matrix("empty-earth", sampling=Sampling(n=1, seed=1))


@cache
def report() -> FightReportView:
    return ask_report(Fight.begin("empty-earth", "bo-husk"), "", Budget(seconds=1))


def drawn(what: str, prefix: str) -> str:
    if what == "matrix":
        return heat_map.to_svg(matrix(), prefix=prefix)
    if what == "curve":
        return fight_curve.to_svg(report(), prefix=prefix)
    return draw(PlayedGame.begin(what, Shipped(MAPS[what])), prefix=prefix).drawing


@pytest.mark.parametrize("what", [*MAPS, "matrix", "curve"])
def test_a_drawing_fits_on_any_page(what: str) -> None:
    text = drawn(what, "left-")
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")
    ids, names = set(), set()
    for part in root.iter():
        assert part.tag != f"{SVG}style"
        assert "style" not in part.attrib
        ids |= {part.get("id", "left-")}
        names |= {*part.get("class", "").split(), *part.get("aria-labelledby", "").split()}
        for paint in ("fill", "stroke"):
            color = part.get(paint)
            assert color is None or COLOR.fullmatch(color), color
            if color and color.startswith("#"):  # a style sheet can get at it
                assert f"left-{paint}-" in part.get("class", "")
    assert [name for name in ids | names if not name.startswith("left-")] == []
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= ids


@pytest.mark.parametrize("what", ["emlia", "matrix"])
def test_two_drawings_share_no_id(what: str) -> None:
    one, other = (
        set(re.findall(r'\sid="([^"]+)"', drawn(what, prefix))) for prefix in ("left-", "right-")
    )
    assert one
    assert not one & other


def test_a_prefix_is_the_beginning_of_a_name() -> None:
    with pytest.raises(SetupError, match="allowed: a letter, then"):
        drawn("emlia", 'x" onload="')
