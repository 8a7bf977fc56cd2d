"""Everybody of a roster against everybody, one against one.

All pairs are fought with the same seed, so each of them comes again by itself. Several workers
are processes of their own, since most of the time goes into working out exchanges.
"""

from __future__ import annotations

import multiprocessing
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing.pool import IMapIterator
from typing import NamedTuple

from affray.app.battles import Sampling, fought
from affray.app.fight_setups import AS_WRITTEN, FightWanted, fighters_of, load_fight
from affray.app.fight_sheets import POLICIES
from affray.app.fight_views import CellRow, MatrixView
from affray.app.registry import system_named
from affray.core.errors import LimitError, SetupError, UnknownNameError
from affray.core.telling import AffrayWarning

__all__ = ["N_OF_A_PAIR", "all_pairs"]

N_OF_A_PAIR = 1_000
SYMMETRIC = {"", "initiative", "coin"}
"""Ways to go first that don't prefer a side."""
PATIENCE_S = 0.1
"""How often a wish to stop is looked for while workers are at it."""

Progress = Callable[[int, int, str], None]
Pair = tuple[str, str]


class _Task(NamedTuple):
    """What is the same for every pair; it travels to other processes."""

    system: str
    wanted: FightWanted
    n: int
    seed: int


def all_pairs(
    system_name: str,
    *,
    wanted: FightWanted = AS_WRITTEN,
    sampling: Sampling = Sampling(),  # noqa: B008  # immutable
    progress: Progress | None = None,
) -> MatrixView:
    """Every fighter of a roster against every other one and itself.

    Args:
        system_name: id of a system.
        wanted: policies, rulings, situation of every pair.
        sampling: how often each pair is fought, and by whom; its `progress` is not used.
        progress: is told how many pairs are done, how many there are, and the latest one.

    Raises:
        UnknownNameError, SetupError: as for `fight_setups.load_fight`.
        KeyboardInterrupt: stopped before the first pair was done.
    """
    system = system_named(system_name)
    settled = sampling.settled(N_OF_A_PAIR)
    task = _Task(system.id, wanted, settled.n or N_OF_A_PAIR, settled.seed or 0)
    armed, unarmed = fighters_of(system, wanted.roster)
    mirrored = _is_symmetric(wanted)
    pairs = list(_pairs(armed, mirrored=mirrored))
    found: dict[Pair, CellRow] = {}
    stop = settled.stop or _never
    if progress is not None:
        progress(0, len(pairs), "working out exchanges")
    for done, cell in enumerate(_cells(task, pairs, settled.workers, stop), start=1):
        found[cell.row, cell.column] = cell
        if mirrored and cell.row != cell.column:
            back = CellRow(cell.column, cell.row, cell.loses, cell.wins, cell.refused)
            found[back.row, back.column] = back
        if progress is not None:
            progress(done, len(pairs), f"{cell.row} against {cell.column}")
    if not found:
        raise KeyboardInterrupt
    return MatrixView(
        system=system.id,
        seed=task.seed,
        n=task.n,
        policies=tuple(POLICIES[policy or "opening"] for policy in wanted.policies),
        names=armed,
        left_out=unarmed,
        cells=tuple(
            found[row, column] for row in armed for column in armed if (row, column) in found
        ),
        mirrored=mirrored,
        partial=len(found) < len(armed) ** 2,
        how=(
            f"sampled: {task.n:,} battles for each pair with seed {task.seed}; any cell comes "
            f"again by `affray battle {system.id} ROW COLUMN -n {task.n} --seed {task.seed}` with "
            "the same options"
        ),
    )


def _is_symmetric(wanted: FightWanted) -> bool:
    """Whether it makes no difference which fighter is whose foe."""
    alike = len(set(wanted.policies)) == 1 and len(set(wanted.targets)) == 1
    return alike and wanted.first in SYMMETRIC


def _pairs(names: Sequence[str], *, mirrored: bool) -> Iterator[Pair]:
    for number, row in enumerate(names):
        for column in names[number:] if mirrored else names:
            yield row, column


def _never() -> bool:
    return False


def _cell(task: _Task, pair: Pair) -> CellRow:
    """One pair, fought."""
    row, column = pair
    try:
        with warnings.catch_warnings():
            # What this pair leaves unused may belong to another one.
            warnings.simplefilter("ignore", AffrayWarning)
            loaded = load_fight(task.system, row, column, task.wanted)
        view = fought(loaded, Sampling(task.n, seed=task.seed))
    except UnknownNameError:
        raise
    except (SetupError, LimitError) as error:
        return CellRow(row, column, None, None, str(error))
    return CellRow(row, column, *view.won, "")


def _cells(
    task: _Task, pairs: Sequence[Pair], workers: int, stop: Callable[[], bool]
) -> Iterator[CellRow]:
    """Every pair, in any order, until somebody wants it to stop."""
    if workers == 1:
        for pair in pairs:
            if stop():
                return
            yield _cell(task, pair)
        return
    with multiprocessing.get_context("spawn").Pool(min(workers, len(pairs)), _deaf) as pool:
        cells = pool.imap_unordered(partial(_cell, task), pairs)
        for _ in pairs:
            cell = _waited(cells, stop)
            if cell is None:
                return
            yield cell


def _waited(cells: IMapIterator[CellRow], stop: Callable[[], bool]) -> CellRow | None:
    while True:
        try:
            return cells.next(PATIENCE_S)
        except multiprocessing.TimeoutError:
            if stop():
                return None


def _deaf() -> None:
    """A worker leaves Ctrl-C to the one who started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
