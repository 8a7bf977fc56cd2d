"""What troops are called, and names in a setup that nobody has."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.systems.emlia.sheet import Setup
from affray.systems.emlia.table.placing import Table

from .factories import Troop, Unit, Weapon, asked, game, offered, other, setup, unit


def called(*units: Unit, **changes: Any) -> list[str]:
    """Enemies as whoever attacks them all may focus on them."""
    first, *more = units
    made = setup(unit("A", cc=2), first, *[other(one) for one in more], focus="open", **changes)
    return offered(asked(game(made)))


def test_em50_who_shares_a_name_has_a_number() -> None:
    """In the order of the setup, who joined a unit right after it."""
    two = Unit(name="B", joined=(Troop(name="H"),)), Unit(name="B", joined=(Troop(name="B"),))
    assert called(*two) == ["none", "B", "H", "B 2", "B 3"]
    assert called(Unit(name="A"), Unit(name="A 2"), Unit(name="A")) == [
        "none", "A 2", "A 2 2", "A 3",
    ]  # fmt: skip


def test_em50_who_has_no_name_is_called_by_the_part_it_plays() -> None:
    units = (Unit(joined=(Troop(), Troop(name="H"))), Unit(), Unit(joined=(Troop(),)))
    assert called(*units) == [
        "none", "defender", "defender-1", "H", "other-1", "other-2", "other-2-1",
    ]  # fmt: skip


@pytest.mark.parametrize("by", ["W", "A", "H"])
def test_em31_anybody_may_cover_a_unit_but_itself(by: str) -> None:
    friend = Unit(name="A", joined=(Troop(name="H"),))
    made = setup(friend, Unit(name="B", covered_by=by), other(Unit(name="W")))
    assert game(made).start is not None
    with pytest.raises(SetupError, match=r"'B' is called 'B'.*(W|A|H)"):
        game(setup(friend, Unit(name="B", covered_by="B"), other(Unit(name="W"))))
    with pytest.raises(SetupError, match="unit that covers 'W' is called 'Z'"):
        game(setup(friend, Unit(name="B"), other(Unit(name="W", covered_by="Z"))))


def test_em40_em52_names_in_a_setup_are_names_of_somebody() -> None:
    armed = unit("A", cc=2, weapons=(Weapon(name="axe"), Weapon()))
    for focus in ("open", "none", "B"):
        assert game(setup(armed, Unit(name="B"), focus=focus, weapon="axe")).start is not None
    with pytest.raises(SetupError, match="enemy to focus on is called 'A'"):
        game(setup(armed, Unit(name="B"), focus="A"))
    with pytest.raises(SetupError, match="weapon of 'A' is called 'bow'"):
        game(setup(armed, Unit(name="B"), weapon="bow"))
    with pytest.raises(SetupError, match="action of 'A' is called 'dance'"):
        game(setup(armed, Unit(name="B"), action="dance"))


def test_em35_a_path_has_at_most_a_hundred_points() -> None:
    def walked(points: int) -> Setup:
        path = tuple((0.0, float(n)) for n in range(points))
        return Setup(attacker=Unit(), defender=Unit(), table=Table(), path=path)

    assert len(walked(100).path) == 100
    with pytest.raises(SetupError, match="101 in path; allowed: at most 100"):
        walked(101)
