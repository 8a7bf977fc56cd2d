"""One exchange: its setup, the odds, the best decisions; all of it stands in the address."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from affray.api.problems import Problem
from affray.api.routes.questions import ask_worker
from affray.app.registry import system_named
from affray.core.errors import AffrayError, LimitError
from affray.core.lazy import NamedTuple
from affray.web.best_shown import Best, best_shown
from affray.web.forms import Form, Said, fields_of
from affray.web.odds_shown import Odds, odds_shown
from affray.web.pages.start import system_row
from affray.web.prices_here import price_kept
from affray.web.rendering import shown, wanted_parts
from affray.web.setup_form import form_shown
from affray.web.setup_sources import setup_of
from affray.web.setups import Setup
from affray.web.situation import modifiers_of
from affray.web.wanted import SHOWS, Wanted, showed, wanted_in

__all__ = ["answer_of", "asked_in", "router"]

router = APIRouter()

SOON_S = 0.4
"""Seconds for a first answer: exact if that is quick, else bounds or an estimate."""
PATIENT_S = 8.0
"""Seconds for a better one."""


class Asked(NamedTuple):
    """What a worker answered: a view, or why there is none."""

    view: Mapping[str, Any] | None
    error: AffrayError | None = None

    @property
    def fault(self) -> AffrayError | None:
        """Why the setup is refused; None: it isn't."""
        return None if isinstance(self.error, LATE) else self.error

    @property
    def late(self) -> str:
        """Why there is no answer though nothing is wrong with the setup; "": there is one."""
        return str(self.error) if isinstance(self.error, LATE) else ""


LATE = (LimitError, Problem)
"""Errors that say that time, memory or workers did not suffice."""


async def asked_in(request: Request, system: str, said: Said) -> tuple[Setup, bool]:
    """The setup that an address or a form asks about, and whether a form has edited it."""
    wanted = wanted_in(system, said)
    is_form = "was" in said
    if is_form:
        before = await run_in_threadpool(setup_of, request, showed(said, system))
        edited = await run_in_threadpool(before.edited, said)
        wanted = wanted._replace(
            case=edited.case, setup=edited.setup, packed=edited.packed, attacker=edited.attacker,
            defender=edited.defender, changes=edited.changes, given=_conditions(said, wanted),
        )  # fmt: skip
    return await run_in_threadpool(setup_of, request, wanted), is_form


def _conditions(said: Said, wanted: Wanted) -> tuple[str, ...]:
    """The conditions, with one that has just been put together."""
    name, value = said.text("if"), said.text("if_value")
    if not name or not value:
        return wanted.given
    return (*wanted.given, f"{name}{said.text('if_is', '=')}{value}")


@router.get("/price/{system}")
async def price(request: Request, system: str, said: Form) -> Response:
    """The odds of an exchange, and the form that changes it."""
    found = system_named(system)
    setup, is_form = await asked_in(request, found.id, said)
    wanted, parts = setup.wanted, wanted_parts(request)
    if is_form and not parts:
        return Response(status_code=303, headers={"location": wanted.address})
    is_patient = said.text("patience") == "yes"
    seconds = PATIENT_S if is_patient else SOON_S
    asks_odds = not parts or "odds" in parts or "fields" in parts
    asks_best = not parts or "best" in parts
    odds, best, pins, modifiers = await asyncio.gather(
        answer_of(request, setup, "odds", seconds=seconds, wants=asks_odds),
        answer_of(request, setup, "best", seconds=seconds, wants=asks_best),
        _pinned(request, wanted if asks_odds else wanted._replace(pins=())),
        run_in_threadpool(modifiers_of, setup),
    )
    error = odds.fault or best.fault
    form = await run_in_threadpool(form_shown, setup, error, modifiers)
    later = [] if is_patient else _later(odds, best, asks_best=asks_best)
    answer = shown(
        request, "price.html", 200, system=system_row(found.id), setup=setup, wanted=wanted,
        form=form, address=wanted.address, fields=found.fields, objectives=found.objectives,
        shows=[(name, name.replace("_", " ")) for name in SHOWS], odds=_odds_shown(odds, pins),
        odds_late=odds.late, best_late=best.late,
        best=_best_shown(setup, best), pins=[(pin.setup.called, pin.dropped) for pin in pins],
        usual_field=_usual(wanted.of, odds.view), usual_goal=_usual(wanted.objective, best.view),
        later=" ".join(later), can_wait="odds" in later, patient=wanted.patient,
    )  # fmt: skip
    return answer if error else price_kept(request, answer, setup)


def _later(odds: Asked, best: Asked, *, asks_best: bool) -> list[str]:
    """The parts of the page that are asked for once this answer is shown."""
    found = []
    if odds.late or (odds.view is not None and "known" in odds.view):
        found.append("odds")
    is_exact = best.view is not None and best.view["schema"] == "affray/best"
    if not (odds.fault or best.fault) and not (asks_best and is_exact):
        found.append("best")
    return found


async def answer_of(
    request: Request, setup: Setup, question: str, *, seconds: float, wants: bool = True
) -> Asked:
    """The answer of a worker about a setup."""
    if not wants:
        return Asked(None)
    wanted = setup.wanted
    try:
        arguments: dict[str, object] = {
            "system": wanted.system, "setup": setup.table, "objective": wanted.objective,
            "limits": {"seconds": seconds},
        }  # fmt: skip
        if question == "odds":
            arguments |= {"of": list(wanted.of), "given": list(wanted.given)}
        return Asked(await ask_worker(request, question, arguments))
    except AffrayError as error:
        return Asked(None, error)


class Pin(NamedTuple):
    """A result that was pinned, and the address of the page without it."""

    setup: Setup
    view: Mapping[str, Any]
    dropped: str


async def _pinned(request: Request, wanted: Wanted) -> list[Pin]:
    """The results that were pinned; one that can't be had any more is left out."""
    setups = []
    for pin in wanted.pins:
        one = wanted_in(wanted.system, fields_of(pin))._replace(of=wanted.of, given=wanted.given)
        setups.append(await run_in_threadpool(setup_of, request, one))
    found = await asyncio.gather(
        *(answer_of(request, setup, "odds", seconds=SOON_S) for setup in setups)
    )
    return [
        Pin(setup, one.view, wanted.without_pin(pin).address)
        for pin, setup, one in zip(wanted.pins, setups, found, strict=True)
        if one.view is not None
    ]


def _odds_shown(odds: Asked, pins: Sequence[Pin]) -> Odds | None:
    if odds.view is None:
        return None
    return odds_shown(odds.view, [(pin.setup.called, pin.view) for pin in pins])


def _usual(chosen: object, view: Mapping[str, Any] | None) -> str:
    """The words for what is asked where nothing is chosen."""
    if chosen or view is None:
        return "the usual"
    told = view["meaning"]
    return f"the usual: {told if isinstance(told, str) else told[0]}"


def _best_shown(setup: Setup, best: Asked) -> Best | None:
    return None if best.view is None else best_shown(best.view, setup)
