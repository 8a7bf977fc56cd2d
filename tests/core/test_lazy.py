"""Dataclasses whose methods are compiled late are as those of the standard library."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

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
    ],
)
def test_it_is_as_of_the_standard_library(do: Any) -> None:
    told = _tried(lambda: do(*LATE))
    assert told == _tried(lambda: do(*USUAL))
    assert told == _tried(lambda: do(*LATE)), "the second time, when all is compiled"


def test_methods_are_compiled_when_one_is_first_made() -> None:
    named, _, _ = _kinds(lazy.dataclass)
    assert named.__init__.__module__ == lazy.__name__
    one = named("a")
    assert named.__init__.__module__ != lazy.__name__
    assert named.__eq__.__module__ == lazy.__name__
    assert one == named("a")
    assert named.__eq__.__module__ != lazy.__name__


def test_there_is_no_lazy_one_that_can_change() -> None:
    with pytest.raises(AssertionError, match="what can change"):
        lazy.dataclass(frozen=False)
