"""The search for what a key changes, on a sheet of which everything is known."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Annotated, Any, NamedTuple

import pytest

from affray.core.dice import Pool, d
from affray.core.node import At, Chance, End, Facts, Go, Node
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.core.sheet import INFORMS, Ge, informs, sheet
from affray.core.step import step
from affray.core.system import Field, System
from affray.testing.keys.search import Search
from affray.testing.keys.sheets import Key, role_keys_of
from affray.testing.keys.trials import Trial
from affray.testing.material import Witness
from tests.core.assembling import assembled


@sheet
class Blow:
    """A blow with a bonus, a color that is ignored, a motto for people, and a strength."""

    bonus: Annotated[int, Ge(0)] = 0
    color: str = "red"
    motto: Annotated[str, INFORMS] = ""
    strength: Annotated[int, Ge(0)] = 0


class Struck(NamedTuple):
    blow: Blow
    rolled: int = 0


@step("TY-1")
def strike(x: Struck) -> Node[Struck]:
    """The die is rolled."""
    return Chance("attacker", "blow", Pool((d(6), 1)), SumOfDice(), "rolled", At(count, x))


@step("TY-2")
def count(x: Struck) -> Node[Struck]:
    """The bonus is added; strength only where there is a bonus."""
    more = x.blow.bonus + (x.blow.strength if x.blow.bonus > 2 else 0)
    return Go(stop, x._replace(rolled=x.rolled + more))


@step("TY-3")
def stop(x: Struck) -> Node[Struck]:
    """It is over."""
    return End(x)


@cache
def toy() -> System[Facts]:
    rolled: Field[Struck] = Field("rolled", "The roll.", lambda x: x.rolled, "TY-2")
    return assembled(
        (strike, count, stop), setup=Blow, fields=(rolled,),
        declare=lambda blow, rulings: At(strike, Struck(blow)),
    )  # fmt: skip


@pytest.mark.parametrize(("name", "how"), [("bonus", "outcome"), ("color", None), ("motto", None)])
def test_the_law_tells_what_matters(name: str, how: str | None) -> None:
    trial = Trial(toy(), "a blow", Blow(), Rulings())
    found = Search(toy(), [trial]).matters(Key(Blow, name))
    assert (found and found.how) == how


def test_a_key_matters_that_only_another_one_brings_into_play() -> None:
    """Nothing reads the strength in the example; the law makes situations in which it counts."""
    found = Search(toy(), [Trial(toy(), "a blow", Blow(), Rulings())]).matters(
        Key(Blow, "strength")
    )
    assert found is not None
    assert "changed" in found.where


def test_what_only_informs_is_said_in_the_schema() -> None:
    from affray.app.inputs.checking import adapter
    from affray.app.inputs.described import described

    made = described(adapter(Blow).json_schema(), Blow)["properties"]
    assert "for people" in made["motto"]["description"]
    assert "description" not in made["color"]
    assert informs(Blow, "motto")
    assert not informs(Blow, "color")


def _witness(name: str) -> tuple[Search, Key, Witness]:
    search, key = Search(toy(), [Trial(toy(), "a blow", Blow(), Rulings())]), Key(Blow, name)
    found = search.matters(key)
    assert found is not None
    assert found.witness is not None
    return search, key, found.witness


@pytest.mark.parametrize("name", ["bonus", "strength"])
def test_what_was_found_shows_again_that_a_key_matters(name: str) -> None:
    _, key, witness = _witness(name)
    fresh = Search(toy(), [Trial(toy(), "a blow", Blow(), Rulings())])
    assert fresh.shows(key, witness)
    assert fresh.n_tries == 1


@pytest.mark.parametrize("changes", [
    {"trial": "a kick"}, {"path": "blow.bonus"}, {"value": "'seven'"}, {"path": "color"},
])  # fmt: skip
def test_what_is_there_no_more_shows_nothing(changes: dict[str, Any]) -> None:
    search, key, witness = _witness("bonus")
    assert not search.shows(key, witness._replace(**changes))


def test_a_play_in_which_the_key_changes_nothing_shows_nothing() -> None:
    """Strength counts beside a bonus only; the example has none."""
    search, key, witness = _witness("strength")
    alone = Witness("a blow", 0, "strength", "1")
    assert search.shows(key, witness)
    assert not search.shows(key, alone)


def test_a_setup_needs_no_attacker() -> None:
    assert role_keys_of(Blow) == ()


def test_a_system_needs_no_rulings() -> None:
    (field,) = (field for field in dataclasses.fields(System) if field.name == "rulings")
    assert field.default == ()
