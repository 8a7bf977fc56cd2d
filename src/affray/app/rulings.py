"""Where a book is silent: its rulings, and how far their readings lie apart in a concrete case."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from affray.app.inputs.setups import Raw, examples, load_raw, read_source
from affray.app.inputs.tables import table_at
from affray.app.registry import system_named
from affray.app.use_cases import (
    NOTHING,
    Wanted,
    game_from_here,
    play_script,
)
from affray.app.views.exchanges import ErratumRow, ProfileRow, ReadingRow, RulingRow, RulingsView
from affray.core.distribution import Distribution
from affray.core.errors import AnswerError, LimitError, SetupError
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import Field, System
from affray.core.telling import AffrayWarning
from affray.engine.budget import Budget, Clock, spending
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.odds import fields_named, outcomes
from affray.engine.exchange.session import Session

__all__ = ["show_rulings"]


def show_rulings(
    system_name: str,
    source: str = "",
    *,
    field: str = "",
    objective: str = "",
    wanted: Wanted = NOTHING,
    budget: Budget | None = None,
) -> RulingsView:
    """A system's open questions, and what a field comes to under every reading.

    Args:
        system_name: id of a system.
        source: a setup in which all readings are priced; "": each ruling in the example that
            shows it, if there is one.
        field: the outcome field that is asked for in the setup; the first by default.
        objective: what open choices are decided for.
        wanted: settled choices, rulings, and a script to play first.
        budget: how much it may take; when it is spent, the view has the prices so far.

    Raises:
        UnknownNameError, InputError, SetupError: as for `affray.app.inputs.setups.load`.
    """
    with spending(budget) as clock:
        return _rulings(system_named(system_name), source, (field, objective, wanted), clock)


def _rulings(
    system: System[Facts], source: str, asked_for: tuple[str, str, Wanted], clock: Clock
) -> RulingsView:
    field, objective, wanted = asked_for
    if source:
        raw, origin, folder = read_source(system, source)
        loaded = load_raw(
            system, raw, origin, choose=wanted.settle, rulings=wanted.rulings, folder=folder,
            roster_files=wanted.roster,
        )  # fmt: skip
        (asked,) = fields_named(system, (field,) if field else (), loaded.game.start)
        cases = {ruling.name: _Case(loaded.raw, loaded.origin, asked) for ruling in system.rulings}
        in_force = system.readings(_picks(loaded.raw))
        origin, name = loaded.origin, asked.name
    else:
        cases = _shown(system, wanted)
        in_force = system.readings(wanted.rulings)
        origin = name = ""
    pricing = _Pricing(system, objective, wanted)
    rows = list(_ruling_row(system, in_force))
    stopped_by = ""
    for place, row in enumerate(rows):
        if row.name not in cases:
            continue
        try:
            rows[place] = pricing.row(row, cases[row.name])
        except LimitError as error:
            # What is too much for one reading may not be so for the next; time is over for all.
            stopped_by = stopped_by or error.limit
            if clock.over():
                break
    return RulingsView(
        system.id, origin, name, tuple(rows), _profiles(system, in_force),
        tuple(ErratumRow(*erratum) for erratum in system.errata),
        partial=bool(stopped_by), stopped_by=stopped_by,
    )  # fmt: skip


class _Case(NamedTuple):
    """Where a ruling is priced: a setup, a field of its outcome, own roster files."""

    raw: Raw
    origin: str
    field: Field[Facts]
    roster: tuple[str, ...] = ()


def _shown(system: System[Facts], wanted: Wanted) -> dict[str, _Case]:
    """For each ruling the first example that says it shows it, under the rulings wanted."""
    found: dict[str, _Case] = {}
    for name, table in examples(system).items():
        for ruling, field in table_at(table, "shows", f"example {name}").items():
            picks = {**_picks(table), **wanted.rulings}
            (asked,) = fields_named(system, (str(field),))
            raw = {**table, "rulings": picks}
            found.setdefault(ruling, _Case(raw, name, asked, wanted.roster))
    return found


def _profiles(system: System[Facts], in_force: Rulings) -> tuple[ProfileRow, ...]:
    return tuple(
        ProfileRow(
            profile.name, profile.title, dict(profile.picks),
            system.readings({"profile": profile.name}) == in_force,
        )
        for profile in system.profiles
    )  # fmt: skip


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


class _Pricing:
    """Prices readings, each setup with the readings in force only once."""

    def __init__(self, system: System[Facts], objective: str, wanted: Wanted) -> None:
        self.system, self.objective, self.wanted = system, objective, wanted
        self.bases: dict[tuple[str, str], Distribution[object] | None] = {}

    def row(self, row: RulingRow, case: _Case) -> RulingRow:
        """A ruling with what the field comes to under each of its readings."""
        key = (case.origin, case.field.name)
        if key not in self.bases:
            self.bases[key] = self.priced(case, {})
        base = self.bases[key]
        readings = []
        for reading in row.readings:
            dist = base if reading.in_force else self.priced(case, {row.name: reading.name})
            priced = reading
            if dist is not None and base is not None:
                priced = reading._replace(mean=_mean(dist), distance=_distance(dist, base))
            readings.append(priced)
        return row._replace(readings=tuple(readings), setup=case.origin, field=case.field.name)

    def priced(self, case: _Case, ruling: Mapping[str, str]) -> Distribution[object] | None:
        """The field under one more ruling; None where the rules then refuse the setup."""
        try:
            with warnings.catch_warnings():
                # An entry that this case doesn't name may be there for another one.
                warnings.simplefilter("ignore", AffrayWarning)
                loaded = load_raw(
                    self.system, case.raw, case.origin, rulings=ruling, roster_files=case.roster
                )
            session = play_script(Session(loaded.game), self.wanted.dice, self.wanted.options)
            game = game_from_here(loaded, session)
            solution = solve(game, objective_named(self.system, self.objective, game.start))
            return outcomes(game, (case.field.name,), decide=solution.decide).map(lambda v: v[0])
        except (SetupError, AnswerError):
            return None


def _mean(odds: Distribution[object]) -> Fraction | None:
    if all(isinstance(value, (int, Fraction)) for value in odds):
        return odds.map(lambda v: v if not isinstance(v, bool) else int(v)).mean()
    return None


def _distance(one: Distribution[object], other: Distribution[object]) -> Fraction:
    values = {*one, *other}
    return sum((abs(one.chance(v) - other.chance(v)) for v in values), start=Fraction(0)) / 2
