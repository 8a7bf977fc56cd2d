"""Tables with several people: links, roles, what each may see and do, who is there."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.calls import Answer, Calls

FIGHT = {"system": "empty-earth", "fight": ["ada,bo", "2xhusk"]}
ROLES = {
    "ann": {"kind": "player", "sides": [], "fighters": ["Ada"]},
    "bob": {"kind": "player", "sides": ["one"], "fighters": []},
    "eve": {"kind": "player", "sides": ["other"], "fighters": []},
    "sue": {"kind": "spectator", "sides": [], "fighters": []},
}


class Table:
    """A table with a fight on it, its master, and one person for each role."""

    def __init__(self, calls: Calls, settings: Answer | None = None) -> None:
        made = calls.post(
            "/tables", {"title": "Tuesday", "name": "Mia", "settings": settings or {}}, 201
        )
        self.path = f"/tables/{made['id']}"
        self.master = calls.with_key(made["key"])
        fight = self.master.post("/fights", {**FIGHT, "table": made["id"]}, 201)
        assert fight["key"] == ""
        self.game, self.fight = fight["id"], f"/fights/{fight['id']}"
        self.master.patch(self.path, {"game": fight["id"]})
        self.links: dict[str, Answer] = {}
        self.people: dict[str, Calls] = {}
        for name, role in ROLES.items():
            link = self.master.post(
                f"{self.path}/links", {"role": role, "name": f"for {name}"}, 201
            )
            joined = calls.post("/join", {"key": link["link"]["key"], "name": name.capitalize()})
            self.links[name], self.people[name] = link["link"], calls.with_key(joined["key"])

    def start(self) -> Answer:
        """The fight when the master has said how it is, and Ada's side begins."""
        self.change(self.master, do="answer", option="0")
        return self.change(self.master, do="answer", faces=["Ada, Bo"])

    def change(self, who: Calls, status: int = 200, **change: Any) -> Answer:
        """A change of the fight."""
        return who.post(f"{self.fight}/changes", change, status)


@pytest.fixture
def table(calls: Calls) -> Table:
    """A table of its own."""
    return Table(calls)


def test_each_role_answers_for_its_own(table: Table) -> None:
    ann, bob, eve, sue = table.people.values()
    for person in (ann, bob, eve, sue):  # the situation is the master's, and so is a coin
        table.change(person, 403, do="answer", option="0")
    game = table.start()
    owners = {"Ada": (ann, bob), "Bo": (bob,), "Husk 1": (eve,), "Husk 2": (eve,)}
    for _ in range(4):
        fighter = game["fight"]["next"]["fighter"]
        for person in (ann, bob, eve, sue):
            if person not in owners[fighter]:
                table.change(person, 403, do="answer", option="pass")
        game = table.change(owners[fighter][0], do="answer", option="pass")


@pytest.mark.parametrize(
    ("method", "part", "body"),
    [
        ("patch", "", {"title": "mine"}),
        ("post", "/links", {"role": {"kind": "master", "sides": [], "fighters": []}}),
    ],
)
def test_only_the_master_rules_the_table(
    table: Table, method: str, part: str, body: Answer
) -> None:
    for person in table.people.values():
        assert getattr(person, method)(f"{table.path}{part}", body, 403)["code"] == "forbidden"


def test_only_the_master_has_what_is_hidden(table: Table) -> None:
    for person in table.people.values():
        person.get(f"{table.fight}/saved", 403)
        person.get(f"{table.fight}?as=all", 403)
        person.post(f"{table.fight}/fork", {}, 403)
        person.post(f"{table.fight}/report", {}, 403)
        person.post(f"{table.fight}/next", {}, 403)
        person.post("/fights", {**FIGHT, "table": table.path.rpartition("/")[2]}, 403)
        for change in (
            {"do": "seats", "seats": {"one": "computer"}},
            {"do": "hand", "what": "end"},
        ):
            person.post(f"{table.fight}/changes", change, 403)
        assert person.get(table.path)["links"] == []


def test_a_revoked_link_shuts_out_all_who_joined_by_it(table: Table) -> None:
    eve = table.people["eve"]
    eve.get(table.fight)
    table.master.delete(f"{table.path}/links/{table.links['eve']['id']}")
    assert eve.get(table.fight, 401)["code"] == "no-key"
    assert eve.get(table.path, 401)["code"] == "no-key"
    eve.post("/join", {"key": table.links["eve"]["key"], "name": "Eve"}, 404)
    table.people["bob"].get(table.fight)
    table.master.delete(f"{table.path}/links/nothing", 404)


