"""Probability flowing forward through the rules, equal places merged.

Places are expanded in the order of the book; a step back (the next target, the next round)
starts a new lap. So everything that can meet has met before it is expanded, and each place
is expanded once. Weights are integers over one denominator for each step; denominators grow
only where dice are rolled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from heapq import heappop, heappush
from math import lcm
from typing import NamedTuple, TypeVar

from affray.core.errors import LimitError, RulesError
from affray.core.node import At, Chance, Choice, Facts, Go, Node, Option, Step, fill_each
from affray.core.reading import roll_of
from affray.core.system import System
from affray.core.unknown import Looked, is_look
from affray.engine.budget import BETWEEN_POLLS, Clock, clock_in_force
from affray.engine.exchange.faults import check_asked, unhashable_at
from affray.engine.exchange.game import Game

__all__ = ["Decide", "Decided", "LastRoll", "flow"]

Decide = Callable[[At[Facts], Choice[Facts]], Option[Facts]]
"""Who decides: from a place and the choice there to one of its options."""

K = TypeVar("K")

_NONE: frozenset[str] = frozenset()

MOST_STRAIGHT = 1_000
"""Steps in a row without dice that are followed at once."""


class Decided(NamedTuple):
    """A decision that was met: where, between what, how it was decided, how likely it is."""

    at: At[Facts]
    choice: Choice[Facts]
    taken: Option[Facts]
    weight: int
    total: int


class LastRoll(NamedTuple):
    """The roll after which nothing that is asked for changes: its readings, not spread out.

    Attributes:
        then: where it goes on, with `into` unfilled. into: the field that a reading fills.
        total: over which the weights count.
        rows: readings with weights.
    """

    then: At[Facts]
    into: str
    total: int
    rows: dict[object, int]

    def finals(self) -> list[Facts]:
        """The facts with each reading in turn."""
        return fill_each(self.then, self.into, self.rows)


class _Pending:
    """Places waiting to be expanded, by lap and by position in the book."""

    def __init__(self, places: dict[Step[Facts], int]) -> None:
        self.places = places
        self.waiting: dict[tuple[int, int], dict[int, dict[Facts, int]]] = {}
        self.order: list[tuple[int, int]] = []
        self.lap = 0
        self.here = -1
        self.trail: list[At[Facts]] = []
        self.expanding: dict[Facts, int] = {}

    def layer(self, step: Step[Facts], total: int) -> dict[Facts, int]:
        """Where facts for a step wait whose weights count over `total`."""
        place = self.places.get(step)
        if place is None:
            raise RulesError(f"a step leads to {step.name}, which the system doesn't list")
        key = (self.lap + (place <= self.here), place)
        layers = self.waiting.get(key)
        if layers is None:
            layers = self.waiting[key] = {}
            heappush(self.order, key)
        return layers.setdefault(total, {})

    def pop(self) -> tuple[int, dict[Facts, int]]:
        """The next step's facts, all weights over one total."""
        key = heappop(self.order)
        self.lap, self.here = key
        layers = self.waiting.pop(key)
        total, self.expanding = _joined(layers)
        return total, self.expanding

    def check_hashable(self, system: System[Facts]) -> None:
        """Check what the steps said that were followed last, when hashing failed.

        Raises:
            RulesError: one says something that can't be hashed.
        """
        step = system.steps[self.here]
        for at in [At(step, facts) for facts in self.expanding] or self.trail:
            unhashable_at(system, *at)


