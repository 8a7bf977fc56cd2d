"""The pages of fidelity name clauses, tests and commands that there are."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from affray.app.inputs.fight_setups import fight_examples
from affray.app.inputs.setups import examples, roster
from affray.app.registry import system_ids, system_named
from affray.cli.main import app

HOME = Path(__file__).resolve().parents[1]
PAGES = sorted((HOME / "docs" / "fidelity").glob("*.md"))
_CODE = re.compile(r"`([^`]+)`")
_CLAUSE = re.compile(r"\b([A-Z]{2})-(\d+[a-z]?)\b")


def rows(page: Path) -> list[list[str]]:
    """The rows of the tables of a page, cell by cell."""
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    found = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines]
    return [[cell.strip() for cell in row] for row in found if set(row[0]) - set("- ")][1:]


@cache
def every_test() -> frozenset[str]:
    return frozenset(
        name
        for path in (HOME / "tests").rglob("test_*.py")
        for name in re.findall(r"^ *def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


@pytest.mark.parametrize("system_name", system_ids())
def test_every_system_has_a_page(system_name: str) -> None:
    assert system_named(system_name).folder.name in {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_row_has_four_cells(page: Path) -> None:
    assert rows(page)
    assert [row[0] for row in rows(page) if len(row) != 4] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_clauses_are_those_of_the_system(page: Path) -> None:
    (system,) = (s for s in map(system_named, system_ids()) if s.folder.name == page.stem)
    named = {f"{a}-{b}" for row in rows(page) for a, b in _CLAUSE.findall(row[1])}
    assert named
    assert named <= set(system.clauses)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tests_are_there(page: Path) -> None:
    named = {one.rpartition("::")[2].partition("[")[0] for row in rows(page)
             for one in _CODE.findall(row[-1]) if "test_" in one and " " not in one}  # fmt: skip
    files = {one for one in named if one.endswith(".py")}
    assert named - files <= every_test()
    assert all(list((HOME / "tests").rglob(Path(file).name)) for file in files)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_name_what_is_there(page: Path) -> None:
    commands = [shlex.split(one) for row in rows(page) for one in _CODE.findall(row[-1])
                if one.startswith("affray ")]  # fmt: skip
    assert commands
    for _, verb, system_name, *words in commands:
        assert verb in app.where
        system = system_named(system_name)
        known = {*examples(system), *fight_examples(system), *system.clauses, *roster(system)}
        known |= {name for section in roster(system).values() for name in section}
        for word in words:
            if word.startswith("-"):
                break
            assert word in known or (HOME / word).is_file() or word == "FILE", (verb, word)
