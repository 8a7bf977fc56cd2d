"""What breaks programs is one problem over HTTP: others' systems, forged games, great numbers."""

import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from affray.api.server import make_app
from affray.api.settings import Settings
from affray.app.lookups import show_example
from tests.api.calls import Answer, Calls
from tests.api.test_jobs import ended
from tests.app.conftest import forget_systems, installed_in
from tests.outside import brawl

BRAWL = Path(brawl.__file__)
BEFORE = "    damage = max(0, x.rolled"
MISCHIEF = {
    "raising": ("", "raise KeyError('trap')"),
    "ending": ("", "raise SystemExit(3)"),
    "spinning": ("", "while True: pass"),
    "absent": ("raise BaseException('no')", "pass"),
}
"""Systems that do harm: when they are imported, and in a step."""


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calls]:
    """A server to which packages with such systems are installed."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("installed")
        patch.syspath_prepend(str(folder))
        text = BRAWL.read_text().replace("Path(__file__).parent", f"Path({str(BRAWL.parent)!r})")
        assert text.count(BEFORE) == 1
        for name, (first, step) in MISCHIEF.items():
            own = text.replace('id="brawl"', f'id="{name}"').replace(
                BEFORE, f"    {step}\n{BEFORE}"
            )
            (folder / f"bad_{name}.py").write_text(f"{first}\n{own}")
            installed_in(folder, f"{name}-package", f"{name} = bad_{name}:SYSTEM")
        data = tmp_path_factory.mktemp("data")
        app = make_app(Settings(data=data, workers=2))
        with TestClient(app, base_url="http://localhost") as client:
            yield Calls(client)
    forget_systems()


def assert_clean(problem: Answer) -> None:
    """Nothing of the inside gets out."""
    text = str(problem)
    assert "Traceback" not in text
    assert "/" not in str(problem["detail"]).replace("http://", "")
    assert problem["code"]


def assert_alive(calls: Calls) -> None:
    told = calls.post("/systems/eclipse-phase/odds", {"setup": "jinx-shoots", "of": ["hit"]})
    assert told["rows"][1]["exactly"]["float"] == 0.851  # as the book has it


@pytest.mark.parametrize(
    ("name", "told"), [("raising", "KeyError: 'trap'"), ("ending", "SystemExit: 3")]
)
def test_a_step_that_raises_is_one_problem(calls: Calls, name: str, told: str) -> None:
    problem = calls.post(f"/systems/{name}/odds", {"setup": "plain"}, 500)
    assert problem["detail"].endswith(f"in strike): {told}")
    assert f"{name}-package" in problem["detail"]
    assert_clean(problem)
    assert_alive(calls)


def test_a_game_whose_rules_raise_stays_where_it_was(calls: Calls) -> None:
    made = calls.post("/exchanges", {"system": "raising", "setup": "plain"}, 201)
    own, path = calls.with_key(made["key"]), f"/exchanges/{made['id']}"
    problem = own.post(f"{path}/changes", {"do": "roll"}, 500)
    assert_clean(problem)
    assert own.get(path)["revision"] == 0
    assert own.get(path)["exchange"]["question"]["dice"]


def test_a_step_that_spins_is_ended(calls: Calls) -> None:
    begun = time.monotonic()
    problem = calls.post(
        "/systems/spinning/odds", {"setup": "plain", "limits": {"seconds": 1}}, 500
    )
    assert (
        time.monotonic() - begun < 30
    )  # however busy the machine is; without an end it would spin for ever
    assert problem["code"] == "stuck"
    assert "in strike: does not come back" in problem["detail"]
    assert_clean(problem)
    assert_alive(calls)


def test_a_package_that_cannot_be_imported_is_listed(calls: Calls) -> None:
    (row,) = [row for row in calls.get("/systems")["broken"] if row["name"] == "absent"]
    assert "BaseException" in row["why"]
    assert_clean(calls.post("/systems/absent/odds", {"setup": "plain"}, 500))


def test_what_is_missing_is_pointed_at(calls: Calls) -> None:
    problem = calls.post("/systems/eclipse-phase/odds", {"setup": {"defender": "jinx"}}, 422)
    assert [fault["where"] for fault in problem["errors"]] == ["/setup/attacker"]


def duel_at(calls: Calls, level: int) -> Answer:
    """The job of a duel with a unit of this level, limited to five seconds, once it has ended."""
    table = deepcopy(show_example("emlia", "manned-tower", fight=True).table)
    next(value for value in walked(table) if "level" in value)["level"] = level
    body = {"fight": table, "limits": {"seconds": 5}}
    return ended(calls, calls.post("/systems/emlia/duel", body, 202)["job"]["id"])


def test_the_greatest_numbers_stay_within_the_seconds(calls: Calls) -> None:
    found = duel_at(calls, 200)
    assert found["job"]["state"] == "done"
    assert found["problem"] is None
    assert_alive(calls)


def test_numbers_beyond_the_greatest_are_refused_by_name(calls: Calls) -> None:
    found = duel_at(calls, 1000)
    assert found["job"]["state"] == "failed"
    assert found["result"] is None
    assert found["problem"]["status"] == 422
    (fault,) = found["problem"]["errors"]
    assert fault["where"] == "/other/fighters/0/skills/0/level"
    assert (fault["given"], fault["allowed"]) == (1000, "200 or less")
    assert_alive(calls)


def walked(table: Any) -> Iterator[dict[str, Any]]:
    """All tables within a table."""
    parts = table.values() if isinstance(table, dict) else table
    for part in parts:
        if isinstance(part, dict | list):
            yield from walked(part)
    if isinstance(table, dict):
        yield table


@pytest.mark.parametrize(
    "saved",
    [
        {"schema": "affray/saved-fight", "version": None},
        {"schema": "affray/saved-fight", "version": 10**9, "fight": {}, "moves": []},
        {"schema": "affray/saved-game", "version": 1, "system": "emlia", "setup": 3},
        {"schema": ["affray"], "moves": {"a": {}}},
    ],
)
def test_forged_games_are_refused(calls: Calls, saved: Answer) -> None:
    assert_clean(calls.post("/fights", {"system": "emlia", "fight": saved}, 422))
    assert_clean(calls.post("/exchanges", {"system": "emlia", "setup": saved}, 422))


def test_long_names_are_cut(calls: Calls) -> None:
    problem = calls.get(f"/systems/emlia/clauses/{'A' * 5000}", 404)
    assert len(problem["detail"]) < 3000
