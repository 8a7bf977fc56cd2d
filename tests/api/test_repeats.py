"""Repeated requests: who shares an answer, and what is left of one that was never given."""

import pytest
from fastapi.testclient import TestClient

from affray.store import replies
from affray.store.errors import UnavailableError
from affray.store.replies import Replies, Reply
from affray.store.values import now_us
from tests.api.calls import Calls

FIGHT = {"system": "empty-earth", "fight": ["bo", "husk"]}
BO = {"do": "answer", "faces": ["Bo"]}


def test_two_people_behind_one_proxy_share_no_answer(calls: Calls, client: TestClient) -> None:
    """Their requests are the same, and come from one address; only their cookies differ."""
    games = [calls.post("/fights", FIGHT, 201) for _ in "ab"]
    table = calls.post("/tables", {"title": "T", "name": "Mia"}, 201)
    client.cookies.clear()
    path, cookie = f"/tables/{table['id']}/links", f"affray-{table['id']}={table['key']}"
    link = {"role": {"kind": "spectator", "sides": [], "fighters": []}}
    made = calls.post(path, link, 201, cookie=cookie, idempotency_key="one")
    assert made["link"]["key"]
    wrong = f"affray-{table['id']}={games[0]['key']}"
    calls.post(path, link, 403, cookie=wrong, idempotency_key="one")
    calls.post(path, link, 401, idempotency_key="one")
    other = f"theme=dark; affray-{games[1]['id']}={games[1]['key']}; {cookie}"
    again = calls.post(path, link, 201, cookie=other, idempotency_key="one")
    assert again["link"]["id"] != made["link"]["id"]
    same = calls.post(path, link, 201, cookie=f"{cookie}; theme=dark", idempotency_key="one")
    assert same["link"]["id"] == made["link"]["id"]


def test_an_answer_that_cannot_be_kept_is_given_all_the_same(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise UnavailableError("here", "the database can't be reached")

    game = calls.post("/fights", FIGHT, 201)
    mine, path = calls.with_key(game["key"]), f"/fights/{game['id']}/changes"
    monkeypatch.setattr(Replies, "answer", gone)
    assert mine.post(path, BO, idempotency_key="two")["revision"] > game["revision"]


def test_a_request_whose_server_was_killed_is_carried_out_later(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = calls.post("/fights", FIGHT, 201)
    mine, path = calls.with_key(game["key"]), f"/fights/{game['id']}/changes"
    with monkeypatch.context() as killed:
        killed.setattr(Replies, "answer", lambda *_args, **_more: None)
        mine.post(path, BO, idempotency_key="three")
    assert mine.post(path, BO, 409, idempotency_key="three")["code"] == "at-work"
    minutes_later = now_us() + 5 * 60 * 10**6
    monkeypatch.setattr(replies, "now_us", lambda: minutes_later)
    assert mine.post(path, BO, 422, idempotency_key="three")["code"] == "answer"


def test_no_key_is_kept_with_an_answer(calls: Calls, client: TestClient) -> None:
    """A repeat gets a new key of the same link, as a cookie too where the first answer set one."""
    kept, store = [], client.app.state.service.store.replies  # type: ignore[attr-defined]
    answer = store.answer

    def noting(who: str, key: str, reply: Reply, *, expires: int) -> None:
        kept.append(str(reply))
        answer(who, key, reply, expires=expires)

    store.answer = noting
    try:
        client.cookies.clear()
        first = calls.post("/tables", {"title": "T", "name": "Mia"}, 201, idempotency_key="t")
        for _ in "ab":  # the client's cookies are others now, each time
            table = calls.post("/tables", {"title": "T", "name": "Mia"}, 201, idempotency_key="t")
            assert table["id"] == first["id"]
            assert client.cookies[f"affray-{table['id']}"] == table["key"]
        calls.with_key(first["key"]).get(f"/tables/{table['id']}", 401)
        mia, path = calls.with_key(table["key"]), f"/tables/{table['id']}/links"
        new = {"role": {"kind": "spectator", "sides": [], "fighters": []}}
        links = [mia.post(path, new, 201, idempotency_key="l")["link"] for _ in "ab"]
        assert links[0]["id"] == links[1]["id"]
        join = {"key": links[1]["key"], "name": "Bob"}
        bobs = [calls.post("/join", join, idempotency_key="j") for _ in "ab"]
        assert [one["name"] for one in mia.get(f"/tables/{table['id']}")["members"]] == [
            "Mia", "Bob",
        ]  # fmt: skip
        calls.with_key(bobs[1]["key"]).get(f"/tables/{table['id']}")
    finally:
        client.cookies.clear()
        del store.answer
    keys = [first["key"], table["key"], *(one["key"] for one in (*links, *bobs))]
    assert len(set(keys)) == 6
    assert not [key for key in keys if key in str(kept)]
