"""Methods that don't keep their object alive."""

from __future__ import annotations

import weakref

from affray.core.weakly import weakly


class Counter:
    def __init__(self) -> None:
        self.count = 0
        self.more = weakly(self.add)

    def add(self, number: int, *, times: int = 1) -> int:
        self.count += number * times
        return self.count


def test_it_is_the_method_of_its_object() -> None:
    counter = Counter()
    assert (counter.more(2), counter.more(3, times=4), counter.count) == (2, 14, 14)


def test_an_object_that_keeps_its_own_method_is_gone_when_nobody_needs_it() -> None:
    counter = Counter()
    seen = weakref.ref(counter)
    del counter
    assert seen() is None
