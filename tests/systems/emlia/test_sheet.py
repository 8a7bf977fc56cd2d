"""Sheets that are refused, with the words of the refusal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from affray.core.errors import SetupError
from affray.systems.emlia.sheet import Check, Own, Row, Skill, Unit, Weapon

LINE = Skill(skill="close_combat", level=4)
ALL = (Row(low=1),)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Skill(skill="close_combat", level=4, diminish="1/0"), r"'1/0'; allowed: a number"),
        (lambda: Skill(skill="close_combat", level=4, diminish="half"), "'half'; allowed"),
        (lambda: Skill(skill="close_combat", level=4, diminish=-1), "-1; allowed: 0 or more"),
        (lambda: Weapon(short=5, medium=4, longest=6), r"ranges 5, 4, 6; allowed: each at least"),
        (lambda: Weapon(short=5, medium=6, longest=5), r"ranges 5, 6, 5; allowed: each at least"),
        (lambda: Unit(table=ALL), r"a table without threshold; allowed: both or neither \(EM-43\)"),
        (lambda: Unit(threshold=3), r"threshold 3 without a table"),
        (lambda: Unit(threshold=3, table=(Row(low=1, high=8),)), "no row for 9, 10; its die"),
        (lambda: Unit(threshold=3, table=(Row(low=2, high=6),), table_die=6), "no row for 1;"),
        (
            lambda: Unit(skills=(LINE, LINE)),
            "skills close_combat, close_combat; allowed: each once",
        ),
        (
            lambda: Unit(actions=(Own(name="charm"),) * 2),
            "actions charm, charm; allowed: each once",
        ),
        (lambda: Check(sides=6, base=7), r"base 7; allowed: at most its sides, 6 \(EM-3\)"),
    ],
)
def test_em1_sheets_that_say_nothing_sensible_are_refused(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(SetupError, match=words):
        make()


def test_em3_em45_sheets_at_the_edge_of_what_is_allowed() -> None:
    assert Check(sides=6, base=6).base == 6
    assert Skill(skill="close_combat", level=4, diminish="1/3").diminish == "1/3"
    assert Weapon(short=5, medium=5, longest=5).longest == 5
    assert Unit(threshold=1, table=(Row(low=1, high=5), Row(low=6)), table_die=6).table_die == 6
