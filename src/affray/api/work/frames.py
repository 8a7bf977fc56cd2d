"""Messages between the server and its workers: JSON tables, each with its length before it."""

from __future__ import annotations

import json
from asyncio import IncompleteReadError, StreamReader
from typing import BinaryIO, cast

__all__ = ["Message", "packed", "read", "received"]

Message = dict[str, object]
LENGTH = 4
"""Bytes for the length of a message."""


def packed(message: Message) -> bytes:
    """A message as bytes.

    Raises:
        ValueError, TypeError: JSON can't say it.
    """
    text = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    return len(text).to_bytes(LENGTH, "big") + text


def read(file: BinaryIO) -> Message | None:
    """The next message from a pipe; None: whoever wrote is gone."""
    head = file.read(LENGTH)
    size = int.from_bytes(head, "big")
    text = file.read(size)
    if len(head) < LENGTH or len(text) < size:
        return None
    return cast("Message", json.loads(text))


async def received(reader: StreamReader) -> Message | None:
    """The next message from a worker; None: it is gone."""
    try:
        size = int.from_bytes(await reader.readexactly(LENGTH), "big")
        text = await reader.readexactly(size)
    except (IncompleteReadError, ConnectionError):
        return None
    return cast("Message", json.loads(text))
