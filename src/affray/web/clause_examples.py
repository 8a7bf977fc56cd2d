"""Which shipped cases come through which clauses: each is played once, with a fixed seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from affray.app.exchange_computers import computer_rolls, roll
from affray.app.lookups import list_systems
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.app.views.books import ExampleRow
from affray.core.errors import AffrayError
from affray.core.telling import unheard

__all__ = ["cases_by_clause"]

MOST_ANSWERS = 100
SEED = 1


@cache
def cases_by_clause(system: str) -> Mapping[str, tuple[ExampleRow, ...]]:
    """For each clause the cases for people that come through it, those with fewer clauses first."""
    met = {
        row: frozenset(_met(system, row.name))
        for row in list_systems(system).systems[0].examples
        if row.kind == "case"
    }
    rows = sorted(met, key=lambda row: len(met[row]))
    clauses = frozenset[str]().union(*met.values())
    return {clause: tuple(row for row in rows if clause in met[row]) for clause in clauses}


def _met(system: str, case: str) -> Iterator[str]:
    """The clauses that an exchange comes through if it is played once."""
    dice = computer_rolls(SEED)
    with unheard():
        game = PlayedGame.begin(system, Shipped(case))
        try:
            for _ in range(MOST_ANSWERS):
                if game.question is None:
                    break
                game = roll(game, dice) if game.rolling else game.answer(game.usual)
        except AffrayError:  # what the usual answers lead to may be refused; what was met counts
            pass
    for line in game.log:
        yield from line.clauses
        for total in line.totals:
            yield from (term.clause for term in total.terms if term.clause)
