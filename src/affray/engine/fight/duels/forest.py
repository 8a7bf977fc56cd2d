"""Open parts of many trees side by side: all states of a chunk in a few arrays.

Trees that were split (`split`) have a handful of open places each, and there are many of them. Here
each place of each state is one number in a long row, layer by layer, so that going through all of
them takes no more calls than going through one.

    unknown worth of states | settled worth | rolls, choices | rolls, choices | ... -> roots

For fixed picks the worth of a root is a sum over unknown worth: `Forest.ways` says which.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.duels.split import Settled, Sided, Split
from affray.engine.fight.duels.tree import Numbers, Signs, spans

__all__ = ["Forest", "Part", "Sums"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Part(NamedTuple):
    """States that share an exchange.

    Attributes:
        split: their tree. settled: what its settled part is worth to them.
        picks: what is picked: choice by column.
        actor: the side of the one who acts.
        ends: for each open end and column the number of the state that it leads to; -1 for one
            whose worth is settled.
        known: what these are worth, one after the other.
    """

    split: Split
    settled: Settled
    picks: Numbers
    actor: int
    ends: Numbers
    known: Floats


class Sums(NamedTuple):
    """What columns are worth under what is picked: `base`, and a share of some states' worth.

    Attributes:
        base: by column.
        column, state, chance: which column leads to which state, with what probability.
    """

    base: Floats
    column: Ints
    state: Ints
    chance: Floats


class _Rolls(NamedTuple):
    here: slice
    chances: csr_array
    shares: Floats


class _Picks:
    """Choices of one layer by one side with equally many options.

    Attributes:
        here: where they stand. to: where their options stand: option by choice.
        side: who decides. now: what is picked.
    """

    __slots__ = ("_at", "here", "now", "side", "to")

    def __init__(self, here: slice, to: Ints, side: int, now: Ints) -> None:
        self.here, self.to, self.side, self.now = here, to, side, now
        self._at = now * len(now) + np.arange(len(now))  # in `to`

    def leads(self, which: Ints) -> Ints:
        """Where some of the choices lead under what is picked."""
        found: Ints = self.to.ravel().take(self._at[which])
        return found

    def improved(self, values: Floats, wishes: Signs, least: float) -> tuple[bool, float]:
        """Pick better: whether any pick was changed, and what else could be gained at most."""
        below = values.take(self.to)
        now = below.ravel().take(self._at)
        wish = wishes[self.side]
        if not wish:
            values[self.here] = now
            return False, 0.0
        top = below.max(0) if wish > 0 else below.min(0)
        gain = np.abs(top - now)
        some = np.flatnonzero(gain > least)
        if len(some):
            best = (below[:, some] * wish).argmax(0)
            self.now[some] = best
            self._at[some] = best * len(now) + some
            now[some], gain[some] = top[some], 0
        values[self.here] = now
        return len(some) > 0, float(gain.max(initial=0.0))


class Forest:
    """The open parts of the trees of many states.

    Args:
        parts: the states.
        n_states: how many states have unknown worth.

    Attributes:
        roots: where the root of each column stands, those of one part after those of another.
    """

    def __init__(self, parts: Sequence[Part], n_states: int) -> None:
        self.parts, self.n_states = parts, n_states
        widths = [part.ends.shape[1] for part in parts]
        every = sum(part.split.n * width for part, width in zip(parts, widths, strict=True))
        meter_in_force().claim(8 * 8 * every, f"{every:,} places of exchanges")
        self._n = n_states
        self._constants: list[Floats] = []
        self._at = [self._entered(part) for part in parts]
        self._fixed = (
            np.concatenate(self._constants) if self._constants else np.zeros(0, np.float64)
        )
        self._stored: list[tuple[Part, Ints, _Picks, slice]] = []
        self.layers: list[tuple[_Rolls, list[_Picks]]] = []
        for number in range(max((len(part.split.layers) for part in parts), default=0)):
            some = [
                (part, at)
                for part, at in zip(parts, self._at, strict=True)
                if number < len(part.split.layers)
            ]
            rolls = self._rolls(some, number)
            self.layers.append((rolls, self._choices(some, number)))
        roots = [at[part.split.root] for part, at in zip(parts, self._at, strict=True)]
        self.roots: Ints = np.concatenate(roots) if roots else np.zeros(0, np.int64)
        self._values: Floats = np.empty(self._n)
        del self._at, self._constants

    # -- making ----------------------------------------------------------------------------------

    def _entered(self, part: Part) -> Numbers:
        """Where the places of a part stand: place by column; open ends and what is settled."""
        split, (n_ends, width) = part.split, part.ends.shape
        at = np.empty((split.n, width), np.int32)
        out = part.ends < 0
        n_out = int(np.count_nonzero(out))
        at[:n_ends] = part.ends
        if n_out:
            at[:n_ends][out] = self._n + np.arange(n_out)
            self._constants.append(part.known)
            self._n += n_out
        options = part.settled.options
        if options.size:
            spots = self._n + np.arange(options.size)
            at[split.n_base : split.n_base + split.n_options] = spots.reshape(options.shape)
            self._constants.append(options.ravel())
            self._n += options.size
        return at

    def _rolls(self, some: list[tuple[Part, Numbers]], number: int) -> _Rolls:
        start = self._n
        columns, chances, shares = [], [], []
        sizes: list[Ints] = [np.zeros(1, np.int64)]
        for part, at in some:
            layer, width = part.split.layers[number], at.shape[1]
            n_rolls = layer.options.stop - layer.options.start
            if not n_rolls:
                continue
            at[layer.options] = self._n + np.arange(n_rolls * width).reshape(n_rolls, width)
            self._n += n_rolls * width
            for alike in layer.rolls:
                n, size = alike.to.shape
                below = at[alike.to.ravel()]
                if size > 1:  # the ways of one roll of one column come one after the other
                    below = below.reshape(n, size, width).transpose(0, 2, 1)
                columns.append(below.ravel())
                chances.append(np.repeat(alike.chances, width, 0).ravel())
                sizes.append(np.broadcast_to(np.int64(size), n * width))
            shares.append(part.settled.shares[layer.shares].ravel())
        shape = self._n - start, start
        if not columns:
            return _Rolls(slice(start, start), csr_array(shape), np.zeros(0))
        starts = np.cumsum(np.concatenate(sizes))
        places = np.concatenate(columns, dtype=np.int32, casting="same_kind")  # as scipy wants them
        ways = np.concatenate(chances), places, starts.astype(np.int32)
        return _Rolls(slice(start, self._n), csr_array(ways, shape=shape), np.concatenate(shares))

    def _choices(self, some: list[tuple[Part, Numbers]], number: int) -> list[_Picks]:
        alike: dict[tuple[int, int], list[tuple[Part, Numbers, Sided]]] = {}
        for part, at in some:
            for choices in part.split.layers[number].choices:
                key = len(choices.to), choices.whose ^ part.actor
                alike.setdefault(key, []).append((part, at, choices))
        found = []
        for (n_options, side), every in alike.items():
            start = self._n
            n = sum(len(choices.rows) * at.shape[1] for _, at, choices in every)
            to = np.empty((n_options, n), np.int64)
            now = np.empty(n, np.int64)
            spans: list[tuple[Part, Ints, slice]] = []
            stop = 0
            for part, at, choices in every:
                width = at.shape[1]
                span = slice(stop, stop + len(choices.rows) * width)
                stop = span.stop
                to[:, span] = at[choices.to].reshape(n_options, -1)
                spots = start + np.arange(span.start, span.stop)
                at[choices.here] = spots.reshape(-1, width)
                now[span] = part.picks[choices.rows].ravel()
                spans.append((part, choices.rows, span))
            self._n += n
            picks = _Picks(slice(start, self._n), to, side, now)
            found.append(picks)
            self._stored += [(part, rows, picks, span) for part, rows, span in spans]
        return found

    # -- going through ---------------------------------------------------------------------------

    def improve(self, worth: Floats, wishes: Signs, least: float) -> tuple[Floats, bool, float]:
        """Pick better wherever there is anything better.

        Args:
            worth: of the states.
            wishes: what the first and the second side make of worth: 1 large, -1 small; 0 if they
                keep what is picked.
            least: another option is picked only if it gains more than this; the earliest one of
                those that gain most.

        Returns:
            What each column is worth; whether any pick was changed; and by how much a side could
            still gain in one choice, added up over the choices on the way.
        """
        values = self._begun(worth, self._fixed)
        changed, slack = False, 0.0
        for rolls, choices in self.layers:
            if rolls.here.stop > rolls.here.start:
                values[rolls.here] = rolls.chances @ values[: rolls.here.start] + rolls.shares
            most = 0.0
            for picks in choices:
                better, more = picks.improved(values, wishes, least)
                changed, most = changed or better, max(most, more)
            slack += most
        return values[self.roots], changed, slack

    def lasting(self, lasts: Bools) -> Floats:
        """How likely each column leads to one of some states, if both sides want that."""
        values = self._begun(lasts.astype(float), 0.0)
        for rolls, choices in self.layers:
            if rolls.here.stop > rolls.here.start:
                values[rolls.here] = rolls.chances @ values[: rolls.here.start]
            for picks in choices:
                values[picks.here] = values.take(picks.to).max(0)
        return values[self.roots]

    def _begun(self, worth: Floats, settled: Floats | float) -> Floats:
        """Values of all places; of rolls and choices they are still to be written."""
        values = self._values
        values[: self.n_states] = worth
        values[self.n_states : self.n_states + len(self._fixed)] = settled
        return values

    def ways(self) -> Sums:
        """What columns are worth under what is picked, as it depends on the worth of states."""
        base = np.zeros(len(self.roots))
        column, at, chance = np.arange(len(self.roots)), self.roots, np.ones(len(self.roots))
        for rolls, choices in reversed(self.layers):
            for picks in choices:
                start = picks.here.start
                some = np.nonzero((at >= start) & (at < picks.here.stop))[0]
                if len(some):
                    which = at[some] - start
                    at = at.copy()
                    at[some] = picks.leads(which)
            some = (at >= rolls.here.start) & (at < rolls.here.stop)
            if not some.any():
                continue
            rows = at[some] - rolls.here.start
            own, weight = column[some], chance[some]
            base += np.bincount(own, weight * rolls.shares[rows], len(base))
            spots, sizes = spans(rolls.chances.indptr, rows)
            column = np.concatenate([column[~some], np.repeat(own, sizes)])
            more = np.repeat(weight, sizes) * rolls.chances.data[spots]
            chance = np.concatenate([chance[~some], more])
            at = np.concatenate([at[~some], rolls.chances.indices[spots].astype(np.int64)])
        known = at >= self.n_states
        fixed = self._fixed[at[known] - self.n_states]
        base += np.bincount(column[known], chance[known] * fixed, len(base))
        open_ = ~known
        return Sums(base, column[open_], at[open_], chance[open_])

    def store(self) -> None:
        """Write what is picked into the picks of the parts."""
        for part, rows, picks, span in self._stored:
            part.picks[rows] = picks.now[span].reshape(-1, part.picks.shape[1])
