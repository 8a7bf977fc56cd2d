"""The results of many battles."""

from __future__ import annotations

from collections.abc import Mapping

from affray.core.lazy import NamedTuple
from affray.engine.fight.sampled.estimate import Estimate

__all__ = ["BattleResult", "Difference", "FighterStats"]


class FighterStats(NamedTuple):
    """The statistics of one fighter.

    Attributes:
        side, place, name: who it is; both numbers count from 0.
        survives: how often it stands at the end.
        dealt, taken: damage in a battle, no more than the target had points left. Damage to the
            actor counts as dealt by the target.
        share: of the damage that its side deals.
        outs: foes put out by it in a battle.
        fates: how likely each fate is, by its name; empty where a system has none.
    """

    side: int
    place: int
    name: str
    survives: Estimate
    dealt: Estimate
    taken: Estimate
    share: Estimate
    outs: Estimate
    fates: Mapping[str, Estimate] = {}


class BattleResult(NamedTuple):
    """Many battles.

    Attributes:
        n: how many were fought; wanted: how many were asked for, if a number was.
        partial: fewer were fought than wanted; stopped_by: the limit that was reached ("seconds",
            "battles", "bytes"), or "interrupted".
        seed: with which the same battles can be fought again.
        won: shares of battles that each side won; drawn: in which both were out; ended: ended by
            rule; stalled: broken off after the last round. They add up to one.
        rounds: mean number of rounds; histogram: battles by number of rounds.
        survivors: for each side battles by number of its fighters who stand at the end.
        by_fate: for each side, by the name of a fate that isn't the first, how many battles are to
            be expected with a number of fighters who met it.
        fighters: how each of them fares, the first side first.
        error: half the width of the interval of `won[0]`, in percentage points.
        tables: how many conditions, effects, rows and bytes the compiled rules take; empty where
            battles were played one by one.
        by_thumb: choices that these left to rules of thumb, since solving them took too long.
    """

    n: int
    wanted: int | None
    partial: bool
    stopped_by: str
    seed: int
    won: tuple[Estimate, Estimate]
    drawn: Estimate
    ended: Estimate
    stalled: Estimate
    rounds: Estimate
    histogram: Mapping[int, int]
    survivors: tuple[Mapping[int, int], Mapping[int, int]]
    by_fate: tuple[Mapping[str, Mapping[int, float]], ...]
    fighters: tuple[FighterStats, ...]
    error: float
    tables: Mapping[str, int]
    by_thumb: int = 0


class Difference(NamedTuple):
    """Two setups that met the same luck: the first less the second.

    Attributes:
        won: difference of the shares of battles that side one won.
        rounds: difference of the mean numbers of rounds.
        n: battles of each.
    """

    won: Estimate
    rounds: Estimate
    n: int
