"""One function for each thing that people do. They print nothing and return views."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from affray.app import saved
from affray.app.names import unknown
from affray.app.policy_words import in_words
from affray.app.registry import system_ids, system_named
from affray.app.setups import Loaded, Raw, examples, load, load_raw, read_source, roster, schema
from affray.app.views import (
    BestView,
    ClauseRow,
    Cost,
    DecisionRow,
    FieldStats,
    OddsRow,
    OddsView,
    OptionRow,
    PlayView,
    QuestionRow,
    ReadingRow,
    RosterRow,
    RosterView,
    RulesView,
    RulingRow,
    RulingsView,
    SchemaView,
    SituationRow,
    SystemRow,
    SystemsView,
)
from affray.core.dice import Face
from affray.core.distribution import Distribution
from affray.core.errors import AnswerError, SetupError
from affray.core.node import Choice, Facts
from affray.core.ruling import Rulings
from affray.core.step import Field, Objective, System
from affray.engine.best import Solution, Valued, solve
from affray.engine.explain import explain
from affray.engine.game import Game
from affray.engine.odds import outcomes
from affray.engine.play import Policy, Script, Session, Source, drive

__all__ = [
    "Wanted", "ask_best", "ask_odds", "list_systems", "objective_policy", "open_game",
    "play_view", "show_roster", "show_rules", "show_rulings", "show_schema",
]  # fmt: skip


class Wanted(NamedTuple):
    """What a user gave besides the setup.

    Attributes:
        settle: choices settled beforehand, by step.
        rulings: readings, by name.
        dice, options: a script to play before anything else.
    """

    settle: Mapping[str, tuple[str, ...]] = {}
    rulings: Mapping[str, str] = {}
    dice: tuple[Face, ...] = ()
    options: tuple[str, ...] = ()


NOTHING = Wanted()


# -- looking things up -----------------------------------------------------------------------


def list_systems() -> SystemsView:
    """All systems with what they hold."""
    rows = []
    for name in system_ids():
        system = system_named(name)
        done = sum(clause.status == "carried out" for clause in system.clauses.values())
        rows.append(
            SystemRow(
                system.id, system.title, system.edition, system.credit, len(system.steps),
                len(system.clauses), done, len(system.rulings), tuple(examples(system)),
                tuple(field.name for field in system.fields),
                tuple(objective.name for objective in system.objectives),
            )
        )  # fmt: skip
    return SystemsView(tuple(rows))


def show_roster(system_name: str, section: str = "") -> RosterView:
    """A system's roster, or one section of it.

    Raises:
        UnknownNameError: an unknown system or section.
    """
    system = system_named(system_name)
    sections = roster(system)
    if section and section not in sections:
        raise unknown(f"roster section of {system.id}", section, sections)
    return RosterView(
        system.id,
        tuple(
            RosterRow(part, name, str(values.get("source", "")), values)
            for part, entries in sections.items()
            if section in {"", part}
            for name, values in entries.items()
        ),
    )


def show_rules(system_name: str, clause: str = "") -> RulesView:
    """A system's clauses, or one of them.

    Raises:
        UnknownNameError: an unknown system or clause.
    """
    system = system_named(system_name)
    wanted = clause.upper().replace("_", "-")
    if wanted and wanted not in system.clauses:
        raise unknown(f"clause of {system.id}", clause, system.clauses)
    proofs = _proofs(system)
    return RulesView(
        system.id,
        tuple(
            ClauseRow(*row, tuple(system.carriers.get(row.id, ())), tuple(proofs.get(row.id, ())))
            for row in system.clauses.values()
            if wanted in {"", row.id}
        ),
    )


def _proofs(system: System[Facts]) -> dict[str, list[str]]:
    path = system.folder / "proofs.json"
    found: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}
    return found


def show_schema(system_name: str) -> SchemaView:
    """The JSON Schema of a system's setup."""
    system = system_named(system_name)
    return SchemaView(system.id, schema(system))


# -- playing ---------------------------------------------------------------------------------


def open_game(system_name: str, source: str, wanted: Wanted = NOTHING) -> tuple[Loaded, Session]:
    """A setup or a saved game, ready to go on; a script in `wanted` is played.

    Raises:
        UnknownNameError, InputError, SetupError: as for `affray.app.setups.load`.
        AnswerError: a scripted answer that doesn't fit, or one that was not needed.
    """
    system = system_named(system_name)
    raw, origin = read_source(system, source)
    if saved.is_saved(raw):
        loaded, session = saved.restore(system, raw, origin)
    else:
        loaded = load_raw(system, raw, origin, choose=wanted.settle, rulings=wanted.rulings)
        session = Session(loaded.game)
    return loaded, play_script(session, wanted.dice, wanted.options)


