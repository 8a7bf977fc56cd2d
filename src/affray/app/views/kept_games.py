"""A game that is kept, as somebody with a role in it sees it."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.app.views.exchanges import PlayView
from affray.app.views.played_fights import FightView
from affray.app.views.service import RoleRow
from affray.core.lazy import NamedTuple, dataclass

__all__ = ["AbsentRow", "GameView", "NextView", "SavedView"]


@dataclass(frozen=True)
class GameView(View):
    """A game that is kept, as somebody with a role in it sees it.

    Attributes:
        id: its id. kind: "fight" or "exchange". revision: how often it was changed.
        role: of the one who looks.
        key: of its master, when the game has just been made; empty ever after.
        table: id of the table of people at which it is played; empty: none.
        computing: whether a computer is at work on the next decision.
        stuck: why it can only be read, if the rules have changed; empty: it can go on.
        apart: from which change on the rules of today take it another way than when it was played;
            0: they don't.
        told: what the one who has just changed it should know.
        did: what was done by the change, as data.
        fight, exchange: the game itself; one of them is null.
    """

    schema = "affray/game"
    id: str
    kind: str
    revision: int
    role: RoleRow
    key: str
    table: str
    computing: bool
    stuck: str
    apart: int
    told: tuple[str, ...]
    did: tuple[dict[str, object], ...]
    fight: FightView | None
    exchange: PlayView | None


@dataclass(frozen=True)
class SavedView(View):
    """A game as a table that any affray can go on with; for its master only."""

    schema = "affray/game-file"
    saved: dict[str, object]


class AbsentRow(NamedTuple):
    """Somebody who doesn't come into the next fight, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class NextView(View):
    """What follows a game that is over: a setup or a fight with everything that lasts.

    Attributes:
        table: to begin it with.
        reopened: choices that were settled before the exchange and are open again.
        absent: those who don't come into the next fight.
        refused: why it can't be played as it stands; empty: it can.
    """

    schema = "affray/next"
    table: dict[str, object]
    reopened: tuple[str, ...]
    absent: tuple[AbsentRow, ...]
    refused: str
