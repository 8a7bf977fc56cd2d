"""Places that come to the same: plainer facts, and what steps leave aside."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.hints import Plain
from affray.core.node import At, Chance, Facts, Go, Node, Step
from affray.core.unknown import Looked

__all__ = ["plainer", "rule_for"]

FEWEST_ALIKE = 4
"""Below so many places it isn't worth while to look for those that differ in what is aside."""

_ASIDE: dict[tuple[frozenset[str], type], tuple[int, ...]] = {}


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
    some = next(iter(states))
    places = _places_of(aside, type(some))
    if len({tuple([facts[place] for place in places]) for facts in states}) == 1:
        return step.rule  # none of them differs there
    rule, new, kind = step.rule, tuple.__new__, type(some)
    known: dict[tuple[object, ...], tuple[Facts, Node[Facts]]] = {}

    def again(facts: Facts) -> Node[Facts]:
        rest = list(facts)
        for place in places:
            rest[place] = None
        key = tuple(rest)
        first = known.get(key)
        if first is None:
            node = rule(facts)
            known[key] = facts, node
            return node
        node = first[1]
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


def _places_of(aside: frozenset[str], kind: type) -> tuple[int, ...]:
    """The positions of the fields that a step leaves aside."""
    key = (aside, kind)
    known = _ASIDE.get(key)
    if known is None:
        names: tuple[str, ...] = getattr(kind, "_fields", ())
        known = _ASIDE[key] = tuple(place for place, name in enumerate(names) if name in aside)
    return known
