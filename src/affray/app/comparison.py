"""Two battles, fought with the same random numbers and compared."""

from __future__ import annotations

from affray.app.battle import N_BATTLES, USUAL, Sampling, battle_of, battle_view
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_setups import LoadedFight, load_fight
from affray.app.notes import with_notes
from affray.app.sources import FightSource
from affray.app.views.fights import CompareView
from affray.core.errors import SetupError
from affray.engine.budget import Budget, spending

__all__ = ["ask_comparison"]


@with_notes
def ask_comparison(
    system_name: str,
    sources: tuple[FightSource, FightSource],
    *,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    sampling: Sampling = USUAL,
    budget: Budget | None = None,
) -> CompareView:
    """Two fights, fought with the same random numbers.

    Args:
        system_name: id of a system.
        sources: the two fights.
        changes: what holds instead of what either fight says.
        sampling: how often, and by whom; a number of battles, no target error.
        budget: as for `ask_battle`.

    Raises:
        UnknownNameError, InputError, SetupError, LimitError: as for `ask_battle`.
    """
    if sampling.target_error is not None:
        raise SetupError("a comparison takes a number of battles, not a target error")
    with spending(budget):
        loaded = tuple(load_fight(system_name, source, changes) for source in sources)
        return _compared((loaded[0], loaded[1]), sampling.filled_in())


def _compared(loaded: tuple[LoadedFight, LoadedFight], settled: Sampling) -> CompareView:
    # numpy; only where fights are worked out
    from affray.engine.fight.sampled.battle import compare

    n, seed = settled.n or N_BATTLES, settled.seed or 0
    one, other, apart = compare(
        battle_of(loaded[0]), battle_of(loaded[1]), n, seed=seed, workers=settled.workers
    )
    return CompareView(
        system=loaded[0].contest.system.id,
        seed=seed,
        n=apart.n,
        partial=one.partial,
        stopped_by=one.stopped_by,
        battles=(battle_view(loaded[0], one), battle_view(loaded[1], other)),
        won=apart.won,
        rounds=apart.rounds,
        how=(
            f"sampled: {apart.n:,} pairs of battles with the same random numbers, seed "
            f"{seed}; intervals hold 95 times in 100"
        ),
        assumed=tuple(dict.fromkeys((*loaded[0].gaps, *loaded[1].gaps))),
    )
