"""What somebody means who types an option."""

from __future__ import annotations

import pytest

from affray.app.wording import meant, not_meant, numbered_as

DEEDS = ["attack: Husk 1", "attack: Husk 10", "attack: Red-Eye", "pass", "full_auto"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("pass", ["pass"]),
        ("PASS", ["pass"]),
        ("p", ["pass"]),
        ("husk 1", ["attack: Husk 1"]),
        ("att husk 1", ["attack: Husk 1"]),
        ("attack:husk 10", ["attack: Husk 10"]),
        ("red eye", ["attack: Red-Eye"]),
        ("red-eye", ["attack: Red-Eye"]),
        ("full auto", ["full_auto"]),
        ("full-auto", ["full_auto"]),
        ("husk", ["attack: Husk 1", "attack: Husk 10"]),
        ("attack", ["attack: Husk 1", "attack: Husk 10", "attack: Red-Eye"]),
        ("husk attack", []),
        ("husky", []),
        ("", []),
        (" ", []),
        ("husk 2", []),
    ],
)
def test_words_are_matched_by_their_beginnings(text: str, options: list[str]) -> None:
    assert meant(text, DEEDS) == options


def test_who_is_named_in_full_is_meant_though_others_begin_alike() -> None:
    names = ["attack: Husk", "attack: Husk Captain"]
    assert meant("husk", names) == ["attack: Husk"]
    assert meant("husk c", names) == ["attack: Husk Captain"]
    assert meant("hus", names) == names


def test_other_names_of_an_option_mean_the_option() -> None:
    assert meant("reroll miss", ["reroll-1", "none"], {"reroll-miss": "reroll-1"}) == ["reroll-1"]


def test_numbers_of_the_list_count_where_no_option_is_a_number() -> None:
    assert numbered_as("2", ["flip", "none"]) == ["none"]
    assert numbered_as("3", ["flip", "none"]) == []
    assert numbered_as("0", ["flip", "none"]) == []
    assert numbered_as("1", ["0", "1", "2"]) == []
    assert numbered_as("²", ["flip", "none"]) == []


def test_a_near_miss_is_answered_with_the_word_that_was_meant() -> None:
    assert "Did you mean 'husk'?" in not_meant("huks", DEEDS)
    assert "Allowed: attack: Husk 1, attack: Husk 10" in not_meant("xyzzy", DEEDS)
