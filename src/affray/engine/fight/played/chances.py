"""The chances of both sides from a position on: who wins, if the computer plays it out.

Two ways, and the answer says which:

    exactly    in a fight of two, between two exchanges. The round is followed to its end over
               every effect that exchanges have; what pairs of conditions are worth at the start of
               a round is known from the duel, worked out once for all positions of a fight
    sampled    always. The fight is played out over and over; exchanges are not played die by die,
               their effects are drawn from their exact odds

Exchanges are decided by the contest's plans, targets by rules: the same as in battles.
"""

from __future__ import annotations

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, spending
from affray.engine.fight.course import Verdict
from affray.engine.fight.played.foresight import UnforeseenError, foresight_of
from affray.engine.fight.played.playouts import Players, Playout
from affray.engine.fight.played.position import Position
from affray.engine.fight.sampled.estimate import Estimate, share_of

__all__ = ["Chances", "chances", "exact_chances", "sampled_chances"]

AT_ONCE = 32
"""Fights that are played out between two looks at the clock."""
USUAL = Players()


class Chances(NamedTuple):
    """The chances of a fight from some position on.

    Attributes:
        won: that each side wins, with the interval that holds the truth 95 times in 100; of
            nothing but the value itself, where it is exact.
        neither: that neither does.
        n: how many fights were played out; 0: it is exact.
    """

    won: tuple[Estimate, Estimate]
    neither: Estimate
    n: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether nothing was sampled."""
        return self.n == 0


def chances(
    here: Position, players: Players = USUAL, *, seed: int = 1, budget: Budget | None = None
) -> Chances:
    """The chances from a position on: exact where that is cheap, else sampled.

    Args:
        here: the position; its contest's plans decide.
        players: how it is played out.
        seed: of what is drawn.
        budget: `seconds` and `battles` are what it may take.

    Raises:
        LimitError: not even a few fights could be played out.
    """
    with spending(budget) as clock:
        exact = exact_chances(here, budget=clock.part(0.5))
        return exact or sampled_chances(here, players, seed=seed)


def exact_chances(here: Position, *, budget: Budget | None = None) -> Chances | None:
    """The chances from a position on, exactly; None where that is not known, or not cheap.

    Args:
        here: a position of a fight of two.
        budget: as for `chances`.
    """
    if here.moment.verdict is not None:
        first, second = (float(here.moment.verdict == side) for side in ("one", "other"))
        return Chances((_certain(first), _certain(second)), _certain(1 - first - second))
    foresight = foresight_of(here)
    if foresight is None:
        return None
    try:
        with spending(budget):
            one, other = foresight.worth(here)
    except UnforeseenError:
        return None
    except LimitError:
        foresight.duels.too_large = True
        return None
    neither = max(0.0, 1 - one - other)
    return Chances((_certain(one), _certain(other)), _certain(neither))


def _certain(value: float) -> Estimate:
    return Estimate(value, value, value)


def sampled_chances(
    here: Position,
    players: Players = USUAL,
    *,
    seed: int = 1,
    budget: Budget | None = None,
    most: int = 1000,
) -> Chances:
    """The chances from a position on, from fights that are played out.

    Args:
        here: the position; its contest's plans decide.
        players: how it is played out.
        seed: of what is drawn.
        budget: as for `chances`.
        most: how many fights at most.

    Raises:
        LimitError: not even a few fights could be played out.
    """
    playout = Playout(here, players, seed)
    counts: dict[Verdict, int] = {}
    n = 0
    with spending(budget) as clock:
        most = clock.battles(most)
        try:
            while n < most:
                clock.poll()
                for _ in range(min(1 if here.board is not None else AT_ONCE, most - n)):
                    verdict = playout.verdict()
                    counts[verdict] = counts.get(verdict, 0) + 1
                    n += 1
        except LimitError:
            if not n:
                raise
    one, other = counts.get("one", 0), counts.get("other", 0)
    return Chances((share_of(one, n), share_of(other, n)), share_of(n - one - other, n), n)
