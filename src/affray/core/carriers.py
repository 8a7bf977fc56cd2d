"""The code that carries each clause, collected from everything in a system's package."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

from affray.core.errors import RulesError
from affray.core.table import Table

__all__ = ["carried_by", "modules_of"]


def modules_of(folder: Path, defined_in: Iterable[str]) -> tuple[ModuleType, ...]:
    """The modules of a system: its whole package, or those in which its steps stand.

    Args:
        folder: where the system's files lie; a package that lies there is the system's own.
        defined_in: names of the modules in which its steps stand.

    Raises:
        RulesError: a module of the package can't be imported.
    """
    names = list(dict.fromkeys(defined_in))
    for name in names:
        package = name
        while package:
            found = sys.modules.get(package)
            if any(Path(path) == folder for path in getattr(found, "__path__", ())):
                return tuple(_imported(package, folder))
            package = package.rpartition(".")[0]
    return tuple(sys.modules[name] for name in names if name in sys.modules)


def _imported(package: str, folder: Path) -> Iterator[ModuleType]:
    import pkgutil  # only where somebody asks for clauses

    yield sys.modules[package]
    for found in pkgutil.walk_packages([str(folder)], f"{package}."):
        if found.name.rpartition(".")[2] == "__main__":
            continue
        try:
            yield import_module(found.name)
        except ImportError as error:
            raise RulesError(
                f"{package}: its module {found.name} can't be imported: {error}; a system looks "
                "for clauses in every module of its package"
            ) from None


def carried_by(modules: Iterable[ModuleType]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Places in code with the clauses they cite, where they are defined: 'tables.RANGES'."""
    for module in modules:
        short = module.__name__.rpartition(".")[2]
        met: set[int] = set()
        for key, thing in list(vars(module).items()):
            clauses = _cited(thing)
            if not clauses and not isinstance(thing, type):
                continue
            if id(thing) in met:
                continue  # the same under another name
            met.add(id(thing))
            if _home(thing) != module.__name__:
                continue
            if clauses:
                yield f"{short}.{key}", clauses
            if isinstance(thing, type):
                for name, member in vars(thing).items():
                    if isinstance(member, FunctionType) and (clauses := _cited(member)):
                        yield f"{short}.{key}.{name}", clauses


def _home(thing: object) -> str:
    if isinstance(thing, Table):
        return thing.home
    defined = isinstance(thing, type) or inspect.isroutine(thing) or hasattr(thing, "__wrapped__")
    return str(getattr(thing, "__module__", "")) if defined else ""


def _cited(thing: object) -> tuple[str, ...]:
    if isinstance(thing, Table):
        return thing.__clauses__
    own: Mapping[str, object] = getattr(thing, "__dict__", {})
    clauses = own.get("__clauses__", ())
    return clauses if isinstance(clauses, tuple) else ()
