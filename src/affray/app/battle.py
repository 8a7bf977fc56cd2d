"""Battles fought many times: one fight, or two compared.

One function each; they print nothing and return views.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

from affray.app.duel import side_rows
from affray.app.inputs.fight_setups import (
    AS_WRITTEN,
    FightWanted,
    LoadedFight,
    load_fight,
)
from affray.app.inputs.habits import check_habits
from affray.app.views.fights import (
    BattleView,
    CompareView,
    SurvivorRow,
)
from affray.core.errors import SetupError
from affray.engine.budget import Budget, spending

if TYPE_CHECKING:
    from affray.engine.fight.sampled.battle import Battle, BattleResult

__all__ = [
    "MOST_ROUNDS", "N_BATTLES", "Sampling", "compare_battles", "fight_battle", "fought",
]  # fmt: skip

N_BATTLES = 10_000
MOST_ROUNDS = 1_000
"""After how many rounds a battle is called off, unless the fight says so."""


class Sampling(NamedTuple):
    """How often and by whom battles are fought.

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

    def settled(self, usual: int = N_BATTLES) -> Sampling:
        """The same with a number, unless an error is wanted, and a seed."""
        n = self.n or (None if self.target_error else usual)
        return self._replace(n=n, seed=secrets.randbits(32) if self.seed is None else self.seed)


USUAL = Sampling()


# -- one battle --------------------------------------------------------------------------------


def fight_battle(
    system_name: str,
    source: str,
    foes: str = "",
    *,
    wanted: FightWanted = AS_WRITTEN,
    sampling: Sampling = USUAL,
    budget: Budget | None = None,
) -> BattleView:
    """A fight of any size, fought many times.

    Args:
        system_name: id of a system.
        source: a fight, or the roster names of the first side; see `fight_setups.load_fight`.
        foes: then the roster names of the other side.
        wanted: what holds instead of the file's.
        sampling: how often, and by whom.
        budget: how much it may take; when it is spent, the view is that of the battles so far.

    Raises:
        UnknownNameError, InputError, SetupError: as for `fight_setups.load_fight`.
        LimitError: the budget was spent before there was a result; too many states.
    """
    with spending(budget):
        loaded = load_fight(system_name, source, foes, wanted)
        return fought(loaded, sampling.settled())


def _battle(loaded: LoadedFight) -> Battle:
    from affray.engine.fight.sampled.battle import Battle  # numpy; only where fights are worked out

    if "optimal" in loaded.policies:
        raise SetupError(f"{loaded.origin}: policy optimal is for duels; use greedy in battles")
    return Battle(loaded.contest, targeting=loaded.targets, rounds=loaded.rounds or MOST_ROUNDS)


def fought(loaded: LoadedFight, sampling: Sampling) -> BattleView:
    """A loaded fight, fought many times."""
    found = _battle(loaded).run(
        sampling.n, seed=sampling.seed or 0, target_error=sampling.target_error,
        workers=sampling.workers,
    )  # fmt: skip
    return _view(loaded, found)


def _view(loaded: LoadedFight, found: BattleResult) -> BattleView:
    contest = loaded.contest
    check_habits(loaded)
    return BattleView(
        system=contest.system.id,
        setup=loaded.origin,
        title=loaded.title,
        sides=side_rows(loaded),
        first=contest.first,
        limit=loaded.rounds or MOST_ROUNDS,
        objective=contest.objective.name,
        rulings=contest.rulings.named(),
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
        over=contest.fight.over,
        rounds=found.rounds,
        histogram=tuple(sorted((int(k), int(v)) for k, v in found.histogram.items())),
        survivors=tuple(
            SurvivorRow(side, int(standing), int(battles))
            for side, counts in enumerate(found.survivors)
            for standing, battles in sorted(counts.items())
        ),
        fighters=found.fighters,
        tables={str(name): int(size) for name, size in found.tables.items()},
        how=f"sampled: {found.n:,} battles with seed {found.seed}; intervals hold 95 times in 100",
    )  # fmt: skip


# -- two battles -------------------------------------------------------------------------------


def compare_battles(
    system_name: str,
    sources: tuple[str, str],
    foes: str = "",
    *,
    wanted: FightWanted = AS_WRITTEN,
    sampling: Sampling = USUAL,
    budget: Budget | None = None,
) -> CompareView:
    """Two fights, fought with the same random numbers.

    Args:
        system_name: id of a system.
        sources: the two fights; `foes` belongs to the first one.
        foes: roster names of the first fight's other side.
        wanted: what holds instead of either file's.
        sampling: how often, and by whom; an error can't be wanted.
        budget: as for `fight_battle`.

    Raises:
        UnknownNameError, InputError, SetupError, LimitError: as for `fight_battle`.
    """
    if sampling.target_error is not None:
        raise SetupError("a wanted error holds for one battle; compare with a number of battles")
    with spending(budget):
        return _compared(system_name, sources, foes, wanted, sampling.settled())


def _compared(
    system_name: str, sources: tuple[str, str], foes: str, wanted: FightWanted, settled: Sampling
) -> CompareView:
    from affray.engine.fight.sampled.battle import (
        compare,  # numpy; only where fights are worked out
    )

    n, seed = settled.n or N_BATTLES, settled.seed or 0
    loaded = (
        load_fight(system_name, sources[0], foes, wanted),
        load_fight(system_name, sources[1], "", wanted),
    )
    one, other, apart = compare(
        _battle(loaded[0]), _battle(loaded[1]), n, seed=seed, workers=settled.workers
    )
    return CompareView(
        system=loaded[0].contest.system.id,
        seed=seed,
        n=apart.n,
        partial=one.partial,
        stopped_by=one.stopped_by,
        battles=(_view(loaded[0], one), _view(loaded[1], other)),
        won=apart.won,
        rounds=apart.rounds,
        how=(
            f"sampled: {apart.n:,} pairs of battles with the same random numbers, seed "
            f"{seed}; intervals hold 95 times in 100"
        ),
    )
