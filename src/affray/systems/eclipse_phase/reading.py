"""From faces to what they mean: tests, opposed tests, damage."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from affray.core.dice import Face, Pool
from affray.core.lazy import NamedTuple
from affray.core.reading import Counts, count_faces, count_sums
from affray.core.step import cites
from affray.systems.eclipse_phase.tables import BLIND_MISS_BELOW, CONFUSED, SUPERIOR, round_half_up

__all__ = [
    "HELD",
    "LOST",
    "TIED",
    "DamageRead",
    "DefenseRead",
    "Detail",
    "Result",
    "TestRead",
    "WideRead",
    "Winner",
    "Zero",
    "classify",
    "face_results",
    "flipped",
    "strength",
]  # fmt: skip


Zero = Literal["", "ordinary", "critical", "may_fail"]
"""00 counts like this in a defaulting test, by ruling; empty for a trained test."""
Detail = Literal["face", "rank", "pass"]
"""A read keeps this of a test: its face, what an opposed test compares, or success alone."""
Winner = Literal["attack", "defense", "nobody"]
"""One of these prevails in an opposed test."""


class Result(NamedTuple):
    """The result of a test.

    Attributes:
        success: whether it succeeded.
        critical: whether it is a critical success or failure.
        superior: superior successes (1, 2) or superior failures (-1, -2).
        face: what the die shows; numbers that make no difference share one.
    """

    success: bool
    critical: bool
    superior: int
    face: int


LOST = Result(False, False, 0, 0)
"""A defense that does not stop the attack it was rolled against."""
FUMBLED = Result(False, True, 0, 0)
"""A critical failure."""
HELD = Result(True, True, 0, 99)
"""A defense that stops it."""
HELD_CRITICALLY = Result(True, True, 1, 99)
"""A critical success that stops it."""
TIED = Result(True, False, 0, -1)
"""A defense that succeeds with the very number of the attack, where that matters."""


def _band(face: int) -> int:
    return 2 if face >= SUPERIOR[2] else 1 if face >= SUPERIOR[1] else 0


def _low_band(face: int) -> int:
    return -2 if face <= SUPERIOR[1] else -1 if face <= SUPERIOR[2] else 0


def _is_double(face: int) -> bool:
    return face % 11 == 0


# Results don't depend on the target number except for success: two rows of a hundred serve all.
_SUCCESS = [
    Result(True, _is_double(f), 0 if _is_double(f) else _band(f), f) for f in range(100)
]  # fmt: skip
_UNSKILLED = [Result(True, False, _band(f), f) for f in range(100)]
_FAILURE = [
    Result(False, _is_double(f), 0 if _is_double(f) else _low_band(f), f) for f in range(100)
]  # fmt: skip


@cites("EP-1", "EP-2", "EP-3", "EP-4", "EP-5", "EP-6")
@lru_cache(maxsize=4096)
def face_results(tn: int, zero: Zero = "") -> tuple[Result, ...]:
    """Each face 0 to 99 comes to this against a target number.

    Args:
        tn: target number, any integer.
        zero: empty for a trained test; for a defaulting one the ruling on 00 ("ordinary",
            "critical", "may_fail"): critical successes are then ignored.

    >>> [face_results(70)[face].superior for face in (32, 33, 34, 66, 67)]
    [0, 0, 1, 0, 2]
    """
    last = max(0, min(tn, 98))
    good = _UNSKILLED if zero else _SUCCESS
    first = good[0]
    if zero == "critical":
        first = _SUCCESS[0]
    elif zero == "may_fail" and tn < 0:
        first = _FAILURE[0]
    return (first, *good[1 : last + 1], *_FAILURE[last + 1 :])


def classify(face: int, tn: int, zero: Zero = "") -> Result:
    """One face comes to this; arguments as for `face_results`."""
    return face_results(tn, zero)[face]


@cites("EP-20")
def flipped(face: int) -> int:
    """The face with its two digits swapped: 96 becomes 69, 7 becomes 70.

    >>> [flipped(face) for face in (7, 70, 40, 96, 11, 0, 99)]
    [70, 7, 4, 69, 11, 0, 99]
    """
    return face % 10 * 10 + face // 10


CRITICAL = 201
"""The strength of the lowest critical success."""


@cites("EP-14", "EP-15", "EP-16")
def strength(result: Result) -> int:
    """One number to compare two tests by: failure, success by face, critical by face."""
    if not result.success:
        return 0
    return result.face + (CRITICAL if result.critical else 1)


class TestRead(NamedTuple):
    """A d100 against a target number.

    Attributes:
        tn: target number.
        zero: as for `face_results`.
        detail: "face" keeps what the die shows; "rank" keeps what an opposed test compares;
            "pass" only whether it succeeded.
        beyond: with "rank", faces above this one are alike (no opponent can reach them).
        failures: whether superior failures are kept.
    """

    tn: int
    zero: Zero = ""
    detail: Detail = "face"
    beyond: int = 98
    failures: bool = False

    def __call__(self, faces: tuple[Face, ...]) -> Result:
        """The result of this face."""
        return self.of(faces[0])

    def of(self, face: Face) -> Result:
        """The result of one face, as far as it matters."""
        return self.kept(face_results(self.tn, self.zero)[int(face)])

    def kept(self, result: Result) -> Result:
        """A result without what makes no difference."""
        if self.detail == "face":
            return result
        if self.detail == "pass":
            return HELD if result.success else LOST
        if not result.success:
            if self.failures:
                return Result(False, result.critical, result.superior, 0)
            return FUMBLED if result.critical else LOST
        if result.face > self.beyond:
            return result._replace(face=self.beyond + 1)
        return result

    def counted(self, pool: Pool) -> Counts[Result]:  # noqa: ARG002  # always one d100
        """Face by face."""
        results = face_results(self.tn, self.zero)
        if self.detail == "face":
            return dict.fromkeys(results, 1)
        kept = _kept_by(self.detail, self.beyond, failures=self.failures)
        return dict(Counter(map(kept, results)))


@lru_cache(maxsize=512)
def _kept_by(detail: Detail, beyond: int, *, failures: bool) -> Callable[[Result], Result]:
    """`TestRead.kept`, which is the same for all target numbers, once for each result."""
    return lru_cache(maxsize=512)(TestRead(0, "", detail, beyond, failures).kept)


@lru_cache(maxsize=4096)
def _strength_of_each(tn: int, zero: Zero) -> list[int]:
    """The strength of each face; arguments as for `face_results`."""
    return list(map(strength, face_results(tn, zero)))


@lru_cache(maxsize=4096)
def _strengths(tn: int, zero: Zero) -> list[int]:
    """The strengths of all faces, sorted; arguments as for `face_results`."""
    return sorted(_strength_of_each(tn, zero))


@cites("EP-17", "EP-53", "EP-55", "EP-56")
class DefenseRead(NamedTuple):
    """A defender's d100 against the attack it has to stop: stopped or not.

    Attributes:
        tn, zero: as for `TestRead`.
        against: strength of the attacker's result.
        tie: who prevails on equal strength: "attack", "defense" or "nobody".
        tells: whether a critical success that stops the attack is told from another success.
    """

    tn: int
    zero: Zero
    against: int
    tie: Winner
    tells: bool = True

    def __call__(self, faces: tuple[Face, ...]) -> Result:
        """`LOST`, `HELD`, `HELD_CRITICALLY` or `TIED`."""
        return self._of(_strength_of_each(self.tn, self.zero)[int(faces[0])])

    def each(self) -> list[Result]:
        """The same for every face from 0 to 99."""
        return list(map(self._of, _strength_of_each(self.tn, self.zero)))

    def _of(self, own: int) -> Result:
        """The same for a defense of this strength."""
        if own < self.against or (own == self.against and self.tie == "attack"):
            return LOST
        if own == self.against and self.tie == "nobody":
            return TIED
        return HELD_CRITICALLY if self.tells and own >= CRITICAL else HELD

    def counted(self, pool: Pool) -> Counts[Result]:  # noqa: ARG002  # always one d100
        """By the place of the attack among the sorted strengths of the defense."""
        own, lost = _strengths(self.tn, self.zero), self.lost
        tied = bisect_right(own, self.against) - lost if self.tie == "nobody" else 0
        held = 100 - lost - tied
        critical = min(held, 100 - bisect_left(own, CRITICAL)) if self.tells else 0
        rows = (
            (LOST, lost), (TIED, tied), (HELD, held - critical), (HELD_CRITICALLY, critical),
        )  # fmt: skip
        return {result: ways for result, ways in rows if ways}

    @property
    def lost(self) -> int:
        """The number of faces that don't stop the attack."""
        below = bisect_right if self.tie == "attack" else bisect_left
        return below(_strengths(self.tn, self.zero), self.against)


