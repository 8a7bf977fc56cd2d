"""Odds within a budget: exact where that is reached, else exact bounds or a sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affray.app.notes import with_notes
from affray.app.odds import odds_view, told_limit
from affray.app.odds_asked import SHARE, Asked
from affray.app.play import PlayedGame, play_script
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source
from affray.app.views.exchanges import OddsView
from affray.core.errors import LimitError
from affray.engine.budget import Budget, spending

if TYPE_CHECKING:
    from affray.app.views.estimates import EstimatedOddsView

__all__ = ["odds_within"]


@with_notes
def odds_within(
    system_name: str,
    source: Source,
    names: Sequence[str] = (),
    *,
    given: Sequence[str] = (),
    objective: str = "",
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    seed: int = 0,
    looking_s: float | None = None,
    budget: Budget | None = None,
) -> OddsView | EstimatedOddsView:
    """The distribution of outcome fields: exact, or as far as it can be known within a budget.

    Where most of the probability has ended when the budget is spent, every chance has an exact
    lower and upper bound. Else the exchange is sampled. What is open is decided for the objective:
    by the solution where there is one, else by looking ahead.

    Args:
        system_name: id of a system.
        source: a setup or a saved game.
        names: outcome fields; the first that fits if there are none.
        given: conditions known to hold, such as `hit=true`.
        objective: what open choices are decided for; the first that fits by default.
        changes: what holds instead of what the setup says.
        answers: given first; the odds are then those from where they lead.
        seed: of a sample.
        looking_s: how many seconds a sample may take; None: all that are left.
        budget: how much it may take.

    Raises:
        LimitError: somebody asked to stop, or nothing was known in time.
        UnknownNameError, InputError, SetupError, AnswerError: as for `PlayedGame.begin`.
    """
    with spending(budget) as clock:
        game = play_script(PlayedGame.begin(system_name, source, changes), answers)
        try:
            with spending(clock.part(SHARE)):
                return odds_view(game, names, given, objective)
        except LimitError as limit:
            why = told_limit(limit)
        from affray.app.odds_estimated import estimated_odds

        return estimated_odds(
            Asked(game, tuple(names), tuple(given), objective, why), clock, seed, looking_s
        )
