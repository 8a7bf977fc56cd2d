"""A picture of the table where a game or a fight stands."""

from __future__ import annotations

from affray.app.fight import Fight
from affray.app.inputs.fight_sheets import SIDES
from affray.app.play import PlayedGame
from affray.app.played_view import drawing_seen
from affray.app.roles import ALL, EasyRole, as_role
from affray.app.views.exchanges import PictureView
from affray.core.drawing import prefixed
from affray.core.errors import SetupError
from affray.core.telling import escaped
from affray.engine.exchange.sealed import drawing_for, picture_for

__all__ = ["draw", "draw_fight"]


def draw(game: PlayedGame, role: EasyRole = ALL, *, prefix: str = "") -> PictureView:
    """The table as lines of text, and as an SVG document where the system makes one.

    Args:
        game: where it stands.
        role: who looks; what others have decided under cover is not on it.
        prefix: the beginning of every id and class in the SVG, so that two on a page don't clash.

    Raises:
        SetupError: the system draws nothing, or nothing of this setup; a prefix that is no name.
    """
    loaded, session = game.loaded, game.session
    system = loaded.game.system
    is_seen = game.seen_by(as_role(role, system.actors))
    picture, drawing = picture_for(session, is_seen), drawing_for(session, is_seen)
    if not (picture or drawing):
        draws = system.picture is not None or system.drawing is not None
        raise SetupError(
            f"{loaded.origin}: nothing to look at; "
            + ("nobody in it stands on a table" if draws else f"{system.id} draws no table")
        )
    return PictureView(
        system.id, loaded.origin, loaded.title, escaped(picture),
        prefixed(escaped(drawing), prefix), loaded.remarks, loaded.assumed, notes=loaded.notes,
    )  # fmt: skip


def draw_fight(fight: Fight, role: EasyRole = ALL, *, prefix: str = "") -> PictureView:
    """The table or map of a fight: where everybody stands now, as far as it is known.

    Both are empty where nobody stands on anything, or the system draws nothing.

    Args:
        fight: where it stands.
        role: who looks; what others have decided under cover is not on it.
        prefix: the beginning of every id and class in the SVG, so that two on a page don't clash.

    Raises:
        SetupError: a prefix that is no name.
    """
    seen, loaded = as_role(role, SIDES), fight.loaded
    view, drawing = fight.view(role), drawing_seen(fight.session, seen)
    return PictureView(
        fight.system, loaded.origin, loaded.title, view.picture,
        prefixed(escaped(drawing), prefix), fight.remarks, loaded.gaps, notes=loaded.notes,
    )  # fmt: skip
