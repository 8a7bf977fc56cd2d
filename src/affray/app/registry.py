"""The registry of systems: those that ship, and those that other packages bring.

A package brings a system by an entry point in the group `affray.systems` whose object is a
`affray.core.system.System`. The entry point is called as the system's id: small letters, digits,
hyphens (underscores may stand for them). One that can't be used is left out, with its reason; all
others work.
"""

from __future__ import annotations

import os
import re
from functools import cache
from importlib import import_module
from traceback import walk_tb
from typing import TYPE_CHECKING

import affray.systems
from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Broken", "blame", "broken_systems", "system_ids", "system_named"]

GROUP = "affray.systems"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_OF_A_NAME = 60
MOST_OF_A_REASON = 300


class Broken(NamedTuple):
    """A system that can't be used: its name, the package that brings it, and the reason."""

    name: str
    package: str
    why: str


class _Brought(NamedTuple):
    """The home of an outside system: module, attribute and package."""

    place: str
    package: str


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "-")


@cache
def _shipped() -> dict[str, str]:
    """The systems that ship, found without reading the metadata of every installed package."""
    found = [entry for path in affray.systems.__path__ for entry in os.scandir(path)]
    names = [e.name for e in found if os.path.isfile(os.path.join(e.path, "__init__.py"))]
    return {_plain(name): f"affray.systems.{name}:SYSTEM" for name in sorted(names)}


def _package(point: EntryPoint) -> str:
    try:
        return str(getattr(point.dist, "name", None) or "an unknown package")
    except Exception:  # broken metadata is no reason to stop
        return "an unknown package"


@cache
def _outside() -> tuple[dict[str, _Brought], tuple[Broken, ...]]:
    """Systems of other packages by name, and those whose name can't be."""
    from importlib.metadata import entry_points  # slow; only for systems that don't ship

    try:
        points = sorted(set(entry_points(group=GROUP)))
    except Exception as error:  # broken metadata is no reason to stop
        return {}, (Broken("*", "installed packages", _reason(error)),)
    brought: dict[str, dict[str, str]] = {}
    broken = []
    for point in points:
        name, package = _plain(point.name), _package(point)
        if _shipped().get(name) == point.value:
            continue
        if name in _shipped():
            broken.append(
                Broken(name, package, "a system that ships has this name; choose another")
            )
        elif not NAME.fullmatch(name) or len(name) > MOST_OF_A_NAME:
            why = "allowed in a name: small letters, digits and hyphens between them"
            broken.append(Broken(shown(point.name), package, why))
        else:
            brought.setdefault(name, {})[point.value] = package
    systems = {}
    for name, places in brought.items():
        if len(places) == 1:
            ((place, package),) = places.items()
            systems[name] = _Brought(place, package)
        else:
            packages = " and ".join(sorted(set(places.values())))
            why = f"{len(places)} systems have this name; remove all but one"
            broken.append(Broken(name, packages, why))
    return systems, tuple(broken)


@cache
def _loaded(name: str) -> System[Facts] | Broken:
    """An outside system, or why it can't be used."""
    place, package = _outside()[0][name]
    try:
        found = _system_at(place, name)
        found.clauses  # noqa: B018  # compared with the code, as nobody here has done it
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # somebody else's code; it may raise anything
        return Broken(name, package, _reason(error))
    return found


def _system_at(place: str, name: str) -> System[Facts]:
    module, _, attribute = place.partition(":")
    if not attribute:
        raise RulesError(f"{place!r} names no object; write package.module:SYSTEM")
    found: object = import_module(module.strip())
    for part in attribute.strip().split("."):
        found = getattr(found, part)
    if not isinstance(found, System):
        raise RulesError(f"{place} is {type(found).__name__}, no affray System")
    if found.id != name:
        raise RulesError(
            f"System.id is {shown(found.id)}; it must be the entry point's name, {name}"
        )
    return found


def _reason(error: BaseException) -> str:
    told = " ".join(str(error).split())
    if not isinstance(error, RulesError):
        told = f"{type(error).__name__}: {told}" if told else type(error).__name__
    return told if len(told) <= MOST_OF_A_REASON else f"{told[:MOST_OF_A_REASON]}..."


def blame(error: BaseException) -> str:
    """Tell which system of another package raised an error, and where; "" if none did."""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        for name, (place, package) in _outside()[0].items():
            home = place.partition(":")[0].strip()
            if module == home or module.startswith(f"{home}."):
                where = f" ({module}, line {line}, in {frame.f_code.co_name})"
                told = "" if isinstance(error, RulesError) else where
                return f"system {name} of {package} failed{told}: {_reason(error)}"
    return ""


def broken_systems() -> tuple[Broken, ...]:
    """Systems of other packages that can't be used, each with the reason."""
    brought, broken = _outside()
    found = [_loaded(name) for name in brought]
    return tuple(sorted((*broken, *(row for row in found if isinstance(row, Broken)))))


def system_ids() -> tuple[str, ...]:
    """The ids of all systems that can be used, in order."""
    usable = [name for name in _outside()[0] if isinstance(_loaded(name), System)]
    return tuple(sorted((*_shipped(), *usable)))


@cache
def system_named(name: str) -> System[Facts]:
    """The system with this id; underscores may stand for hyphens.

    Raises:
        UnknownNameError: there is none.
        RulesError: it can't be used; says why.
    """
    wanted = _plain(name)
    if wanted in _shipped():
        return _system_at(_shipped()[wanted], wanted)
    brought, misnamed = _outside()
    if wanted in brought:
        found = _loaded(wanted)
        if isinstance(found, System):
            return found
        misnamed = (found,)
    for row in misnamed:
        if row.name in {wanted, shown(name)}:
            raise RulesError(f"system {row.name} of {row.package} can't be used: {row.why}")
    raise unknown("system", name, system_ids())
