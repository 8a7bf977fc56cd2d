"""The panels of a game master: hands, habits, seats, by forms alone."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.web.test_fight_parts import begun, part, words


@pytest.fixture
def place(client: TestClient) -> str:
    return begun(client, "empty-earth", "brockton")


def fight(client: TestClient, place: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/v1{place}").json()["fight"]
    return found


def hand(client: TestClient, place: str, what: str, **said: str) -> None:
    data = {"do": "hand", "what": what, **said}
    answer = client.post(f"{place}/changes", data=data, follow_redirects=False)
    assert answer.status_code == 303, words(answer.text)


def fighter(client: TestClient, place: str, name: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = fight(client, place)["fighters"]
    return next(one for one in rows if one["name"] == name)


def test_a_condition_is_set(client: TestClient, place: str) -> None:
    assert 'value="Ada/vitality"' in part(client, place, "hand")
    hand(client, place, "set", condition="Ada/vitality", value="4")
    assert fighter(client, place, "Ada")["bar"] == [4, 10]
    assert "Vitality 4 of 10 was 10 of 10" in words(part(client, place, "fighters"))


def test_the_situation_is_set_for_a_side_and_between_two(client: TestClient) -> None:
    place = begun(client, "affinity", "marsh")
    hand(client, place, "situation", now="difficult=true", value="", side="one")
    hand(client, place, "between", now="distance_yd", value="20", fighter="Mage", target="all")
    rows = [(one["side"], one["fighter"], one["key"], one["value"])
            for one in fight(client, place)["situations"]]  # fmt: skip
    assert ("one", "", "difficult", True) in rows
    assert ("", "Mage", "distance_yd", 20) in rows
    assert "Distance: 20 (Mage on anybody)" in words(part(client, place, "hand"))


def test_fighters_come_and_go_and_turns_are_ordered(client: TestClient, place: str) -> None:
    hand(client, place, "enter", fighter="haunt", side="other")
    hand(client, place, "leave", fighter="Shrieker")
    assert fighter(client, place, "Shrieker")["is_out"]
    assert fighter(client, place, "Haunt")["side"] == "other"
    order = {"turn.Bo": "2", "turn.Husk 4": "1", "turn.Husk 1": ""}
    hand(client, place, "order", **order)
    left = [one["name"] for one in fight(client, place)["turns"]
            if one["state"] in {"now", "next"}]  # fmt: skip
    assert left == ["Ada", "Husk 4", "Bo"]  # it is her turn already


def test_a_fight_is_ended(client: TestClient, place: str) -> None:
    hand(client, place, "end", verdict="drawn")
    assert fight(client, place)["verdict"] == "drawn"
    assert "End the fight" not in part(client, place, "hand")


def test_a_hand_that_does_not_fit_says_why(client: TestClient, place: str) -> None:
    data = {"do": "hand", "what": "set", "condition": "Ada/vitality", "value": "99"}
    answer = client.post(f"{place}/changes", data=data)
    assert answer.status_code == 422
    assert "99" in answer.text.split('id="refused"')[1][:300]


def test_a_habit_is_made_and_given_up(client: TestClient) -> None:
    place = begun(client, "eclipse-phase", "w6")
    while not fight(client, place)["question"]["step"]:
        question = fight(client, place)["question"]
        assert question["kind"] != "exchange"
        said = {"do": "roll"} if question["faces"] else {"do": "answer"}
        option = question["options"][0]["name"] if question["options"] else ""
        client.post(f"{place}/changes", data={**said, **({"option": option} if option else {})})
    question = fight(client, place)["question"]
    option = question["options"][0]["name"]
    data = {"do": "habit", "step": question["step"], "option": option,
            "who": question["fighter"], "against": ""}  # fmt: skip
    assert client.post(f"{place}/changes", data=data, follow_redirects=False).status_code == 303
    assert "always takes" in words(part(client, place, "hand"))
    client.post(f"{place}/changes", data={**data, "option": ""})
    assert not fight(client, place)["habits"]


def test_seats_change_who_answers(client: TestClient, place: str) -> None:
    data = {"do": "seats", "seat.one": "rolled", "seat.other": "computer:first", "seat.Bo": "typed"}
    assert client.post(f"{place}/changes", data=data, follow_redirects=False).status_code == 303
    assert fight(client, place)["seats"] == {
        "one": "rolled", "other": "computer:first", "Bo": "typed",
    }  # fmt: skip
    wrong = client.post(f"{place}/changes", data={**data, "seat.Bo": "nobody"})
    assert wrong.status_code == 404
