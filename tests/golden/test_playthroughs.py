"""What players see at every step stays what it was."""

from __future__ import annotations

import pytest

from tests.golden.record import RECORDED, path_of, playthrough


@pytest.mark.parametrize(("system", "name"), RECORDED, ids=map(":".join, RECORDED))
def test_playthrough_is_unchanged(system: str, name: str) -> None:
    path = path_of(system, name)
    assert path.exists(), "run `python -m tests.golden.record` and look at what it writes"
    assert playthrough(system, name) == path.read_text(encoding="utf-8")
