"""Counts and sums of battles that are over; they add up over chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from affray.core.lazy import NamedTuple
from affray.engine.fight.course import VERDICTS, Verdict
from affray.engine.fight.sampled.arrays import Bools, Floats, Ints
from affray.engine.fight.sampled.ended import Ended
from affray.engine.fight.sampled.layout import Tally
from affray.engine.fight.sampled.tables import BattleTables

__all__ = ["Moments", "PairedSums", "Sums", "won_by_one"]


class Moments(NamedTuple):
    """Sums over battles of some numbers and of their squares, fighter by fighter."""

    total: Floats
    squares: Floats

    @classmethod
    def of(cls, sums: list[tuple[float, float]]) -> Moments:
        """Of both sums for each fighter."""
        return cls(np.array([total for total, _ in sums]), np.array([sq for _, sq in sums]))


class Sums(NamedTuple):
    """Counts and sums over battles.

    Attributes:
        n: battles. won, drawn, ended, stalled: how they were over.
        histogram: battles by number of rounds.
        survivors: for each side battles by number of fighters standing.
        stands: battles in which each fighter stands at the end.
        dealt, taken, outs: by fighter. by_side: damage dealt by the fighter's whole side.
        together: sum of the products of damage dealt by a fighter and by its side.
        fates: for each fate the sums of its chance, by fighter.
        by_fate: for each side and fate battles by number of fighters, as far as they are likely
            to be so many; without the first fate, which is that of survivors.
        by_thumb: choices of battles played one by one that were left to rules of thumb.
    """

    n: int
    won: tuple[int, int]
    drawn: int
    ended: int
    stalled: int
    histogram: Mapping[int, int]
    survivors: tuple[Mapping[int, int], Mapping[int, int]]
    stands: Ints
    dealt: Moments
    taken: Moments
    outs: Moments
    by_side: Moments
    together: Floats
    fates: tuple[Moments, ...] = ()
    by_fate: tuple[tuple[Floats, ...], ...] = ()
    by_thumb: int = 0

    @classmethod
    def of(cls, tables: BattleTables, ended: Ended) -> Sums:
        """Of battles that are over."""
        n, layout = ended.tallies.shape[1], tables.layout
        survivors: list[Mapping[int, int]] = []
        stands: list[int] = []
        dealt: list[tuple[float, float]] = []
        taken: list[tuple[float, float]] = []
        outs: list[tuple[float, float]] = []
        by_side: list[tuple[float, float]] = []
        together: list[float] = []
        times = _times(ended)
        for side, words, often in zip(tables.sides, ended.words, times, strict=True):
            is_up = words < layout.out
            stands += [_number(one, often) for one in is_up]
            survivors.append(_counted(_histogram(np.count_nonzero(is_up, axis=0), often)))
            tallies = ended.tallies[side.start : side.stop]
            tallied = _tallied(tallies)
            for moments, sums in zip((dealt, outs, by_side), tallied, strict=False):
                moments += list(zip(*sums.tolist(), strict=True))
            together += tallied[-1][0].tolist()
            for word, tally in zip(words, tallies, strict=True):
                harm = word >> layout.taken_at
                harm &= layout.taken
                if often is None:
                    harm += tally >> Tally.taken_at
                taken.append(_moments(harm, often))
        lost = _lost(tables, ended)
        both = int(np.count_nonzero(lost[0] & lost[1]))
        first, second = (int(np.count_nonzero(one)) - both for one in lost)
        by_verdict: Counter[Verdict | None] = Counter()
        by_verdict[VERDICTS[True, True, False]] += both
        by_verdict[VERDICTS[True, False, False]] += first
        by_verdict[VERDICTS[False, True, False]] += second
        won, drawn = (by_verdict["one"], by_verdict["other"]), by_verdict["drawn"]
        stalled = int(np.count_nonzero(ended.stalled))
        return cls(
            n,
            won,
            drawn,
            n - sum(won) - drawn - stalled,
            stalled,
            _counted(ended.histogram),
            (survivors[0], survivors[1]),
            np.array(stands),
            Moments.of(dealt),
            Moments.of(taken),
            Moments.of(outs),
            Moments.of(by_side),
            np.array(together),
            *_fates(tables, ended, times),
        )

    def plus(self, other: Sums) -> Sums:
        """Both together."""
        return Sums(
            self.n + other.n,
            (self.won[0] + other.won[0], self.won[1] + other.won[1]),
            self.drawn + other.drawn,
            self.ended + other.ended,
            self.stalled + other.stalled,
            Counter(self.histogram) + Counter(other.histogram),
            (
                Counter(self.survivors[0]) + Counter(other.survivors[0]),
                Counter(self.survivors[1]) + Counter(other.survivors[1]),
            ),
            self.stands + other.stands,
            _both(self.dealt, other.dealt),
            _both(self.taken, other.taken),
            _both(self.outs, other.outs),
            _both(self.by_side, other.by_side),
            self.together + other.together,
            tuple(_both(*both) for both in zip(self.fates, other.fates, strict=True)),
            tuple(
                tuple(one + more for one, more in zip(*sides, strict=True))
                for sides in zip(self.by_fate, other.by_fate, strict=True)
            ),
            self.by_thumb + other.by_thumb,
        )


class PairedSums(NamedTuple):
    """Sums over battles of what two setups differ by: wins of side one, and rounds."""

    won: tuple[int, int]
    rounds: tuple[int, int]

    @classmethod
    def of(cls, won: tuple[Bools, Bools], rounds: tuple[Ints, Ints]) -> PairedSums:
        """Of both setups' battles, in the same order."""
        found = []
        for one, other in (won, rounds):
            less = one.astype(np.int64) - other.astype(np.int64)
            found.append((int(less.sum()), int(np.square(less).sum())))
        return cls(*found)

    def plus(self, other: PairedSums) -> PairedSums:
        """Both together."""
        return PairedSums(
            (self.won[0] + other.won[0], self.won[1] + other.won[1]),
            (self.rounds[0] + other.rounds[0], self.rounds[1] + other.rounds[1]),
        )


