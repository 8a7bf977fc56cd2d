"""Results of tools beside the views of `affray.app`: games at hand and saved ones."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.app.views.exchanges import PlayView
from affray.app.views.played_fights import FightView
from affray.core.lazy import dataclass

__all__ = ["HeldGameView", "SavedGameView"]


@dataclass(frozen=True)
class HeldGameView(View):
    """A game that this server holds in memory.

    Attributes:
        game: its id, for further calls. revision: how many changes there were.
        told: what the one who has just changed it should know.
        fight, exchange: the game itself; one of them is null.
    """

    schema = "affray/mcp-game"
    game: str
    revision: int
    told: tuple[str, ...]
    fight: FightView | None
    exchange: PlayView | None


@dataclass(frozen=True)
class SavedGameView(View):
    """A game as a table from which it can be begun again.

    Attributes:
        kind: "exchange" or "fight".
        saved: the table; it is given to begin_game as `setup`.
    """

    schema = "affray/mcp-saved-game"
    game: str
    kind: str
    system: str
    saved: dict[str, object]
