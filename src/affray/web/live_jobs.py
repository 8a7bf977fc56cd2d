"""What is new of a job, as parts of its page."""

from __future__ import annotations

import json

from starlette.requests import HTTPConnection

from affray.api.state import service_of
from affray.api.topics import News
from affray.store.jobs import FINISHED
from affray.web.job_parts import job_page
from affray.web.rendering import parts_of

__all__ = ["job_news"]


def job_news(connection: HTTPConnection, name: str, _key: str, _since: int | None) -> News:
    """How far a job is, and at the end what came of it; its id is enough."""
    kept = service_of(connection).store.jobs.job(name)
    page = job_page(kept, origin=str(connection.base_url).replace("ws", "http", 1).rstrip("/"))
    wanted = ("progress", "result") if page.is_over or page.result else ("progress",)
    told: dict[str, object] = {"parts": parts_of("job.html", wanted, {"page": page})}
    if page.is_over:
        told["say"] = f"{page.state}: {page.title}"
    return News(kept.changed, kept.changed, json.dumps(told), is_last=kept.state in FINISHED)
