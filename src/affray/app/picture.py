"""A picture of the table where a game stands."""

from __future__ import annotations

from affray.app.play import PlayedGame
from affray.app.views.exchanges import PictureView
from affray.core.errors import SetupError
from affray.core.telling import escaped

__all__ = ["draw"]


def draw(game: PlayedGame) -> PictureView:
    """The table as lines of text, and as an SVG document where the system makes one.

    Raises:
        SetupError: the system draws nothing, or nothing of this setup.
    """
    loaded, session = game.loaded, game.session
    system = loaded.game.system
    picture, drawing = session.picture, session.drawing
    if not (picture or drawing):
        draws = system.picture is not None or system.drawing is not None
        raise SetupError(
            f"{loaded.origin}: nothing to look at; "
            + ("nobody in it stands on a table" if draws else f"{system.id} draws no table")
        )
    return PictureView(
        system.id, loaded.origin, loaded.title, escaped(picture), escaped(drawing), loaded.remarks,
        loaded.assumed,
    )  # fmt: skip
