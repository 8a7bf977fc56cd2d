"""The generated documents say what the program says today."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from docs.generate import ROOT, documents

DOCUMENTS = list(documents())


@pytest.mark.parametrize(
    ("path", "make"), DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path, _ in DOCUMENTS]
)
def test_document_is_current(path: Path, make: Callable[[], str]) -> None:
    assert path.exists(), "run `make docs`"
    assert path.read_text(encoding="utf-8") == make(), "run `make docs`"
