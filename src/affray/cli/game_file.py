"""The file in which a game is kept while it is played."""

from __future__ import annotations

import json
from pathlib import Path

from affray.app.play import PlayedGame, as_saved
from affray.cli.texts import say
from affray.cli.writing import ChangedError, digest, revision, write_beside, write_whole
from affray.core.errors import StoreError

__all__ = ["GameFile", "write_next"]


def _text(game: PlayedGame) -> str:
    return json.dumps(as_saved(game), indent=1) + "\n"


def write_next(game: PlayedGame, path: Path) -> None:
    """Write the setup after an exchange: JSON if the file is called so, else TOML.

    Raises:
        SetupError: the exchange is not over; nothing can follow it.
        StoreError: the file can't be written.
    """
    from affray.app.next_setup import next_setup
    from affray.app.views.toml_text import setup_text

    found = next_setup(game.loaded, game.session)
    is_json = path.suffix.lower() == ".json"
    text = json.dumps(found.table, indent=1) + "\n" if is_json else setup_text(found.table)
    write_whole(path, text)
    if found.refused:
        say(f"{path}: it can't be played as it stands: {found.refused}")


class GameFile:
    """The file in which a game is kept while it is played.

    It is looked at before the game is read, and replaced only as long as nobody else changes it.

    Args:
        path: where the game is kept.

    Raises:
        StoreError: nothing can be written there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = revision(path)
        self._text = ""

    def save(self, game: PlayedGame) -> None:
        """Write the game as it stands, unless that is what was written last.

        Raises:
            StoreError: it can't be written; or another program has changed the file: that file
                stays, and this game is written beside it.
        """
        text = _text(game)
        if text == self._text or digest(text) == self._known:
            return
        try:
            self._known = write_whole(self.path, text, known=self._known)
        except ChangedError as error:
            beside = write_beside(self.path, text)
            raise StoreError(f"{error}; it stays, and this game is kept in {beside}") from None
        except StoreError as error:
            last = f"; it stays without {_answered(game)}" if self._text else ""
            raise StoreError(f"{error}{last}") from None
        self._text = text


def _answered(game: PlayedGame) -> str:
    """The last answer, for a message."""
    if not game.answers:
        return "what was played since"
    last = game.answers[-1]
    return f"the last answer, {last.option or ' '.join(map(str, last.faces))}"
