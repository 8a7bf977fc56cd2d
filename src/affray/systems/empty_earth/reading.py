"""From faces to what they mean: attack dice, Dodge dice, what a Dodge can stop."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from affray.core.dice import Face, Pool
from affray.core.lazy import NamedTuple
from affray.core.reading import Counts, count_faces, count_multisets, count_sums
from affray.core.step import cites

__all__ = [
    "Again", "Band", "Dice", "DodgeSum", "DodgeValues", "Regained", "Shown", "face_name",
    "picks", "stops", "value_name",
]  # fmt: skip


class Shown(NamedTuple):
    """One die on the table, as far as it matters.

    Attributes:
        value: what it shows, Focus included, clamped to the range that can still matter.
        special: whether its unmodified value has an effect.
        focus: Focus points on it, where a ruling asks for them.
    """

    value: int
    special: bool = False
    focus: int = 0


class Band(NamedTuple):
    """The range of values of a die that can still matter, and what its bare face may trigger.

    Attributes:
        low: this value and all below come to the same. high: this value and all above do.
        special: the least face with an effect on unmodified values; 0 for none.
        last: the greatest one.
    """

    low: int
    high: int
    special: int = 0
    last: int = 1_000

    def of(self, face: Face, focus: int = 0) -> Shown:
        """The die with this face and this Focus on it."""
        fires = 0 < self.special <= int(face) <= self.last
        return Shown(self.clamped(int(face) + focus), fires, focus)

    def clamped(self, value: int) -> int:
        """The value, clamped to the range."""
        return self.low if value < self.low else min(value, self.high)


def face_name(die: Shown, band: Band) -> str:
    """A die in a word: "4"; "miss" and "sure" where nothing can change that any more."""
    name = value_name(die)
    if band.low < band.high and die.value in {band.low, band.high}:
        word = "miss" if die.value == band.low else "sure"
        name = value_name(die, word)
    return name


def value_name(die: Shown, word: str = "") -> str:
    """A die by its value, or by this word; Focus that it still has tells it from others."""
    effect = "!" if die.special else ""
    focus = f"-with-{die.focus}-focus" if die.focus else ""
    return f"{word or die.value}{effect}{focus}"


@cites("EE-4", "EE-32", "EE-45")
class Dice(NamedTuple):
    """Dice rolled together, each read by itself, in ascending order.

    Attributes:
        band: what of a face can still matter.
        each: what is added to each face at once.
    """

    band: Band
    each: int = 0

    def __call__(self, faces: tuple[Face, ...]) -> tuple[Shown, ...]:
        """These faces, ascending."""
        return tuple(sorted([self.band.of(int(face) + self.each) for face in faces]))

    def counted(self, pool: Pool) -> Counts[tuple[Shown, ...]]:
        """By multinomials over the values that differ."""
        return count_multisets(pool, lambda face: self.band.of(int(face) + self.each))


@cites("EE-35")
class Again(NamedTuple):
    """Dice rolled again beside those that lie; a new face is the new unmodified value.

    Attributes:
        kept: dice that stay.
        lifted: what was picked up: the old die where the better value stands, else only the
            Focus that stays on it.
        band, each: as for `Dice`.
        better: whether the better value stands.
    """

    kept: tuple[Shown, ...]
    lifted: tuple[Shown, ...]
    band: Band
    each: int = 0
    better: bool = False

    def _fallen(self, face: Face, old: Shown) -> Shown:
        new = self.band.of(int(face) + self.each, old.focus)
        return max(new, old) if self.better else new

    def __call__(self, faces: tuple[Face, ...]) -> tuple[Shown, ...]:
        """All dice, ascending, once these faces came up on the lifted ones."""
        new = [self._fallen(face, old) for face, old in zip(faces, self.lifted, strict=True)]
        return tuple(sorted([*self.kept, *new]))

    def counted(self, pool: Pool) -> Counts[tuple[Shown, ...]]:
        """By multinomials where the lifted dice are alike, else die by die."""
        alike = set(self.lifted)
        if len(alike) == 1:
            old = self.lifted[0]
            rows = count_multisets(pool, lambda face: self._fallen(face, old))
            return {tuple(sorted(self.kept + new)): ways for new, ways in rows.items()}
        counts: Counts[tuple[Shown, ...]] = {self.kept: 1}
        for die, old in zip(pool.dice, self.lifted, strict=True):
            single = count_faces(Pool((die, 1)), lambda face, old=old: self._fallen(face, old))  # type: ignore[misc]  # a default that mypy can't infer
            grown: Counts[tuple[Shown, ...]] = {}
            for before, ways in counts.items():
                for new, weight in single.items():
                    key = tuple(sorted((*before, new)))
                    grown[key] = grown.get(key, 0) + ways * weight
            counts = grown
        return counts


@cites("EE-33", "EE-39", "EE-41")
class DodgeSum(NamedTuple):
    """The reading that adds Dodge or Center dice up to one value.

    Attributes:
        each: added to each die. cap: beyond it nothing more is stopped.
        floor: what a die is worth at least; None: it may be worth less than nothing.
    """

    each: int
    cap: int
    floor: int | None = 0

    def _worth(self, face: Face) -> int:
        value = int(face) + self.each
        return value if self.floor is None else max(self.floor, value)

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        """The sum, held to what can matter."""
        return (min(self.cap, sum(map(self._worth, faces))),)

    def counted(self, pool: Pool) -> Counts[tuple[int, ...]]:
        """By the sum of the dice; die by die where one is held at nothing."""
        n, each, cap = pool.size, self.each, self.cap
        if self.floor is None or each >= self.floor - 1:
            return count_sums(pool, lambda total: (min(cap, total + n * each),))
        counts: Counts[tuple[int, ...]] = {}
        for values, ways in count_multisets(pool, self._worth).items():
            key = (min(cap, sum(values)),)
            counts[key] = counts.get(key, 0) + ways
        return counts


@cites("EE-33", "EE-39", "EE-41")
class DodgeValues(NamedTuple):
    """The reading that values each Dodge or Center die, ascending. Attributes: `DodgeSum`."""

    each: int
    cap: int
    floor: int | None = 0

    def _worth(self, face: Face) -> int:
        value = min(self.cap, int(face) + self.each)
        return value if self.floor is None else max(self.floor, value)

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        """The values, held to what can matter."""
        return tuple(sorted(map(self._worth, faces)))

    def counted(self, pool: Pool) -> Counts[tuple[int, ...]]:
        """By multinomials over the values that differ."""
        return count_multisets(pool, self._worth)


@cites("EE-47", "EE-49", "EE-51")
class Regained(NamedTuple):
    """Vitality regained from nothing, at most `most`."""

    most: int

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """Hold the face to the track."""
        return min(self.most, sum(map(int, faces)))

    def counted(self, pool: Pool) -> Counts[int]:
        """By the sum of the dice."""
        return count_sums(pool, lambda total: min(self.most, total))


# -- what a Dodge can stop -------------------------------------------------------------------


@lru_cache(maxsize=65536)
def stops(needs: tuple[int, ...], values: tuple[int, ...]) -> bool:
    """Say if values, each going whole to one need, can meet every need.

    Args:
        needs: what each attack die exceeds the defense by, one or more.
        values: Dodge dice.

    >>> stops((2, 3), (1, 1, 3)), stops((2, 3), (1, 4))
    (True, False)
    """
    if not needs:
        return True
    if len(values) < len(needs) or sum(values) < sum(needs):
        return False
    need = max(needs)
    others = list(needs)
    others.remove(need)
    rest = tuple(others)
    for size in range(1, len(values) - len(rest) + 1):
        for chosen in combinations(range(len(values)), size):
            if sum(values[i] for i in chosen) >= need:
                left = tuple([v for i, v in enumerate(values) if i not in chosen])
                if stops(rest, left):
                    return True
    return False


def picks(dice: tuple[Shown, ...], sizes: range) -> Iterator[tuple[tuple[Shown, ...], ...]]:
    """Every different handful of these dice, as (picked, kept), smallest first."""
    seen: set[tuple[Shown, ...]] = set()
    for size in sizes:
        for chosen in combinations(range(len(dice)), size):
            picked = tuple([dice[i] for i in chosen])
            if picked not in seen:
                seen.add(picked)
                yield picked, tuple([die for i, die in enumerate(dice) if i not in chosen])
