"""How many requests were answered how, and how long they took."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Timed", "Times"]

REMEMBERED = 500
"""Requests of a route whose times are remembered."""


class Times:
    """Requests by status, and the times of the last ones by route.

    Attributes:
        by_status: how many were answered with each.
    """

    def __init__(self) -> None:
        self.by_status: Counter[str] = Counter()
        self._ms: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, route: str, status: int, ms: float) -> None:
        """One more was answered."""
        self.by_status[str(status)] += 1
        self._ms[route].append(ms)

    @property
    def p95_ms(self) -> dict[str, float]:
        """The milliseconds within which 95 of 100 requests were answered, by route."""
        found = {}
        for route, ms in self._ms.items():
            ordered = sorted(ms)
            found[route] = round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1)
        return found


class Timed:
    """Notes how each request is answered.

    Args:
        app: answers them.
        times: asked for the record that is in force.
    """

    def __init__(self, app: ASGIApp, times: Callable[[Scope], Times]) -> None:
        self.app, self.times = app, times

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            route = getattr(scope.get("route"), "path", "no route")
            ms = (perf_counter() - began) * 1000
            self.times(scope).note(f"{scope['method']} {route}", status, ms)
