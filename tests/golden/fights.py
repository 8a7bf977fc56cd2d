"""Whole fights as text: the scripts of `fights.toml`, as a person at the terminal sees them.

A fight with a script (key `play`) is played by `affray fight SYSTEM FIGHT --script`, at 80 columns.
One file holds one fight: everything that is shown, the lines of the script where they are typed.
"""

from __future__ import annotations

from pathlib import Path

from affray.app.inputs.tables import fight_examples
from affray.app.registry import system_named
from tests.cli.running import affray
from tests.scenarios import SHIPPED

__all__ = ["FIGHTS", "FOLDER", "file_of", "shown"]

FOLDER = Path(__file__).parent / "fights"
FIGHTS = [
    (system, name)
    for system in SHIPPED
    for name, table in fight_examples(system_named(system)).items()
    if "play" in table
]


def file_of(system: str, name: str) -> Path:
    """The file of a fight."""
    return FOLDER / f"{system}-{name}.txt"


def shown(system: str, name: str) -> str:
    """Everything that is shown while a fight is played by its script."""
    done = affray("fight", system, name, "--script", env={"COLUMNS": "80"})
    assert done.returncode == 0, done.stderr
    return done.stdout
