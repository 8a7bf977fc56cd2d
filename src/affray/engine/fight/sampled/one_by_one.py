"""Battles played one after the other, and what they come to; see `affray.engine.fight.played`.

Slower by far than by tables, but nothing is too large for it: no exchange is followed to all of its
ends, and nothing is kept of a battle that is over.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from affray.core.meter import metered
from affray.engine.budget import Budget, Clock, clock_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.deciding import Deciding
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.record import PlayedBattle, PlayedExchange
from affray.engine.fight.sampled.arrays import Floats
from affray.engine.fight.sampled.sums import MOST_COUNTED, Moments, PairedSums, Sums
from affray.engine.fight.targeting import Targeting

__all__ = ["Played", "paired", "sums_of_played"]

SOLVING = 0.5
"""The share of the seconds left that may go into solving choices that plans leave open."""
GRACE_S = 2.0
"""Seconds that the first battle may take at least, whatever is left: one is better than none."""
KEPT = 1_000
"""Battles after which what was worked out is forgotten: most of it never comes again."""
SEEDS = 1 << 32
"""Battles of one seed; those of the next have seeds beyond them."""


class Played:
    """Battles of a contest that are played one by one, each with a seed of its own.

    Args:
        contest: the fight.
        targeting: how each side chooses its targets.
        how: the rounds after which a battle has stalled, the seed, and the clock that runs.
    """

    def __init__(
        self, contest: Contest, targeting: tuple[Targeting, Targeting], how: tuple[int, int, Clock]
    ) -> None:
        self.contest, self.targeting = contest, targeting
        self.rounds, self.seed, self.clock = how
        seconds = None if self.clock.seconds is None else SOLVING * max(0.0, self.clock.left)
        self.deciding = Deciding(seconds)
        self._n = 0

    def battle(self, number: int) -> PlayedBattle:
        """The battle with a number; the first of all may go beyond the budget.

        Raises:
            LimitError: the budget is spent.
        """
        self._n += 1
        if self._n % KEPT == 0:
            self.contest.forget()
        with metered(clock_in_force() if number else self._beyond()):
            return play_battle(
                self.contest, seed=self.seed * SEEDS + number, targeting=self.targeting,
                rounds=self.rounds, deciding=self.deciding,
            )  # fmt: skip

    def sums(self, number: int) -> Sums:
        """The battle with a number, as counts and sums."""
        before = self.deciding.by_thumb
        sums = sums_of_played(self.contest, self.battle(number))
        return sums._replace(by_thumb=self.deciding.by_thumb - before)

    def _beyond(self) -> Clock:
        """A clock for the first battle: what is left, and as long again as was given."""
        clock = self.clock
        if clock.seconds is None:
            return Clock(Budget(), clock)
        left = max(0.0, clock.left) + max(GRACE_S, clock.seconds)
        return Clock(Budget(seconds=left, stop=lambda: clock.over() == "interrupted"))


def paired(one: Sums, other: Sums) -> tuple[Sums, Sums, PairedSums]:
    """A battle of each of two setups, and what they differ by."""
    wins = np.array([one.won[0]]), np.array([other.won[0]])
    rounds = np.array(list(one.histogram)), np.array(list(other.histogram))
    return one, other, PairedSums.of(wins, rounds)


def sums_of_played(contest: Contest, battle: PlayedBattle) -> Sums:
    """One battle as counts and sums."""
    fight = contest.fight
    standing = [
        [not fight.is_out(*one) for one in zip(side.fighters, conditions, strict=True)]
        for side, conditions in zip(contest.sides, battle.conditions, strict=True)
    ]
    dealt, taken, outs = _harm(contest, battle)
    sizes = contest.course.sizes
    whole = np.repeat([dealt[: sizes[0]].sum(), dealt[sizes[0] :].sum()], sizes)
    one, other = (sum(side) for side in standing)
    verdict = battle.verdict
    return Sums(
        1,
        (int(verdict == "one"), int(verdict == "other")),
        int(verdict == "drawn"),
        int(verdict == "ended"),
        int(verdict == "stalled"),
        {battle.rounds: 1},
        ({one: 1}, {other: 1}),
        np.array([*standing[0], *standing[1]], np.int64),
        _once(dealt),
        _once(taken),
        _once(outs),
        _once(whole),
        dealt * whole,
        *_fates(contest, battle),
    )


def _once(values: Floats) -> Moments:
    """The sums over a single battle."""
    return Moments(values, np.square(values))


def _harm(contest: Contest, battle: PlayedBattle) -> tuple[Floats, Floats, Floats]:
    """By fighter: damage dealt, damage taken, and foes put out."""
    n, first = len(contest.sheets), contest.course.sizes[0]
    dealt, taken, outs = np.zeros(n), np.zeros(n), np.zeros(n)

    def number(who: FighterId) -> int:
        return who.side * first + who.place

    for entry in battle.exchanges:
        actor, target = number(entry.actor), number(entry.target)
        for who, lost, falls in _struck(contest, entry):
            taken[number(who)] += lost
            if not entry.on_foe:
                continue
            by = target if who == entry.actor else actor
            dealt[by] += lost
            outs[by] += falls
    return dealt, taken, outs


def _struck(contest: Contest, entry: PlayedExchange) -> Iterator[tuple[FighterId, int, bool]]:
    """Whom an exchange has harmed: the points that they lost, and whether they are out by it."""
    fight, target = contest.fight, entry.target
    assert entry.outcome is not None  # it was played to its end
    mates = [place for place in range(contest.course.sizes[target.side]) if place != target.place]
    befell = [
        (entry.actor, fight.effect(entry.outcome, "actor")),
        (target, fight.effect(entry.outcome, "target")),
        *((FighterId(target.side, mates[place]), effect)
          for place, effect in fight.helped(entry.outcome)),
    ]  # fmt: skip
    for who, effect in befell:
        sheet = contest.sides[who.side].fighters[who.place]
        before, after = (row[who.side][who.place] for row in (entry.before, entry.conditions))
        lost = max(0, min(fight.harm(effect), fight.vitals(sheet, before)))
        falls = fight.is_out(sheet, after) and not fight.is_out(sheet, before)
        if lost or falls:
            yield who, lost, falls


def _fates(
    contest: Contest, battle: PlayedBattle
) -> tuple[tuple[Moments, ...], tuple[tuple[Floats, ...], ...]]:
    """The fates of fighters, one by one, and counted by side."""
    names = contest.fight.fates
    every = [fate for side in battle.fates for fate in side]
    by_fighter = tuple(_once(np.array([float(fate == name) for fate in every])) for name in names)
    by_side = []
    for side in battle.fates:
        few = len(side) <= MOST_COUNTED
        counts = [np.zeros(len(side) + 1 if few else 0) for _ in names[1:]]
        for name, row in zip(names[1:], counts, strict=True):
            if few:
                row[side.count(name)] = 1
        by_side.append(tuple(counts))
    return by_fighter, tuple(by_side) if names else ()
