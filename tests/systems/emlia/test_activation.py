"""A whole activation: the Resolution Phase, threshold tables, and every vector as an example."""

from __future__ import annotations

import pytest

from affray.app.inputs.setups import examples
from affray.core.errors import SetupError

from .factories import (
    SYSTEM,
    Row,
    ends,
    friend,
    game,
    hits,
    odds,
    other,
    play,
    setup,
    skill,
    unit,
)

WORKED = {
    "EMS-1", "EMS-2", "EMS-3", "EMS-4", "EMV-1", "EMV-2", "EMV-4", "EMV-5", "EMV-7", "EMV-8",
    "EMV-13", "EMV-14", "EMV-20", "EMV-22", "EMV-23", "EMV-25", "EMV-29", "EMV-31", "EMV-32",
    "EMV-34", "EMV-35", "EMV-37", "EMV-50", "EMV-52", "EMV-53", "EMV-55", "EMV-56", "EMV-58",
    "EMV-59", "EMV-61",
}  # fmt: skip
COUNTED = {
    "EMV-10", "EMV-11", "EMV-15", "EMV-16", "EMV-17", "EMV-26", "EMV-28", "EMV-40", "EMV-41",
    "EMV-43", "EMV-44", "EMV-45", "EMV-46", "EMV-47", "EMO-1", "EMO-2", "EMO-4", "EMO-5", "EMO-7",
    "EMO-8", "EMO-10", "EMO-11", "EMO-13",
}  # fmt: skip


@pytest.mark.parametrize("vector", sorted(WORKED | COUNTED))
def test_every_vector_is_an_example(vector: str) -> None:
    tables = [
        table
        for table in examples(SYSTEM).values()
        if vector in list(table.get("vectors", []))  # type: ignore[call-overload]  # a list
    ]
    assert tables
    wanted = "odds" if vector in COUNTED else "expect"
    assert any(wanted in table for table in tables)


def test_every_ruling_has_an_example_that_shows_it() -> None:
    shown: set[str] = set()
    for table in examples(SYSTEM).values():
        rows = table.get("shows", {})
        assert isinstance(rows, dict)
        shown |= set(rows)
    assert {ruling.name for ruling in SYSTEM.rulings} == shown


# -- the Resolution Phase --------------------------------------------------------------------


def test_em44_casualties_leave_and_skills_fall_only_then() -> None:
    foe = unit("B", 10, skills=(skill("cc", 10, 1),))
    before = play(game(hits(4, foe)))
    ends(before, casualties=4, members_left=6, level_left=10)
    after = play(game(hits(4, foe, resolution=True)))
    ends(after, casualties=4, members_left=6, level_left=6)


@pytest.mark.parametrize(("reading", "left"), [("value", 8), ("per_value", 9)])
def test_em45_diminish_values(reading: str, left: int) -> None:
    """Level 10, value 1/2 or one for two members: four lost. 10 - 2; or floor(4 / (1/2)) = 8."""
    value = "1/2" if reading == "value" else 3
    foe = unit("B", 10, skills=(skill("cc", 10, value),))
    made = game(hits(4, foe, resolution=True), {"diminish": reading})
    ends(play(made), level_left=left)


def test_em62_who_has_no_morale_left_is_broken_where_that_is_read() -> None:
    short = setup(unit("A", cc=1, morale=1), unit("B"), action="charge", distance=50,
                  resolution=True)  # fmt: skip
    ends(play(game(short)), own_morale=-1, own_left=10)
    ends(play(game(short, {"morale": "on"})), own_morale=-1, own_left=0)


# -- threshold tables ------------------------------------------------------------------------

TOWER = unit("T", 1, hits=2, threshold=3, table_die=6,
             table=(Row(low=1, high=3, name="holds"), Row(low=4, high=5, name="cracks", bonus=2),
                    Row(low=6, name="falls", destroyed=True)))  # fmt: skip


def test_em43_each_full_threshold_is_a_roll_before_the_next() -> None:
    # 12 hits are 6 points, two rolls; the first result adds 2 to the second: 4 + 2 is 6
    ends(play(game(hits(12, TOWER)), 4, 4), rolls=2, destroyed=True, table="cracks, falls")
    ends(play(game(hits(12, TOWER)), 6), table="falls", destroyed=True, dead=True)


def test_em43_odds_of_two_rolls() -> None:
    # falls at once 1/6; cracks first 1/3, then 4, 5, 6 fall: 1/6; holds first 1/2, then 1/12
    assert odds(game(hits(12, TOWER)), "destroyed")[True] * 12 == 5


def test_em43_mixed_bodies_roll_in_the_middle_of_the_allocation() -> None:
    made = hits(9, unit("A", 2, hits=1), TOWER)
    # A twice as large: 2 points; the tower's roll takes 3 points, 6 hits; the last hit is left
    ends(play(game(made), 1), damage_by="A 2, T 3", rolls=1, markers=1)


# -- setups that are refused -----------------------------------------------------------------


def test_em50_names_are_told_apart() -> None:
    made = setup(4, unit("B"), other(unit("B", 4)), friend(unit("A", 4)), focus="B 2")
    assert play(game(made), 6, 6, 6, 6)["focus"] == "B 2"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"focus": "Z"}, "'Z'"),
        ({"action": "sing"}, "'sing'"),
        ({"weapon": "halberd"}, "weapon 'halberd': 'A' has none with a name"),
    ],
)
def test_em1_what_nobody_knows_is_refused(changes: dict[str, str], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        game(setup(4, unit("B"), **changes))


def test_em31_a_cover_that_nobody_knows_is_refused() -> None:
    with pytest.raises(SetupError, match="covers 'B'"):
        game(setup(4, unit("B", covered_by="W")))
    with pytest.raises(SetupError, match="total vertical cover from nothing"):
        game(setup(4, unit("B", vertical_cover="total")))


def test_em43_a_threshold_needs_a_table_that_covers_its_die() -> None:
    with pytest.raises(SetupError, match="without a table"):
        unit("W", threshold=3)
    with pytest.raises(SetupError, match="no row for 7, 8, 9, 10"):
        unit("W", threshold=3, table=(Row(low=1, high=6),))
