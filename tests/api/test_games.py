"""Exchanges and fights over HTTP: what is true of a game at a table is true here."""

import json
import time

from tests.api.calls import Answer, Calls

BO = {"system": "empty-earth", "fight": ["bo", "2xhusk"]}
JINX = {"system": "eclipse-phase", "setup": "jinx-shoots"}


def begun(calls: Calls, path: str = "/fights", body: object = BO) -> tuple[Calls, str, Answer]:
    """A game that was begun: calls with its key, its path, and how it stands."""
    game = calls.post(path, body, 201)
    return calls.with_key(game["key"]), f"{path}/{game['id']}", game


def test_an_exchange_is_played_to_its_end(calls: Calls) -> None:
    mine, path, game = begun(calls, "/exchanges", JINX)
    question = game["exchange"]["question"]
    assert (question["ask"], question["dice"]) == ("attack roll", "1d100")
    for change in (
        {"do": "answer", "faces": [96]},
        {"do": "answer", "option": "flip"},
        {"do": "answer", "faces": [7]},
        {"do": "answer", "faces": [7, 5, 5, 1, 3]},
        {"do": "answer", "faces": [9]},
    ):
        at = game["revision"]
        game = mine.post(f"{path}/changes", {**change, "at": at})
        assert game["revision"] > at
    assert game["exchange"]["question"] is None
    assert game["exchange"]["outcome"]["net"] == 11  # as the README's first example says


def test_every_route_of_a_game_wants_its_key(calls: Calls) -> None:
    mine, path, _ = begun(calls)
    _, other, _ = begun(calls)
    asked = [("get", ""), ("get", "/saved"), ("get", "/events")]
    asked += [("post", part) for part in ("/changes", "/fork", "/advise", "/next")]
    asked += [("post", part) for part in ("/chances", "/hits", "/report")]
    for method, part in asked:
        assert getattr(calls, method)(f"{path}{part}", status=401)["code"] == "no-key"
        assert getattr(mine, method)(f"{other}{part}", status=403)["code"] == "forbidden"
        wrong = calls.with_key("x" * 22)
        assert getattr(wrong, method)(f"{path}{part}", status=401)["code"] == "no-key"


def test_a_change_for_an_older_revision_gets_the_new_question(calls: Calls) -> None:
    mine, path, game = begun(calls)
    mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"], "at": game["revision"]})
    problem = mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"], "at": 0}, 409)
    assert problem["code"] == "moved-on"
    assert problem["question"]["ask"] == "Bo: what now?"
    again = mine.post(f"{path}/changes", {"do": "line", "text": "pass", "at": problem["revision"]})
    assert again["revision"] > problem["revision"]


def test_wrong_faces_change_nothing(calls: Calls) -> None:
    mine, path, game = begun(calls, "/exchanges", JINX)
    for faces in ([], [100], [-1], [1, 2], ["x"]):
        problem = mine.post(f"{path}/changes", {"do": "answer", "faces": faces}, 422)
        assert problem["code"] == "answer"
    assert mine.get(path)["revision"] == game["revision"]


def test_a_turn_in_one_line_leaves_the_next_question(calls: Calls) -> None:
    mine, path, _ = begun(calls)
    mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"]})
    game = mine.post(f"{path}/changes", {"do": "line", "text": "attack husk 1"})
    assert next(one["option"] for one in game["did"]) == "attack: Husk 1"
    assert game["fight"]["question"]["ask"] == "attack roll"


def test_the_revision_grows_when_something_is_taken_back(calls: Calls) -> None:
    mine, path, game = begun(calls)
    after = mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"]})
    back = mine.post(f"{path}/changes", {"do": "undo", "at": after["revision"]})
    assert back["revision"] > after["revision"] > game["revision"]
    assert back["fight"]["question"]["ask"] == game["fight"]["question"]["ask"]
    again = mine.post(f"{path}/changes", {"do": "redo"})
    assert again["revision"] > back["revision"]
    assert again["fight"]["question"]["ask"] == "Bo: what now?"


def test_a_fork_goes_another_way_and_leaves_the_first(calls: Calls) -> None:
    mine, path, _ = begun(calls)
    mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"]})
    passed = mine.post(f"{path}/changes", {"do": "answer", "option": "pass"})
    fork = mine.post(f"{path}/fork", {"moves": 1}, 201)
    assert fork["fight"]["question"]["ask"] == "Bo: what now?"
    assert mine.get(path)["revision"] == passed["revision"]
    mine.post(f"{path}/fork", {"moves": 99}, 422)


def test_a_saved_game_goes_on_elsewhere(calls: Calls) -> None:
    mine, path, _ = begun(calls)
    mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"]})
    saved = mine.get(f"{path}/saved")["saved"]
    _, _, again = begun(calls, "/fights", {"system": "empty-earth", "fight": saved})
    assert again["fight"]["question"]["ask"] == "Bo: what now?"


