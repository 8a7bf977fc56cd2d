"""What changes, as it changes: one WebSocket for each page, event streams for programs.

A page says `{"watch": "game:ID", "since": REVISION, "key": ...}` and is told at once what is new,
then again after each change; `{"leave": "game:ID"}` ends that. What comes is a game, a table or a
job as a view, a game with its events after the revision that came before. A client that has lost
count watches again without `since` and gets everything. Tables are `table:ID`, jobs `job:ID`. What
is called `game.NAME:ID` is the same game looked at another way.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import suppress

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from starlette.requests import HTTPConnection

from affray.api.access import Access
from affray.api.bells import Listener
from affray.api.guards import client_of
from affray.api.problems import Problem, as_problem, status_of
from affray.api.state import Service, service_of
from affray.api.topics import TOPICS, News
from affray.app.inputs.intake import Raw, table_of
from affray.core.errors import AffrayError
from affray.store.errors import DatabaseError
from affray.store.values import now_us

__all__ = ["Topics", "router", "stream", "talk"]

router = APIRouter(tags=["live"])

CLOSED = 4000
"""A socket is closed with this and the status of the problem: 4401 where its key has ended."""
TOO_MANY = CLOSED + 429
SHUT_OUT = frozenset({"no-key", "forbidden"})
FAR = 2**63
MOST_WATCHED = 16
"""Topics of one socket."""
AGAIN_S = 2.0
"""Seconds after which a database that has failed is asked again."""
PING_S = 20.0
"""Seconds after which an idle stream sends a comment, so that nobody in between closes it."""


class _Watcher:
    """What one client watches, and how far it knows each of it.

    Whoever watches a game by a key of its table hears the table's bell as well: it rings when a
    link is revoked. A key that expires is looked at again at that moment.
    """

    def __init__(self, service: Service, listener: Listener) -> None:
        self.service, self.listener = service, listener
        self.watched: dict[str, Callable[[int | None], News]] = {}
        self.known: dict[str, tuple[int | None, object]] = {}
        self.access: dict[str, Access] = {}

    def watch(self, topic: str, ask: Callable[[int | None], News], since: int | None) -> None:
        """Watch a topic from a revision on.

        Raises:
            Problem: it watches too much already.
        """
        if topic not in self.watched and len(self.watched) >= MOST_WATCHED:
            raise Problem("too-many", f"one socket watches at most {MOST_WATCHED} things")
        self.watched[topic], self.known[topic] = ask, (since, None)
        self.service.bells.watch(self.listener, _bell(topic))
        self.listener.wake(_bell(topic))

    def leave(self, topic: str) -> None:
        """Watch a topic no more."""
        if self.watched.pop(topic, None) is None:
            return
        access = self.access.pop(topic, None)
        for bell in {_bell(topic), _table_bell(access)} - self._bells():
            self.service.bells.leave(self.listener, bell)
        if access is not None:
            self._is_gone(topic, access)

    def close(self) -> None:
        """Watch nothing more."""
        for topic in list(self.watched):
            self.leave(topic)

    def _bells(self) -> set[str]:
        """The bells that it has to hear."""
        return {*map(_bell, self.watched), *map(_table_bell, self.access.values())}

    async def rung(self, within_s: float | None = None) -> list[str]:
        """The topics that may have news, as soon as there are any; none: time is over."""
        ends = [one.expires for one in self.access.values() if one.expires is not None]
        if ends:
            left = max(0.0, (min(ends) - now_us()) / 1e6)
            within_s = left if within_s is None else min(left, within_s)
        bells, now = await self.listener.taken(within_s), now_us()
        return [
            topic
            for topic in self.watched
            if _bell(topic) in bells or self._is_due(topic, bells, now)
        ]

    def _is_due(self, topic: str, bells: Collection[str], now: int) -> bool:
        """Whether the key by which a topic is watched is to be looked at again."""
        access = self.access.get(topic)
        if access is None:
            return False
        return _table_bell(access) in bells or (access.expires or FAR) <= now

    def _has_come(self, topic: str, access: Access) -> None:
        """Let the others at a table see who has come, and hear of the key's end."""
        is_new, self.access[topic] = topic not in self.access, access
        if not is_new:
            return
        if access.table is not None:
            self.service.bells.watch(self.listener, _table_bell(access))
            self.listener.wake(_bell(topic))  # if the link was revoked before its bell was heard
        kind, _, table = topic.partition(":")
        if kind == "table" and self.service.present.enter(table, access.link):
            self.service.bells.ring(topic)

    def _is_gone(self, topic: str, access: Access) -> None:
        kind, _, table = topic.partition(":")
        if kind == "table" and self.service.present.leave(table, access.link):
            self.service.bells.ring(topic)

    async def news(self, topic: str) -> News | None:
        """What is new of a topic; None: nothing, or it is not watched any more.

        Raises:
            AffrayError: it may not be watched, or no longer; it isn't any more.
        """
        if topic not in self.watched:
            return None
        since, mark = self.known[topic]
        try:
            news = await run_in_threadpool(self.watched[topic], since)
        except DatabaseError:  # it may be back at any time
            asyncio.get_running_loop().call_later(AGAIN_S, self.listener.wake, topic)
            return None
        except AffrayError as error:
            is_out = topic in self.access and error.code in SHUT_OUT
            self.leave(topic)
            if is_out:
                raise _OutError(error.code, str(error)) from error
            raise
        if topic not in self.watched or news.mark == mark:
            return None
        self.known[topic] = news.revision, news.mark
        if news.access is not None:
            self._has_come(topic, news.access)
        return news