AT_ONCE = 1 << 15
"""Tallies that are added up at once: what is made of them stays in the cache of a processor."""
MOST_COUNTED = 20
"""Fighters of a side whose fates are counted together at most."""
COUNT_BITS, COUNTED_AT_ONCE = 8, 7
"""Fates that are counted in one number, and how many bits each of them has there."""
COUNT = (1 << COUNT_BITS) - 1


Times = Ints | None
"""How often there are battles of each kind; None: once."""


def _times(ended: Ended) -> tuple[Times, Times]:
    if ended.kinds is None:
        return None, None
    one, other = (
        np.bincount(kinds, minlength=words.shape[1])
        for kinds, words in zip(ended.kinds, ended.words, strict=True)
    )
    return one, other


def _number(flags: Bools, times: Times) -> int:
    """How many battles are marked."""
    return int(np.count_nonzero(flags) if times is None else times[flags].sum())


def _histogram(values: Ints, times: Times, size: int = 0) -> Floats:
    """How many battles have each value."""
    return np.bincount(values, times, size).astype(np.float64, copy=False)


def _fates(
    tables: BattleTables, ended: Ended, times: tuple[Times, Times]
) -> tuple[tuple[Moments, ...], tuple[tuple[Floats, ...], ...]]:
    """The fates of fighters, one by one, and counted by side."""
    fates = tables.fates
    if not fates.names:
        return (), ()
    moments: list[list[tuple[float, float]]] = [[] for _ in fates.names]
    counted: list[tuple[Floats, ...]] = []
    for number, side in enumerate(tables.sides):
        places = [words & tables.layout.condition for words in ended.words[number]]
        counts = [_histogram(here, times[number]) for here in places]
        chances = _chances(tables, number, counts)
        squares = np.square(chances)
        for count in counts:
            size = len(count)
            totals, parts = chances[:, :size] @ count, squares[:, :size] @ count
            for sums, total, square in zip(moments, totals.tolist(), parts.tolist(), strict=True):
                sums.append((total, square))
        few = len(side) <= MOST_COUNTED
        counted.append(
            _numbers_of(places, chances[1:], times[number])
            if few
            else (np.zeros(0),) * (len(fates.names) - 1)
        )
    return tuple(map(Moments.of, moments)), tuple(counted)


def _chances(tables: BattleTables, side: int, counts: Sequence[Floats]) -> Floats:
    """The chances of all fates of a side's fighters, by fate and condition, where there is one."""
    width = max(map(len, counts))
    there = np.zeros(width, np.bool_)
    for count in counts:
        there[: len(count)] |= count > 0
    with tables.lock:
        known = tables.fate_chances[side]
        if known.shape[1] < width:
            grown = np.full((len(tables.fates.names), 2 * width), -1.0)
            grown[:, : known.shape[1]] = known
            known = tables.fate_chances[side] = grown
        for one in np.flatnonzero(there & (known[0, :width] < 0)).tolist():
            known[:, one] = tables.fates.of(side, *tables.numbering.sheet_and(one))
    return np.where(there, known[:, :width], 0)


