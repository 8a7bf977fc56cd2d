"""What players see at every step stays what it was."""

from __future__ import annotations

from functools import cache

import pytest

from tests.golden.playthrough import FAMILIES, families, file_of, playthrough, written
from tests.golden.record import FOLDER

PLAYED = [(*row, name) for row in FAMILIES for name in families(row[0])[row[1]]]
WANTED = "run `python -m tests.golden.record` and look at what it writes"


@cache
def recorded(system: str, family: str) -> dict[str, str]:
    """The playthroughs of a recorded file by the name of the example; its head under ''."""
    head, *parts = (FOLDER / file_of(system, family)).read_text(encoding="utf-8").split("\n## ")
    return {"": head} | {part.partition(":")[0].partition(" ")[0]: part for part in parts}


def test_one_file_is_kept_for_each_family() -> None:
    kept = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.*")}
    assert kept == {file_of(*row) for row in FAMILIES}, WANTED


@pytest.mark.parametrize(
    ("system", "family", "name"), PLAYED, ids=[f"{row[0]}:{row[2]}" for row in PLAYED]
)
def test_playthrough_is_unchanged(system: str, family: str, name: str) -> None:
    kept = recorded(system, family).get(name, "")
    assert playthrough(system, name).text.splitlines() == f"## {kept}".rstrip().splitlines(), WANTED


@pytest.mark.parametrize(("system", "family"), FAMILIES, ids=map(":".join, FAMILIES))
def test_the_head_and_the_order_of_a_file_are_unchanged(system: str, family: str) -> None:
    head, *names = recorded(system, family).items()
    assert head[1] == written(system, family).partition("\n## ")[0], WANTED
    assert tuple(name for name, _ in names) == families(system)[family], WANTED
