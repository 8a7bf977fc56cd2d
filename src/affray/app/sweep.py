"""A sweep: the odds of an exchange while one or two numbers or rulings of it are varied."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from affray.app.files.saved import is_saved
from affray.app.inputs.paths import with_value
from affray.app.inputs.setups import setup_behind
from affray.app.odds import odds_view
from affray.app.play import PlayedGame, play_script
from affray.app.registry import system_named
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source, Table
from affray.app.views.exchanges import OddsView
from affray.app.views.sweeps import SweepView, SweptAxis, SweptRow, SweptValue
from affray.core.errors import LimitError, SetupError
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.budget import Budget, spending

__all__ = ["MOST_CELLS", "RULING", "ask_sweep"]

MOST_CELLS = 200
"""Setups that a sweep prices at most."""
RULING = "rulings."
"""What the path of a ruling begins with; its name follows."""


def ask_sweep(
    system_name: str,
    source: Source,
    path: str,
    values: Sequence[SweptValue] = (),
    *,
    across: SweptAxis | None = None,
    field: str = "",
    given: Sequence[str] = (),
    objective: str = "",
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    budget: Budget | None = None,
) -> SweepView:
    """The exact odds of an outcome field, for each value of a number or ruling, or pair of two.

    Args:
        system_name: id of a system.
        source: a setup.
        path: where the number stands, such as `attacker.weapons.0.damage`; or a ruling, such as
            `rulings.ties`.
        values: the numbers to put there, or readings; none: all readings of the ruling.
        across: what is varied beside it; None: nothing.
        field: an outcome field; the first that fits by default.
        given: conditions known to hold, such as `hit=true`.
        objective: what open choices are decided for.
        changes: what else holds instead of what the setup says.
        answers: given first.
        budget: how much it may take; when it is spent, the view has the values so far.

    Raises:
        SetupError: no values, or too many; a saved game; one thing varied twice; every value is
            refused.
        InputError: the path leads nowhere.
        LimitError: the budget was spent before the first value was priced.
        UnknownNameError, AnswerError: as for `affray.app.odds.ask_odds`.
    """
    system = system_named(system_name)
    axes = tuple(
        _spelled_out(system, axis)
        for axis in (SweptAxis(path, tuple(values)), across)
        if axis is not None
    )
    cells = _cells_of(axes)
    table = setup_behind(system, source)
    if is_saved(table.raw):
        raise SetupError(f"{table.origin}: a saved game keeps its setup; a sweep changes one")
    rows: list[SweptRow] = []
    refusals: list[Exception] = []
    last: OddsView | None = None
    stopped_by = ""

    def view() -> SweepView:
        assert last is not None  # else there is nothing to be seen
        return SweepView(
            system=last.system,
            setup=last.setup,
            title=last.title,
            path=path,
            field=last.fields[0],
            meaning=last.meaning[0],
            unit=last.unit,
            given=last.given,
            policy=last.policy,
            values=tuple(rows),
            axes=axes,
            partial=len(rows) < len(cells),
            stopped_by=stopped_by,
        )

    with spending(budget) as clock:
        for cell in cells:
            found = view if last is not None else None
            clock.tell("values", len(rows), len(cells), found=found)
            at, beside = cell[0], cell[1] if len(cell) > 1 else None
            try:
                clock.poll()
                changed, also = _varied(table, changes, axes, cell)
                game = play_script(PlayedGame.begin(system_name, changed, also), answers)
                last = odds_view(game, (field,) if field else (), given, objective)
            except LimitError as limit:
                if last is None:
                    raise
                stopped_by = limit.limit
                break
            except ValueError as error:  # what rules and sheets refuse
                refusals.append(error)
                rows.append(SweptRow(at, (), None, str(error), beside))
            else:
                rows.append(SweptRow(at, last.rows, last.stats, "", beside))
        clock.tell("values", len(rows), len(cells))
    if last is None:
        raise refusals[0]
    return view()


def _spelled_out(system: System[Facts], axis: SweptAxis) -> SweptAxis:
    """An axis with the readings of its ruling where it names none."""
    if not axis.path.startswith(RULING):
        return axis
    name = axis.path.removeprefix(RULING)
    known = {ruling.name: tuple(ruling.options) for ruling in system.rulings}
    if name not in known:
        raise unknown("ruling", name, known)
    return SweptAxis(axis.path, axis.values or known[name])


def _cells_of(axes: Sequence[SweptAxis]) -> list[tuple[SweptValue, ...]]:
    """Every pair of values, those of the first axis slowest."""
    if len({axis.path for axis in axes}) < len(axes):
        raise SetupError(f"{axes[0].path} is varied twice; vary two different things")
    cells = list(product(*(axis.values for axis in axes))) if _count(axes) <= MOST_CELLS else []
    if not cells:
        told = " x ".join(f"{len(axis.values):,}" for axis in axes)
        raise SetupError(f"{told} values; allowed: 1 to {MOST_CELLS} in all; take fewer of them")
    return cells


def _count(axes: Sequence[SweptAxis]) -> int:
    found = 1
    for axis in axes:
        found *= len(axis.values)
    return found


def _varied(
    table: Table, changes: Changes, axes: Sequence[SweptAxis], cell: Sequence[SweptValue]
) -> tuple[Table, Changes]:
    """The setup and the changes of one cell."""
    raw, rulings = dict(table.raw), dict(changes.rulings)
    for axis, value in zip(axes, cell, strict=True):
        if axis.path.startswith(RULING):
            rulings[axis.path.removeprefix(RULING)] = str(value)
        else:
            raw = with_value(raw, axis.path, value, table.origin)
    return Table(raw, table.origin, table.beside), changes._replace(rulings=rulings)
