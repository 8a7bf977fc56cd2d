"""Jobs: long questions, how far they are, and their results.

Whoever knows the id of a job may look at it and end it; only who may make games lists them all.
"""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from affray.api import live
from affray.api.access import check_owner
from affray.api.answers import STREAM, answered, tells
from affray.api.job_views import job_row, job_view
from affray.api.state import service_of
from affray.app.inputs.intake import Raw
from affray.app.views.service import JobsView, JobView
from affray.store.jobs import Job

__all__ = ["begin_job", "router"]

router = APIRouter(tags=["jobs"])

PAGE = 50
Id = Annotated[str, Path(min_length=1, max_length=64, description="Id of the job.")]
Cursor = Annotated[int | None, Query(ge=1, le=2**53, description="`next` of the page before.")]
CLIENT = "api"
"""All jobs of a server are in one list."""


async def begin_job(
    request: Request, question: str, arguments: Raw, seconds: float | None
) -> Response:
    """The answer with a job that was just begun."""
    service = service_of(request)
    job = await service.jobs.start(question, arguments, client=CLIENT, seconds=seconds)
    return answered(job_view(cast("Job", job)), 202, location=f"/api/v1/jobs/{job.id}")


@router.get("/jobs", operation_id="listJobs", responses=tells(JobsView, errors="401"))
def jobs(request: Request, after: Cursor = None) -> Response:
    """List jobs, the one that changed last first."""
    check_owner(request)
    found = service_of(request).store.jobs.listed(CLIENT, before=after, most=PAGE + 1)
    rows, more = found[:PAGE], found[PAGE:]
    return answered(JobsView(tuple(map(job_row, rows)), str(rows[-1].changed) if more else ""))


@router.get("/jobs/{job}", operation_id="showJob", responses=tells(JobView, errors="404"))
def show(request: Request, job: Id) -> Response:
    """Show how far a job is, and its result when it is done."""
    return answered(job_view(service_of(request).store.jobs.job(job)))


@router.get(
    "/jobs/{job}/events",
    operation_id="watchJob",
    response_class=StreamingResponse,
    responses=STREAM,
)
async def events(request: Request, job: Id) -> StreamingResponse:
    """Watch a job as server-sent events until it has ended."""
    return await live.stream(request, f"job:{job}")


@router.post("/jobs/{job}/cancel", operation_id="cancelJob", responses=tells(JobView, errors="404"))
async def cancel(request: Request, job: Id) -> Response:
    """End a job; one that has ended stays as it is."""
    service = service_of(request)
    await service.jobs.cancel(job)
    return answered(job_view(cast("Job", await service.jobs.ended(job))))


@router.post(
    "/jobs/{job}/restart",
    operation_id="restartJob",
    responses=tells(JobView, status=202, errors="404"),
)
async def restart(request: Request, job: Id) -> Response:
    """Start a job anew from the question of one that has ended."""
    made = await service_of(request).jobs.restart(job)
    return answered(job_view(cast("Job", made)), 202, location=f"/api/v1/jobs/{made.id}")