def test_what_follows_an_exchange_is_begun_from_what_it_has_left(calls: Calls) -> None:
    duel = {"system": "grid-battles", "setup": "light-cavalry"}
    mine, path, _ = begun(calls, "/exchanges", duel)
    assert "not over" in mine.post(f"{path}/next", status=422)["detail"]
    for face in ("d", "-", "dd", "s"):
        mine.post(f"{path}/changes", {"do": "answer", "faces": [face]})
    found = mine.post(f"{path}/next")
    assert (found["schema"], found["refused"]) == ("affray/next", "")
    assert found["table"]["attacker"]["health"] == 2
    begun(calls, "/exchanges", {**duel, "setup": found["table"]})
    assert mine.post(f"{path}/next", {"against": "x"}, 422)["errors"][0]["where"] == "/against"


def test_what_follows_a_fight_is_a_fight_of_those_who_are_left(calls: Calls) -> None:
    mine, path, _ = begun(calls, "/fights", {"system": "affinity", "fight": "novices"})
    mine.post(f"{path}/changes", {"do": "hand", "what": "end", "verdict": "one"})
    found = mine.post(f"{path}/next", {"rests": {"": "recover 2"}})
    assert found["table"]["one"]["fighters"][0]["name"] == "Squire"
    begun(calls, "/fights", {"system": "affinity", "fight": found["table"]})
    assert mine.post(f"{path}/next", {"rests": {"Squir": "recover 2"}}, 404)["errors"][0][
        "nearest"
    ] == "Squire"  # fmt: skip


def test_a_computer_at_a_seat_answers_by_itself(calls: Calls) -> None:
    seats = {"one": "computer:greedy", "other": "computer:greedy"}
    mine, path, _ = begun(calls, "/fights", {**BO, "seats": seats})
    mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"]})
    for _ in range(300):
        game = mine.get(path)
        if game["fight"]["verdict"]:
            break
        time.sleep(0.1)
    assert game["fight"]["verdict"] in {"one", "other", "drawn", "ended", "stalled"}


def test_what_is_new_is_told_since_a_revision(calls: Calls) -> None:
    mine, path, _ = begun(calls)
    first = mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"]})
    mine.post(f"{path}/changes", {"do": "answer", "option": "pass"})
    whole, new = mine.get(path), mine.get(f"{path}?since={first['revision']}")
    assert 0 < len(new["fight"]["events"]) < len(whole["fight"]["events"])
    nothing = mine.get(f"{path}?since={whole['revision']}")
    assert nothing["fight"]["events"] == []


def test_a_repeated_request_is_carried_out_once(calls: Calls) -> None:
    one = calls.post("/fights", BO, 201, idempotency_key="the first")
    again = calls.post("/fights", BO, 201, idempotency_key="the first")
    assert again["id"] == one["id"]
    mine, path = calls.with_key(again["key"]), f"/fights/{one['id']}"
    roll = {"do": "answer", "faces": ["Bo"]}
    first = mine.post(f"{path}/changes", roll, idempotency_key="roll")
    assert mine.post(f"{path}/changes", roll, idempotency_key="roll") == first
    other = mine.post(f"{path}/changes", {"do": "undo"}, 422, idempotency_key="roll")
    assert other["code"] == "key-reused"
    assert mine.get(path)["revision"] == first["revision"]


def test_advice_is_what_the_use_case_says(calls: Calls) -> None:
    mine, path, _ = begun(calls, "/exchanges", JINX)
    mine.post(f"{path}/changes", {"do": "answer", "faces": [96]})
    advice = mine.post(f"{path}/advise", {"objective": "hit"})
    assert advice["schema"] == "affray/advice"
    assert {option["name"] for option in advice["options"]} >= {"flip"}


def test_games_are_listed_page_by_page(calls: Calls) -> None:
    made = [begun(calls)[2]["id"] for _ in range(55)]
    first = calls.get("/games")
    assert [row["id"] for row in first["games"]] == made[:-51:-1]
    second = calls.get(f"/games?after={first['next']}")
    assert [row["id"] for row in second["games"]][:5] == made[4::-1]
    assert "key" not in str(first)


def test_a_log_is_exported_for_chats_and_tabletops(calls: Calls) -> None:
    mine, path, _ = begun(calls)
    mine.post(f"{path}/changes", {"do": "answer", "faces": ["Bo"]})
    mine.post(f"{path}/changes", {"do": "line", "text": "attack husk 1"})
    mine.post(f"{path}/changes", {"do": "answer", "faces": [6, 6]})
    for form in ("text", "markdown", "roll20", "foundry"):
        exported = mine.get(f"{path}/export/{form}")
        assert exported["schema"] == "affray/export"
        assert "Bo" in json.dumps(exported)
    assert len(mine.get(f"{path}/export/text?part=roll")["text"]) < 200
    mine.get(f"{path}/export/fondry", 404)
    calls.get(f"{path}/export/text", 401)
