"""What the API looks up, checks and works out is what the command line prints."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from affray.app.registry import system_ids
from affray.cli.main import app as command
from tests.api.calls import Calls


def printed(*arguments: str) -> dict[str, Any]:
    """What a command prints with --json."""
    found = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False)
    view: dict[str, Any] = json.loads(found.stdout)
    return view


@pytest.mark.parametrize("system", system_ids())
def test_lookups_are_what_the_commands_print(calls: Calls, system: str) -> None:
    path = f"/systems/{system}"
    assert calls.get(path) == printed("systems", system)
    assert calls.get(f"{path}/roster") == printed("roster", system)
    assert calls.get(f"{path}/rulings") == printed("rulings", system)
    assert calls.get(f"{path}/schemas/setup") == printed("schema", system)
    assert calls.get(f"{path}/schemas/fight") == printed("schema", system, "--fight")
    first = calls.get(f"{path}/clauses")["clauses"][0]["id"]
    assert calls.get(f"{path}/clauses/{first}") == printed("rules", system, first)


def test_the_list_of_systems_is_what_the_command_prints(calls: Calls) -> None:
    assert calls.get("/systems") == printed("systems")


@pytest.mark.parametrize("system", system_ids())
def test_shipped_tables_can_be_checked_and_priced(calls: Calls, system: str) -> None:
    listed = calls.get(f"/systems/{system}")["systems"][0]
    case = next(row["name"] for row in listed["examples"] if row["kind"] == "case")
    table = calls.get(f"/systems/{system}/examples/{case}")["table"]
    assert calls.post(f"/systems/{system}/check", {"setup": table})["ok"]
    asked = {"setup": case, "limits": {"seconds": 4}}
    assert calls.post(f"/systems/{system}/odds", asked)["rows"]
    fight = next(row["name"] for row in listed["fights"] if row["kind"] == "case")
    table = calls.get(f"/systems/{system}/fights/{fight}")["table"]
    assert calls.post(f"/systems/{system}/check", {"fight": table})["ok"]


def test_a_text_is_checked_as_it_was_pasted(calls: Calls) -> None:
    text = 'attacker = "jinx"\ndefender = "exhuman"\nrange_m = "far"\n'
    found = calls.post("/systems/eclipse-phase/check", {"text": text})
    assert not found["ok"]
    assert [fault["where"] for fault in found["faults"]] == ["/range_m"]
    for body in ({}, {"text": "a = "}, {"text": text, "setup": {}}):
        calls.post("/systems/eclipse-phase/check", body, 422)


def test_all_faults_of_a_setup_point_into_the_body(calls: Calls) -> None:
    setup = {"attacker": {"name": 3, "fry": 2}, "defender": "nobody"}
    problem = calls.post("/systems/eclipse-phase/odds", {"setup": setup}, 422)
    places = {fault["where"]: fault for fault in problem["errors"]}
    assert {"/setup/attacker/name", "/setup/attacker/fry", "/setup/defender"} <= set(places)
    assert places["/setup/attacker/fry"]["nearest"] == "fray"


def test_an_unknown_name_comes_with_the_nearest(calls: Calls) -> None:
    for method, path, body in (
        ("get", "/systems/emlai", None),
        ("get", "/systems/emlia/clauses/EM-9999", None),
        ("get", "/systems/eclipse-phase/examples/jinx-shot", None),
        ("post", "/systems/eclipse-phase/odds", {"setup": "jinx-shot"}),
        ("post", "/systems/eclipse-phase/odds", {"setup": "jinx-shoots", "of": ["nett"]}),
    ):
        asked = calls.get(path, 404) if method == "get" else calls.post(path, body, 404)
        assert asked["code"] == "unknown-name"
        assert asked["errors"][0]["given"]


def test_a_pure_answer_is_sent_once(client: TestClient) -> None:
    body = {"setup": "jinx-shoots", "of": ["net"]}
    first = client.post("/api/v1/systems/eclipse-phase/odds", json=body)
    tag = first.headers["etag"]
    again = client.post(
        "/api/v1/systems/eclipse-phase/odds", json=body, headers={"if-none-match": tag}
    )
    assert (again.status_code, again.content) == (304, b"")
    other = client.post(
        "/api/v1/systems/eclipse-phase/odds", json={**body, "of": ["hit"]},
        headers={"if-none-match": tag},
    )  # fmt: skip
    assert other.status_code == 200
