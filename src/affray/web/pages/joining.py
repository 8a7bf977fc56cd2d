"""Joining a table by a link: a name, and no account.

The key of a link stands in the fragment of its address, which browsers send to nobody; the page
puts it into the form. Without JavaScript the link is pasted there.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from affray.api.access import key_of
from affray.api.problems import status_of, told_of
from affray.api.state import service_of
from affray.app.roles import role_from
from affray.core.errors import AffrayError
from affray.store.errors import NotKeptError
from affray.store.tabletops import Link
from affray.web.cookies import keep_key
from affray.web.forms import Form
from affray.web.join_links import pasted_key
from affray.web.rendering import shown, went_to

__all__ = ["router"]

router = APIRouter()

NO_LONGER = (
    "This link doesn't work any more, or it was not copied whole. "
    "Ask your game master for a new one."
)


@router.get("/join")
def door(request: Request) -> Response:
    """The form: a name, and the link if it doesn't come with the address."""
    return shown(request, "join.html", fault="", name="")


@router.post("/join")
def join(request: Request, said: Form) -> Response:
    """Join, and go to the game on the table, or to the table."""
    service, name = service_of(request), said.text("name")
    key = pasted_key(said.text("key"))
    try:
        link = service.store.tabletops.link_of(key)
        here = None if link.tabletop is None else _known(request, link.tabletop)
        if here is not None and _is_same(here, link, name):
            return went_to(request, _place(request, str(link.tabletop)))
        if here is not None and _is_master(here) and not _is_master(link):
            told = (
                "This browser is the game master's at this table. To try the link, open it in "
                "a private window or another browser."
            )
            return shown(request, "join.html", 409, fault=told, name=name)
        table, own = service.tables.join(key, name)
    except NotKeptError:
        return shown(request, "join.html", 404, fault=NO_LONGER, name=name)
    except AffrayError as error:
        return shown(request, "join.html", status_of(error), fault=told_of(error), name=name)
    service.bells.ring(f"table:{table}")
    return keep_key(request, went_to(request, _place(request, table)), table, own)


def _known(request: Request, table: str) -> Link | None:
    """The link by which this browser sits at a table already; None: it doesn't."""
    key = key_of(request, table)
    try:
        return service_of(request).store.tabletops.link_of(key) if key else None
    except NotKeptError:
        return None


def _is_same(here: Link, link: Link, name: str) -> bool:
    """Whether somebody comes again by the same link, under the same name."""
    return here.parent == link.id and here.name == name


def _is_master(link: Link) -> bool:
    return role_from(link.role).kind == "master"


def _place(request: Request, table: str) -> str:
    """The page of the game on a table; of the table, if there is none."""
    service = service_of(request)
    game = service.store.tabletops.tabletop(table).game
    return f"/tables/{table}" if game is None else f"/{service.games.kept(game).kind}s/{game}"
