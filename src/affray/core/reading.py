"""From faces to what they mean, counted instead of enumerated.

A *read* is a frozen, hashable callable: all faces of a pool in, one reading out. The reading is
what later clauses need and nothing more, so equal readings meet. `distribution` tells how
often each reading comes. It asks the read to count itself (`counted`) where it can, and
enumerates all faces otherwise; tests hold both equal for every read of every system.

The counting functions for the common families:

| function | the reading depends on | cost |
|---|---|---|
| `count_faces` | one die | faces |
| `count_sums` | the sum of all faces | one power of a polynomial |
| `count_multisets` | which classes show, how often, in any order | multisets of classes |
| `count_tallies` | how many dice fall into each of a few classes | cells of the tally |
| `count_totals` | sums of several numbers on each face | totals times faces, die by die |
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import product, repeat
from math import comb
from math import pow as power_of
from operator import add
from typing import Any, Protocol, TypeVar, runtime_checkable

from affray.core.dice import Die, Face, Pool
from affray.core.distribution import Distribution
from affray.core.errors import LimitError, RulesError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force

__all__ = [
    "Counts",
    "Read",
    "SumOfDice",
    "Tally",
    "count_faces",
    "count_multisets",
    "count_sums",
    "count_tallies",
    "count_totals",
    "distribution",
    "enumerated",
    "forget_distributions",
    "roll_of",
]

R = TypeVar("R", bound=Hashable)
R_co = TypeVar("R_co", covariant=True)
C = TypeVar("C", bound=Hashable)

Counts = dict[R, int]
"""Weight of each reading; the weights of a pool add up to its number of faces, multiplied."""

MOST_ENUMERATED = 2_000_000
KEPT = 20_000
MOST_ROWS_KEPT = 20_000


@runtime_checkable
class Read(Protocol[R_co]):
    """Turns the faces of a roll into its reading. Must be hashable and never change."""

    def __call__(self, faces: tuple[Face, ...]) -> R_co:
        """The reading of these faces, given in the order of the pool's dice."""
        ...


class Roll(NamedTuple):
    """The distribution of one roll: total weight, and (reading, weight) rows."""

    total: int
    rows: tuple[tuple[Any, int], ...]


_ROLLS: dict[tuple[Pool, type, object], Roll] = {}


def roll_of(pool: Pool, read: Read[R]) -> Roll:
    """The distribution of a reading as plain rows; computed once and kept.

    Raises:
        LimitError: the read can't count itself and the pool has over two million faces; it takes
            too much memory, or longer than the meter in force allows.
    """
    key = (pool, type(read), read)
    kept = _ROLLS.get(key)
    if kept is None:
        counted = getattr(read, "counted", None)
        counts: Counts[R] = enumerated(pool, read) if counted is None else counted(pool)
        kept = Roll(sum(counts.values()), tuple(counts.items()))
        if len(kept.rows) <= MOST_ROWS_KEPT:
            if len(_ROLLS) >= KEPT:
                _ROLLS.clear()
            _ROLLS[key] = kept
    return kept


def forget_distributions() -> None:
    """Drop every kept distribution (for cold timings and long-lived processes)."""
    _ROLLS.clear()
    _powers.cache_clear()
    _small_sums.cache_clear()


def distribution(pool: Pool, read: Read[R]) -> Distribution[R]:
    """The exact distribution of a reading of this pool.

    >>> from affray.core.dice import Pool, d
    >>> distribution(Pool((d(6), 2)), SumOfDice()).chance(7)
    Fraction(1, 6)
    """
    return Distribution(dict(roll_of(pool, read).rows))


def enumerated(pool: Pool, read: Read[R]) -> Counts[R]:
    """Count a reading by going through all faces: slow, and right.

    Raises:
        LimitError: over two million combinations of faces.
    """
    size = 1
    for die in pool.dice:
        size *= len(die.faces)
    if size > MOST_ENUMERATED:
        raise LimitError(
            f"{pool} has {size} combinations of faces and {type(read).__name__} does not count "
            f"itself; allowed: {MOST_ENUMERATED}",
            limit="dice",
        )
    meter = meter_in_force()
    counts: Counts[R] = {}
    for roll in product(*(die.weighted for die in pool.dice)):
        weight = 1
        for _, share in roll:
            weight *= share
        meter.tick()
        reading = read(tuple(face for face, _ in roll))
        counts[reading] = counts.get(reading, 0) + weight
    return counts


def count_faces(pool: Pool, of: Callable[[Face], R]) -> Counts[R]:
    """Count a reading of a single die.

    Raises:
        RulesError: the pool holds another number of dice than one.
    """
    if pool.size != 1:
        raise RulesError(f"a reading of one die was asked of {pool}")
    counts: Counts[R] = {}
    for face, weight in pool.groups[0][0].weighted:
        reading = of(face)
        counts[reading] = counts.get(reading, 0) + weight
    return counts


