"""What a screen that all share shows of a fight: who is asked, and what nobody may see yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.app.asked import side_seen
from affray.app.inputs.fight_sheets import SIDES
from affray.app.played_view import decided_by, names_in
from affray.app.turns import named_in
from affray.cli.show_fight import Ongoing, Step
from affray.engine.exchange.sealed import hides, lines_shown, waits_sealed
from affray.engine.fight.played.deeds import done_to
from affray.engine.fight.played.position import Exchange

if TYPE_CHECKING:
    from affray.app.fight import Fight
    from affray.engine.fight.played.questions import FightQuestion

__all__ = ["asked_name", "is_covered", "ongoing", "others", "role_at", "step_at"]


def role_at(fight: Fight) -> str:
    """The side that may look at the screen: at a sealed question the one that is asked."""
    exchange, question = fight.session.exchange, fight.asked
    if exchange is None or question is None or question.side is None:
        return "all"
    return SIDES[question.side] if waits_sealed(exchange) else "all"


def is_covered(fight: Fight) -> bool:
    """Whether something has been decided that the one who is asked may not see yet."""
    exchange, is_mine = fight.session.exchange, side_seen(fight.session, role_at(fight))
    return exchange is not None and hides(exchange, is_mine)


def step_at(fight: Fight) -> Step:
    """Where a fight stands, as the side sees it that may look."""
    role, exchange = role_at(fight), fight.session.exchange
    shown = 0
    if exchange is not None:
        shown = lines_shown(exchange, side_seen(fight.session, role))
    return Step(fight.view(role), ongoing(fight), shown)


def asked_name(fight: Fight, question: FightQuestion) -> str:
    """The one who is asked: a fighter, a side, or everybody."""
    here = fight.session.position
    if question.kind in {"situation", "order"}:
        return ""  # the question names them
    if question.fighter is not None:
        return here.name(question.fighter)
    if named_in(fight, question):
        return named_in(fight, question)
    if question.side is not None:
        side = here.contest.sides[question.side].name
        return f"{side}, {question.actor}" if question.actor not in {"", side} else side
    return "Everybody"


def others(fight: Fight, question: FightQuestion) -> str:
    """Those who look away while a side decides under cover."""
    sides = fight.session.contest.sides
    return ", ".join(side.name for n, side in enumerate(sides) if n != question.side)


def ongoing(fight: Fight) -> Ongoing:
    """The exchange that goes on; without names if none does."""
    here = fight.session.position
    need = here.need
    if not isinstance(need, Exchange):
        return Ongoing("", "", "", {})
    deed, target = done_to(here.contest.fight, need)
    names = dict(names_in(here, need.actor, target, need.session))
    return Ongoing(
        here.name(need.actor), deed, here.name(target), names,
        decided_by(fight.session), here.whole is not None,
    )  # fmt: skip
