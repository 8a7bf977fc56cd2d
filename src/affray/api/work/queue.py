"""Questions that wait for a worker, in a fair order.

Clients take turns: of those that wait, next comes who has least under way, and of these who was
served longest ago. The questions of one client are answered in the order in which they were asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Generic, Protocol, TypeVar

from affray.api.work.errors import QueueFullError

__all__ = ["FairQueue", "Waits"]


class Waits(Protocol):
    """Something that waits for a worker."""

    @property
    def client(self) -> Hashable:
        """For whom."""
        ...

    @property
    def is_light(self) -> bool:
        """Whether the worker that is kept free for short questions may take it."""
        ...


T = TypeVar("T", bound=Waits)


class FairQueue(Generic[T]):
    """Waiting questions.

    Args:
        most: how many may wait in all. most_of_client: of one client.
    """

    def __init__(self, most: int, most_of_client: int) -> None:
        self.most, self.most_of_client = most, most_of_client
        self._waiting: dict[Hashable, list[T]] = {}
        """By client; those served longest ago come first."""
        self._under_way: Counter[Hashable] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __iter__(self) -> Iterator[T]:
        return (item for items in self._waiting.values() for item in items)

    def put(self, item: T, retry_after: int = 1) -> None:
        """Let something wait.

        Raises:
            QueueFullError: too many wait already.
        """
        own = len(self._waiting.get(item.client, ()))
        if own >= self.most_of_client:
            raise QueueFullError(
                f"{own} questions of yours wait already; allowed: {self.most_of_client}. "
                "Ask again when one of them is answered",
                retry_after=retry_after,
            )
        if len(self) >= self.most:
            raise QueueFullError(
                f"{len(self)} questions wait already; ask again later", retry_after=retry_after
            )
        self._waiting.setdefault(item.client, []).append(item)

    def take(self, *, only_light: bool = False) -> T | None:
        """Take what comes next; it is under way then, until it is `done`. None: nothing waits.

        Args:
            only_light: leave all others where they are.
        """
        found = {
            client: next((item for item in items if item.is_light or not only_light), None)
            for client, items in self._waiting.items()
        }
        clients = [client for client, item in found.items() if item is not None]
        if not clients:
            return None
        client = min(clients, key=lambda one: self._under_way[one])  # the first of several
        item = found[client]
        assert item is not None  # such clients were left out
        self.drop(item)
        if client in self._waiting:
            self._waiting[client] = self._waiting.pop(client)  # to the end
        self._under_way[client] += 1
        return item

    def done(self, item: T) -> None:
        """Something that was taken is not under way any more."""
        self._under_way[item.client] -= 1
        if not self._under_way[item.client]:
            del self._under_way[item.client]

    def drop(self, item: T) -> bool:
        """Let something wait no longer; whether it did."""
        items = self._waiting.get(item.client, [])
        for place, other in enumerate(items):
            if other is item:
                del items[place]
                if not items:
                    del self._waiting[item.client]
                return True
        return False
