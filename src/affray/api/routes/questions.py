"""Questions about setups and fights, answered by workers: the use cases of the command line.

Short ones are answered at once. Long ones, and any for which a client prefers `respond-async`
(RFC 7240), become jobs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from affray.api.answers import Given, answered, sheet_body, takes, tells, unless_known
from affray.api.guards import client_of
from affray.api.problems import Problem, faults_in
from affray.api.routes.jobs import begin_job
from affray.api.state import service_of
from affray.api.work.questions import QUESTIONS
from affray.app.given import Given as Table
from affray.app.inputs.intake import InputError, Raw
from affray.app.registry import system_named
from affray.app.views import (
    advice,
    books,
    estimated_duels,
    estimates,
    exchanges,
    fights,
    sweeps,
)
from affray.app.views.envelope import View
from affray.app.views.service import JobView
from affray.engine.budget import Budget

__all__ = ["ask_worker", "asked", "router"]

router = APIRouter(tags=["questions"])

VIEWS: Mapping[str, tuple[type[View], ...]] = {
    "odds": (exchanges.OddsView, estimates.EstimatedOddsView),
    "best": (exchanges.BestView, advice.EstimatedBestView, advice.AdviceView),
    "rulings": (books.RulingsView,),
    "sweep": (sweeps.SweepView,),
    "compare": (fights.CompareView,),
    "duel": (fights.DuelView, estimated_duels.EstimatedDuelView),
    "battle": (fights.BattleView,),
    "matrix": (fights.MatrixView,),
}
"""The views that answer each question."""
COUNTED = ("places", "pairs", "battles", "bytes")
MOST, MOST_PAGE = 10**12, 64


async def asked(request: Request, question: str, body: Raw) -> Response:
    """The answer of a worker; a closed connection stops the work.

    Args:
        request: from whom.
        question: a name in `QUESTIONS`.
        body: its arguments, with `limits` and `page` beside them.
    """
    return unless_known(request, answered(await ask_worker(request, question, body)))


async def ask_worker(request: Request, question: str, body: Raw) -> Mapping[str, object]:
    """A worker's view in its envelope; the arguments are those of `asked`."""
    service = service_of(request)
    arguments = dict(body)
    budget, page = budget_in(request, arguments), _page_in(arguments)
    most_s = service.settings.limits.seconds
    budget = budget._replace(seconds=budget.seconds or min(most_s, QUESTIONS[question].usual_s))
    asking = asyncio.create_task(
        service.workers.ask(
            question, arguments, client=client_of(request.scope), page=page, budget=budget
        )
    )
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait({asking, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            raise Problem("gone", "the connection was closed, so the work was stopped")
        with faults_in(arguments):
            return asking.result()
    finally:
        asking.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    """Wait until the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def budget_in(request: Request, arguments: Raw, most_s: float | None = None) -> Budget:
    """The budget that a body asks for, within the server's; `limits` is taken out of the body.

    Raises:
        InputError: a limit that is none.
    """
    most = service_of(request).settings.limits
    given = Table({"limits": {}, **arguments}, "body").below("limits")
    arguments.pop("limits", None)
    seconds = given.amount("seconds")
    found = {name: given.number(name, least=1, most=MOST) for name in COUNTED if given.has(name)}
    given.check_all_read()
    return Budget(
        seconds=None if seconds is None else min(seconds, most_s or most.seconds),
        places=min(found.get("places", most.places), most.places),
        bytes=min(found.get("bytes", most.bytes), most.bytes),
        pairs=found.get("pairs"), battles=found.get("battles"),
    )  # fmt: skip


def _page_in(arguments: Raw) -> str:
    """The page that asks; it is taken out of the body."""
    page = Table(arguments, "body").text("page", "")
    arguments.pop("page", None)
    if len(page) > MOST_PAGE:
        raise InputError(f"page: {len(page)} characters; allowed: {MOST_PAGE}")
    return page


def wants_job(request: Request, question: str) -> bool:
    """Whether a question becomes a job."""
    prefers = request.headers.get("prefer", "")
    return "respond-async" in prefers or not QUESTIONS[question].is_light


LIMITS_SCHEMA = {
    "type": "object",
    "description": "How much it may take; the server has limits of its own.",
    "properties": {
        "seconds": {"type": "number", "exclusiveMinimum": 0},
        **{name: {"type": "integer", "minimum": 1} for name in COUNTED},
    },
    "additionalProperties": False,
}
MORE = {
    "limits": LIMITS_SCHEMA,
    "page": {
        "type": "string",
        "maxLength": MOST_PAGE,
        "description": "A newer question of the same page stops this one.",
    },
}
EXAMPLES: Mapping[str, tuple[str, Raw]] = {
    "odds": ("What are the exact odds?", {"setup": "jinx-shoots", "of": ["net"]}),
    "best": ("Which option is best at each choice?", {"setup": "jinx-shoots", "objective": "hit"}),
    "rulings": ("What would each reading of an open question change?", {"setup": "jinx-shoots"}),
    "sweep": (
        "How do the odds change with one number?",
        {"setup": "jinx-shoots", "path": "attacker.guns", "values": [40, 50, 60], "of": "net"},
    ),
    "compare": ("Which of two fights goes better?", {"fights": [["ada", "husk"], ["bo", "husk"]]}),
    "duel": ("Who wins a duel?", {"fight": ["jinx", "exhuman"]}),
    "battle": ("Who wins a battle?", {"fight": ["ada,bo", "3xhusk"], "n": 1000, "seed": 1}),
    "matrix": ("Who of a roster beats whom?", {"n": 100, "seed": 1}),
}


async def _begun(request: Request, question: str, arguments: Raw) -> Response:
    budget = budget_in(request, arguments, service_of(request).settings.limits.job_seconds)
    _page_in(arguments)
    return await begin_job(request, question, arguments, budget.seconds)


def _route(question: str) -> Callable[..., Coroutine[Any, Any, Response]]:
    async def endpoint(request: Request, system: str, body: Given) -> Response:
        arguments = {**body, "system": system_named(system).id}
        if "system" in body:
            raise InputError("system: stands in the path; leave it out")
        if wants_job(request, question):
            with faults_in(arguments):
                return await _begun(request, question, arguments)
        return await asked(request, question, arguments)

    return endpoint


for _name, _views in VIEWS.items():
    _summary, _example = EXAMPLES[_name]
    router.add_api_route(
        f"/systems/{{system}}/{_name}",
        _route(_name),
        methods=["POST"],
        operation_id=f"ask{_name.capitalize()}",
        summary=_summary,
        responses={
            **tells(JobView, status=202, errors="404 413"),
            **({} if not QUESTIONS[_name].is_light else tells(*_views)),
        },
        openapi_extra=takes(
            sheet_body(QUESTIONS[_name], without=frozenset({"system"}), more=MORE), _example
        ),
    )