def play_script(session: Session, dice: Sequence[Face], options: Sequence[str]) -> Session:
    """Play scripted answers.

    Raises:
        AnswerError: an answer that doesn't fit, or faces or options left over.
    """
    script = Script(dice, options)
    session = drive(session, script)
    if script.faces or script.choices:
        question = session.question
        left = ", ".join(map(str, (*script.faces, *script.choices)))
        state = f"waits for {_awaited(session)}" if question else "is over"
        raise AnswerError(f"answers left over: {left}; the exchange {state}")
    return session


def _awaited(session: Session) -> str:
    question = session.question
    if question is None:
        return "nothing"
    if question.dice is not None:
        return f"{question.ask} ({question.dice})"
    return f"{question.ask} ({', '.join(option.name for option in question.options)})"


def play_on(session: Session, *sources: Source) -> Session:
    """Let sources answer as far as they can."""
    return drive(session, *sources)


def objective_policy(loaded: Loaded, objective: str = "") -> Policy:
    """Somebody who decides for an objective; the system's first by default."""
    return Policy(solve(loaded.game, _objective(loaded.game.system, objective)).decide)


def play_view(
    loaded: Loaded, session: Session, *, seed: int | None = None, why: Sequence[str] = ()
) -> PlayView:
    """A game as far as it was played.

    Args:
        loaded: what it was played from.
        session: where it stands.
        seed: the seed of its dice, if there was one.
        why: outcome fields to be explained.

    Raises:
        UnknownNameError: a field in `why` that there is not.
    """
    system = loaded.game.system
    question = session.question
    outcome: dict[str, object] = {}
    if session.outcome is not None:
        outcome = {field.name: field.of(session.outcome) for field in system.fields}
    lines: list[str] = []
    for name in why:
        field = _field(system, name)
        if session.outcome is None:
            raise SetupError(f"--explain {name}: the exchange is not over; play it to the end")
        lines += explain(session, field.name).lines()
    return PlayView(
        system=system.id,
        setup=loaded.origin,
        title=loaded.title,
        seed=seed,
        log=session.log,
        question=question
        and QuestionRow(
            question.actor,
            question.ask,
            question.step,
            question.clauses,
            str(question.dice or ""),
            tuple(OptionRow(o.name, o.words, o.spends) for o in question.options),
            question.about,
            question.closed,
        ),
        outcome=outcome,
        explanation=tuple(lines),
        saved=saved.to_saved(loaded, session),
    )


# -- pricing ---------------------------------------------------------------------------------


def _field(system: System[Facts], name: str) -> Field[Facts]:
    field = system.field_named(name) if name else system.fields[0]
    if field is None:
        raise unknown(f"outcome field of {system.id}", name, [f.name for f in system.fields])
    return field


def _objective(system: System[Facts], name: str) -> Objective[Facts]:
    for objective in system.objectives:
        if name in {"", objective.name}:
            return objective
    raise unknown(f"objective of {system.id}", name, [o.name for o in system.objectives])


