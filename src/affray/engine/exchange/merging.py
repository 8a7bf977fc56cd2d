"""Places that come to the same: plainer facts, and what steps leave aside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from affray.core.hints import Plain
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Facts, Go, Node, Step
from affray.core.unknown import Looked

__all__ = ["plainer", "rule_for"]

FEWEST_ALIKE = 4
"""Below so many places it isn't worth while to look for those that differ in what is aside."""

_ASIDE: dict[tuple[frozenset[str], type], _Parts] = {}


def plainer(plain: Plain[Facts], facts: Facts, needed: frozenset[str]) -> Facts:
    """Facts without what the fields asked for don't need; as they are where that can't be seen."""
    try:
        return plain(facts, needed)
    except Looked:
        return facts


def rule_for(
    step: Step[Facts], aside: frozenset[str], states: dict[Facts, int]
) -> Callable[[Facts], Node[Facts]]:
    """The rule of a step, followed once for places that differ only in what it leaves aside."""
    if not aside or len(states) < FEWEST_ALIKE:
        return step.rule
    kind = type(next(iter(states)))
    parts = _parts_of(aside, kind)
    if not parts.places or len(set(map(parts.aside, states))) == 1:
        return step.rule  # none of them differs there
    rule, new, places, others = step.rule, tuple.__new__, parts.places, parts.others
    known: dict[object, Node[Facts]] = {}

    def again(facts: Facts) -> Node[Facts]:
        key = others(facts)
        node = known.get(key)
        if node is None:
            node = known[key] = rule(facts)
            return node
        if isinstance(node, Go):
            return Go(node.step, new(kind, _put(node.facts, facts, places)))
        if isinstance(node, Chance):
            then = At(node.then.step, new(kind, _put(node.then.facts, facts, places)))
            return node._replace(then=then)
        return rule(facts)

    return again


def _put(facts: Facts, others: Facts, places: tuple[int, ...]) -> list[object]:
    """The facts with what stands in these places of others."""
    values = list(facts)
    for place in places:
        values[place] = others[place]
    return values


class _Parts(NamedTuple):
    """The fields of a kind of facts that a step leaves aside, and the others.

    Attributes:
        places: the positions of the former.
        aside, others: what takes the former out of facts, and the latter.
    """

    places: tuple[int, ...]
    aside: Callable[[Facts], object]
    others: Callable[[Facts], object]


def _parts_of(aside: frozenset[str], kind: type) -> _Parts:
    """The fields of a kind of facts that a step leaves aside, and the others."""
    key = (aside, kind)
    known = _ASIDE.get(key)
    if known is None:
        names: tuple[str, ...] = getattr(kind, "_fields", ())
        places = tuple([place for place, name in enumerate(names) if name in aside])
        others = [place for place, name in enumerate(names) if name not in aside]
        known = _ASIDE[key] = _Parts(places, _taking(places), _taking(others))
    return known


def _taking(places: Sequence[int]) -> Callable[[Facts], object]:
    """A function that takes these places out of facts."""
    return itemgetter(*places) if places else _nothing


def _nothing(_: Facts) -> None:
    return None
