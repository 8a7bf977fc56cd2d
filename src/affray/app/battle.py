"""A battle of any size, fought many times."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from affray.app.duel import head_of
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_setups import LoadedFight, load_fight
from affray.app.inputs.habits import check_habits
from affray.app.notes import with_notes
from affray.app.sources import EasyFight
from affray.app.views.fights import (
    BattleView,
    FateRow,
    SurvivorRow,
)
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, spending

if TYPE_CHECKING:
    from affray.engine.fight.sampled.battle import Battle, BattleResult

__all__ = [
    "MOST_ROUNDS", "N_BATTLES", "USUAL", "Sampling", "ask_battle", "battle_of", "battle_view",
    "battles_told", "fought",
]  # fmt: skip

N_BATTLES = 10_000
MOST_ROUNDS = 1_000
"""After how many rounds a battle is called off, unless the fight says so."""


class Sampling(NamedTuple):
    """The size of a sample of battles, its seed, and the number of workers.

    Attributes:
        n: how many battles; None: as many as usual, or as `target_error` takes.
        target_error: percentage points; stop when the first side's chance is as sure as that.
        seed: None: one from the operating system's entropy.
        workers: how many work at it at once.
    """

    n: int | None = None
    target_error: float | None = None
    seed: int | None = None
    workers: int = 1

    def filled_in(self, usual: int = N_BATTLES) -> Sampling:
        """The same with a number, unless an error is wanted, and a seed."""
        n = self.n or (None if self.target_error else usual)
        return self._replace(n=n, seed=secrets.randbits(32) if self.seed is None else self.seed)


USUAL = Sampling()

PLAYED_S = 10.0
"""Seconds for battles that have to be played one by one, where nobody asked for a number."""
OPENING = 0.3
"""The share of the seconds that finding out opening moves may take."""


# -- one battle --------------------------------------------------------------------------------


@with_notes
def ask_battle(
    system_name: str,
    source: EasyFight,
    *,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    sampling: Sampling = USUAL,
    budget: Budget | None = None,
) -> BattleView:
    """A fight of any size, fought many times.

    Args:
        system_name: id of a system.
        source: the name of a shipped fight, a table, or the roster names of both sides.
        changes: what holds instead of what the fight says.
        sampling: how often, and by whom.
        budget: how much it may take; when it is spent, the view is that of the battles so far.

    Raises:
        UnknownNameError, InputError, SetupError: as for `fight_setups.load_fight`.
        LimitError: the budget was spent before there was a result; too many states.
    """
    with spending(budget):
        return fought(load_fight(system_name, source, changes, within=OPENING), sampling)


def battle_of(loaded: LoadedFight) -> Battle:
    """A loaded fight, ready to be sampled.

    Raises:
        SetupError: a policy that is for duels alone.
    """
    from affray.engine.fight.sampled.battle import Battle  # numpy; only where fights are worked out

    if loaded.wins:
        raise SetupError(
            f"{loaded.origin}: battles decide exchange by exchange, for damage and the like; the "
            "chance to win decides in duels and where fights are played",
            advice="win-elsewhere",
        )
    if "optimal" in loaded.policies:
        raise SetupError(f"{loaded.origin}: policy optimal is for duels; use greedy in battles")
    return Battle(loaded.contest, targeting=loaded.targets, rounds=loaded.rounds or MOST_ROUNDS)


def fought(loaded: LoadedFight, sampling: Sampling) -> BattleView:
    """A loaded fight, fought many times."""
    asked, sampling = sampling, sampling.filled_in()
    found = battle_of(loaded).run(
        sampling.n, seed=sampling.seed or 0, target_error=sampling.target_error,
        workers=sampling.workers, played_s=None if asked.n or asked.target_error else PLAYED_S,
    )  # fmt: skip
    return battle_view(loaded, found)


def battle_view(loaded: LoadedFight, found: BattleResult) -> BattleView:
    """The result of a fight as a view."""
    check_habits(loaded, all_known=bool(found.tables))
    return BattleView(
        **head_of(loaded),
        limit=loaded.rounds or MOST_ROUNDS,
        seed=found.seed,
        n=found.n,
        wanted=found.wanted,
        partial=found.partial,
        stopped_by=found.stopped_by,
        error=found.error,
        won=found.won,
        drawn=found.drawn,
        ended=found.ended,
        stalled=found.stalled,
        rounds=found.rounds,
        histogram=tuple(sorted((int(k), int(v)) for k, v in found.histogram.items())),
        survivors=tuple(
            SurvivorRow(side, int(standing), int(battles))
            for side, counts in enumerate(found.survivors)
            for standing, battles in sorted(counts.items())
        ),
        fates=tuple(
            FateRow(side, fate, number, battles)
            for side, counts in enumerate(found.by_fate)
            for fate, row in counts.items()
            for number, battles in sorted(row.items())
        ),
        fighters=found.fighters,
        tables={str(name): int(size) for name, size in found.tables.items()},
        how=_how(found),
    )  # fmt: skip


def _how(found: BattleResult) -> str:
    """How a result was got, in a sentence."""
    told = f"{battles_told(found.n)} with seed {found.seed}"
    if found.tables:
        return f"sampled: {told}; intervals hold 95 times in 100"
    thumb = (
        f" {found.by_thumb:,} choices that took too long to solve were made by a rule of thumb;"
        if found.by_thumb
        else ""
    )
    return (
        f"played one by one, since this fight is too large for tables: {told};{thumb} "
        "intervals hold 95 times in 100"
    )


def battles_told(n: int) -> str:
    """A number of battles in words."""
    return "1 battle" if n == 1 else f"{n:,} battles"
