"""What can be asked of an outcome, and what a side may want of it: fields and objectives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from affray.core.lazy import NamedTuple
from affray.core.node import Facts

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Field", "Objective", "Reach", "a_chance", "first_fitting", "none_or_more"]

F = TypeVar("F", bound=Facts)
Reach: TypeAlias = "tuple[int | Fraction | None, int | Fraction | None]"
"""The least and the most that something can come to; None: there is no limit."""


class Field(NamedTuple, Generic[F]):
    """Something that can be asked of an outcome: a number, a name or a yes or no.

    Attributes:
        name: what users type (`--of damage`).
        title: what it is, in one sentence.
        of: reads it from the facts, once settled.
        clause: where the book defines it.
        unit: "points", "hits"; empty for yes or no.
        also: other names users may type.
        fits: whether it says something where this is the start; None: always. The first field
            that fits is told of every exchange, others that are false, zero or empty only if they
            differ from the start or decide an objective (`affray.engine.exchange.explain`).
        of_purse: whether it only counts what has been spent of something limited, or is left of it.
    """

    name: str
    title: str
    of: Callable[[F], object]
    clause: str
    unit: str = ""
    also: tuple[str, ...] = ()
    fits: Callable[[F], bool] | None = None
    of_purse: bool = False

    def __repr__(self) -> str:
        return f"<field {self.name}: {self.title}>"


class Objective(NamedTuple, Generic[F]):
    """A side's goal: the number that it makes as large as it can.

    Attributes:
        name: what users type (`--objective kill`).
        title: what it is, in one sentence.
        utility: from the final facts to an int or Fraction, exact; True and False count as 1
            and 0, anything else is refused.
        actor: whose wish it is; in a zero-sum exchange everybody else wants the opposite.
        about: the outcome field that decides it alone, if there is one; it is told of every
            exchange.
        fits: whether anybody would want it where this is the start; None: always.
        comes_to: the least and the most that it can still come to from a place with these facts,
            None where that has no limit; left out, nothing is known before the end.
    """

    name: str
    title: str
    utility: Callable[[F], int | Fraction]
    actor: str
    about: str = ""
    fits: Callable[[F], bool] | None = None
    comes_to: Callable[[F], Reach] | None = None

    def __repr__(self) -> str:
        return f"<objective {self.name} of {self.actor}: {self.title}>"


def a_chance(facts: Facts) -> Reach:
    """What a chance can come to (`Objective.comes_to`)."""
    return 0, 1


def none_or_more(facts: Facts) -> Reach:
    """What damage and the like can come to, where nothing limits it (`Objective.comes_to`)."""
    return 0, None


A = TypeVar("A", Field[Any], Objective[Any])


def first_fitting(among: Sequence[A], start: F | None = None) -> A:
    """The first of some fields or objectives that fits where the start is; without one the first.

    Args:
        among: at least one.
        start: the facts at the start; None: not known.
    """
    for one in among:
        if start is None or one.fits is None or one.fits(start):
            return one
    return among[0]
