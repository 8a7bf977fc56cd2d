"""Where a book is silent: its rulings, and how far their readings lie apart in a concrete case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from affray.app.registry import system_named
from affray.app.setups import Raw, load, load_raw
from affray.app.use_cases import (
    NOTHING,
    Wanted,
    game_from_here,
    play_script,
)
from affray.app.views import ReadingRow, RulingRow, RulingsView
from affray.core.distribution import Distribution
from affray.core.errors import AnswerError, SetupError
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.step import Field, Objective, System
from affray.engine.best import objective_named, solve
from affray.engine.odds import fields_named, outcomes
from affray.engine.play import Session

__all__ = ["show_rulings"]


def show_rulings(
    system_name: str,
    source: str = "",
    *,
    field: str = "",
    objective: str = "",
    wanted: Wanted = NOTHING,
) -> RulingsView:
    """A system's open questions; with a setup, what a field comes to under every reading."""
    system = system_named(system_name)
    if not source:
        rows = tuple(_ruling_row(system, Rulings.pick(system.rulings, wanted.rulings)))
        return RulingsView(system.id, "", "", rows)
    loaded = load(system_name, source, choose=wanted.settle, rulings=wanted.rulings)
    raw = loaded.raw
    (asked,) = fields_named(system, (field,) if field else ())
    goal = objective_named(system, objective)
    in_force = Rulings.pick(system.rulings, _picks(raw))
    base = _priced(system, raw, {}, wanted, asked, goal)
    rows_: list[RulingRow] = []
    for row in _ruling_row(system, in_force):
        readings = []
        for reading in row.readings:
            dist = base
            if not reading.in_force:
                dist = _priced(system, raw, {row.name: reading.name}, wanted, asked, goal)
            priced = reading
            if dist is not None and base is not None:
                priced = reading._replace(mean=_mean(dist), distance=_distance(dist, base))
            readings.append(priced)
        rows_.append(row._replace(readings=tuple(readings)))
    return RulingsView(system.id, loaded.origin, asked.name, tuple(rows_))


def _picks(raw: Raw) -> dict[str, str]:
    picks = raw.get("rulings", {})
    return {str(k): str(v) for k, v in picks.items()} if isinstance(picks, dict) else {}


def _ruling_row(system: System[Facts], in_force: Rulings) -> Sequence[RulingRow]:
    return [
        RulingRow(
            ruling.id,
            ruling.name,
            ruling.clauses,
            ruling.question,
            tuple(
                ReadingRow(
                    name, meaning, name == ruling.default, name == in_force[ruling], None, None
                )
                for name, meaning in ruling.options.items()
            ),
        )
        for ruling in system.rulings
    ]


def _priced(
    system: System[Facts],
    raw: Raw,
    ruling: Mapping[str, str],
    wanted: Wanted,
    field: Field[Facts],
    goal: Objective[Facts],
) -> Distribution[object] | None:
    """The field under one more ruling; None where the rules then refuse the setup."""
    try:
        loaded = load_raw(system, raw, "setup", rulings=ruling)
        session = play_script(Session(loaded.game), wanted.dice, wanted.options)
        game = game_from_here(loaded, session)
        solution = solve(game, goal)
        return outcomes(game, (field.name,), decide=solution.decide).map(lambda v: v[0])
    except (SetupError, AnswerError):
        return None


def _mean(odds: Distribution[object]) -> Fraction | None:
    if all(isinstance(value, (int, Fraction)) for value in odds):
        return odds.map(lambda v: v if not isinstance(v, bool) else int(v)).mean()
    return None


def _distance(one: Distribution[object], other: Distribution[object]) -> Fraction:
    values = {*one, *other}
    return sum((abs(one.chance(v) - other.chance(v)) for v in values), start=Fraction(0)) / 2
