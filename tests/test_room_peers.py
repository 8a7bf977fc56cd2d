"""The peers of W4 and W5 agree exactly with each other and with every face counted."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from itertools import product
from typing import Any

import pytest
from benchmarks.peers import affinity_peers, grid_peers

from tests.oracles import affinity

Answer = Callable[[], dict[Any, Fraction]]


def _library(name: str, answer: Answer) -> Any:
    missing = pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is optional")
    return pytest.param(answer, id=name, marks=missing)


@pytest.fixture(scope="module")
def w4() -> dict[Any, Fraction]:
    """All faces of seven dice, then all faces of the layers."""
    attack = affinity.Attack(4, 3, required=2, base=2)
    layers = (affinity.Layer("magical", 12), affinity.Layer("armor", 8))
    dist = affinity.resolve(attack, affinity.Target(4, 11, 10, layers))

    def facts(end: affinity.Outcome) -> tuple[int, int, int, int]:
        left = {layer.kind for layer in end.layers}
        return end.burn, int("magical" in left), int("armor" in left), end.hd_lost

    return affinity.tally((facts(end), p) for end, p in dist.items())


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(affinity_peers.plain, id="plain"),
        _library("icepool", affinity_peers.icepool),
        _library("dyce", affinity_peers.dyce),
    ],
)
def test_w4_is_every_face_counted(answer: Answer, w4: dict[Any, Fraction]) -> None:
    assert answer() == w4


RED, YELLOW = ("d", "d", "dd", "dd", "ddd", "bb"), "dddbbb"
BLUE = ("d", "d", "d", "d", "dd", "bb")
BROWN, GREY, BLACK = "----ss", "---sss", ("-", "-", "s", "s", "s", "ss")


@pytest.fixture(scope="module")
def w5() -> dict[tuple[int, int], Fraction]:
    """All faces of four dice, and of three more where the defender strikes back."""
    counted: dict[tuple[int, int], int] = {}
    for red, yellow, grey, brown in product(RED, YELLOW, GREY, BROWN):
        struck = red + yellow
        over = struck.count("d") + struck.count("b") - (grey + brown).count("s")
        defender = max(0, 4 - max(0, over))
        for blue, black, brown_too in product(BLUE, BLACK, BROWN):
            back = blue.count("d") - (black + brown_too).count("s") if defender else 0
            key = max(0, 4 - max(0, back)), defender
            counted[key] = counted.get(key, 0) + 1
    return {key: Fraction(ways, 6**7) for key, ways in counted.items()}


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(grid_peers.plain, id="plain"),
        _library("icepool", grid_peers.icepool),
        _library("dyce", grid_peers.dyce),
    ],
)
def test_w5_is_every_face_counted(answer: Answer, w5: dict[tuple[int, int], Fraction]) -> None:
    assert answer() == w5
