"""The ways in which a duel can begin: who goes first in its rounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.engine.fight.contest import Contest
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
    by_ahead: dict[tuple[int, ...], dict[int, Fraction]] = {}
    one, other = duelists
    rolls = contest.rolled(one.sheet), contest.rolled(other.sheet)
    for lead in contest.course.leads(rolls):
        if lead.side is None:
            by_ahead.setdefault(lead.before, {})[lead.ahead] = lead.chance
        else:
            case = Case(f"{names[lead.side]} goes first", lead.chance, lead.side)
            yield Start(case, 1.0 - lead.side)
    for before, chances in by_ahead.items():
        yield from initiatives(contest, duelists, chances, before)


def initiatives(
    contest: Contest,
    duelists: tuple[Duelist, Duelist],
    by_ahead: dict[int, Fraction],
    before: tuple[int, ...] = (),
) -> Iterator[Start]:
    """The ways to begin by initiative, those of one order together.

    Args:
        contest: the fight.
        duelists: the fighters of both sides.
        by_ahead: by how much the first side's roll is ahead of the other's, with chances.
        before: as in `Start`.
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
    for ahead, chance in by_ahead.items():
        order = np.sign(mine[..., 0] - theirs[..., 0] + ahead)
        small = (np.where(order == 0, tie, order) + 1) / 2
        known = by_order.setdefault(small.tobytes(), (Fraction(0), small))
        by_order[small.tobytes()] = (known[0] + chance, known[1])
    names = [side.name for side in contest.sides]
    start = duelists[0].start, duelists[1].start
    for chance, small in by_order.values():
        at_start = float(small[which[0][start[0]], which[1][start[1]]])
        same = bool((small == at_start).all())
        number = None if at_start == 0.5 else 1 - int(at_start)
        name = "a tie, rolled off" if number is None else f"{names[number]} goes first"
        whole = same and at_start in {0.0, 1.0}
        leads = at_start if whole else Leads(small, (which[0], which[1]))
        yield Start(Case(name, chance, number), leads, before)
