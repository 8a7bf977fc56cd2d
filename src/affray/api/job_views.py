"""Jobs of the store as views."""

from __future__ import annotations

from typing import cast

from affray.api.problems import as_problem
from affray.api.work.errors import again
from affray.app.inputs.intake import Raw
from affray.app.kept_tables import when
from affray.app.views.service import JobRow, JobView, ProgressRow
from affray.store.jobs import Job

__all__ = ["job_row", "job_view"]


def job_view(job: Job) -> JobView:
    """A job of the store as a view."""
    found = job.result or {}
    view, error = found.get("view"), found.get("error")
    return JobView(
        job=job_row(job),
        asked=cast("Raw", job.question["arguments"]),
        result=cast("Raw | None", view),
        so_far=None if view is not None else cast("Raw | None", job.progress.get("so_far")),
        problem=None if error is None else as_problem(again(cast("Raw", error))),
    )


def job_row(job: Job) -> JobRow:
    """A job as lists show it."""
    arguments = cast("Raw", job.question["arguments"])
    row = {key: value for key, value in job.progress.items() if key != "so_far"}
    progress = ProgressRow(**row) if row else None  # type: ignore[arg-type]  # as `told` writes it
    return JobRow(
        job.id, job.kind, str(arguments.get("system", "")), job.state, when(job.made),
        when(job.begun), when(job.ended), progress,
    )  # fmt: skip
