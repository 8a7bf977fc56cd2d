"""A table at which several people sit, each with a browser of their own."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Watched, assert_readable

PHONE = {"viewport": {"width": 360, "height": 740}}
HEARD = """
  window.rung = 0;
  const Real = window.AudioContext;
  window.AudioContext = class extends Real { constructor() { super(); window.rung += 1; } };
"""


class Sitting:
    """A table with its master; others join by links."""

    def __init__(self, people: Watched) -> None:
        self.people, self.master = people, people.new()
        self.master.goto("/tables")
        self.master.get_by_label("What is the table called?").fill("Tuesday")
        self.master.get_by_label("Your own name").fill("Mia")
        self.master.get_by_role("button", name="Make the table").click()
        self.master.wait_for_url(re.compile("/tables/.+"))
        self.table = self.master.url

    def link(self, name: str, kind: str) -> str:
        """A new link for somebody."""
        page = self.master
        role = "checkbox" if "side" in kind else "radio"
        page.get_by_role(role, name=kind).check()  # type: ignore[arg-type]  # one of two
        page.get_by_label("For whom?").fill(name)
        page.get_by_role("button", name="Make a link").click()
        expect(page.locator("#made_link h3")).to_contain_text(name)
        return page.get_by_label("The link", exact=True).input_value()

    def joined(self, name: str, kind: str, **settings: object) -> Page:
        """Somebody who opens a link, types a name, and sits down."""
        link = self.link(name, kind)
        page = self.people.new(**settings)
        page.add_init_script(HEARD)
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#people")).to_contain_text(name)
        return page

    def begin(self, system: str, title: str) -> None:
        """The master begins a fight that ships."""
        self.master.get_by_text(system, exact=True).click()
        self.master.get_by_role("button", name=title).click()
        self.master.wait_for_url("**/fights/*")


@pytest.fixture
def sitting(people: Watched) -> Sitting:
    """A table with its master."""
    return Sitting(people)


def test_a_fight_is_played_at_a_table(sitting: Sitting) -> None:
    master = sitting.master
    bob = sitting.joined("Bob", "The first side", **PHONE)
    eve = sitting.joined("Eve", "The second side")
    sue = sitting.joined("Sue", "Look on", **PHONE)
    expect(master.locator("#people li.here")).to_have_count(4)
    bob.get_by_label("A sound").check()
    sitting.begin("Empty Earth: Brockton", "Bo meets a single Husk")
    fight = master.url
    for person in (bob, eve, sue):  # all follow by themselves
        person.wait_for_url(fight)
        expect(person.locator("#turn")).to_have_text(
            "Waiting for the game master to toss the coin."
        )
    master.locator("[data-die]").select_option("Bo")
    master.get_by_role("button", name="Toss the coin").click()
    expect(bob).to_have_title(re.compile("^● Bo to decide"))
    assert bob.evaluate("window.rung") == 1
    assert eve.evaluate("window.rung") == 0
    expect(eve.locator("#turn")).to_have_text("Waiting for Bo to decide.")
    for person in (eve, sue):
        expect(person.locator("#question button")).to_have_count(0)
    bob.get_by_role("button", name="Do it").first.click()
    expect(bob.locator("[data-die]").first).to_be_visible()
    bob.locator("[data-die]").first.fill("5")
    for person in (eve, sue, master):
        expect(person.locator("#question .lying b, #question [data-die]").first).to_be_visible()
    expect(sue.locator("#question .lying b").first).to_have_text("5")
    expect(eve.locator("#question .lying b").first).to_have_text("5")
    assert bob.evaluate("document.documentElement.scrollWidth") == 360


def test_of_two_who_answer_at_once_one_hears_who_was_first(sitting: Sitting) -> None:
    bob = sitting.joined("Bob", "The first side")
    sitting.begin("Empty Earth: Brockton", "Bo meets a single Husk")
    bob.wait_for_url("**/fights/*")
    sitting.master.locator("[data-die]").select_option("Bo")
    sitting.master.get_by_role("button", name="Toss the coin").click()
    other = bob.context.new_page()
    other.route_web_socket(re.compile("/live"), lambda _socket: None)  # it hears of nothing
    other.goto(bob.url)
    expect(other.locator("#question")).to_contain_text("what now?")
    bob.get_by_role("button", name="Do it").first.click()
    expect(bob.locator("[data-die]").first).to_be_visible()
    sitting.people.expected.append("409")
    other.get_by_role("button", name="Do it").first.click()
    expect(other.get_by_role("alert")).to_contain_text("Bob was first")
    expect(other.locator("[data-die]").first).to_be_visible()


def test_who_is_revoked_is_out_at_once(sitting: Sitting) -> None:
    sue = sitting.joined("Sue", "Look on")
    sitting.begin("Empty Earth: Brockton", "Bo meets a single Husk")
    sue.wait_for_url("**/fights/*")
    sitting.people.expected.append("401")
    sitting.master.goto(sitting.table)
    sitting.master.get_by_role("button", name="Revoke Sue").click()
    expect(sue.get_by_text("ask your game master for a new one")).to_be_visible()
    expect(sitting.master.locator("#people")).not_to_contain_text("Sue")


def test_a_link_for_no_side_says_so_beside_the_form_and_keeps_what_was_typed(
    sitting: Sitting,
) -> None:
    page = sitting.master
    page.get_by_label("For whom?").fill("Bob")
    sitting.people.expected.append("422")
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#made_link")).to_contain_text("Choose a side")
    expect(page.locator("#made_link .fault")).to_be_in_viewport()
    expect(page.get_by_label("For whom?")).to_have_value("Bob")


def test_a_key_stands_in_no_address_that_is_sent(sitting: Sitting) -> None:
    key = sitting.link("Bob", "The first side").rpartition("#")[2]
    bob = sitting.people.new()
    asked: list[str] = []
    bob.on("request", lambda request: asked.append(request.url))
    bob.on("request", lambda request: asked.append(request.headers.get("referer", "")))
    bob.goto(f"/join#{key}")
    expect(bob.get_by_label("Your name")).to_be_visible()
    assert key not in bob.url
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Join").click()
    expect(bob.locator("#people")).to_contain_text("Bob")
    assert not [address for address in asked if key in address.partition("#")[0]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_the_pages(sitting: Sitting, theme: str) -> None:
    page = sitting.master
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # one of two
    sitting.link("Bob", "The first side")
    addresses = ["", "/tables", "/join", "/games", "/", f"{sitting.table}/projector"]
    for address in addresses:
        if address:
            page.goto(address)
        assert_readable(page)
    page.goto(sitting.table)
    sitting.begin("Grid Battles", "The armies of the ford")
    page.goto(f"{page.url}/projector")
    assert_readable(page)
