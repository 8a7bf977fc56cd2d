"""Tables checked: all faults at once, the same as those that are raised, and nothing is raised."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.app.check import check_fight, check_setup, check_table
from affray.app.fight import Fight
from affray.app.inputs.fight_setups import fight_examples
from affray.app.inputs.setups import load
from affray.app.inputs.tables import examples
from affray.app.play import PlayedGame
from affray.app.registry import system_ids, system_named
from affray.app.sources import Changes, Shipped, Table
from affray.app.views.envelope import to_json
from affray.core.errors import AffrayError, SetupError

BAD = {"attacker": "figther", "defender": {"like": "squire", "hd": -1}, "nonsense": 1}


def test_faults_are_those_that_are_raised() -> None:
    with pytest.raises(AffrayError) as refused:
        load("affinity", BAD)
    view = check_table("affinity", BAD)
    assert not view.ok
    assert view.faults == refused.value.faults
    assert {fault.where for fault in view.faults} == {"/attacker", "/defender/hd", "/nonsense"}


def test_a_table_without_faults_says_what_it_is() -> None:
    exchange = check_table("affinity", {"attacker": "fighter", "defender": "squire", "title": "A"})
    assert (exchange.ok, exchange.what, exchange.title) == (True, "exchange", "A")
    fight = check_table(
        "affinity", {"one": {"fighters": ["fighter"]}, "other": {"fighters": ["squire"]}}, "fight"
    )
    assert (fight.ok, fight.what, fight.sides) == (True, "fight", ("Fighter", "Squire"))
    saved = Table(PlayedGame.begin("affinity", Shipped(next(iter(examples(AFFINITY))))).saved)
    assert check_setup("affinity", saved).what == "saved-game"


AFFINITY = system_named("affinity")


@pytest.mark.parametrize(
    ("kind", "table", "what", "code"),
    [
        ("setup", {"one": {}, "other": {}}, "fight", "a-fight"),
        ("fight", {"attacker": "fighter", "defender": "squire"}, "exchange", "an-exchange"),
    ],
)
def test_a_table_of_the_other_kind_is_named(kind: str, table: dict[str, object], what: str,
                                            code: str) -> None:  # fmt: skip
    view = check_fight("affinity", table) if kind == "fight" else check_setup("affinity", table)
    assert (view.ok, view.what, view.faults[0].code) == (False, what, code)


def test_an_unknown_system_is_no_fault_of_the_table() -> None:
    with pytest.raises(SetupError, match="no system is called"):
        check_table("chess", {})


def test_own_entries_that_nothing_names_are_told() -> None:
    own = Changes(roster=(Table({"fighters": {"kit": {"like": "squire"}}}, "own.toml"),))
    with pytest.warns(UserWarning, match="own.toml: fighters.kit"):
        view = check_setup("affinity", {"attacker": "fighter", "defender": "squire"}, own)
    assert view.ok
    assert "own.toml: fighters.kit" in view.notes[0]


@pytest.mark.parametrize("system", system_ids())
def test_shipped_examples_and_fights_are_refused_only_where_they_are_refused_to_be_played(
    system: str,
) -> None:
    room = system_named(system)
    for name in examples(room):
        view = check_setup(system, Shipped(name))
        assert view.ok is plays(lambda name=name: PlayedGame.begin(system, Shipped(name)))
        assert view.ok is not bool(view.faults)
        json.dumps(to_json(view))
    for name in fight_examples(room):
        assert check_fight(system, Shipped(name)).ok is plays(
            lambda name=name: Fight.begin(system, Shipped(name))
        )


def plays(begin: object) -> bool:
    """Whether a game can begin."""
    assert callable(begin)
    try:
        begin()
    except AffrayError:
        return False
    return True


KEYS = st.sampled_from([
    "attacker", "defender", "like", "title", "choose", "rulings", "roster", "play", "dice", "one",
    "other", "fighters", "situation", "number", "policy", "asks", "fighter", "hd", "schema",
    "system", "notes", "expect", "vectors", "shows", "odds", "objective", "scene", "actions",
])  # fmt: skip
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["fighter", "squire", "like", "one", "attack"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(table=st.dictionaries(KEYS, PLAIN, max_size=6))
def test_no_table_raises(table: dict[str, object]) -> None:
    for view in (check_setup("affinity", table), check_fight("affinity", table)):
        assert view.ok is not bool(view.faults)
        told = json.dumps(to_json(view), allow_nan=False)
        assert all(fault["what"] and fault["code"] for fault in json.loads(told)["faults"])
