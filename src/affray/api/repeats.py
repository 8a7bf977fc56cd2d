"""Requests that may be repeated: with an Idempotency-Key a repeat gets the first answer.

The first answer is kept for a day, under a hash of the client's key. A key of affray that the
answer brought is not kept: a repeat gets a new one for the same link, and the lost one no longer
opens anything. Whoever was given a key as a cookie is known with it and without it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from affray.api.access import cookie_of
from affray.api.guards import client_of
from affray.api.problems import body_of, problem, refusal
from affray.api.state import service_of
from affray.core.errors import AffrayError, StoreError
from affray.store.errors import NotKeptError
from affray.store.values import now_us

if TYPE_CHECKING:
    from affray.store.opening import Store
    from affray.store.replies import Reply
    from affray.store.tabletops import Tabletops

__all__ = ["ISSUED", "Repeats"]

ISSUED = "affray-issued"
"""A header for this module only: the link and the key that an answer brings."""
COOKIE = "set-cookie"
KEPT_HEADERS = frozenset({"content-type", "location", COOKIE})
LACKING = "{the-key-that-was-here}"
"""Stands in a kept answer where a key was."""
DAY_US = 86_400_000_000
AT_WORK_US = 180_000_000
"""After that a request is taken for lost, with the server that was at it."""
MOST_KEY = 200
LOG = logging.getLogger("affray")
CHANGING = frozenset({"POST", "PATCH", "PUT", "DELETE"})


class Repeats:
    """Answers repeated requests with their first answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        key = request.headers.get("idempotency-key", "")
        if not key or scope["method"] not in CHANGING:
            await self.app(scope, receive, _without_issued(send))
            return
        if len(key) > MOST_KEY:
            words = f"Idempotency-Key: {len(key)} characters; allowed: {MOST_KEY}"
            await problem(body_of(422, "input", words))(scope, receive, send)
            return
        await self._once(request, send, key)

    async def _once(self, request: Request, send: Send, key: str) -> None:
        store, body = service_of(request).store, await request.body()
        asked = _hash(request.method, request.url.path, request.url.query, body.decode("latin-1"))
        key = _hash(key)
        try:
            asker = await run_in_threadpool(_asker, request)
            client, expires = asker.named(), now_us() + AT_WORK_US
            first = await run_in_threadpool(
                store.replies.claim, client, key, asked, expires=expires
            )  # fmt: skip
            if first is not None:
                answer = await run_in_threadpool(_again, store, first, asked)
                await answer(request.scope, request.receive, send)
                return
        except AffrayError as error:
            await refusal(error)(request.scope, request.receive, send)
            return
        await self._first(request.scope, body, _Kept(send, store, (asker, key), asked))

    async def _first(self, scope: Scope, body: bytes, kept: _Kept) -> None:
        """Answer for the first time, and keep the answer."""

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        try:
            await self.app(scope, receive, kept.send)
        finally:
            await kept.end()


class _Kept:
    """An answer on its way, to be kept."""

    def __init__(self, send: Send, store: Store, place: tuple[_Asker, str], asked: str) -> None:
        self._send, self._store, self._place, self._asked = send, store, place, asked
        self._status = 500
        self._headers: dict[str, str] = {}
        self._issued = ""
        self._body = b""
        self._is_whole = self._is_kept = False

    async def send(self, message: Message) -> None:
        """Send a part of the answer, and remember it; the last part goes when all is kept."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            pairs = [(k.decode("latin-1"), v.decode("latin-1")) for k, v in message["headers"]]
            self._headers = {k: v for k, v in pairs if k in KEPT_HEADERS}
            self._issued = dict(pairs).get(ISSUED, "")
        elif message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            self._is_whole = not message.get("more_body", False)
        if self._is_whole:
            await self.end()
        await _without_issued(self._send)(message)

    async def end(self) -> None:
        """Keep it, once; an answer that can't be kept is true all the same."""
        if self._is_kept:
            return
        self._is_kept = True
        try:
            await run_in_threadpool(self._keep)
        except StoreError as error:
            LOG.warning("an answer can't be kept for repeats: %s", error)

    def _keep(self) -> None:
        """Keep it; what failed for now may be tried again."""
        from affray.store.replies import Reply

        asker, key = self._place
        client = asker.named()
        if not self._is_whole or self._status >= 500 or self._status == 429:
            self._store.replies.release(client, key)
            return
        link, _, token = self._issued.partition(" ")
        text = self._body.decode()
        headers: dict[str, object] = dict(self._headers)
        if link:
            text = text.replace(token, LACKING)
            headers = {k: v.replace(token, LACKING) for k, v in self._headers.items()}
            headers[ISSUED] = link
        reply, expires = Reply(self._asked, self._status, headers, text), now_us() + DAY_US
        self._store.replies.answer(client, key, reply, expires=expires)
        cookie = self._headers.get(COOKIE, "").partition("=")[0]
        known = asker.named({cookie: link}) if cookie else client
        if known != client:
            self._store.replies.claim(known, key, self._asked, expires=expires)
            self._store.replies.answer(known, key, reply, expires=expires)


class _Asker(NamedTuple):
    """Who asks: by the key that is sent, else by the address and the keys in cookies.

    Attributes:
        key: that is sent; empty: none.
        address: of the client.
        links: for each cookie what its key is of; a key that is of nothing stands for itself.
    """

    key: str
    address: str
    links: Mapping[str, str]

    def named(self, more: Mapping[str, str] | None = None) -> str:
        """A name that tells nothing; `more` are links whose cookies come with the answer."""
        if self.key:
            return _hash(self.key)
        return _hash(self.address, *sorted({**self.links, **(more or {})}.values()))


def _asker(request: Request) -> _Asker:
    store = service_of(request).store.tabletops
    key, links = request.headers.get("authorization", ""), {}
    if not key:
        own = (one for one in request.cookies.items() if one[0].startswith(cookie_of("")))
        links = {name: _link_of(store, one) for name, one in own}
    return _Asker(key, client_of(request.scope), links)


def _link_of(store: Tabletops, key: str) -> str:
    try:
        return store.link_of(key).id
    except NotKeptError:
        return key


def _again(store: Store, first: Reply, asked: str) -> Response:
    """The first answer once more."""
    if first.fingerprint != asked:
        words = "this Idempotency-Key was used for another request; take a new one"
        return problem(body_of(422, "key-reused", words))
    if first.status is None:
        words = "the first request with this Idempotency-Key is still at work"
        return problem(body_of(409, "at-work", words), {"retry-after": "1"})
    headers, text = {str(k): str(v) for k, v in first.headers.items()}, first.body
    link = headers.pop(ISSUED, "")
    if link:
        token = store.tabletops.issue_again(link)
        text = text.replace(LACKING, token)
        headers = {name: value.replace(LACKING, token) for name, value in headers.items()}
    return Response(text, first.status, {**headers, "idempotent-replayed": "true"})


def _without_issued(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            raw = [(k, v) for k, v in message["headers"] if k != ISSUED.encode()]
            message = {**message, "headers": raw}
        await send(message)

    return sent


def _hash(*parts: str) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()
