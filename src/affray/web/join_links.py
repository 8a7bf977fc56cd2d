"""Links by which people join a table: as an address, and as a QR code for phones."""

from __future__ import annotations

import segno
from fastapi import Request
from markupsafe import Markup

from affray.app.roles import Role
from affray.app.views.service import LinkRow
from affray.core.lazy import NamedTuple

__all__ = ["JoinLink", "join_link", "pasted_key"]

OWN = frozenset({"127.0.0.1", "localhost", "::1"})


class JoinLink(NamedTuple):
    """A link that was just made.

    Attributes:
        address: with the key in its fragment, which browsers send to nobody.
        qr: the same as a drawing. role: what it gives, in words. name: what the master calls it.
        is_near: whether it works on this computer only.
    """

    address: str
    qr: Markup
    role: str
    name: str
    is_near: bool


def join_link(request: Request, made: LinkRow) -> JoinLink:
    """A link that was just made, for its master to send on."""
    address = f"{request.url.scheme}://{request.url.netloc}/join#{made.key}"
    drawn = segno.make(address, error="m").svg_inline(
        omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None
    )
    return JoinLink(
        address, Markup(drawn),  # squares only; no text of anybody stands in it
        Role(*made.role).told,  # type: ignore[arg-type]  # the same fields
        made.name, request.url.hostname in OWN,
    )  # fmt: skip


def pasted_key(text: str) -> str:
    """The key in what somebody pasted: a whole link, or the key alone.

    >>> pasted_key(" http://localhost/join#abc "), pasted_key("abc")
    ('abc', 'abc')
    """
    return text.strip().rpartition("#")[2]
