"""What people read has words, no names of code: the commands on everything that ships.

A key may be shown where it is to be typed: behind an option of the command line (`--settle
choose_fire=damage`), and in what a setup file holds next ("next sheets B: marked = 1").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.app.inputs.tables import examples, fight_examples
from affray.app.registry import system_named
from tests.cli.running import affray
from tests.scenarios import SYSTEMS

TO_TYPE = re.compile(r"--[a-z-]+ ([\w.-]+=('[^']*'|\S+)|\w+)|\bset \w+=\S+|next sheets .*")
"""What a person types, or copies to a file."""
INTERNAL = re.compile(
    r"\w*[a-z0-9]_\w+"  # the name of a step, a key, a reading
    r"|literal\[|[\[({]['\"]|\w\(\w+=|<[a-z]+ \w+[ >]"  # what Python prints of a value
    r"|\b(None|True|False|frozenset|namedtuple)\b"
)
WIDE = {"COLUMNS": "3000"}  # nothing that belongs together is broken into lines
FEW = ("--places", "500", "--seconds", "0.1")


def internal(text: str) -> list[str]:
    """Lines with something in them that only a program calls so."""
    return [line for line in text.splitlines() if INTERNAL.search(TO_TYPE.sub("", line))]


@pytest.mark.parametrize(
    "line",
    ["-- Vex: stop_bleeding", "choose_fire: decided", "always: activate_armor = no",
     "at literal['a', 'b']", "one of ['plain', 'wild']", "Check(kind='som')", "it was None"],
)  # fmt: skip
def test_names_of_code_are_found(line: str) -> None:
    assert internal(line) == [line]


@pytest.mark.parametrize(
    "line",
    ["(--settle choose_fire)", "--settle choose_fire='plain|wild' --set distance_m=7, and so on",
     "next sheets B: came_up = [\"cracked\"]", "Jinx [1d100: 13]", "[1, 5, 1]"],
)  # fmt: skip
def test_what_a_person_types_may_be_shown(line: str) -> None:
    assert internal(line) == []


def _told(*words: str) -> Iterator[str]:
    """Lines that a command prints for people, with names of code in them."""
    done = affray(*words, env=WIDE)
    if done.returncode in {0, 4}:  # what is refused names keys of the file that is to be mended
        for line in internal(done.stdout):
            yield f"{' '.join(words)}: {line.strip()}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_exchanges_are_told_in_words(system: str) -> None:
    found: list[str] = []
    for number, (name, raw) in enumerate(examples(system_named(system)).items()):
        decides = [] if "scenario" in raw else ["--auto"]  # whole games take long
        found += _told("play", system, name, "--seed", "1", *decides, *FEW)
        if number % 8 == 0:
            found += _told("best", system, name, *FEW)
        if number % 8 == 4:
            found += _told("odds", system, name, *FEW)
    assert found == []


PARTS = 4
"""Into so many tests the fights of a system are parted."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("system", SYSTEMS)
def test_fights_are_told_in_words(system: str, part: int, tmp_path: Path) -> None:
    names = list(fight_examples(system_named(system)))[part::PARTS]
    assert [line for name in names for line in _of_fight(system, name, tmp_path)] == []


def _of_fight(system: str, name: str, folder: Path) -> Iterator[str]:
    typed, kept = folder / "typed.txt", folder / f"{name}.json"
    typed.write_text("\n".join(["1", "?", "help"] * 2 + ["1"] * 60), "utf-8")
    yield from _told("fight", system, name, "--seed", "1", "--rounds", "1", "--script", str(typed),
                     "--save", str(kept), *FEW)  # fmt: skip
    yield from _told("report", system, str(kept), *FEW)
    yield from _told("duel", system, name, "--rounds", "1", *FEW)
    yield from _told("battle", system, name, "--rounds", "1", "-n", "2", "--seed", "1", *FEW)
