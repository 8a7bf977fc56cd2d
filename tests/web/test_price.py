"""The page of an exchange: its form, the odds, the best decisions, links and files."""

import csv
import io
import re
import tomllib
from fractions import Fraction
from html import unescape

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from affray.app import lookups
from affray.app.registry import system_ids
from affray.app.views.books import ExampleRow
from tests.web.conftest import assert_readable

JINX = "/price/eclipse-phase?case=jinx-shoots"
LAYERED = "/price/affinity?case=layered"


def parts_at(client: TestClient, address: str, names: str) -> dict[str, str]:
    """Parts of a page, however busy the machine is."""
    patient = f"{address}{'&' if '?' in address else '?'}patience=yes"
    found: dict[str, str] = client.get(patient, headers={"X-Parts": names}).json()["parts"]
    return found


def edited(client: TestClient, address: str, **fields: str) -> str:
    """The address after a form at an address was sent with these fields edited."""
    was = address.partition("?")[2]
    sent = {"was": was, **{name.replace("__", "."): value for name, value in fields.items()}}
    answer = client.get(address.partition("?")[0], params=sent, follow_redirects=False)
    assert answer.status_code == 303
    return answer.headers["location"]


# -- every example -------------------------------------------------------------------------------


def shipped() -> list[tuple[str, ExampleRow]]:
    """Every example of every system."""
    return [
        (name, row)
        for name in system_ids()
        for row in lookups.list_systems(name).systems[0].examples
    ]


@pytest.mark.parametrize("system", system_ids())
def test_every_example_opens_and_faults_show_where_one_is_meant(
    client: TestClient, system: str
) -> None:
    for row in lookups.list_systems(system).systems[0].examples:
        answer = client.get(f"/price/{system}?case={row.name}", headers={"X-Parts": "fields asks"})
        assert answer.status_code == 200, row.name
        told = "".join(answer.json()["parts"].values())
        assert ('class="fault"' in told) == (row.kind == "refused"), row.name


@pytest.mark.parametrize("system", system_ids())
def test_two_fighters_of_the_roster_are_there_at_once(client: TestClient, system: str) -> None:
    answer = client.get(f"/price/{system}")
    assert answer.status_code == 200
    assert 'class="fault"' not in answer.text


# -- odds ----------------------------------------------------------------------------------------


def test_odds_are_the_books(client: TestClient) -> None:
    # AFO-7: 3 damage against medium armor; 39, 37, 20 and 4 in 100 lose 0 to 3 Hit Dice
    odds = parts_at(client, LAYERED + "&of=hd_lost", "odds")["odds"]
    for value, told in enumerate(("39.00 %", "37.00 %", "20.00 %", "4.00 %")):
        row = re.search(rf'<th scope="row">{value}</th>.*?</tr>', odds, re.DOTALL)
        assert row
        assert told in row[0]
    assert "1 in 25" in odds
    assert "0.89" in odds  # the mean


def test_two_fields_are_counted_jointly(client: TestClient) -> None:
    odds = parts_at(client, LAYERED + "&of=hd_lost&of=down", "odds")["odds"]
    assert "hd lost, down" in odds
    assert "0, no" in odds


def test_a_condition_holds_until_it_is_removed(client: TestClient) -> None:
    to = edited(
        client,
        LAYERED + "&of=hd_lost",
        of="hd_lost",
        **{"if": "hd_lost", "if_is": ">="},
        if_value="2",
    )
    odds = parts_at(client, to, "odds")["odds"]
    assert "83.33 %" in odds  # 20 of 24
    assert "39.00 %" not in odds
    found = re.search(r'<a href="([^"]*)"[^>]*>Remove', odds)
    assert found
    assert "given=" not in found[1]


def test_more_than_twenty_rows_are_taken_together(client: TestClient) -> None:
    odds = parts_at(client, JINX + "&of=net", "odds")["odds"]
    glance, _, whole = odds.partition('id="all-rows"')
    assert 'scope="row">10 to 14<' in glance
    assert 'scope="row">11<' in whole


def test_values_stand_side_by_side(client: TestClient) -> None:
    odds = parts_at(client, LAYERED + "&of=hd_lost&turned=yes", "odds")["odds"]
    assert re.search(r'scope="row">at least</th><td class="number">100 %</td>', odds)


def test_an_estimate_says_so(client: TestClient) -> None:
    odds = parts_at(client, "/price/grid-battles?case=ford", "odds")["odds"]
    assert "<b>Estimate.</b>" in odds or "<b>Bounds only.</b>" in odds


def test_what_takes_longer_is_asked_for_again_and_is_no_fault(client: TestClient) -> None:
    address = "/price/grid-battles?case=ford"
    found = client.get(address, headers={"X-Parts": "odds fields"}).json()["parts"]
    assert "patience=yes" in found["odds"]
    assert 'data-later="odds best"' in found["odds"]
    assert 'class="fault"' not in found["fields"] + found["odds"]


# -- the form ------------------------------------------------------------------------------------


