"""Views look as they did; other fonts and words are allowed, a broken layout isn't."""

import pytest
from playwright.sync_api import Browser

from tests.web.pictures import SCENES, Picture, difference, stored, taken

MOST = {1440: 0.14, 360: 0.22}
"""How much may differ, by the width of the screen: letters 0.06 em wider apart differ by less.

On a narrow screen they move more lines. A layout that is broken differs by more.
"""


def found(name: str, browser: Browser, address: str, css: str = "") -> float:
    """How much a view differs now from what it was, as a part of what is allowed."""
    scene = SCENES[name]
    now = taken(browser, address, scene, css)
    return difference(stored()[name], now) / MOST[scene.width]


@pytest.mark.parametrize("name", SCENES)
def test_a_view_looks_as_it_did(name: str, browser: Browser, address: str) -> None:
    share = found(name, browser, address)
    assert share < 1, f"it differs {share:.1f} times as much as it may; meant? `make baselines`"


@pytest.mark.parametrize("spacing", ["-.06em", ".06em"])
def test_other_fonts_are_allowed(spacing: str, browser: Browser, address: str) -> None:
    css = f"html {{ letter-spacing: {spacing} }}"
    assert 0 < found("start", browser, address, css) < 1


@pytest.mark.parametrize(
    ("name", "css"),
    [
        ("start", ".doors { display: block }"),
        ("fight-phone", "main { padding-left: 8rem }"),
        ("projector", ".wall { display: block }"),
        ("price-dark", ":root { --paper: #ffffff !important }"),
    ],
)
def test_a_broken_layout_is_seen(name: str, css: str, browser: Browser, address: str) -> None:
    assert found(name, browser, address, css) > 1


def test_what_moves_differs_the_more_the_further_it_moves() -> None:
    def column(at: int) -> Picture:
        return Picture(240, tuple(tuple(90 if x == at else 0 for x in range(9)) for _ in range(5)))

    still, near, far = (difference(column(2), column(at)) for at in (2, 3, 6))
    assert still == 0
    assert near == pytest.approx(1 / 3)  # of three cells that each is spread over, two are shared
    assert far == 1
    assert difference(Picture(20, ((1,),)), Picture(240, ((1,),))) == 1  # dark is not light
