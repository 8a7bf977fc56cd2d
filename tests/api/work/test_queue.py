"""Questions that wait: clients take turns, and nobody fills the queue."""

from __future__ import annotations

import pytest

from affray.api.work.errors import QueueFullError
from affray.api.work.queue import FairQueue
from affray.core.lazy import NamedTuple


class Item(NamedTuple):
    client: str
    name: str
    is_light: bool = False


def queue(*items: Item, most: int = 10, most_of_client: int = 5) -> FairQueue[Item]:
    made: FairQueue[Item] = FairQueue(most, most_of_client)
    for item in items:
        made.put(item)
    return made


def taken(waiting: FairQueue[Item], *, only_light: bool = False) -> str:
    """The name of what comes next, which is done at once."""
    item = waiting.take(only_light=only_light)
    if item is None:
        return ""
    waiting.done(item)
    return item.name


def test_clients_take_turns() -> None:
    waiting = queue(Item("ada", "a1"), Item("ada", "a2"), Item("ada", "a3"), Item("bo", "b1"))
    assert [taken(waiting) for _ in range(5)] == ["a1", "b1", "a2", "a3", ""]


def test_who_has_nothing_under_way_comes_first() -> None:
    waiting = queue(Item("ada", "a1"))
    assert waiting.take() is not None  # and is not done
    waiting.put(Item("ada", "a2"))
    waiting.put(Item("bo", "b1"))
    assert [taken(waiting) for _ in range(2)] == ["b1", "a2"]


def test_only_short_ones_are_taken_where_nothing_else_may() -> None:
    waiting = queue(Item("ada", "long"), Item("ada", "short", is_light=True))
    assert [taken(waiting, only_light=True) for _ in range(2)] == ["short", ""]
    assert taken(waiting) == "long"


def test_a_client_may_not_fill_the_queue() -> None:
    waiting = queue(Item("ada", "a1"), Item("ada", "a2"), most_of_client=2)
    with pytest.raises(QueueFullError, match="2 questions of yours") as caught:
        waiting.put(Item("ada", "a3"), retry_after=7)
    assert caught.value.retry_after == 7
    waiting.put(Item("bo", "b1"))
    assert len(waiting) == 3


def test_all_together_may_not_fill_it_either() -> None:
    waiting = queue(Item("ada", "a1"), Item("bo", "b1"), most=2)
    with pytest.raises(QueueFullError, match="2 questions wait"):
        waiting.put(Item("cy", "c1"))
    assert [item.name for item in waiting] == ["a1", "b1"]


def test_what_is_dropped_is_not_taken() -> None:
    first, second = Item("ada", "a1"), Item("ada", "a2")
    waiting = queue(first, second)
    assert (waiting.drop(first), waiting.drop(first)) == (True, False)
    assert [taken(waiting) for _ in range(2)] == ["a2", ""]