def test_only_what_is_changed_stands_in_the_address(client: TestClient) -> None:
    to = edited(client, JINX, v__defender__kinetic="3", v__cover="none", v__distance_m="10")
    assert to == JINX + "&set=defender.kinetic=3"
    back = edited(client, to, v__defender__kinetic="10")
    assert back == JINX


def test_changed_armor_shows_other_odds_and_a_reset(client: TestClient) -> None:
    before = parts_at(client, JINX, "odds")["odds"]
    found = parts_at(client, JINX + "&set=defender.kinetic=3", "odds fields")
    assert found["odds"] != before
    assert "10 → " in found["fields"]
    assert f'href="{JINX}"' in unescape(found["fields"])


def test_a_search_opens_fields_with_their_help(client: TestClient) -> None:
    fields = parts_at(client, JINX + "&find=kinetic armor", "fields")["fields"]
    assert 'name="v.defender.kinetic"' in fields
    assert "EP-" in fields
    assert "No field has" in parts_at(client, JINX + "&find=xyzzy", "fields")["fields"]


def test_fields_named_by_a_search_come_before_those_that_mention_it(client: TestClient) -> None:
    fields = parts_at(client, JINX + "&find=armor", "fields")["fields"]
    found = fields.partition('class="found"')[2].partition("</section>")[0]
    named, _, mentioning = found.partition("<details")
    paths = [part.partition('"')[0] for part in named.split('name="v.')[1:]]
    for side in ("attacker", "defender"):
        assert {f"{side}.kinetic", f"{side}.energy"} <= set(paths)
    assert not any("weapon" in path for path in paths)
    assert 'name="v.weapon.armor"' in mentioning


def test_another_fighter_takes_the_place_of_a_changed_one(client: TestClient) -> None:
    to = edited(client, JINX + "&set=attacker.guns=5", v__attacker="exhuman", v__attacker__guns="5")
    assert to == JINX + "&set=attacker=exhuman"


def test_faults_stand_beside_their_fields_all_at_once(client: TestClient) -> None:
    address = JINX + "&set=defender.kinetic=lots&set=distance_m=-4"
    fields = parts_at(client, address, "fields")["fields"]
    for name, typed in (("defender.kinetic", "lots"), ("distance_m", "-4")):
        assert f'id="f-{name}-fault"' in fields
        control = re.search(rf'<input[^>]*id="f-{name}"[^>]*>', fields)
        assert control
        assert f'value="{typed}"' in control[0]
        assert "aria-invalid" in control[0]


def test_readings_are_fields(client: TestClient) -> None:
    address = "/price/affinity?case=layered&find=overwhelm"
    assert 'name="v.rulings.overwhelm"' in parts_at(client, address, "fields")["fields"]


def test_the_situation_shows_the_modifiers_it_makes(client: TestClient) -> None:
    fields = parts_at(client, JINX, "fields")["fields"]
    assert ">minor (−10 Guns)<" in fields  # EP-77
    switch = fields.partition('id="f-indirect"')[2].partition("</div>")[0]
    assert "−20 Guns" in switch


def test_names_with_markup_are_harmless(client: TestClient) -> None:
    text = client.get(
        "/price/emlia?case=flank&find=<script>alert(1)</script>&set=attacker.name=<b>x"
    ).text
    assert "<script>alert" not in text
    assert "<b>x" not in text


# -- the best decisions --------------------------------------------------------------------------


def test_each_decision_shows_options_costs_and_what_is_closed(client: TestClient) -> None:
    address = "/price/affinity?case=exertion"
    best = parts_at(client, address, "best")["best"]
    view = client.post("/api/v1/systems/affinity/best", json={"setup": "exertion"}).json()
    (first,) = [one for one in view["decisions"] if one["step"] == "choose_exertion"]
    for option in first["situations"][0]["options"]:
        assert f">{option['name']}" in best
    assert "closed: the cap is 3" in best
    taken = re.search(r'<a href="([^"]*choose\.choose_exertion=2[^"]*)"', unescape(best))
    assert taken
    fields = parts_at(client, taken[1], "fields")["fields"]
    assert "<b>Exertion</b>: 2" in fields


# -- pins ----------------------------------------------------------------------------------------


def test_a_pinned_result_is_drawn_over_with_the_difference(client: TestClient) -> None:
    first = parts_at(client, LAYERED + "&of=hd_lost", "odds")["odds"]
    pin = re.search(r'href="([^"]*)"[^>]*data-key="p"', unescape(first))
    assert pin
    to = pin[1] + "&set=hazard.damage=2"
    odds = parts_at(client, to, "odds")["odds"]
    assert "pin-1" in odds
    assert "−4.00" in odds  # nobody loses three any more


# -- files and links -----------------------------------------------------------------------------


