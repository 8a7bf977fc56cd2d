"""Errors as problem+json (RFC 9457): a code, and where which value must be otherwise.

Every error of affray becomes one status. Nothing of the program's inside gets out: no trace, no
path, no token.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from affray.app.views.envelope import plain
from affray.core.errors import (
    AffrayError,
    Fault,
    LimitError,
    RulesError,
    StoreError,
    UnknownNameError,
)

__all__ = [
    "PROBLEM",
    "RETRY_S",
    "Problem",
    "as_problem",
    "catch_errors",
    "problem",
    "refusal",
    "status_of",
    "told_of",
]

PROBLEM = "application/problem+json"
"""The media type of every error."""

STATUS: Mapping[str, int] = {
    "forbidden": 403,
    "gone": 410,
    "moved-on": 409,
    "no-key": 401,
    "conflict": 409,
    "not-found": 404,
    "queue-full": 429,
    "too-large": 413,
    "too-many": 429,
    "not-kept": 404,
    "unavailable": 503,
    "worker-lost": 503,
    "internal": 500,
}
"""The status of errors that have a code of their own; all others go by their class."""


class Problem(AffrayError):  # noqa: N818  # what RFC 9457 calls it
    """A refusal of the service itself.

    Attributes:
        code: what it is, one of `STATUS`.
        headers: to be sent along, such as Retry-After.
        more: what a client may need to go on.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code  # type: ignore[misc]  # each problem has its own
        self.headers = dict(headers or {})
        self.more = dict(more or {})


def status_of(error: AffrayError) -> int:
    """The HTTP status of an error."""
    if error.code in STATUS:
        return STATUS[error.code]
    if isinstance(error, UnknownNameError):
        return 404
    if isinstance(error, RulesError):
        return 500
    if isinstance(error, StoreError) and not isinstance(error, ValueError):
        return 503
    return 422


@contextmanager
def faults_in(body: Mapping[str, object]) -> Iterator[None]:
    """Let faults point into the body of a request, whose parts use cases call otherwise."""
    try:
        yield
    except AffrayError as error:
        found = {key for key in ("setup", "fight", "game") if key in body}
        places = {"table": f"/{found.pop()}"} if len(found) == 1 else {}
        error.places = places  # type: ignore[attr-defined]  # read below
        raise


def _placed(fault: Fault, places: Mapping[str, str]) -> Fault:
    """A fault with its place in the body."""
    kind, _, number = fault.origin.partition(" ")
    if kind == "roster" and number.isdigit():
        return fault._replace(where=f"/roster/{int(number) - 1}{fault.where}", origin="")
    if kind == "fight" and number.isdigit():
        return fault._replace(where=f"/fights/{int(number) - 1}{fault.where}", origin="")
    return fault._replace(where=places.get(fault.origin, "") + fault.where, origin="")


def as_problem(error: AffrayError) -> dict[str, object]:
    """An error as the body of a problem."""
    more: dict[str, object] = {}
    if isinstance(error, LimitError):
        more = {"limit": error.limit, "settled": plain(error.done), "p_ended": error.p_ended}
    more |= {key: plain(value) for key, value in getattr(error, "more", {}).items()}
    places = getattr(error, "places", {})
    faults = [_placed(fault, places) for fault in error.faults]
    status, detail = status_of(error), told_of(error)
    if status >= 500:
        faults = [Fault("", detail, code=error.code)]
    return body_of(status, error.code, detail, faults, more)


def told_of(error: AffrayError) -> str:
    """What clients are told of an error: not where a store or a file of the server is.

    That, and why a store fails, stands in the log.
    """
    if status_of(error) < 500:
        return str(error)
    if not isinstance(error, StoreError):
        return without_folders(str(error))
    LOG.warning("%s", error)
    return getattr(error, "words", NO_STORE)


NO_STORE = "the store can't be used now; the server's log says why"
LOG = logging.getLogger("affray")

FOLDERS = re.compile(r"(?:\b[A-Za-z]:|(?<![\w)]))(?:[\\/][^\s\\/:'\"]+)*[\\/](?=[^\s\\/:'\"]+)")


def without_folders(text: str) -> str:
    r"""The text with files by their names alone.

    >>> without_folders(r"can't open '/home/ann/affray.db': disk full; C:\a\b.db and/or 1/2")
    "can't open 'affray.db': disk full; b.db and/or 1/2"
    """
    return FOLDERS.sub("", text)


def body_of(
    status: int,
    code: str,
    detail: str,
    faults: Iterable[Fault] = (),
    more: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """The body of a problem.

    Args:
        status: of the answer.
        code: what is wrong, for programs.
        detail: what is wrong, for people.
        faults: each value that must be otherwise.
        more: what a client may need to go on.
    """
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "errors": [
            {name: plain(getattr(fault, name)) for name in Fault._fields if name != "origin"}
            for fault in faults
        ],
        **(more or {}),
    }


def problem(body: Mapping[str, object], headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer with the body of a problem."""
    status = body["status"]
    assert isinstance(status, int)
    return JSONResponse(body, status, headers=dict(headers or {}), media_type=PROBLEM)


def pointer(place: Sequence[object]) -> str:
    """A place as a JSON pointer (RFC 6901).

    >>> pointer(("setup", "a/b", 0))
    '/setup/a~1b/0'
    """
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in place)


def catch_errors(app: FastAPI) -> None:
    """Answer every error of an app with a problem."""
    app.add_exception_handler(AffrayError, _refused)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(HTTPException, _http)


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AffrayError)
    return refusal(error)


def refusal(error: AffrayError) -> JSONResponse:
    """The answer to a request that came to an error."""
    headers = dict(getattr(error, "headers", {}))
    wait = getattr(error, "retry_after", RETRY_S if status_of(error) in {429, 503} else None)
    if wait is not None:
        headers["retry-after"] = str(wait)
    return problem(as_problem(error), headers)


RETRY_S = 2
"""Seconds after which a client may come again when a worker or the database is gone, or when too
much of its own is open."""


async def _unfit(_request: Request, error: Exception) -> JSONResponse:
    """A body, a path or a query that doesn't fit: every fault at once."""
    assert isinstance(error, RequestValidationError)
    faults = []
    for found in error.errors():
        source, *place = found["loc"]
        where = pointer(place if source == "body" else (source, *place))
        given = found["input"] if isinstance(found["input"], (str, int, float, bool)) else None
        allowed = "" if "ctx" not in found else str(found["ctx"].get("expected", ""))
        faults.append(Fault(where, found["msg"], given, allowed, found["type"].replace("_", "-")))
    detail = "; ".join(f"{fault.where or 'the body'}: {fault.what}" for fault in faults)
    return problem(body_of(422, "input", detail, faults))


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, AffrayError):  # FastAPI hides what reading a body raised
        return await _refused(_request, error.__cause__)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "refused")
    return problem(body_of(error.status_code, code, str(error.detail)), error.headers)
