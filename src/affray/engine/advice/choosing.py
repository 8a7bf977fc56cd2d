"""The option that a look takes at a choice of the tree, and the one that looks speak for."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

from affray.core.lazy import NamedTuple
from affray.core.node import Choice
from affray.engine.advice.judging import Judge
from affray.engine.advice.records import Ground, Place, are_most

__all__ = ["alike_at", "ground_at", "neglected", "promising", "taken_at"]

ALLOWANCE = 0.4
"""The weight of the allowance for options seldom tried, for worths between 0 and 1."""
WIDER = 0.5
"""How fast options are tried that a rule of thumb likes less."""
CLEARLY = 2.0
"""Standard deviations by which an option has to be ahead of the one that a rule of thumb likes."""
FEWEST = 4
"""Looks without which a mean says nothing."""
NEGLECTED = 8
"""An option in question gets at least this part of its equal share of looks."""


def _open(place: Place) -> Sequence[int]:
    """The options that are tried so far, of those that a rule of thumb has put in order.

    There are more with the looks, the best liked first (progressive unpruning, Chaslot and others
    2008). Without a rule of thumb all are.
    """
    return place.liked[: 2 + int(WIDER * sqrt(place.looks))] or range(len(place.options))


def promising(place: Place, judge: Judge) -> int:
    """The option to try next: by its mean, its habit, and how seldom it was tried."""
    node = place.node
    assert isinstance(node, Choice)
    sign, scale = place.sign, judge.worths.scale
    wide = ALLOWANCE * ALLOWANCE * log(place.looks + 2)
    best, most = 0, -inf
    among = _open(place)
    if place.liked or place.looks > 2 * len(among):
        for number in among:
            if not place.edges[number]:
                return number
    for number in among:
        option = place.options[number]
        below, tried = place.places[number], place.edges[number]
        if below is not None and below.exact is not None:
            promise = sign * float(below.exact) / scale
        else:
            habit = judge.habits.get((node.actor, node.ask, option.name))
            promise = sign * judge.promise(below, habit) + sqrt(wide / (tried + 1))
        promise -= judge.price / scale * option.spends
        if promise > most:
            best, most = number, promise
    return best


def neglected(place: Place) -> int:
    """An option in question that was tried far too seldom to tell its worth, or -1."""
    among = _open(place)
    tried, number = min((place.edges[number], number) for number in among)
    below = place.places[number]
    if below is not None and below.exact is not None:
        return -1
    return number if NEGLECTED * len(among) * tried < place.looks else -1


def taken_at(place: Place, judge: Judge) -> int:
    """The option that the looks speak for.

    Of those that were not solved the one tried most often; a solved one if it is better. Where
    looks can't tell it from the one that the rule of thumb likes best, that one.
    """
    best = _looked_for(place, judge)
    if place.liked and not _is_clear(place, judge, best, place.liked[0]):
        return place.liked[0]
    return best


def ground_at(place: Place, judge: Judge) -> Ground:
    """What the option that is taken goes by."""
    if place.exact is not None:
        return "solved"
    if place.liked:
        by_thumb = _looked_for(place, judge) != taken_at(place, judge)
        return "rule of thumb" if by_thumb else "look-ahead"
    is_open = are_most(alike_at(place, judge), place.options)
    return "toss-up" if is_open else "look-ahead"


def alike_at(place: Place, judge: Judge) -> tuple[int, ...]:
    """The options that are as good as the one that is taken, as far as that is known.

    Their intervals overlap its own; so may any that no look has reached.
    """
    if not place.options:
        return ()
    best = taken_at(place, judge)
    within = [
        judge.estimate(below)[1:3] if below is not None and below.is_known else (-inf, inf)
        for below in place.places
    ]
    return tuple(
        number
        for number, (low, high) in enumerate(within)
        if number != best and low <= within[best][1] and within[best][0] <= high
    )


def _is_clear(place: Place, judge: Judge, one: int, other: int) -> bool:
    """Whether looks tell for certain enough that one option is better than another."""
    mine, theirs = place.places[one], place.places[other]
    if mine is None or theirs is None:
        return False
    if mine.exact is not None and theirs.exact is not None:
        return place.sign * (mine.exact - theirs.exact) > 0
    ends, guides = judge.worths.scale, judge.hints.scale
    pairs = (
        (
            _mean(mine.n, mine.total, mine.squares, ends),
            _mean(theirs.n, theirs.total, theirs.squares, ends),
        ),
        (
            _mean(mine.looks, mine.guided, mine.guided_squares, guides),
            _mean(theirs.looks, theirs.guided, theirs.guided_squares, guides),
        ),
    )
    return any(
        place.sign * (ours.mean - against.mean) > CLEARLY * sqrt(ours.noise + against.noise)
        for ours, against in pairs
        if ours is not None and against is not None
    )


class _Mean(NamedTuple):
    """The mean of some looks, and the variance of that mean."""

    mean: float
    noise: float


def _mean(n: int, total: float, squares: float, scale: float) -> _Mean | None:
    """The mean of some looks; None of fewer than a handful.

    A few that happen to be alike say little: they vary at least as much as looks do on the whole,
    of which `scale` is two standard deviations.
    """
    if n < FEWEST:
        return None
    mean = total / n
    spread = max(squares / n - mean * mean, scale * scale / 4)
    return _Mean(mean, spread / (n - 1))


def _looked_for(place: Place, judge: Judge) -> int:
    best, tried, most = 0, -1, -inf
    price = judge.price
    for number, (below, option) in enumerate(zip(place.places, place.options, strict=True)):
        if below is not None and below.exact is None and place.edges[number] > tried:
            best, tried = number, place.edges[number]
            mean = below.total / below.n if below.n else judge.worths.mean
            most = place.sign * mean - price * option.spends
    for number, (below, option) in enumerate(zip(place.places, place.options, strict=True)):
        if below is not None and below.exact is not None:
            worth = place.sign * float(below.exact) - price * option.spends
            if worth > most or (worth == most and number < best):
                best, most = number, worth
    return best
