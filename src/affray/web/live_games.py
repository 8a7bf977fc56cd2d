"""A game's page as it changes: its parts are made once for all who see the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from starlette.requests import HTTPConnection

from affray.api.access import access_to_game
from affray.api.state import service_of
from affray.api.topics import News
from affray.app.kept_games import Kept
from affray.app.roles import Role
from affray.web.back import back_of
from affray.web.fight_parts import fight_context
from affray.web.games import Look, asked_at, look_at
from affray.web.hit_chances import beside_options, hits_of
from affray.web.logs import Log, log_of
from affray.web.made import Made
from affray.web.over import over_of
from affray.web.questions import ask_of, turn_of
from affray.web.rendering import block_names, environment, parts_of
from affray.web.turn_panel import panel_of

__all__ = ["context_of", "game_news", "looked_at"]

_NOTHING: Mapping[str, str] = {}


def looked_at(connection: HTTPConnection, kept: Kept, role: Role, since: int | None = None) -> Look:
    """A game as somebody looks at it, by the settings of its table; see `look_at`."""
    settings = service_of(connection).tables.settings(kept.table)
    return look_at(kept, role, since, unsaid=settings.means.unsaid, back=settings.undo)


def context_of(
    look: Look, typed: Sequence[str] = (), picks: Mapping[str, str] = _NOTHING
) -> dict[str, object]:
    """What the page of a game names, but for the log.

    Args:
        look: at the game.
        typed: faces that were typed and not taken.
        picks: what was chosen so far in the panel of a turn.
    """
    ask, turn = ask_of(look, typed), turn_of(look)
    panel = panel_of(look, picks) if ask is not None and ask.is_mine else None
    hits = hits_of(look, ask, panel, turn)
    ask, panel = beside_options(hits, ask, panel)
    more = fight_context(look, hits) if look.seen.fight else {}
    return {
        "look": look, "game": look.seen, "view": look.view, "at": asked_at(look.game),
        "turn": turn, "ask": ask, "back": back_of(look), "over": over_of(look),
        "panel": panel, "hits": hits, "told": (), "refused": "", **more,
    }  # fmt: skip


PARTS: Made[Mapping[str, str]] = Made()
TEXTS: Made[str] = Made()
"""Parts and texts that stay: one for each game, role and revision."""


def game_news(connection: HTTPConnection, name: str, key: str, since: int | None) -> News:
    """What is new on the page of a game for whoever has this key."""
    kept = service_of(connection).games.kept(name)
    access = access_to_game(connection, kept, key)
    with kept.lock:
        revision = kept.game.revision
        which = (kept.id, access.role, kept.table, since, revision)
        text = TEXTS.get(which)
        if text is None:
            text = json.dumps(_news(connection, kept, access.role, since), ensure_ascii=False)
            TEXTS.put(which, text)
    return News((revision, kept.table), revision, text, access)


def _news(
    connection: HTTPConnection, kept: Kept, role: Role, since: int | None
) -> Mapping[str, object]:
    """The parts that differ from those of the revision that is known, and what the log adds."""
    look = looked_at(connection, kept, role, since)
    parts = _parts(look, lambda: context_of(look))
    known = PARTS.get(_key(look, since)) if since is not None else None
    if known is not None:
        parts = {part: html for part, html in parts.items() if known.get(part) != html}
    log = log_of(look)
    return {"parts": parts, "log": {"keep": log.keep, "parts": log.parts, "html": _entries(log)}}


def _parts(look: Look, context: Callable[[], Mapping[str, object]]) -> Mapping[str, str]:
    key = _key(look, look.seen.revision)
    found = PARTS.get(key)
    if found is None:
        template = f"{look.seen.kind}.html"
        names = [name for name in block_names(template) if name != "log"]
        found = parts_of(template, names, context())
        PARTS.put(key, found)
    return found


def _key(look: Look, revision: int | None) -> tuple[object, ...]:
    return (look.seen.id, look.role, look.seen.table, revision)


def _entries(log: Log) -> str:
    module = environment().get_template("game_log.html").module
    return str(module.entries(log.entries))  # type: ignore[attr-defined]  # a macro of it