# -- sums ------------------------------------------------------------------------------------
# The polynomial of a die, its coefficients packed side by side into one big integer: Python's
# multiplication of integers is then the convolution. Lanes are wide enough never to carry. Where
# that would take long, the coefficients of a power follow from each other, one by one.

SLOW_S = 0.02
"""Seconds from which on another way may be worth while."""
LARGE = 1_000_000
"""Bytes of packed coefficients above which they are not kept."""


def _seconds_to_multiply(octets: int) -> float:
    """The rough cost of multiplying integers of this size (Karatsuba)."""
    return 2e-9 * power_of(octets / 4, 1.585)


def _seconds_one_by_one(on: _Numbers, number: int, lane: int) -> float:
    """The rough cost of the coefficients of a power, one by one; `lane` bits hold each."""
    return number * (on.high - on.low) * len(on.weights) * (2e-7 + lane * 2e-11)


UNPACKED_S = 2e-7
"""Seconds to take a coefficient out of a packed integer."""


class _Numbers(NamedTuple):
    """The numbers on a die.

    Attributes:
        low, high: the least and the greatest.
        weights: of each of them, counted from the least. total: of all faces.
        symbols: whether there are any beside them.
    """

    low: int
    high: int
    weights: dict[int, int]
    total: int
    symbols: bool


@lru_cache(maxsize=1024)
def _numbers_on(die: Die) -> _Numbers | None:
    """The numbers on a die; None if there is none."""
    numbers = [face for face in die.faces if isinstance(face, int)]
    if not numbers:
        return None
    low, high = min(numbers), max(numbers)
    weights: dict[int, int] = {}
    for face, weight in die.weighted:
        if isinstance(face, int):
            weights[face - low] = weights.get(face - low, 0) + weight
    return _Numbers(low, high, weights, sum(die.weights), len(numbers) < len(die.faces))


@lru_cache(maxsize=1024)
def _powers(die: Die, number: int, lane: int) -> int:
    on = _numbers_on(die)
    assert on is not None  # symbols have no sum
    weights = on.weights
    size = lane // 8 * (number * (on.high - on.low) + 1)
    packing = _seconds_to_multiply(size)
    if packing > SLOW_S and _seconds_one_by_one(on, number, lane) < packing:
        octets = lane // 8
        rows = _coefficients(weights, number)
        return int.from_bytes(b"".join(c.to_bytes(octets, "little") for c in rows), "little")
    meter_in_force().foresee(_seconds_to_multiply(size), f"summing {number}{die.name}")
    packed = 0
    for place, weight in weights.items():
        packed += weight << (lane * place)
    power: int = packed**number
    return power


BETWEEN_TICKS = 16
"""Coefficients that are worked out between two entries in the meter."""


