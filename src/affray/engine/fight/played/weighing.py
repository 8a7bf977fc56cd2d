"""What each option of a decision in a fight is worth to the side that decides: its chance to win.

Where the chances are known exactly, in a fight of two that is quick, they are compared. Else fights
are played out from each option, all options with the same luck, and those that promise most get
most of them: a bandit that goes by UCB1 (Auer, Cesa-Bianchi and Fischer 2002). No option is left
with less than a part of its equal share, so that its interval says something.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, log, sqrt

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, spending
from affray.engine.fight.course import Verdict
from affray.engine.fight.played.chances import Chances, exact_chances
from affray.engine.fight.played.playouts import Players, Playout
from affray.engine.fight.played.position import Position
from affray.engine.fight.sampled.estimate import share_of

__all__ = ["Tried", "is_clear", "weigh"]

SIDES: tuple[Verdict, Verdict] = ("one", "other")
"""The verdicts that a side has won."""
AT_ONCE = 4
"""Fights that are played out from one option before another one is looked at; at first one."""
USUAL_BATTLES = 400
"""Fights where neither seconds nor a number of them are given."""
ALLOWANCE = 0.5
"""The weight of the allowance for options seldom tried; 1 is that of UCB1 by the book."""
NEGLECTED = 4
"""Every option gets at least this part of its equal share."""
CLEARLY = 2.0
"""Standard deviations by which an option has to be ahead of the usual one."""
EXACTLY = 0.5
"""The share of the time that exact chances may take."""


class Tried(NamedTuple):
    """An option with its chances.

    Attributes:
        name: of the option.
        chances: those of both sides once it is taken; None: no fight was played out from it.
        score: what that is worth to the side that decides; a fight that neither wins is half.
    """

    name: str
    chances: Chances | None
    score: float


def is_clear(one: Tried, other: Tried) -> bool:
    """Whether one option is better than another for certain enough."""
    if one.chances is None or other.chances is None:
        return one.chances is not None
    if one.chances.is_exact and other.chances.is_exact:
        return one.score > other.score
    noise = sum(_noise(tried.score, tried.chances.n) for tried in (one, other) if tried.chances)
    return one.score - other.score > CLEARLY * sqrt(noise)


def _noise(score: float, n: int) -> float:
    """The variance of a share of so many fights; two more are taken to have gone either way."""
    share = (score * n + 1) / (n + 2)
    return share * (1 - share) / (n + 2)


class _Arm:
    """One option, with the fights that were played out from it."""

    def __init__(self, name: str, here: Position, players: Players, seed: int) -> None:
        self.name = name
        self.playout = Playout(here, players, seed)
        self.won = [0, 0]
        self.n = 0

    def play(self) -> None:
        """Play one more fight out."""
        verdict = self.playout.verdict()
        self.n += 1
        if verdict in SIDES:
            self.won[SIDES.index(verdict)] += 1

    def score(self, side: int) -> float:
        """The share of fights that this side won, others that nobody won half."""
        return (self.won[side] + self.n - self.won[1 - side]) / (2 * self.n)

    @property
    def chances(self) -> Chances:
        """The chances of both sides."""
        one, other = (share_of(won, self.n) for won in self.won)
        return Chances((one, other), share_of(self.n - sum(self.won), self.n), self.n)


def weigh(
    options: Mapping[str, Position],
    side: int,
    players: Players,
    *,
    seed: int = 1,
    budget: Budget | None = None,
) -> tuple[Tried, ...]:
    """What each option is worth to a side, in the order in which they are on offer.

    Args:
        options: by name, the position to which each of them leads.
        side: the number of the side that decides.
        players: how fights are played out.
        seed: of what is drawn; the same for all options.
        budget: `seconds` and `battles` for all of them together.

    Raises:
        LimitError: not even one fight could be played out.
    """
    with spending(budget) as clock:
        exact = _exactly(options, side, clock.part(EXACTLY))
        if exact:
            return exact
        arms = [_Arm(name, here, players, seed) for name, here in options.items()]
        on_a_board = any(here.board is not None for here in options.values())
        at_once = 1 if on_a_board else AT_ONCE  # there a fight takes long
        most = clock.battles(USUAL_BATTLES if clock.deadline == inf else 10**9)
        if not most:
            raise LimitError("no fight may be played out: 0 battles are allowed", limit="battles")
        played = 0
        try:
            while played < most:
                clock.poll()
                arm = _promising(arms, side, played)
                for _ in range(min(at_once if arm.n else 1, most - played)):
                    arm.play()
                    played += 1
        except LimitError:
            if not played:
                raise
    return tuple(
        Tried(arm.name, arm.chances, arm.score(side)) if arm.n else Tried(arm.name, None, -1.0)
        for arm in arms
    )


def _exactly(
    options: Mapping[str, Position], side: int, budget: Budget
) -> tuple[Tried, ...] | None:
    """The same, if all of it is known exactly within a budget."""
    found = []
    with spending(budget):
        for name, here in options.items():
            chances = exact_chances(here)
            if chances is None:
                return None
            won = [chance.value for chance in chances.won]
            found.append(Tried(name, chances, (won[side] + 1 - won[1 - side]) / 2))
    return tuple(found)


def _promising(arms: list[_Arm], side: int, played: int) -> _Arm:
    """The option from which to play out next."""
    least = min(arms, key=lambda arm: arm.n)
    if NEGLECTED * len(arms) * least.n <= played:
        return least
    wide = ALLOWANCE * ALLOWANCE * 2 * log(played)
    return max(arms, key=lambda arm: arm.score(side) + sqrt(wide / arm.n))
