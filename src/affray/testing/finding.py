"""From a name to a system: one that is installed, or `package.module:SYSTEM`."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from affray.app.registry import system_named
from affray.core.errors import RulesError, SetupError
from affray.core.node import Facts
from affray.core.system import System
from affray.testing.cases import told
from affray.testing.law import Fault

__all__ = ["CannotLoadError", "find_system"]

REMEDY = "Python must be able to import it from here, and it must be an affray System."


class CannotLoadError(RulesError):
    """A system can't be loaded; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def find_system(name: str) -> System[Facts]:
    """The system of this name.

    Args:
        name: the id of an installed system, or a module and a name in it, as `mygame:SYSTEM`; the
            folder in which the command was given counts as installed.

    Raises:
        UnknownNameError: no system is called so.
        CannotLoadError: it is found and can't be loaded.
    """
    module, colon, attribute = name.partition(":")
    if not colon:
        try:
            known = system_named(name)
            known.clauses  # noqa: B018  # compared with the code now
        except RulesError as error:
            raise _cannot(name, str(error)) from None
        return known
    if not (module.strip() and attribute.strip()):
        raise SetupError(f"{name!r} names no system; write its id, or package.module:SYSTEM")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: object = import_module(module.strip())
        for part in attribute.strip().split("."):
            found = getattr(found, part)
        if isinstance(found, System):
            found.clauses  # noqa: B018  # compared with the code now
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # somebody else's code
        raise _cannot(name, told(error)) from None
    if not isinstance(found, System):
        raise _cannot(name, f"it is {type(found).__name__}, no affray System")
    return found


def _cannot(name: str, what: str) -> CannotLoadError:
    remedy = "Mend what the message names." if ":" in what else REMEDY
    return CannotLoadError(Fault("loading", name, what, remedy))
