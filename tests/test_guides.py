"""The systems of the guides, as they are printed: every command that is shown runs with them."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
ONE_DIE = ("adding-a-system.md", "## A whole system in a page")
COINS = ("fights.md", "## A fight in a page")


def chapter(document: str, title: str) -> str:
    """The text of a chapter."""
    return (DOCS / document).read_text("utf-8").partition(f"\n{title}\n")[2].partition("\n## ")[0]


def source(document: str, title: str) -> str:
    """The Python code of a chapter, as it is printed."""
    examples = doctest.DocTestParser().get_examples(chapter(document, title))
    return "".join(example.source for example in examples)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the systems of the guides are installed."""
    folder = tmp_path_factory.mktemp("packages")
    for name, place in (("one_die", ONE_DIE), ("coins", COINS)):
        (folder / f"{name}.py").write_text(source(*place), "utf-8")
        about = folder / f"{name}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        point = f"{name.replace('_', '-')} = {name}:system"
        (about / "entry_points.txt").write_text(f"[affray.systems]\n{point}\n")
    (folder / "setup.toml").write_text("again = true\n")
    return folder


def affray(folder: Path, *words: str) -> tuple[int, str]:
    """The exit status of a command and all that it prints."""
    found = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH", "")])])
    done = subprocess.run(
        [sys.executable, "-m", "affray", *words], cwd=folder, capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": found, "TMPDIR": str(folder)}, input="",
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


SHOWN = re.findall(r"^\$ affray (.+)$", chapter(*COINS), re.MULTILINE)
"""The commands that the guide shows."""


@pytest.mark.parametrize("command", SHOWN)
def test_commands_of_the_guide_run(packages: Path, command: str) -> None:
    status, told = affray(packages, *command.split())
    assert status == 0, told
    assert "Traceback" not in told


def test_the_guide_shows_every_use() -> None:
    shown = {command.split()[0] for command in SHOWN}
    assert shown == {"check", "roster", "odds", "best", "play", "duel", "battle", "fight"}


def first_wins(mine: int, theirs: int) -> Fraction:
    """The chance of whoever tosses next, by hand: each needs so many hits as the other has points.

    w(a, b) = (1 - w(b - 1, a)) / 2 + (1 - w(b, a)) / 2, which holds for w(b, a) as well.
    """
    if theirs == 0:
        return Fraction(1)
    if mine == 0:
        return Fraction(0)
    hit, back = 1 - first_wins(theirs - 1, mine), 1 - first_wins(mine - 1, theirs)
    return (hit / 2 + Fraction(1, 4) - back / 4) * 4 / 3


def test_a_system_of_the_guide_fights_as_counted_by_hand(packages: Path) -> None:
    assert first_wins(2, 2) == Fraction(16, 27)  # as the guide says
    told = affray(packages, "duel", "coins", "ada", "bo")[1]
    ada_first, bo_first = first_wins(2, 3), 1 - first_wins(3, 2)
    for chance in (ada_first, bo_first, (ada_first + bo_first) / 2):
        assert f"{float(chance) * 100:.2f} %" in told


@pytest.mark.parametrize(("words", "status", "told"), [
    (("check", "one_die:system"), 0, "one-die keeps all"),
    (("roster", "one-die"), 0, "one-die ships no roster"),
    (("rulings", "one-die"), 0, "A-1 ties"),
    (("rules", "one-die"), 0, "one_die.roll_attack"),
    (("schema", "one-die"), 0, '"again"'),
    (("odds", "one-die", "setup.toml"), 0, "54.17 %"),  # 13/24
    (("best", "one-die", "setup.toml"), 0, "0.5417"),
    (("play", "one-die", "setup.toml", "--dice", "5,4", "--choose", "keep"), 0, "hit yes"),
    (("duel", "one-die", "one", "other"), 1, "one-die says nothing about fights"),
    (("battle", "one-die", "one", "other"), 1, "one-die says nothing about fights"),
    (("battle", "one-die", "--all-pairs"), 1, "one-die says nothing about fights"),
    (("fight", "one-die", "one", "other"), 1, "one-die says nothing about fights"),
    (("schema", "one-die", "--fight"), 1, "one-die says nothing about fights"),
    (("picture", "one-die", "setup.toml"), 1, "one-die draws no table"),
])  # fmt: skip
def test_a_setup_without_attacker_works_or_gets_one_message(
    packages: Path, words: tuple[str, ...], status: int, told: str
) -> None:
    found, text = affray(packages, *words)
    assert (found, told in text) == (status, True), text
    assert status == 0 or len(text.strip().splitlines()) == 1


def test_the_fighter_of_the_tutorial_is_the_one_in_its_file(packages: Path) -> None:
    text = (DOCS / "tutorial.md").read_text("utf-8")
    file = DOCS / "examples" / "my-fighters.toml"
    assert f"```toml\n{file.read_text('utf-8')}```" in text
    words = ("duel", "eclipse-phase", "nyx", "corp_guard", "--roster", str(file), "--rounds", "3")
    status, told = affray(packages, *words)
    assert (status, "Nyx" in told) == (0, True), told
