"""The first page: doors, cases, a search."""

import re

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from affray.store.errors import DatabaseError


def test_the_first_page_shows_cases_by_title(client: TestClient) -> None:
    told = client.get("/").text
    assert "Jinx fires a burst at the exhuman and flips her roll" in told
    assert "jinx-shoots</" not in told  # a title, not a name


def test_a_part_is_sent_alone(client: TestClient) -> None:
    answer = client.get("/?system=emlia&find=dragon", headers={"X-Parts": "found"})
    assert list(answer.json()["parts"]) == ["found"]
    assert answer.json()["parts"]["found"] in client.get("/?system=emlia&find=dragon").text


def test_what_there_is_not_is_said(client: TestClient) -> None:
    answer = client.get("/?system=nowhere")
    assert answer.status_code == 404
    assert "nowhere" in answer.text


def test_a_search_follows_the_typing(page: Page) -> None:
    page.goto("/?system=emlia")
    page.get_by_label("Search").press_sequentially("dragon")
    expect(page.locator("#found")).to_contain_text("found")
    expect(page).to_have_url(page.url.split("?")[0] + "?system=emlia&find=dragon")


def test_a_browser_goes_on_with_the_odds_that_it_asked_last(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="Go on with")).to_have_count(0)
    page.goto("/price/emlia")
    page.goto("/price/eclipse-phase?case=jinx-shoots")
    page.goto("/price/eclipse-phase?case=jinx-shoots&set=distance_m=20")  # the same, changed
    page.goto("/")
    rows = page.get_by_role("region", name="Go on with").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Odds, Eclipse Phase 2e")
    expect(rows.nth(0).get_by_role("link")).to_contain_text("20 m")
    rows.nth(0).get_by_role("link").click()
    expect(page).to_have_url(re.compile("case=jinx-shoots&set=distance_m=20"))


def test_what_a_browser_remembers_of_odds_may_be_gone(client: TestClient) -> None:
    wrong = "eclipse-phase=setup%3Dgone&nowhere=case%3Da&emlia=set%3Dx&affinity=case%3Dexertion"
    told = client.get("/", headers={"cookie": f"affray_prices={wrong}"})
    assert told.status_code == 200
    assert told.text.count("<span>Odds, ") == 1


def test_the_theme_stays(page: Page) -> None:
    page.goto("/")
    for _ in range(2):
        page.get_by_role("button", name="Theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()


def test_keys_are_shown(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("show these keys")


def test_a_page_says_that_the_store_fails_and_not_where_it_is(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise DatabaseError("postgresql://ann:***@secret/games", "the disk is full", "/srv/secret")

    monkeypatch.setattr("affray.store.games.Games.row", fails)
    monkeypatch.setattr("affray.store.tabletops.Tabletops.make", fails)
    for answer in (
        client.get("/fights/some"),
        client.post("/tables", data={"name": "Ann", "title": "T"}),
    ):
        assert answer.status_code == 503
        assert "the disk is full" in answer.text
        assert "secret" not in answer.text