_CONDITION = re.compile(r"\s*([A-Za-z_0-9]+)\s*(>=|<=|!=|=|>|<)\s*(.+?)\s*")
_TESTS: Mapping[str, Callable[[object, object], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,  # type: ignore[operator]  # numbers; others are refused below
    "<=": lambda a, b: a <= b,  # type: ignore[operator]  # numbers; others are refused below
    ">": lambda a, b: a > b,  # type: ignore[operator]  # numbers; others are refused below
    "<": lambda a, b: a < b,  # type: ignore[operator]  # numbers; others are refused below
}


def conditions(system: System[Facts], texts: Sequence[str]) -> dict[str, Callable[[object], bool]]:
    """Conditions on outcome fields from texts such as `hit=true`, `net>=7`.

    Raises:
        SetupError: not of that form.
        UnknownNameError: an unknown field.
    """
    found: dict[str, list[Callable[[object], bool]]] = {}
    for text in texts:
        match = _CONDITION.fullmatch(text)
        if match is None:
            raise SetupError(f"condition {text!r}; write it like hit=true, net>=7 or superior=2")
        name = _field(system, match[1]).name
        value: object = match[3]
        if match[3].lower() in {"true", "yes", "false", "no"}:
            value = match[3].lower() in {"true", "yes"}
        elif re.fullmatch(r"-?\d+", match[3]):
            value = int(match[3])
        elif match[2] not in {"=", "!="}:
            raise SetupError(f"condition {text!r}: {match[3]!r} is no number to compare with")
        found.setdefault(name, []).append(_holds(_TESTS[match[2]], value))
    return {name: _all(tests) for name, tests in found.items()}


def _holds(test: Callable[[object, object], bool], value: object) -> Callable[[object], bool]:
    return lambda seen: test(seen, value)


def _all(tests: Sequence[Callable[[object], bool]]) -> Callable[[object], bool]:
    return lambda seen: all(test(seen) for test in tests)


def _from_here(loaded: Loaded, session: Session) -> Game:
    return loaded.game._replace(start=session.here)


def _opened(system_name: str, source: str, wanted: Wanted) -> tuple[Loaded, Session, Game]:
    loaded, session = open_game(system_name, source, wanted)
    return loaded, session, _from_here(loaded, session)


def ask_odds(
    system_name: str,
    source: str,
    names: Sequence[str] = (),
    *,
    given: Sequence[str] = (),
    objective: str = "",
    wanted: Wanted = NOTHING,
) -> OddsView:
    """The exact distribution of outcome fields.

    Args:
        system_name: id of a system.
        source: a setup, as for `affray.app.setups.load`, or a saved game.
        names: outcome fields; the system's first if there are none.
        given: conditions known to hold, such as `hit=true`.
        objective: what open choices are decided for; the system's first by default.
        wanted: settled choices, rulings, and a script: odds are then those from where it ends.
    """
    loaded, _, game = _opened(system_name, source, wanted)
    system = game.system
    asked = [_field(system, name) for name in names or ("",)]
    goal = _objective(system, objective)
    solution = solve(game, goal)
    met: set[str] = set()

    def decide(at, choice):  # type: ignore[no-untyped-def]  # notes what was decided for whom
        met.add(at.step.name)
        return solution.decide(at, choice)

    joint = outcomes(
        game, [field.name for field in asked], decide=decide, given=conditions(system, given)
    )
    policy = "nothing was left to decide"
    if met:
        policy = f"{', '.join(sorted(met))}: decided for the best {goal.name} ({goal.title})"
    single = joint.map(lambda values: values[0]) if len(asked) == 1 else None
    return OddsView(
        system=system.id,
        setup=loaded.origin,
        title=loaded.title,
        fields=tuple(field.name for field in asked),
        meaning=tuple(field.title for field in asked),
        unit=asked[0].unit if len(asked) == 1 else "",
        given=tuple(given),
        policy=policy,
        how="exact: integer weights over one denominator, every path counted",
        rows=_odds_rows(single if single is not None else joint),
        stats=_stats(single),
    )


def _is_number(value: object) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def _odds_rows(
    odds: Distribution[object] | Distribution[tuple[object, ...]],
) -> tuple[OddsRow, ...]:
    chances = odds.fractions()
    if not all(_is_number(value) for value in chances):
        return tuple(OddsRow(value, chance, None, None) for value, chance in chances.items())
    rows, below = [], Fraction(0)
    for value, chance in chances.items():
        rows.append(OddsRow(value, chance, 1 - below, below + chance))
        below += chance
    return tuple(rows)


def _stats(odds: Distribution[object] | None) -> FieldStats | None:
    if odds is None or not all(_is_number(value) for value in odds):
        return None
    quarter = Fraction(1, 4)
    return FieldStats(
        odds.mean(), odds.variance(), odds.sd(), odds.median(),
        (odds.quantile(quarter), odds.quantile(1 - quarter)),
    )  # fmt: skip


# -- solving ---------------------------------------------------------------------------------


def ask_best(
    system_name: str,
    source: str,
    *,
    objective: str = "",
    threshold: Fraction | int = 0,
    wanted: Wanted = NOTHING,
) -> BestView:
    """The best option at every choice that is met from here on.

    Args:
        system_name: id of a system.
        source: a setup, as for `affray.app.setups.load`, or a saved game.
        objective: what is wanted; the system's first by default.
        threshold: a point of a limited resource is spent only where it gains more than this.
        wanted: settled choices, rulings, and a script to play first; its choices are judged.
    """
    loaded, session, game = _opened(system_name, source, wanted)
    goal = _objective(game.system, objective)
    solution = solve(game, goal, threshold=Fraction(threshold))
    decisions = tuple(
        DecisionRow(
            decision.step,
            decision.actor,
            decision.ask,
            decision.clauses,
            in_words(decision),
            tuple(Cost(*option) for option in decision.always),
            tuple(
                SituationRow(s.about, s.best, s.chance, tuple(Cost(*o) for o in s.options))
                for s in decision.situations
            ),
        )
        for decision in solution.decisions()
    )
    return BestView(
        system=game.system.id,
        setup=loaded.origin,
        title=loaded.title,
        objective=goal.name,
        meaning=goal.title,
        threshold=Fraction(threshold),
        value=solution.value,
        decisions=decisions,
        regrets=_regrets(session, solve(loaded.game, goal, threshold=Fraction(threshold))),
    )


def _regrets(session: Session, solution: Solution) -> tuple[tuple[str, Cost], ...]:
    """What each choice that was made cost against the best one."""
    rows = []
    for entry in session.entries:
        if entry.asked and isinstance(entry.node, Choice) and entry.answer is not None:
            valued: tuple[Valued, ...] = solution.values(entry.at)
            taken = next(v for v in valued if v.name == entry.answer.option)
            rows.append((entry.at.step.name, Cost(*taken)))
    return tuple(rows)


# -- rulings ---------------------------------------------------------------------------------


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
    asked, goal = _field(system, field), _objective(system, objective)
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
        game = _from_here(loaded, session)
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
