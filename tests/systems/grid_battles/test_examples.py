"""The worked examples: that every vector is one, and the roster that they draw on."""

import pytest

from affray.app.inputs.setups import examples, roster
from affray.app.rulings import show_rulings

from .factory import SYSTEM

WORKED = {
    "S-1", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7", "S-8", "S-9", "V1", "V2", "V4", "V5", "V7",
    "V8", "V10", "V11", "V13", "V14", "V16", "V17", "V20", "V22", "V23", "V25", "V26", "V28",
    "V29",
}  # fmt: skip
COUNTED = {
    "T1", "T2", "G1", "G2", "G4", "G5", "G7", "G8", "G10", "G11", "G13", "G14", "G17",
}  # fmt: skip


@pytest.mark.parametrize("vector", sorted(WORKED | COUNTED))
def test_every_vector_is_an_example(vector: str) -> None:
    tables = [
        table
        for table in examples(SYSTEM).values()
        if vector in list(table.get("vectors", []))  # type: ignore[call-overload]  # a list
    ]
    assert tables
    wanted = "odds" if vector in COUNTED else "expect"
    assert all(wanted in table for table in tables)


def test_units_of_the_book_have_its_numbers() -> None:
    """Movement points and health as on the counters; the first of them with its dice."""
    units = roster(SYSTEM)["units"]
    printed = {"light_cav": (4, 3), "knight": (3, 3), "axeman": (2, 4), "pikeman": (2, 4)}
    for name, digits in printed.items():
        assert (units[name]["move"], units[name]["health"]) == digits
    assert (units["light_cav"]["attack"], units["light_cav"]["defence"]) == (["yellow"], ["brown"])


def test_what_is_invented_says_so() -> None:
    for section in ("units", "terrain", "scenarios"):
        for name, entry in roster(SYSTEM)[section].items():
            assert "invented" in str(entry["source"]) or name == "plain"


def test_examples_show_what_readings_come_to() -> None:
    """All but those that only refuse dice, and one that leaves what is best as it is."""
    unshown = {"mixed", "blank_attack", "strikes_back"}
    for row in show_rulings("grid-battles").rulings:
        differ = [reading.distance for reading in row.readings if reading.distance]
        assert bool(differ) is (row.name not in unshown), row.name
