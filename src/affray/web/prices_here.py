"""The exchanges that a browser priced last; it remembers them itself, in a cookie."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from fastapi import Request, Response

from affray.app.registry import system_named
from affray.core.errors import AffrayError
from affray.core.lazy import NamedTuple
from affray.web.cookies import DAYS_S
from affray.web.forms import fields_of
from affray.web.setup_sources import setup_of
from affray.web.setups import Setup
from affray.web.wanted import Wanted, wanted_in

__all__ = ["PriceHere", "price_kept", "prices_here"]

COOKIE = "affray_prices"
MOST = 4
"""Exchanges that a browser remembers; with more, requests would grow too large."""
MOST_QUERY = 500
"""Characters of an exchange's address; a longer one isn't remembered."""


class PriceHere(NamedTuple):
    """An exchange as a list shows it: its page, what it is called, and its system."""

    address: str
    title: str
    system: str


def price_kept(request: Request, answer: Response, setup: Setup) -> Response:
    """Let the browser remember an exchange; of each origin it keeps what was asked last.

    Args:
        request: of the browser.
        answer: on which the memory goes along; it is returned.
        setup: of the exchange.
    """
    wanted = setup.wanted
    if len(wanted.alone) > MOST_QUERY:
        return answer
    others = [one for one in _remembered(request) if one.origin != wanted.origin]
    rows = [(one.system, one.alone) for one in [wanted, *others][:MOST]]
    answer.set_cookie(
        COOKIE, urlencode(rows), max_age=DAYS_S, httponly=True, samesite="lax",
        secure=request.url.scheme == "https",
    )  # fmt: skip
    return answer


def prices_here(request: Request) -> list[PriceHere]:
    """The exchanges that a browser priced, the last one first, as far as they still exist."""
    found = []
    for wanted in _remembered(request):
        try:
            called = setup_of(request, wanted).called
        except AffrayError:
            continue
        found.append(PriceHere(wanted.address, called, system_named(wanted.system).title))
    return found


def _remembered(request: Request) -> Iterator[Wanted]:
    for system, query in fields_of(request.cookies.get(COOKIE, "")).pairs:
        try:
            yield wanted_in(system_named(system).id, fields_of(query))
        except AffrayError:
            continue
