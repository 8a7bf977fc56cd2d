"""The chance to hit, and to win, beside the options of the open question and on the map."""

from __future__ import annotations

from collections.abc import Mapping

from affray.app.fight import Fight
from affray.app.rights import check_numbers
from affray.app.views.hit_chances import HitChancesView, HitRow
from affray.core.errors import ForbiddenError
from affray.core.lazy import NamedTuple
from affray.core.showing import percent, share_within
from affray.web.games import Look, asked_at
from affray.web.made import Made
from affray.web.questions import Ask, Turn
from affray.web.turn_panel import Panel

__all__ = ["Beside", "beside_options", "hits_of", "keep_hits"]

Picks = Mapping[str, str]
_KEPT: Made[HitChancesView] = Made()
_NOTHING: Mapping[str, str] = {}


class Beside(NamedTuple):
    """The chances beside the options of the open question.

    Attributes:
        can_ask: whether they may be asked for. label: of the button that does.
        waits: whether the page asks by itself: nothing is known yet, and it is one's own turn.
        told: the chance with the turn as it stands, in words; "": none.
        words: by the key of a decision and an option: its chance to hit, and to win.
        first: the key of the open question. marks: by its options: the chance as a map has it.
        refused: why there are none.
    """

    can_ask: bool
    label: str = ""
    waits: bool = False
    told: str = ""
    words: Mapping[tuple[str, str], str] = {}
    first: str = ""
    marks: Mapping[str, str] = _NOTHING
    refused: str = ""


def _key(look: Look, picks: Picks) -> tuple[object, ...]:
    """What chances are of: a question, and what is chosen in the turn that it begins."""
    return (look.seen.id, asked_at(look.game), len(look.game.moves), frozenset(picks.items()))


def keep_hits(look: Look, picks: Picks, view: HitChancesView) -> None:
    """Keep the chances at the open question, with what was chosen in its turn."""
    _KEPT.put(_key(look, picks), view)


def hits_of(look: Look, ask: Ask | None, panel: Panel | None, turn: Turn) -> Beside:
    """The chances that are known, and whether they may be asked for."""
    if not _may_be_asked(look, ask):
        return Beside(can_ask=False)
    is_whole = look.fight.loaded.whole is not None
    label = "Chance to hit" if is_whole else "Chance to hit and to win"
    view = _KEPT.get(_key(look, panel.chosen if panel else _NOTHING))
    if view is None:
        return Beside(can_ask=True, label=label, waits=turn.is_mine)
    verb = "to be hit" if view.is_struck else "to hit"
    told = {
        (one.key, row.name): words
        for one in view.decisions
        for row in one.options
        if (words := _told(row, verb))
    }
    marks = {
        row.name: percent(row.hits, 0) for row in view.decisions[0].options if row.hits is not None
    }
    whole_turn = "" if view.hits is None else f"{percent(view.hits, 0)} {verb}"
    return Beside(
        can_ask=True, label=label, told=whole_turn if panel else "", words=told,
        first=view.decisions[0].key, marks=marks,
    )  # fmt: skip


def _may_be_asked(look: Look, ask: Ask | None) -> bool:
    if ask is None or not ask.is_mine or not ask.choices or not isinstance(look.game, Fight):
        return False
    question = look.game.asked
    if question is None or question.kind == "situation":
        return False
    try:
        check_numbers(look.game, look.role)
    except ForbiddenError:
        return False
    return look.game.loaded.whole is not None or bool(look.game.session.contest.fight.hits)


def _told(row: HitRow, verb: str) -> str:
    hits = f"{percent(row.hits, 0)} {verb}" if row.hits is not None else ""
    wins = f"{share_within(*row.wins, digits=0)} to win" if row.wins is not None else ""
    return ", ".join(filter(None, (hits, wins)))


def beside_options(
    beside: Beside, ask: Ask | None, panel: Panel | None
) -> tuple[Ask | None, Panel | None]:
    """The open question and the panel of its turn, with the chances beside their options."""
    if panel is not None:
        picks = tuple(
            pick._replace(
                options=tuple(
                    (name, _with(words, beside.words.get((pick.key, name), "")), is_chosen)
                    for name, words, is_chosen in pick.options
                )
            )
            for pick in panel.picks
        )
        panel = panel._replace(picks=picks)
    if ask is not None and beside.words:
        first = {name: words for (key, name), words in beside.words.items() if key == beside.first}
        choices = tuple(one._replace(chance=first.get(one.name, "")) for one in ask.choices)
        ask = ask._replace(choices=choices)
    return ask, panel


def _with(words: str, chance: str) -> str:
    return f"{words} ({chance})" if chance else words
