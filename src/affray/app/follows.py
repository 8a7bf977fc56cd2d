"""What follows a game that is over, as data."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from affray.app.next_fight import next_fight
from affray.app.next_setup import next_setup
from affray.app.play import PlayedGame
from affray.app.views.kept_games import AbsentRow, NextView
from affray.core.sheet import sheet

if TYPE_CHECKING:
    from affray.app.goes_on import Game

__all__ = ["AfterExchange", "AfterFight", "next_view"]


@sheet
class AfterExchange:
    """What can be said about the exchange that follows: nothing."""


@sheet
class AfterFight:
    """What can be said about the fight that follows.

    Attributes:
        rests: what is done before it, by side, by fighter or under "" for everybody.
        against: roster names of the other side; "": those who are left of it.
    """

    rests: dict[str, str] = field(default_factory=dict)
    against: str = ""


def next_view(game: Game, wanted: AfterExchange | AfterFight) -> NextView:
    """The setup or the fight that follows a game.

    Args:
        game: it is over.
        wanted: a fight needs an `AfterFight`.

    Raises:
        UnknownNameError, SetupError: as for `next_setup` and `next_fight`.
    """
    if isinstance(game, PlayedGame):
        found = next_setup(game.loaded, game.session)
        return NextView(found.table, tuple(found.reopened), (), found.refused)
    assert isinstance(wanted, AfterFight)  # it is a fight
    fight = next_fight(game, wanted.rests, wanted.against)
    return NextView(fight.table, (), tuple(AbsentRow(*one) for one in fight.absent), fight.refused)
