"""What is said below the faces names no face: no flags, no commands; advice is a key."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import affray
from affray.cli.advice import ADVICE, advice_on
from affray.core.errors import LimitError, SetupError

ROOT = Path(affray.__file__).parent
BELOW = [path for part in ("app", "engine", "core", "systems")
         for path in sorted((ROOT / part).rglob("*.py"))]  # fmt: skip
OF_A_FACE = re.compile(
    r"(^|[\s(`'\"])--[a-z]|`affray |\baffray (play|odds|best|duel|battle|roster)\b"
)


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """A module, taken apart."""
    kinds = ast.Expr | ast.Constant | ast.keyword
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every text of a module that is no docstring."""
    said = {
        id(node.value) for node in nodes_of(path)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }  # fmt: skip
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.lineno, node.value


def test_texts_below_the_faces_name_no_flags_and_no_commands() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in BELOW
        for line, text in texts(path)
        if OF_A_FACE.search(text)
    ]
    assert found == []


def test_the_search_finds_what_it_looks_for() -> None:
    for text in ("give it with --roster", "--exact works", "Use `affray battle`", "(--seconds N)"):
        assert OF_A_FACE.search(text)
    for text in ("a -- b", "1--2", "affray makes no drawing"):
        assert not OF_A_FACE.search(text)


def test_every_advice_is_put_into_the_words_of_the_command_line() -> None:
    given = {
        node.value.value
        for path in BELOW
        for node in nodes_of(path)
        if isinstance(node, ast.keyword) and node.arg == "advice"
        and isinstance(node.value, ast.Constant) and node.value.value
    }  # fmt: skip
    assert given == set(ADVICE)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SetupError("x"), ""),
        (SetupError("x", advice="battle"), " (`affray battle emlia a b`)"),
        (SetupError("x", advice="list-roster"), " (`affray roster emlia` lists them)"),
        (LimitError("x", limit="seconds"), " (--seconds N)"),
        (LimitError("x", limit="bytes"), ""),
    ],
)
def test_advice_names_what_was_given(error: Exception, told: str) -> None:
    assert advice_on(error, ["duel", "emlia", "a", "b", "--rounds", "3"]) == told


def test_use_cases_touch_no_files() -> None:
    """Files that users name are read and written by faces; what ships is read by two modules."""
    opens = re.compile(r"\bsys\.std(in|out)\b|\bopen\(|\.(read|write)_(text|bytes)\(|\bos\.open\(")
    found = {
        path.relative_to(ROOT / "app").as_posix()
        for path in (ROOT / "app").rglob("*.py")
        if opens.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"inputs/tables.py", "files/rules_digest.py", "files/proofs.py"}
