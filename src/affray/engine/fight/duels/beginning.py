"""The ways in which a duel can begin: who goes first in its rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import Lead
from affray.engine.fight.duels.answers import Case
from affray.engine.fight.duels.duelists import Duelist

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["ANY_START", "Leads", "Start", "initiatives", "starts_of"]


class Leads(NamedTuple):
    """How likely side one goes first in a round; numpy makes an array by pair of conditions of it.

    Attributes:
        table: by the kinds of conditions of both sides. of: the kind of each condition.
    """

    table: Floats
    of: tuple[Ints, Ints]

    def at(self, one: Ints, other: Ints) -> Floats:
        """How likely it is for pairs of conditions."""
        found: Floats = self.table[self.of[0][one], self.of[1][other]]
        return found

    def always(self, chance: float) -> Leads:
        """The same chance for all pairs."""
        return self._replace(table=0 * self.table + chance)

    def mean(self) -> float:
        """The mean over all pairs."""
        import numpy as np  # heavy; only where fights are worked out

        one, other = (
            np.bincount(kinds, minlength=n) / len(kinds)
            for kinds, n in zip(self.of, self.table.shape, strict=True)
        )
        return float(one @ self.table @ other)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Floats:  # noqa: FBT001
        import numpy as np  # heavy; only where fights are worked out

        return np.asarray(self.table[np.ix_(*self.of)], dtype)


class Start(NamedTuple):
    """A case with the probability, for each pair of conditions, that side one goes first.

    And for each side how many interludes come before its turn, as in `Lead`.
    """

    case: Case
    leads: Leads | float
    before: tuple[int, ...] = ()


ANY_START = Case("whoever goes first", Fraction(1), None)
"""The only way to begin where it makes no difference who goes first."""


def starts_of(contest: Contest, duelists: tuple[Duelist, Duelist]) -> Iterator[Start]:
    """Every way to begin that makes a difference."""
    names = [side.name for side in contest.sides]
    by_before: dict[tuple[int, ...], list[Lead]] = {}
    one, other = duelists
    rolls = contest.rolled(one.sheet), contest.rolled(other.sheet)
    for lead in contest.course.leads(rolls):
        if lead.side is None:
            by_before.setdefault(lead.before, []).append(lead)
        else:
            case = Case(f"{names[lead.side]} goes first", lead.chance, lead.side)
            yield Start(case, 1.0 - lead.side)
    for leads in by_before.values():
        yield from initiatives(contest, duelists, leads)


def initiatives(
    contest: Contest, duelists: tuple[Duelist, Duelist], leads: Sequence[Lead]
) -> Iterator[Start]:
    """The ways to begin by initiative, those of one order together.

    Args:
        contest: the fight.
        duelists: the fighters of both sides.
        leads: with the same interludes before each turn.
    """
    import numpy as np  # heavy; only where fights are worked out

    fight, rulings = contest.fight, contest.rulings
    assert fight.initiative is not None  # Contest saw to it
    kinds: list[Ints] = []
    which: list[Ints] = []
    for duelist in duelists:
        rows = [fight.initiative(duelist.sheet, c, rulings) for c in duelist.conditions]
        for here, over in enumerate(zip(duelist.is_out, duelist.is_over, strict=True)):
            if any(over):  # whoever is out goes neither first nor last
                rows[here] = rows[duelist.start]
        kind, of = np.unique(np.array(rows), axis=0, return_inverse=True)
        kinds.append(kind)
        which.append(of.ravel())
    mine, theirs = kinds[0][:, None], kinds[1][None, :]
    tie = np.sign(mine[..., 1] - theirs[..., 1])
    by_order: dict[bytes, tuple[Fraction, Floats]] = {}
    for lead in leads:
        order = np.sign(mine[..., 0] - theirs[..., 0] + lead.ahead)
        order = np.where(order == 0, tie, order)
        small = np.where(order == 0, 1 - lead.ties, order > 0).astype(float)
        known = by_order.setdefault(small.tobytes(), (Fraction(0), small))
        by_order[small.tobytes()] = (known[0] + lead.chance, known[1])
    names = [side.name for side in contest.sides]
    start = duelists[0].start, duelists[1].start
    for chance, small in by_order.values():
        at_start = float(small[which[0][start[0]], which[1][start[1]]])
        same = bool((small == at_start).all())
        number = 1 - int(at_start)
        ahead = at_start if same else Leads(small, (which[0], which[1]))
        yield Start(Case(f"{names[number]} goes first", chance, number), ahead, leads[0].before)
