"""Tests that carry clauses in their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.app.files.proofs import proofs_beside, proofs_by_clause
from affray.app.inputs.intake import InputError
from affray.app.lookups import show_rules
from affray.app.registry import system_named

EP = "eclipse-phase"


def written(folder: Path) -> Path:
    tests = folder / "proofs"
    (tests / "deep").mkdir(parents=True)
    (tests / "test_one.py").write_text("def test_ep56_tie_misses(): ...\ndef test_ee7(): ...\n")
    (tests / "deep" / "test_two.py").write_text("    async def test_ep7a_and_ep56(self): ...\n")
    (tests / "helper.py").write_text("def test_ep1_in_no_test_file(): ...\n")
    return tests


def test_names_of_tests_carry_clauses(tmp_path: Path) -> None:
    found = proofs_by_clause(system_named(EP), written(tmp_path))
    assert found == {
        "EP-56": (
            "proofs/deep/test_two.py::test_ep7a_and_ep56",
            "proofs/test_one.py::test_ep56_tie_misses",
        ),
        "EP-7a": ("proofs/deep/test_two.py::test_ep7a_and_ep56",),
    }


def test_rules_show_tests_of_a_folder_and_of_a_file(tmp_path: Path) -> None:
    tests = written(tmp_path)
    (row,) = show_rules(EP, "EP-56", proofs=proofs_by_clause(system_named(EP), tests)).clauses
    assert len(row.tests) == 2
    proofs = proofs_by_clause(system_named(EP), tests / "test_one.py")
    (row,) = show_rules(EP, "EP-56", proofs=proofs).clauses
    assert row.tests == ("proofs/test_one.py::test_ep56_tie_misses",)


def test_a_checkout_has_its_proofs_beside_it() -> None:
    assert proofs_beside(system_named(EP)) == Path(__file__).resolve().parents[2]


def test_no_tests_outside_of_a_checkout(tmp_path: Path) -> None:
    class Elsewhere:
        folder = tmp_path / "package"

    assert proofs_beside(Elsewhere()) is None  # type: ignore[arg-type]  # only the folder counts


@pytest.mark.parametrize("name", ["x" * 300, "nul\0", "a/" * 3000])
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        proofs_by_clause(system_named(EP), tmp_path / name)


def test_tests_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file or folder; .*nowhere"):
        proofs_by_clause(system_named(EP), tmp_path / "nowhere")
