"""A key that is accepted matters: it changes a question, a roll, the log or what comes of it.

What falls out stands in `keys_left`, with its reason.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, NamedTuple

import pytest
from annotated_types import Ge

from affray.app.registry import system_named
from affray.core.dice import Pool, d
from affray.core.node import At, Chance, End, Facts, Go, Node
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.core.sheet import INFORMS, informs, sheet
from affray.core.step import step
from affray.core.system import Field, System
from tests.conformance.keys import (
    Case,
    Key,
    Search,
    cases_of,
    fight_cases_of,
    fight_keys_of,
    keys_of,
    role_keys_of,
)
from tests.conformance.keys_left import BY_THE_BOOK, LEFT
from tests.core.assembling import assembled
from tests.scenarios import SYSTEMS

SHORT, LONG = (60, 40), (150, 400)
FIGHTS = (300, 600)
"""How many changed plays to try: of examples, and of situations that are made from them."""
over_systems = pytest.mark.parametrize("system", SYSTEMS)


@cache
def search(system: str) -> Search:
    found = system_named(system)
    return Search(found, [*cases_of(found), *fight_cases_of(found)])


@cache
def fights_alone(system: str) -> Search:
    found = system_named(system)
    return Search(found, list(fight_cases_of(found)))


def changes_nothing(system: str, key: Key, tries: tuple[int, int]) -> bool:
    """Whether no value of a key changes anything, in a setup or in a fight."""
    if search(system).matters(key, *tries) is not None:
        return False
    return key.role != "" or fights_alone(system).matters(key, *tries) is None


def listed(system: str, keys: tuple[Key, ...]) -> dict[str, str]:
    """For each key in a list that entry of the list which means it."""
    entries = {**BY_THE_BOOK.get(system, {}), **LEFT.get(system, {})}
    names = [str(key) for key in keys]
    meant = {name: name for name in names if name in entries}
    return meant | {
        name: f"{name.partition('=')[0]}=*"
        for name in names
        if f"{name.partition('=')[0]}=*" in entries
    }


def judge(system: str, keys: tuple[Key, ...], falls_out: set[str]) -> None:
    """What falls out is listed, and what is listed falls out."""
    meant = listed(system, keys)
    new = sorted(falls_out - set(meant))
    assert not new, f"{system}: accepted, but no value changes anything; see keys_left: {new}"
    stale = {meant[str(key)] for key in keys if str(key) in meant and str(key) not in falls_out}
    assert not stale, f"{system}: these matter now; take them out of keys_left: {sorted(stale)}"


def _some(system: str, keys: tuple[Key, ...]) -> tuple[Key, ...]:
    """Keys to look at: of all words that the book gives no effect the first will do."""
    meant, met = listed(system, keys), set[str]()
    found = []
    for key in keys:
        entry = meant.get(str(key), str(key))
        if not (entry in met and entry in BY_THE_BOOK.get(system, {})):
            found.append(key)
        met.add(entry)
    return tuple(found)


@over_systems
def test_every_key_of_every_sheet_matters(system: str) -> None:
    setup = system_named(system).setup
    keys = tuple(
        key
        for key in _some(system, (*keys_of(setup), *role_keys_of(setup)))
        if not informs(key.sheet, key.name)
    )
    known = listed(system, keys)
    # What is listed is expected to change nothing: a short look will do.
    judge(system, keys, {
        str(key)
        for key in keys
        if changes_nothing(system, key, SHORT if str(key) in known else LONG)
    })  # fmt: skip


@over_systems
def test_every_key_of_a_situation_and_of_a_fighter_matters_in_fights(system: str) -> None:
    found = system_named(system)
    fights = fights_alone(system)
    plain = listed(system, keys_of(found.setup))
    keys = tuple(
        key
        for key in fight_keys_of(found)
        if not (informs(key.sheet, key.name) or f"{key.sheet.__name__}.{key.name}" in plain)
    )
    judge(system, keys, {str(key) for key in keys if fights.matters(key, *FIGHTS) is None})


@over_systems
def test_a_key_that_only_informs_changes_no_roll_and_no_outcome(system: str) -> None:
    for key in keys_of(system_named(system).setup):
        if informs(key.sheet, key.name):
            found = search(system).matters(key)
            assert found is None or found.how == "log", (str(key), found)


@over_systems
def test_the_lists_name_keys_that_there_are(system: str) -> None:
    found = system_named(system)
    keys = (*keys_of(found.setup), *role_keys_of(found.setup), *fight_keys_of(found))
    entries = set(BY_THE_BOOK.get(system, {})) | set(LEFT.get(system, {}))
    assert entries == set(listed(system, keys).values())
    assert not set(BY_THE_BOOK.get(system, {})) & set(LEFT.get(system, {}))


# -- the law itself, on a sheet of which everything is known -------------------------------------


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
    case = Case(toy(), "a blow", Blow(), Rulings())
    found = Search(toy(), [case]).matters(Key(Blow, name))
    assert (found and found.how) == how


def test_a_key_matters_that_only_another_one_brings_into_play() -> None:
    """Nothing reads the strength in the example; the law makes situations in which it counts."""
    found = Search(toy(), [Case(toy(), "a blow", Blow(), Rulings())]).matters(Key(Blow, "strength"))
    assert found is not None
    assert "changed" in found.where


def test_what_only_informs_is_said_in_the_schema() -> None:
    from affray.app.inputs.tables import adapter

    made = adapter(Blow).json_schema()["properties"]
    assert "for people" in made["motto"]["description"]
    assert "description" not in made["color"]
    assert informs(Blow, "motto")
    assert not informs(Blow, "color")