def _numbers_of(places: Sequence[Ints], chances: Floats, times: Times = None) -> tuple[Floats, ...]:
    """For each fate battles by the number of fighters of a side with it, as far as it is likely.

    Args:
        places: the condition of each fighter, by kind of battle.
        chances: of the fates, by fate and condition.
        times: how often there are battles of each kind.
    """
    counts: list[Floats] = []
    for first in range(0, len(chances), COUNTED_AT_ONCE):
        rows = chances[first : first + COUNTED_AT_ONCE]
        sure, is_open = _added(places, rows == 1), (rows > 0) & (rows < 1)
        unsure = _added(places, is_open) if is_open.any() else None
        for number, row in enumerate(rows):
            at = number * COUNT_BITS
            surely = sure >> at & COUNT
            if unsure is None or not is_open[number].any():
                found = _histogram(surely, times, len(places) + 1)
            else:
                found = _likely(places, row, (surely, unsure >> at & COUNT), times)
            counts.append(found)
    return tuple(counts)


def _added(places: Sequence[Ints], flags: Bools) -> Ints:
    """By battle how many fighters have each flag of their condition, side by side in one number."""
    at = np.arange(len(flags)) * COUNT_BITS
    packed = (flags.astype(np.int64) << at[:, None]).sum(axis=0)
    whole: Ints = packed.take(places[0])
    for here in places[1:]:
        whole += packed.take(here)
    return whole


def _likely(
    places: Sequence[Ints], chances: Floats, numbers: tuple[Ints, Ints], times: Times
) -> Floats:
    """Battles by the number of fighters with one fate, which some have with a chance.

    `numbers` are, by kind of battle, those who have it surely and those who may have it.
    """
    sure, unsure = numbers
    often = np.ones(len(sure), np.int64) if times is None else times
    n_fighters = len(places)
    is_open = unsure > 0
    counts = _histogram(sure[~is_open], often[~is_open], n_fighters + 1)
    left = np.flatnonzero(is_open)
    likely = np.zeros((len(left), n_fighters + 1))
    likely[np.arange(len(left)), sure[left]] = 1
    for here in places:
        chance = np.where(chances < 1, chances, 0).take(here[left])[:, None]
        more = likely[:, :-1] * chance
        likely *= 1 - chance
        likely[:, 1:] += more
    counts += often[left] @ likely
    return counts


def won_by_one(tables: BattleTables, ended: Ended) -> Bools:
    """Mark the battles that side one has won."""
    one, other = _lost(tables, ended)
    return other & ~one


def _lost(tables: BattleTables, ended: Ended) -> tuple[Bools, Bools]:
    """Mark the battles that each side has lost."""
    one, other = (
        np.count_nonzero(words >= tables.layout.out, axis=0) >= tables.contest.course.lost_at[side]
        for side, words in enumerate(ended.words)
    )
    if ended.kinds is None:
        return one, other
    return one.take(ended.kinds[0]), other.take(ended.kinds[1])


def _moments(values: Ints | Floats, times: Times = None) -> tuple[float, float]:
    """The sum of values, and that of their squares."""
    floats = values.astype(np.float64, copy=False)
    if times is not None:
        return float(floats @ times), float(np.square(floats) @ times)
    return float(floats.sum()), float(np.einsum("n,n->", floats, floats))


def _tallied(tallies: Ints) -> tuple[Floats, Floats, Floats, Floats]:
    """Sums over battles of what the fighters of a side have done; a column for each of them.

    The damage that each has dealt and its square; how many each has put out, and its square; the
    damage that all have dealt, and its square; and the product of one's own and that.
    """
    f, n = tallies.shape
    sums, squares, together = np.zeros(2 * f + 1), np.zeros(2 * f + 1), np.zeros(f)
    step = max(1, min(n, AT_ONCE // f))
    # Below each other: the damage that each has dealt, how many it has put out, all damage.
    desk: Floats = np.empty((2 * f + 1, step))
    for start in range(0, n, step):
        block = tallies[:, start : start + step]
        rows = desk[:, : block.shape[1]]
        dealt, outs, whole = rows[:f], rows[f : 2 * f], rows[2 * f]
        np.bitwise_and(block, Tally.dealt, out=dealt, casting="unsafe")
        np.bitwise_and(block >> Tally.outs_at, Tally.outs, out=outs, casting="unsafe")
        dealt.sum(axis=0, out=whole)
        sums += rows.sum(axis=1)
        squares += np.einsum("fn,fn->f", rows, rows)
        together += dealt @ whole
    both = np.stack((sums, squares))
    by_side = np.repeat(both[:, -1:], f, axis=1)
    return both[:, :f], both[:, f : 2 * f], by_side, together[None]


def _both(one: Moments, other: Moments) -> Moments:
    return Moments(one.total + other.total, one.squares + other.squares)


def _counted(counts: Ints | Floats) -> Mapping[int, int]:
    return {place: int(counts[place]) for place in np.flatnonzero(counts).tolist()}
