"""Every clause that is said to be carried out is held by a test that is named after it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from affray.app.files.proofs import proofs_by_clause
from affray.app.registry import system_ids, system_named

TESTS = Path(__file__).parent


@cache
def checking(path: Path) -> frozenset[str]:
    """The tests of a file that check something, themselves or by a helper of the tests."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and any(map(_checks, ast.walk(node)))
    )


def _checks(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return True
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name == "raises" or name.startswith(("check", "assert", "expect", "compare"))


def behaviour(system_name: str) -> dict[str, set[str]]:
    """By clause, the tests of the room that are named after it and check something."""
    system = system_named(system_name)
    folder = TESTS / "systems" / system.folder.name
    found: dict[str, set[str]] = {}
    for clause, tests in proofs_by_clause(system, folder).items():
        for where, _, name in (test.partition("::") for test in tests):
            if name in checking(folder.parent / where):
                found.setdefault(clause, set()).add(name)
    return found


@pytest.mark.parametrize("system_name", system_ids())
def test_each_clause_carried_out_has_a_behaviour_test_named_after_it(system_name: str) -> None:
    shown = behaviour(system_name)
    clauses = system_named(system_name).clauses.values()
    bare = [one.id for one in clauses if one.status == "carried out" and one.id not in shown]
    assert not bare, f"carried out, yet no test of the room is named after them: {bare}"


@pytest.mark.parametrize("system_name", system_ids())
def test_no_test_is_named_after_a_clause_that_does_not_exist(system_name: str) -> None:
    system = system_named(system_name)
    unknown = set(proofs_by_clause(system, TESTS / "systems")) - set(system.clauses)
    assert not unknown
