"""The matrix of a roster: every fighter against every other one, one against one.

All pairs are fought with the same seed, so each of them comes again by itself. Several workers
are processes of their own, since most of the time goes into working out exchanges.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.pool import IMapIterator

from affray.app.battle import Sampling, fought
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.fight_scene import assumptions
from affray.app.inputs.fight_setups import load_fight
from affray.app.inputs.fight_sheets import POLICIES
from affray.app.notes import with_notes
from affray.app.registry import blame, system_named
from affray.app.sources import Names
from affray.app.views.fights import CellRow, MatrixView
from affray.core.errors import AffrayError, LimitError, SetupError, UnknownNameError
from affray.core.lazy import NamedTuple
from affray.core.meter import Meter, metered
from affray.core.telling import unheard
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.sampled.workers import can_fork, end_with_parent
from affray.engine.watchdog import watched_here_too

__all__ = ["N_OF_A_PAIR", "ask_matrix"]

N_OF_A_PAIR = 1_000
SYMMETRIC = {"", "initiative", "coin"}
"""Ways to go first that don't prefer a side."""
PATIENCE_S = 0.1
"""Seconds between two looks for a wish to stop while workers are at it."""

Pair = tuple[str, str]


class _Task(NamedTuple):
    """The part of a task that every pair shares; it travels to other processes."""

    system: str
    changes: FightChanges
    n: int
    seed: int


@with_notes
def ask_matrix(
    system_name: str,
    *,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    sampling: Sampling = Sampling(),  # noqa: B008  # immutable
    budget: Budget | None = None,
) -> MatrixView:
    """Every fighter of a roster against every other one and itself.

    Args:
        system_name: id of a system.
        changes: policies, rulings, situation of every pair.
        sampling: how often each pair is fought, and by whom.
        budget: how much it may take; when it is spent, the view is that of the pairs so far.

    Raises:
        UnknownNameError, SetupError: as for `fight_setups.load_fight`.
        LimitError: the budget was spent before the first pair was done.
    """
    with spending(budget) as clock:
        return _matrix(system_name, changes, sampling, clock)


def _matrix(
    system_name: str, changes: FightChanges, sampling: Sampling, clock: Clock
) -> MatrixView:
    system = system_named(system_name)
    whole = sampling.filled_in(N_OF_A_PAIR)
    task = _Task(system.id, changes, whole.n or N_OF_A_PAIR, whole.seed or 0)
    armed, unarmed = fighters_of(system, changes.roster)
    if not armed:
        raise SetupError(
            f"{system.id}: there are no pairs, since nobody in the roster can attack; bring "
            "fighters of your own",
            advice="own-roster",
        )
    mirrored = _is_symmetric(changes)
    pairs = list(_pairs(armed, mirrored=mirrored))
    found: dict[Pair, CellRow] = {}
    stopped_by = ""
    clock.tell("pairs", 0, len(pairs), "working out exchanges")
    cells = _cells(task, pairs, whole.workers, clock)
    while len(found) < len(armed) ** 2:
        try:
            cell = next(cells)
        except LimitError as error:
            if not found:
                raise LimitError(
                    f"{system.id}: {clock.why(error.limit)}, before the first of {len(pairs)} "
                    "pairs was fought. Fight fewer battles of each, or allow more time",
                    limit=error.limit,
                    done={"pairs": 0},
                ) from error
            stopped_by = error.limit
            break
        found[cell.row, cell.column] = cell
        if mirrored and cell.row != cell.column:
            back = CellRow(cell.column, cell.row, cell.loses, cell.wins, cell.refused)
            found[back.row, back.column] = back
        done = sum(pair in found for pair in pairs)
        clock.tell("pairs", done, len(pairs), f"{cell.row} against {cell.column}")
    cells.close()
    taken, gaps = _taken_for_granted(task, armed)
    return MatrixView(
        system=system.id,
        seed=task.seed,
        n=task.n,
        policies=tuple(POLICIES[policy or "opening"] for policy in changes.policies),
        names=armed,
        left_out=unarmed,
        cells=tuple(
            found[row, column] for row in armed for column in armed if (row, column) in found
        ),
        mirrored=mirrored,
        partial=len(found) < len(armed) ** 2,
        stopped_by=stopped_by,
        how=(
            f"sampled: {task.n:,} battles for each pair with seed {task.seed}; a battle of the row "
            "against the column with this number, seed and the same options repeats a cell"
            f"{taken}"
        ),
        assumed=gaps,
    )


