"""Keys of a schema have the words of the docstring of their sheet."""

from typing import Any

import pytest

from affray.app.inputs.fight_sheets import fight_schema
from affray.app.inputs.setups import schema
from affray.app.registry import system_named
from tests.scenarios import SHIPPED


def test_what_is_left_and_the_track_are_described_apart() -> None:
    found: Any = schema(system_named("empty-earth"))["$defs"]
    keys = found["Fighter"]["properties"]
    assert keys["vitality"]["description"] == "what is left; left out: all of the track"
    assert keys["vitality_max"]["description"].startswith("the length of the track")
    assert keys["injured_this_stage"]["description"] == "whether one was taken in this Stage"
    assert keys["source"]["description"] == "for people; no rule reads it"
    assert found["Fighter"]["description"].endswith("attacker or defender.")


@pytest.mark.parametrize("system", SHIPPED)
def test_no_key_stays_in_a_docstring(system: str) -> None:
    made: Any
    for made in (schema(system_named(system)), fight_schema(system_named(system))):
        every = [made, *made["$defs"].values()]
        assert not [one["title"] for one in every if "Attributes:" in one.get("description", "")]
