"""What stands beside the question of a fight: turns, conditions, the map with its buttons."""

import re

from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from tests.web.conftest import assert_readable

PARTS = {"include": [["#turns"], ["#fighters"], ["#map"]]}


def begun(client: TestClient, system: str, case: str) -> str:
    """The address of a fight whose sides are typed by hand."""
    said = {"system": system, "case": case, "one.seat": "typed", "other.seat": "typed"}
    return client.post("/fights", data=said, follow_redirects=False).headers["location"]


def asked(client: TestClient, place: str) -> str:
    """The number that tells the open question from others."""
    found = re.search(r'name="asked" value="(\d+)"', client.get(place).text)
    assert found
    return found[1]


def part(client: TestClient, place: str, name: str) -> str:
    answer = client.get(place, headers={"X-Parts": name})
    return str(answer.json()["parts"][name])


def answered(client: TestClient, place: str, **said: object) -> None:
    data = {"asked": asked(client, place), "do": "answer", **said}
    answer = client.post(f"{place}/changes", data=data, follow_redirects=False)
    assert answer.status_code == 303, answer.text


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_cards_show_what_changed_last(client: TestClient) -> None:
    place = begun(client, "empty-earth", "bo-husk")
    assert "Vitality 12 of 12" in words(part(client, place, "fighters"))
    fight = client.get(f"/api/v1{place}").json()["fight"]
    while not any(event["changes"] for event in fight["events"]):
        question = fight["question"]
        if question["options"]:
            names = [one["name"] for one in question["options"]]
            answered(client, place, option=next((n for n in names if "attack" in n), names[0]))
        else:
            faces = [row["printed"][-1] for row in question["faces"] for _ in range(row["many"])]
            answered(client, place, face=faces)
        fight = client.get(f"/api/v1{place}").json()["fight"]
    told = words(part(client, place, "fighters"))
    change = next(event for event in fight["events"] if event["changes"])["changes"][0]
    assert f"{change['label']} {change['after']} was {change['before']}" in told


def test_turns_stand_in_order_with_their_state(client: TestClient) -> None:
    place = begun(client, "empty-earth", "brockton")
    told = words(part(client, place, "turns"))
    rows = client.get(f"/api/v1{place}").json()["fight"]["turns"]
    assert re.match(r"Round 1 Ada acts now", told)
    positions = [told.index(row["name"]) for row in rows]
    assert positions == sorted(positions)


def test_the_map_says_what_stands_where_and_what_a_press_answers(client: TestClient) -> None:
    place = begun(client, "grid-battles", "ford")
    svg = part(client, place, "map")
    options = client.get(f"/api/v1{place}").json()["fight"]["question"]["options"]
    answers = re.findall(r'data-options="([^"]*)"', svg)
    assert sorted(answers) == sorted(one["name"] for one in options)
    assert len(re.findall(r'role="button"', svg)) == 20  # all hexes of the ford
    assert 'style="' not in svg
    knight = re.search(r'aria-label="(0403[^"]*)"', svg)
    assert knight
    assert "Knight" in knight[1]


def test_no_map_where_none_is_drawn(client: TestClient) -> None:
    assert "<svg" not in part(client, begun(client, "affinity", "marsh"), "map")


def begin_in(page: Page, system: str, case: str) -> None:
    page.goto(f"/fight/{system}?case={case}&one.seat=typed&other.seat=typed")
    page.get_by_role("button", name="Begin the fight").first.click()
    page.wait_for_url("**/fights/*", wait_until="load")


def test_a_press_on_the_map_answers(page: Page) -> None:
    begin_in(page, "grid-battles", "ford")
    for name, option in (("Light Cav", "light-cav"), ("Pikeman", "pikeman")):
        page.get_by_role("button", name=re.compile(f"^0.00.*{name}.*fresh")).last.click()
        expect(
            page.locator(f'[data-map] [data-options="{option}"][aria-label*=fresh]')
        ).to_have_count(0)
    expect(page.get_by_role("heading", name="Which unit moves next?")).to_be_visible()
    expect(page.locator("[data-map] [data-options]")).to_have_count(2)


def test_the_map_is_walked_by_keys(page: Page) -> None:
    begin_in(page, "grid-battles", "ford")
    page.locator("[data-map] [role=button]").first.focus()
    page.keyboard.press("ArrowRight")
    at = page.locator("[data-map] [role=button]:focus")
    expect(at).to_have_attribute("data-place", "0100")
    page.keyboard.press("Enter")
    expect(page.locator('#question button[value="pikeman"]')).to_have_count(0)


def test_a_fight_has_no_findings_of_axe(page: Page) -> None:
    begin_in(page, "grid-battles", "ford")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert_readable(page, PARTS)


def test_a_crowd_shows_those_first_who_matter(client: TestClient) -> None:
    said = {"system": "empty-earth", "one.0.who": "bo", "other.0.who": "husk",
            "other.0.many": "300", "one.seat": "typed", "other.seat": "typed",
            "now.distance_zones": "0", "first": "one"}  # fmt: skip
    place = client.post("/fights", data=said, follow_redirects=False).headers["location"]
    data = {"do": "hand", "what": "set", "condition": "Husk 150/vitality", "value": "1"}
    assert client.post(f"{place}/changes", data=data, follow_redirects=False).status_code == 303
    told = words(part(client, place, "fighters"))
    assert "300 of 300 fighters standing" in told
    assert told.index("Husk 150") < told.index("Husk 1 ")
    assert "And 240 more." in told
