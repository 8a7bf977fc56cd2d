"""Studies: forms, jobs, results."""

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from affray.web.packing import unpacked
from tests.web.conftest import assert_readable


def asked(client: TestClient, system: str, **said: object) -> str:
    """The page of a study that is asked for and done, in the end."""
    answer = client.post(f"/study/{system}", data={k: str(v) for k, v in said.items()})
    assert answer.status_code == 200, answer.text
    job = answer.url.path.removeprefix("/jobs/")
    client.get(f"/api/v1/jobs/{job}/events")  # it ends with the job
    return client.get(f"/jobs/{job}").text


def job_of(page: str) -> str:
    found = re.search(r"/jobs/([^/\"]+)/table.csv", page)
    assert found is not None
    return found[1]


def test_the_duel_of_the_book_has_its_chance(client: TestClient) -> None:
    """W6, worked out by hand: 0.183410623124140 and 7.281163511166391 rounds."""
    page = asked(client, "eclipse-phase", of="duel", case="w6")
    assert "18.34 %" in page
    assert "7.2812 rounds" in page
    assert " wins 18.34 %, " in page  # who wins comes first, in words
    assert ">exact</span>" in page
    assert 'stroke-dasharray="4 3"' not in page  # no bar of an estimate


def test_a_battle_is_an_estimate_and_says_so(client: TestClient) -> None:
    page = asked(
        client, "empty-earth", of="battle", one="ada", other="husk", n_other=3, n=200, seed=1
    )
    data = client.get(f"/api/v1/jobs/{job_of(page)}").json()["result"]
    share = data["won"][0]["value"]
    assert f"{share * 100:.2f} %" in page
    assert ">estimate</span>" in page
    assert "95 % interval" in page
    assert 'stroke-dasharray="4 3"' in page
    assert all(title in page for title in ("Who carried the fight", "How many are left"))


def test_two_battles_are_compared(client: TestClient) -> None:
    page = asked(
        client, "empty-earth", of="battle", one="ada", other="husk", one2="bo", other2="husk",
        n=100, seed=1,
    )  # fmt: skip
    assert "A less B" in page
    assert "Ada against Husk or" in page or "A: Ada against Husk" in page


def test_a_matrix_names_both_axes(client: TestClient) -> None:
    page = asked(client, "empty-earth", of="matrix", n=10, seed=1)
    for name in ("Ada", "Stray Dog"):
        assert f'<th scope="row">{name}</th>' in page
        assert f"<span>{name}</span>" in page
    drawing = client.get(f"/jobs/{job_of(page)}/pairs.svg")
    assert drawing.headers["content-type"] == "image/svg+xml"


def test_what_if_a_skill_were_another(client: TestClient) -> None:
    said = {"of": "sweep", "case": "jinx-shoots", "path": "attacker.guns", "from": 40, "to": 60,
            "points": 3, "field": "hit"}  # fmt: skip
    page = asked(client, "eclipse-phase", **said)
    body = {"setup": "jinx-shoots", "path": "attacker.guns", "values": [40, 50, 60], "of": "hit"}
    begun = client.post("/api/v1/systems/eclipse-phase/sweep", json=body).json()["job"]["id"]
    client.get(f"/api/v1/jobs/{begun}/events")
    found: dict[str, Any] = client.get(f"/api/v1/jobs/{begun}").json()
    for row in found["result"]["values"]:
        (chance,) = (one["exactly"]["float"] for one in row["rows"] if one["value"] is True)
        assert f"{chance * 100:.2f} %" in page
    assert "Guns" in page
    assert "attacker.guns" not in page.split("As data")[0].replace("path=attacker.guns", "")


def test_what_counts_of_a_number_can_be_chosen(client: TestClient) -> None:
    page = asked(client, "eclipse-phase", of="sweep", case="jinx-shoots", path="attacker.guns",
                 points=3, field="net")  # fmt: skip
    other = client.get(f"/jobs/{job_of(page)}?least=20").text
    assert "at least 20 points of net" in other
    assert "at least 20 points of net" not in page


def test_numbers_are_found_by_words(client: TestClient) -> None:
    page = client.get("/study/eclipse-phase?of=sweep&case=jinx-shoots&find=fray").text
    assert "Exhuman: Fray" in page
    assert 'name="path" value="defender.fray"' in page
    assert 'name="path" value="attacker.guns"' not in page


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"of": "duel"}, "Choose a fight, or a fighter for either side."),
        ({"of": "battle", "case": "warehouse", "n": "many"}, "A whole number"),
        ({"of": "sweep", "case": "jinx-shoots"}, "Choose the number"),
        (
            {"of": "sweep", "case": "jinx-shoots", "path": "attacker.guns", "from": 9, "to": 1},
            "less",
        ),
    ],
)
def test_what_is_wrong_stands_beside_its_field(
    client: TestClient, said: dict[str, str], words: str
) -> None:
    answer = client.post("/study/eclipse-phase", data=said)
    assert answer.status_code == 422
    assert words in re.sub(r"<[^>]*>", "", answer.text.split('class="fault plain"')[1])


def test_what_was_typed_stays(client: TestClient) -> None:
    answer = client.post(
        "/study/empty-earth", data={"of": "battle", "one": "ada", "rounds": "7", "seed": "12"}
    )
    assert all(f'value="{text}"' in answer.text for text in ("7", "12"))
    assert '<option value="ada" selected>' in answer.text


