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


Row = dict[str, str]


def rows(page: Path) -> list[Row]:
    """The rows of the tables of a page, each as its cells by the head of the column."""
    found: list[Row] = []
    head: list[str] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells
        elif set(line) - set("|- "):
            found.append(dict(zip(head, cells, strict=True)))
    return found


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
def test_a_row_says_what_shows_it_or_why_it_is_left(page: Path) -> None:
    for row in rows(page):
        if "statement" in row:
            reason = row.get("why", row.get("what was missing", ""))
            assert reason, row
            assert row.get("shown by") or "why" in row or "not done" in reason, row


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_clauses_are_those_of_the_system(page: Path) -> None:
    (system,) = (s for s in map(system_named, system_ids()) if s.folder.name == page.stem)
    cells = [row.get("clauses", "") for row in rows(page)]
    named = {f"{a}-{b}" for cell in cells for a, b in _CLAUSE.findall(cell)}
    assert named
    assert named <= set(system.clauses)


def shown_by(page: Path) -> list[str]:
    """What is said in code to show the statements."""
    return [one for row in rows(page) for one in _CODE.findall(row.get("shown by", ""))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tests_are_there(page: Path) -> None:
    named = {one.rpartition("::")[2].partition("[")[0] for one in shown_by(page)
             if "test_" in one and " " not in one}  # fmt: skip
    files = {one for one in named if one.endswith(".py")}
    assert named - files <= every_test()
    assert all(list((HOME / "tests").rglob(Path(file).name)) for file in files)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_name_what_is_there(page: Path) -> None:
    commands = [shlex.split(one) for one in shown_by(page) if one.startswith("affray ")]
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
