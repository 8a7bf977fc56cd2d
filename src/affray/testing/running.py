"""Holding a system to every law of some suites, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.system import System
from affray.engine.budget import Budget, Progress, spending
from affray.testing import (
    agreement,
    choices,
    covered,
    documents,
    examples,
    fights,
    places,
    played,
    promised_choices,
    promises,
    readings,
    sequels,
    sessions,
)
from affray.testing.keys import laws as keys
from affray.testing.law import Fault, Held, Law, hold
from affray.testing.material import Material

__all__ = ["SUITES", "Report", "check", "held", "laws"]

SUITES: Mapping[str, tuple[Law, ...]] = {
    "documents": documents.LAWS,
    "places": (*places.LAWS, *choices.LAWS, *covered.LAWS),
    "hints": (*promises.LAWS, *promised_choices.LAWS),
    "sessions": sessions.LAWS,
    "examples": examples.LAWS,
    "agreement": agreement.LAWS,
    "rulings": readings.LAWS,
    "fights": fights.LAWS,
    "played": played.LAWS,
    "next": sequels.LAWS,
    "keys": keys.LAWS,
}
"""The laws by suite, in the order in which they are checked."""


class Report(NamedTuple):
    """The result of checking a system.

    Attributes:
        system: its id.
        held: each law that was checked, with what came of it.
        left: laws that were not looked at.
        unloaded: why the system can't be loaded, if so.
    """

    system: str
    held: tuple[Held, ...]
    left: tuple[Law, ...] = ()
    unloaded: Fault | None = None

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong."""
        found = tuple(fault for held in self.held for fault in held.faults)
        return found if self.unloaded is None else (self.unloaded, *found)


def laws(suites: Sequence[str] = ()) -> tuple[Law, ...]:
    """The laws of some suites, or of all.

    Args:
        suites: names of suites; also single laws, as "places/steps-are-pure".

    Raises:
        UnknownNameError: there is no such suite or law.
    """
    every = [law for row in SUITES.values() for law in row]
    if not suites:
        return tuple(every)
    known = [*SUITES, *map(str, every)]
    for name in suites:
        if name not in known:
            raise unknown("suite", name, known)
    return tuple(law for law in every if law.suite in suites or str(law) in suites)


def check(
    system: System[Any],
    suites: Sequence[str] = (),
    *,
    seconds: float | None = None,
    fights: Mapping[str, Mapping[str, object]] | None = None,
    idle: Mapping[str, str] | None = None,
) -> tuple[Fault, ...]:
    """The faults of a system; none, if it is held to every law and keeps them.

    Args:
        system: which.
        suites: suites of laws, or single laws; all by default.
        seconds: how long it may take; laws are then checked on fewer cases.
        fights: more fights to look at than it ships, as they stand in `fights.toml`.
        idle: keys that may change nothing, each with the reason, beside those of `idle_keys.toml`.

    Raises:
        UnknownNameError: there is no such suite.
    """
    material = Material(system, fights=fights, idle=idle)
    return held(material, suites, Budget(seconds=seconds)).faults


def held(material: Material, suites: Sequence[str] = (), budget: Budget | None = None) -> Report:
    """Hold a system to every law of some suites.

    Each law gets its share of the time that is left; what one law doesn't need goes to others.

    Args:
        material: what is known of the system.
        suites: as for `check`.
        budget: its seconds are shared, its progress counts laws; stopped, it reports what it has.

    Raises:
        UnknownNameError: there is no such suite.
    """
    wanted = laws(suites)
    budget = budget or Budget()
    began = monotonic()
    found: list[Held] = []
    with spending(budget._replace(seconds=None)):
        for number, law in enumerate(wanted):
            share = None
            if budget.seconds is not None:
                left = budget.seconds - (monotonic() - began)
                if left <= 0:
                    break
                share = left / (len(wanted) - number)
            try:
                tell = _teller(budget, law, number, len(wanted))
                found.append(hold(law, material, budget=Budget(seconds=share), tell=tell))
            except LimitError:  # somebody asked it to stop
                break
    return Report(material.system.id, tuple(found), wanted[len(found) :])


def _teller(budget: Budget, law: Law, number: int, whole: int) -> Callable[[int, int], None] | None:
    progress = budget.progress
    if progress is None:
        return None

    def tell(case: int, cases: int) -> None:
        progress(Progress("laws", number, whole, note=f"{law}, {case:,} of {cases:,}"))

    return tell
