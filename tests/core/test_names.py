"""Names that nobody knows, and the known ones that were meant."""

import pytest

from affray.core.names import nearest

SHEET = (
    "som",
    "fray",
    "durability",
    "wound_threshold",
    "lucidity",
    "vigor",
    "vigor_max",
    "kinetic",
)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("dur", "durability"),
        ("luc", "lucidity"),
        ("vig", "vigor"),
        ("Wound-Threshold", "wound_threshold"),
        ("durabilty", "durability"),
        ("hp", "durability"),
        ("hit points", "durability"),
        ("armour", "kinetic"),
        ("strength", "som"),
        ("wt", "wound_threshold"),
    ],
)
def test_a_misspelling_a_beginning_a_synonym_or_initials_do(given: str, meant: str) -> None:
    assert nearest(given, SHEET) == f" Did you mean {meant!r}?"


@pytest.mark.parametrize("given", ["", "-", "x", "xyzzy", "ac dc", "d" * 300])
def test_nothing_is_suggested_for_a_word_that_is_near_to_none(given: str) -> None:
    assert nearest(given, SHEET) == ""


def test_a_synonym_means_what_the_game_calls_it() -> None:
    assert nearest("hp", ["vitality", "armor"]) == " Did you mean 'vitality'?"
    assert nearest("hp", ["health", "attack"]) == " Did you mean 'health'?"
    assert nearest("hp", ["attack"]) == ""
