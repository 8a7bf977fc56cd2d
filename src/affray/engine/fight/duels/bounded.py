"""What is certain of a duel that both sides decide optimally, if it is not solved.

Every state has a least and a greatest worth, at first as far apart as a defeat and a win. A state
is opened by following its exchange; then it is worth what best play makes of it if all that follows
is worth as little as it can be, and as much. So both numbers hold whenever it is stopped:

    start --> opened states --> fights that ended, or closed states (between a defeat and a win)

The states to open are found by hopeful play: each side picks what could be best for it at most.
The gap at the start is no greater than those of the closed states that such play comes to, so these
are opened, those first that come up most often. What neither side could ever want to do is not
followed any further.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from time import monotonic

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import ORDINARY, VERDICT_OF, Lead, Slot
from affray.engine.fight.duels.duelists import PASS
from affray.engine.fight.duels.tree import Numbers, Picks, Rolls, Tree
from affray.engine.fight.duels.trees import begun_of

__all__ = ["BestBounds", "best_within"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

CLOSE = 1e-6
"""Bounds that are so close are close enough."""
UNSURE = 1e-9
"""More than all roundings of floats can add up to."""
LEAST_S = 0.2
"""Seconds for opening states, at least, before all bounds are worked out anew."""
SHARE = 2.0
"""How much longer than that states are opened."""
COVERED = 0.8
"""The share of the gap whose closed states are opened by then; bounds anew tell better which."""
GROWS = 0.1
"""By how much opened states grow by then, at least."""
TIMES = 4
"""How often hopeful play is followed through states that can come back."""
AT_ONCE = 400_000
"""Numbers that are held at once."""
MOST_OPEN = 1_000_000
"""States that are opened, unless a budget says otherwise."""
GROWN = 1.2
"""By how much opened states have grown before bounds are freed again."""
FOUND = 0.25
"""The share of the gap that closed states must account for, so that they alone are opened."""
LEAST = 1e-12
"""How often states count to which hopeful play does not come, next to circles in which it goes."""
SECOND = 1e-2
"""How much hopeful sides look at the other bound: of options that may be as good, the surer one."""
SLOWEST = 1e-4
"""The share of the gap that bounds of states that come back must lose each time, at least."""
HALVINGS = 14
"""How often the bound of states that come back is halved."""
CERTAIN = 1e-9
"""A probability is called one if it is no further from it."""
ROUNDING = 1e-13
"""What one exchange may be missed by."""
BITS = 24
"""Of the number of a condition."""
ENDS = 0.5, -0.5, 0.0
"""The worth of the first three states: the first side has won, the second one, or nobody."""
COIN = Tree(
    ((PASS, PASS), (PASS, "other")), [Rolls(slice(2, 3), csr_array(np.array([[0.5, 0.5]])))]
)
"""It is rolled off who goes first."""


class BestBounds(NamedTuple):
    """What is certain of a duel of best play.

    Attributes:
        least, most: the probability that the first side wins, everything that nobody wins counting
            one half, at least and at most.
        states: how many states were opened.
        stopped_by: the limit that ended it; "" where the bounds came close.
    """

    least: float
    most: float
    states: int
    stopped_by: str

    @property
    def open(self) -> float:
        """How far they are apart."""
        return self.most - self.least


class _Opened(NamedTuple):
    """A state whose exchange was followed.

    Attributes:
        tree: its exchange. signs: as for `Tree.backward`.
        ends: the state to which each end leads.
    """

    tree: Tree
    signs: tuple[int, int]
    ends: Ints


class _Alike(NamedTuple):
    """Opened states that share an exchange.

    Attributes:
        tree, signs: as in `_Opened`.
        states: their numbers. ends: end by state.
        picks: what hopeful sides pick: choice by state.
    """

    tree: Tree
    signs: tuple[int, int]
    states: Ints
    ends: Ints
    picks: Numbers

    def only(self, some: Bools) -> _Alike:
        """Only some of them."""
        return self._replace(
            states=self.states[some], ends=self.ends[:, some], picks=self.picks[:, some]
        )

    def free(self, side: int) -> tuple[int, int]:
        """Signs with which one side picks anew, and makes values large."""
        own = 1 - 2 * side
        one, other = (int(sign == own) for sign in self.signs)
        return one, other


class _Effects(NamedTuple):
    """Different effects of an exchange on one fighter, by number; and the one of each end."""

    effects: Sequence[tuple[Hashable, int]]
    which: Ints


class _NewInitiativeError(Exception):
    """A condition stands in the order of initiative where none stood before."""


class _Exchanges:
    """The exchanges of a duel, followed as somebody asks for them.

    Those that were followed to solve the duel, and in vain, are known.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.duelists, self.attacks = begun_of(contest)
        self.course = contest.course.of_two()
        both = self.course.everybody
        rounds = self.course.slots(both), self.course.slots(both[::-1])
        self.slots: tuple[Slot, ...] = rounds[0] + rounds[1]
        self.firsts = 0, len(rounds[0])
        self._effects: dict[tuple[int, int], tuple[_Effects, _Effects]] = {}

    def attack(self, slot: Slot, pair: tuple[int, int]) -> int:
        """The number of the attack in a slot."""
        attacks, side = self.attacks[slot.attacks], slot.actor.side
        actor, target = attacks.actor, pair[1 - side]
        here = pair[side]
        look = actor.acting.of[here]
        if look < 0 or (slot.kind == ORDINARY and actor.allowed[here] <= slot.number):
            return attacks.passed
        (number, *_), _ = attacks.between(look, [target])
        return number

    def after(self, slot: Slot, number: int, pair: tuple[int, int]) -> tuple[Ints, Ints]:
        """The conditions of both sides after each end of an attack."""
        side = slot.actor.side
        one, other = (
            np.array(duelist.becomes(here, some.effects))[some.which]
            for duelist, here, some in zip(
                self.duelists, pair, self._effects_of(slot, number)[:: -1 if side else 1],
                strict=True,
            )
        )  # fmt: skip
        return one, other

    def _effects_of(self, slot: Slot, number: int) -> tuple[_Effects, _Effects]:
        """The effects of an attack on the one who acts, and on the target."""
        key = slot.attacks, number
        known = self._effects.get(key)
        if known is None:
            attacks = self.attacks[slot.attacks]
            own, others = zip(*attacks.trees[number].pairs, strict=True)
            known = self._effects[key] = (
                _listed(attacks.actor.effects, own), _listed(attacks.target.effects, others),
            )  # fmt: skip
        return known