class _OutError(Problem):
    """Somebody who was watching may not any more."""


def _bell(topic: str) -> str:
    """The bell that rings when a topic changes.

    >>> _bell("game.projector:7"), _bell("table:7")
    ('game:7', 'table:7')
    """
    kind, colon, name = topic.partition(":")
    return kind.partition(".")[0] + colon + name


def _table_bell(access: Access | None) -> str:
    """The bell that rings when a link of this table is revoked."""
    return "" if access is None or access.table is None else f"table:{access.table}"


Topics = Mapping[str, Callable[[HTTPConnection, str, str, int | None], News]]


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """The socket of a program; what it hears of are views."""
    await talk(socket, TOPICS)


async def talk(socket: WebSocket, topics: Topics) -> None:
    """Tell a client what is new of what it watches, until it goes.

    Args:
        socket: of the client.
        topics: what can be watched, and how news of it are told.
    """
    service, client = service_of(socket), client_of(socket.scope)
    await socket.accept()
    if service.bells.n_of(client) >= service.settings.limits.sockets:
        await socket.close(TOO_MANY, "too many open sockets")
        return
    with service.bells.listening(client) as listener:
        watcher = _Watcher(service, listener)
        tasks = {
            asyncio.create_task(_reading(socket, watcher, topics)),
            asyncio.create_task(_writing(socket, watcher)),
        }
        _done, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        watcher.close()
        with suppress(WebSocketDisconnect, RuntimeError, asyncio.CancelledError):
            await asyncio.gather(*tasks)


async def _reading(socket: WebSocket, watcher: _Watcher, topics: Topics) -> None:
    """Take what a page says."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            _heard(socket, watcher, table_of(message.get("text") or "", "message"), topics)
        except AffrayError as error:
            await socket.send_text(json.dumps({"problem": as_problem(error)}))


def _heard(socket: WebSocket, watcher: _Watcher, message: Raw, topics: Topics) -> None:
    if set(message) == {"leave"}:
        watcher.leave(str(message["leave"]))
        return
    topic, since, key = message.get("watch"), message.get("since"), message.get("key", "")
    unknown = set(message) - {"watch", "since", "key"}
    is_number = since is None or (isinstance(since, int) and not isinstance(since, bool))
    if unknown or not isinstance(topic, str) or not isinstance(key, str) or not is_number:
        raise Problem("input", "allowed: watch, since and key, or leave")
    kind, _, name = topic.partition(":")
    if kind not in topics:
        raise Problem("not-found", f"no topic; they are called {', '.join(topics)} and an id")
    assert since is None or isinstance(since, int)  # looked at above
    ask = topics[kind]
    watcher.watch(topic, lambda seen: ask(socket, name, key, seen), since)


async def _writing(socket: WebSocket, watcher: _Watcher) -> None:
    """Tell a page what is new of what it watches."""
    while True:
        for topic in await watcher.rung():
            try:
                news = await watcher.news(topic)
            except AffrayError as error:
                problem = {"topic": topic, "problem": as_problem(error)}
                await socket.send_text(json.dumps(problem))
                if isinstance(error, _OutError):
                    await socket.close(CLOSED + status_of(error), str(error))
                    return
                continue
            if news is not None:
                head = json.dumps({"topic": topic, "revision": news.revision})
                await socket.send_text(f'{head[:-1]}, "view": {news.text}}}')


# -- event streams ---------------------------------------------------------------------------------


async def stream(request: Request, topic: str, key: str = "") -> StreamingResponse:
    """What changes of a topic as server-sent events; `Last-Event-ID` says what is known.

    Raises:
        AffrayError: it may not be watched.
    """
    kind, _, name = topic.partition(":")
    ask, last = TOPICS[kind], request.headers.get("last-event-id", "")
    since = int(last) if last.isascii() and last.isdigit() and len(last) < 16 else None
    bells, limits = service_of(request).bells, service_of(request).settings.limits
    if bells.n_of(client_of(request.scope)) >= limits.sockets:
        raise Problem("too-many", f"too many open streams; allowed: {limits.sockets}")
    await run_in_threadpool(ask, request, name, key, since)  # what is refused is refused now
    lines = _events(request, topic, lambda seen: ask(request, name, key, seen), since)
    return StreamingResponse(
        lines, media_type="text/event-stream", headers={"x-accel-buffering": "no"}
    )


async def _events(
    request: Request, topic: str, ask: Callable[[int | None], News], since: int | None
) -> AsyncIterator[str]:
    service = service_of(request)
    with service.bells.listening(client_of(request.scope)) as listener:
        watcher = _Watcher(service, listener)
        watcher.watch(topic, ask, since)
        try:
            while True:
                if not await watcher.rung(PING_S):
                    yield ": still here\n\n"
                    continue
                news = await watcher.news(topic)
                if news is not None:
                    yield f"id: {news.revision}\nevent: change\ndata: {news.text}\n\n"
                    if news.is_last:
                        return
        except AffrayError as error:
            yield f"event: problem\ndata: {json.dumps(as_problem(error))}\n\n"
        finally:
            watcher.close()
