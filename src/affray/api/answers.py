"""Views as answers of the API: the same JSON as `--json`, and how OpenAPI tells of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Request, Response

from affray.api.problems import PROBLEM
from affray.app.inputs.checking import adapter
from affray.app.inputs.intake import InputError, Raw, table_of
from affray.app.views.envelope import View, to_json

__all__ = ["STREAM", "Given", "answered", "sheet_body", "takes", "tells", "unless_known"]

SCHEMAS = "#/components/schemas/"


def answered(view: View | Mapping[str, object], status: int = 200, **headers: str) -> Response:
    """The answer with a view.

    Args:
        view: a view, or its JSON in the envelope.
        status: of the answer.
        headers: more headers, with underscores for hyphens.
    """
    body = to_json(view) if isinstance(view, View) else view
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(text, status, more, "application/json")


def unless_known(request: Request, answer: Response) -> Response:
    """A pure answer with the ETag of its content; 304 for a client that has it already."""
    etag = f'"{sha256(bytes(answer.body)).hexdigest()[:32]}"'
    known = [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]
    headers = {"etag": etag, "cache-control": "no-cache"}
    if etag in known or f"W/{etag}" in known:
        return Response(status_code=304, headers=headers)
    answer.headers.update(headers)
    return answer


def tells(*views: type[View], status: int = 200, errors: str = "") -> Any:
    """The `responses` of a route that answers with one of these views.

    Args:
        views: what it may answer with.
        status: of the answer.
        errors: the statuses of its errors, with spaces between.
    """
    made: dict[int | str, dict[str, object]] = {}
    if views:
        names = [{"$ref": SCHEMAS + view.__name__} for view in views]
        made[status] = {
            "description": (views[0].__doc__ or "").partition("\n")[0],
            "content": {
                "application/json": {"schema": names[0] if len(names) == 1 else {"oneOf": names}}
            },
        }
    for code in ("422", *errors.split()):
        made[int(code)] = {
            "description": ERRORS[int(code)],
            "content": {PROBLEM: {"schema": {"$ref": SCHEMAS + "Problem"}}},
        }
    return made


ERRORS = {
    401: "No key, or one that is not known here.",
    403: "The role that the key gives may not do this.",
    404: "No such thing; the nearest name is told.",
    409: "The game has moved on, and `question` is what it asks now; or the first request with "
    "this Idempotency-Key is still at work.",
    413: "The body is too large.",
    422: "The schema or the rules refuse it; `errors` has every fault.",
    429: "Too much at once; Retry-After tells when to come again.",
    503: "A worker or the database is gone for now; come again.",
}


EVENTS = {"text/event-stream": {"schema": {"type": "string"}}}
STREAM: Any = {
    200: {"description": "Events, each with a view.", "content": EVENTS},
    **tells(errors="401 403 404"),
}
"""The `responses` of an event stream."""


async def read_body(request: Request) -> Raw:
    """The body of a request as a table; an empty one is an empty table.

    Raises:
        InputError: it is no JSON, or beyond a limit.
    """
    body = await request.body()
    if body.strip() and not body.lstrip().startswith(b"{"):
        raise InputError("body: must be a table of JSON, in braces")
    return table_of(body, "body") if body.strip() else {}


Given = Annotated[Raw, Depends(read_body)]
"""The body of a request."""


def takes(schema: Mapping[str, object], example: Mapping[str, object]) -> dict[str, Any]:
    """The `openapi_extra` of a route whose body has this schema."""
    content = {"application/json": {"schema": schema, "example": example}}
    return {"requestBody": {"required": True, "content": content}}


def sheet_body(
    kind: type, *, without: frozenset[str] = frozenset(), more: Mapping[str, object] = {}
) -> dict[str, object]:
    """The schema of a body that a sheet describes.

    Args:
        kind: the sheet.
        without: fields that stand elsewhere, such as in the path.
        more: keys beside those of the sheet, each with its schema.
    """
    made = adapter(kind).json_schema()
    properties = {key: value for key, value in made["properties"].items() if key not in without}
    required = [key for key in made.get("required", []) if key not in without]
    return {
        "type": "object",
        "properties": properties | dict(more),
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }
