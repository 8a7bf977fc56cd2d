"""Exchanges and fights in a real browser: dice typed, people at once, breaks in the line."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Watched, assert_readable
from tests.web.sites import serving

JINX = {"system": "eclipse-phase", "setup": "jinx-shoots"}
DUEL = {"system": "eclipse-phase", "fight": "ripper-dog"}


def begin(page: Page, **data: str) -> str:
    """Begin a game and go to its page; the path of it."""
    path = page.request.post("/play", form={**data}, max_redirects=0).headers["location"]
    page.goto(path)
    return path


def to_damage(page: Page) -> None:
    """Type the dice of Jinx up to those of damage."""
    page.keyboard.type("96")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="flip").click()
    expect(page.locator("#question h2")).to_contain_text("Defense roll")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.locator("#question h2")).to_contain_text("Damage")


def test_a_new_visitor_types_the_dice_of_jinx(page: Page) -> None:
    begin(page, **JINX)
    expect(page).to_have_title(re.compile("Jinx to roll"))
    expect(page.get_by_label("d100")).to_be_focused()
    to_damage(page)
    page.keyboard.type("75513")  # a full face jumps on to the next die
    expect(page.locator("[data-die]").nth(3)).to_have_value("1")
    page.keyboard.press("Enter")
    expect(page.locator("#question h2")).to_contain_text("SOM check")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_contain_text("11 points")
    expect(page.locator("#log > li").last).to_contain_text("Still standing")
    expect(page).to_have_title(re.compile("^Over"))


def answered(page: Page, act: Callable[[], None]) -> None:
    """Answer, and wait for the next question."""
    before = page.locator("#question [name=asked]").first.input_value()
    act()
    expect(page.locator(f"#question [name=asked][value='{before}']")).to_have_count(0)


def lay_three(page: Page) -> None:
    """Play Jinx until three of the five dice of damage lie."""
    begin(page, **JINX)
    to_damage(page)
    page.keyboard.type("755")
    expect(page.locator("[data-die]").nth(2)).to_have_attribute("value", "5")  # all three lie


def faces(page: Page) -> list[str]:
    """What stands in the fields of the dice."""
    return [field.input_value() for field in page.locator("#question [data-die]").all()]


def test_laid_dice_are_there_after_a_reload_and_after_going_back(page: Page) -> None:
    lay_three(page)
    page.reload()
    assert faces(page) == ["7", "5", "5", "", ""]
    expect(page.locator("[data-die]").nth(3)).to_be_focused()
    page.goto("/")
    page.go_back()
    assert faces(page) == ["7", "5", "5", "", ""]


def test_typed_dice_stay_while_the_line_is_cut(page: Page, people: Watched) -> None:
    people.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    lay_three(page)
    page.context.set_offline(True)
    page.keyboard.type("13")
    page.keyboard.press("Enter")
    expect(page.locator("#not-done")).to_be_in_viewport()
    expect(page.locator("#not-done")).to_contain_text("Not sent")
    assert faces(page) == ["7", "5", "5", "1", "3"]
    page.context.set_offline(False)
    page.locator("#question [data-first]").click()
    expect(page.locator("#question h2")).to_contain_text("SOM check")
    expect(page.locator("#not-done")).to_be_empty()


def test_nothing_is_lost_when_the_server_is_restarted(people: Watched, tmp_path: Path) -> None:
    people.expected += ["WebSocket", "ERR_CONNECTION", "ERR_EMPTY_RESPONSE"]
    with serving(tmp_path) as address:
        people.address = address
        page = people.new()
        lay_three(page)
        page.keyboard.type("1")
        expect(page.locator("[data-die]").nth(4)).to_be_focused()
    expect(page.locator("#link-state")).to_contain_text("Not connected")
    page.keyboard.type("3")
    with serving(tmp_path, int(address.rpartition(":")[2])):
        expect(page.locator("#link-state")).to_have_text("Connected again")
        assert faces(page) == ["7", "5", "5", "1", "3"]
        page.locator("#question [data-first]").click()
        expect(page.locator("#log > li").last).to_contain_text("one wound")
        page.goto("about:blank")


def test_a_second_window_sees_dice_as_they_are_laid(page: Page) -> None:
    lay_three(page)
    other = page.context.new_page()
    other.goto(page.url)
    page.locator("[data-die]").nth(3).fill("6")
    expect(other.locator("[data-die]").nth(3)).to_have_value("6")
    other.locator("[data-die]").nth(4).fill("2")
    expect(page.locator("[data-die]").nth(4)).to_have_value("2")
    other.keyboard.press("Enter")
    expect(page.locator("#question h2")).to_contain_text("SOM check")
    expect(page.locator("#log li.new").first).to_contain_text("7 5 5 6 2")


def test_two_windows_answer_at_once(page: Page, people: Watched) -> None:
    people.expected += ["409"]
    path = begin(page, **JINX)
    late = page.context.new_page()
    late.route_web_socket("**/live", lambda _socket: None)  # it hears of nothing in time
    late.goto(path)
    page.keyboard.type("96")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="flip")).to_be_visible()
    late.get_by_label("d100").fill("12")
    late.keyboard.press("Enter")
    expect(late.get_by_role("alert")).to_contain_text("another window was first")
    expect(late.get_by_role("alert")).to_contain_text("Not used: 12")
    late.get_by_role("button", name="flip").click()
    expect(page.locator("#question h2")).to_contain_text("Defense roll")


def test_a_game_on_a_map_tells_each_deed_once(page: Page) -> None:
    begin(page, system="grid-battles", fight="ford")
    for _ in range(8):
        answered(page, page.locator("#question [data-first]").first.click)
    expect(page.locator("#log > li").nth(1)).to_be_visible()
    told = page.locator("#log > li").all_inner_texts()
    page.reload()
    assert page.locator("#log > li").all_inner_texts() == told


def test_a_fight_is_decided_in_a_panel_by_keyboard_alone(page: Page) -> None:
    begin(page, **DUEL)
    for _ in range(12):
        if page.locator(".panel").count():
            break
        answered(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".panel button").first).to_be_focused()
    page.get_by_label("How to move").select_option("back")
    expect(page.locator(".panel button").first).to_contain_text("how to move: back")
    expect(page.get_by_label("Called shot")).to_have_count(0)
    page.keyboard.press("g")
    expect(page.locator("#log")).to_contain_text("moves 4 m away")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_have_no_fault_that_axe_finds(people: Watched, theme: str) -> None:
    page = people.new(color_scheme=theme)
    for data in (JINX, DUEL):
        begin(page, **data)
        for _ in range(4):
            if page.locator("#question [name=asked]").count():
                answered(page, page.locator("#question [data-first]").first.click)
        assert_readable(page)
