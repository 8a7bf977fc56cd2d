"""Counts and sums of battles that are over; they add up over chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from affray.core.lazy import NamedTuple
from affray.engine.fight.course import VERDICT_OF, Verdict
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

    @classmethod
    def of(cls, tables: BattleTables, ended: Ended) -> Sums:
        """Of battles that are over."""
        n, layout = ended.words.shape[1], tables.layout
        standing: list[Ints] = []
        stands: list[int] = []
        dealt: list[tuple[float, float]] = []
        taken: list[tuple[float, float]] = []
        outs: list[tuple[float, float]] = []
        by_side: list[tuple[float, float]] = []
        together: list[float] = []
        for side in tables.sides:
            up = np.zeros(n, np.int64)
            parts: list[Floats] = []
            whole = np.zeros(n)
            for fighter in side:
                word, tally = ended.words[fighter], ended.tallies[fighter]
                is_up = word < layout.out
                stands.append(int(np.count_nonzero(is_up)))
                up += is_up
                part = (tally & Tally.dealt).astype(np.float64)
                whole += part
                parts.append(part)
                outs.append(_moments(tally >> Tally.outs_at & Tally.outs))
                harm = word >> layout.taken_at
                harm &= layout.taken
                harm += tally >> Tally.taken_at
                taken.append(_moments(harm))
            standing.append(up)
            dealt += [_moments(part) for part in parts]
            by_side += [_moments(whole)] * len(parts)
            together += [float(np.einsum("n,n->", part, whole)) for part in parts]
        codes = _codes(tables, standing)
        counts = np.bincount(codes, minlength=len(VERDICT_OF))
        by_verdict: Counter[Verdict | None] = Counter()
        for verdict, count in zip(VERDICT_OF, counts.tolist(), strict=True):
            by_verdict[verdict] += count
        won, drawn = (by_verdict["one"], by_verdict["other"]), by_verdict["drawn"]
        stalled = int(np.count_nonzero(ended.stalled))
        return cls(
            n,
            won,
            drawn,
            n - sum(won) - drawn - stalled,
            stalled,
            _counted(ended.histogram),
            (_counted(np.bincount(standing[0])), _counted(np.bincount(standing[1]))),
            np.array(stands),
            Moments.of(dealt),
            Moments.of(taken),
            Moments.of(outs),
            Moments.of(by_side),
            np.array(together),
            *_fates(tables, ended),
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


MOST_COUNTED = 20
"""Fighters of a side whose fates are counted together at most."""
COUNT_BITS, COUNTED_AT_ONCE = 8, 7
"""Fates that are counted in one number, and how many bits each of them has there."""
COUNT = (1 << COUNT_BITS) - 1


def _fates(
    tables: BattleTables, ended: Ended
) -> tuple[tuple[Moments, ...], tuple[tuple[Floats, ...], ...]]:
    """The fates of fighters, one by one, and counted by side."""
    fates = tables.fates
    if not fates.names:
        return (), ()
    moments: list[list[tuple[float, float]]] = [[] for _ in fates.names]
    counted: list[tuple[Floats, ...]] = []
    for number, side in enumerate(tables.sides):
        places = [ended.words[fighter] & tables.layout.condition for fighter in side]
        counts = [np.bincount(here) for here in places]
        chances = _chances(tables, number, counts)
        squares = np.square(chances)
        for count in counts:
            size = len(count)
            totals, parts = chances[:, :size] @ count, squares[:, :size] @ count
            for sums, total, square in zip(moments, totals.tolist(), parts.tolist(), strict=True):
                sums.append((total, square))
        few = len(side) <= MOST_COUNTED
        counted.append(
            _numbers_of(places, chances[1:]) if few else (np.zeros(0),) * (len(fates.names) - 1)
        )
    return tuple(map(Moments.of, moments)), tuple(counted)


def _chances(tables: BattleTables, side: int, counts: Sequence[Ints]) -> Floats:
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


def _numbers_of(places: Sequence[Ints], chances: Floats) -> tuple[Floats, ...]:
    """For each fate battles by the number of fighters of a side with it, as far as it is likely.

    Args:
        places: the condition of each fighter, by battle.
        chances: of the fates, by fate and condition.
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
                found = np.bincount(surely, minlength=len(places) + 1).astype(np.float64)
            else:
                found = _likely(places, row, surely, unsure >> at & COUNT)
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


def _likely(places: Sequence[Ints], chances: Floats, sure: Ints, unsure: Ints) -> Floats:
    """Battles by the number of fighters with one fate, which some have with a chance."""
    n_fighters = len(places)
    is_open = unsure > 0
    counts = np.bincount(sure[~is_open], minlength=n_fighters + 1).astype(np.float64)
    left = np.flatnonzero(is_open)
    likely = np.zeros((len(left), n_fighters + 1))
    likely[np.arange(len(left)), sure[left]] = 1
    for here in places:
        chance = np.where(chances < 1, chances, 0).take(here[left])[:, None]
        more = likely[:, :-1] * chance
        likely *= 1 - chance
        likely[:, 1:] += more
    counts += likely.sum(axis=0)
    return counts


def won_by_one(tables: BattleTables, ended: Ended) -> Bools:
    """Mark the battles that side one has won."""
    stands = ended.words < tables.layout.out
    standing = [stands[side.start : side.stop].sum(axis=0) for side in tables.sides]
    won: Bools = np.array([verdict == "one" for verdict in VERDICT_OF]).take(
        _codes(tables, standing)
    )
    return won


def _codes(tables: BattleTables, standing: Sequence[Ints]) -> Ints:
    """Numbers for `VERDICT_OF` of battles that nobody but the fallen decides.

    `standing` is, for each side, the number of its fighters who stand.
    """
    course = tables.contest.course
    one, other = (
        size - count >= at
        for size, count, at in zip(course.sizes, standing, course.lost_at, strict=True)
    )
    codes: Ints = 4 * one + 2 * other
    return codes


def _moments(values: Ints | Floats) -> tuple[float, float]:
    """The sum of values, and that of their squares."""
    floats = values.astype(np.float64, copy=False)
    return float(floats.sum()), float(np.einsum("n,n->", floats, floats))


def _both(one: Moments, other: Moments) -> Moments:
    return Moments(one.total + other.total, one.squares + other.squares)


def _counted(counts: Ints) -> Mapping[int, int]:
    return {place: int(counts[place]) for place in np.flatnonzero(counts).tolist()}