def test_the_setup_goes_out_as_toml_and_comes_to_the_same_odds(client: TestClient) -> None:
    text = client.get("/price/affinity/setup.toml?case=layered&set=hazard.damage=2").text
    table = tomllib.loads(text)
    assert table["hazard"]["damage"] == 2
    assert client.get("/price/affinity/setup.json?case=layered&set=hazard.damage=2").json() == table
    answer = client.post("/api/v1/systems/affinity/odds", json={"setup": table, "of": ["hd_lost"]})
    here = client.get(
        "/price/affinity/odds.json?case=layered&set=hazard.damage=2&of=hd_lost"
    ).json()
    assert here["rows"] == answer.json()["rows"]


def test_odds_go_out_as_csv(client: TestClient) -> None:
    text = client.get("/price/affinity/odds.csv?case=layered&of=hd_lost").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["hd_lost"] for row in rows] == ["0", "1", "2", "3"]
    assert sum(Fraction(row["exactly_fraction"]) for row in rows) == 1
    assert rows[0]["exactly_fraction"] == "39/100"


def test_a_chart_goes_out_as_svg(client: TestClient) -> None:
    answer = client.get("/price/affinity/chart.svg?case=layered&of=hd_lost")
    assert answer.headers["content-type"].startswith("image/svg")
    assert "39.00 %" in answer.text
    assert "style" not in answer.text


def test_a_link_holds_the_whole_setup(client: TestClient) -> None:
    told = client.get("/price/affinity/share?case=layered&set=hazard.damage=2").text
    link = re.search(r"http://localhost/open#([\w.-]+)<", told)
    assert link
    answer = client.post("/open", data={"packed": link[1]}, follow_redirects=False)
    assert answer.status_code == 303
    table = client.get(answer.headers["location"].replace("/affinity?", "/affinity/setup.json?"))
    assert table.json()["hazard"]["damage"] == 2


@pytest.mark.parametrize("packed", ["", "2.abc", "1.abc", "1.eNqrVspMU7JSSkpVqgUAHn0EUw", "%00"])
def test_a_broken_link_says_so(client: TestClient, packed: str) -> None:
    answer = client.post("/open", data={"packed": packed})
    assert answer.status_code == 422
    assert "link" in answer.text


def test_a_roll_begins_a_game_from_this_very_setup(client: TestClient) -> None:
    sent = {"was": "case=layered", "v.hazard.damage": "2"}
    answer = client.post("/price/affinity/roll", data=sent, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/exchanges/")
    game = client.get(f"/api/v1{answer.headers['location']}").json()
    assert game["exchange"]["question"]["dice"]
    assert game["exchange"]["saved"]["setup"]["hazard"]["damage"] == 2


# -- in a browser --------------------------------------------------------------------------------


def test_from_the_first_page_to_other_odds(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Jinx fires a burst").first.click()
    expect(page.locator("#odds .chances").first).to_be_visible()
    before = page.locator("#odds .stats").inner_text()
    page.get_by_label("Search for a field").press_sequentially("kinetic")
    armor = page.locator('[id="f-defender.kinetic"]')
    armor.fill("")
    armor.press_sequentially("24")
    expect(page.locator("#odds .stats")).not_to_have_text(before)
    expect(page).to_have_url(re.compile("set=defender.kinetic=24"))
    expect(armor).to_be_focused()
    expect(armor).to_have_value("24")
    page.locator(".changes").get_by_role("link", name="Reset").click()
    expect(page.locator('[id="f-defender.kinetic"]')).to_have_value("10")


def test_a_better_answer_comes_by_itself(page: Page) -> None:
    with page.expect_request(lambda asked: "patience=yes" in asked.url):
        page.goto("/price/grid-battles?case=ford")
    expect(page.locator("#odds")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#odds .known")).to_contain_text("Estimate")


def test_a_link_opened_elsewhere_shows_the_setup(page: Page) -> None:
    page.goto("/price/affinity/share?case=layered&set=hazard.damage=2")
    link = page.get_by_label("Link").input_value()
    page.goto(link)
    page.wait_for_url("**/price/affinity?packed=**")
    expect(page.locator("#odds .chances").first).to_be_visible()


def test_a_chart_is_saved_as_png(page: Page) -> None:
    page.goto(LAYERED)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Chart as PNG").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(people, scheme: str) -> None:  # type: ignore[no-untyped-def]
    page = people.new(color_scheme=scheme, viewport={"width": 360, "height": 740})
    for address in (
        JINX + "&find=armor&set=defender.kinetic=lots",
        "/price/affinity?case=exertion&set=defender.level=2",
    ):
        page.goto(address)
        assert_readable(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_rolls_it_without_scrolling(people) -> None:  # type: ignore[no-untyped-def]
    page = people.new(viewport={"width": 360, "height": 740})
    page.goto(JINX)
    expect(page.get_by_role("button", name="Roll it")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Roll it").click()
    page.wait_for_url("**/exchanges/*")


def test_a_phone_says_what_the_number_is(client: TestClient) -> None:
    gist = client.get(JINX).text.partition('class="gist"')[2].partition("</a>")[0]
    assert "damage that gets through armor: 10.5 points on average" in gist
