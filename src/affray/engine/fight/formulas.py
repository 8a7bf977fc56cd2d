"""What a question comes to as a formula of the unknown, so that equal ones are answered once.

A question is asked of facts with a sign in place of each unknown value. Signs can be added,
subtracted, multiplied and compared with numbers, and asked for their attributes. A comparison has
two answers, and the question is followed for both. What it comes to is a tree: comparisons, and
below them numbers or formulas. Two places with the same tree come to the same for every value.
Whatever else is done with a sign is a look, and the question has no formula.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias, TypeVar
from weakref import proxy

from affray.core.lazy import NamedTuple
from affray.core.unknown import UNKNOWN, Looked, Unknown, holds_unknown, is_unknown

__all__ = ["Formula", "Formulas"]

Formula: TypeAlias = "int | Fraction | tuple[object, ...]"
"""A number; the name of a field, an attribute or an operation; or a comparison with both ends."""

P = TypeVar("P")

_MOST_ENDS = 8
"""A question that comes to more than this in one place is left without a formula. With so many
comparisons on the way to an end there are more; a loop over something unknown would have no end."""
_ENOUGH = 32
"""A question that has no formula so many times in a row is not asked for one any more."""
_NUMBERS = frozenset({int, bool, Fraction})


class _Copy(NamedTuple):
    """A sheet with signs in it.

    Attributes:
        sheet: without them; as long as it lies here, nothing else has its identity.
        copy: with them. kept: what it and the sheets in it keep, and how much that was.
    """

    sheet: object
    copy: object
    kept: list[tuple[dict[str, object], int]]

    def is_clean(self) -> bool:
        """Whether no property has kept what it found: it would not compare again."""
        return all(len(kept) == size for kept, size in self.kept)


class Formulas:
    """The formulas of one question.

    Args:
        question: says the same of the same facts, whenever it is asked.
    """

    def __init__(self, question: Callable[[Any], object]) -> None:
        self._question = question
        self._me: Formulas = proxy(self)  # whose signs these are; they don't keep it alive
        self._left = _ENOUGH
        self._ends = 0
        self._told: tuple[bool, ...] = ()
        self._compared: list[Formula] = []
        self._fields: dict[type, tuple[Any, ...]] = {}
        self._signs: dict[object, _Sign] = {}
        self._copies: dict[int, _Copy] = {}
        self._kept: list[tuple[dict[str, object], int]] = []

    def formula(self, facts: object) -> Formula | None:
        """What the question says of facts with something unknown in them.

        Args:
            facts: tuples and dataclasses, with `UNKNOWN` in some fields, however deep. What stands
                in fields of one name is the same.

        Returns:
            The formula; None if none is known.
        """
        if not self._left:
            return None
        found = self._found(facts)
        if found is None and self._learn(facts):
            found = self._found(facts)
        self._left = self._left - 1 if found is None else _ENOUGH
        return found

    def _found(self, facts: object) -> Formula | None:
        self._ends = 0
        try:
            return self._follow(facts, ())
        except (Looked, Exception):  # the question is asked again for each value
            return None

    def _follow(self, facts: object, told: tuple[bool, ...]) -> Formula:
        """What the question says where the first comparisons come to what is told."""
        self._ends += 1
        if self._ends > _MOST_ENDS:
            raise Looked
        self._told, self._compared = told, []
        self._kept = []
        found = self.formula_of(self._question(self._signed(facts)))
        compared = self._compared
        for place in reversed(range(len(told), len(compared))):
            yes = self._follow(facts, (*told, *[False] * (place - len(told)), True))
            found = found if yes == found else (compared[place], found, yes)
        return found

    def compare(self, formula: Formula) -> bool:
        """What a comparison comes to: what is told, and no where nothing is."""
        place = len(self._compared)
        if place == _MOST_ENDS:
            raise Looked
        self._compared.append(formula)
        return place < len(self._told) and self._told[place]

    def formula_of(self, value: object) -> Formula:
        """A number, or the formula of a sign.

        Raises:
            Looked: it is something else.
        """
        kind = type(value)
        if kind in _NUMBERS:
            return value  # type: ignore[return-value]  # see `_NUMBERS`
        if kind is _Sign:
            whose, formula = _read(value)  # type: ignore[arg-type]  # it is one
            if whose is self._me:
                return formula
        raise Looked

    # -- signs in place of the unknown -----------------------------------------------------------

    def _signed(self, part: P) -> P:
        """The same with signs, in the fields in which something unknown was seen before."""
        names = self._fields.get(type(part))
        if names is None:
            return part
        if isinstance(part, tuple):
            values = list(part)
            for name in names:
                values[name] = self._sign(part, name, values[name])
            return tuple.__new__(type(part), values)
        copy = self._copies.get(id(part))
        if copy is None or not copy.is_clean():
            before, self._kept = self._kept, []
            whole = object.__new__(type(part))
            for field in fields(part):  # type: ignore[arg-type]  # a dataclass; see `_learn`
                value = getattr(part, field.name)
                sign = field.name in names
                vars(whole)[field.name] = self._sign(part, field.name, value) if sign else value
            self._kept.append((vars(whole), len(vars(whole))))
            copy = self._copies[id(part)] = _Copy(part, whole, self._kept)
            self._kept = before
        self._kept += copy.kept
        return copy.copy  # type: ignore[return-value]  # it is of the same kind

    def _sign(self, whole: object, name: Any, part: object) -> object:
        """What stands for a part: its sign if it is unknown."""
        if part is not UNKNOWN:
            return self._signed(part)
        if isinstance(whole, tuple):
            name = whole._fields[name]  # type: ignore[attr-defined]  # one without is no record
        sign = self._signs.get(name)
        if sign is None:
            sign = self._signs[name] = _Sign(self._me, ("field", name))
        return sign

    def _learn(self, whole: object) -> bool:
        """Note the fields in which something is unknown; whether there are new ones."""
        if is_unknown(whole):
            return False
        if isinstance(whole, tuple):
            parts: list[tuple[Any, object]] = list(enumerate(whole))
        elif is_dataclass(whole) and not isinstance(whole, type):
            parts = [(field.name, getattr(whole, field.name)) for field in fields(whole)]
        else:
            return False
        known = self._fields.get(type(whole), ())
        below = [self._learn(part) for _, part in parts]
        new = [name for name, part in parts if name not in known and holds_unknown(part)]
        if new:
            self._fields[type(whole)] = (*known, *new)
            self._copies.clear()
        return bool(new) or any(below)


def _operation(how: Callable[..., object], *, swapped: bool = False) -> Callable[..., _Sign]:
    def of(self: _Sign, *others: object) -> _Sign:
        run, mine = _read(self)
        theirs = [run.formula_of(other) for other in others]
        parts = (*theirs, mine) if swapped else (mine, *theirs)
        return _Sign(run, (how.__name__, *parts))

    return of


def _comparison(how: Callable[..., object]) -> Callable[..., bool]:
    def of(self: _Sign, *others: object) -> bool:
        run, mine = _read(self)
        return run.compare((how.__name__, mine, *[run.formula_of(other) for other in others]))

    return of


class _Sign(Unknown):
    """Stands for something unknown, or for what was made of it."""

    __slots__ = ("_formula", "_whose")

    def __init__(self, whose: Formulas, formula: Formula) -> None:
        object.__setattr__(self, "_whose", whose)
        object.__setattr__(self, "_formula", formula)

    __add__ = __radd__ = _operation(operator.add)
    __sub__ = _operation(operator.sub)
    __rsub__ = _operation(operator.sub, swapped=True)
    __mul__ = __rmul__ = _operation(operator.mul)
    __neg__ = _operation(operator.neg)
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)
    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)
    __bool__ = _comparison(operator.truth)

    def __getattribute__(self, name: str) -> _Sign:
        if name.startswith("_"):  # Python itself asks, for `isinstance` and the like
            raise Looked
        run, mine = _read(self)
        return _Sign(run, ("attribute", mine, name))

    def __hash__(self) -> NoReturn:
        raise Looked  # whoever remembers by it would not compare again


def _read(sign: _Sign) -> tuple[Formulas, Formula]:
    get = object.__getattribute__
    return get(sign, "_whose"), get(sign, "_formula")
