"""Rules: clauses, rulings and what they change."""

import html
import re

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from affray.app.registry import system_ids


def text_of(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


@pytest.mark.parametrize("system", system_ids())
def test_every_clause_and_ruling_has_its_place(client: TestClient, system: str) -> None:
    data = client.get(f"/api/v1/systems/{system}").json()["systems"][0]
    page = client.get(f"/rules/{system}").text
    links = set(re.findall(rf'href="/rules/{system}/([A-Z0-9a-z-]+)"', page))
    assert len(links) == data["clauses"]
    assert (
        client.get(f"/rules/{system}?of=rulings").text.count('class="card ruling"')
        == data["rulings"]
    )


def test_a_clause_has_title_place_code_and_tests(client: TestClient) -> None:
    row = client.get("/api/v1/systems/eclipse-phase/clauses/EP-56").json()["clauses"][0]
    told = text_of(client.get("/rules/eclipse-phase/EP-56").text)
    for words in (row["title"], "main text", row["status"], row["code"][0], row["tests"][0]):
        assert words in told


def test_a_clause_leads_to_a_case_that_comes_through_it(client: TestClient) -> None:
    told = client.get("/rules/eclipse-phase/EP-42").text
    case = re.search(r'href="/price/eclipse-phase\?case=([a-z-]+)"', told)
    assert case is not None
    assert client.get(f"/api/v1/systems/eclipse-phase/examples/{case[1]}").status_code == 200


def test_clauses_are_found_by_words_and_status(client: TestClient) -> None:
    rows = client.get("/api/v1/systems/eclipse-phase/clauses").json()["clauses"]
    meant = [row["id"] for row in rows if row["status"] == "not yet"]
    page = client.get("/rules/eclipse-phase?status=not+yet").text
    assert re.findall(r"<b>(EP-\w+)</b>", page) == meant
    assert "<b>EP-56</b>" in client.get("/rules/eclipse-phase?find=ep-56").text


def test_rulings_say_what_they_change_in_a_case(client: TestClient) -> None:
    begun = client.post("/api/v1/systems/grid-battles/rulings", json={"setup": "in-woods"})
    job = begun.headers["location"]
    client.get(f"{job}/events")  # it ends with the job
    found = client.get(job).json()["result"]
    page = client.get("/rules/grid-battles?of=rulings&case=in-woods").text
    for row in found["rulings"]:
        for reading in row["readings"]:
            if reading["distance"] and reading["distance"]["float"]:
                assert f"{reading['distance']['float'] * 100:.2f} % of the chances move" in page
    assert page.count("no effect") == sum(
        reading["distance"]["float"] == 0 and not reading["in_force"]
        for row in found["rulings"] for reading in row["readings"] if reading["distance"]
    )  # fmt: skip


def test_rulings_are_priced_in_an_attack_as_it_was_changed(client: TestClient) -> None:
    page = client.get("/price/grid-battles?case=in-woods&set=attacker_supported=true").text
    link = re.search(r'href="(/rules/[^"]+of=rulings[^"]+)"', page)
    assert link is not None
    told = client.get(html.unescape(link[1])).text
    assert '<option value="own" selected>' in told
    assert "damage 0.6111 on average" in told  # support counts in one of the readings


def test_a_clause_that_there_is_not_is_said(client: TestClient) -> None:
    answer = client.get("/rules/eclipse-phase/EP-999")
    assert answer.status_code == 404
    assert "EP-999" in answer.text


def test_errata_and_profiles_are_told(client: TestClient) -> None:
    told = text_of(client.get("/rules/affinity?of=rulings").text)
    assert "chance that a d8 sustains" in told
    assert "3/8 = 37.50 %" in told
    assert "15 February: one defense roll" in told


def test_no_key_is_shown(client: TestClient) -> None:
    for address in (
        "/rules",
        "/rules/emlia",
        "/rules/emlia?of=rulings",
        "/rules/affinity?of=rulings",
    ):
        told = text_of(client.get(address).text)
        assert not re.findall(r"\b[a-z0-9]+_[a-z0-9_]+\b|\bTrue\b|\bNone\b", told)


def test_the_search_follows_the_typing_and_keys_lead_on(page: Page) -> None:
    page.goto("/rules/eclipse-phase")
    page.get_by_label("Search").press_sequentially("ep-56")
    expect(page.locator(".clauses li")).to_have_count(1)
    page.locator(".clauses a").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("EP-56")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("/EP-57$"))
