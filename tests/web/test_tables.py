"""Tables: made, joined by links, ruled, played at by several people, by forms and in browsers."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.web.sites import visiting

LINK = re.compile(r"/join#([\w-]{22})")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that everybody at the table uses, each with a browser of their own."""
    with visiting(tmp_path_factory.mktemp("tables")) as client:
        yield client


class Person:
    """Somebody with a browser without JavaScript."""

    def __init__(self, site: TestClient) -> None:
        self.client = TestClient(site.app, base_url="http://localhost")

    def get(self, path: str, status: int = 200) -> str:
        """A page."""
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        return answer.text

    def send(self, path: str, status: int = 200, **fields: object) -> str:
        """A form, and the page to which it leads."""
        answer = self.client.post(path, data=fields)
        assert answer.status_code == status, answer.text
        self.address = answer.url.path
        return answer.text


class Master(Person):
    """Somebody who has made a table."""

    def __init__(self, site: TestClient, undo: str = "own") -> None:
        super().__init__(site)
        self.site = site
        self.send("/tables", title="Tuesday", name="Mia", undo=undo)
        self.table = self.address

    def link(self, **fields: object) -> str:
        """The key of a new link."""
        (key,) = set(LINK.findall(self.send(f"{self.table}/links", 201, **fields)))
        return str(key)

    def joined(self, name: str, **fields: object) -> Person:
        """Somebody who has joined by a new link."""
        person = Person(self.site)
        person.send("/join", key=f"http://localhost/join#{self.link(**fields)}", name=name)
        return person


def test_a_name_is_all_one_needs(site: TestClient) -> None:
    master = Master(site)
    assert "Mia, game master" in master.get(master.table)
    bob = master.joined("Bob", role="player", side="one")
    assert bob.address == master.table
    told = bob.get(master.table)
    assert "Bob, player of the first side" in told
    assert "Make a link" not in told
    assert "<b>Bob</b>" in master.get(master.table)


def test_who_joins_comes_to_the_game_on_the_table(site: TestClient) -> None:
    master = Master(site)
    master.send(f"{master.table}/fights", system="empty-earth", case="bo-husk")
    fight = master.address
    assert fight.startswith("/fights/")
    assert master.joined("Sue", role="spectator").address == fight


def test_a_link_that_was_revoked_lets_nobody_in_or_stay(site: TestClient) -> None:
    master = Master(site)
    key = master.link(role="player", side="one", name="for Bob")
    bob = Person(site)
    bob.send("/join", key=key, name="Bob")
    bob.get(master.table)
    (revoke,) = re.findall(r"/tables/[^/]+/links/[^/]+/revoke", master.get(master.table))
    assert "for Bob" not in master.send(revoke)
    assert "ask your game master for a new one" in bob.get(master.table, 401)
    assert "doesn&#39;t work any more" in Person(site).send("/join", 404, key=key, name="Bob")


def test_only_the_master_rules(site: TestClient) -> None:
    master = Master(site)
    bob = master.joined("Bob", role="player", side="one")
    for what in ("links", "settings", "fights", "game", "asks"):
        assert "only the game master" in bob.send(f"{master.table}/{what}", 403)
    Person(site).get(master.table, 401)


def test_the_master_who_tries_a_link_stays_the_master(site: TestClient) -> None:
    master = Master(site)
    key = master.link(role="spectator")
    assert "private window" in master.send("/join", 409, key=key, name="Mia")
    assert "Mia, game master" in master.get(master.table)


def test_to_come_again_by_the_same_link_is_to_be_the_same_person(site: TestClient) -> None:
    master = Master(site)
    key = master.link(role="player", side="one")
    bob = Person(site)
    for _ in range(2):
        bob.send("/join", key=key, name="Bob")
    assert master.get(master.table).count("<b>Bob</b>") == 1


def test_a_player_asks_and_the_master_grants(site: TestClient) -> None:
    master = Master(site, undo="ask")
    bob = master.joined("Bob", role="player", side="one")
    master.send(f"{master.table}/fights", system="empty-earth", case="bo-husk")
    fight = master.address
    master.send(f"{fight}/changes", do="answer", face="Bo")
    bob.send(f"{fight}/changes", do="answer", option="pass")
    before = bob.client.get(f"/api/v1{fight}").json()["fight"]["moves"]
    assert "has been asked" in bob.send(f"{fight}/changes", do="undo")
    assert "wants the last answer taken back" in master.get(fight)
    assert "wants the last answer taken back" not in bob.get(fight)
    assert "wants the last" not in master.send(f"{master.table}/asks", grant="undo")
    assert bob.client.get(f"/api/v1{fight}").json()["fight"]["moves"] < before


