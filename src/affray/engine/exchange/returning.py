"""Places that come back to themselves: how often each of them is met, exactly.

An exchange whose places repeat is an absorbing Markov chain (Kemeny and Snell, Finite Markov
Chains). If probability b begins at its places and P says where they lead, the expected visits v
solve v = b + v P. Each strongly connected component is solved after those that lead to it, by
eliminating one place after the other; a place alone that may stay takes one division. Where P
keeps all of the probability in a component nothing ever ends: the system has no solution.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from affray.core.errors import RulesError
from affray.core.meter import meter_in_force
from affray.core.node import Facts
from affray.core.system import System

__all__ = ["EndlessError", "circle", "components", "visits"]

P = TypeVar("P", bound=Hashable)
_NOTHING = Fraction(0)


class EndlessError(Exception):
    """Nothing leads out of these places."""

    def __init__(self, places: Sequence[Any]) -> None:
        super().__init__(places)
        self.places = places


def circle(system: System[Facts], error: EndlessError) -> RulesError:
    """What to say of rules that never come to an end."""
    step, facts = error.places[0]
    return RulesError(
        f"{system.id}: step {step.name} comes back to where it was, and nothing leads out of this "
        f"circle: {facts!r}"
    )


def visits(
    begun: Mapping[P, Fraction], leads: Mapping[P, Mapping[P, Fraction]]
) -> dict[P, Fraction]:
    """The expected visits of each place.

    Args:
        begun: the probability that begins at a place.
        leads: for each place that can be met, the chance of each place that comes next; what is
            missing to one has ended.

    Raises:
        EndlessError: the probability at some places never ends.
    """
    met = dict(begun)
    found: dict[P, Fraction] = {}
    for component in components(leads):
        inside = set(component)
        here = {place: met.pop(place, _NOTHING) for place in component}
        if len(component) > 1 or component[0] in leads[component[0]]:
            ways = {
                place: {to: p for to, p in leads[place].items() if to in inside}
                for place in component
            }
            here = _solved(here, ways)
        for place, often in here.items():
            for to, chance in leads[place].items():
                if to not in inside:
                    met[to] = met.get(to, _NOTHING) + often * chance
        found.update(here)
    return found


def _solved(begun: dict[P, Fraction], ways: dict[P, dict[P, Fraction]]) -> dict[P, Fraction]:
    """The expected visits in one component; both arguments are used up."""
    meter = meter_in_force()
    places = tuple(begun)
    before: dict[P, dict[P, Fraction]] = {place: {} for place in places}
    for place, after in ways.items():
        for to, chance in after.items():
            before[to][place] = chance
    done: list[tuple[P, Fraction, Fraction, dict[P, Fraction]]] = []
    for place in places:
        after, come = ways.pop(place), before.pop(place)
        stays = after.pop(place, _NOTHING)
        come.pop(place, None)
        if stays == 1:
            raise EndlessError(places)
        scale, here = 1 / (1 - stays), begun[place]
        for to, chance in after.items():
            onward = scale * chance
            begun[to] += here * onward
            row = before[to]
            del row[place]
            for source, p in come.items():
                row[source] = ways[source][to] = row.get(source, _NOTHING) + p * onward
            meter.tick(1 + len(come))
        for source in come:
            del ways[source][place]
        done.append((place, scale, here, come))
    found: dict[P, Fraction] = {}
    for place, scale, here, come in reversed(done):
        found[place] = scale * sum((found[i] * p for i, p in come.items()), start=here)
    return {place: found[place] for place in places}


def components(leads: Mapping[P, Collection[P]]) -> list[list[P]]:
    """The strongly connected components, each before those that it leads to (Tarjan)."""
    order: dict[P, int] = {}
    low: dict[P, int] = {}
    open_: dict[P, None] = {}
    found: list[list[P]] = []
    for root in leads:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        open_[root] = None
        way = [(root, iter(leads[root]))]
        while way:
            place, rest = way[-1]
            for to in rest:
                if to not in order:
                    order[to] = low[to] = len(order)
                    open_[to] = None
                    way.append((to, iter(leads[to])))
                    break
                if to in open_:
                    low[place] = min(low[place], order[to])
            else:
                way.pop()
                if way:
                    low[way[-1][0]] = min(low[way[-1][0]], low[place])
                if low[place] == order[place]:
                    component = []
                    while True:
                        last, _ = open_.popitem()
                        component.append(last)
                        if last == place:
                            break
                    found.append(component[::-1])
    return found[::-1]
