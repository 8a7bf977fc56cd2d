"""How values stand in a row: times, ids, texts and JSON tables."""

from __future__ import annotations

import json
import secrets
import time
from typing import cast

from affray.core.errors import StoreError

__all__ = ["Raw", "as_json", "as_text", "from_json", "new_id", "now_us"]

Raw = dict[str, object]
"""A JSON table."""

BYTES_OF_ID = 16


def now_us() -> int:
    """The time: microseconds since 1970, UTC."""
    return time.time_ns() // 1000


def new_id() -> str:
    """A new id or token: 128 random bits as 22 characters that need no escape in a URL."""
    return secrets.token_urlsafe(BYTES_OF_ID)


def as_json(value: object) -> str:
    r"""The canonical JSON of a value: keys sorted, no spaces, ASCII only.

    Raises:
        StoreError: JSON has no such value.

    >>> as_json({"b": "é", "a": [1, 2.5, None]})
    '{"a":[1,2.5,null],"b":"\\u00e9"}'
    """
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"this can't be kept as JSON: {error}") from None


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def from_json(text: str) -> Raw:
    """The table that `as_json` wrote."""
    return cast("Raw", json.loads(text))


def as_text(text: str) -> str:
    """A text that every database takes: without NUL and without halves of characters."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
