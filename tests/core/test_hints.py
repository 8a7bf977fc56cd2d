"""Hints: promises beside the rules; none is needed, and a name that doesn't exist is refused."""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import pytest

from affray.core import hints as promises
from affray.core.dice import Pool, d
from affray.core.errors import RulesError
from affray.core.hints import Alike, Hidden, Hints, hides
from affray.core.node import At, Chance, End, Node
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.core.unknown import UNKNOWN, filled
from tests.core.assembling import assembled


class Throw(NamedTuple):
    """Facts of a throw."""

    face: int = 0
    bonus: int = 0


@step("TY-1")
def throw(x: Throw) -> Node[Throw]:
    """A die is thrown."""
    return Chance("attacker", "throw", Pool((d(6), 1)), SumOfDice(), "face", At(land, x))


@step("TY-2")
def land(x: Throw) -> Node[Throw]:
    """It lands."""
    return End(x)


@step("TY-2")
def fly(x: Throw) -> Node[Throw]:
    """It never lands."""
    return End(x)


FACE: Field[Any] = Field("face", "What it shows.", lambda x: x.face, "TY-2", also=("pips",))


def keys(x: Throw, values: Sequence[Any]) -> Sequence[Any]:
    return values


def system(**hints: Any) -> System[Any]:
    return assembled((throw, land), fields=(FACE,), hints=Hints(**hints))


def test_nothing_is_promised_by_default() -> None:
    plain = assembled((throw, land), fields=(FACE,))
    assert plain.aside == plain.fixes == {throw: frozenset(), land: frozenset()}
    assert plain.hints.forget is None
    assert plain.hints.needed is None
    assert not plain.hints.seams
    assert not plain.hints.spends_at
    assert not plain.hints.columns
    condition = object()
    assert plain.hints.frugal("sheet", condition) is condition
    assert plain.hints.acting("sheet", condition) is condition
    assert plain.hints.struck("sheet", condition) is condition
    assert plain.hints.against("setup", object(), condition) is condition
    assert plain.hints.around(condition) is condition
    assert plain.hints.parted is None
    assert plain.hints.reserve is None


def test_the_table_of_hints_has_a_row_for_each() -> None:
    rows = [line for line in (promises.__doc__ or "").splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(named) == sorted(field.name for field in fields(Hints))


def test_a_system_knows_what_is_promised_of_each_step() -> None:
    hinted = system(aside={land: ("face", "bonus")}, fixes={land: ("face",)})
    assert hinted.aside == {throw: frozenset(), land: {"face", "bonus"}}
    assert hinted.fixes == {throw: frozenset(), land: {"face"}}
    bare = hinted.with_hints(Hints())
    assert not any(bare.aside.values())
    assert hinted.aside[land], "the first one stays as it was"


def test_facts_can_fix_more_than_their_step() -> None:
    def where(x: Throw) -> tuple[str, ...]:
        return ("face",) if x.face == 6 else ()

    hinted = system(fixes_where={land: where})
    assert hinted.fixed(land, Throw(6)) == {"face"}
    assert hinted.fixed(land, Throw(5)) == hinted.fixed(throw, Throw(6)) == frozenset()


def test_an_objective_is_decided_by_the_field_that_it_is_about_or_by_what_hints_say() -> None:
    plain: Objective[Any] = Objective("high", "To throw high.", lambda x: x.face, "attacker")
    about = plain._replace(about="face")
    hinted = assembled(
        (throw, land), fields=(FACE,), objectives=(plain,), hints=Hints(decides={"high": ("face",)})
    )
    assert system().decided_by(plain) is None
    assert system().decided_by(about) == hinted.decided_by(plain) == frozenset({"face"})


@pytest.mark.parametrize(
    ("hints", "message"),
    [
        (
            {"aside": {fly: ("face",)}},
            "toy: hints: aside names <step fly>, which is no step of the system; "
            "name the step itself",
        ),
        ({"fixes": {"land": ("face",)}}, "toy: hints: fixes names 'land', which is no step"),
        ({"alike": {fly: Alike("face", keys)}}, "toy: hints: alike names <step fly>, which"),
        ({"seams": frozenset({fly})}, "toy: hints: seams names <step fly>, which is no step"),
        ({"spends_at": {fly: ()}}, "toy: hints: spends_at names <step fly>, which is"),
        (
            {"aside": {land: ("faces",)}},
            "toy: hints: aside of land: 'faces' is no field of the facts; known: bonus, face",
        ),
        (
            {"alike": {land: Alike("faces", keys)}},
            "toy: hints: alike of land: 'faces' is no field of the facts; known: bonus, face",
        ),
        (
            {"fixes": {land: ("pips",)}},
            "toy: hints: fixes of land: 'pips' is no outcome field; known: face",
        ),
        ({"plain": {fly: lambda x, needed: x}}, "toy: hints: plain names <step fly>, which is no"),
        ({"fixes_where": {fly: lambda x: ()}}, "toy: hints: fixes_where names <step fly>, which"),
        ({"decides": {"wealth": ("face",)}}, "toy: hints: decides: 'wealth' is no objective"),
        ({"several": {fly: list}}, "toy: hints: several names <step fly>, which is no step"),
        ({"outdone": {"wealth": {}}}, "toy: hints: outdone: 'wealth' is no objective"),
        ({"outdone": {"high": {fly: {}}}}, "toy: hints: outdone names <step fly>, which is no"),
        ({"defers": {fly: ("blow", ("d10",))}}, "toy: hints: defers names <step fly>, which is no"),
        (
            {"defers": {land: ("blow", ("d10",))}},
            "toy: hints: defers of land: 'blow' is no field of the facts; known: bonus, face",
        ),
        ({"columns": {"pips": list}}, "toy: hints: columns: 'pips' is no outcome field; known"),
        (
            {"aside": {land: "face"}},
            "toy: hints: aside of land: 'face'; must be a tuple of names",
        ),
    ],
)
def test_a_hint_about_nothing_is_refused(hints: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        system(**hints)
    assert str(caught.value).startswith(message)


class _Worn(NamedTuple):
    hp: int
    rage: int
    level: int = 1


class _Held(NamedTuple):
    now: _Worn


def test_several_fields_of_a_record_can_be_hidden() -> None:
    hidden: Hidden[_Held] = hides("now.hp", beside=("rage",))
    condition = _Held(_Worn(5, 2))
    part = hidden.part(condition)
    shown = hidden.visible(condition)
    assert shown == _Held(_Worn(0, 0))
    assert hidden.veiled(shown, part) == condition
    assert filled(hidden.veiled(shown, UNKNOWN), part) == condition
