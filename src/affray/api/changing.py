"""Games of a server as people begin, open and change them: the same for the API and the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import HTTPConnection

from affray.api.access import Access, access_to_game
from affray.api.problems import Problem
from affray.api.state import service_of
from affray.app.changes import Changed
from affray.app.goes_on import Game
from affray.app.kept_games import Kept
from affray.app.rights import may
from affray.core.errors import ForbiddenError

__all__ = ["change_game", "open_game"]


def open_game(connection: HTTPConnection, kind: str, game: str) -> tuple[Kept, Access]:
    """A game, and what the one who asks may do in it.

    Raises:
        Problem: it is another kind of game; no key, or none of this game.
        NotKeptError: there is no such game.
    """
    kept = service_of(connection).games.kept(game)
    if kept.kind != kind:
        raise Problem("not-found", f"this is another kind of game; it is at /{kept.kind}s/{game}")
    return kept, access_to_game(connection, kept)


def change_game(
    connection: HTTPConnection,
    kept: Kept,
    access: Access,
    change: Mapping[str, object],
    *,
    check: Callable[[Game], None] | None = None,
) -> Changed | None:
    """A game after a change, and after what follows by itself.

    Args:
        connection: of the one who changes it.
        kept: the game; it is changed.
        access: what that one may do in it.
        change: as data; see `affray.app.changes`.
        check: raises an error if the game is not as it was when this was decided.

    Returns:
        What was done; None: nothing, but the game master of its table was asked to do it.

    Raises:
        AffrayError: as for `KeptGames.change`; nothing has changed.
    """
    service = service_of(connection)
    settings = service.tables.settings(kept.table)
    means = settings.means

    def checked(game: Game) -> None:
        if check is not None:
            check(game)
        may(game, access.role, change, back=settings.undo, unsaid=means.unsaid)

    try:
        _kept, after = service.games.change(
            kept.id, change, who=access.name, means=means, check=checked
        )
    except ForbiddenError as error:
        if not error.asks or kept.table is None:
            raise
        service.asked.note(kept.table, access.name, str(change["do"]))
        service.bells.ring(f"table:{kept.table}")
        return None
    if kept.table is not None:
        service.asked.forget(kept.table)
    service.computers.set_to_work(kept)
    return after
