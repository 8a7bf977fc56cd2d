"""Advice, chances, the report and the files of a fight, against what the API says of it."""

import json
import re
import tomllib

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from affray.app.fight import Fight
from tests.web.test_fight_parts import answered, begin_in, begun, part, words


@pytest.fixture
def place(client: TestClient) -> str:
    return begun(client, "empty-earth", "bo-husk")


def to_a_decision(client: TestClient, place: str) -> None:
    """Go on to where Bo decides what to do."""
    question = client.get(f"/api/v1{place}").json()["fight"]["question"]
    if question["faces"]:
        answered(client, place, face=[question["faces"][0]["printed"][0]])


def test_advice_marks_the_best_option_as_the_api_does(client: TestClient, place: str) -> None:
    to_a_decision(client, place)
    page = client.post(f"{place}/advise", data={"seconds": "15"})
    assert page.status_code == 200
    told = client.post(f"/api/v1{place}/advise", json={"limits": {"seconds": 15}}).json()
    best = re.search(r'class="best"><th scope="row">([^<]*)', page.text)
    assert best
    assert best[1].strip() == told["best"]
    assert "attack: Husk" in page.text


def test_advice_is_not_kept_for_the_next_question(client: TestClient, place: str) -> None:
    to_a_decision(client, place)
    before = part(client, place, "advice")
    answered(client, place, option="attack: Husk")
    assert part(client, place, "advice") != before


def test_chances_are_kept_as_a_curve_and_forgotten_when_taken_back(
    client: TestClient, place: str
) -> None:
    to_a_decision(client, place)
    first = words(client.post(f"{place}/chances", data={"seconds": "15"}).text)
    told = client.post(f"/api/v1{place}/chances", json={"limits": {"seconds": 15}}).json()
    assert told["known"] == "exact"
    assert "Bo wins: 100 %" in first
    assert told["one"]["value"] == 1
    assert "so far" not in first
    answered(client, place, option="attack: Husk")
    second = client.post(f"{place}/chances", data={"seconds": "15"}).text
    assert "Chance to win so far" in second
    client.post(f"{place}/changes", data={"do": "undo"})
    assert "so far" not in part(client, place, "chances")


def test_a_game_on_a_map_says_why_it_has_no_chances(client: TestClient) -> None:
    place = begun(client, "grid-battles", "ford")
    assert "How likely" not in part(client, place, "chances")
    assert "one exchange" in client.post(f"{place}/chances", data={"seconds": "15"}).text


def test_the_report_tells_who_carried_it(client: TestClient, place: str) -> None:
    to_a_decision(client, place)
    while (fight := client.get(f"/api/v1{place}").json()["fight"])["question"]:
        question = fight["question"]
        if question["options"]:
            names = [one["name"] for one in question["options"]]
            answered(client, place, option=next((n for n in names if "attack" in n), names[0]))
        else:
            client.post(f"{place}/changes", data={"do": "roll"})
    page = client.get(f"{place}/report")
    assert page.status_code == 200
    told = words(page.text)
    winner = fight["sides"][0 if fight["verdict"] == "one" else 1]
    assert f"{winner} has won" in told
    assert re.search(r"Husk \d+ \d+ \d+", told)
    markdown = client.get(f"{place}/report?as=markdown").text
    assert markdown.startswith("# Bo meets a single Husk")


def test_a_fight_is_saved_as_toml_and_json(client: TestClient, place: str) -> None:
    to_a_decision(client, place)
    as_json = json.loads(client.get(f"{place}/saved.json").text)
    assert tomllib.loads(client.get(f"{place}/saved.toml").text) == as_json
    again = Fight.restored(as_json)
    assert again.question is not None
    assert again.question.ask == client.get(f"/api/v1{place}").json()["fight"]["question"]["ask"]


def test_logs_go_elsewhere(client: TestClient, place: str) -> None:
    for form in ("markdown", "roll20", "foundry", "text"):
        answer = client.get(f"{place}/export/{form}")
        assert "attachment" in answer.headers["content-disposition"]
        assert answer.text == client.get(f"/api/v1{place}/export/{form}").json()["text"]
    assert client.get(f"{place}/export/nothing").status_code == 404


def test_others_get_no_report_and_no_file(client: TestClient, place: str) -> None:
    client.cookies.clear()
    for name in ("report", "saved.toml", "export/text"):
        assert client.get(f"{place}/{name}").status_code == 401


def test_chances_follow_the_fight(page: Page) -> None:
    begin_in(page, "empty-earth", "bo-husk")
    page.get_by_label("Play it out for").select_option("5")
    page.get_by_label("after every change").check()
    expect(page.locator("#chances .now")).to_contain_text("wins")
    page.locator("#question [data-first]").click()
    expect(page.locator("#chances figure")).to_be_visible()
