"""Games as those see them who have a role in them."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from affray.app.changes import Changed
from affray.app.kept_games import Kept, due_at
from affray.app.revisions import EVERYTHING
from affray.app.roles import Role
from affray.app.views.envelope import View, to_json
from affray.app.views.kept_games import GameView
from affray.app.views.played_fights import FightView
from affray.app.views.service import RoleRow

__all__ = ["Seen", "game_view", "text_of"]

MOST_TEXTS = 500
"""Texts that are kept: one for each game, role and revision that somebody comes from."""


def game_view(
    kept: Kept,
    role: Role,
    since: int | None = None,
    *,
    key: str = "",
    after: Changed | None = None,
) -> GameView:
    """A game as somebody sees it.

    Args:
        kept: the game.
        role: of the one who looks.
        since: only what happened after this revision is told; None: everything.
        key: of the game, when it has just been made.
        after: what the one who looks has just done.
    """
    with kept.lock:
        game = kept.game
        seen = game.view(role, since=EVERYTHING if since is None else since)
        return GameView(
            id=kept.id,
            kind=kept.kind,
            revision=game.revision,
            role=RoleRow(role.kind, role.sides, role.fighters),
            key=key,
            table=kept.table or "",
            computing=due_at(kept) is not None,
            stuck=kept.stuck,
            apart=kept.apart,
            told=() if after is None else after.told,
            did=() if after is None else after.settled,
            fight=seen if isinstance(seen, FightView) else None,
            exchange=None if isinstance(seen, FightView) else seen,
        )


class Seen:
    """Games as texts of JSON: each is made once for all who see the same."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[object, ...], str] = OrderedDict()
        self._lock = Lock()

    def text(self, kept: Kept, role: Role, since: int | None) -> tuple[int, str]:
        """A game as a role sees it: its revision, and a view in its envelope as text."""
        with kept.lock:
            revision = kept.game.revision
            key = (kept.id, role, since, revision, kept.table)
            with self._lock:
                found = self._texts.get(key)
            if found is None:
                found = text_of(game_view(kept, role, since))
                self._keep(key, found)
        return revision, found

    def _keep(self, key: Sequence[object], text: str) -> None:
        with self._lock:
            self._texts[tuple(key)] = text
            while len(self._texts) > MOST_TEXTS:
                self._texts.popitem(last=False)


def text_of(view: View) -> str:
    """A view in its envelope, as JSON."""
    return json.dumps(to_json(view), ensure_ascii=False, separators=(",", ":"))
