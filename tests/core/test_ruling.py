"""Rulings: readings by name, defaults, refusals that list what is allowed."""

import copy
from collections.abc import Mapping

import pytest

from affray.core.errors import RulesError, SetupError
from affray.core.ruling import Ruling, Rulings

TIES: Ruling[str] = Ruling(
    "A-1", "ties", "TY-1 TY-2", "Who wins?", {"attacker": "A", "nobody": "none"}, default="nobody"
)
RANGE: Ruling[str] = Ruling(
    "A-2", "range", "", "From where?", {"edge": "the edge", "middle": "the middle"}, default="edge"
)
KNOWN = (TIES, RANGE)


def test_ruling_names_its_clauses() -> None:
    assert TIES.clauses == ("TY-1", "TY-2")
    assert RANGE.clauses == ()
    assert repr(TIES) == "Ruling('A-1', 'ties')"


@pytest.mark.parametrize(
    ("options", "default"),
    [({}, "a"), ({"a": "A"}, "a"), ({"a": "A", "b": "B"}, "c")],
)
def test_ruling_needs_two_readings_and_a_default_among_them(
    options: Mapping[str, str], default: str
) -> None:
    with pytest.raises(RulesError, match=r"ruling A-9 \(odd\): readings .* at least two readings"):
        Ruling("A-9", "odd", "", "?", options, default=default)


def test_defaults_hold() -> None:
    assert Rulings()[TIES] == "nobody"
    assert Rulings()[RANGE] == "edge"
    assert list(Rulings()) == []
    assert Rulings().named() == {}


def test_picked_reading_holds() -> None:
    picked = Rulings({TIES: "attacker"})
    assert picked[TIES] == "attacker"
    assert picked[RANGE] == "edge"
    assert list(picked) == [(TIES, "attacker")]
    assert picked.named() == {"ties": "attacker"}
    assert repr(picked) == "Rulings({'ties': 'attacker'})"


def test_picking_the_default_is_picking_nothing() -> None:
    assert Rulings({TIES: "nobody"}) == Rulings()
    assert hash(Rulings({TIES: "nobody"})) == hash(Rulings())


def test_equality_goes_by_what_differs() -> None:
    one = Rulings({TIES: "attacker", RANGE: "middle"})
    other = Rulings({RANGE: "middle", TIES: "attacker"})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Rulings({TIES: "attacker"})
    assert one is other, "facts are compared and hashed all the time"
    assert copy.deepcopy(one) is copy.copy(one) is one


def test_unknown_reading_lists_the_readings() -> None:
    with pytest.raises(
        SetupError, match=r"A-1 \(ties\): 'defender' is no reading; allowed: attacker, nobody"
    ):
        Rulings({TIES: "defender"})


@pytest.mark.parametrize("name", ["ties", "A-1"])
def test_pick_by_name_or_number(name: str) -> None:
    assert Rulings.pick(KNOWN, {name: "attacker"}) == Rulings({TIES: "attacker"})


def test_pick_nothing() -> None:
    assert Rulings.pick(KNOWN, {}) == Rulings()


def test_unknown_ruling_lists_names_and_the_closest() -> None:
    with pytest.raises(SetupError) as caught:
        Rulings.pick(KNOWN, {"rnage": "edge"})
    assert str(caught.value) == (
        "no ruling is called 'rnage'. Did you mean 'range'? Known: ties, range"
    )
    with pytest.raises(SetupError, match=r"no ruling is called 'zzz'. Known: ties, range"):
        Rulings.pick(KNOWN, {"zzz": "edge"})


def test_pick_of_an_unknown_reading() -> None:
    with pytest.raises(SetupError, match="allowed: edge, middle"):
        Rulings.pick(KNOWN, {"range": "foot"})
