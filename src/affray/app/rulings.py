"""Rulings, where a book is silent, and how far their readings lie apart in a concrete case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from affray.app.inputs.intake import Written
from affray.app.inputs.setups import Raw, examples, load_table, setup_behind
from affray.app.inputs.tables import table_at
from affray.app.notes import with_notes
from affray.app.play import PlayedGame, play_script
from affray.app.registry import system_named
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source, Table
from affray.app.views.books import ErratumRow, ProfileRow, ReadingRow, RulingRow, RulingsView
from affray.core.distribution import Distribution
from affray.core.errors import AnswerError, LimitError, SetupError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import Field, System
from affray.core.telling import unheard
from affray.engine.budget import Budget, Clock, spending
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.odds import fields_named, outcomes

__all__ = ["list_rulings", "show_rulings"]


def list_rulings(system_name: str) -> RulingsView:
    """A system's open questions with their readings, without what any of them changes.

    Raises:
        UnknownNameError: an unknown system.
    """
    system = system_named(system_name)
    in_force = system.readings({})
    return RulingsView(
        system.id, "", "", tuple(_ruling_row(system, in_force)), _profiles(system, in_force),
        tuple(ErratumRow(*erratum) for erratum in system.errata), partial=False, stopped_by="",
    )  # fmt: skip


@with_notes
def show_rulings(
    system_name: str,
    source: Source | None = None,
    *,
    field: str = "",
    objective: str = "",
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    budget: Budget | None = None,
) -> RulingsView:
    """A system's open questions, and what a field comes to under every reading.

    Args:
        system_name: id of a system.
        source: a setup in which all readings are priced; None: each ruling in the example that
            shows it, if there is one.
        field: the outcome field to price in the setup; the first by default.
        objective: what open choices are decided for.
        changes: what holds instead of what the setup says.
        answers: given first.
        budget: how much it may take; when it is spent, the view has the prices so far.

    Raises:
        UnknownNameError, InputError, SetupError: as for `affray.app.inputs.setups.load`.
    """
    with spending(budget) as clock:
        system = system_named(system_name)
        pricing = _Pricing(system, objective, changes, answers)
        return _rulings(pricing, source, field, clock)


def _rulings(pricing: _Pricing, source: Source | None, field: str, clock: Clock) -> RulingsView:
    system, changes = pricing.system, pricing.changes
    if source is not None:
        loaded = load_table(system, setup_behind(system, source), changes)
        (asked,) = fields_named(system, (field,) if field else (), loaded.game.start)
        cases = {ruling.name: _Case(loaded.raw, loaded.origin, asked) for ruling in system.rulings}
        in_force = system.readings(_picks(loaded.raw))
        origin, name = loaded.origin, asked.name
    else:
        cases = _shown(system, changes)
        in_force = system.readings(changes.rulings)
        origin = name = ""
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
    """The case in which a ruling is priced: a setup, a field of its outcome, own roster entries."""

    raw: Raw
    origin: str
    field: Field[Facts]
    roster: tuple[Table, ...] = ()


def _shown(system: System[Facts], changes: Changes) -> dict[str, _Case]:
    """For each ruling the first example that says it shows it, under the rulings wanted."""
    found: dict[str, _Case] = {}
    for name, table in examples(system).items():
        for ruling, field in table_at(table, "shows", Written(f"example {name}")).items():
            picks = {**_picks(table), **changes.rulings}
            (asked,) = fields_named(system, (str(field),))
            raw = {**table, "rulings": picks}
            found.setdefault(ruling, _Case(raw, name, asked, changes.roster))
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

    def __init__(
        self, system: System[Facts], objective: str, changes: Changes, answers: Answers
    ) -> None:
        self.system, self.objective = system, objective
        self.changes, self.answers = changes, answers
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
            with unheard():  # an entry that this case doesn't name may be there for another one
                setup = Table(case.raw, case.origin)
                begun = PlayedGame.begin(self.system.id, setup, Changes({}, ruling, case.roster))
            game = play_script(begun, self.answers).here
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
