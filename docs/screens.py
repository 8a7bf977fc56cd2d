"""Pictures of the page, taken in a browser: `python -m docs.screens` writes docs/screens/."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.web.sites import chromium, serving

FOLDER = Path(__file__).parent / "screens"
QUALITY = 72
"""Of the JPEGs: text stays sharp, and each has less than 200 kB."""
WIDTHS = {"phone": 360, "tablet": 820, "desk": 1440}


def start(page: Page) -> None:
    """The first page."""
    page.goto("/")


def price(page: Page) -> None:
    """The book's example, priced."""
    page.goto("/price/eclipse-phase?case=jinx-shoots")


def fight(page: Page) -> None:
    """A fight some turns old."""
    _begun(page, "/fight/empty-earth?case=brockton")


def map_fight(page: Page) -> None:
    """A fight on a map."""
    _begun(page, "/fight/grid-battles?case=ford")


def duel(page: Page) -> None:
    """A duel to the end."""
    page.goto("/study/eclipse-phase?of=duel&case=w6")
    page.locator("main form button").first.click()
    expect(page.get_by_text("exact", exact=True).first).to_be_visible(timeout=60_000)


def rules(page: Page) -> None:
    """The clauses of a book."""
    page.goto("/rules/eclipse-phase")


def _begun(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Begin").first.click()
    page.wait_for_url("**/fights/*")
    for _ in range(14):
        asked = page.locator("#question [name=asked]").first.input_value()
        page.locator("#question button:not([disabled])").first.click()
        expect(page.locator(f"#question [name=asked][value='{asked}']")).to_have_count(0)


SCENES: dict[str, tuple[Callable[[Page], None], tuple[str, ...]]] = {
    "start": (start, ("phone", "desk")),
    "price": (price, ("phone", "desk")),
    "fight": (fight, ("phone", "tablet", "desk")),
    "map": (map_fight, ("tablet",)),
    "duel": (duel, ("desk",)),
    "rules": (rules, ("desk",)),
}
"""Each scene, and the screens on which it is shown; on tablets it is dark."""


def taken(browser: Browser, address: str) -> Iterator[Path]:
    """Take each scene on its screens."""
    FOLDER.mkdir(exist_ok=True)
    for name, (scene, screens) in SCENES.items():
        for screen in screens:
            page = browser.new_page(
                viewport={"width": WIDTHS[screen], "height": 900}, base_url=address,
                color_scheme="dark" if screen == "tablet" else "light", reduced_motion="reduce",
            )  # fmt: skip
            scene(page)
            page.wait_for_load_state("networkidle")
            file = FOLDER / f"{name}-{screen}.jpg"
            page.screenshot(path=file, type="jpeg", quality=QUALITY)
            page.context.close()
            yield file


def main() -> None:
    """Take all of them."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serving(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = chromium(playwright)
        for file in taken(browser, address):
            print(f"{file.name}: {file.stat().st_size // 1000} kB")
        browser.close()


if __name__ == "__main__":
    main()
