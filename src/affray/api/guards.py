"""What a request must pass before anybody looks at it, and what every answer carries.

Plain ASGI, so that sockets pass the same guards: the names under which the server may be called
(against DNS rebinding), the page a request comes from (against other sites), the size of its body,
and how many requests a client makes.
"""

from __future__ import annotations

import ipaddress
import json
import logging
from collections import OrderedDict
from collections.abc import Iterable
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from affray.api.problems import PROBLEM, body_of
from affray.api.settings import Limits, Settings

__all__ = ["BROKEN", "Guards", "client_of"]

OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
OWN_SITE = frozenset({"same-origin", "none"})
"""What browsers say of requests by our own page or by the user; "same-site" is another port, too,
behind which somebody else's page may be."""
HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'; object-src 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",  # without it forms would come from nowhere
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
BROKEN = "affray made a mistake; the server's log says more"
LOG = logging.getLogger("affray")
MOST_CLIENTS = 10_000
"""Clients whose requests are counted; the longest silent are forgotten."""


def client_of(scope: Scope) -> str:
    """The address of a client; of IPv6 its network, for one person has very many addresses.

    >>> client_of({"client": ("2001:db8::1:2", 1)})
    '2001:db8::/64'
    """
    address = (scope.get("client") or ("unknown", 0))[0]
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return str(address)
    if found.version == 6 and not found.is_loopback:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


class Guards:
    """Lets requests and sockets through that may come in.

    Args:
        app: what they come to.
        settings: of the server.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.limits = settings.limits
        self.hosts = allowed_hosts(settings)
        self.rate = Rate(settings.limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it through, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, refusal)
            return
        answer = _Answer(send)
        try:
            await self.app(scope, _bounded(receive, self.limits.body_bytes), answer.send)
        except Exception:
            if scope["type"] != "http" or answer.is_begun:
                raise
            LOG.exception("a fault of the program at %s %s", scope["method"], _route(scope))
            await _refuse(scope, receive, send, (500, "broken", BROKEN))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        """Status, code and words of a refusal; None: it may come in."""
        host = headers.get("host", "")
        if self.hosts and _name(host) not in self.hosts:
            return 421, "host", f"this server is not called {host[:100]!r}"
        origin = headers.get("origin")
        if origin is not None and _site(origin) != host.lower():
            return 403, "origin", "requests from pages of other sites are refused"
        if headers.get("sec-fetch-site", "none") not in OWN_SITE and not _is_visit(scope, headers):
            return 403, "origin", "requests from pages of other sites are refused"
        length = headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length) > self.limits.body_bytes:
            return 413, "too-large", f"the body is too large; allowed: {self.limits.body_bytes:,}"
        wait = self.rate.wait(client_of(scope))
        if wait:
            return 429, "too-many", f"too many requests; try again in {wait} seconds"
        return None


def allowed_hosts(settings: Settings) -> frozenset[str]:
    """The names under which a server may be called; none: every name."""
    if settings.public and not settings.hosts:
        return frozenset()
    return frozenset((*OWN_NAMES, *(host.lower() for host in settings.hosts)))


def _site(origin: str) -> str:
    """The host and port of an origin; empty: it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether somebody comes by a link on another page, which may be anybody's."""
    how = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return how == ("navigate", "document") and scope.get("method") in {"GET", "HEAD"}


def _name(host: str) -> str:
    """The name of a host without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


class Rate:
    """How many requests each client has left: a bucket that fills again evenly."""

    def __init__(self, limits: Limits) -> None:
        self.most = float(limits.requests)
        self.each_s = limits.requests / limits.per_seconds
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> int:
        """Seconds until the client may ask again; 0: it may ask now, and has asked."""
        now = monotonic()
        left, at = self.buckets.pop(client, (self.most, now))
        left = min(self.most, left + (now - at) * self.each_s)
        may = left >= 1
        self.buckets[client] = (left - 1 if may else left, now)
        while len(self.buckets) > MOST_CLIENTS:
            self.buckets.popitem(last=False)
        return 0 if may else max(1, round((1 - left) / self.each_s))


def _bounded(receive: Receive, most: int) -> Receive:
    """The same messages as long as a body is not too large."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                from affray.api.problems import Problem

                raise Problem("too-large", f"the body is too large; allowed: {most:,} bytes")
        return message

    return bounded


class _Answer:
    """An answer on its way, with the headers that every answer carries."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_begun = False

    async def send(self, message: Message) -> None:
        """Send a part of it."""
        self.is_begun = True
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await self._send(message)


def _route(scope: Scope) -> str:
    """The route of a request, without what stands in its place of ids."""
    return getattr(scope.get("route"), "path", "no route")


async def _refuse(
    scope: Scope, receive: Receive, send: Send, refusal: tuple[int, str, str]
) -> None:
    status, code, words = refusal
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": words})
        return
    body = json.dumps(body_of(status, code, words)).encode()
    headers: Iterable[tuple[str, str]] = (
        ("content-type", PROBLEM), ("content-length", str(len(body))),
        ("cache-control", "no-store"), *HEADERS.items(),
    )  # fmt: skip
    raw = [(name.encode(), value.encode()) for name, value in headers]
    if status == 429:
        raw.append((b"retry-after", words.split()[-2].encode()))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
