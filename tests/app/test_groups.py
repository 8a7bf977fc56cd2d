"""A turn for several at once, and once more for the next."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest

from affray.app.fight import Fight
from affray.app.groups import Group, group_of, said_before
from affray.app.turns import turn_of
from affray.app.wording import called
from affray.core.errors import AnswerError
from tests.app.test_turns import fight, options, played, rolled


def husks() -> Fight:
    """Three Husks and a Shrieker against two; the first Husk is asked."""
    return fight("empty-earth", ["husk", "husk", "husk", "shrieker"], ["ada", "bo"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("all attack nearest", ("Husk 1", "Husk 2", "Husk 3", "Shrieker")),
        ("all husks attack nearest", ("Husk 1", "Husk 2", "Husk 3")),
        ("ALL husk attack nearest", ("Husk 1", "Husk 2", "Husk 3")),
        ("all shrieker attack nearest", ("Shrieker",)),
    ],
)
def test_all_are_those_of_a_kind_or_of_the_side(text: str, names: tuple[str, ...]) -> None:
    assert group_of(husks(), text) == Group(names, "attack nearest")


def test_another_line_is_for_nobody_else() -> None:
    assert group_of(husks(), "attack ada") is None
    assert group_of(husks(), "") is None


@pytest.mark.parametrize("text", ["all", "all husks"])
def test_it_has_to_be_said_what_they_do(text: str) -> None:
    with pytest.raises(AnswerError, match="all do what"):
        group_of(husks(), text)


def test_the_nearest_is_the_first_where_nobody_stands_anywhere() -> None:
    assert options(turn_of(husks(), "attack nearest"))[0] == "attack: Ada"


def test_the_nearest_on_a_table_is_the_nearest() -> None:
    """By the distance of the middles of the units, which stand on the table."""
    here = Fight.begin("emlia", "ford-meadow")
    question = here.asked
    while question is not None and question.kind != "deed":
        here = rolled(here) if question.dice is not None else here.answer(question.options[0].name)
        question = here.asked
    assert question is not None
    assert question.fighter is not None
    board: Any = here.session.position.board
    places = {place.unit: (place.x, place.y) for place in board.placements}
    own = places[here.session.position.name(question.fighter)]
    targets = [called(option.name) for option in question.options if called(option.name)]
    nearest = min(targets, key=lambda name: dist(places[name], own))
    assert options(turn_of(here, "attack nearest"))[0] == f"attack: {nearest}"


def test_again_repeats_the_turn_of_a_mate_of_the_kind() -> None:
    here = husks()
    with pytest.raises(AnswerError, match="nobody of this side"):
        said_before(here)
    here = rolled(played(here, turn_of(here, "attack bo")))
    for _ in range(9):
        question = here.asked
        assert question is not None
        if question.ask.startswith("Husk 2: what"):
            break
        here = rolled(here.answer(question.options[0].name))
    said = said_before(here)
    assert said[0] == "attack: Bo"
    assert options(turn_of(here, *said))[0] == "attack: Bo"
    assert options(turn_of(here))[0] == "attack: Bo", "Enter does the same for one of the kind"


def test_a_turn_is_repeated_only_where_a_deed_is_asked_for() -> None:
    here = fight("empty-earth", ["ada"], ["husk"])
    here = here.answer("attack: Husk")
    with pytest.raises(AnswerError, match="what now"):
        said_before(here)
    with pytest.raises(AnswerError, match="what now"):
        group_of(here, "all attack")
