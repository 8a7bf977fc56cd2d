"""Which systems there are: those that ship, and those that other packages bring.

A package brings a system by an entry point in the group `affray.systems` whose object is a
`affray.core.step.System`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from affray.core.errors import RulesError
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.step import System

__all__ = ["system_ids", "system_named"]

GROUP = "affray.systems"
SHIPPED = {
    "eclipse-phase": "affray.systems.eclipse_phase:SYSTEM",
    "empty-earth": "affray.systems.empty_earth:SYSTEM",
}


@cache
def _places() -> dict[str, str]:
    found = {point.name: point.value for point in entry_points(group=GROUP)}
    return dict(sorted({**SHIPPED, **found}.items()))


def system_ids() -> tuple[str, ...]:
    """The ids of all systems, in order."""
    return tuple(_places())


@cache
def system_named(name: str) -> System[Facts]:
    """The system with this id; underscores may stand for hyphens.

    Raises:
        UnknownNameError: there is none.
        RulesError: what the entry point names is no system, or a wrong one.
    """
    wanted = name.replace("_", "-")
    # The systems that ship are found without reading the metadata of every installed package.
    place = SHIPPED.get(wanted) or _places().get(wanted)
    if place is None:
        raise unknown("system", name, system_ids())
    module, _, attribute = place.partition(":")
    system = getattr(import_module(module), attribute)
    if not isinstance(system, System):
        raise RulesError(f"entry point {wanted} = {place} is no affray System")
    return system
