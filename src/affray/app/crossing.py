"""Games on their way to another process, as JSON data.

A game with what it has worked out is not pickled: it crosses as its saved form, with all that a
file doesn't keep. The other process replays it and stands where this one stood. This is for
processes of one program; files are kept by `saved`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from affray.app import ahead
from affray.app.fight import Fight
from affray.app.inputs.intake import Raw
from affray.app.play import PlayedGame
from affray.app.sources import Table
from affray.core.errors import StoreError
from affray.engine.exchange import answers

__all__ = ["arrived", "crossing"]

ORIGIN = "game of another process"


def crossing(game: Fight | PlayedGame) -> Raw:
    """A fight or an exchange as JSON data, from which `arrived` makes the same one again."""
    raw: Raw = {"saved": game.saved, "revision": game.revision, "placed": list(game.placed)}
    if isinstance(game, Fight):
        return {"kind": "fight", **raw, "ahead": ahead.to_plain(game.ahead)}
    return {
        "kind": "exchange", **raw, "seats": dict(game.seats),
        "undone": [answers.to_plain(answer) for answer in game.undone],
    }  # fmt: skip


def arrived(raw: Raw) -> Fight | PlayedGame:
    """The game that has crossed, where it stood.

    Raises:
        StoreError: this was not made by `crossing`.
        AnswerError, InputError: the rules of this process are others.
    """
    try:
        saved, revision = cast("Raw", raw["saved"]), cast("int", raw["revision"])
        placed = tuple(cast("list[int]", raw["placed"]))
        if raw["kind"] == "fight":
            fight = Fight.restored(saved, ORIGIN)
            said = ahead.from_plain(cast("Raw", raw["ahead"]), ORIGIN)
            made = replace(fight, revision=revision, placed=placed, ahead=said)
            vars(made).update(loaded=fight.loaded, session=fight.session)
            return made
        game = PlayedGame.begin(str(saved["system"]), Table(saved, ORIGIN))
        undone, seats = cast("list[object]", raw["undone"]), cast("dict[str, str]", raw["seats"])
        same = replace(
            game, revision=revision, placed=placed, seats=dict(seats),
            undone=tuple(answers.from_plain(row, ORIGIN) for row in undone),
        )  # fmt: skip
        vars(same).update(loaded=game.loaded, session=game.session)
    except (KeyError, TypeError) as error:
        raise StoreError(f"{ORIGIN}: not whole: {error}") from None
    return same
