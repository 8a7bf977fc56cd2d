"""What documents show is what the commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.running import affray
from tests.test_guides import SHOWN as OF_GUIDES

ROOT = Path(__file__).parents[2]
BY_TIME = "--seconds"
"""What advice comes to in some seconds depends on the machine."""


class Shown(NamedTuple):
    """A command that a document shows, and what it prints."""

    document: str
    command: str
    printed: str


def _shown() -> list[Shown]:
    found = []
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for block in re.findall(r"^```console\n(.*?)^```", path.read_text("utf-8"), re.S | re.M):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, printed = part.partition("\n")
                words = command.removeprefix("affray ")
                if words != command and BY_TIME not in command and words not in OF_GUIDES:
                    found.append(Shown(path.name, command, printed.rstrip()))
    return found


def test_documents_show_commands() -> None:
    assert {one.document for one in _shown()} >= {"README.md", "tutorial.md"}


@pytest.mark.parametrize("shown", _shown(), ids=lambda shown: f"{shown.document}: {shown.command}")
def test_a_document_shows_what_is_printed(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = affray(*shlex.split(shown.command)[1:], env={"COLUMNS": "100"})
    printed = (done.stdout + done.stderr).rstrip().splitlines()
    assert [line.rstrip() for line in printed] == shown.printed.splitlines()
