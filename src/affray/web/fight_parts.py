"""What the parts of a fight's page show beside the question and the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from affray.app.roles import Role
from affray.app.views.played_fights import FightView
from affray.web.fight_asked import advice_of, chances_of
from affray.web.fight_cards import Card, CardSide, cards_of, turns_of
from affray.web.fight_hand import habits_of, hand_of, seats_of
from affray.web.fight_map import map_of
from affray.web.games import Look
from affray.web.hit_chances import Beside

__all__ = ["fight_context"]


def fight_context(look: Look, hits: Beside) -> Mapping[str, object]:
    """What the templates `fight_*.html` name."""
    view = look.view
    assert isinstance(view, FightView)  # it is a fight
    sides = cards_of(look, view)
    return {
        "turns": turns_of(view), "sides": sides, "own": own_of(look.role, sides),
        "map": map_of(look, view, hits.marks),
        "hand": hand_of(look, view), "habits": habits_of(look, view),
        "seats": seats_of(look, view), "advice": advice_of(look, view),
        "chances": chances_of(look, view),
    }  # fmt: skip


def own_of(role: Role, sides: Sequence[CardSide]) -> tuple[Card, ...]:
    """The fighters for whom a player answers; a phone shows them beside the question."""
    if role.kind != "player":
        return ()
    return tuple(
        card for side in sides for card in side.cards if role.answers_for(side.key, card.name)
    )
