"""The peers of the fight benchmarks, written apart, agree: W6 to 1e-12, W8 in 5 standard errors."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from math import sqrt

import numpy as np
import pytest
from benchmarks.peers import numpy_fights, plain_fights, storm_fights

P_WIN, MEAN_ROUNDS = 0.183410623124140, 7.281163511166391
SD_ROUNDS = 4.0  # of one battle of W8, measured at 3.9

Battles = Callable[[int, int], tuple[int, int, float]]


@pytest.mark.parametrize("w6", [plain_fights.w6, numpy_fights.w6], ids=["plain", "numpy"])
def test_w6_is_the_known_duel(w6: Callable[[], tuple[float, float]]) -> None:
    assert w6() == pytest.approx((P_WIN, MEAN_ROUNDS), rel=0, abs=1e-12)


@pytest.mark.skipif(find_spec("stormpy") is None, reason="stormpy is optional")
def test_w6_is_the_same_for_storm() -> None:
    assert storm_fights.w6() == pytest.approx((P_WIN, MEAN_ROUNDS), rel=0, abs=1e-12)


def test_kernels_of_both_peers_are_the_same_distributions() -> None:
    pairs = ((plain_fights.A, plain_fights.B), (plain_fights.B, plain_fights.A))
    ours = ((numpy_fights.A, numpy_fights.B), (numpy_fights.B, numpy_fights.A))
    for plain, own in zip(pairs, ours, strict=True):
        kernels = np.array(plain_fights.kernels(*plain))
        assert kernels == pytest.approx(numpy_fights.kernels(*own), rel=0, abs=1e-14)
        assert kernels.sum(axis=2) == pytest.approx(np.ones((5, 5)), rel=0, abs=1e-14)


def brute_force(attack: int, fray: int) -> tuple[int, list[int]]:
    """Out of 10,000 pairs of rolls: critical hits, plain hits with 0, 1, 2 superior successes."""
    critical_hits, plain_hits = 0, [0, 0, 0]
    for a in range(99):
        for d in range(100):
            succeeds, defends = a <= attack or a == 0, (d <= fray and d != 99) or d == 0
            if succeeds and defends and (a % 11 == 0) == (d % 11 == 0):
                hit = a > d or (a == d and a % 11 == 0 and attack > fray)
            else:
                hit = succeeds and (not defends or a % 11 == 0)
            if hit and a % 11 == 0:
                critical_hits += 1
            elif hit:
                plain_hits[(a >= 33) + (a >= 66)] += 1
    return critical_hits, plain_hits


def test_chance_of_no_damage_is_a_count_of_all_pairs_of_rolls() -> None:
    a, b = plain_fights.A, plain_fights.B
    # how often armor stops plain hits with 0, 1, 2 superior successes, and critical hits
    by_a = plain_fights.kernels(a, b), (60, 30), (28 / 100, 56 / 600, 70 / 3_600, 6 / 100)
    by_b = plain_fights.kernels(b, a), (50, 40), (10 / 1_000, 5 / 6_000, 1 / 36_000, 0)
    for kernels, (skill, fray), stopped in (by_a, by_b):
        for mine, theirs in ((0, 0), (4, 0), (0, 4), (2, 3)):
            critical, plain = brute_force(skill - 10 * mine, fray - 10 * theirs)
            hurt = sum(n * (1 - p) for n, p in zip([*plain, critical], stopped, strict=True))
            expected = 1 - hurt / 10_000
            assert kernels[mine][theirs][0] == pytest.approx(expected, rel=0, abs=1e-14)


def test_w8_agrees_in_five_standard_errors() -> None:
    n_many, n_few = 20_000, 1_000
    played: list[tuple[Battles, int]] = [
        (plain_fights.w8, n_many),
        (numpy_fights.w8, n_many),
        (plain_fights.w8_dice, n_few),
    ]
    results = []
    for seed, (w8, n) in enumerate(played):
        wins, losses, rounds = w8(n, seed)
        assert wins + losses == n
        results.append((wins / n, rounds, n))
    p, mean, n = results[0]
    for other_p, other_mean, other_n in results[1:]:
        sizes = sqrt(1 / n + 1 / other_n)
        assert abs(p - other_p) < 5 * sqrt(p * (1 - p)) * sizes
        assert abs(mean - other_mean) < 5 * SD_ROUNDS * sizes


@pytest.mark.parametrize(
    "w8", [plain_fights.w8, plain_fights.w8_dice, numpy_fights.w8], ids=["plain", "dice", "numpy"]
)
def test_w8_is_the_same_for_the_same_seed(w8: Battles) -> None:
    assert w8(50, 7) == w8(50, 7)
