"""Classes whose methods are compiled late are as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import gc
import inspect
import sys
import typing
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from affray.core import lazy


def _kinds(dataclass: Any) -> tuple[type[Any], type[Any], type[Any]]:
    @dataclass(frozen=True)
    class Named:
        kind: ClassVar[str] = "named"
        name: str
        others: dict[str, int] = dataclasses.field(default_factory=dict)

    @dataclass(frozen=True)
    class Counted(Named):
        count: int = 0

        def __post_init__(self) -> None:
            if self.count < 0:
                raise ValueError("less than nothing")

        def __hash__(self) -> int:
            return self.count

    @dataclass(frozen=True, kw_only=True)
    class Shown:
        text: str

        def __repr__(self) -> str:
            return f"<{self.text}>"

    return Named, Counted, Shown


LATE, USUAL = _kinds(lazy.dataclass), _kinds(dataclasses.dataclass)


def _tried(do: Any) -> object:
    try:
        return do()
    except Exception as error:  # compared
        return type(error), str(error).replace("_kinds.<locals>.", "")


def _parameters(kind: type[Any]) -> list[tuple[object, ...]]:
    """What a class takes; where a default is made, nobody compares how it is shown."""
    return [
        (one.name, one.kind, one.annotation, one.default if one.name != "others" else "made")
        for one in inspect.signature(kind).parameters.values()
    ]


@pytest.mark.parametrize(
    "do",
    [
        lambda named, counted, _: (repr(named("a")), repr(counted("a", {"b": 1}, 2))),
        lambda named, *_: (named("a") == named(name="a"), named("a") == named("b")),
        lambda named, counted, _: (named("a") == counted("a"), named("a").__eq__(1)),
        lambda named, *_: named("a", others={}).others is named("a").others,
        lambda named, *_: hash(named("a", ())) == hash(named("a", ())),
        lambda named, *_: hash(named("a")),
        lambda _, counted, __: hash(counted("a", count=7)),
        lambda _, counted, __: counted("a", count=-1),
        lambda named, *_: named(),
        lambda named, *_: named("a", nome="b"),
        lambda *kinds: (kinds[2](text="a"), repr(kinds[2](text="a")))[1],
        lambda *kinds: kinds[2]("a"),
        lambda named, *_: setattr(named("a"), "name", "b"),
        lambda named, *_: delattr(named("a"), "name"),
        lambda _, counted, __: dataclasses.replace(counted("a"), count=3).count,
        lambda _, counted, __: [field.name for field in dataclasses.fields(counted)],
        lambda _, counted, __: dataclasses.asdict(counted("a", {"b": 1}, 2)),
        lambda named, *_: (named.kind, named.__match_args__),
        lambda _, counted, __: counted("a", {}, 2, 3),
        lambda _, counted, __: counted("a", {}, others={}),
        lambda named, *_: vars(named("a")),
        lambda *kinds: [_parameters(kind) for kind in kinds],
        lambda named, *_: repr(copy.copy(named("a"))),
        lambda *kinds: kinds[2](text="a") == kinds[2](text="a"),
        lambda *kinds: hash(kinds[2](text="a")) == hash(("a",)),
    ],
)
def test_it_is_as_of_the_standard_library(do: Any) -> None:
    told = _tried(lambda: do(*LATE))
    assert told == _tried(lambda: do(*USUAL))
    assert told == _tried(lambda: do(*LATE)), "the second time, when all is compiled"


def test_no_method_is_compiled() -> None:
    named, counted, _ = _kinds(lazy.dataclass)
    for name in ("__init__", "__repr__", "__eq__", "__hash__"):
        assert getattr(named, name).__code__.co_filename == lazy.__file__
    assert named.__eq__.__code__ is counted.__eq__.__code__


def test_without_eq_each_is_equal_to_itself_only() -> None:
    @lazy.dataclass(frozen=True, eq=False)
    class Thing:
        name: str

    thing = Thing("a")
    assert thing == thing
    assert thing != Thing("a")
    assert hash(thing) == object.__hash__(thing)


def test_there_is_no_lazy_one_that_can_change() -> None:
    with pytest.raises(AssertionError, match="what can change"):
        lazy.dataclass(frozen=False)


F = TypeVar("F")


class _Late(lazy.NamedTuple, Generic[F]):
    first: F
    second: str = "b"
    third: tuple[int, ...] = ()

    @property
    def both(self) -> tuple[F, str]:
        return self.first, self.second


class _LateShown(lazy.NamedTuple):
    text: str

    def __repr__(self) -> str:
        return f"<{self.text}>"


class _LateEmpty(lazy.NamedTuple):
    pass


class _Usual(typing.NamedTuple, Generic[F]):
    first: F
    second: str = "b"
    third: tuple[int, ...] = ()

    @property
    def both(self) -> tuple[F, str]:
        return self.first, self.second


class _UsualShown(typing.NamedTuple):
    text: str

    def __repr__(self) -> str:
        return f"<{self.text}>"


class _UsualEmpty(typing.NamedTuple):
    pass


@pytest.mark.parametrize(
    "do",
    [
        lambda one, *_: repr(one(1, third=(2,))),
        lambda one, *_: one(1) == (1, "b", ()),
        lambda one, *_: (one(1).first, one(1).both, one[int](3).second),
        lambda one, *_: one(),
        lambda one, *_: one(1, fourth=2),
        lambda one, *_: one(1, "c")._replace(first=2, third=(1,)),
        lambda one, *_: one(1)._asdict(),
        lambda one, *_: one._make([1, 2, 3]),
        lambda one, *_: (one._fields, one._field_defaults, one.__match_args__, one.__slots__),
        lambda one, *_: (copy.copy(one(1)), copy.deepcopy(one([1]))),
        lambda one, *_: setattr(one(1), "first", 2),
        lambda one, *_: setattr(one(1), "other", 2),
        lambda one, *_: list(inspect.signature(one).parameters),
        lambda one, *_: inspect.signature(one).parameters["third"].default,
        lambda one, *_: typing.get_type_hints(one),
        lambda one, *_: type("More", (one,), {})(1),
        lambda one, *_: [kind.__name__ for kind in one.__mro__[1:]],
        lambda _, shown, __: (repr(shown("a")), shown("a") < shown("b"), hash(shown("a"))),
        lambda *kinds: (kinds[2](), kinds[2]()._asdict()),
        lambda *kinds: kinds[2](1),
    ],
)
def test_named_tuples_are_as_of_the_standard_library(do: Any) -> None:
    def told(*kinds: Any) -> str:
        return repr(_tried(lambda: do(*kinds))).replace("_Usual", "_Late")

    late = told(_Late, _LateShown, _LateEmpty)
    assert late == told(_Usual, _UsualShown, _UsualEmpty)


def test_named_tuples_are_compiled_when_one_is_first_made() -> None:
    class Pair(lazy.NamedTuple):
        one: int
        other: int

    class Couple(lazy.NamedTuple):
        he: int
        she: int = 0

    late = Pair.__new__
    assert Pair(1, 2) == late(Pair, 1, other=2)
    assert Pair.__new__ is not late
    assert Couple(1) == (1, 0)
    assert Pair.__new__.__code__.co_code == Couple.__new__.__code__.co_code


def test_named_tuples_refuse_what_they_have_no_field_for() -> None:
    with pytest.raises(ValueError, match="_Late has no field 'fifth'"):
        _Late(1)._replace(fifth=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="_Late takes 3 values, not 2"):
        _Late._make([1, 2])
    with pytest.raises(TypeError, match="fields with a default come last"):

        class Wrong(lazy.NamedTuple):
            one: int = 0
            other: int  # type: ignore[misc]


def test_getters_outlive_a_search_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy, "_GETTERS", [])
    before = gc.get_threshold()
    gc.freeze()  # from here on, each search looks at all that is made, and at nothing else
    gc.collect()
    gc.set_threshold(1, 0, 0)
    try:

        class Three(lazy.NamedTuple):
            one: int
            two: int
            three: int

    finally:
        gc.set_threshold(*before)
    assert Three(1, 2, 3).three == 3


def test_fields_are_found_in_a_class_body_whose_annotations_are_lazy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From Python 3.14 on, the body holds a function; `annotationlib` calls it."""
    library = ModuleType("annotationlib")
    vars(library).update(
        Format=SimpleNamespace(FORWARDREF=3),
        call_annotate_function=lambda annotate, form: annotate(form),
    )
    monkeypatch.setitem(sys.modules, "annotationlib", library)
    body = {"__annotate_func__": lambda form: {"one": int, "two": form}}
    assert lazy._annotated(body) == {"one": int, "two": 3}
