"""The peers of W7 and W9 agree with each other, with dice counted face by face, and by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from itertools import product
from typing import Any

import pytest
from benchmarks.peers import emlia_peers as peers

TOLERANCE = 1e-12

Sevens = Callable[[int], peers.Fight]
Answer = Callable[[], dict[Any, Fraction]]


def _library(name: str, answer: Any, id_: str | None = None) -> Any:
    missing = pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is optional")
    return pytest.param(answer, id=id_ or name, marks=missing)


# W7

QUICKER = [
    pytest.param(peers.w7_tuned, id="tuned"),
    _library("scipy", peers.w7_numpy, "numpy"),
]
ALL = [pytest.param(peers.w7_plain, id="plain"), *QUICKER]


@pytest.mark.parametrize(
    ("members", "subjects", "level", "higher", "lower"),
    [
        (30, 30, 6, 5, 7),
        (29, 30, 6, 5, 7),
        (1, 30, 6, 5, 7),
        (30, 29, 5, 4, 6),
        (19, 10, 5, 4, 6),
        (20, 10, 4, 3, 5),
        (29, 10, 4, 3, 5),
        (30, 10, 2, 2, 3),  # 6 - 4, and 6 - 5 is held at 2
        (30, 1, 2, 2, 3),
    ],
)
def test_w7_em_3_outnumbering_adds_up_and_stops_at_2(
    members: int, subjects: int, level: int, higher: int, lower: int
) -> None:
    found = [peers.difficulty(members, subjects, height) for height in (0, 1, -1)]
    assert found == [level, higher, lower]


def test_w7_one_against_one_by_hand() -> None:
    """A hits on 6 of 10 faces, B on 4, each needs two hits.

    With r = 0.4 x 0.6 = 6/25 and k from 1, both need k + 1 rounds with k^2 0.36 0.16 r^(k - 1): a
    draw is 0.0576 (1 + r) / (1 - r)^3. A is first with
    0.36 k 0.4^(k - 1) (0.6^(k + 1) + (k + 1) 0.4 0.6^k), in sum
    0.36 (0.36 (1 - r) + 0.48) / (1 - r)^3, and B likewise. Nobody is through after k rounds with
    (0.4^k + k 0.6 0.4^(k - 1)) (0.6^k + k 0.4 0.6^(k - 1)); the sum from k = 0 is the mean.
    """
    by_hand = [Fraction(part, 19**3) for part in (4239, 1504, 1116, 19850)]
    assert list(peers.w7_exact(1)) == [*by_hand, 1, 1]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("answer", ALL)
def test_w7_a_few_members_are_as_in_fractions(answer: Sevens, n: int) -> None:
    exact = peers.w7_exact(n)
    assert exact.p_a + exact.p_b + exact.p_draw == 1
    assert answer(n) == pytest.approx([float(value) for value in exact], abs=TOLERANCE)


@pytest.mark.parametrize("target", [2, 5, 7, 10])
def test_w7_em_4_hits_are_faces_counted(target: int) -> None:
    faces: Counter[int] = Counter()
    for dice in product(range(1, 11), repeat=3):
        faces[max(0, sum(die >= target for die in dice) - dice.count(1))] += 1
    counted = [faces[n] / 1000 for n in range(4)]
    assert peers._hits(3, target) == pytest.approx(counted, abs=TOLERANCE)
    assert peers._tables(3, target)[3] == pytest.approx(counted, abs=TOLERANCE)
    assert peers._exact_hits(3, target) == {n: Fraction(ways, 1000) for n, ways in faces.items()}


@pytest.mark.parametrize("n", [5, 12, peers.MEMBERS])
@pytest.mark.parametrize("answer", QUICKER)
def test_w7_is_the_same_for_all(answer: Sevens, n: int, plain: dict[int, peers.Fight]) -> None:
    assert answer(n) == pytest.approx(plain[n], rel=TOLERANCE, abs=TOLERANCE)


@pytest.fixture(scope="module")
def plain() -> dict[int, peers.Fight]:
    found = {n: peers.w7_plain(n) for n in (5, 12)}
    found[peers.MEMBERS] = peers.w7_plain()
    return found


# W9


@pytest.mark.parametrize(
    ("groups", "base", "hits", "damage", "rest"),
    [
        pytest.param(((10, 2), (4, 3)), 0, 9, (3, 1), 0, id="EMV-50"),
        pytest.param(((10, 5), (6, 2)), 0, 3, (0, 1), 1, id="EMV-52"),
        pytest.param(((12, 2), (6, 3), (2, 4)), 1, 10, (4, 3, 0), 0, id="EMV-53"),
        pytest.param(((3, 1), (2, 1)), 0, 9, (3, 2), 4, id="EMV-59"),
        pytest.param(((2, 3), (6, 2)), 0, 9, (1, 3), 0, id="smallest first in the list"),
    ],
)
def test_w9_em_53_em_54_allocation_by_hand(
    groups: peers.Groups, base: int, hits: int, damage: tuple[int, ...], rest: int
) -> None:
    assert peers.allocate(hits, groups, base) == (damage, rest)


@pytest.mark.parametrize(
    ("net", "damage"),
    [
        (-3, (0, 0, 0, 0, 0, 0)),
        (1, (1, 0, 0, 0, 0, 0)),
        (3, (1, 1, 0, 0, 0, 0)),
        (6, (1, 1, 1, 0, 0, 0)),  # the third unit takes two points of 3 hits, one if 3 are left
        (35, (1, 1, 2, 1, 3, 1)),  # 1 + 2 + 2 x 3 + 4 + 3 x 5 + 7 is one full cycle
        (60, (4, 2, 4, 2, 5, 1)),  # 1 + 2 + 2 x 3 + 4 + 2 x 5, then 1, and once more 1
    ],
)
def test_w9_em_53_damage_of_the_body_by_hand(net: int, damage: tuple[int, ...]) -> None:
    assert peers.damage_of(net) == damage


NINES = [
    pytest.param(peers.w9_plain, id="plain"),
    pytest.param(peers.w9_tuned, id="tuned"),
    _library("icepool", peers.w9_icepool),
    _library("dyce", peers.w9_dyce),
]


@pytest.mark.parametrize("answer", NINES)
def test_w9_all_successes_are_a_half_to_the_power_of_the_dice(answer: Answer) -> None:
    dist = answer()
    assert dist[4, 2, 4, 2, 5, 1] == Fraction(1, 2**60)
    assert sum(dist.values()) == 1


@pytest.mark.parametrize("answer", NINES)
def test_w9_is_every_net_success_counted(answer: Answer) -> None:
    """One die after the other, then the allocation."""
    net = Counter({0: 1})
    for _ in range(peers.DICE):
        more: Counter[int] = Counter()
        for n, ways in net.items():
            for step, faces in ((-1, 1), (0, 4), (1, 5)):
                more[n + step] += ways * faces
        net = more
    counted: Counter[tuple[int, ...]] = Counter()
    for n, ways in net.items():
        counted[peers.damage_of(n)] += ways
    assert answer() == {damage: Fraction(ways, 10**60) for damage, ways in counted.items()}
