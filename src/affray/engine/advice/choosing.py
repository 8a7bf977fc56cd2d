"""The option that a look takes at a choice of the tree, and the one that looks speak for."""

from __future__ import annotations

from math import inf, log, sqrt

from affray.core.node import Choice
from affray.engine.advice.judging import Judge
from affray.engine.advice.records import Place

__all__ = ["neglected", "promising", "taken_at"]

ALLOWANCE = 0.4
"""The weight of the allowance for options seldom tried, for worths between 0 and 1."""
NEGLECTED = 8
"""An option in question gets at least this part of its equal share of looks."""


def promising(place: Place, judge: Judge) -> int:
    """The option to try next: by its mean, its habit, and how seldom it was tried."""
    node = place.node
    assert isinstance(node, Choice)
    sign, scale = place.sign, judge.worths.scale
    wide = ALLOWANCE * ALLOWANCE * log(place.looks + 2)
    best, most = 0, -inf
    if 0 in place.edges and place.looks > 2 * len(place.options):
        return place.edges.index(0)
    for number, option in enumerate(place.options):
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
    tried, number = min((tried, number) for number, tried in enumerate(place.edges))
    below = place.places[number]
    if below is not None and below.exact is not None:
        return -1
    return number if NEGLECTED * len(place.edges) * tried < place.looks else -1


def taken_at(place: Place, judge: Judge) -> int:
    """The option that the looks speak for.

    Of those that were not solved the one tried most often; a solved one if it is better.
    """
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
