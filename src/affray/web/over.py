"""A game that is over: how it ended, why, and what follows it."""

from __future__ import annotations

from typing import cast

from affray.app.inputs.fight_sheets import SIDES
from affray.app.inputs.intake import Raw
from affray.app.next_fight import next_fight
from affray.app.next_setup import next_setup
from affray.app.play import PlayedGame
from affray.app.sources import Table
from affray.app.views.exchanges import PlayView
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.telling import value_told
from affray.engine.exchange.explain import Reason, explain, told_fields
from affray.web.games import Look

__all__ = ["Came", "Over", "follows", "over_of"]


class Came(NamedTuple):
    """A field of the outcome: what it is, its value with the unit, and why."""

    label: str
    value: str
    why: Reason


class Over(NamedTuple):
    """How a game ended.

    Attributes:
        told: in sentences.
        fields: what came of an exchange.
        follows: whether another one can follow it. refused: why none can; "": it can.
        absent: those who are not in the next fight, each with the reason.
    """

    told: tuple[str, ...]
    fields: tuple[Came, ...]
    follows: bool
    refused: str
    absent: tuple[tuple[str, str], ...] = ()


def over_of(look: Look) -> Over | None:
    """How a game ended; None: it goes on."""
    if look.view.question is not None:
        return None
    view = look.view
    told = view.said if isinstance(view, PlayView) else (view.ending,)
    fields = () if not isinstance(look.game, PlayedGame) else tuple(_fields(look.game))
    try:
        _table, refused, absent = _next(look)
    except SetupError as error:
        return Over(told, fields, follows=False, refused=str(error))
    return Over(told, fields, not refused, refused, absent)


def follows(look: Look) -> Table:
    """The exchange or the fight that follows a game, with everybody as it has left them.

    Raises:
        SetupError: it is not over; nothing can follow it.
    """
    table, refused, _absent = _next(look)
    if refused:
        raise SetupError(refused)
    return table


def _next(look: Look) -> tuple[Table, str, tuple[tuple[str, str], ...]]:
    if isinstance(look.game, PlayedGame):
        found = next_setup(look.game.loaded, look.game.session)
        return Table(found.table, "the next exchange"), found.refused, ()
    fight = next_fight(look.fight)
    left = [cast("Raw", fight.table[key])["fighters"] for key in SIDES]
    sides = look.fight.session.contest.sides
    gone = [side.name for side, who in zip(sides, left, strict=True) if not who]
    refused = f"{' and '.join(gone)} {'have' if len(gone) > 1 else 'has'} nobody left"
    return Table(fight.table, "the next fight"), refused if gone else fight.refused, fight.absent


def _fields(game: PlayedGame) -> list[Came]:
    """What an exchange came to, each with its reason."""
    system, outcome = game.loaded.game.system, game.session.outcome
    if outcome is None:
        return []
    found = []
    for name in told_fields(game.session):
        field = system.field_named(name)
        assert field is not None  # it was told by its name
        found.append(
            Came(
                field.title.removesuffix("."),
                _with_unit(field.of(outcome), field.unit),
                explain(game.session, name),
            )
        )
    return found


def _with_unit(value: object, unit: str) -> str:
    """A value in words with its unit: "1 wound", "1 success", "3 wounds"."""
    one = unit.removesuffix("es" if unit.endswith("sses") else "s") if value == 1 else unit
    return f"{value_told(value)} {one}".rstrip()
