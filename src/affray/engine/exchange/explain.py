"""The origin of a number: the steps that made it, back to the sheets, as a tree.

Nothing has to be declared for this. The facts of a played session are looked at again through
a record that notes which of its fields a step reads; what a step wrote shows in its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.system import Field, first_fitting
from affray.engine.exchange.session import Session, StepTaken, log_line

__all__ = ["Reason", "explain", "fields_read", "seen_of", "told_fields"]


class Reason(NamedTuple):
    """One node of an explanation.

    Attributes:
        text: what happened, in a line.
        clauses: under which clauses; empty for what was there from the start.
        details: parts of an itemised sum.
        because: what this in turn rests on.
    """

    text: str
    clauses: tuple[str, ...]
    details: tuple[str, ...]
    because: tuple[Reason, ...]

    def lines(self, depth: int = 0) -> list[str]:
        """The tree as indented lines."""
        cited = f"  [{', '.join(self.clauses)}]" if self.clauses else ""
        lines = ["  " * depth + self.text + cited]
        lines += ["  " * (depth + 2) + detail for detail in self.details]
        for reason in self.because:
            lines += reason.lines(depth + 1)
        return lines


def fields_read(facts: Facts, of: Callable[[Facts], object]) -> tuple[str, ...]:
    """The fields of the facts that a function (a step's rule, a field) looks at, in order."""
    kind = type(facts)
    names: frozenset[str] = frozenset(getattr(kind, "_fields", ()))
    seen: dict[str, None] = {}

    def look(self: object, name: str) -> object:
        if name in names:
            seen[name] = None
        return object.__getattribute__(self, name)

    spy = type(f"Watched{kind.__name__}", (kind,), {"__getattribute__": look, "__slots__": ()})
    of(tuple.__new__(spy, facts))
    return tuple(seen)


def explain(session: Session, name: str) -> Reason:
    """Why an outcome field has its value in a played session.

    Args:
        session: a session that is over, or far enough along to have settled the field.
        name: an outcome field.

    Raises:
        RulesError: the system has no such field.
    """
    field = session.game.system.field_named(name)
    if field is None:
        raise RulesError(f"{session.game.system.id} has no outcome field {name!r}")
    final = session.here.facts if session.outcome is None else session.outcome
    entries, here = session.steps_taken, session.here
    value = field.of(final)
    root = Reason(f"{field.name} = {value}", (field.clause,), (), ())
    if seen_of(field, here.facts) != value:  # the very last step made it
        read = fields_read(here.facts, here.step.rule)
        because = _reasons(entries, len(entries), read, set())
        last = Reason(here.step.title.rstrip("."), here.step.clauses, (), because)
        return root._replace(because=(last,))
    for place in range(len(entries) - 1, -1, -1):
        entry = entries[place]
        if seen_of(field, entry.at.facts) != seen_of(field, entry.after.facts):
            return root._replace(because=(_reason(entries, place, {place}),))
    read = fields_read(final, field.of)  # it is what it always was: tell what it rests on
    because = _reasons(entries, len(entries), read, set()) or _way(session)
    return root._replace(text=f"{root.text}, as at the start: no step changed it", because=because)


def told_fields(session: Session) -> tuple[str, ...]:
    """The outcome fields that are worth telling of an exchange that is over, in their order.

    That is every field that is not false, zero or empty, and of the others those that the exchange
    was about:

    - the first field that fits its start, which is what `odds` shows unasked;
    - numbers and truth values that decide alone what a side can want (`Objective.about`);
    - what fits the start and is, or was on the way, different from it: a concentration that was
      lost.
    """
    final, system = session.outcome, session.game.system
    if final is None:
        return ()
    start = session.game.start.facts
    main = {first_fitting(system.fields, start).name}
    wanted = {wish.about for wish in system.objectives if wish.fits is None or wish.fits(start)}
    told = []
    for field in system.fields:
        value = field.of(final)
        about = field.name in main or (field.name in wanted and isinstance(value, (bool, int)))
        fits = field.fits is None or field.fits(start)
        if not _is_nothing(value) or about or (fits and _has_changed(session, field, value)):
            told.append(field.name)
    return tuple(told)


def _is_nothing(value: object) -> bool:
    """Whether a value is false, zero or empty."""
    return value is None or value in (0, "", ())


def _has_changed(session: Session, field: Field[Facts], value: object) -> bool:
    before = seen_of(field, session.game.start.facts)
    if before is None:
        return False
    on_the_way = (seen_of(field, entry.after.facts) for entry in session.steps_taken)
    return before != value or any(seen is not None and seen != before for seen in on_the_way)


def _way(session: Session) -> tuple[Reason, ...]:
    """The reason for this end: the fields that the last step read, or what was told last."""
    entries, here = session.steps_taken, session.here
    because = _reasons(entries, len(entries), fields_read(here.facts, here.step.rule), set())
    if because:
        return because
    for place in range(len(entries) - 1, -1, -1):
        line = log_line(entries[place])
        if line.says or line.faces or line.option:
            return (_reason(entries, place, {place}),)
    return ()


def seen_of(field: Field[Facts], facts: Facts) -> object:
    """The field as it stands here; None where it can't be told yet."""
    try:
        return field.of(facts)
    except (AttributeError, LookupError, TypeError, RulesError):
        return None


def _reasons(
    entries: Sequence[StepTaken], before: int, fields: Sequence[str], told: set[int]
) -> tuple[Reason, ...]:
    """The steps before `before` that last wrote these fields, latest first, each told once."""
    makers: list[int] = []
    for field in fields:
        for place in range(before - 1, -1, -1):
            entry = entries[place]
            if getattr(entry.at.facts, field) != getattr(entry.after.facts, field):
                if place not in told and place not in makers:
                    makers.append(place)
                break
    reasons = []
    for place in sorted(makers, reverse=True):
        if place in told:
            continue
        told.add(place)
        reasons.append(_reason(entries, place, told))
    return tuple(reasons)


def _reason(entries: Sequence[StepTaken], place: int, told: set[int]) -> Reason:
    entry = entries[place]
    line = log_line(entry)
    parts = [line.title.rstrip(".")]
    if line.faces:
        parts.append(f"{line.dice}: {', '.join(map(str, line.faces))}")
    if line.option:
        parts.append(line.words or line.option)
    if line.says:
        parts.append(line.says)
    details = tuple(part for total in line.totals for part in total.lines())
    because = _reasons(entries, place, fields_read(entry.at.facts, entry.at.step.rule), told)
    return Reason(": ".join(parts), line.clauses, details, because)
