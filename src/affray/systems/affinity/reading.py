"""From faces to what they mean: successes and ones, points that are canceled, sums."""

from __future__ import annotations

from functools import lru_cache

from affray.core.dice import Face, Pool, d
from affray.core.lazy import NamedTuple
from affray.core.reading import Counts, count_faces, count_sums, count_tallies, count_totals
from affray.core.step import cites
from affray.systems.affinity.tables import DIE, FACES, RESOLVE

__all__ = [
    "ACTION_DICE", "Cancels", "Check", "Healed", "Rank", "Rolled", "Speed", "Successes",
    "least_rank", "pool_of",
]  # fmt: skip


class Rolled(NamedTuple):
    """A roll of an action comes to successes, and ones on exertion dice."""

    successes: int = 0
    ones: int = 0


@cites("AF-3", "AF-4", "AF-7")
class Successes(NamedTuple):
    """Dice of an action: those that can't burn come first.

    Attributes:
        threshold: the least face that is a success.
        safe: how many of the dice can't burn.
        each: added to every face before it is compared.
        most: more successes than these make no difference; None: they may.
    """

    threshold: int
    safe: int
    each: int = 0
    most: int | None = None

    def _of(self, face: int) -> int:
        if face >= FACES["double"]:
            return 2
        return int(face + self.each >= self.threshold)

    def __call__(self, faces: tuple[Face, ...]) -> Rolled:
        """Successes of all these faces, and ones among the exertion dice."""
        numbers = [int(face) for face in faces]
        ones = sum(face <= FACES["burn"] for face in numbers[self.safe :])
        return Rolled(self._held(sum(map(self._of, numbers))), ones)

    def _held(self, successes: int) -> int:
        return successes if self.most is None else min(self.most, successes)

    def counted(self, pool: Pool) -> Counts[Rolled]:
        """As sums, the dice that burn apart from the others."""
        dice = [(die, 1) for die in pool.dice]
        safe = count_totals(Pool(*dice[: self.safe]), lambda face: (self._of(int(face)), 0))
        burning = count_totals(
            Pool(*dice[self.safe :]),
            lambda face: (self._of(int(face)), int(int(face) <= FACES["burn"])),
        )
        counts: Counts[Rolled] = {}
        for one, ways in safe.items():
            for other, more in burning.items():
                successes, ones = map(sum, zip(one or (0, 0), other or (0, 0), strict=True))
                key = Rolled(self._held(successes), ones)
                counts[key] = counts.get(key, 0) + ways * more
        return counts


@lru_cache(maxsize=1024)
def pool_of(
    first: tuple[int, int], second: tuple[int, int], labels: tuple[str, str] = ("", "")
) -> Pool:
    """Dice of two kinds, each given as sides and number; the same object for the same dice.

    Args:
        first: one kind.
        second: the other.
        labels: what the dice of each kind are for.
    """
    runs = ((labels[0], first[1]), (labels[1], second[1]))
    return Pool((d(first[0]), first[1]), (d(second[0]), second[1]), labels=runs)


ACTION_DICE = ("Proficiency", "exertion")
"""The dice of an action."""


@cites("AF-24", "AF-25")
class Cancels(NamedTuple):
    """Defence dice: how many points they cancel, at most `most`. No face counts twice."""

    most: int

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """Points that these faces cancel."""
        return min(self.most, sum(int(face) >= FACES["sustain"] for face in faces))

    def counted(self, pool: Pool) -> Counts[int]:
        """By binomials."""
        sides = max((len(die.faces) for die, _ in pool.groups), default=0)
        sustains = frozenset(range(FACES["sustain"], sides + 1))
        counts: Counts[int] = {}
        for (cancels,), ways in count_tallies(pool, (sustains,)).items():
            held = min(self.most, cancels)
            counts[held] = counts.get(held, 0) + ways
        return counts


@cites("AF-39", "AF-51")
class Healed(NamedTuple):
    """Hit Dice that healing restores: the sum of the dice."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """Add up these faces."""
        return sum(map(int, faces))

    def counted(self, pool: Pool) -> Counts[int]:
        """By the sum of the dice."""
        return count_sums(pool)


@cites("AF-52")
class Check(NamedTuple):
    """A Resolve check: what it does to Resolve."""

    def _of(self, face: Face) -> int:
        if int(face) >= FACES["rally"]:
            return RESOLVE["check"]
        return 0 if int(face) >= FACES["held"] else -RESOLVE["check"]

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """The change that this face brings."""
        return self._of(faces[0])

    def counted(self, pool: Pool) -> Counts[int]:
        """Face by face."""
        return count_faces(pool, self._of)


@cites("AF-60", "AF-61")
class Speed(NamedTuple):
    """Initiative: the value, the highest single die, ones on exertion dice.

    Attributes:
        safe: how many dice can't burn.
        threshold: where successes are counted, from which face; 0: faces are summed.
        ties: whether the highest die matters.
    """

    safe: int
    threshold: int = 0
    ties: bool = True

    def _of(self, face: int) -> int:
        if not self.threshold:
            return face
        return 2 if face >= FACES["double"] else int(face >= self.threshold)

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, int, int]:
        """Value, highest die and ones of these faces."""
        numbers = [int(face) for face in faces]
        top = max(numbers, default=0) if self.ties else 0
        ones = sum(face <= FACES["burn"] for face in numbers[self.safe :])
        return sum(map(self._of, numbers)), top, ones

    def counted(self, pool: Pool) -> Counts[tuple[int, int, int]]:
        """Die by die."""
        counts: Counts[tuple[int, int, int]] = {(0, 0, 0): 1}
        for place, die in enumerate(pool.dice):
            burns = place >= self.safe
            grown: Counts[tuple[int, int, int]] = {}
            for (value, top, ones), ways in counts.items():
                for face, weight in die.weighted:
                    key = (
                        value + self._of(int(face)),
                        max(top, int(face)) if self.ties else 0,
                        ones + int(burns and int(face) <= FACES["burn"]),
                    )
                    grown[key] = grown.get(key, 0) + ways * weight
            counts = grown
        return counts


@cites("AF-60", "AF-61")
def least_rank(value: int) -> int:
    """A rank below that of everybody who rolled this value, and above those of lower values."""
    return value * (len(DIE.faces) + 1)


class Rank(NamedTuple):
    """Initiative as one number: first the value, then the highest single die."""

    speed: Speed

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """The rank of these faces."""
        return self._of(self.speed(faces))

    def _of(self, speed: tuple[int, int, int]) -> int:
        value, top, _ = speed
        return least_rank(value) + top

    def counted(self, pool: Pool) -> Counts[int]:
        """From the counts of values and highest dice."""
        counts: Counts[int] = {}
        for speed, ways in self.speed.counted(pool).items():
            counts[self._of(speed)] = counts.get(self._of(speed), 0) + ways
        return counts