@cites("EP-101")
class WideRead(NamedTuple):
    """The d100 of a blind shot: whether it goes wide on its own."""

    def __call__(self, faces: tuple[Face, ...]) -> bool:
        """True when the shot misses."""
        return self.of(faces[0])

    @staticmethod
    def of(face: Face) -> bool:
        """This face misses."""
        return int(face) < BLIND_MISS_BELOW

    def counted(self, pool: Pool) -> Counts[bool]:
        """Face by face."""
        return count_faces(pool, self.of)


@cites("EP-115")
class ConfusionRead(NamedTuple):
    """The d100 of somebody confused: from 75 on they attack whoever is near."""

    def __call__(self, faces: tuple[Face, ...]) -> bool:
        """True when they attack."""
        return self.of(faces[0])

    @staticmethod
    def of(face: Face) -> bool:
        """This face attacks."""
        return int(face) >= CONFUSED["attacks_from"]

    def counted(self, pool: Pool) -> Counts[bool]:
        """Face by face."""
        return count_faces(pool, self.of)


@cites("EP-153", "EP-60")
class DamageRead(NamedTuple):
    """Damage dice to DV: sum, floor at 0, factors, one rounding, cap.

    The faces come as weapon dice first, then extras, then dice that are subtracted.

    Attributes:
        flat: added to the sum.
        minus: how many d10 at the end are subtracted.
        factor: numerator and denominator of everything that multiplies the whole.
        weapon: how many dice at the start belong to the weapon, where `weapon_factor` differs.
        weapon_flat: how much of `flat` is the weapon's own.
        weapon_factor: numerator and denominator of what multiplies the weapon's part alone.
        steps: factors to be rounded one after the other instead of at once.
        most: the highest DV there can be, or None.
    """

    flat: int = 0
    minus: int = 0
    factor: tuple[int, int] = (1, 1)
    weapon: int = 0
    weapon_flat: int = 0
    weapon_factor: tuple[int, int] = (1, 1)
    steps: tuple[tuple[int, int], ...] = ()
    most: int | None = None

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """The DV of these faces."""
        numbers = [int(face) for face in faces]
        plus = numbers[: len(numbers) - self.minus]
        lost = sum(numbers[len(plus) :])
        if self.weapon_factor == (1, 1):
            return self.of(sum(plus) - lost)
        return self.split(sum(plus[: self.weapon]), sum(plus[self.weapon :]) - lost)

    def of(self, total: int) -> int:
        """The DV of a sum of dice."""
        return self._multiplied(max(0, total + self.flat), 1)

    def split(self, own: int, extra: int) -> int:
        """The DV of the weapon's own dice and of the extras, each with its factor."""
        up, down = self.weapon_factor
        whole = (own + self.weapon_flat) * up + (extra + self.flat - self.weapon_flat) * down
        return self._multiplied(max(0, whole), down)

    def _multiplied(self, top: int, bottom: int) -> int:
        if self.steps:
            top, bottom = round_half_up(top, bottom), 1
        for up, down in self.steps:
            top = round_half_up(top * up, down)
        up, down = self.factor
        value = round_half_up(top * up, bottom * down)
        return value if self.most is None or value < self.most else self.most

    def counted(self, pool: Pool) -> Counts[int]:
        """By sums. A subtracted d10 is a d10 less 11: the two are alike in distribution."""
        if self.weapon_factor == (1, 1):
            plain = self._replace(flat=0) == _PLAIN
            if plain and self.flat + pool.size >= 0:
                return count_sums(pool, self.flat.__add__)
            return count_sums(pool, lambda total: self.of(total - 11 * self.minus))
        dice = pool.dice
        own: Counts[int] = count_sums(Pool(*[(die, 1) for die in dice[: self.weapon]]))
        rest: Counts[int] = count_sums(Pool(*[(die, 1) for die in dice[self.weapon :]]))
        counts: Counts[int] = {}
        for first, ways in own.items():
            for second, more in rest.items():
                dv = self.split(first, second - 11 * self.minus)
                counts[dv] = counts.get(dv, 0) + ways * more
        return counts


_PLAIN = DamageRead()
