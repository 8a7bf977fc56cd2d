"""The tests of a clause: their names say its id, as in `test_ep56_tie_misses`."""

from __future__ import annotations

import re
from pathlib import Path

from affray.app.inputs.intake import InputError
from affray.core.node import Facts
from affray.core.system import System

__all__ = ["proofs_beside", "proofs_by_clause"]

_TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
_CLAUSE = re.compile(r"_([a-z]{2,6})(\d+[a-z]?)(?=_|$)")


def proofs_beside(system: System[Facts]) -> Path | None:
    """The folder `tests` of the checkout in which a system lies; None outside of a checkout."""
    for folder in system.folder.resolve().parents:
        if (folder / "pyproject.toml").is_file():
            return folder / "tests" if (folder / "tests").is_dir() else None
    return None


def proofs_by_clause(system: System[Facts], folder: Path) -> dict[str, tuple[str, ...]]:
    """Tests by clause, as `folder/test_file.py::test_name`; the files are read, not run.

    Args:
        system: whose clauses.
        folder: a folder with tests, or one file.

    Raises:
        InputError: there is no such file or folder, or one of its files can't be read.
    """
    try:
        folder.stat()
    except (OSError, ValueError) as error:  # missing, out of reach, too long, a NUL in its name
        raise InputError(
            f"no such file or folder; name the folder of the tests, not {folder}"
        ) from error
    home = (folder.parent if folder.is_file() else folder).resolve().parent
    found: dict[str, set[str]] = {}
    for path in [folder] if folder.is_file() else sorted(folder.rglob("test_*.py")):
        where = path.resolve().relative_to(home).as_posix()
        try:
            names = _TEST.findall(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: can't be read: {error}") from None
        for name in names:
            for letters, number in _CLAUSE.findall(name):
                if letters.upper() == system.prefix:
                    found.setdefault(f"{system.prefix}-{number}", set()).add(f"{where}::{name}")
    return {clause: tuple(sorted(tests)) for clause, tests in found.items()}
