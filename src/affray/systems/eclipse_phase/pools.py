"""Pool points: what one point can do for a test, before the roll and after it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.eclipse_phase.reading import Result, Zero, classify, flipped
from affray.systems.eclipse_phase.state import Point, Pools, Target
from affray.systems.eclipse_phase.tables import POOLS_FOR

__all__ = [
    "AfterRoll", "BeforeRoll", "after_roll", "before_roll", "can_help", "put", "with_threat",
]  # fmt: skip


class BeforeRoll(NamedTuple):
    """A point before the roll gives a target number, and leaves points."""

    name: str
    point: Point
    tn: int
    pools: Pools
    spends: int
    words: str


class AfterRoll(NamedTuple):
    """A point after the roll gives a result, and leaves points."""

    name: str
    result: Result
    pools: Pools
    spends: int
    words: str


@cites("EP-18", "EP-24")
@lru_cache(maxsize=1024)
def _paying(pools: Pools, test: str) -> tuple[tuple[str, Pools, str], ...]:
    """Ways to pay a point for a test: a suffix for the option, what is left, and the pool.

    The most special pool comes first and gives its name to no option; the others do.
    """
    left, ways = dict(pools), []
    suffix = ""
    for pool in POOLS_FOR.get(test, ()):
        if left.get(pool):
            rest = tuple((name, points - (name == pool)) for name, points in pools)
            ways.append((suffix and f"-{pool}", tuple(row for row in rest if row[1]), pool))
            suffix = "-"
    return tuple(ways)


def can_help(pools: Pools, test: str) -> bool:
    """A point is there that serves this test."""
    return bool(pools and _paying(pools, test))


@cites("EP-24")
def put(targets: tuple[Target, ...], place: int, target: Target) -> tuple[Target, ...]:
    """The targets with one of them changed; those who share its Threat pool have what is left."""
    if not target.mates:
        return (*targets[:place], target, *targets[place + 1 :])
    left = dict(target.pools).get("threat", 0)
    shared = [
        one._replace(pools=with_threat(one.pools, left)) if one.number in target.mates else one
        for one in targets
    ]
    shared[place] = target
    return tuple(shared)


def with_threat(pools: Pools, left: int) -> Pools:
    """The same pools with this much left of a shared Threat pool."""
    kept = [(name, left if name == "threat" else points) for name, points in pools]
    return tuple([row for row in kept if row[1]])


@cites("EP-19")
def before_roll(tn: int, plus: int, bare: int, pools: Pools, test: str) -> Iterator[BeforeRoll]:
    """Points can do these things before the roll, nothing first.

    Args:
        tn: the target number as it is.
        plus: the target number with the bonus of a point.
        bare: the target number without modifiers.
        pools: points that are left.
        test: the skill or aptitude that is tested.
    """
    yield BeforeRoll("none", "", tn, pools, 0, "spend nothing")
    if not pools:
        return
    for suffix, left, pool in _paying(pools, test):
        yield BeforeRoll(f"plus20{suffix}", "plus", plus, left, 1, f"1 {pool}: against {plus}")
        if bare != tn:
            words = f"1 {pool}: ignore all modifiers, against {bare}"
            yield BeforeRoll(f"ignore{suffix}", "bare", bare, left, 1, words)


@cites("EP-20")
@remembers(4096)
def after_roll(
    result: Result,
    tn: int,
    zero: Zero,
    pools: Pools,
    test: str,
    *,
    flips: bool,
    upgrades: bool = True,
    banded: bool = False,
) -> tuple[AfterRoll, ...]:
    """Points can do these things after the roll, nothing first.

    Args:
        result: what was rolled, with its face.
        tn: what it was rolled against.
        zero: as for `face_results`.
        pools: points that are left.
        test: the skill or aptitude that is tested.
        flips: whether this roller may flip dice at all.
        upgrades: whether superior successes matter in this test.
        banded: whether a downgraded fumble counts as a superior failure (A-48).
    """
    offers = [AfterRoll("none", result, pools, 0, "the roll stands")]
    swapped = flipped(result.face)
    for suffix, left, pool in _paying(pools, test):
        if flips and swapped != result.face:
            words = f"1 {pool}: flip {result.face:02} to {swapped:02}"
            offers.append(AfterRoll(f"flip{suffix}", classify(swapped, tn, zero), left, 1, words))
        if upgrades and result.success and not result.critical and result.superior < 2:
            better = result._replace(superior=result.superior + 1)
            words = f"1 {pool}: one more superior success"
            offers.append(AfterRoll(f"upgrade{suffix}", better, left, 1, words))
        if upgrades and result.critical and not result.success:
            band = (-2 if result.face < 33 else -1 if result.face < 66 else 0) if banded else 0
            plain = result._replace(critical=False, superior=band)
            offers.append(AfterRoll(f"downgrade{suffix}", plain, left, 1, f"1 {pool}: no fumble"))
    return tuple(offers)
