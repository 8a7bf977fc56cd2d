"""The generated documents say what the program says today."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from docs import generate
from docs.generate import PLAIN, ROOT, WITH_CONSOLE, documents, with_output
from docs.sessions import with_sessions

from tests.cli.running import affray
from tests.golden.fights import file_of

DOCUMENTS = [(path, make) for path, make in documents() if path not in WITH_CONSOLE]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def kept_fight(_: str, system: str, name: str, *rest: str) -> str:
    """What is shown of a fight, as `tests/golden` has it, which is held to the program there."""
    assert rest == ("--script",)
    return file_of(system, name).read_text("utf-8")


@pytest.mark.parametrize(("path", "make"), DOCUMENTS, ids=[name_of(path) for path, _ in DOCUMENTS])
def test_document_is_current(
    path: Path, make: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generate, "shown_fight", kept_fight)
    assert path.exists(), "run `make docs`"
    assert path.read_text(encoding="utf-8") == make(), "run `make docs`"


def run_here(command: str) -> str:
    """What a command prints, run in this process."""
    program, *words = shlex.split(command)
    assert program == "affray"
    done = affray(*words, env=PLAIN)
    return done.stdout + done.stderr


@pytest.mark.parametrize("path", WITH_CONSOLE, ids=name_of)
def test_console_blocks_are_current(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = path.read_text(encoding="utf-8")
    assert text == with_output(text, run_here), "run `make docs`"


def test_the_session_of_the_readme_goes_as_it_is_shown() -> None:
    """A whole fight typed at a terminal: the scene, a turn in a line, Enter, dice, why."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = text.partition("```terminal\n")[2].partition("```")[0]
    typed = ["> attack 1", "> why", "> 64", "\noption>\n", "\nyards [5]>\n", "It is over after"]
    assert [one for one in typed if one not in shown] == []
    assert max(map(len, shown.splitlines()[1:])) <= 80
    assert text == with_sessions(text), "run `make docs`"