def _taken_for_granted(task: _Task, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The situation that fights of these assume, as the end of a sentence; gaps of the book."""
    gaps: dict[str, None] = {}
    plain = task.changes._replace(policies=("first", "first"))
    found: dict[str, object] = {}
    with unheard():
        for name in names:
            with suppress(SetupError):
                loaded = load_fight(task.system, Names(name, name), plain)
                found |= loaded.assumed
                gaps |= dict.fromkeys(loaded.gaps)
    return f"; {assumptions(found)} is assumed" if found else "", tuple(gaps)


def _is_symmetric(changes: FightChanges) -> bool:
    """Whether it makes no difference which fighter is whose foe."""
    alike = len(set(changes.policies)) == 1 and len(set(changes.targets)) == 1
    return alike and changes.first in SYMMETRIC


def _pairs(names: Sequence[str], *, mirrored: bool) -> Iterator[Pair]:
    for number, row in enumerate(names):
        for column in names[number:] if mirrored else names:
            yield row, column


def _cell(task: _Task, pair: Pair) -> CellRow:
    row, column = pair
    try:
        with unheard():  # what this pair leaves unused may belong to another one
            loaded = load_fight(task.system, Names(row, column), task.changes)
            try:
                view = fought(loaded, Sampling(task.n, seed=task.seed))
            finally:
                loaded.contest.forget()
        if view.partial:  # a cell is all of its battles
            raise LimitError("not all of its battles were fought", limit=view.stopped_by)
    except UnknownNameError:
        raise
    except (SetupError, LimitError) as error:
        if isinstance(error, LimitError) and error.limit in {"seconds", "interrupted"}:
            raise  # it is over for all pairs
        return CellRow(row, column, None, None, str(error))
    except (AffrayError, KeyboardInterrupt):
        raise
    except BaseException as error:  # rules of another package may raise anything
        told = blame(error)
        if not told:
            raise
        return CellRow(row, column, None, None, told)
    return CellRow(row, column, *view.won, "")


def _cell_elsewhere(task: _Task, pair: Pair) -> CellRow:
    """One pair, fought by a worker: whoever waits for it looks at the time, and tells of it."""
    with metered(Meter()):
        return _cell(task, pair)


def _cells(
    task: _Task, pairs: Sequence[Pair], workers: int, clock: Clock
) -> Generator[CellRow, None, None]:
    """Every pair, in any order.

    Raises:
        LimitError: the budget is spent.
    """
    if workers == 1:
        for pair in pairs:
            clock.poll()
            yield _cell(task, pair)
        return
    # Those that are forked off need not read again what this one has read.
    import affray.engine.fight.sampled.battle  # noqa: F401  # read before they are

    context = multiprocessing.get_context("fork" if can_fork() else "spawn")
    with context.Pool(min(workers, len(pairs)), _deaf) as pool:
        cells = pool.imap_unordered(partial(_cell_elsewhere, task), pairs)
        for _ in pairs:
            yield _waited(cells, clock)


def _waited(cells: IMapIterator[CellRow], clock: Clock) -> CellRow:
    while True:
        clock.poll()
        try:
            return cells.next(PATIENCE_S)
        except multiprocessing.TimeoutError:
            continue


def _deaf() -> None:
    """A worker leaves Ctrl-C to the one who started it, and ends when that one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    watched_here_too()