def test_a_question_leads_back_to_its_form(client: TestClient) -> None:
    page = asked(
        client, "empty-earth", of="battle", one="ada", other="husk", n_other=3, n=50, seed=9
    )
    back = re.search(r'href="(/study/[^"]+)"', page)
    assert back is not None
    form = client.get(back[1].replace("&amp;", "&")).text
    assert '<option value="husk" selected>' in form
    assert 'name="n_other" inputmode="decimal" size="4" value="3"' in form
    assert 'value="9"' in form


def test_no_key_is_shown(client: TestClient) -> None:
    pages = [client.get(f"/study/{system}?of={of}").text
             for system in ("eclipse-phase", "emlia")
             for of in ("duel", "battle", "sweep")]  # fmt: skip
    pages.append(asked(client, "eclipse-phase", of="duel", case="aim-or-duck"))
    for page in pages:
        seen = re.sub(r"<(pre|script)\b.*?</\1>|<[^>]*>", " ", page, flags=re.S)
        assert not re.findall(r"\b[a-z]+_[a-z_]+\b|\(\)|\bTrue\b|\bNone\b", seen)


def test_an_answer_for_programs_is_told_as_data(client: TestClient) -> None:
    begun = client.post("/api/v1/systems/grid-battles/rulings", json={"setup": "shot"})
    job = begun.json()["job"]["id"]
    client.get(f"/api/v1/jobs/{job}/events")
    assert "for programs" in client.get(f"/jobs/{job}").text
    assert client.get(f"/jobs/{job}/table.csv").status_code == 404


def test_a_failed_study_says_why_and_can_be_changed(client: TestClient) -> None:
    page = asked(client, "eclipse-phase", of="duel", case="warehouse")
    assert "It could not be answered" in page
    assert "Change the question" in page


def test_a_long_battle_shows_how_far_it_is_and_stops(page: Page) -> None:
    page.goto("/study/eclipse-phase?of=battle&case=warehouse&n=9000000&seed=1")
    page.get_by_role("button", name="Fight them").click()
    expect(page.locator("#progress")).to_contain_text("Working")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#progress")).to_contain_text("Stopped")
    expect(page.get_by_role("button", name="Start again")).to_be_visible()


def test_a_result_comes_by_itself(page: Page) -> None:
    page.goto("/study/eclipse-phase?of=battle&case=warehouse&n=200&seed=1")
    page.get_by_role("button", name="Fight them").click()
    expect(page.locator("#result")).to_contain_text("Who carried the fight")
    expect(page.locator("#progress")).not_to_contain_text("Working")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert_readable(page)


def test_what_if_goes_on_from_an_attack_as_it_was_changed(client: TestClient) -> None:
    """Without armor more of the burst gets through at every skill."""
    changed = "/price/eclipse-phase?case=jinx-shoots&set=defender.kinetic=0"
    link = re.search(r'href="(/study/[^"]+)"', client.get(changed).text)
    assert link is not None
    form = client.get(link[1].replace("&amp;", "&")).text
    packed = re.search(r'name="packed" value="([^"]+)"', form)
    assert packed is not None
    said = {"of": "sweep", "path": "attacker.guns", "points": 3, "field": "net"}
    bare = asked(client, "eclipse-phase", packed=packed[1], **said)
    armored = asked(client, "eclipse-phase", case="jinx-shoots", **said)
    means = [
        [row["stats"]["mean"]["float"]
         for row in client.get(f"/api/v1/jobs/{job_of(page)}").json()["result"]["values"]]
        for page in (bare, armored)
    ]  # fmt: skip
    assert all(one > other for one, other in zip(*means, strict=True))
    assert "Jinx: Guns" in bare
    again = re.search(r'href="(/study/[^"]+)"', bare)
    assert again is not None
    kept = re.search(r'name="packed" value="([^"]+)"', client.get(html.unescape(again[1])).text)
    assert kept is not None
    assert unpacked(kept[1], "eclipse-phase") == unpacked(packed[1], "eclipse-phase")


PASTED = """title = "Ada and Bo meet a mixed band"
system = "empty-earth"
one.fighters = ["ada", "bo"]
other.fighters = ["shrieker", { like = "husk", name = "Old Husk", number = 2 }]
"""


def test_a_fight_of_mixed_sides_is_pasted(client: TestClient) -> None:
    page = asked(client, "empty-earth", of="battle", text=PASTED, one="ada", n=60, seed=1)
    assert "Ada and Bo meet a mixed band" in page
    data = client.get(f"/api/v1/jobs/{job_of(page)}").json()["result"]
    names = {row["name"] for row in data["fighters"]}
    assert {"Ada", "Bo", "Shrieker", "Old Husk 1", "Old Husk 2"} <= names


def test_a_pasted_fight_that_is_none_comes_back_with_its_fault(client: TestClient) -> None:
    answer = client.post("/study/empty-earth", data={"of": "duel", "text": "one = "})
    assert answer.status_code == 422
    assert 'id="text-fault"' in answer.text
    assert ">one =</textarea>" in answer.text


def test_a_duel_with_an_own_fighter_is_pasted(client: TestClient) -> None:
    text = 'one.fighters = [{ like = "bo", name = "My Bo" }]\nother.fighters = ["husk"]\n'
    page = asked(client, "empty-earth", of="duel", text=text)
    assert "My Bo" in page
    assert ">exact</span>" in page
