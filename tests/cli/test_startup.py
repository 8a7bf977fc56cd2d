"""What a command loads: only what it needs, so that it starts at once."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib import import_module

import pytest

from affray.cli.main import COMMANDS

HEAVY = ("numpy", "scipy", "shapely", "pydantic", "annotated_types", "rich", "click",
         "importlib.metadata", "http", "email", "ssl", "multiprocessing", "asyncio",
         "sqlalchemy", "alembic")  # fmt: skip
SYSTEMS = ("affinity", "eclipse_phase", "emlia", "empty_earth", "grid_battles")
EP = ("click", "eclipse_phase")

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
        "odds empty-earth o4p --json", ("click", "empty_earth")),
    "roster": ("roster grid-battles --json", ("click", "grid_battles")),
    "roster of another": ("roster emlia --json", ("click", "emlia")),
    "duel": (
        "duel empty-earth bo-husk --json",
        ("click", "empty_earth", "numpy", "scipy",
         "importlib.metadata", "email")),  # scipy asks for them
    "a battle": (
        "battle empty-earth bo-husk -n 10 --json",
        ("click", "empty_earth", "numpy")),  # what several workers need is left out
    "help of the store": ("store backup --help", ("click",)),
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
UNFIT = "duel eclipse-phase w6 --set vision=dim"
NARROW = "rules eclipse-phase"
LIGHT = "import sys, affray; print('dataclasses' in sys.modules)"

FORKS = """
import os, sys
for number, code in enumerate(sys.argv[1:]):
    child = os.fork()
    if not child:
        status = 1
        try:
            exec(compile(code, "<test>", "exec"), {"__name__": "__main__"})
            status = 0
        finally:
            sys.stdout.flush()
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0, code
    print("=" * 8, number, flush=True)
"""
"""Runs pieces of code, each as the first that a new interpreter does."""


@cache
def _printed() -> dict[str, str]:
    """What each piece of code prints that is asked about here."""
    codes = [asks(words) for words in (*(words for words, _ in LOADS.values()), UNFIT, NARROW)]
    codes.append(LIGHT)
    done = subprocess.run([sys.executable, "-c", FORKS, *codes], capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    found, rest = {}, done.stdout
    for number, code in enumerate(codes):
        found[code], _, rest = rest.partition(f"{'=' * 8} {number}\n")
    return found


def asks(words: str) -> str:
    """Code that tells what a command line loads."""
    return ASKS.format(words=words, heavy=HEAVY, systems=SYSTEMS)


def loaded(words: str) -> set[str]:
    """The heavy modules and the systems that a command line loads."""
    *_, modules, systems = _printed()[asks(words)].splitlines()
    return {*modules.split()[1:], *systems.split()[1:]}


@pytest.mark.parametrize("name", LOADS)
def test_a_command_loads_what_it_needs_and_no_more(name: str) -> None:
    words, allowed = LOADS[name]
    assert loaded(words) <= set(allowed)


def test_what_is_loaded_is_seen() -> None:
    assert {"rich", "eclipse_phase"} <= loaded(NARROW)


def test_importing_affray_does_not_even_load_dataclasses() -> None:
    assert _printed()[LIGHT] == "False\n"


def test_a_table_that_does_not_fit_is_where_pydantic_comes_in() -> None:
    assert "pydantic" in loaded(UNFIT)


def test_columns_without_room_are_where_rich_comes_in() -> None:
    assert "rich" in loaded(NARROW)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_stands_where_it_is_said_to(name: str) -> None:
    module, _, function = COMMANDS[name].partition(":")
    assert getattr(import_module(module), function or name).name == name


ENDS = """
import atexit, sys
from affray.__main__ import main

class Held:
    def __del__(self):
        print("given back")

held = Held()
atexit.register(print, "at exit")
sys.argv = ["affray", *sys.argv[1:]]
main()
"""


def ended(*words: str) -> subprocess.CompletedProcess[str]:
    """A command that has ended; something is held, and something to be done at its end."""
    command = [sys.executable, "-c", ENDS, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_command_that_ends_gives_nothing_back_object_by_object() -> None:
    done = ended("systems")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) > 5
    assert lines[-1] == "at exit"


def test_a_command_that_ends_keeps_its_status_and_what_it_says() -> None:
    done = ended("systems", "--nonsense")
    assert done.returncode == 2
    assert "--nonsense" in done.stderr
    assert done.stdout == "at exit\n"
