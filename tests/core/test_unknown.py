"""What is held back: who may hash and compare it, and that nobody else looks unnoticed."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, cast

import pytest

from affray.core.errors import RulesError, SetupError
from affray.core.node import At, Choice, Go, KeepsHash, Node, Option, choose
from affray.core.sheet import sheet
from affray.core.step import step
from affray.core.unknown import (
    OWN_UNKNOWN,
    UNKNOWN,
    Looked,
    Parts,
    filled,
    holds_own_unknown,
    holds_unknown,
    is_look,
    is_unknown,
    merges_places,
    remembers,
)

X = cast("Any", UNKNOWN)
OWN = cast("Any", OWN_UNKNOWN)


class _Record(NamedTuple):
    left: object


class Record(KeepsHash, _Record):
    """A record that keeps its hash."""


@sheet
class Sheet:
    """A sheet, which keeps its hash."""

    left: object


class Light(NamedTuple):
    """Facts."""

    left: object


@step("TY-1")
def shine(x: Light) -> Node[Light]:
    """The lamp shines."""
    raise NotImplementedError


def as_of(module: str, function: Callable[[], object]) -> object:
    """What a function returns if it stands in another module."""
    assert isinstance(function, FunctionType)
    place = {"__name__": module, "__builtins__": builtins}
    return FunctionType(function.__code__, place, closure=function.__closure__)()


def hash_in(module: str, thing: object) -> int:
    """The hash of something as code of another module gets it."""
    return cast("int", as_of(module, lambda: hash(thing)))


def same_in(module: str, one: object, other: object) -> bool:
    """Whether two things are equal as code of another module sees it."""
    return cast("bool", as_of(module, lambda: one == other))


ENGINE = "affray.core.node"


@pytest.mark.parametrize("wrapped", [X, (1, X), Light(X), Record(X), Sheet(left=X), Record((X,))])
def test_engines_hash_it_and_nobody_else(wrapped: object) -> None:
    with pytest.raises(Looked):
        hash(wrapped)
    assert hash_in(ENGINE, wrapped) == hash_in(ENGINE, wrapped)
    with pytest.raises(Looked):  # though a hash may have been kept
        hash(wrapped)


@pytest.mark.parametrize("known", [3, "three", None, (1,), Light(3), Record(3), Sheet(left=3)])
def test_engines_compare_it_and_nobody_else(known: object) -> None:
    assert not same_in(ENGINE, UNKNOWN, known)
    assert not same_in(ENGINE, (1, known), (1, UNKNOWN))
    assert same_in(ENGINE, (1, UNKNOWN), (1, UNKNOWN))
    for one, other in ((UNKNOWN, known), (known, UNKNOWN), ((1, known), (1, UNKNOWN))):
        with pytest.raises(Looked):
            assert one == other
        with pytest.raises(Looked):
            assert one != other


def test_two_unknown_values_are_not_the_same_value() -> None:
    one, other = UNKNOWN, UNKNOWN
    assert same_in(ENGINE, one, other)
    with pytest.raises(Looked):
        assert one == other
    with pytest.raises(Looked):
        assert one != other


def test_records_without_it_keep_their_hash() -> None:
    assert hash(Record(3)) == hash(Record(3)) == hash((3,))
    record = Record(3)
    assert hash(record) == hash(record)


def test_a_module_that_merges_places_says_so() -> None:
    with pytest.raises(Looked):
        hash_in("a_walker", UNKNOWN)
    merges_places("a_walker")
    assert hash_in("a_walker", UNKNOWN) == hash_in(ENGINE, UNKNOWN)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_rule_may_copy_facts_that_hold_it(copied: Callable[[object], object]) -> None:
    hidden, in_module = X, as_of

    def rule() -> object:
        return copied(hidden)

    def engine() -> object:
        return in_module("a_rule", rule)

    assert as_of(ENGINE, engine) is UNKNOWN


def test_all_modules_of_a_package_that_merges_places_may_do_so() -> None:
    """From the first time on."""
    merges_places("a_guild.")
    assert hash_in("a_guild.walker", UNKNOWN) == hash_in(ENGINE, UNKNOWN)
    with pytest.raises(Looked):
        hash_in("a_guilder", UNKNOWN)


def test_options_that_carry_it_are_merged() -> None:
    one, two = At(shine, Light(X)), At(shine, Light(X))
    assert choose("attacker", "how?", (Option("a", one), Option("b", two))) == Go(*one)
    found = choose("attacker", "how?", (Option("a", one), Option("b", At(shine, Light(3)))))
    assert isinstance(found, Choice)
    assert [option.name for option in found.options] == ["a", "b"]


class TestRemembers:
    def test_what_did_not_look_is_remembered(self) -> None:
        calls = []

        @remembers(8)
        def armor(x: Light) -> int:
            calls.append(x)
            return 4

        assert armor(Light(X)) == armor(Light(X)) == 4
        assert len(calls) == 1

    def test_what_looked_is_not(self) -> None:
        @remembers(8)
        def weak(x: Light) -> bool:
            return x.left in {1, 2, 3}

        for _ in range(2):
            with pytest.raises(Looked):
                weak(Light(X))
        assert weak(Light(3))
        assert not weak(Light(4))

    def test_it_keeps_its_name_and_keywords(self) -> None:
        @remembers(8)
        def armor(x: int, *, twice: bool) -> int:
            """What stops harm."""
            return x * (1 + twice)

        assert (armor.__name__, armor.__doc__) == ("armor", "What stops harm.")
        assert (armor(2, twice=True), armor(2, twice=False)) == (4, 2)


def test_it_is_filled_in_however_deep_it_lies() -> None:
    deep = (1, Light(X), Sheet(left=(X, 2)))
    assert holds_unknown(deep)
    assert filled(deep, 5) == (1, Light(5), Sheet(left=(5, 2)))
    known = (1, Light(3), Sheet(left=(4, 2)))
    assert filled(known, 5) is known
    assert not holds_unknown(known)


@pytest.mark.parametrize("part", [Record(X), Sheet(left=X)])
def test_it_is_filled_in_where_a_part_was_hashed_before_the_whole(part: Any) -> None:
    hash_in(ENGINE, part)
    assert holds_unknown(part)
    whole = Sheet(left=(part, 2))
    hash_in(ENGINE, whole)
    assert filled(whole, 5) == Sheet(left=(type(part)(left=5), 2))


@pytest.mark.parametrize("part", [Record(3), Sheet(left=3)])
def test_what_was_hashed_without_it_is_looked_through_no_more(part: Any) -> None:
    assert not holds_unknown(part)
    hash_in(ENGINE, part)
    assert not holds_unknown(part)
    assert holds_unknown((part, X))


class TestIsLook:
    def test_a_look_is_one(self) -> None:
        assert is_look(Looked(), Light(X), "shine")

    def test_a_builtin_that_refuses_it_looked(self) -> None:
        assert is_look(TypeError("expected str"), Light(X), "shine")

    @pytest.mark.parametrize("error", [TypeError("no"), KeyError(3), SetupError("no")])
    def test_with_everything_known_nothing_is(self, error: Exception) -> None:
        assert not is_look(error, Light(3), "shine")

    @pytest.mark.parametrize("error", [SetupError("no"), RecursionError(), KeyboardInterrupt()])
    def test_refusals_and_limits_are_none(self, error: BaseException) -> None:
        assert not is_look(error, Light(X), "shine")

    def test_a_look_where_nothing_can_be_filled_in_is_refused(self) -> None:
        with pytest.raises(RulesError, match="shine looks at what a fight holds back"):
            is_look(Looked(), Light(3), "shine")


def test_it_is_one_and_the_same_when_copied() -> None:
    assert copy.copy(X) is UNKNOWN
    assert copy.deepcopy((1, X))[1] is UNKNOWN


def test_tests_may_print_it() -> None:
    assert repr(Light(X)) == "Light(left=<unknown>)"
    assert not isinstance(X, int)


class _Both(NamedTuple):
    left: object
    right: object


def test_several_hidden_fields_are_filled_in_by_their_names() -> None:
    both = Parts(("left", "right"), (3, 4))
    assert filled((_Both(X, X), 5, Sheet(left=_Both(1, X))), both) == (
        _Both(3, 4), 5, Sheet(left=_Both(1, 4))
    )  # fmt: skip
    assert filled(Sheet(left=X), both) == Sheet(left=3)
    known = Sheet(left=(1, 2))
    assert filled((known, hash(known)), both)[0] is known


def test_a_hidden_value_under_another_name_is_told() -> None:
    with pytest.raises(RulesError, match="left holds what a fight holds back as right and up"):
        filled(Light(X), Parts(("right", "up"), (3, 4)))


def test_what_is_unknown_of_whoever_acts_is_told_from_what_is_unknown_of_the_target() -> None:
    both = (Light(X), Sheet(left=_Both(OWN, 1)))
    assert is_unknown(X)
    assert is_unknown(OWN)
    assert holds_unknown(both)
    assert holds_own_unknown(both)
    assert not holds_own_unknown((Light(X), Sheet(left=X), 1))
    assert holds_unknown(Light(OWN))
    mine = filled(both, 5, unknown=OWN)
    assert mine[0].left is X
    assert mine[1] == Sheet(left=_Both(5, 1))
    assert filled(mine, 7) == (Light(7), Sheet(left=_Both(5, 1)))
    parts = Parts(("left", "right"), (3, 4))
    for whole in (_Both(OWN, X), cast("_Both", Sheet(left=_Both(OWN, X)).left)):
        own = filled(whole, parts, unknown=OWN)
        assert (own.left, own.right is X) == (3, True)
        assert filled(whole, parts).left is OWN
        assert filled(whole, parts).right == 4
    assert copy.deepcopy(OWN) is OWN
    assert copy.copy(OWN) is OWN
    with pytest.raises(Looked):
        same_in("affray.systems.toy", OWN, 3)
