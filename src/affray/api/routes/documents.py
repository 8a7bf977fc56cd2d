"""Setups, sheets and rosters of one's own, kept for everybody on this server."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from affray.api.access import check_owner
from affray.api.answers import Given, answered, takes, tells
from affray.api.state import service_of
from affray.app.given import Given as Table
from affray.app.kept_tables import when
from affray.app.registry import system_named
from affray.app.views import service as views
from affray.app.views.service import DocumentsView, DocumentView
from affray.core.errors import UnknownNameError
from affray.store.documents import DocumentRow

__all__ = ["router"]

router = APIRouter(tags=["documents"])

PAGE = 50
Id = Annotated[str, Path(min_length=1, max_length=64, description="Id of the document.")]
Cursor = Annotated[int | None, Query(ge=1, le=2**53, description="`next` of the page before.")]
BODY = takes(
    {
        "type": "object",
        "properties": {
            "system": {"type": "string"},
            "name": {"type": "string", "minLength": 1, "maxLength": 200},
            "table": {"type": "object"},
        },
        "required": ["system", "name", "table"],
        "additionalProperties": False,
    },
    {"system": "eclipse-phase", "name": "my ambush", "table": {"attacker": "jinx"}},
)


def _routes(kind: str) -> None:
    """Make the routes for one kind of documents."""
    path, called = f"/{kind}s", kind.capitalize()

    @router.get(
        path, operation_id=f"listOwn{called}s", responses=tells(DocumentsView, errors="401")
    )
    def documents(request: Request, system: str = "", after: Cursor = None) -> Response:
        """List what is kept, the newest first."""
        check_owner(request)
        found = service_of(request).store.documents.listed(
            kind, system=system, before=after, most=PAGE + 1
        )
        rows, more = found[:PAGE], found[PAGE:]
        cursor = str(rows[-1].changed) if more else ""
        return answered(DocumentsView(tuple(map(_row, rows)), cursor))

    @router.post(
        path,
        operation_id=f"keepOwn{called}",
        responses=tells(DocumentView, status=201, errors="401 404 413"),
        openapi_extra=BODY,
    )
    def keep(request: Request, body: Given) -> Response:
        """Keep a table under a name; the same one under the same name is kept once."""
        check_owner(request)
        given = Table(body, kind)
        system, name = system_named(given.text("system")).id, given.text("name")
        table = given.table("table")
        given.check_all_read()
        if not name.strip() or len(name) > 200:
            given.refuse("name", "must have 1 to 200 characters")
        made = service_of(request).store.documents.keep(kind, system, name, table)
        return answered(_shown(request, kind, made), 201, location=f"/api/v1{path}/{made}")

    @router.get(
        f"{path}/{{document}}",
        operation_id=f"showOwn{called}",
        responses=tells(DocumentView, errors="401 404"),
    )
    def show(request: Request, document: Id) -> Response:
        """Show one with its table."""
        check_owner(request)
        return answered(_shown(request, kind, document))

    @router.delete(
        f"{path}/{{document}}",
        operation_id=f"forgetOwn{called}",
        status_code=204,
        responses=tells(errors="401 404"),
    )
    def forget(request: Request, document: Id) -> Response:
        """Forget one."""
        check_owner(request)
        _shown(request, kind, document)
        service_of(request).store.documents.forget(document)
        return Response(status_code=204)


for _kind in ("setup", "sheet", "roster"):
    _routes(_kind)


def _shown(request: Request, kind: str, document: str) -> DocumentView:
    found = service_of(request).store.documents.document(document)
    if found.row.kind != kind:
        raise UnknownNameError(f"there is no {kind} of this id; it is a {found.row.kind}")
    return DocumentView(*_row(found.row), table=found.content)


def _row(row: DocumentRow) -> views.DocumentRow:
    return views.DocumentRow(row.id, row.kind, row.system, row.name, when(row.made))
