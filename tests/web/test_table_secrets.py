"""What is decided under cover reaches no page of those who may not see it.

Two fights that differ in nothing but a hidden decision show the same to all who may not see it, on
every page, in every part, and over the socket.
"""

import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.app.conftest import forget_systems, installed_in
from tests.web.sites import visiting
from tests.web.test_tables import Master, Person

ROLES: dict[str, dict[str, object]] = {
    "Ann": {"role": "player", "fighters": "Ann"},
    "Own": {"role": "player", "side": "one"},
    "Ben": {"role": "player", "fighters": "Ben"},
    "Other": {"role": "player", "side": "other"},
    "Sue": {"role": "spectator"},
}
MAY_NOT = ("Ben", "Other", "Sue")
LOCAL = {"host": "localhost"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that knows a system whose two decisions are sealed."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("installed")
        patch.syspath_prepend(str(folder))
        installed_in(folder, "feint", "feint = tests.outside.feint:SYSTEM")
        with visiting(tmp_path_factory.mktemp("data")) as client:
            yield client
    forget_systems()


class Struck:
    """A fight at a table in which Ann has struck, and Ben doesn't know where."""

    def __init__(self, site: TestClient, blow: str) -> None:
        self.master = Master(site)
        self.people = {name: self.master.joined(name, **fields) for name, fields in ROLES.items()}
        self.master.send(f"{self.master.table}/fights", system="feint", case="salle")
        self.fight = self.master.address
        for option in ("attack: Ben", blow):
            self.people["Ann"].send(f"{self.fight}/changes", do="answer", option=option)

    def everything(self, who: str) -> str:
        """All pages, parts and news that somebody gets, without ids and times."""
        person, table = self.people[who], self.master.table
        pages = [self.fight, f"{self.fight}/projector", table, f"{table}/projector", "/games", "/"]
        told = [person.get(page) for page in pages]
        told += [person.client.get(self.fight, headers={"x-parts": "question turn back"}).text]
        told += self._refused(person)
        told += self._heard(person)
        return re.sub(r"[/:][\w-]{22}(?![\w-])|\d\d:\d\d UTC|\d{4}-\d\d-\d\d", "-", "\n".join(told))

    def _refused(self, person: Person) -> Iterator[str]:
        for form in (
            {"do": "undo"},
            {"do": "answer", "option": "middle"},
            {"do": "answer", "option": "high", "asked": "0"},
            {"do": "line", "text": "middle"},
            {"do": "roll", "face": "1"},
        ):
            answer = person.client.post(f"{self.fight}/changes", data=form)
            assert answer.status_code >= 400 or "has been asked" in answer.text, form
            yield answer.text

    def _heard(self, person: Person) -> Iterator[str]:
        game, table = (one.rpartition("/")[2] for one in (self.fight, self.master.table))
        for topic in (f"game:{game}", f"game.projector:{game}", f"table:{table}"):
            with person.client.websocket_connect("/live", headers=LOCAL) as socket:
                socket.send_json({"watch": topic, "key": person.client.cookies[f"affray-{table}"]})
                yield str(socket.receive_json()["view"])


def test_two_fights_look_the_same_but_for_what_is_hidden(site: TestClient) -> None:
    high, low = Struck(site, "high"), Struck(site, "low")
    for who in MAY_NOT:
        assert high.everything(who) == low.everything(who), who
    for who in ("Ann", "Own"):
        assert "high" in high.people[who].get(high.fight), who
    for game, told in ((high, "high, guarded low: a hit"), (low, "low, guarded low: a parry")):
        game.people["Ben"].send(f"{game.fight}/changes", do="answer", option="low")
        for person in game.people.values():
            assert f"Struck {told}." in person.get(game.fight)


def test_who_answers_for_somebody_else_is_told_whose_it_is(site: TestClient) -> None:
    struck = Struck(site, "high")
    change = f"{struck.fight}/changes"
    for who in ("Ann", "Own"):
        told = struck.people[who].send(change, 403, do="answer", option="low")
        assert "this is for Ben to answer; you are player of" in told
    told = struck.people["Sue"].send(change, 403, do="answer", option="low")
    assert "a spectator looks on" in told
