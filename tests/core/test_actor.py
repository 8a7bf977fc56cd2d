"""Actors: a role and a number, told as one text."""

import json
import pickle

import pytest

from affray.core.actor import Actor, role_of
from affray.core.node import At, Option
from tests.core.test_hints import Throw, land


@pytest.mark.parametrize(
    ("number", "told"), [(1, "defender"), (2, "defender 2"), (11, "defender 11")]
)
def test_an_actor_is_told_by_role_and_number(number: int, told: str) -> None:
    actor = Actor("defender", number)
    assert actor == told
    assert hash(actor) == hash(told)
    assert json.dumps(actor) == f'"{told}"'
    assert (role_of(actor), actor.number) == ("defender", number)


def test_a_role_may_be_of_several_words() -> None:
    """Nobody takes names apart."""
    assert role_of(Actor("game master", 2)) == "game master"
    assert role_of("game master 2") == "game master 2"


def test_an_actor_survives_being_sent_to_a_worker() -> None:
    sent = pickle.loads(pickle.dumps(Actor("defender", 3)))  # as multiprocessing does
    assert (sent, sent.role, sent.number) == ("defender 3", "defender", 3)


def test_an_option_that_spends_nothing_is_free() -> None:
    at = At(land, Throw())
    assert Option("keep", at).is_free
    assert not Option("flip", at, 1).is_free