def flow(
    game: Game,
    decide: Decide,
    *,
    needed: frozenset[str] | None = None,
    watch: Callable[[Decided], None] | None = None,
    looked: Callable[[At[Facts], int, int], None] | None = None,
    seams: frozenset[Step[Facts]] = frozenset(),
    last_rolls: list[LastRoll] | None = None,
) -> dict[int, dict[Facts, int]]:
    """Let all probability flow from the start to the ends.

    Args:
        game: the exchange.
        decide: who decides at each choice that is not settled.
        needed: outcome fields that are looked at; None for all. Where they no longer change, the
            flow stops, and what only other fields need is dropped.
        watch: told of every decision.
        looked: told of every place where a step looks at what is unknown, with its weight and
            the total over which it counts; nothing flows on from there.
        seams: steps that count as looking at something unknown, except at the start.
        last_rolls: takes rolls after which nothing that is needed changes any more; without it
            their readings are spread out among the final facts.

    Returns:
        Final facts with integer weights, for each total over which the weights count.

    Raises:
        LimitError: the budget in force is spent; carries the probability that had ended.
    """
    pending = _Pending(game.system.places)
    try:
        return _expanded(
            pending, game, decide,
            needed=needed, watch=watch, looked=looked, seams=seams, last_rolls=last_rolls,
        )  # fmt: skip
    except TypeError:
        pending.check_hashable(game.system)
        raise


def _expanded(
    pending: _Pending,
    game: Game,
    decide: Decide,
    *,
    needed: frozenset[str] | None,
    watch: Callable[[Decided], None] | None,
    looked: Callable[[At[Facts], int, int], None] | None,
    seams: frozenset[Step[Facts]],
    last_rolls: list[LastRoll] | None,
) -> dict[int, dict[Facts, int]]:
    """Place by place until all has ended; see `flow`."""
    steps = game.system.steps
    everything = needed is None
    needed = needed or frozenset()
    fixes = game.system.fixes
    forget = None if everything else game.system.hints.forget
    start = game.start
    if watch is None:
        wanted = needed if not everything else None
        pending.trail = _straight_on(game, decide, wanted, seams)
        start = pending.trail[-1]
    pending.layer(start.step, 1)[start.facts] = 1
    ended: dict[int, dict[Facts, int]] = {}
    expanded = 0
    clock = clock_in_force()
    most, left = clock.places(), BETWEEN_POLLS
    while pending.order:
        total, states = pending.pop()
        step = steps[pending.here]
        if not everything and needed <= fixes[step]:
            _pour(states.items(), ended.setdefault(total, {}))
            continue
        if step in seams and expanded and looked is not None:
            for facts, weight in states.items():
                looked(At(step, facts), weight, total)
            continue
        expanded += len(states)
        if expanded > most:
            raise _spent("places", clock, (game, step, ended, expanded))
        rule = _rule_for(step, game.system.aside[step], states)
        mixes: dict[tuple[At[Facts], str], dict[int, dict[object, int]]] = {}
        going: dict[Step[Facts], list[tuple[Facts, int]]] = {}
        over: list[tuple[Facts, int]] = []
        for facts, weight in states.items():
            left -= 1
            if left < 0:
                left = BETWEEN_POLLS
                clock.tell("places", expanded)
                limit = clock.over()
                if limit:
                    raise _spent(limit, clock, (game, step, ended, expanded))
            try:
                node = rule(facts)
                if isinstance(node, Choice):
                    check_asked(game.system, step, node)
                    at = At(step, facts)
                    option = decide(at, node)
                    if watch is not None:
                        watch(Decided(at, node, option, weight, total))
                    node = Go(*option.at)
                elif isinstance(node, Chance):
                    check_asked(game.system, step, node)
                    roll = roll_of(node.dice, node.read)
                    then = node.then if forget is None else forget(node.then, needed)
            except (Looked, Exception) as error:
                if looked is None or not is_look(error, facts, step.name):
                    raise
                looked(At(step, facts), weight, total)
                continue
            if isinstance(node, Chance):
                left -= len(roll.rows) >> 4
                mix = mixes.setdefault((then, node.into), {}).setdefault(roll.total, {})
                if mix:
                    for reading, ways in roll.rows:
                        mix[reading] = mix.get(reading, 0) + weight * ways
                elif weight == 1:
                    mix.update(roll.rows)
                else:
                    mix.update([(reading, weight * ways) for reading, ways in roll.rows])
            elif isinstance(node, Go):
                going.setdefault(node.step, []).append((node.facts, weight))
            else:
                over.append((node.outcome, weight))
        for target, rows in going.items():
            _pour(rows, pending.layer(target, total))
        if over:
            _pour(over, ended.setdefault(total, {}))
        for (then, into), by_total in mixes.items():
            rolled, mix = _joined(by_total)
            left -= len(mix) >> 3
            if left < 0:
                left = BETWEEN_POLLS
                clock.tell("places", expanded)
                limit = clock.over()
                if limit:
                    raise _spent(limit, clock, (game, step, ended, expanded))
            if last_rolls is not None and not everything and needed <= fixes.get(then.step, _NONE):
                last_rolls.append(LastRoll(then, into, total * rolled, mix))
                continue
            filled = list(zip(fill_each(then, into, mix), mix.values(), strict=True))
            _pour(filled, pending.layer(then.step, total * rolled))
    return ended


