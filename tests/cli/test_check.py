"""`affray check`: a system's faults, or that it keeps the laws."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.running import affray, asked

BRAWL = "tests.outside.brawl:SYSTEM"
BROKEN = """
from dataclasses import replace
from tests.outside.brawl import FIGHT, SYSTEM as BRAWL

SYSTEM = replace(BRAWL, fight=replace(FIGHT, vitals=lambda sheet, body: body.hp + 1))
"""


def test_a_system_that_keeps_every_law() -> None:
    done = affray("check", BRAWL)
    assert done.returncode == 0, done.stdout
    last = done.stdout.rstrip().splitlines()[-1]
    assert last.startswith("brawl keeps all ")
    assert "Nothing to look at: " in done.stdout


def test_json_tells_every_law_that_was_checked() -> None:
    data = asked("check", BRAWL, "--suite", "documents", "--suite", "places/steps-are-pure")
    assert data["passed"]
    assert data["whole"]
    names = {(row["suite"], row["law"]) for row in data["laws"]}
    assert ("places", "steps-are-pure") in names
    assert {suite for suite, _ in names} == {"documents", "places"}
    assert all(row["title"].endswith(".") for row in data["laws"])
    assert data["faults"] == []


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module in the working folder whose system breaks one law."""
    (tmp_path / "toy_that_breaks.py").write_text(BROKEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "toy_that_breaks:SYSTEM"


def test_a_fault_names_law_place_and_remedy(toy: str) -> None:
    done = affray("check", toy, "--suite", "fights/who-is-out-has-no-vitals-left")
    assert done.returncode == 1
    assert "fights/who-is-out-has-no-vitals-left: fight alley\n" in done.stdout
    assert "has 1 vitals and is out" in done.stdout
    assert "`vitals` is how many points are left" in done.stdout
    assert re.search(r"brawl: [1-9] faults?\.$", done.stdout.rstrip())
    raw = json.loads(
        affray("check", toy, "--suite", "fights/who-is-out-has-no-vitals-left", "--json").stdout
    )
    assert not raw["passed"]
    assert raw["faults"][0].keys() == {"law", "where", "what", "remedy"}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("SYSTEM = 1 / 0", "ZeroDivisionError: division by zero (module_at_hand.py, line 1"),
        ("SYSTEM = 3", "it is int, no affray System"),
        ("", "has no attribute 'SYSTEM'"),
        ("from affray.core.ruling import Ruling\n"
         "Ruling('A-1', 'ties', '', '?', {'one': ''}, default='one')",
         "needed are at least two readings"),
    ],
)  # fmt: skip
def test_a_system_that_can_not_be_loaded(
    text: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "module_at_hand.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "module_at_hand", raising=False)
    done = affray("check", "module_at_hand:SYSTEM")
    assert done.returncode == 1
    assert done.stdout.lstrip().startswith("loading: module_at_hand:SYSTEM\n")
    assert what in " ".join(done.stdout.split())
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "status", "what"),
    [
        (["nowhere"], 2, "nowhere"),
        (["no.such.module:SYSTEM"], 1, "ModuleNotFoundError: No module named 'no'"),
        ([":SYSTEM"], 1, "write its id, or package.module:SYSTEM"),
        ([BRAWL, "--suite", "placs"], 2, "Did you mean 'places'?"),
        ([BRAWL, "--seconds", "0"], 2, "--seconds"),
    ],
)
def test_what_can_not_be_checked_is_refused(words: list[str], status: int, what: str) -> None:
    done = affray("check", *words)
    assert done.returncode == status
    assert what in done.stdout + done.stderr


def test_a_budget_cuts_laws_short_and_says_so() -> None:
    done = affray("check", "eclipse-phase", "--suite", "keys", "--seconds", "0.5")
    assert done.returncode == 0
    assert "Cut short" in done.stdout or "No time for" in done.stdout
    assert done.stdout.rstrip().endswith("no fault found; not every case was looked at.")


def test_proposed_hints_heed_the_seconds() -> None:
    """Playing all examples takes far longer than what is left here."""
    done = affray("check", "eclipse-phase", "--suite", "documents", "--seconds", "0.1", "--propose")
    assert "no hints are proposed" in done.stderr
    assert "HINTS = " not in done.stdout


def test_hints_are_proposed() -> None:
    words = ("check", BRAWL, "--suite", "documents", "--propose")
    done = affray(*words)
    assert '        brawl.stop: ("damage",),' in done.stdout
    assert "HINTS = Hints(" in asked(*words)["proposed"]
    assert asked("check", BRAWL, "--suite", "documents")["proposed"] == []


# -- a setup instead of a system -----------------------------------------------------------------


def test_every_fault_of_a_setup_is_listed_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('title = 3\nattacker = "figther"\n[defender]\nlike = "squire"\nhd = -1\n')
    told = affray("check", "affinity", str(path))
    assert told.returncode == 3
    for place in ("/title: 3 is not allowed", "/attacker: the roster", "/defender/hd: -1"):
        assert f"{path} {place}" in " ".join(told.stdout.split())
    assert "3 faults." in told.stdout
    assert "nearest: fighter" in told.stdout


def test_a_setup_without_faults_is_said_to_have_none() -> None:
    for words in (("jinx-shoots",), ("pack", "--fight")):
        told = affray("check", "eclipse-phase", *words)
        assert (told.returncode, told.stderr) == (0, "")
        assert "nothing is wrong" in told.stdout


def test_options_of_systems_and_of_setups_are_kept_apart() -> None:
    for words in (("jinx-shoots", "--suite", "places"), ("--fight",), ("--roster", "own.toml")):
        assert affray("check", "eclipse-phase", *words).returncode == 2
