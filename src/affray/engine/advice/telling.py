"""What looks came to, as advice."""

from __future__ import annotations

from affray.core.lazy import NamedTuple
from affray.core.node import Choice, Facts, Option
from affray.engine.advice.choosing import alike_at, ground_at, taken_at
from affray.engine.advice.judging import Judge
from affray.engine.advice.records import Advice, Place, Weighed

__all__ = ["Asked", "advice_at"]


class Asked(NamedTuple):
    """What was spent on an answer: the limit that ended it, looks, places; seed of the throws."""

    stopped_by: str
    looks: int
    places: int
    seed: int


def advice_at(place: Place, judge: Judge, asked: Asked) -> Advice:
    """The advice at a place of the tree."""
    node = place.node
    weighed = tuple(
        _weighed(option, below, judge)
        for option, below in zip(place.options, place.places, strict=True)
    )
    best = taken_at(place, judge) if weighed else -1
    value, low, high, exact = judge.estimate(place)
    if weighed and exact is None:
        chosen = weighed[best]
        if chosen.value is not None and chosen.low is not None and chosen.high is not None:
            value, low, high = chosen.value, chosen.low, chosen.high
    return Advice(
        place.at,
        node.actor if isinstance(node, Choice) else "",
        place.sign,
        weighed[best].name if weighed else "",
        value, low, high, exact, weighed, asked.looks, asked.places, asked.seed,
        "" if exact is not None else asked.stopped_by, ground_at(place, judge),
        tuple(weighed[number].name for number in alike_at(place, judge)),
    )  # fmt: skip


def _weighed(option: Option[Facts], below: Place | None, judge: Judge) -> Weighed:
    if below is None or not below.is_known:
        visits = 0 if below is None else below.looks
        return Weighed(option.name, option.words, None, None, None, visits)
    value, low, high, exact = judge.estimate(below)
    return Weighed(option.name, option.words, value, low, high, below.looks, exact)
