"""What-ifs of rulings and of two things at once, and those that are not done yet."""

import re
from typing import Any, cast

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from affray.api.state import Service
from affray.app.odds import ask_odds
from affray.app.sources import Changes, Shipped
from affray.app.sweep import ask_sweep
from affray.app.views.envelope import to_json
from affray.app.views.sweeps import SweptAxis
from tests.web.conftest import assert_readable
from tests.web.test_study import asked, job_of

MAP: dict[str, object] = {
    "of": "sweep", "case": "jinx-shoots", "path": "attacker.guns", "from": 20, "to": 60,
    "points": 3, "across": "rulings.ties", "field": "hit",
}  # fmt: skip


def chance_of_hit(reading: str, *, guns: int) -> float:
    """By the odds of the changed setup alone."""
    view = ask_sweep(
        "eclipse-phase", Shipped("jinx-shoots"), "attacker.guns", (guns,), field="hit",
        changes=Changes(rulings={"ties": reading}),
    )  # fmt: skip
    return sum(float(one.exactly) for one in view.values[0].rows if one.value is True)


def cells_of(page: str) -> list[tuple[str, str, str]]:
    """Class, words and text of each cell of a heat map."""
    return re.findall(r'<td class="(heat-[^"]*)" title="([^"]*)">([^<]*)</td>', page)


def test_a_number_and_a_ruling_make_a_map(client: TestClient) -> None:
    page = asked(client, "eclipse-phase", **MAP)
    words = [words for _, words, _ in cells_of(page)]
    for reading, told in (("miss", "miss"), ("higher_skill", "higher skill")):
        for guns in (20, 40, 60):
            chance = chance_of_hit(reading, guns=guns)
            assert f"Jinx: Guns {guns}, Ruling: ties {told}: {chance * 100:.2f} %" in words


def test_the_line_of_half_is_drawn_and_told(client: TestClient) -> None:
    """29 % at 20, 56 % at 40, 77 % at 60, under each reading: once between the first two."""
    assert chance_of_hit("miss", guns=20) < 0.5 <= chance_of_hit("miss", guns=40)
    page = asked(client, "eclipse-phase", **MAP)
    lines = ["half-right" in kind for kind, _, _ in cells_of(page)]
    assert lines == [True, False, False] * 3
    assert page.count("between 20 and 40") == 3
    drawing = client.get(f"/jobs/{job_of(page)}/chances.svg").text
    assert drawing.count('stroke-width="4"') == 3


def test_a_ruling_alone_makes_bars(client: TestClient) -> None:
    said = {"of": "sweep", "case": "jinx-shoots", "path": "rulings.ties", "field": "hit"}
    page = asked(client, "eclipse-phase", **said)
    for reading in ("miss", "deadlock", "higher_skill"):
        rulings = Changes(rulings={"ties": reading})
        odds = ask_odds("eclipse-phase", Shipped("jinx-shoots"), ["hit"], changes=rulings)
        chance = sum(float(one.exactly) for one in odds.rows if one.value is True)
        assert f"{chance * 100:.2f} %" in page
    assert "Every reading reaches 50 %." in page
    assert "Higher skill: the higher target number wins." in page


def test_too_many_values_are_told_beside_their_field(client: TestClient) -> None:
    said = {**MAP, "from": 1, "to": 90, "points": 40, "across": "defender.fray", "from2": 1,
            "to2": 90, "points2": 9}  # fmt: skip
    answer = client.post("/study/eclipse-phase", data={k: str(v) for k, v in said.items()})
    assert answer.status_code == 422
    assert "at most 200 in all" in answer.text.split('id="points2"')[1].split("</fieldset>")[0]


def test_a_map_leads_back_to_its_form(client: TestClient) -> None:
    said = {**MAP, "across": "defender.fray", "from2": 30, "to2": 50, "points2": 3}
    page = asked(client, "eclipse-phase", **said)
    back = re.search(r'href="(/study/[^"]+)"', page)
    assert back is not None
    form = client.get(back[1].replace("&amp;", "&")).text
    assert '<option value="defender.fray" selected>' in form
    for key, value in (("from2", 30), ("to2", 50), ("points2", 3), ("from", 20), ("to", 60)):
        assert re.search(rf'name="{key}"[^>]* value="{value}"', form)


