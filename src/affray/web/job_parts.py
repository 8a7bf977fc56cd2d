"""A job on its page: how far it is and what came of it, in words and charts."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import NamedTuple, cast
from urllib.parse import urlencode

from affray.api.job_views import job_view
from affray.api.routes.questions import VIEWS
from affray.app.inputs.fight_sheets import SIDES
from affray.app.inputs.intake import Raw
from affray.app.views.decoded import view_from
from affray.app.views.envelope import View
from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.fights import BattleView, CompareView, DuelView, MatrixView
from affray.app.views.service import JobView, ProgressRow
from affray.app.views.sweeps import SweepView
from affray.store.jobs import FINISHED, Job
from affray.web.battle_results import battle_result, comparison_result, matrix_result
from affray.web.charts.curves import Curve
from affray.web.charts.heat_maps import Heat
from affray.web.duel_results import duel_result, estimated_result
from affray.web.number_fields import Exchange
from affray.web.results import Result
from affray.web.study_form import asked_title, names_of, number_and_name
from affray.web.sweep_results import event_of, least_of, sweep_result
from affray.web.varied import axis_told

__all__ = ["JobPage", "job_page", "result_view"]

STATES = {
    "queued": "Waiting for its turn", "running": "Working", "done": "Done",
    "failed": "It could not be answered", "cancelled": "Stopped",
    "interrupted": "The server ended before this was done",
}  # fmt: skip
STUDIES = frozenset({"duel", "battle", "compare", "matrix", "sweep"})


class Progress(NamedTuple):
    """How far a job is: a share from 0 to 100 (None: nobody knows), and the same in words."""

    share: float | None
    told: str


class JobPage(NamedTuple):
    """What the page of a job says.

    Attributes:
        state: in words. is_over: whether nothing more comes.
        title: the question, in words.
        progress: while it works.
        problem: what went wrong.
        result: what came of it.
        counted: of a what-if about a number: the least value that counts as the event, and what
            that is in words; None elsewhere.
        charts: the names of the curves that can be had as files.
        again: the address of the form with the same question.
        curl: the command lines that ask the same of the API.
    """

    job: JobView
    state: str
    is_over: bool
    title: str
    progress: Progress | None
    problem: str
    result: Result | None
    counted: tuple[int, str] | None
    charts: tuple[str, ...]
    again: str
    curl: tuple[str, ...]


def result_view(job: JobView) -> View | None:
    """What came of a job, or has been found so far, as a view; None: nothing yet."""
    if job.result is not None:
        return view_from(VIEWS[job.job.kind], job.result)
    if job.so_far is None:
        return None
    goes_on = job.job.state not in FINISHED
    part = {**job.so_far, "stopped_by": "going on" if goes_on else "interrupted"}
    return view_from(VIEWS[job.job.kind], part)


def job_page(kept: Job, least: int | None = None, origin: str = "") -> JobPage:
    """The page of a job.

    Args:
        kept: the job.
        least: of a what-if about a number, what counts as the event.
        origin: of the server, for command lines.
    """
    job = job_view(kept)
    row, asked = job.job, job.asked
    view, told = _view_or_why(job)
    result = None if view is None else _result(view, asked, least)
    counted = None
    if (
        row.state in FINISHED
        and isinstance(view, SweepView)
        and any(one.stats for one in view.values)
    ):
        bound = least_of(view) if least is None else least
        counted = bound, event_of(view, bound)
    blocks = () if result is None else result.blocks
    return JobPage(
        job, STATES[row.state], row.state in FINISHED, asked_title(row.kind, asked),
        _progress(row.progress) if row.state == "running" else None,
        told if job.problem is None else str(job.problem.get("detail", "")),
        result, counted, tuple(b.chart.name for b in blocks if isinstance(b.chart, (Curve, Heat))),
        _again(row.kind, asked) if row.kind in STUDIES else "", _curl(job, origin),
    )  # fmt: skip


def _view_or_why(job: JobView) -> tuple[View | None, str]:
    """What came of a study, or why there is nothing to be drawn."""
    if job.job.kind not in STUDIES:
        return None, "This answer is for programs; it stands below as data." if job.result else ""
    try:
        return result_view(job), ""
    except ValueError:
        return None, "This answer is of another version of affray; ask again."


def _result(view: View, asked: Raw, least: int | None) -> Result:
    match view:
        case DuelView():
            return duel_result(view)
        case EstimatedDuelView():
            return estimated_result(view)
        case BattleView():
            return battle_result(view)
        case CompareView():
            return comparison_result(view)
        case MatrixView():
            return matrix_result(view, names_of(view.system))
        case SweepView():
            exchange = Exchange.of(view.system, asked["setup"])
            axes = [axis_told(view.system, exchange, axis) for axis in view.axes]
            return sweep_result(view, axes, least)
    raise ValueError(f"no page for {view.schema}")


def _progress(row: ProgressRow | None) -> Progress:
    if row is None:
        return Progress(None, "It has begun.")
    done = f"{row.done:,} of {row.of:,} {row.work}" if row.of else f"{row.done:,} {row.work}"
    sure = f", known to within ± {row.interval:.2f} points" if row.interval is not None else ""
    note = f"; {row.note}" if row.note else ""
    left = f"About {_lasts(row.seconds_left)} left at most."
    return Progress(100 * row.done / row.of if row.of else None, f"{done}{sure}{note}. {left}")


def _lasts(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds" if round(seconds) != 1 else "1 second"
    return f"{round(seconds / 60)} minutes"


def _curl(job: JobView, origin: str) -> tuple[str, ...]:
    system = str(job.asked.get("system", ""))
    body = json.dumps({k: v for k, v in job.asked.items() if k != "system"}, ensure_ascii=False)
    return (
        f"curl {origin}/api/v1/jobs/{job.job.id}",
        f"curl {origin}/api/v1/systems/{system}/{job.job.kind} "
        f"-H 'content-type: application/json' -d {shlex.quote(body)}",
    )


# -- back to the form --------------------------------------------------------------------------


def _again(kind: str, asked: Mapping[str, object]) -> str:
    """The address of the form that asks this question again; what no form has is left out."""
    of = "battle" if kind == "compare" else kind
    found: dict[str, object] = {"of": of}
    for key in ("first", "objective", "rounds", "n", "seed", "path"):
        found[key] = asked.get(key)
    found["error"] = asked.get("target_error")
    for key in ("policies", "targets"):
        stem = {"policies": "policy", "targets": "targets"}[key]
        given = cast("list[str]", asked.get(key) or ())
        found |= {f"{stem}_{side}": one for side, one in zip(SIDES, given, strict=False)}
    fights = cast("list[object]", asked.get("fights") or [asked.get("fight")])
    for fight, which in zip(fights, ("", "2"), strict=False):
        if isinstance(fight, str):
            found[f"case{which}"] = fight
        elif isinstance(fight, list):
            for side, text in zip(SIDES, fight, strict=True):
                number, name = number_and_name(str(text))
                found |= {f"{side}{which}": name, f"n_{side}{which}": number}
    if kind == "sweep":
        exchange = Exchange.of(str(asked.get("system")), asked.get("setup"))
        found |= exchange._asdict()
        found |= {"field": asked.get("of"), "across": asked.get("across")}
        for key, which in (("values", ""), ("across_values", "2")):
            values = cast("list[object]", asked.get(key) or [])
            if values and not isinstance(values[0], str):
                found |= {f"from{which}": values[0], f"to{which}": values[-1],
                          f"points{which}": len(values)}  # fmt: skip
    said = {key: value for key, value in found.items() if value not in (None, "")}
    return f"/study/{asked.get('system')}?{urlencode(said)}"
