"""The page of a job: how far it is, what came of it; it can be stopped and started again."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.exceptions import HTTPException

from affray.api.state import service_of
from affray.app.views.csv_tables import to_csv
from affray.app.views.fights import MatrixView
from affray.app.views.heat_map import to_svg
from affray.web.charts.curves import Curve, curve_file
from affray.web.charts.heat_drawing import heat_file
from affray.web.charts.heat_maps import Heat
from affray.web.forms import Form, Said
from affray.web.job_parts import JobPage, job_page, result_view
from affray.web.rendering import shown, went_to

__all__ = ["router"]

router = APIRouter()


@router.get("/jobs/{job}")
def show(request: Request, job: str, said: Form) -> Response:
    """How far a job is, and what came of it."""
    page = _page(request, job, said)
    return shown(request, "job.html", page=page, watch="" if page.is_over else f"job:{job}")


@router.post("/jobs/{job}/stop")
async def stop(request: Request, job: str) -> Response:
    """End a job; one that has ended stays as it is."""
    service = service_of(request)
    await service.jobs.cancel(job)
    await service.jobs.ended(job)
    return went_to(request, f"/jobs/{job}")


@router.post("/jobs/{job}/again")
async def again(request: Request, job: str) -> Response:
    """Start a job anew from the question of one that has ended."""
    made = await service_of(request).jobs.restart(job)
    return went_to(request, f"/jobs/{made.id}")


@router.get("/jobs/{job}/table.csv")
def table(request: Request, job: str, said: Form) -> Response:
    """The result as a table."""
    page = _page(request, job, said)
    view = result_view(page.job) if page.result is not None else None
    if view is None:
        raise HTTPException(404)
    return PlainTextResponse(to_csv(view), media_type="text/csv", headers=_named("csv", job))


@router.get("/jobs/{job}/{chart}.svg")
def drawing(request: Request, job: str, chart: str, said: Form) -> Response:
    """A chart of the result as a drawing of its own."""
    page = _page(request, job, said)
    view = result_view(page.job) if page.result is not None else None
    if isinstance(view, MatrixView) and chart == "pairs":
        return Response(to_svg(view), media_type="image/svg+xml", headers=_named("svg", job))
    for block in () if page.result is None else page.result.blocks:
        if isinstance(block.chart, (Curve, Heat)) and block.chart.name == chart:
            kept = block.chart
            made = curve_file(kept) if isinstance(kept, Curve) else heat_file(kept)
            return Response(made, media_type="image/svg+xml", headers=_named("svg", job))
    raise HTTPException(404)


def _page(request: Request, job: str, said: Said) -> JobPage:
    least = said.text("least")
    kept = service_of(request).store.jobs.job(job)
    is_number = least.removeprefix("-").isdecimal() and len(least) < 12
    return job_page(kept, int(least) if is_number else None, str(request.base_url).rstrip("/"))


def _named(kind: str, job: str) -> dict[str, str]:
    return {"content-disposition": f'inline; filename="affray-{job[:8]}.{kind}"'}
