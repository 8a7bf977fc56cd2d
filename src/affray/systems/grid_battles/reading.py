"""From faces to what they mean: Damage and Bonus Damage of attack dice, Shields of defense dice."""

from __future__ import annotations

from affray.core.dice import Face, Pool
from affray.core.lazy import NamedTuple
from affray.core.reading import Counts, count_totals
from affray.core.step import cites

__all__ = ["Rolled", "Shields", "Symbols"]


class Rolled(NamedTuple):
    """The symbols that attack dice show together; Bonus Damage only where it counts."""

    damage: int = 0
    bonus: int = 0


@cites("GB-11", "GB-12")
class Symbols(NamedTuple):
    """Symbols on all attack dice, added up; other symbols say nothing there.

    Attributes:
        advantage: whether Bonus Damage counts; if not, nobody needs to know of it.
    """

    advantage: bool

    def _on(self, face: Face) -> tuple[int, int]:
        shown = str(face)
        return shown.count("d"), shown.count("b") if self.advantage else 0

    def __call__(self, faces: tuple[Face, ...]) -> Rolled:
        """The sums over these faces."""
        rows = [self._on(face) for face in faces]
        return Rolled(sum(row[0] for row in rows), sum(row[1] for row in rows))

    def counted(self, pool: Pool) -> Counts[Rolled]:
        """By sums, die by die."""
        if not pool.size:
            return {Rolled(): 1}
        return {Rolled(*sums): ways for sums, ways in count_totals(pool, self._on).items()}


@cites("GB-13")
class Shields(NamedTuple):
    """Shields on all defense dice, added up."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """The sum over these faces."""
        return sum(str(face).count("s") for face in faces)

    def counted(self, pool: Pool) -> Counts[int]:
        """By sums, die by die."""
        if not pool.size:
            return {0: 1}
        rows = count_totals(pool, lambda face: (str(face).count("s"),))
        return {shields: ways for (shields,), ways in rows.items()}
