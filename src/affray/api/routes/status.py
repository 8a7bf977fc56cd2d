"""Whether the server lives and works, and how it does in numbers."""

from __future__ import annotations

from time import monotonic

from fastapi import APIRouter, Request, Response

from affray.api.answers import answered, tells
from affray.api.problems import RETRY_S, told_of
from affray.api.state import service_of
from affray.app.views.service import HealthView, MetricsView
from affray.core.errors import StoreError

__all__ = ["router"]

router = APIRouter(tags=["status"])


@router.get("/health", operation_id="showHealth", responses=tells(HealthView))
async def health() -> Response:
    """Tell whether the server lives."""
    return answered(HealthView("alive", "", ""))


READY = tells(HealthView) | tells(HealthView, status=503)


@router.get("/ready", operation_id="showReadiness", responses=READY)
def ready(request: Request) -> Response:
    """Tell whether the server can work: its database answers, and a worker is there."""
    service = service_of(request)
    try:
        service.store.changes.last()
        store = "ready"
    except StoreError as error:
        store = told_of(error)
    alive = sum(slot.is_alive for slot in service.workers.slots)
    workers = "ready" if alive else "starting"
    is_ready = store == workers == "ready"
    view = HealthView("ready" if is_ready else "not ready", store, workers)
    if is_ready:
        return answered(view)
    return answered(view, 503, retry_after=str(RETRY_S))


@router.get("/metrics", operation_id="showMetrics", responses=tells(MetricsView))
async def metrics(request: Request) -> Response:
    """Show the server in numbers, since it started."""
    service = service_of(request)
    seen = service.workers.metrics()
    return answered(
        MetricsView(
            seconds=round(monotonic() - service.began, 1),
            requests=service.times.by_status,
            p95_ms=service.times.p95_ms,
            games=service.games.n_loaded,
            watching=len(service.bells),
            workers=seen,
        )
    )
