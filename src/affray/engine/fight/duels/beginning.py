"""The ways in which a duel can begin: who goes first in its rounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.answers import Case
from affray.engine.fight.duels.duelists import Duelist

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["ANY_START", "Start", "initiatives", "starts_of"]


class Start(NamedTuple):
    """A case with the probability, for each pair of conditions, that side one goes first.

    And for each side how many interludes come before its turn, as in `Lead`.
    """

    case: Case
    leads: Floats | float
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
    what = f"{len(by_order)} orders of initiative"
    n_pairs = prod(len(duelist.conditions) for duelist in duelists)
    meter_in_force().claim(8 * n_pairs * (1 + len(by_order)), what)
    names = [side.name for side in contest.sides]
    start = duelists[0].start, duelists[1].start
    for chance, small in by_order.values():
        at_start = float(small[which[0][start[0]], which[1][start[1]]])
        same = bool((small == at_start).all())
        shape = len(which[0]), len(which[1])
        first = np.broadcast_to(at_start, shape) if same else small[np.ix_(*which)]
        number = None if at_start == 0.5 else 1 - int(at_start)
        name = "a tie, rolled off" if number is None else f"{names[number]} goes first"
        whole = same and at_start in {0.0, 1.0}
        yield Start(Case(name, chance, number), at_start if whole else first, before)
