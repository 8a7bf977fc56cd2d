"""What fights tell of a condition, and what a game master sets, in every shipped fight."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import pytest

from affray.app.inputs.fight_setups import fight_examples, load_fight
from affray.app.registry import system_ids, system_named
from affray.core.errors import SetupError
from affray.core.fight import Told
from affray.engine.fight.contest import Contest
from affray.engine.fight.matchup import fight_of

SYSTEMS = [
    name
    for name in system_ids()
    if (told := system_named(name).fight) is not None and told.mended is not None
]


def entering(contest: Contest) -> Iterator[tuple[Hashable, Hashable]]:
    for side, fighters in enumerate(contest.sides):
        for sheet in dict.fromkeys(fighters.fighters):
            yield sheet, contest.enter(side, sheet)


def everybody(system: str) -> Iterator[tuple[Hashable, Hashable]]:
    for name in fight_examples(system_named(system)):
        yield from entering(load_fight(system, name).contest)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_line_that_can_be_set_is_told_as_it_was_set(system: str) -> None:
    """Set to each of a few numbers it is accepted or refused; accepted, it says so."""
    fight = fight_of(system_named(system))
    assert fight.mended is not None
    for sheet, condition in everybody(system):
        lines = fight.told(sheet, condition)
        assert lines, sheet
        for line in lines:
            assert line.label, line
            for value in (0, 1, 2, 3) if line.key not in {"", "at"} else ():
                try:
                    after = fight.mended(sheet, condition, line.key, str(value))
                except SetupError as error:
                    assert "allowed: " in str(error)  # noqa: PT017  # one of four may be refused
                    continue
                hash(after)
                assert _number(fight.told(sheet, after), line) in {value, None}


def _number(lines: tuple[Told, ...], like: Told) -> int | None:
    """The number that a line begins with; None: words, or it isn't told any more."""
    found = [line.value for line in lines if line.key == like.key]
    text = str(found[0]).split()[0].rstrip("%") if found else ""
    return int(text) if text.lstrip("-").isdigit() else None


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_wrong_key_names_those_that_can_be_set(system: str) -> None:
    fight = fight_of(system_named(system))
    assert fight.mended is not None
    sheet, condition = next(everybody(system))
    with pytest.raises(SetupError, match="nonsense"):
        fight.mended(sheet, condition, "nonsense", 1)