def _spent(
    limit: str, clock: Clock, where: tuple[Game, Step[Facts], dict[int, dict[Facts, int]], int]
) -> LimitError:
    """What is told when a limit is reached: how far it came, and what may help."""
    game, step, ended, expanded = where
    p_ended = sum(sum(rows.values()) / total for total, rows in ended.items())
    over = f"over {clock.places():,} places" if limit == "places" else clock.why(limit)
    return LimitError(
        f"{game.system.id}: {over} at step {step.name}; {p_ended:.2%} of the probability has "
        "ended. Settle more choices beforehand, ask for fewer fields, or allow more "
        f"{limit if limit in {'places', 'bytes'} else 'time'}",
        limit=limit,
        states=expanded,
        p_ended=p_ended,
        done={"places": expanded},
    )


FEWEST_ALIKE = 4
"""Below so many places it isn't worth while to look for those that differ in what is aside."""

_ASIDE: dict[tuple[frozenset[str], type], tuple[int, ...]] = {}


def _rule_for(
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
    """Where in the facts the fields lie that a step leaves aside."""
    key = (aside, kind)
    known = _ASIDE.get(key)
    if known is None:
        names: tuple[str, ...] = getattr(kind, "_fields", ())
        known = _ASIDE[key] = tuple(place for place, name in enumerate(names) if name in aside)
    return known


def _straight_on(
    game: Game, decide: Decide, needed: frozenset[str] | None, seams: frozenset[Step[Facts]]
) -> list[At[Facts]]:
    """The places up to that where dice are rolled for the first time, or the way ends."""
    trail = [game.start]
    for _ in range(MOST_STRAIGHT):
        at = trail[-1]
        step, facts = at
        if needed is not None and needed <= game.system.fixes.get(step, _NONE):
            break
        try:
            node = step.rule(facts)
            if isinstance(node, Go):
                after = node.at
            elif isinstance(node, Choice):
                check_asked(game.system, step, node)
                after = decide(at, node).at
            else:
                break
        except (Looked, Exception) as error:
            if is_look(error, facts, step.name):
                break
            raise
        if after.step in seams:
            break
        trail.append(after)
    return trail


def _pour(rows: Collection[tuple[K, int]], into: dict[K, int]) -> None:
    """Add weights to what is there; quick where nothing is there and no two rows are equal."""
    if not into:
        into.update(rows)
        if len(into) == len(rows):
            return
        into.clear()
    for key, weight in rows:
        into[key] = into.get(key, 0) + weight


def _joined(by_total: dict[int, dict[K, int]]) -> tuple[int, dict[K, int]]:
    """Weights over several totals, brought to one."""
    if len(by_total) == 1:
        return next(iter(by_total.items()))
    common = lcm(*by_total)
    joined: dict[K, int] = {}
    for total, weights in by_total.items():
        scale = common // total
        for key, weight in weights.items():
            joined[key] = joined.get(key, 0) + weight * scale
    return common, joined