def _listed(numbers: dict[Hashable, int], effects: Sequence[Hashable]) -> _Effects:
    different = {effect: place for place, effect in enumerate(dict.fromkeys(effects))}
    numbered = [(effect, numbers.setdefault(effect, len(numbers))) for effect in different]
    return _Effects(numbered, np.array([different[effect] for effect in effects]))


class _Bounds:
    """States with their bounds, under what is known of initiative.

    Args:
        exchanges: all exchanges. ranks: what initiative is known of the conditions of each side.
    """

    def __init__(
        self, exchanges: _Exchanges, ranks: tuple[dict[tuple[int, int], int], ...]
    ) -> None:
        self.exchanges, self.ranks = exchanges, ranks
        self.contest = exchanges.contest
        self._numbers: dict[int, int] = {}
        self._keys: list[tuple[int, int, tuple[int, int]]] = [(0, 0, (0, 0))] * len(ENDS)
        self._deep: list[int] = [0] * len(ENDS)
        self.low: Floats = np.array(ENDS)
        self.high: Floats = np.array(ENDS)
        self.opened: dict[int, _Opened] = {}
        self._freed_at = 0
        self._rank_of: dict[tuple[int, int], tuple[int, int]] = {}
        self._leads: list[list[Lead]] = []
        pair = exchanges.duelists[0].start, exchanges.duelists[1].start
        self.starts: dict[int, float] = {}
        over = self._over(pair)
        if over is not None:
            self.starts[over] = 1.0
            return
        for way, leads in enumerate(self._ways()):
            self._leads.append(leads)
            chance = float(sum(lead.chance for lead in leads))
            start = self._rests(way, 0, self._at_round(way, pair), pair)
            self.starts[start] = self.starts.get(start, 0.0) + chance

    # -- ways to begin ---------------------------------------------------------------------------

    def _ways(self) -> Iterator[list[Lead]]:
        """Ways to begin, those together that let the same side go first whatever happens."""
        one, other = self.exchanges.duelists
        rolls = self.contest.rolled(one.sheet), self.contest.rolled(other.sheet)
        alike: dict[Hashable, list[Lead]] = {}
        for lead in self.exchanges.course.leads(rolls):
            orders = tuple(
                _order(lead, mine, theirs) for mine in self.ranks[0] for theirs in self.ranks[1]
            )
            alike.setdefault((lead.side, orders), []).append(lead)
        yield from alike.values()

    def _rank(self, side: int, here: int) -> tuple[int, int]:
        rank = self._rank_of.get((side, here))
        if rank is None:
            duelist, fight = self.exchanges.duelists[side], self.contest.fight
            assert fight.initiative is not None  # Contest saw to it
            condition = duelist.conditions[here]
            rank = fight.initiative(duelist.sheet, condition, self.contest.rulings)
            self._rank_of[side, here] = rank
            if rank not in self.ranks[side]:
                self.ranks[side][rank] = len(self.ranks[side])
                raise _NewInitiativeError
        return rank

    def _at_round(self, way: int, pair: tuple[int, int]) -> int:
        """The slot with which a round begins; -1 if that is rolled off."""
        lead = self._leads[way][0]
        if lead.side is not None:
            return self.exchanges.firsts[lead.side]
        order = _order(lead, self._rank(0, pair[0]), self._rank(1, pair[1]))
        return -1 if order == 0 else self.exchanges.firsts[order < 0]

    # -- opening ---------------------------------------------------------------------------------

    def _rests(self, way: int, deep: int, number: int, pair: tuple[int, int]) -> int:
        """The state before the exchange of a slot; a new one is put in."""
        if number >= 0:
            slot = self.exchanges.slots[number]
            if slot.begins:
                side = slot.actor.side
                begun = self.exchanges.duelists[side].begin(pair[side])
                pair = (begun, pair[1]) if side == 0 else (pair[0], begun)
        n_slots = len(self.exchanges.slots) + 1
        key = ((way * n_slots + number + 1 << BITS) + pair[0] << BITS) + pair[1]
        state = self._numbers.setdefault(key, len(self._keys))
        if state == len(self._keys):
            self._keys.append((way, number, pair))
            self._deep.append(deep)
            if state >= len(self.low):
                more = np.full(state, 0.5)
                self.low = np.concatenate([self.low, -more])
                self.high = np.concatenate([self.high, more])
        return state

    def open(self, state: int) -> None:
        """Follow the exchange of a state."""
        way, number, pair = self._keys[state]
        deep = self._deep[state] + 1
        if number < 0:
            ends = [self._rests(way, deep, first, pair) for first in self.exchanges.firsts]
            self.opened[state] = _Opened(COIN, (0, 0), np.array(ends))
            return
        slot = self.exchanges.slots[number]
        attack = self.exchanges.attack(slot, pair)
        tree = self.exchanges.attacks[slot.attacks].trees[attack]
        one, other = self.exchanges.after(slot, attack, pair)
        codes, which = np.unique((one << BITS) + other, return_inverse=True)
        then = [
            self._then(way, deep, number, (code >> BITS, code & (1 << BITS) - 1))
            for code in codes.tolist()
        ]
        signs = (-1, 1) if slot.actor.side else (1, -1)
        self.opened[state] = _Opened(tree, signs, np.array(then)[which.ravel()])

    def _then(self, way: int, deep: int, number: int, pair: tuple[int, int]) -> int:
        """The state to which an exchange led that left both in these conditions."""
        over = self._over(pair)
        if over is not None:
            return over
        if not self.exchanges.slots[number].ends_round:
            return self._rests(way, deep, number + 1, pair)
        one, other = self.exchanges.duelists
        pair = one.end(pair[0]), other.end(pair[1])
        over = self._over(pair)
        if over is not None:
            return over
        return self._rests(way, deep, self._at_round(way, pair), pair)

    def _over(self, pair: tuple[int, int]) -> int | None:
        """The state that a fight has ended in, if it is over."""
        (one, other), (mine, theirs) = self.exchanges.duelists, pair
        out = one.is_out[mine], other.is_out[theirs]
        code = 4 * out[0] + 2 * out[1] + (one.is_over[mine] or other.is_over[theirs])
        if not code:
            return None
        return {"one": 0, "other": 1}.get(str(VERDICT_OF[code]), 2)

    # -- bounds ----------------------------------------------------------------------------------

    @property
    def gap(self) -> float:
        """How far the bounds are apart at the start."""
        return sum(
            chance * float(self.high[state] - self.low[state])
            for state, chance in self.starts.items()
        )

    def between(self) -> tuple[float, float]:
        """The worth of the duel to the first side, at least and at most."""
        low, high = (
            sum(chance * float(worth[state]) for state, chance in self.starts.items())
            for worth in (self.low, self.high)
        )
        return max(0.0, 0.5 + low - UNSURE), min(1.0, 0.5 + high + UNSURE)

    def renew(self) -> Floats:
        """Work out the bounds of all opened states; by how much each closed one keeps them apart.

        Hopeful play may go round in circles, where putting off the end seems to be as good as
        anything else. Then all closed states next to it count.
        """
        alike = [self._renewed(states) for states in self._groups()]
        reach = np.zeros(len(self.low))
        for state, chance in self.starts.items():
            reach[state] = chance
        seen = np.zeros(len(self.low))
        for _ in range(TIMES):
            for every in reversed(alike):
                often = reach[every.states] > UNSURE
                if often.any():
                    some = every.only(often)
                    here = reach[some.states]
                    seen[some.states] += here
                    reach[some.states] = 0
                    np.add.at(reach, some.ends, some.tree.forward(some.picks) * here)
        if len(self.opened) >= GROWN * self._freed_at:
            self._freed_at = len(self.opened)
            met = [some.only(seen[some.states] > UNSURE) for some in alike]
            met = [some for some in met if len(some.states)]
            for side in (0, 1):
                self._free(met, side)
        apart = self.high - self.low
        apart[list(self.opened)] = 0
        score = reach * apart
        if score.sum() < FOUND * self.gap:
            near = np.zeros(len(self.low))
            for some in alike:
                often = np.maximum(seen[some.states], LEAST)
                weight = np.broadcast_to(often, some.ends.shape)
                np.maximum.at(near, some.ends, weight)
            score = np.maximum(score, near * apart)
        return score

    def _groups(self) -> list[Ints]:
        """Opened states that share an exchange, those furthest from the start first."""
        every = sorted(
            (-self._deep[state], id(opened.tree), opened.signs, state)
            for state, opened in self.opened.items()
        )
        if not every:
            return []
        cuts = [0, len(every)]
        cuts[1:1] = [n + 1 for n, (one, two) in enumerate(pairwise(every)) if one[:3] != two[:3]]
        states = np.array([row[3] for row in every])
        found = []
        for start, stop in pairwise(cuts):
            width = max(1, AT_ONCE // self.opened[int(states[start])].tree.n_places)
            found += [states[at : min(stop, at + width)] for at in range(start, stop, width)]
        return found

    def _renewed(self, states: Ints) -> _Alike:
        """Work out the bounds of states that share an exchange."""
        tree, signs, _ = self.opened[int(states[0])]
        ends = np.stack([self.opened[state].ends for state in states.tolist()], 1)
        n = len(states)
        low, high = self.low[ends], self.high[ends]
        worth = np.concatenate([low, high, low + SECOND * high, high + SECOND * low], 1)
        picks: Numbers = np.zeros((tree.n_picks, 4 * n), np.int16)
        values, picks = tree.backward(worth, picks, signs, 0.0)
        # Bounds that were known hold as well.
        self.low[states] = np.maximum(self.low[states], values[-1, :n])
        self.high[states] = np.minimum(self.high[states], values[-1, n : 2 * n])
        picks = picks[:, 2 * n :]
        whose = [layer.whose for layer in tree.layers if isinstance(layer, Picks)]
        if whose:
            first = np.array(signs)[np.concatenate(whose)] > 0
            picks = np.where(first[:, None], picks[:, n:], picks[:, :n])
        return _Alike(tree, signs, states, ends, picks[:, :n])

    def _free(self, alike: list[_Alike], side: int) -> None:
        """Let no bound of states rest on putting off the end for ever.

        Of states that come back to each other the greatest worth may be what each lends the next.
        But whoever stays among them for ever gets a stalemate. So such states are worth no more
        than a stalemate, or than what leaving them is worth at most while the other side plays as
        it hopes to. The least worth is the same for the other side.
        """
        most = self.high if side == 0 else -self.low  # to the side that may stay
        part = self._parts(alike)
        alike = [some.only(part[some.states] >= 0) for some in alike]
        stays = part >= 0
        kept = -1
        while kept != (kept := int(np.count_nonzero(stays))) and kept:
            for some in alike:
                inside = stays[some.ends] & (part[some.ends] == part[some.states])
                found, _ = some.tree.backward(inside * 1.0, some.picks, some.free(side), 0.0)
                stays[some.states] &= found[-1] > 1 - CERTAIN
        if not kept:
            return
        part[~stays] = -1
        alike = [some.only(stays[some.states]) for some in alike]
        alike = [some for some in alike if len(some.states)]
        _, part[stays] = np.unique(part[stays], return_inverse=True)
        n = int(part.max()) + 1
        upper = np.zeros(n)
        np.maximum.at(upper, part[stays], most[stays])
        lower = np.zeros(n)
        for _ in range(HALVINGS):
            tried = (lower + upper) / 2
            holds = np.ones(n, np.bool_)
            capped = np.where(stays, np.minimum(most, tried[part]), most)
            for some in alike:
                inside = part[some.ends] == part[some.states]
                ends = np.where(inside, capped[some.ends], most[some.ends])
                found, _ = some.tree.backward(ends, some.picks, some.free(side), 0.0)
                here = part[some.states]
                fails = (found[-1] > tried[here] + ROUNDING) & (most[some.states] > tried[here])
                holds[here[fails]] = False
            upper, lower = np.where(holds, tried, upper), np.where(holds, lower, tried)
        capped = np.where(stays, np.minimum(most, upper[part]), most)
        if side == 0:
            self.high = capped
        else:
            self.low = -capped

    def _parts(self, alike: list[_Alike]) -> Ints:
        """For each state the number of those with which it can come back to itself, else -1."""
        n = len(self.low)
        part = np.full(n, -1)
        if not alike:
            return part
        some = np.zeros(n, np.bool_)
        for one in alike:
            some[one.states] = True
        there = np.concatenate([one.ends.ravel() for one in alike])
        here = np.concatenate([np.tile(one.states, len(one.ends)) for one in alike])
        inside = some[there]
        ways = np.ones(int(inside.sum()), np.int8), (here[inside], there[inside])
        _, found = connected_components(csr_array(ways, shape=(n, n)), connection="strong")
        size = np.bincount(found)
        loops = np.zeros(n, np.bool_)
        loops[here[here == there]] = True
        back = some & ((size[found] > 1) | loops)
        part[back] = found[back]
        return part

    def _chosen(self, score: Floats) -> Ints:
        """The closed states to open, those first that keep the bounds apart most."""
        order = np.argsort(-score, kind="stable")[: np.count_nonzero(score)]
        covered = np.cumsum(score[order])
        enough = np.searchsorted(covered, COVERED * covered[-1]) + 1 if len(order) else 0
        return order[: max(int(enough), int(GROWS * len(self.opened)))]

    def improve(self, clock: Clock, most: int) -> str:
        """Open states until the bounds are close; the limit that ended it before, or ""."""
        began = monotonic()
        score = self.renew()
        while self.gap > CLOSE:
            took = monotonic() - began
            chosen = self._chosen(score)
            began = monotonic()
            for state in chosen.tolist():
                if len(self.opened) >= most:
                    return "pairs"
                clock.tell("states", len(self.opened))
                clock.tick(64)
                self.open(state)
                clock.claim(2 * 8 * len(self.opened[state].ends), "opened states")
                if monotonic() - began > max(LEAST_S, SHARE * took):
                    break
            if not score.any():  # all is open; states come back to each other
                before, self._freed_at = self.gap, 0
                clock.poll()
                score = self.renew()
                if self.gap > before * (1 - SLOWEST):
                    return "turns"
                continue
            began = monotonic()
            score = self.renew()
        return ""


def _order(lead: Lead, mine: tuple[int, int], theirs: tuple[int, int]) -> int:
    """1 if the first side goes first, -1 if the second one does, 0 if it is rolled off."""
    ahead = mine[0] - theirs[0] + lead.ahead
    tie = mine[1] - theirs[1]
    return (ahead > 0) - (ahead < 0) or (tie > 0) - (tie < 0)


def best_within(contest: Contest, *, budget: Budget | None = None) -> BestBounds | None:
    """Bound a duel in which both sides decide optimally, as closely as the budget allows.

    Args:
        contest: the fight; the first fighters of both sides take part, each within its plan.
        budget: how much it may take, its states counting as `pairs`; by default what the running
            one has left.

    Returns:
        The bounds; None if interludes befall the fighters.

    Raises:
        LimitError: somebody asked to stop.
        SetupError: as for `Contest`.
    """
    if contest.course.interludes:
        return None
    bounds: _Bounds | None = None
    with spending(budget) as clock:
        try:
            exchanges = _Exchanges(contest)
            ranks: tuple[dict[tuple[int, int], int], ...] = ({}, {})
            while True:
                try:
                    bounds = _Bounds(exchanges, ranks)
                    stopped = bounds.improve(clock, clock.pairs(MOST_OPEN))
                    break
                except _NewInitiativeError:
                    bounds = None
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            stopped = limit.limit
    if bounds is None:
        return BestBounds(0.0, 1.0, 0, stopped)
    bounds.renew()
    return BestBounds(*bounds.between(), len(bounds.opened), stopped)
