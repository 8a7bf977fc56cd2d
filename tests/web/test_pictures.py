"""Views look as they did; other fonts and words are allowed, a broken layout isn't."""

import pytest
from playwright.sync_api import Browser

from tests.web.pictures import SCENES, Picture, difference, stored, taken

MOST = 0.12
"""Letters set wider or closer by 0.06 em differ by less, a broken layout by 0.15 or more."""


@pytest.mark.parametrize("name", SCENES)
def test_a_view_looks_as_it_did(name: str, browser: Browser, address: str) -> None:
    found = difference(stored()[name], taken(browser, address, SCENES[name]))
    assert found < MOST, f"{found:.2f} of it differs; if that is meant, `make baselines`"


@pytest.mark.parametrize("spacing", ["-.06em", ".06em"])
def test_other_fonts_are_allowed(spacing: str, browser: Browser, address: str) -> None:
    css = f"html {{ letter-spacing: {spacing} }}"
    assert 0 < difference(stored()["start"], taken(browser, address, SCENES["start"], css)) < MOST


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
    assert difference(stored()[name], taken(browser, address, SCENES[name], css)) > MOST


def test_what_moves_differs_the_more_the_further_it_moves() -> None:
    def column(at: int) -> Picture:
        return Picture(240, tuple(tuple(90 if x == at else 0 for x in range(9)) for _ in range(5)))

    still, near, far = (difference(column(2), column(at)) for at in (2, 3, 6))
    assert still == 0
    assert near == pytest.approx(1 / 3)  # of three cells that each is spread over, two are shared
    assert far == 1
    assert difference(Picture(20, ((1,),)), Picture(240, ((1,),))) == 1  # dark is not light