def test_a_key_of_one_table_opens_no_other(calls: Calls, table: Table) -> None:
    other = Table(calls)
    for person in (table.master, *table.people.values()):
        assert person.get(other.path, 403)["code"] == "forbidden"
        assert person.get(other.fight, 403)["code"] == "forbidden"


def test_who_may_not_take_back_asks_the_master(calls: Calls) -> None:
    table = Table(calls, {"undo": "ask"})
    table.start()
    bob = table.people["bob"]
    game = table.change(bob, do="answer", option="pass")
    told = table.change(bob, 202, do="undo")
    assert told["told"] == ["The game master has been asked."]
    assert told["revision"] == game["revision"]
    assert table.master.get(table.path)["asks"] == [{"name": "Bob", "what": "undo"}]
    assert bob.get(table.path)["asks"] == []
    table.change(table.master, do="undo")
    assert table.master.get(table.path)["asks"] == []


def test_the_server_rolls_where_the_master_says_so(calls: Calls) -> None:
    table = Table(calls, {"rolls": "server"})
    table.change(table.master, do="answer", option="0")  # then the server flips the coin
    while table.master.get(table.fight)["fight"]["next"]["side"] == "other":
        table.change(table.people["eve"], do="answer", option="pass")
    game = table.change(table.people["bob"], do="line", text="attack husk 1")
    assert game["fight"]["question"]["dice"] == ""  # nobody waits for dice


@pytest.mark.parametrize(
    "settings", [{"rolls": "nobody"}, {"undo": 1}, {"rools": "server"}, {"undo": None}]
)
def test_settings_that_there_are_not_are_refused(calls: Calls, settings: Answer) -> None:
    problem = calls.post("/tables", {"title": "T", "settings": settings}, 422)
    assert problem["errors"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_whoever_joins_has_a_name(table: Table, calls: Calls, name: str) -> None:
    calls.post("/join", {"key": table.links["bob"]["key"], "name": name}, 422)


def test_everybody_hears_of_a_change_at_once(table: Table, client: TestClient) -> None:
    with client.websocket_connect("/api/v1/live", headers={"host": "localhost"}) as socket:
        key = table.people["sue"].key
        socket.send_json({"watch": f"game:{table.game}", "key": key})
        first = socket.receive_json()
        asked = first["view"]["fight"]["question"]
        table.change(table.master, do="answer", option="0")
        news = socket.receive_json()
        assert news["topic"] == f"game:{table.game}"
        assert news["revision"] > first["revision"]
        assert news["view"]["fight"]["question"]["ask"] != asked["ask"]
        assert len(news["view"]["fight"]["events"]) < 5
        socket.send_json({"leave": f"game:{table.game}"})
        socket.send_json({"watch": "game:nothing", "key": key})
        assert socket.receive_json()["problem"]["status"] == 404
        socket.send_json({"watch": f"game:{table.game}", "key": "wrong"})
        assert socket.receive_json()["problem"]["status"] == 401


def test_who_is_there_is_seen(table: Table, client: TestClient) -> None:
    def there() -> set[str]:
        return {row["name"] for row in table.master.get(table.path)["members"] if row["there"]}

    assert there() == set()
    with client.websocket_connect("/api/v1/live", headers={"host": "localhost"}) as socket:
        socket.send_json(
            {"watch": table.path[1:].replace("s/", ":"), "key": table.people["ann"].key}
        )
        socket.receive_json()
        seen = socket.receive_json()["view"]["members"]
        assert [row["name"] for row in seen if row["there"]] == ["Ann"]
        assert there() == {"Ann"}


def test_a_key_in_a_cookie_opens_what_the_header_opens(table: Table, client: TestClient) -> None:
    link = table.links["bob"]["key"]
    joined = client.post("/api/v1/join", json={"key": link, "name": "Bob"})
    cookie = joined.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert client.get(f"/api/v1{table.path}").json()["name"] == "Bob"
    assert client.get(f"/api/v1{table.fight}").json()["role"]["kind"] == "player"
    client.cookies.clear()
