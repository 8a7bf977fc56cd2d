"""Every view on a light phone and a dark desk: axe finds nothing, nothing scrolls sideways."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import Watched, assert_readable

PLACES = (
    "/", "/?system=grid-battles&find=ford", "/price/eclipse-phase?case=jinx-shoots",
    "/price/emlia", "/fight/empty-earth?case=brockton", "/tables", "/games", "/rules",
    "/rules/eclipse-phase", "/rules/eclipse-phase/EP-9", "/study/eclipse-phase?of=duel",
    "/study/affinity?of=battle", "/study/emlia?of=sweep", "/study/grid-battles?of=matrix",
    "/sheets/affinity", "/sheets/eclipse-phase/jinx", "/join", "/open",
)  # fmt: skip
FIGHTS = (
    "eclipse-phase?case=warehouse", "empty-earth?case=brockton", "grid-battles?case=ford",
    "emlia?case=field", "affinity?case=marsh",
)  # fmt: skip
Scheme = Literal["light", "dark"]
SCREENS: tuple[tuple[int, Scheme], ...] = ((360, "light"), (1440, "dark"))


@pytest.fixture(scope="module")
def two(browser: Browser, address: str) -> Iterator[tuple[Page, Page]]:
    """A light phone and a dark desk."""
    watched = Watched(browser, address)
    yield tuple(  # type: ignore[misc]  # two of them
        watched.new(viewport={"width": width, "height": 800}, color_scheme=scheme)
        for width, scheme in SCREENS
    )
    watched.close()


def assert_well(page: Page, width: int) -> None:
    """Nothing is wider than the screen, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert_readable(page)


@pytest.mark.parametrize("place", PLACES)
def test_a_view(place: str, two: tuple[Page, Page]) -> None:
    for page, (width, _scheme) in zip(two, SCREENS, strict=True):
        answer = page.goto(place)
        assert answer is not None
        assert answer.ok
        page.wait_for_load_state("networkidle")
        assert_well(page, width)


def test_a_page_that_is_not_there(browser: Browser, address: str) -> None:
    for width, scheme in SCREENS:
        watched = Watched(browser, address)
        watched.expected = ["status of 404"]  # the browser tells of the page itself
        page = watched.new(viewport={"width": width, "height": 800}, color_scheme=scheme)
        answer = page.goto("/no-such-page")
        assert answer is not None
        assert answer.status == 404
        assert_well(page, width)
        watched.close()
        assert len(watched.faults) == 1  # nothing that the page needs is missing


@pytest.mark.parametrize("case", FIGHTS)
def test_a_fight(case: str, two: tuple[Page, Page]) -> None:
    for page, (width, _scheme) in zip(two, SCREENS, strict=True):
        page.goto(f"/fight/{case}")
        page.get_by_role("button", name="Begin the fight").click()
        page.wait_for_url("**/fights/*")
        for _ in range(3):
            button = page.locator("#question button:not([disabled])").first
            if button.count():
                button.click()
            page.wait_for_load_state("networkidle")
        assert_well(page, width)
