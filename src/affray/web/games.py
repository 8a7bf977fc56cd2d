"""A game as a page shows it: looked at once for everybody who sees the same."""

from __future__ import annotations

from affray.api.seen import game_view
from affray.app.fight import Fight
from affray.app.goes_on import Game
from affray.app.kept_games import Kept
from affray.app.roles import Role
from affray.app.views.exchanges import PlayView
from affray.app.views.kept_games import GameView
from affray.app.views.played_fights import FightView
from affray.core.lazy import NamedTuple

__all__ = ["Look", "asked_at", "look_at"]


class Look(NamedTuple):
    """A game as somebody looks at it.

    Attributes:
        game: where it stands. seen: as the role sees it, the news since a revision only.
        role: of the one who looks.
        unsaid: the seat of everybody whose seat nobody has named.
        back: who may take answers back; see `affray.app.rights`.
    """

    game: Game
    seen: GameView
    role: Role
    unsaid: str
    back: str

    @property
    def path(self) -> str:
        """The address of the game's page."""
        return f"/{self.seen.kind}s/{self.seen.id}"

    @property
    def view(self) -> FightView | PlayView:
        """The fight or the exchange."""
        found = self.seen.fight or self.seen.exchange
        assert found is not None  # one of them is there
        return found

    @property
    def fight(self) -> Fight:
        """The game, which is a fight."""
        assert isinstance(self.game, Fight)
        return self.game

    @property
    def names(self) -> dict[str, str]:
        """The names of those who take part in the exchange, by the role that the log calls them."""
        return dict(self.view.names)


def look_at(kept: Kept, role: Role, since: int | None, *, unsaid: str, back: str) -> Look:
    """A game as somebody looks at it now.

    Args:
        kept: the game.
        role: of the one who looks.
        since: what happened after this revision is told; None: everything.
        unsaid: the seat of everybody whose seat nobody has named.
        back: who may take answers back.
    """
    with kept.lock:
        return Look(kept.game, game_view(kept, role, since), role, unsaid, back)


def asked_at(game: Game) -> int:
    """A number for the open question: the revision with which it came up.

    It stays the same while dice are laid for it, or somebody is seated.
    """
    return game.placed[-1] if game.placed else 0