def test_what_is_wrong_with_a_form_is_said(site: TestClient) -> None:
    assert "Type your own name" in Person(site).send("/tables", 422, title="T", name=" ")
    master = Master(site)
    assert "Choose a side" in master.send(f"{master.table}/links", 422, role="player")
    assert "0 to 366" in master.send(f"{master.table}/links", 422, role="spectator", days="400")
    told = Person(site).send("/join", 422, key=master.link(role="spectator"), name="")
    assert "type the name" in told


def test_names_with_markup_are_harmless(site: TestClient) -> None:
    master = Master(site)
    eve = master.joined("<script>alert(1)</script>\u202e", role="spectator")
    for person in (master, eve):
        told = person.get(master.table)
        assert "<script>alert" not in told
        assert "\u202e" not in told


def test_a_public_server_wants_its_key(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("public")
    with visiting(folder, public=True, key="the-servers-key") as client:
        ann = Person(client)
        assert "The server's key" in ann.get("/tables")
        refused = ann.send("/tables", 401, title="T", name="Ann", server_key="a guess")
        assert "only with its key" in refused
        ann.send("/tables", title="T", name="Ann", server_key="the-servers-key")
        assert ann.address.startswith("/tables/")
        ann.send("/tables", title="Another", name="Ann")  # the browser keeps the key
        bob = Person(client)
        assert "not the key" in bob.send("/games/key", 401, server_key="a guess")
        bob.send("/games/key", server_key="the-servers-key")
        bob.send("/tables", title="T", name="Bob")


def test_games_of_a_browser_and_of_its_server(site: TestClient) -> None:
    master = Master(site)
    bob = master.joined("Bob", role="player", side="one")
    master.send(f"{master.table}/fights", system="empty-earth", case="bo-husk")
    fight = master.address
    for person in (master, bob):
        assert f'href="{fight}"' in person.get("/games")
        assert f'href="{fight}"' in person.get("/")
    owner = Person(site)
    owner.get(fight, 401)
    assert f'action="/games/{fight.rpartition("/")[2]}/open"' in owner.get("/games")
    owner.send(f"/games/{fight.rpartition('/')[2]}/open")
    assert owner.address == fight
    assert f'href="{fight}"' in owner.get("/games")


def test_the_wall_shows_what_a_spectator_sees(site: TestClient) -> None:
    master = Master(site)
    wall = f"{master.table}/projector"
    assert "Nothing on the table yet" in master.get(wall)
    master.send(f"{master.table}/fights", system="empty-earth", case="bo-husk")
    fight = master.address
    master.send(f"{fight}/changes", do="answer", face="Bo")
    for address in (wall, f"{fight}/projector"):
        told = master.get(address)
        assert "Waiting for Bo" in told
        assert "Round 1: Bo, Husk." in told
        main = told.partition("<main")[2].partition("</main>")[0]
        assert not re.search("<(form|button|input|select)", main)


def test_an_exchange_hangs_on_the_wall_too(site: TestClient) -> None:
    master = Master(site)
    table = master.table.rpartition("/")[2]
    master.send("/price/eclipse-phase/roll", case="jinx-shoots", table=table)
    exchange = master.address
    for address in (f"{master.table}/projector", f"{exchange}/projector"):
        told = master.get(address)
        assert "Waiting for Jinx to roll" in told
        main = told.partition("<main")[2].partition("</main>")[0]
        assert "d100" in main
        assert not re.search("<(form|button|input|select)", main)
    Person(site).get(f"{exchange}/projector", 401)


def test_a_phone_has_the_own_fighters_first(site: TestClient) -> None:
    master = Master(site)
    ada = master.joined("Ann", role="player", fighter="Ada")
    master.send(f"{master.table}/fights", system="empty-earth", case="brockton")
    own = ada.get(master.address).partition('id="own"')[2].partition("</ul>")[0]
    assert re.findall("<b>(.*?)</b>", own) == ["Ada"]
    assert "Vitality 10 of 10" in own


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("/price/eclipse-phase/roll", {"case": "jinx-shoots"}),
        ("/fights", {"system": "empty-earth", "case": "bo-husk"}),
    ],
)
def test_what_is_begun_for_a_table_is_put_on_it(
    site: TestClient, page: str, fields: dict[str, Any]
) -> None:
    master = Master(site)
    bob = master.joined("Bob", role="player", side="one")
    table = master.table.rpartition("/")[2]
    bob.send(page, 403, table=table, **fields)
    master.send(page, table=table, **fields)
    assert f'data-go="{master.address}"' in bob.get(master.table)
    bob.get(master.address)


def test_a_game_of_the_masters_own_is_put_on_the_table(site: TestClient) -> None:
    master = Master(site)
    bob = master.joined("Bob", role="player", side="one")
    master.send("/fights", system="empty-earth", case="bo-husk")
    fight = master.address
    bob.get(fight, 401)
    assert "Bo meets a single Husk" in master.get(master.table)
    master.send(f"{master.table}/game", game=fight.rpartition("/")[2])
    bob.get(fight)
    other = Master(site)
    other.send(f"{other.table}/game", 403, game=fight.rpartition("/")[2])
