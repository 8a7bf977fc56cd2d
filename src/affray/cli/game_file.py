"""The file in which a game or a fight is kept while it is played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from affray.app.inputs.fight_hands import HandMove
from affray.app.inputs.intake import Raw
from affray.app.play import PlayedGame, as_saved
from affray.cli.texts import say
from affray.cli.writing import ChangedError, digest, revision, write_beside, write_whole
from affray.core.errors import StoreError
from affray.engine.exchange.session import Answer

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["FightFile", "GameFile", "KeptFile", "write_next", "write_next_fight"]


def write_next_fight(fight: Fight, path: Path, rests: Mapping[str, str], against: str) -> None:
    """Write the fight that follows another one: JSON if the file is called so, else TOML.

    Args:
        fight: a fight that is over.
        path: where to.
        rests: what is done before it, by side or fighter; under "" what everybody does.
        against: roster names of the other side; "": those who are left of it.

    Raises:
        UnknownNameError, SetupError: as for `next_fight`.
        StoreError: the file can't be written.
    """
    from affray.app.next_fight import next_fight

    found = next_fight(fight, rests, against)
    _write_table(path, found.table)
    for name, why in found.absent:
        say(f"{name} is not in it: {why}")
    if found.refused:
        say(f"{path}: it can't be fought as it stands: {found.refused}")


def write_next(game: PlayedGame, path: Path) -> None:
    """Write the setup after an exchange: JSON if the file is called so, else TOML.

    Raises:
        SetupError: the exchange is not over; nothing can follow it.
        StoreError: the file can't be written.
    """
    from affray.app.next_setup import next_setup

    found = next_setup(game.loaded, game.session)
    _write_table(path, found.table)
    if found.refused:
        say(f"{path}: it can't be played as it stands: {found.refused}")


def _write_table(path: Path, table: Raw) -> None:
    from affray.app.views.toml_text import setup_text

    is_json = path.suffix.lower() == ".json"
    write_whole(path, json.dumps(table, indent=1) + "\n" if is_json else setup_text(table))


class KeptFile:
    """A file that is written anew after every answer.

    It is looked at before it is read, and replaced only as long as nobody else changes it.

    Args:
        path: where it lies.

    Raises:
        StoreError: nothing can be written there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = revision(path)
        self._text = ""

    def keep(self, raw: Raw, last: str) -> None:
        """Write a table, unless that is what was written last.

        Args:
            raw: what is kept.
            last: what would be lost without it, for messages.

        Raises:
            StoreError: it can't be written; or another program has changed the file: that file
                stays, and this table is written beside it.
        """
        text = json.dumps(raw, indent=1) + "\n"
        if text == self._text or digest(text) == self._known:
            return
        try:
            self._known = write_whole(self.path, text, known=self._known)
        except ChangedError as error:
            beside = write_beside(self.path, text)
            raise StoreError(f"{error}; it stays, and this game is kept in {beside}") from None
        except StoreError as error:
            lost = f"; it stays without {last}" if self._text else ""
            raise StoreError(f"{error}{lost}") from None
        self._text = text


class GameFile(KeptFile):
    """The file in which a game is kept while it is played."""

    def save(self, game: PlayedGame) -> None:
        """Write the game as it stands; errors as for `keep`."""
        self.keep(as_saved(game), _answered(game))


class FightFile(KeptFile):
    """The file in which a fight is kept while it is played."""

    def save(self, fight: Fight) -> None:
        """Write the fight as it stands; errors as for `keep`."""
        last = "what was played since"
        if fight.moves:
            move = fight.moves[-1]
            told = move.what if isinstance(move, HandMove) else _told(move)
            last = f"the last move, {told}"
        self.keep(fight.saved, last)


def _answered(game: PlayedGame) -> str:
    """The last answer, for a message."""
    if not game.answers:
        return "what was played since"
    return f"the last answer, {_told(game.answers[-1])}"


def _told(answer: Answer) -> str:
    return answer.option or " ".join(map(str, answer.faces))
