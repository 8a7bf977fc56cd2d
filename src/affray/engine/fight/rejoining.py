"""First rolls after which exchanges with other target numbers are alike again (`Hints.rejoins`).

Exchanges of two fighters differ in target numbers: wounds change them. Once the first dice lie,
many of these exchanges stand at the same places, with other chances. So each such place is asked
only once for the roll that follows, and each reading of that roll only once for what it comes to.
"""

from __future__ import annotations

from collections.abc import Callable

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.node import At, Chance, Choice, Facts, Go, Node, fill
from affray.core.reading import roll_of
from affray.core.unknown import Looked
from affray.engine.exchange.faults import check_asked
from affray.engine.exchange.finals import joined, mix
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game
from affray.engine.fight.blending import Tail

__all__ = ["Rejoins", "Tails"]

MOST_STRAIGHT = 9
"""At most so many places lie between the second roll and a seam, the seam included."""


Tails = list[tuple[Tail, int, int]]
"""Tails with weights and the totals that they count over."""


class _Roll(NamedTuple):
    """The roll at a place where exchanges are alike again.

    Attributes:
        total, rows: of its readings. then, into: where it leads to, and the field it fills.
        tails: what each reading comes to, as far as it is known; the same for equal `then`.
    """

    total: int
    rows: tuple[tuple[object, int], ...]
    then: At[Facts]
    into: str
    tails: dict[object, Tail]


class Rejoins:
    """What first rolls come to, reading by reading, where a second roll leads straight to a seam.

    Everything else is left to a flow, and so is whatever rules raise on the way: it meets the
    same and tells what it is. Outcomes stand in the same order as a flow has them.

    Args:
        game: the rules and both plans.
        decide: makes every decision.
        needed: outcome fields that are looked at; None: all.
        kept: outcome fields on which effects and decisions depend; None: nobody knows.
        tail: what a place at a seam comes to.
    """

    def __init__(
        self,
        game: Game,
        decide: Decide,
        needed: frozenset[str] | None,
        kept: frozenset[str] | None,
        tail: Callable[[At[Facts]], Tail],
    ) -> None:
        self._system, self._decide, self._tail, self._kept = game.system, decide, tail, kept
        self._hints = hints = game.system.hints
        self._over = frozenset() if needed is None else game.system.over(needed)
        self._ends = self._over if needed is None else self._over | hints.fixes_where.keys()
        self._known: dict[tuple[At[Facts], str], dict[object, Tail | _Roll] | None] = {}
        self._tails: dict[tuple[At[Facts], str], dict[object, Tail]] = {}

    def rolled(self, opening: Chance[Facts]) -> Tails | None:
        """What a first roll comes to; None: a flow has to find that out."""
        then, into = opening.then, opening.into
        if then.step not in self._hints.rejoins or then.step in self._ends:
            return None
        known = self._known.setdefault((then, into), {})
        found = None if known is None else self._followed(opening, known)
        if found is None:
            self._known[then, into] = None
        return found

    def _followed(self, opening: Chance[Facts], known: dict[object, Tail | _Roll]) -> Tails | None:
        total, rows = roll_of(opening.dice, opening.read)
        meter_in_force().tick(len(rows))
        met: Tails = []
        rolls: dict[int, tuple[_Roll, dict[int, dict[object, int]]]] = {}
        for reading, ways in rows:
            after = known.get(reading)
            if after is None:
                after = self._after(fill(opening.then, opening.into, reading))
                if after is None:
                    return None
                known[reading] = after
            if isinstance(after, Tail):
                met.append((after, ways, total))
                continue
            _, readings = rolls.setdefault(id(after.tails), (after, {}))
            mix(after.rows, ways, readings.setdefault(after.total, {}))
        for roll, by_total in rolls.values():
            over, mixed = joined(by_total)
            for reading, weight in mixed.items():
                tail = roll.tails.get(reading)
                if tail is None:
                    tail = self._straight_on(fill(roll.then, roll.into, reading))
                    if tail is None:
                        return None
                    roll.tails[reading] = tail
                met.append((tail, weight, total * over))
        return _gathered(met)

    def _after(self, at: At[Facts]) -> Tail | _Roll | None:
        """The roll at a place, or what it comes to if none is made; None: something else."""
        node = self._node(at)
        if isinstance(node, Go):
            return self._straight_on(At(*node))
        if not isinstance(node, Chance):
            return None
        if self._hints.forget is not None and self._kept is not None:
            node = self._hints.forget(node, self._kept)
        total, rows = roll_of(node.dice, node.read)
        tails = self._tails.setdefault((node.then, node.into), {})
        return _Roll(total, rows, node.then, node.into, tails)

    def _straight_on(self, at: At[Facts]) -> Tail | None:
        """What a place comes to that leads to a seam without dice; None: it doesn't."""
        for _ in range(MOST_STRAIGHT):
            if at.step in self._over:
                return None
            if at.step in self._hints.seams:
                return self._tail(at)
            node = None if at.step in self._ends else self._node(at)
            if not isinstance(node, Go):
                return None
            at = At(*node)
        return None

    def _node(self, at: At[Facts]) -> Node[Facts] | None:
        """What the step of a place says, with choices decided; None if a flow has to tell."""
        try:
            node = at.step.rule(at.facts)
            if isinstance(node, Chance | Choice):
                check_asked(self._system, at.step, node)
            return Go(*self._decide(at, node).at) if isinstance(node, Choice) else node
        except (Looked, Exception):
            return None


def _gathered(met: Tails) -> Tails:
    """Each tail once for each total, with all its weight, in order."""
    weights: dict[tuple[int, int], int] = {}
    tails: dict[int, Tail] = {}
    for tail, weight, total in met:
        key = id(tail), total
        tails[id(tail)] = tail
        weights[key] = weights.get(key, 0) + weight
    return [(tails[which], weight, total) for (which, total), weight in weights.items()]
