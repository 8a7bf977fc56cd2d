"""The server keeps what its OpenAPI document says, whatever comes: schemathesis tries."""

from typing import Any, NamedTuple

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from hypothesis.stateful import run_state_machine_as_test
from schemathesis import GenerationMode, checks

from affray.api.server import make_app


@pytest.fixture(scope="module")
def schema(address: str) -> schemathesis.BaseSchema:
    """Its document."""
    return schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json")


DOCUMENT = make_app().openapi()
OPERATIONS = [
    (path, method)
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if not path.endswith("/events")  # streams have no end
]


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [one["operationId"] for path in DOCUMENT["paths"].values() for one in path.values()]
    assert len(set(names)) == len(names)


def test_every_operation_tells_of_what_may_happen_anywhere() -> None:
    for methods in DOCUMENT["paths"].values():
        for method, operation in methods.items():
            needed = {"422", "429", "503"} | ({"409"} if method != "get" else set())
            assert needed <= operation["responses"].keys(), operation["operationId"]


class Made(NamedTuple):
    """What is there: ids by the names that paths have for them, and the key of all of it."""

    ids: dict[str, str]
    key: str


@pytest.fixture(scope="module")
def made(address: str) -> dict[str, Made]:
    """A table with a fight and an exchange on it, by the beginning of their paths."""

    def post(path: str, body: object, key: str = "") -> dict[str, Any]:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        answer = httpx2.post(f"{address}/api/v1{path}", json=body, headers=headers)
        found: dict[str, Any] = answer.json()
        return found

    table = post("/tables", {"title": "T", "name": "Ann"})
    key, about = table["key"], {"table": table["id"], "system": "empty-earth"}
    exchange = post("/exchanges", {**about, "setup": "o5p"}, key)
    fight = post("/fights", {**about, "fight": ["bo", "husk"]}, key)
    names = {"system": "empty-earth", "table": table["id"]}
    return {
        "/api/v1/exchanges": Made({**names, "game": exchange["id"]}, key),
        "": Made({**names, "game": fight["id"]}, key),
    }


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_answers_are_as_the_document_says(
    schema: schemathesis.BaseSchema,
    made: dict[str, Made],
    path: str,
    method: str,
    mode: GenerationMode,
) -> None:
    there = next(one for start, one in made.items() if path.startswith(start))

    @given(case=schema[path][method].as_strategy(generation_mode=mode), is_real=st.booleans())
    @settings(max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def tried(case: Any, *, is_real: bool) -> None:
        headers = {}
        if is_real:
            real = {name: one for name, one in there.ids.items() if f"{{{name}}}" in path}
            case.path_parameters = {**(case.path_parameters or {}), **real}
            headers = {"authorization": f"Bearer {there.key}"}
        # A body that fits its schema may still be refused by the rules of a game; with the id of
        # a game that is there, a wrong path is no longer wrong.
        excluded = [checks.positive_data_acceptance]
        if is_real:
            excluded.append(checks.negative_data_rejection)
        case.call_and_validate(headers=headers, excluded_checks=excluded, timeout=60)

    try:
        tried()
    except Unsatisfiable:
        pytest.skip("nothing about it could be wrong")


def test_what_was_made_can_be_used_by_the_links_of_the_document(
    schema: schemathesis.BaseSchema,
) -> None:
    made = schema.include(path_regex="^/api/v1/(exchanges|fights|tables|setups|sheets|rosters)")
    machine = made.as_state_machine()
    keys: dict[str, str] = {}
    used: set[str] = set()

    class Going(machine):  # type: ignore[valid-type, misc]  # made for this schema
        """Keeps the keys of what is made, and shows them."""

        def before_call(self, case: Any) -> None:
            for name in (case.path_parameters or {}).values():
                if name in keys:
                    case.headers = {**(case.headers or {}), "authorization": f"Bearer {keys[name]}"}

        def after_call(self, response: Any, case: Any) -> None:
            if response.status_code == 201:
                found = response.json()
                keys[found.get("id", "")] = found.get("key", "")
            elif response.status_code < 300 and keys.keys() & (case.path_parameters or {}).values():
                used.add(case.operation.definition.raw["operationId"])

        def validate_response(self, response: Any, case: Any, **_more: Any) -> None:
            excluded = [checks.positive_data_acceptance, checks.negative_data_rejection]
            case.validate_response(response, excluded_checks=excluded)

    run_state_machine_as_test(
        Going,
        settings=settings(
            max_examples=20, stateful_step_count=10, deadline=None, database=None,
            suppress_health_check=list(HealthCheck), phases=[Phase.generate],
            derandomize=True,
        ),
    )  # fmt: skip
    assert len(used) >= 3, used
