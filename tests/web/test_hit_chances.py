"""The chance to hit on the page of a fight: beside options, on the map, without JavaScript."""

import re

from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from tests.web.test_fight_parts import answered, asked, begin_in, begun, part, words
from tests.web.test_tables import Master


def bo_to_decide(client: TestClient) -> str:
    """The address of a fight in which Bo decides what to do."""
    place = begun(client, "empty-earth", "bo-husk")
    answered(client, place, face=["Bo"])
    return place


def test_a_button_tells_them_without_javascript(client: TestClient) -> None:
    place = bo_to_decide(client)
    assert "to hit)" not in words(part(client, place, "question"))
    said = {"asked": asked(client, place), "pick:": "attack: Husk"}
    page = words(client.post(f"{place}/hits", data=said).text)
    assert "attack: Husk (75 % to hit)" in page
    assert "pass: nothing more in this turn (" not in page
    assert "to win)" not in page


def test_they_are_as_the_api_has_them(client: TestClient) -> None:
    place = bo_to_decide(client)
    told = client.post(
        f"/api/v1{place}/hits", json={"wins": True, "limits": {"seconds": 20}}
    ).json()
    assert told["schema"] == "affray/hit-chances"
    attack, passing = told["decisions"][0]["options"]
    assert (attack["name"], attack["hits"]["float"]) == ("attack: Husk", 0.75)
    assert attack["wins"]["value"] == 1
    assert passing["hits"] is None


def test_what_was_asked_of_an_earlier_question_is_dropped(client: TestClient) -> None:
    place = bo_to_decide(client)
    old = asked(client, place)
    answered(client, place, option="attack: Husk")
    page = client.post(f"{place}/hits", data={"asked": old, "pick:": "attack: Husk"})
    assert page.status_code == 200
    assert "to hit)" not in words(page.text)


def test_the_map_carries_them(client: TestClient) -> None:
    place = begun(client, "grid-battles", "ford")
    while "comes next" not in part(client, place, "question"):
        question = client.get(f"/api/v1{place}").json()["fight"]["question"]
        answered(client, place, option=question["options"][0]["name"])
    client.post(f"{place}/hits", data={"asked": asked(client, place)})
    drawn = part(client, place, "map")
    assert re.search(r'aria-label="0303[^"]*Swordman[^"]*25 % to hit', drawn)
    assert re.search(r'class="map-mark".*>25 %</text>', drawn)


def test_they_are_for_those_who_answer(client: TestClient) -> None:
    master = Master(client)
    players = {name: master.joined(name, role="player", fighters=name) for name in ("Bo", "Husk")}
    master.send(f"{master.table}/fights", system="empty-earth", case="bo-husk")
    place = master.address
    master.send(f"{place}/changes", do="answer", face="Bo")
    bo, husk = players["Bo"], players["Husk"]
    assert "data-hits" in bo.get(place)
    assert "data-hits" not in husk.get(place)
    at = re.search(r'name="asked" value="(\d+)"', bo.get(place))
    assert at
    assert "to hit)" not in husk.send(f"{place}/hits", 403, asked=at[1])


def test_they_come_by_themselves_and_follow_what_is_chosen(page: Page) -> None:
    begin_in(page, "empty-earth", "brockton")
    do = page.locator("#question .panel [data-first]")
    expect(do).to_contain_text("75 % to hit")
    aims = page.get_by_label("Blue cubes to Aim")
    expect(aims.locator("option", has_text="to hit")).to_have_count(2)
    aims.focus()
    aims.select_option("aim")
    expect(do).to_contain_text("86 % to hit")
    expect(aims).to_have_value("aim")
    expect(aims).to_be_focused()
