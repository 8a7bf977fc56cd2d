"""Own setups and fighters: pasted, checked, saved, used."""

import re
from html import unescape

from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

SETUP = 'title = "An ambush"\nattacker = "fighter"\ndefender = "hedge_raider"\ndistance_yd = 5\n'
FIGHTER = (
    '{"name": "Brute", "level": 3, "body": "tough", '
    '"actions": [{"name": "club", "required": 1, "base": 4}]}'
)


def test_a_pasted_setup_is_saved_and_shown(client: TestClient) -> None:
    answer = client.post(
        "/sheets/affinity", data={"text": SETUP, "name": ""}, follow_redirects=False
    )
    assert answer.status_code == 303
    address = answer.headers["location"]
    assert address.startswith("/price/affinity?setup=")
    assert "<h1>An ambush</h1>" in client.get(address).text
    kept = client.get("/sheets/affinity").text
    assert address in unescape(kept)
    document = address.partition("setup=")[2]
    client.post("/sheets/affinity/forget", data={"document": document})
    assert address not in unescape(client.get("/sheets/affinity").text)
    assert client.get(address).status_code == 404


def test_all_faults_are_told_and_what_was_pasted_stays(client: TestClient) -> None:
    text = SETUP.replace("= 5", "= -5") + "difficult = 3\n"
    answer = client.post("/sheets/affinity", data={"text": text, "name": "mine"})
    assert answer.status_code == 422
    told = re.findall(r'<li class="fault"><b>([^<]*)</b>', answer.text)
    assert sorted(told) == ["difficult", "distance yd"]
    assert text.strip() in unescape(answer.text)
    assert 'value="mine"' in answer.text


def test_what_is_no_toml_is_told(client: TestClient) -> None:
    answer = client.post("/sheets/affinity", data={"text": "attacker = ", "name": ""})
    assert answer.status_code == 422
    assert "It is not saved yet" in answer.text


def test_an_own_fighter_attacks_and_can_be_chosen(client: TestClient) -> None:
    sent = {"text": FIGHTER, "name": ""}
    answer = client.post("/sheets/affinity", data=sent, follow_redirects=False)
    address = answer.headers["location"]
    page = client.get(address).text
    assert 'class="fault"' not in page
    table = client.get(address.replace("?", "/setup.json?")).json()
    assert table["attacker"]["name"] == "Brute"
    other = client.get("/price/affinity?case=exertion").text
    assert "Brute (own)" in other
    sheets = re.findall(r'href="([^"]*)">Sheet', client.get("/sheets/affinity").text)
    sheet = client.get(unescape(sheets[0])).text
    assert "<h1>Brute</h1>" in sheet
    assert "club" in sheet


def test_a_wrong_fighter_is_not_saved(client: TestClient) -> None:
    text = FIGHTER.replace('"tough"', '"soft"')
    answer = client.post("/sheets/affinity", data={"text": text, "name": ""})
    assert answer.status_code == 422
    assert re.findall(r'<li class="fault"><b>([^<]*)</b>', answer.text) == ["body"]


def test_a_fighter_of_the_roster_is_shown_as_the_game_prints_it(client: TestClient) -> None:
    assert "/sheets/eclipse-phase/jinx" in client.get("/sheets/eclipse-phase").text
    told = client.get("/sheets/eclipse-phase/jinx").text
    assert "<dt>Fray</dt>" in told
    assert 'href="/price/eclipse-phase?attacker=jinx"' in told
    assert client.get("/sheets/eclipse-phase/nobody").status_code == 404


def test_a_sheet_is_printed_dark_on_white_without_the_site(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("/sheets/eclipse-phase/jinx")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.get_by_role("heading", name="Jinx")).to_have_css("color", "rgb(0, 0, 0)")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    for site in (page.locator(".top"), page.get_by_role("link", name="Odds of an attack")):
        expect(site).to_be_hidden()
    expect(page.get_by_text("Fray", exact=True)).to_be_visible()
