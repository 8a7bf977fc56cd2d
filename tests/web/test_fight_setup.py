"""Setting up a fight by forms alone, and a few times in a browser."""

import re

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect


def begun(client: TestClient, **said: str) -> dict[str, object]:
    """The fight that a form began, as the API shows it to the browser that began it."""
    fields = {name.replace("__", "."): value for name, value in said.items()}
    answer = client.post("/fights", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    place = answer.headers["location"]
    assert re.fullmatch(r"/fights/[\w-]+", place)
    shown = client.get(f"/api/v1{place}")
    assert shown.status_code == 200  # the cookie is the key
    found = shown.json()["fight"]
    assert isinstance(found, dict)
    return found


def names(fight: dict[str, object], side: str) -> list[str]:
    fighters = fight["fighters"]
    assert isinstance(fighters, list)
    return [one["name"] for one in fighters if one["side"] == side]


@pytest.mark.parametrize(
    "system", ["eclipse-phase", "empty-earth", "grid-battles", "emlia", "affinity"]
)
def test_every_case_begins_as_it_is(client: TestClient, system: str) -> None:
    start = client.get(f"/?system={system}").text
    cases = re.findall(rf'href="/fight/{system}\?case=([\w-]+)"', start)
    assert cases
    for case in cases:
        page = client.get(f"/fight/{system}?case={case}")
        assert page.status_code == 200
        assert "can't begin" not in page.text
        fight = begun(client, system=system, case=case, one__seat="typed", other__seat="typed")
        assert fight["question"]


def test_both_sides_from_the_roster(client: TestClient) -> None:
    fight = begun(
        client, system="empty-earth", one__0__who="ada", one__1__who="bo", other__0__who="husk",
        other__0__many="3", one__seat="typed", other__seat="typed", first="other", rounds="7",
        now__distance_zones="0",
    )  # fmt: skip
    assert names(fight, "one") == ["Ada", "Bo"]
    assert names(fight, "other") == ["Husk 1", "Husk 2", "Husk 3"]
    assert fight["next"]["side"] == "other"  # type: ignore[index]
    assert fight["seats"] == {"one": "typed", "other": "typed"}


def test_a_case_with_another_fighter_keeps_its_own(client: TestClient) -> None:
    fight = begun(
        client, system="eclipse-phase", case="warehouse", one__0__who="@0", one__0__many="1",
        one__1__who="shrike", one__1__many="1", other__0__who="@0", other__0__many="3",
        one__seat="typed", other__seat="typed",
    )  # fmt: skip
    assert fight["sides"] == ["Jinx's crew", "Security"]
    assert names(fight, "one") == ["Jinx", "Shrike"]
    assert len(names(fight, "other")) == 3


def test_all_faults_stand_beside_their_fields(client: TestClient) -> None:
    said = {
        "system": "eclipse-phase", "one.0.who": "jinx", "one.0.many": "0", "first": "nobody",
        "rounds": "many", "now.cover": "lots",
    }  # fmt: skip
    answer = client.post("/fights", data={**said, "rounds": "3"})
    assert answer.status_code == 422
    for place in ("one-0-fault", "first-fault", "now-cover-fault", "other-fault"):
        assert f'id="{place}"' in answer.text
    assert 'value="3"' in answer.text  # what was typed stays
    assert "many" in client.post("/fights", data=said).text.split('id="rounds-fault"')[1][:200]


def test_what_was_pasted_begins_or_stays_with_its_faults(client: TestClient) -> None:
    text = '[one]\nfighters = ["bo"]\n[other]\nfighters = [{like = "husk", number = 2}]\n'
    fight = begun(client, system="empty-earth", text=text)
    assert names(fight, "other") == ["Husk 1", "Husk 2"]
    wrong = client.post("/fights", data={"system": "empty-earth", "text": text + "[third]\n"})
    assert wrong.status_code == 422
    assert "third" in wrong.text.split('id="form-fault"')[1][:300]
    assert "[third]</textarea>" in wrong.text


def test_a_saved_fight_goes_on_where_it_stood(client: TestClient) -> None:
    first = client.post(
        "/fights", follow_redirects=False,
        data={"system": "empty-earth", "case": "bo-husk", "one.seat": "typed",
              "other.seat": "rolled"},
    ).headers["location"]  # fmt: skip
    saved = client.get(f"/api/v1{first}/saved").text
    table = saved[saved.index('"saved":') + 8 : saved.rindex("}")]
    fight = begun(client, system="eclipse-phase", text=table)
    assert fight["system"] == "empty-earth"
    assert fight["seats"] == {"one": "typed", "other": "rolled"}


def test_what_there_is_not_is_said(client: TestClient) -> None:
    assert client.get("/fight/nowhere").status_code == 404
    answer = client.get("/fight/emlia?case=nothing")
    assert answer.status_code == 404
    assert "nothing" in answer.text


def test_a_fight_at_a_table_is_for_its_master(client: TestClient) -> None:
    data = {"system": "empty-earth", "case": "bo-husk", "table": "x"}
    assert client.post("/fights", data=data).status_code in {401, 403, 404}


def test_three_clicks_lead_into_a_fight(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Jinx and a ripper").click()
    page.get_by_role("button", name="Begin the fight").first.click()
    expect(page.locator("#question h2")).to_be_visible()


def test_rows_come_as_they_are_filled(page: Page) -> None:
    page.goto("/fight/empty-earth")
    one = page.get_by_role("group", name="First side")
    one.get_by_label("Fighter 1").select_option(label="Ada")
    expect(one.get_by_label("Fighter 2")).to_be_visible()
    page.get_by_label("Fighter 1").nth(1).select_option(label="Husk")
    expect(page.get_by_role("group", name="Husk")).to_be_visible()
    expect(page).to_have_url(re.compile("one.0.who=ada"))
