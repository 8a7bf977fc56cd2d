"""Jobs over HTTP: begun, watched, ended, started again."""

import json
import time

from fastapi.testclient import TestClient

from tests.api.calls import Answer, Calls

BATTLE = {"fight": ["ada,bo", "3xhusk"], "n": 2000, "seed": 1}
LONG = {"fight": ["ada,bo", "3xhusk"], "n": 10**8, "seed": 1, "limits": {"seconds": 300}}


def ended(calls: Calls, job: str) -> Answer:
    """A job when it has ended."""
    for _ in range(600):
        found = calls.get(f"/jobs/{job}")
        if found["job"]["state"] not in {"queued", "running"}:
            return found
        time.sleep(0.1)
    raise AssertionError(found)


def test_a_battle_is_a_job_with_a_result(calls: Calls) -> None:
    job = calls.post("/systems/empty-earth/battle", BATTLE, 202)
    assert job["job"]["state"] in {"queued", "running"}
    done = ended(calls, job["job"]["id"])
    assert done["job"]["state"] == "done"
    assert done["result"]["schema"] == "affray/battle"
    assert done["result"]["n"] == 2000
    assert done["job"]["id"] in {row["id"] for row in calls.get("/jobs")["jobs"]}


def test_long_odds_are_a_job_for_who_prefers_that(calls: Calls) -> None:
    asked = {"setup": "jinx-shoots", "of": ["hit"]}
    job = calls.post("/systems/eclipse-phase/odds", asked, 202, prefer="respond-async")
    done = ended(calls, job["job"]["id"])
    assert done["result"] == calls.post("/systems/eclipse-phase/odds", asked)


def test_a_job_is_cancelled_and_started_again(calls: Calls) -> None:
    job = calls.post("/systems/empty-earth/battle", LONG, 202)["job"]["id"]
    assert calls.post(f"/jobs/{job}/cancel")["job"]["state"] == "cancelled"
    again = calls.post(f"/jobs/{job}/restart", status=202)
    assert again["job"]["id"] != job
    assert again["asked"] == calls.get(f"/jobs/{job}")["asked"]
    calls.post(f"/jobs/{again['job']['id']}/restart", status=422)
    calls.post(f"/jobs/{again['job']['id']}/cancel")


def test_a_job_tells_how_far_it_is(calls: Calls, client: TestClient) -> None:
    job = calls.post("/systems/empty-earth/battle", {**BATTLE, "n": 400_000}, 202)["job"]["id"]
    with client.stream("GET", f"/api/v1/jobs/{job}/events") as answer:
        told = [json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: ")]
    assert told[-1]["job"]["state"] == "done"
    assert told[-1]["result"]["n"] == 400_000


def test_a_job_that_goes_wrong_says_why(calls: Calls) -> None:
    wrong = {"fight": ["ada", "husk"], "policies": ["nonsense", "first"]}
    problem = calls.post("/systems/empty-earth/duel", wrong, 202)
    found = ended(calls, problem["job"]["id"])
    assert found["job"]["state"] == "failed"
    assert found["problem"]["code"] == "unknown-name"
    calls.post("/systems/empty-earth/duel", {"fihgt": "x"}, 422)
    calls.get("/jobs/nothing", 404)