def _coefficients(weights: dict[int, int], number: int) -> list[int]:
    """The coefficients of a polynomial's power, the lowest first (Miller's recurrence)."""
    meter = meter_in_force()
    first = weights[0]
    others = [(at, weight, (number + 1) * at * weight) for at, weight in weights.items() if at]
    work = 1 + len(others) // 8
    found = [first**number]
    for place in range(1, number * max(weights) + 1):
        if not place % BETWEEN_TICKS:
            meter.tick(work * BETWEEN_TICKS)
        whole = 0
        for at, weight, factor in others:
            if at <= place:
                whole += (factor - place * weight) * found[place - at]
        found.append(whole // (place * first))  # no remainder
    return found


def _sums(pool: Pool) -> Counts[int]:
    """The weight of every sum."""
    spread = bits = 0
    for die, number in pool.groups:
        on = _numbers_on(die)
        if on is not None:
            spread += number * (on.high - on.low)
            bits += number * on.total.bit_length()
    size = (spread + 1) * max(8, bits // 8)
    if size <= LARGE:
        return _small_sums(pool)
    # Packed, unpacked, as numbers and as a table; and they are packed group by group.
    meter_in_force().claim(4 * size + 200 * spread, f"every sum of {pool}")
    _powers.cache_clear()
    return _all_sums(pool)


@lru_cache(maxsize=1024)
def _small_sums(pool: Pool) -> Counts[int]:
    return _all_sums(pool)


def _all_sums(pool: Pool) -> Counts[int]:
    everything, low, high = 1, 0, 0
    for die, number in pool.groups:
        on = _numbers_on(die)
        if on is None or on.symbols:
            raise RulesError(f"the faces of {die.name} are symbols; they have no sum")
        everything *= on.total**number
        low += on.low * number
        high += on.high * number
    octets = max(8, (everything.bit_length() + 7) // 8)
    if len(pool.groups) == 1 and on is not None:
        lanes = high - low + 1
        packing = _seconds_to_multiply(octets * lanes) + UNPACKED_S * lanes
        if _seconds_one_by_one(on, number, octets * 8) < packing:
            return _by_total(_coefficients(on.weights, number), low)
    packed = 1
    for die, number in pool.groups:
        power = _powers(die, number, octets * 8)
        least = min(packed.bit_length(), power.bit_length()) // 8
        meter_in_force().foresee(_seconds_to_multiply(least) * 2, f"summing {pool}")
        packed *= power
    raw = packed.to_bytes(octets * (high - low + 1), "little")
    if octets == 8:
        weights: Iterable[int] = memoryview(raw).cast("Q") if _LITTLE else _lanes(raw, 8)
    else:
        weights = _lanes(raw, octets)
    return _by_total(weights, low)


def _by_total(weights: Iterable[int], low: int) -> Counts[int]:
    return {total: weight for total, weight in enumerate(weights, start=low) if weight}


def _lanes(raw: bytes, octets: int) -> list[int]:
    starts = range(0, len(raw), octets)
    return [int.from_bytes(raw[start : start + octets], "little") for start in starts]


_LITTLE = memoryview(b"\1\0\0\0\0\0\0\0").cast("Q")[0] == 1


def count_sums(pool: Pool, of: Callable[[int], R] | None = None) -> Counts[R]:
    """Count the sum of all faces, or a reading `of` that sum. A pool without dice sums to 0.

    Raises:
        RulesError: a die with symbols.
    """
    sums = _sums(pool)
    if of is None:
        return dict(sums)  # type: ignore[arg-type]  # without `of` the reading is the sum itself
    counts: Counts[R] = {}
    for total, weight in sums.items():
        reading = of(total)
        counts[reading] = counts.get(reading, 0) + weight
    return counts


class SumOfDice(NamedTuple):
    """The sum of all faces, plus `flat`."""

    flat: int = 0

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """The sum of these faces."""
        return sum(face for face in faces if isinstance(face, int)) + self.flat

    def counted(self, pool: Pool) -> Counts[int]:
        """By one power of a polynomial."""
        return count_sums(pool, self.flat.__add__)


# -- multisets -------------------------------------------------------------------------------


def _classes(die: Die, of: Callable[[Face], C]) -> dict[C, int]:
    classes: dict[C, int] = {}
    for face, weight in die.weighted:
        kind = of(face)
        classes[kind] = classes.get(kind, 0) + weight
    return classes


def _multisets(classes: Sequence[tuple[C, int]], n_dice: int) -> list[tuple[tuple[C, ...], int]]:
    """All multisets of `n_dice` classes in order, with multinomial weights."""
    many = comb(n_dice + len(classes) - 1, n_dice)
    bits = n_dice * sum(weight for _, weight in classes).bit_length()
    meter = meter_in_force()
    what = f"every combination of {n_dice} dice with {len(classes)} kinds of faces"
    meter.claim(many * (160 + 8 * n_dice + bits // 8), what)
    partial: list[tuple[tuple[C, ...], int, int]] = [((), n_dice, 1)]
    for kind, weight in classes[:-1]:
        grown = []
        for chosen, left, ways in partial:
            meter.tick(1 + left)
            grown.append((chosen, left, ways))
            power = 1
            for number in range(1, left + 1):
                power *= weight
                more = ways * comb(left, number) * power
                grown.append((chosen + (kind,) * number, left - number, more))
        partial = grown
    kind, weight = classes[-1]
    return [(chosen + (kind,) * left, ways * weight**left) for chosen, left, ways in partial]


def count_multisets(pool: Pool, of: Callable[[Face], C]) -> Counts[tuple[C, ...]]:
    """Count the sorted tuple of every die's class.

    Args:
        pool: dice of any kinds.
        of: the class of one face; classes must be sortable.

    Returns:
        Weight of each sorted tuple of classes, one entry for each die.
    """
    counts: Counts[tuple[C, ...]] = {(): 1}
    for die, number in pool.groups:
        classes = sorted(_classes(die, of).items())
        rows = _multisets(classes, number)
        if len(counts) == 1 and () in counts:
            counts = dict(rows)
            continue
        joined: Counts[tuple[C, ...]] = {}
        meter = meter_in_force()
        for before, ways in counts.items():
            meter.tick(len(rows))
            for row, weight in rows:
                key = tuple(sorted(before + row))  # type: ignore[type-var]  # classes sort
                joined[key] = joined.get(key, 0) + ways * weight
        counts = joined
    return counts


# -- tallies ---------------------------------------------------------------------------------


def _tally_rows(weights: Sequence[int], rest: int, n_dice: int) -> Counts[tuple[int, ...]]:
    """Ways of each tuple of counts, dice of one kind; `rest` weighs the faces of no class."""
    meter = meter_in_force()
    digits = n_dice * (sum(weights) + rest).bit_length() // 8
    many = n_dice * n_dice // 2 + comb(n_dice + len(weights), n_dice)
    meter.claim(many * (120 + digits // 2), f"a tally of {n_dice} dice in {len(weights)} classes")
    last = weights[-1]
    ends = [[1]]  # ends[left]: ways that 0, 1, ... of `left` dice fall into the last class
    for _ in range(n_dice):
        meter.tick(1 + len(ends) // 8)
        row = ends[-1]
        stay = row if rest == 1 else [rest * ways for ways in row]
        fall = row if last == 1 else [last * ways for ways in row]
        ends.append([stay[0], *map(add, stay[1:], fall), fall[-1]])
    heads: list[tuple[tuple[int, ...], int, int]] = [((), n_dice, 1)]
    for weight in weights[:-1]:
        grown = []
        for counts, left, ways in heads:
            meter.tick(1 + left // 4)
            power = 1
            for number in range(left + 1):
                grown.append(((*counts, number), left - number, ways * comb(left, number) * power))
                power *= weight
        heads = grown
    rows: Counts[tuple[int, ...]] = {}
    for counts, left, ways in heads:
        meter.tick(1 + left // 8)
        tallies = zip(*map(repeat, counts), range(left + 1), strict=False)
        rows.update(zip(tallies, map(ways.__mul__, ends[left]), strict=False))
    return rows


def count_tallies(pool: Pool, classes: Sequence[frozenset[Face]]) -> Counts[tuple[int, ...]]:
    """Count how many dice show a face of each class.

    Args:
        pool: dice of any kinds.
        classes: sets of faces that don't overlap.

    Returns:
        Weight of each tuple of counts, one count for each class.

    Raises:
        RulesError: classes that share a face, or no class.
    """
    if not classes or sum(map(len, classes)) != len(frozenset().union(*classes)):
        raise RulesError("a tally needs at least one class of faces, and no face in two classes")
    counts: Counts[tuple[int, ...]] = {}
    for die, number in pool.groups:
        weights = [sum(w for face, w in die.weighted if face in kind) for kind in classes]
        rows = _tally_rows(weights, sum(die.weights) - sum(weights), number)
        if 0 in weights or sum(weights) == sum(die.weights):
            rows = {tally: ways for tally, ways in rows.items() if ways}
        if not counts:
            counts = rows
            continue
        joined: Counts[tuple[int, ...]] = {}
        meter = meter_in_force()
        for before, ways in counts.items():
            meter.tick(1 + len(rows) // 2)
            for row, more in rows.items():
                key = tuple(map(int.__add__, before, row))
                joined[key] = joined.get(key, 0) + ways * more
        counts = joined
    return counts or {(0,) * len(classes): 1}


# -- totals ----------------------------------------------------------------------------------


def count_totals(pool: Pool, of: Callable[[Face], tuple[int, ...]]) -> Counts[tuple[int, ...]]:
    """Count the sums, number by number, of what stands on every face.

    For faces that carry several symbols: three of one kind and one of another count as (3, 1).

    Args:
        pool: dice of any kinds.
        of: the numbers on one face; equally many for every face.

    Returns:
        Weight of each tuple of sums; for a pool without dice one empty tuple.

    >>> from affray.core.dice import Die
    >>> coin = Die("coin", ("a", "ab"))
    >>> count_totals(Pool((coin, 2)), lambda face: (str(face).count("a"), str(face).count("b")))
    {(2, 0): 1, (2, 1): 2, (2, 2): 1}
    """
    counts: Counts[tuple[int, ...]] = {}
    meter = meter_in_force()
    for die, number in pool.groups:
        rows = _classes(die, of)
        for _ in range(number):
            if not counts:
                counts = dict(rows)
                continue
            joined: Counts[tuple[int, ...]] = {}
            for before, ways in counts.items():
                meter.tick(1 + len(rows) // 2)
                for row, weight in rows.items():
                    key = tuple(map(add, before, row))
                    joined[key] = joined.get(key, 0) + ways * weight
            counts = joined
    return counts or {(): 1}


class Tally(NamedTuple):
    """Counts the dice that show a face of each class.

    >>> from affray.core.dice import Pool, d
    >>> sevens_and_ones = Tally((frozenset({7, 8, 9, 10}), frozenset({1})))
    >>> sevens_and_ones((1, 9, 3, 7))
    (2, 1)
    >>> distribution(Pool((d(10), 2)), sevens_and_ones).chance((1, 1))
    Fraction(2, 25)
    """

    classes: tuple[frozenset[Face], ...]

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        """The number of these faces in each class."""
        return tuple(sum(face in kind for face in faces) for kind in self.classes)

    def counted(self, pool: Pool) -> Counts[tuple[int, ...]]:
        """By binomials over classes."""
        return count_tallies(pool, self.classes)
