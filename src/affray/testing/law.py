"""A law: what holds in every system, over which cases, and what to do where it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, spending
from affray.testing.cases import Case, told
from affray.testing.material import Material

__all__ = ["Fault", "Held", "Law", "Skip", "hold", "law"]

MOST_FAULTS = 8
"""Faults of one law that are told; the rest is counted."""

Rule = Callable[[Material, Any], Iterable[str]]
R = TypeVar("R", bound=Rule)


class Fault(NamedTuple):
    """Something that is wrong with a system.

    Attributes:
        law: which law it breaks: suite and name.
        where: the step, example, fighter or file.
        what: what is wrong there.
        remedy: what to do about it.
    """

    law: str
    where: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.law}: {self.where}: {self.what}\n    {self.remedy}"


class Skip(Exception):  # noqa: N818  # it is no error
    """A law has nothing to say about a case."""


@dataclass(frozen=True)
class Law:
    """Something that holds in every system.

    Attributes:
        suite: the suite it belongs to. name: what it is called there.
        title: the law, in one sentence.
        remedy: what to do where it is broken.
        over: from the material to the cases.
        rule: from the material and a case to what is wrong with it, sentence by sentence.
    """

    suite: str
    name: str
    title: str
    remedy: str
    over: Callable[[Material], Iterable[Case]]
    rule: Rule

    def __str__(self) -> str:
        return f"{self.suite}/{self.name}"


class Held(NamedTuple):
    """The result of holding a system to a law.

    Attributes:
        law: which.
        checked: how many cases were looked at; of how many in all.
        faults: what was wrong, each place once.
        more: how many faults are not told.
        seconds: how long it took.
        cut: why it stopped before all cases were looked at; "" if it did not.
    """

    law: Law
    checked: int
    cases: int
    faults: tuple[Fault, ...]
    more: int
    seconds: float
    cut: str


def law(
    suite: str, remedy: str, over: Callable[[Material], Iterable[Case]]
) -> Callable[[Callable[[Material, Any], Iterable[str]]], Law]:
    """Make a law of a function that tells what is wrong with a case; its docstring is the title.

    Args:
        suite: the suite it belongs to.
        remedy: what to do where it is broken.
        over: from the material to the cases.
    """

    def decorate(rule: Callable[[Material, Any], Iterable[str]]) -> Law:
        title = (rule.__doc__ or "").strip().partition("\n")[0]
        return Law(suite, rule.__name__.replace("_", "-"), title, remedy, over, rule)

    return decorate


def hold(
    law: Law,
    material: Material,
    *,
    budget: Budget | None = None,
    tell: Callable[[int, int], None] | None = None,
    part: tuple[int, int] = (0, 1),
) -> Held:
    """Hold a system to a law.

    Args:
        law: which.
        material: what is known of the system.
        budget: how much it may take; beyond its seconds, the cases that are left are left.
        tell: told before each case how many were looked at, and of how many.
        part: every which case: (0, 3), (1, 3) and (2, 3) together are all.

    Raises:
        LimitError: somebody asked it to stop.
    """
    began, checked = monotonic(), 0
    faults: dict[str, Fault] = {}
    more, cut = 0, ""
    cases: Sequence[Case] = ()
    with spending(budget) as clock:
        try:
            cases, wrong = _cases(law, material, part)
            faults |= {
                name: Fault(str(law), name, what, law.remedy) for name, what in wrong.items()
            }
            for number, case in enumerate(cases):
                clock.poll()
                if tell is not None:
                    tell(number, len(cases))
                found: list[str] = []
                looked = _look(law, material, case, found)
                for what in found:
                    if case.where in faults or len(faults) >= MOST_FAULTS:
                        more += 1
                    else:
                        faults[case.where] = Fault(str(law), case.where, what, law.remedy)
                if not looked:
                    continue
                checked += 1
        except LimitError as error:
            if error.limit == "interrupted":
                raise
            cut = str(error)
    return Held(law, checked, len(cases), tuple(faults.values()), more, monotonic() - began, cut)


def _cases(
    law: Law, material: Material, part: tuple[int, int]
) -> tuple[Sequence[Case], dict[str, str]]:
    """The cases of a law; what is wrong if rules fail before there are any, by system."""
    try:
        return list(material.covering(str(law), law.over(material)))[part[0] :: part[1]], {}
    except (LimitError, KeyboardInterrupt):
        raise
    except BaseException as error:  # somebody else's code
        return (), {material.system.id: told(error)}


def _look(law: Law, material: Material, case: Case, found: list[str]) -> bool:
    """Note the faults of a case, an exception of the rules too; whether the law concerns it."""
    try:
        found.extend(law.rule(material, case.thing))
    except Skip:
        return False
    except (LimitError, KeyboardInterrupt):
        raise
    except BaseException as error:  # somebody else's code
        found.append(told(error))
    return True
