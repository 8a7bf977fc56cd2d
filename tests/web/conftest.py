"""The page in a real browser, and a server of its own for each module of tests."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from fastapi.testclient import TestClient
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    expect,
    sync_playwright,
)

from tests.web.sites import chromium, serving, visiting

PATIENCE_MS = 60_000
"""How long a browser waits for what must come, however busy the machine is."""
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A browser without JavaScript: it only asks for pages and sends forms."""
    with visiting(tmp_path_factory.mktemp("data")) as client:
        yield client


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that listens."""
    with serving(tmp_path_factory.mktemp("data")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium: the system's, else Playwright's own; its event loop ends with the module."""
    with sync_playwright() as playwright:
        try:
            made = chromium(playwright)
        except Error as error:
            pytest.skip(f"no browser: {error.message.splitlines()[0]}")
        yield made
        made.close()


def assert_readable(page: Page, part: object = None) -> None:
    """Axe finds nothing in a page, or in a part of it; what is dimmed while it is busy comes first.

    Args:
        page: the page.
        part: where axe looks, as it takes it; None: everywhere.
    """
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    found = Axe().run(page, part)
    assert found.violations_count == 0, f"{page.url}: {found.generate_report()}"


class Watched:
    """Browsers of one test; none may show an error or ask anything off the machine."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.faults: list[str] = []
        self.expected: list[str] = []
        self.contexts: list[BrowserContext] = []

    def new(self, **settings: object) -> Page:
        """A page in a browser of its own, as another person has one."""
        context = self.browser.new_context(base_url=self.address, **settings)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self._looked_at(request.url))
        return page

    def _heard(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.faults.append(said.text)

    def _looked_at(self, url: str) -> None:
        if urlsplit(url).hostname not in {"127.0.0.1", "localhost", None}:
            self.faults.append(f"asked off the machine: {url}")

    def close(self) -> None:
        """Close all, and fail on what was seen; `expected` has words of errors that are meant."""
        for context in self.contexts:
            context.close()
        left = [text for text in self.faults if not any(words in text for words in self.expected)]
        assert not left


@pytest.fixture
def people(browser: Browser, address: str) -> Iterator[Watched]:
    """The browsers of several people."""
    made = Watched(browser, address)
    yield made
    made.close()


@pytest.fixture
def page(people: Watched) -> Page:
    """The page in one browser."""
    return people.new()
