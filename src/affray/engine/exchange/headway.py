"""How far exchanges come that differ in one number before what it is makes a difference.

In a sweep the first steps are mostly the same for every point: a weapon is chosen, a stance taken,
and some modifiers are added to the number. So the second exchange that differs from the one before
it in a single number is followed once with `Swept` in place of that number, up to the first roll or
to a step that does more with it than move it, add to it and compare it. Later ones for which all
comparisons come out the same begin there.

Nobody promises anything. All that a rule could do with a number unnoticed is to ask for its type or
whether it is None; that comes out alike for all numbers of one type, and what was found is kept
only where it agrees with the rules followed as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from itertools import combinations
from numbers import Number
from operator import attrgetter
from typing import Any, TypeAlias

from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Node
from affray.core.unknown import UNKNOWN, Looked
from affray.engine.exchange.swept import Seen, Swept

__all__ = ["Headway", "Plan", "StepOn", "planned", "put"]

StepOn = Callable[[At[Facts]], tuple[Node[Facts] | None, At[Facts] | None]]
"""What a step says, and the place after it; None where the straight way ends."""

_PLAIN = frozenset({int, bool, str, float, type(None)})
_OF_HASHES = frozenset({"_hash", "_veiled"})
MOST_KEPT = 8
MOST_VAIN = 8
"""Exchanges in a row that were followed for this in vain; after them it is left alone."""
MOST_STEPS = 1_000
MOST_OPTIONS = 12
"""Options of a choice, every two of which are compared."""


class Headway:
    """The headway of one kind of exchange: one system, the same settled choices and questions."""

    def __init__(self) -> None:
        self._last: At[Facts] | None = None
        self._known: tuple[_Known, ...] = ()
        self._vain = 0

    def made(self, start: At[Facts], step_on: StepOn) -> At[Facts]:
        """A place on the straight way from a start; the start itself where nothing is known."""
        for known in self._known:
            place = known.place(start)
            if place is not None:
                self._vain = 0
                return place
        last, self._last = self._last, start
        if last is None or last.step is not start.step or self._vain >= MOST_VAIN:
            return start
        self._vain += 1
        path = _difference(last.facts, start.facts)
        learned = None if path is None else _learned(start, path, step_on)
        if learned is None:
            return start
        self._known = (learned, *self._known[: MOST_KEPT - 1])
        return learned.place(start) or start


# -- where two exchanges differ ----------------------------------------------------------------

_Path = tuple[int | str, ...]
"""Places in tuples and names of fields, from the facts down to a number."""


def _is_bare(thing: tuple[object, ...]) -> bool:
    """Whether a tuple is nothing but what stands in it."""
    return not getattr(thing, "__dict__", {}).keys() - _OF_HASHES


def _names(thing: object) -> tuple[str, ...] | None:
    """The fields of a frozen record, if they are all that there is of it; None: it is no such."""
    if not is_dataclass(thing):
        return None
    names = tuple([field.name for field in fields(thing)])
    inside = getattr(thing, "__dict__", None)
    return names if inside is not None and inside.keys() - _OF_HASHES == set(names) else None


def _is_whole(thing: object) -> bool:
    """Whether a tuple or record can be put together from what stands in it."""
    return _is_bare(thing) if isinstance(thing, tuple) else _names(thing) is not None


def _part(thing: Any, at: int | str) -> Any:
    return thing[at] if isinstance(at, int) else getattr(thing, at)


def _difference(one: object, other: object) -> _Path | None:
    """The way into facts to the only number in which they differ; None: they differ otherwise."""
    path: list[int | str] = []
    while type(one) is type(other):
        if type(one) in {int, float}:
            return tuple(path)
        if not _is_whole(other):
            return None
        places: Sequence[int | str] = _names(other) or ()
        if isinstance(one, tuple) and isinstance(other, tuple):
            places = range(len(one)) if len(one) == len(other) else ()
        pairs = [(at, _part(one, at), _part(other, at)) for at in places]
        found = [(at, a, b) for at, a, b in pairs if a is not b and a != b]
        if len(found) != 1:
            return None
        at, one, other = found[0]
        path.append(at)
    return None


class _Level(NamedTuple):
    """One thing on the way to the number: all of it but the next thing must stay the same.

    Attributes:
        kind: its type.
        at: where in it the next thing lies.
        rest: all the others, of anything of this kind, and what else it carries.
        same: what they must be.
    """

    kind: type
    at: int | str
    rest: Callable[[Any], object]
    same: object


def _level(thing: Any, at: int | str) -> _Level:
    if isinstance(at, int):

        def rest(thing: Any) -> object:
            return thing[:at], thing[at + 1 :], _is_bare(thing)

    else:
        others = [name for name in _names(thing) or () if name != at]
        get = attrgetter("__class__", *others)  # it needs one name at least

        def rest(thing: Any) -> object:
            return get(thing), vars(thing).keys() - _OF_HASHES

    return _Level(type(thing), at, rest, rest(thing))


def _with_parts(thing: Any, parts: dict[Any, object]) -> Any:
    """The same with other parts; of a record the other fields are taken as they are."""
    if isinstance(thing, tuple):
        values = list(thing)
        for at, part in parts.items():
            values[at] = part
        return tuple.__new__(type(thing), values)
    new = object.__new__(type(thing))
    inside = {name: value for name, value in vars(thing).items() if name not in _OF_HASHES}
    vars(new).update({**inside, **parts})
    return new


# -- what was found out ------------------------------------------------------------------------


class _Plus(NamedTuple):
    """The number itself stands here, with something added to it."""

    plus: int


Plan: TypeAlias = "int | _Plus | dict[Any, Plan]"
"""What to put: a thing from the start, by its number; the number; or something in places of it."""


class _Known(NamedTuple):
    """A place that all exchanges come to that differ in one number alone.

    Attributes:
        start: the step at which they begin.
        levels: from the facts down to what the number stands in.
        seen: the values for which it holds.
        veiled: the place, with the swept number in it.
        plan: where in its facts the number stands, and things from the start in which it is.
    """

    start: object
    levels: Sequence[_Level]
    seen: Seen
    veiled: At[Facts]
    plan: Plan

    def place(self, start: At[Facts]) -> At[Facts] | None:
        """The place that this start comes to; None where it differs in anything else."""
        if start.step is not self.start:
            return None
        thing: Any = start.facts
        things = [thing]
        for kind, at, rest, same in self.levels:
            if type(thing) is not kind or rest(thing) != same:
                return None
            thing = _part(thing, at)
            things.append(thing)
        if type(thing) is not type(self.seen.now) or not self.seen.has(thing):
            return None
        return At(self.veiled.step, put(self.veiled.facts, self.plan, things))


def put(into: Any, plan: Any, things: Sequence[Any]) -> Any:
    """The same with what the plan says; the last of the things is the number."""
    if type(plan) is int:
        return things[plan]
    if type(plan) is _Plus:
        return things[-1] + plan.plus if plan.plus else things[-1]
    parts = {at: put(_part(into, at), what, things) for at, what in plan.items()}
    return _with_parts(into, parts) if parts else into


def planned(thing: Any, veiled: dict[int, int]) -> Plan | None:
    """Where the number stands in something; None where it doesn't.

    Args:
        thing: facts, or anything in them.
        veiled: things of the start in which it is, by identity, with their numbers.

    Raises:
        LookupError: it stands in something that can't be put together again.
    """
    if type(thing) in _PLAIN or thing is UNKNOWN:
        return None
    if id(thing) in veiled:
        return veiled[id(thing)]
    if type(thing) is Swept:
        return _Plus(thing.plus)
    if isinstance(thing, tuple):
        parts: list[tuple[Any, object]] = [
            (at, part) for at, part in enumerate(thing) if type(part) not in _PLAIN
        ]
    elif is_dataclass(thing) and not isinstance(thing, type):
        parts = [(field.name, getattr(thing, field.name)) for field in fields(thing)]
    else:
        return None
    plan: dict[Any, Plan] = {}
    for at, part in parts:
        what = planned(part, veiled)
        if what is not None:
            plan[at] = what
    if plan and not _is_whole(thing):
        raise LookupError
    return plan or None


def _learned(start: At[Facts], path: _Path, step_on: StepOn) -> _Known | None:
    """The place at which the straight way ends, or somebody looks; None where that is at once."""
    things: list[Any] = [start.facts]
    for at in path:
        things.append(_part(things[-1], at))
    seen = Seen(things[-1])
    veiled: list[Any] = [Swept(seen)]
    for thing, at in zip(reversed(things[:-1]), reversed(path), strict=True):
        veiled.insert(0, _with_parts(thing, {at: veiled[0]}))
    place, n_steps = At(start.step, veiled[0]), 0
    for _ in range(MOST_STEPS):
        before = seen.again()
        try:
            node, after = step_on(place)
            if isinstance(node, Choice):
                _tell_apart(node, seen)
        except (Looked, Exception):
            seen = before
            break
        if after is None:
            break
        place, n_steps = after, n_steps + 1
    real = start
    for _ in range(n_steps):
        _, going = step_on(real)
        if going is None:
            return None
        real = going
    levels = [_level(thing, at) for thing, at in zip(things[:-1], path, strict=True)]
    try:
        plan = planned(place.facts, {id(thing): n for n, thing in enumerate(veiled[:-1])})
        known = _Known(start.step, levels, seen, place, {} if plan is None else plan)
        agrees = known.place(start) == real
    except (LookupError, Looked):
        return None
    # Where the swept number stands somewhere still, it has just been compared with the real one.
    return known if n_steps and agrees and seen.least < seen.most else None


def _tell_apart(choice: Choice[Facts], seen: Seen) -> None:
    """Leave out the values for which two options would be one, since both lead to the same.

    Raises:
        Looked: there are too many options, or they are one for the present value.
    """
    if len(choice.options) > MOST_OPTIONS:
        raise Looked
    for one, other in combinations(choice.options, 2):
        met = _meeting(one.at, other.at) or set()
        if seen.now in met:
            raise Looked
        seen.but |= met


def _meeting(one: Any, other: Any) -> set[Any] | None:
    """The one value of the number for which two things are equal.

    Returns:
        None where there is none; nothing in it where they are equal anyway.
    """
    if one is other:
        return set()
    if type(one) is Swept and type(other) is Swept:
        return set() if one.plus == other.plus else None
    if type(one) is Swept or type(other) is Swept:
        swept, value = (one, other) if type(one) is Swept else (other, one)
        is_number = isinstance(value, Number)  # 9 is 9.0, and True is 1
        return {value - swept.plus} if is_number else None
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = list(zip(one, other, strict=False))
        if len(one) != len(other):
            return None
    elif type(one) is type(other) and (names := _names(one)):
        pairs = [(getattr(one, name), getattr(other, name)) for name in names]
    else:
        return set() if one == other else None
    values: set[Any] = set()
    for a, b in pairs:
        met = _meeting(a, b)
        if met is None:
            return None
        values |= met
    return values if len(values) < 2 else None
