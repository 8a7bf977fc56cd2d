"""What is decided under cover reaches nobody who may not see it, by whatever request.

Two games that differ in nothing but a hidden decision are asked everything, in every role; whoever
may not see it gets the same from both.
"""

import json
import re
from collections.abc import Iterator

import httpx2
import pytest
from websockets.sync.client import connect

from affray.app.exports import FORMS, PARTS
from tests.api.calls import Answer, Calls
from tests.app.conftest import forget_systems, installed_in

TABLE = {"title": "T", "name": "Mia"}
ROLES: dict[str, Answer] = {
    "ann": {"kind": "player", "sides": [], "fighters": ["Ann"]},
    "ben": {"kind": "player", "sides": [], "fighters": ["Ben"]},
    "own": {"kind": "player", "sides": ["one", "attacker"], "fighters": []},
    "other": {"kind": "player", "sides": ["other", "defender"], "fighters": []},
    "sue": {"kind": "spectator", "sides": [], "fighters": []},
}
MAY_SEE = ("master", "ann", "own")
MAY_NOT = ("ben", "other", "sue")


@pytest.fixture(scope="module", autouse=True)
def feint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A system of another package whose two decisions are sealed, before the server starts."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("installed")
        patch.syspath_prepend(str(folder))
        installed_in(folder, "feint", "feint = tests.outside.feint:SYSTEM")
        yield
    forget_systems()


@pytest.fixture(scope="module")
def http(address: str) -> Iterator[httpx2.Client]:
    """A client of the server."""
    with httpx2.Client(base_url=address, timeout=30) as made:
        yield made


class Struck:
    """A game at a table in which Ann has struck, and Ben doesn't know where."""

    def __init__(self, http: httpx2.Client, kind: str, blow: str, by: str) -> None:
        self.calls = Calls(http)  # type: ignore[arg-type]  # asked as a test client is
        made = self.calls.post("/tables", TABLE, 201)
        self.id, self.path = made["id"], f"/tables/{made['id']}"
        master = self.calls.with_key(made["key"])
        self.people = {"master": master}
        for name, role in ROLES.items():
            asked = {"role": role, "name": name}
            link = master.post(f"{self.path}/links", asked, 201)["link"]
            joined = self.calls.post("/join", {"key": link["key"], "name": name})
            self.people[name] = self.calls.with_key(joined["key"])
        game = master.post(f"/{kind}s", begun(kind, self.id), 201)
        self.kind, self.game = kind, f"/{kind}s/{game['id']}"
        self.topics = f"game:{game['id']}", f"table:{self.id}"
        master.patch(self.path, {"game": game["id"]})
        if kind == "fight":
            if by == "habit":
                habit = {"do": "habit", "who": "Ann", "step": "choose_blow", "option": blow}
                self.change("own", habit)
            self.change("ann", {"do": "answer", "option": "attack: Ben"})
        if by == "answer":
            self.change("ann", {"do": "answer", "option": blow})

    def change(self, who: str, change: Answer, status: int = 200) -> Answer:
        """A change of the game."""
        return self.people[who].post(f"{self.game}/changes", change, status)

    def everything(self, who: str) -> str:
        """All that somebody gets of it, as one text without ids, keys and times."""
        key = self.people[who].key
        told = [*self._answers(who), *self._streamed(key), *self._live(key)]
        text = json.dumps(told)
        for secret in re.findall(r'"(?:id|key|link|parent)": "([^"]+)"', text):
            text = text.replace(secret, "ID")
        text = text.replace(self.id, "ID").replace(self.game.rpartition("/")[2], "ID")
        text = text.replace('"there": true', '"there": false')  # who just watched
        return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "WHEN", text)

    def _answers(self, who: str) -> Iterator[object]:
        key, one = self.people[who].key, f"/api/v1{self.game}"
        paths = [f"/api/v1{self.path}", "/api/v1/jobs", *(one + part for part in (
            "", "?since=0", "?since=1", "?since=99", "?as=all", "?as=one", "?as=attacker",
            "?as=spectator", "/saved", "/export/nothing",
            "/export/text?part=exchange&number=1",
            *(f"/export/{form}?part={part}" for form in FORMS for part in PARTS),
        ))]  # fmt: skip
        for path in paths:
            yield self._asked("GET", path, None, key)
        for part in ("fork", "advise", "chances", "hits", "report"):
            if who != "master":
                yield self._asked("POST", f"{one}/{part}", {}, key)
        for change in REFUSED:
            if who in MAY_NOT:
                refused = self._asked("POST", f"{one}/changes", change, key)
                assert refused[1] != 200, change
                yield refused

    def _asked(self, method: str, path: str, body: object, key: str) -> tuple[str, int, Answer]:
        headers = {"authorization": f"Bearer {key}"}
        answer = self.calls.client.request(method, path, json=body, headers=headers)
        return path.replace(self.game, ""), answer.status_code, answer.json()

    def _streamed(self, key: str) -> Iterator[object]:
        for path in (self.game, self.path):
            for last in ("", "1"):
                headers = {"authorization": f"Bearer {key}", "last-event-id": last}
                with self.calls.client.stream(
                    "GET", f"/api/v1{path}/events", headers=headers
                ) as answer:
                    lines = answer.iter_lines()
                    yield json.loads(next(line for line in lines if line.startswith("data: "))[6:])

    def _live(self, key: str) -> Iterator[object]:
        address = str(self.calls.client.base_url).replace("http", "ws", 1)
        for topic in self.topics:
            for since in (None, 1):
                with connect(f"{address.rstrip('/')}/api/v1/live") as socket:
                    socket.send(json.dumps({"watch": topic, "since": since, "key": key}))
                    yield json.loads(socket.recv())["view"]


REFUSED: tuple[Answer, ...] = (
    {"do": "answer", "option": "middle"},
    {"do": "answer", "faces": [1]},
    {"do": "answer", "option": "high", "at": 0},
    {"do": "line", "text": "middle"},
    {"do": "lay", "faces": [1]},
    {"do": "roll"},
    {"do": "undo"},
    {"do": "redo"},
    {"do": "correct", "die": 1, "face": 1},
    {"do": "seats", "seats": {"one": "computer"}},
    {"do": "hand", "what": "end"},
    {"do": "habit", "who": "Ann", "step": "choose_blow", "option": "low"},
    {"do": "nothing"},
)
"""What nobody may do, or what is wrong, for those who did not strike."""


def begun(kind: str, table: str) -> Answer:
    """What a game begins from."""
    if kind == "exchange":
        setup = {"attacker": "ann", "defender": "ben"}
        return {"system": "feint", "setup": setup, "table": table}
    return {"system": "feint", "fight": "salle", "table": table}


@pytest.mark.parametrize(
    ("kind", "by"),
    [("fight", "answer"), ("fight", "habit"), ("exchange", "answer")],
)
def test_two_games_look_the_same_to_those_who_may_not_see_what_differs(
    http: httpx2.Client, kind: str, by: str
) -> None:
    high, low = Struck(http, kind, "high", by), Struck(http, kind, "low", by)
    for who in MAY_NOT:
        assert high.everything(who) == low.everything(who), who
    for who in MAY_SEE:
        assert "high" in json.dumps(
            high.people[who].get(high.game)[kind]["exchange" if kind == "fight" else "log"]
        ), who
    for game, told in ((high, "high, guarded low: a hit"), (low, "low, guarded low: a parry")):
        game.change("ben", {"do": "answer", "option": "low"})
        for who, person in game.people.items():
            assert f"Struck {told}." in json.dumps(person.get(f"{game.game}?since=0")), who
