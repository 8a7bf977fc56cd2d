"""What is checked when a system is loaded: that its parts name each other rightly."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from affray.core.errors import RulesError
from affray.core.ruling import Rulings
from affray.core.step import fields_of
from affray.core.telling import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from types import CodeType

    from affray.core.node import Step
    from affray.core.system import Clause, System

__all__ = ["check", "check_clauses", "check_hints"]

_PREFIX = re.compile(r"[A-Z]{2,6}")


def check(system: System[Any]) -> None:
    """Check everything about a system but its clauses, which are read when somebody wants them.

    Raises:
        RulesError: what is wrong, and where.
    """
    _check_steps(system)
    _check_names(system)
    _check_lasting(system)
    check_hints(system)
    _check_prefix(system)


def _check_steps(system: System[Any]) -> None:
    listed = set(system.steps)
    names: set[str] = set()
    for step in system.steps:
        if not step.title:
            raise RulesError(f"{system.id}: step {step.name} has no docstring; say what it does")
        if not step.clauses:
            raise RulesError(f"{system.id}: step {step.name} carries out no clause; cite one")
        if _n_parameters(step.rule) != 1:
            raise RulesError(f"{system.id}: step {step.name} must take the facts, nothing else")
        if step.name in names:
            raise RulesError(f"{system.id}: two steps are called {step.name}")
        names.add(step.name)
        for target in system.followers[step]:
            if target not in listed:
                raise RulesError(
                    f"{system.id}: step {step.name} leads to {target.name}, which is not listed"
                )
    _check_reached(system, listed)


def _check_reached(system: System[Any], listed: set[Step[Any]]) -> None:
    if system.start not in listed:
        raise RulesError(f"{system.id}: the start, {system.start.name}, is not a listed step")
    starts = (system.start, *(system.fight.starts if system.fight else ()))
    for start in starts:
        if start not in listed:
            raise RulesError(f"{system.id}: fights start at {start.name}, no listed step")
    reached = {step for start in starts for step in (start, *system.reach[start])}
    for step in system.steps:
        if step not in reached:
            raise RulesError(f"{system.id}: no step leads to {step.name}")


def _check_names(system: System[Any]) -> None:
    for kind, names in (
        ("fields", [name for f in system.fields for name in (f.name, *f.also)]),
        ("objectives", [objective.name for objective in system.objectives]),
        ("rulings", [r.name for r in system.rulings] + [r.id for r in system.rulings]),
        ("profiles", [profile.name for profile in system.profiles]),
    ):
        if len(set(names)) != len(names):
            raise RulesError(f"{system.id}: {kind} {names}; each may be named once")
        if not names and kind in {"fields", "objectives"}:
            raise RulesError(f"{system.id}: no {kind}; there must be at least one")
    for profile in system.profiles:
        Rulings.pick(system.rulings, profile.picks)
    for objective in system.objectives:
        if objective.actor not in system.actors:
            raise RulesError(
                f"{system.id}: objective {objective.name} belongs to {objective.actor!r}; "
                f"actors: {', '.join(system.actors)}"
            )
        if objective.about and objective.about not in _field_names(system):
            raise RulesError(
                f"{system.id}: objective {objective.name} is about {objective.about!r}, which "
                f"is no outcome field; known: {', '.join(sorted(_field_names(system)))}"
            )


def _check_lasting(system: System[Any]) -> None:
    for name in system.lasts:
        if name not in _field_names(system):
            raise RulesError(
                f"{system.id}: lasts names {name!r}, which is no outcome field; "
                f"known: {', '.join(sorted(_field_names(system)))}"
            )


def check_hints(system: System[Any]) -> None:
    """Check that hints name steps, fields and objectives of the system.

    Raises:
        RulesError: a hint about something that doesn't exist.
    """
    hints = system.hints
    for kind, steps in (
        ("aside", hints.aside), ("fixes", hints.fixes), ("alike", hints.alike),
        ("seams", hints.seams), ("spends_at", hints.spends_at), ("plain", hints.plain),
        ("strains_at", hints.strains_at), ("fixes_where", hints.fixes_where),
        ("rejoins", hints.rejoins),
    ):  # fmt: skip
        for step in steps:
            if step not in system.places:
                raise RulesError(
                    f"{system.id}: hints: {kind} names {shown(step)}, which is no step of the "
                    "system; name the step itself"
                )
    known = _field_names(system)
    for step, fields in hints.fixes.items():
        _check_hinted(system, f"fixes of {step.name}", fields, known, "outcome field")
    wishes = frozenset(objective.name for objective in system.objectives)
    _check_hinted(system, "decides", hints.decides, wishes, "objective")
    _check_hinted(system, "columns", hints.columns, known, "outcome field")
    for step in {**hints.aside, **hints.alike}:
        held = frozenset(fields_of(step))
        if held:
            aside = hints.aside.get(step, ())
            _check_hinted(system, f"aside of {step.name}", aside, held, "field of the facts")
            if step in hints.alike:
                field = (hints.alike[step].field,)
                _check_hinted(system, f"alike of {step.name}", field, held, "field of the facts")


def _check_hinted(
    system: System[Any], where: str, names: Collection[str], known: frozenset[str], kind: str
) -> None:
    if isinstance(names, str):
        raise RulesError(f"{system.id}: hints: {where}: {names!r}; must be a tuple of names")
    for name in names:
        if name not in known:
            raise RulesError(
                f"{system.id}: hints: {where}: {name!r} is no {kind}; "
                f"known: {', '.join(sorted(known))}"
            )


def _field_names(system: System[Any]) -> frozenset[str]:
    return frozenset(field_.name for field_ in system.fields)


def _check_prefix(system: System[Any]) -> None:
    if not _PREFIX.fullmatch(system.prefix):
        raise RulesError(
            f"{system.id}: prefix {system.prefix!r}; allowed: two to six capital letters"
        )


def check_clauses(system: System[Any], listed: Mapping[str, Clause]) -> None:
    """Compare the clauses that are listed with those that the code cites.

    Raises:
        RulesError: they don't agree.
    """
    shape = re.compile(rf"{system.prefix}-\d+[a-z]?")
    for clause in listed:
        if not shape.fullmatch(clause):
            raise RulesError(f"{system.id}: clauses.toml lists {clause!r}; {_ids(system)}")
    for clause, spots in system.carriers.items():
        if not shape.fullmatch(clause):
            raise RulesError(f"{system.id}: {spots[0]} cites {clause!r}; {_ids(system)}")
        if clause not in listed:
            raise RulesError(
                f"{system.id}: {spots[0]} cites {clause!r}, which clauses.toml doesn't list"
            )
    for gap in system.gaps:
        if gap.clause not in listed:
            raise RulesError(
                f"{system.id}: a gap names clause {gap.clause!r}, which clauses.toml doesn't list"
            )
    for known in listed.values():
        if known.status == "unknown in the source":
            continue
        if (known.status in {"carried out", "in part"}) != (known.id in system.carriers):
            raise RulesError(
                f"{system.id}: clause {known.id} is said to be {known.status!r}, carried by "
                f"{system.carriers.get(known.id, 'nothing')}"
            )


def _ids(system: System[Any]) -> str:
    """The form of clause ids, for messages."""
    prefix = system.prefix
    return f"clause ids are {prefix}- and a number, such as {prefix}-7 or {prefix}-7a"


def _n_parameters(rule: Callable[..., object]) -> int:
    """As `inspect.signature` counts them, and quicker for a plain function."""
    code: CodeType | None = getattr(rule, "__code__", None)
    if code is None or hasattr(rule, "__wrapped__"):
        return len(inspect.signature(rule).parameters)
    n_listed = code.co_argcount + code.co_kwonlyargcount
    return (
        n_listed
        + (code.co_flags & inspect.CO_VARARGS > 0)
        + (code.co_flags & inspect.CO_VARKEYWORDS > 0)
    )
