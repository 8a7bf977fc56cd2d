"""What a command loads: only what it needs, so that it starts at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from affray.cli.main import COMMANDS

HEAVY = ("numpy", "scipy", "shapely", "pydantic", "annotated_types", "rich", "click",
         "importlib.metadata", "http", "email", "ssl", "multiprocessing", "asyncio")  # fmt: skip
SYSTEMS = ("affinity", "eclipse_phase", "emlia", "empty_earth", "grid_battles")
EP = ("click", "annotated_types", "eclipse_phase")

LOADS: dict[str, tuple[str, tuple[str, ...]]] = {
    "the library": ("import affray", ()),
    "help": ("--help", ("click",)),
    "help of a command": ("odds --help", ("click",)),
    "version": ("--version", ("click",)),
    "odds as JSON": ("odds eclipse-phase jinx-shoots --json", EP),
    "odds": ("odds eclipse-phase jinx-shoots", EP),
    "best": ("best eclipse-phase jinx-shoots", (*EP, "rich")),
    "play": ("play eclipse-phase jinx-shoots --dice 96", (*EP, "rich")),
    "odds of another system": (
        "odds empty-earth o4p --json", ("click", "annotated_types", "empty_earth")),
    "roster": ("roster grid-battles --json", ("click", "annotated_types", "grid_battles")),
    "duel": (
        "duel empty-earth bo-husk --json",
        ("click", "annotated_types", "empty_earth", "numpy", "scipy",
         "importlib.metadata", "email")),  # scipy asks for them
    "a mistake": ("odds eclipse-fase x", ("click", "importlib.metadata", "email")),
}  # fmt: skip
"""For each command line the heavy modules and the systems that it may load."""

ASKS = """
import sys
words = {words!r}.split()
if words[0] == "import":
    import affray
else:
    sys.argv = ["affray", *words]
    from affray.__main__ import run
    try:
        run()
    except SystemExit:
        pass
heavy = {heavy!r}
print("loaded:", *sorted(name for name in heavy if name in sys.modules))
print("systems:", *sorted(
    name for name in {systems!r} if "affray.systems." + name in sys.modules))
"""


def loaded(words: str) -> set[str]:
    """The heavy modules and the systems that a command line loads."""
    code = ASKS.format(words=words, heavy=HEAVY, systems=SYSTEMS)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *_, modules, systems = done.stdout.splitlines()
    return {*modules.split()[1:], *systems.split()[1:]}


@pytest.mark.parametrize("name", LOADS)
def test_a_command_loads_what_it_needs_and_no_more(name: str) -> None:
    words, allowed = LOADS[name]
    assert loaded(words) <= set(allowed)


def test_a_table_that_does_not_fit_is_where_pydantic_comes_in() -> None:
    assert "pydantic" in loaded("duel eclipse-phase w6 --set vision=dim")


def test_columns_without_room_are_where_rich_comes_in() -> None:
    assert "rich" in loaded("rules eclipse-phase")


def test_every_command_stands_where_it_is_said_to() -> None:
    for name, module in COMMANDS.items():
        code = f"from {module} import {name}; print({name}.name)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              check=True)  # fmt: skip
        assert done.stdout.strip() == name
