"""What views look like, as coarse pictures: `python -m tests.web.pictures` takes them anew.

A picture is a grid of cells; each says how much the cell differs from the paper, on the mean. Other
fonts and words move that a little, a layout that breaks moves it a lot.
"""

from __future__ import annotations

import json
import tempfile
from base64 import b64encode
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.sites import chromium, serving

__all__ = ["SCENES", "Picture", "Scene", "difference", "stored", "taken"]

STORE = Path(__file__).with_name("pictures.json")
CELL_PX = 40
MEASURE = """async ([png, cell]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext("2d");
  drawing.drawImage(image, 0, 0);
  const light = (x, y, width, height) => {
    const { data } = drawing.getImageData(x, y, width, height);
    return data.filter((_, n) => n % 4 === 1);  // green is most of what is seen as light
  };
  const paper = light(1, image.height - 2, 1, 1)[0];
  const rows = [];
  for (let y = 0; y < image.height; y += cell) {
    const row = [];
    for (let x = 0; x < image.width; x += cell) {
      const found = light(x, y, Math.min(cell, image.width - x), Math.min(cell, image.height - y));
      const inked = found.reduce((sum, one) => sum + Math.abs(one - paper), 0);
      row.push(Math.round(inked / found.length));
    }
    rows.push(row);
  }
  return [paper, rows];
}"""


class Picture(NamedTuple):
    """How light the paper is, 0 to 255, and how much each cell differs from it."""

    paper: int
    rows: tuple[tuple[int, ...], ...]


class Scene(NamedTuple):
    """A view to look at: the way to it, the width of the screen, and whether it is dark."""

    show: Callable[[Page], None]
    width: int = 1440
    is_dark: bool = False


def at(address: str) -> Callable[[Page], None]:
    """The way to an address."""

    def show(page: Page) -> None:
        page.goto(address)
        page.wait_for_load_state("networkidle")

    return show


def fight(address: str) -> Callable[[Page], None]:
    """The way to a fight that has just begun; nothing has been rolled yet."""

    def show(page: Page) -> None:
        page.goto(address)
        page.get_by_role("button", name="Begin").first.click()
        page.wait_for_url("**/fights/*")
        page.wait_for_load_state("networkidle")

    return show


def play(page: Page) -> None:
    """The first question of the book's example."""
    page.goto("/price/eclipse-phase?case=jinx-shoots")
    page.get_by_role("button", name="Roll it").click()
    page.wait_for_url("**/exchanges/*")
    page.wait_for_load_state("networkidle")


def wall(page: Page) -> None:
    """A fight on a projector."""
    fight("/fight/empty-earth?case=brockton")(page)
    at(f"{page.url}/projector")(page)


def curve(page: Page) -> None:
    """A number that is varied, drawn."""
    page.goto("/study/eclipse-phase?of=duel&case=w6")
    page.locator("main form button").first.click()
    expect(page.get_by_text("exact", exact=True).first).to_be_visible()
    page.wait_for_load_state("networkidle")


PRICE = at("/price/eclipse-phase?case=jinx-shoots")
SCENES = {
    "start": Scene(at("/")),
    "price": Scene(PRICE),
    "price-dark": Scene(PRICE, is_dark=True),
    "play": Scene(play),
    "fight": Scene(fight("/fight/empty-earth?case=brockton")),
    "fight-phone": Scene(fight("/fight/empty-earth?case=brockton"), width=360),
    "map": Scene(fight("/fight/grid-battles?case=ford")),
    "projector": Scene(wall),
    "chart": Scene(curve),
    "rules": Scene(at("/rules/eclipse-phase")),
}


def taken(browser: Browser, address: str, scene: Scene, css: str = "") -> Picture:
    """What a view looks like now, with further styles if need be."""
    context = browser.new_context(
        base_url=address, viewport={"width": scene.width, "height": 900}, bypass_csp=bool(css),
        color_scheme="dark" if scene.is_dark else "light", reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    scene.show(page)
    if css:
        page.add_style_tag(content=css)
    png = b64encode(page.screenshot(animations="disabled", caret="hide")).decode()
    page.goto("about:blank")
    paper, rows = page.evaluate(MEASURE, [png, CELL_PX])
    context.close()
    return Picture(paper, tuple(map(tuple, rows)))


def difference(one: Picture, other: Picture) -> float:
    """The part of what is seen that stands elsewhere: 0, the same; 1, nothing is the same.

    Cells are smoothed before, so that what moves by less than a cell differs little.
    """
    if abs(one.paper - other.paper) > 60 or len(one.rows) != len(other.rows):
        return 1.0
    pairs = [
        pair
        for rows in zip(_smooth(one.rows), _smooth(other.rows), strict=True)
        for pair in zip(*rows, strict=True)
    ]
    return sum(abs(a - b) for a, b in pairs) / max(1.0, sum(a + b for a, b in pairs))


def _smooth(rows: tuple[tuple[int, ...], ...]) -> list[list[float]]:
    """Each cell as the mean of itself and its neighbors."""
    high, wide = len(rows), len(rows[0])

    def mean(y: int, x: int) -> float:
        near = [
            rows[y + down][x + right]
            for down, right in product((-1, 0, 1), repeat=2)
            if 0 <= y + down < high and 0 <= x + right < wide
        ]
        return sum(near) / len(near)

    return [[mean(y, x) for x in range(wide)] for y in range(high)]


def stored() -> dict[str, Picture]:
    """The pictures that were taken."""
    found = json.loads(STORE.read_text())
    return {
        name: Picture(one["paper"], tuple(tuple(map(int, row.split())) for row in one["rows"]))
        for name, one in found.items()
    }


def main() -> None:
    """Take all pictures anew."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serving(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = chromium(playwright)
        found = {}
        for name, scene in SCENES.items():
            paper, rows = taken(browser, address, scene)
            found[name] = {"paper": paper, "rows": [" ".join(map(str, row)) for row in rows]}
        browser.close()
    STORE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
