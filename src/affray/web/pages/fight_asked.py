"""What is asked about a fight: advice, chances to win, its report; and its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from affray.api.changing import open_game
from affray.api.problems import status_of
from affray.api.routes.questions import ask_worker
from affray.app.exports import FORMS, export
from affray.app.inputs.intake import Raw
from affray.app.revisions import EVERYTHING
from affray.app.rights import check_before, check_numbers
from affray.app.views.advice import AdviceView
from affray.app.views.decoded import view_from
from affray.app.views.fight_report_text import to_markdown
from affray.app.views.fight_reports import ChancesView, FightReportView
from affray.app.views.hit_chances import HitChancesView
from affray.app.views.played_fights import FightView
from affray.app.views.toml_text import setup_text
from affray.core.errors import AffrayError, ForbiddenError, LimitError
from affray.web.fight_asked import advice_of, advised, chances_of, keep
from affray.web.fight_report import report_shown
from affray.web.forms import Form, Said
from affray.web.games import asked_at
from affray.web.hit_chances import Beside, keep_hits
from affray.web.live_games import looked_at
from affray.web.pages.play import game_page
from affray.web.rendering import shown
from affray.web.turn_panel import PICK, panel_of

__all__ = ["router"]

router = APIRouter()

REPORT_S = 10.0
HITS_S, WITH_WINS_S = 2.0, 3.0
NO_PICKS: Mapping[str, str] = {}


def _limits(said: Said) -> Raw:
    seconds = said.text("seconds")
    return {"limits": {"seconds": float(seconds) if seconds.isdecimal() else 2.0}}


def _refused(error: AffrayError) -> str:
    """Why there is no answer, and what helps."""
    more = ". Give it more time" if isinstance(error, LimitError) else ""
    return f"{str(error).removesuffix('.')}{more}."


@router.post("/fights/{game}/advise")
async def advise(request: Request, game: str, said: Form) -> Response:
    """Tell what each option of the open decision is worth."""
    kept, access = await run_in_threadpool(open_game, request, "fight", game)
    look = looked_at(request, kept, access.role)
    assert isinstance(look.view, FightView)  # it is a fight
    part, status = advice_of(look, look.view), 200
    try:
        check_before(look.game, look.role)
        raw = await ask_worker(request, "advise", {"game": look.game.saved, **_limits(said)})
        part = advised(part, cast("AdviceView", view_from((AdviceView,), raw)))
    except AffrayError as error:
        part, status = part._replace(refused=_refused(error)), status_of(error)
    return game_page(request, kept, access, status, more={"advice": part})


@router.post("/fights/{game}/hits")
async def hits(request: Request, game: str, said: Form) -> Response:
    """Tell how likely the attack hits with each option of the open turn."""
    kept, access = await run_in_threadpool(open_game, request, "fight", game)
    look = looked_at(request, kept, access.role)
    if said.text("asked") != str(asked_at(look.game)):
        return game_page(request, kept, access)  # that question is answered
    refused, status, wins = "", 200, bool(said.text("wins"))
    try:
        check_before(look.game, look.role)
        panel = panel_of(look, said.below(PICK))
        picks = panel.chosen if panel else NO_PICKS
        body: Raw = {"game": look.game.saved, "picks": dict(picks), "wins": wins}
        body["limits"] = {"seconds": WITH_WINS_S if wins else HITS_S}
        raw = await ask_worker(request, "hits", body)
        keep_hits(look, picks, cast("HitChancesView", view_from((HitChancesView,), raw)))
    except AffrayError as error:
        refused, status = _refused(error), status_of(error)
    more = {"hits": Beside(can_ask=True, label="Try again", refused=refused)} if refused else {}
    return game_page(request, kept, access, status, said=said, more=more)


@router.post("/fights/{game}/chances")
async def chances(request: Request, game: str, said: Form) -> Response:
    """Tell how likely each side is to win from here."""
    kept, access = await run_in_threadpool(open_game, request, "fight", game)
    look = looked_at(request, kept, access.role)
    assert isinstance(look.view, FightView)  # it is a fight
    refused, status = "", 200
    try:
        check_numbers(look.game, look.role)
        raw = await ask_worker(request, "chances", {"game": look.game.saved, **_limits(said)})
        view = cast("ChancesView", view_from((ChancesView,), raw))
        keep(kept.id, (0, *look.game.placed)[len(look.game.moves)], view)
    except AffrayError as error:
        refused, status = _refused(error), status_of(error)
    part = chances_of(look, look.view)._replace(refused=refused)
    return game_page(request, kept, access, status, more={"chances": part})


@router.get("/fights/{game}/report")
async def report(request: Request, game: str, said: Form) -> Response:
    """Look back at a fight: luck, costly decisions, who carried it; before its end the master."""
    kept, access = await run_in_threadpool(open_game, request, "fight", game)
    look = looked_at(request, kept, access.role)
    if look.game.question is not None and access.role.kind != "master":
        raise ForbiddenError("before the end of a fight its report is for the game master")
    body: Raw = {"game": look.game.saved, "limits": {"seconds": REPORT_S}}
    view = cast(
        "FightReportView", view_from((FightReportView,), await ask_worker(request, "report", body))
    )
    if said.text("as") == "markdown":
        return _file(to_markdown(view), "text/markdown", f"report-{kept.id}.md")
    return shown(
        request, "fight_report.html", report=report_shown(view), look=look, view=look.view,
        forms=FORMS,
    )  # fmt: skip


@router.get("/fights/{game}/saved.{form}")
def saved(request: Request, game: str, form: str) -> Response:
    """Get it as a file that any affray goes on with; for its master."""
    kept, access = open_game(request, "fight", game)
    if access.role.kind != "master":
        raise ForbiddenError("the file of a fight is for its game master")
    with kept.lock:
        table = kept.game.saved
    if form == "toml":
        return _file(setup_text(table), "application/toml", f"{kept.id}.toml")
    text = json.dumps(table, ensure_ascii=False, indent=2) + "\n"
    return _file(text, "application/json", f"{kept.id}.json")


@router.get("/fights/{game}/export/{form}")
def exported(request: Request, game: str, form: str) -> Response:
    """Get its log as a text for a chat or a virtual tabletop."""
    kept, access = open_game(request, "fight", game)
    with kept.lock:
        seen = kept.game.view(access.role, since=EVERYTHING)
    kind, end = ("application/json", "json") if form == "foundry" else ("text/plain", "txt")
    return _file(export(seen, form, "log").text, kind, f"{kept.id}-{form}.{end}")


def _file(text: str, kind: str, name: str) -> Response:
    """A text as a file to be kept."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)
