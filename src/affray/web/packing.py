"""A setup packed into a link, so that the link needs nothing of the server that made it.

`1.TEXT`: the version, and JSON deflated and written in the alphabet of addresses (RFC 4648).
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import cast

from affray.app.inputs.intake import InputError, Raw, table_checked

__all__ = ["MOST_PACKED", "packed", "system_in", "unpacked"]

MOST_PACKED = 8_000
"""Characters of a link; a larger setup is saved, and the link names it."""
MOST_BYTES = 400_000
"""Bytes that a link may come to."""
VERSION = "1"


def packed(system: str, table: Raw) -> str:
    """A setup as a text for a link.

    >>> text = packed("emlia", {"attacker": "knights"})
    >>> unpacked(text, "emlia")
    {'attacker': 'knights'}
    """
    whole = json.dumps([system, table], ensure_ascii=False, separators=(",", ":")).encode()
    return f"{VERSION}.{urlsafe_b64encode(zlib.compress(whole, 9)).decode().rstrip('=')}"


def system_in(text: str) -> str:
    """The system that a packed setup is for.

    Raises:
        InputError: it can't be read.
    """
    return _read(text)[0]


def unpacked(text: str, system: str) -> Raw:
    """A setup from a link.

    Raises:
        InputError: it can't be read, or is for another system.
    """
    found, table = _read(text)
    if found != system:
        raise InputError(f"this link is for {found}")
    return table


def _read(text: str) -> tuple[str, Raw]:
    version, _, rest = text.strip().lstrip("#").partition(".")
    if version != VERSION:
        raise InputError(f"this link is of version {version[:20]!r}; this server reads {VERSION}")
    try:
        raw = urlsafe_b64decode(rest + "=" * (-len(rest) % 4))
        opened = zlib.decompressobj()
        whole = opened.decompress(raw, MOST_BYTES)
        if opened.unconsumed_tail:
            raise InputError(f"this link holds more than {MOST_BYTES:,} bytes")
        system, table = cast("tuple[object, object]", json.loads(whole))
    except (ValueError, zlib.error, TypeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("this link is cut off or damaged; copy all of it") from None
    if not isinstance(system, str):
        raise InputError("this link names no system")
    return system, table_checked(table, "link")
