"""A sweep: the odds of an exchange for each of several values of one number of its setup."""

from __future__ import annotations

from collections.abc import Sequence

from affray.app.files.saved import is_saved
from affray.app.inputs.paths import with_value
from affray.app.inputs.setups import setup_behind
from affray.app.odds import odds_view
from affray.app.play import PlayedGame, play_script
from affray.app.registry import system_named
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source, Table
from affray.app.views.exchanges import OddsView
from affray.app.views.sweeps import SweepView, SweptRow
from affray.core.errors import LimitError, SetupError
from affray.engine.budget import Budget, spending

__all__ = ["MOST_VALUES", "ask_sweep"]

MOST_VALUES = 200
"""Values of a sweep at most."""


def ask_sweep(
    system_name: str,
    source: Source,
    path: str,
    values: Sequence[int | float],
    *,
    field: str = "",
    given: Sequence[str] = (),
    objective: str = "",
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    budget: Budget | None = None,
) -> SweepView:
    """The exact odds of an outcome field, for each value of one number of a setup.

    Args:
        system_name: id of a system.
        source: a setup.
        path: where the number stands, such as `attacker.weapons.0.damage`.
        values: the numbers to put there.
        field: an outcome field; the first that fits by default.
        given: conditions known to hold, such as `hit=true`.
        objective: what open choices are decided for.
        changes: what else holds instead of what the setup says.
        answers: given first.
        budget: how much it may take; when it is spent, the view has the values so far.

    Raises:
        SetupError: no values, or too many; a saved game; every value is refused.
        InputError: the path leads nowhere.
        LimitError: the budget was spent before the first value was priced.
        UnknownNameError, AnswerError: as for `affray.app.odds.ask_odds`.
    """
    if not 0 < len(values) <= MOST_VALUES:
        raise SetupError(f"{len(values)} values; allowed: 1 to {MOST_VALUES}")
    table = setup_behind(system_named(system_name), source)
    if is_saved(table.raw):
        raise SetupError(f"{table.origin}: a saved game keeps its setup; a sweep changes one")
    rows: list[SweptRow] = []
    refusals: list[Exception] = []
    last: OddsView | None = None
    stopped_by = ""
    with spending(budget) as clock:
        for value in values:
            clock.tell("values", len(rows), len(values))
            raw = with_value(dict(table.raw), path, value, table.origin)
            changed = Table(raw, table.origin, table.beside)
            try:
                clock.poll()
                game = play_script(PlayedGame.begin(system_name, changed, changes), answers)
                last = odds_view(game, (field,) if field else (), given, objective)
            except LimitError as limit:
                if last is None:
                    raise
                stopped_by = limit.limit
                break
            except ValueError as error:  # what rules and sheets refuse
                refusals.append(error)
                rows.append(SweptRow(value, (), None, str(error)))
            else:
                rows.append(SweptRow(value, last.rows, last.stats, ""))
    if last is None:
        raise refusals[0]
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
        partial=bool(stopped_by),
        stopped_by=stopped_by,
    )
