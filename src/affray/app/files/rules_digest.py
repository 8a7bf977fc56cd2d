"""By which rules something was worked out: a digest of a system's rule text and its data.

A number that somebody counts up by hand is forgotten sooner or later; the text itself is not.
"""

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from pathlib import Path

from affray import _version
from affray.core.node import Facts
from affray.core.system import System

__all__ = ["heading", "rules_digest"]

NO_RULES = frozenset({"examples.toml", "fights.toml", "clauses.toml", "idle_keys.toml"})
"""Data that no rule reads."""
LENGTH = 16


def heading(schema: str, version: int, system: System[Facts]) -> dict[str, object]:
    """What a kept file begins with: what it is, and by which program and rules it was made."""
    return {
        "schema": schema,
        "version": version,
        "affray": _version.VERSION,
        "system": system.id,
        "system_version": system.version,
        "rules": rules_digest(system),
    }


@cache
def rules_digest(system: System[Facts]) -> str:
    """A digest of everything that a system's rules consist of; "" where no text is found."""
    files = {
        path: path.relative_to(system.folder).as_posix()
        for pattern in ("*.py", "*.toml")
        for path in system.folder.rglob(pattern)
        if path.name not in NO_RULES
    }
    for home in _modules(system):
        files.setdefault(home, home.name)
    found = hashlib.sha256()
    for path, name in sorted(files.items(), key=lambda item: item[1]):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{name} {len(text)}\n".encode() + text)
    return found.hexdigest()[:LENGTH] if files else ""


def _modules(system: System[Facts]) -> set[Path]:
    """The files in which the steps and what they cite stand, wherever these lie."""
    names = {inspect.getsourcefile(step.rule) for step in system.steps}
    names |= {module.__file__ for module in system.modules}
    return {path for name in names if name and (path := Path(name)).is_file()}