@pytest.fixture
def half_done(client: TestClient) -> tuple[Service, str]:
    """A job of another server that has priced four of six pairs."""
    service: Service = cast("FastAPI", client.app).state.service
    question: dict[str, Any] = {
        "system": "eclipse-phase", "setup": "jinx-shoots", "path": "attacker.guns",
        "values": [20, 40, 60], "across": "defender.fray", "across_values": [30, 60], "of": "hit",
    }  # fmt: skip
    whole = to_json(ask_sweep(
        "eclipse-phase", Shipped("jinx-shoots"), "attacker.guns", (20, 40, 60),
        across=SweptAxis("defender.fray", (30, 60)), field="hit",
    ))  # fmt: skip
    values = cast("list[object]", whole["values"])
    so_far = {**whole, "values": values[:4], "partial": True}
    job = service.store.jobs.add(
        "sweep", {"arguments": question, "seconds": None}, client="", server="another"
    )
    assert service.store.jobs.begin(job.id)
    told = {"work": "values", "done": 4, "of": 6, "seconds_left": 9.0, "interval": None, "note": ""}
    assert service.store.jobs.progress(job.id, {**told, "so_far": so_far})
    return service, job.id


def test_what_is_priced_is_shown_meanwhile(
    client: TestClient, half_done: tuple[Service, str]
) -> None:
    page = client.get(f"/jobs/{half_done[1]}").text
    assert "Working" in page
    assert "So far: 4 of 6 values were priced." in page
    assert [bool(told) for _, _, told in cells_of(page)] == [True, True, False] * 2
    view = client.get(f"/api/v1/jobs/{half_done[1]}").json()
    assert (view["result"], len(view["so_far"]["values"])) == (None, 4)


def test_what_was_priced_stays_when_it_is_stopped(
    client: TestClient, half_done: tuple[Service, str]
) -> None:
    service, job = half_done
    client.post(f"/jobs/{job}/stop")
    assert service.store.jobs.job(job).state == "cancelled"
    page = client.get(f"/jobs/{job}").text
    assert "It was stopped: 4 of 6 values were priced." in page
    assert [bool(told) for _, _, told in cells_of(page)] == [True, True, False] * 2
    table = client.get(f"/jobs/{job}/table.csv").text
    assert "odds at defender.fray=60,yes,40,exactly," in table
    assert ",60,exactly," not in table


def test_a_map_comes_as_it_is_worked_out_and_can_be_stopped(page: Page) -> None:
    """Each value takes long enough that somebody can look, and all of them far longer."""
    said: dict[str, str | float | bool] = {
        "of": "sweep", "case": "seventy-thirty-seen", "path": "attacker.guns", "from": "1",
            "to": "90", "points": "60", "across": "rulings.ties", "seconds": "1800",
    }  # fmt: skip
    answer = page.request.post("/study/eclipse-phase", form=said)
    page.goto(answer.url)
    expect(page.locator("#result")).to_contain_text("So far:")
    expect(page.locator("table.heat td[class*=heat-]:not(.heat-none)").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#progress")).to_contain_text("Stopped")
    expect(page.locator("#result")).to_contain_text("It was stopped:")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert_readable(page)


def test_a_map_and_a_curve_are_saved_as_png(page: Page) -> None:
    curve = {key: value for key, value in MAP.items() if key != "across"}
    for said in (MAP, curve):
        form: dict[str, str | float | bool] = {key: str(value) for key, value in said.items()}
        page.goto(page.request.post("/study/eclipse-phase", form=form).url)
        with page.expect_download() as saved:
            page.get_by_role("link", name="Drawing: chances (PNG)").click()
        assert saved.value.suggested_filename == "affray-chances.png"
        assert saved.value.path().read_bytes().startswith(b"\x89PNG\r\n")
