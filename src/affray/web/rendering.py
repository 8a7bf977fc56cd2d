"""Pages from templates, whole or in parts.

Every template is a page; its blocks are the parts that change without a reload. A block that is a
part has one element, and the element has the name of the block as its id. A request with the header
`X-Parts` names the parts that it wants, with spaces between, and gets them as JSON; without it the
same route answers with the whole page, so everything works without JavaScript.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from unicodedata import category

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from affray.core.drawing import prefixed
from affray.core.telling import escaped

__all__ = ["STATIC", "block_names", "environment", "parts_of", "shown", "wanted_parts", "went_to"]

STATIC = Path(__file__).parent / "static"
Context = Mapping[str, object]


@cache
def environment() -> Environment:
    """The templates; what a template names must be there, and every text is escaped."""
    made = Environment(
        loader=PackageLoader("affray.web"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False, finalize=_harmless,
    )  # fmt: skip
    made.globals["static"] = static
    made.globals["drawn"] = drawn
    made.globals["ui"] = made.get_template("ui.html").module
    made.globals["charts"] = made.get_template("charts.html").module
    return made


def _harmless(value: object) -> object:
    """A value as it is put into a page: marks that turn or hide text are shown instead."""
    if isinstance(value, str) and not isinstance(value, Markup) and not value.isprintable():
        return "".join(
            sign if sign == "\t" or category(sign) == "Zs" else escaped(sign) for sign in value
        )
    return value


@cache
def static(name: str) -> str:
    """The address of a file of ours, with its content's digest: it may be kept for ever."""
    digest = sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?{digest}"


def drawn(svg: str, prefix: str) -> Markup:
    """A drawing of affray's own, for a page that may have several."""
    return Markup(prefixed(svg, prefix))  # made by core.drawing, every text escaped


def shown(request: Request, name: str, status: int = 200, /, **context: object) -> Response:
    """A page, or the parts of it that are wanted.

    Args:
        request: of whom.
        name: of the template.
        status: of the answer.
        context: what the template names; with `address` also where these parts would stand.
    """
    wanted = wanted_parts(request)
    if not wanted:
        text = environment().get_template(name).render({**_common(request), **context})
        return HTMLResponse(text, status)
    found = parts_of(name, wanted, {**_common(request), **context})
    address = context.get("address") or _address(request)
    answer = {"parts": found, "address": address}
    if "revision" in context:
        answer["revision"] = context["revision"]
    return JSONResponse(answer, status)


def refused(request: Request, status: int, told: str) -> Response:
    """What was refused and why: a page, or words for the page that asked for parts."""
    if wanted_parts(request):
        return JSONResponse({"parts": {}, "refused": told}, status)
    return shown(request, "problem.html", status, status=status, told=told)


def parts_of(name: str, wanted: Iterable[str], context: Context) -> dict[str, str]:
    """Parts of a page by their names, each once; those that it doesn't have are left out."""
    template = environment().get_template(name)
    made = template.new_context(dict(context))
    return {
        part: "".join(template.blocks[part](made)).strip()
        for part in dict.fromkeys(wanted)
        if part in block_names(name)
    }


@cache
def block_names(name: str) -> tuple[str, ...]:
    """The parts of a page: its own blocks, without those that every page has."""
    every = environment().get_template("base.html").blocks
    return tuple(block for block in environment().get_template(name).blocks if block not in every)


def wanted_parts(request: Request) -> tuple[str, ...]:
    """The parts that a request wants; none: the whole page."""
    return tuple(request.headers.get("x-parts", "").split())


def went_to(request: Request, address: str) -> Response:
    """The way on to another page, after a form was sent."""
    if wanted_parts(request):
        return JSONResponse({"go": address})
    return RedirectResponse(address, 303)


def _common(request: Request) -> dict[str, Any]:
    return {"path": request.url.path, "watch": "", "revision": ""}


def _address(request: Request) -> str:
    query = request.url.query
    return request.url.path + (f"?{query}" if query else "")
