"""Files that people name, to be written: each kind replaces only what is of its own kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from affray.app.files import saved_fights
from affray.app.files.saved import is_saved
from affray.app.inputs.fight_hands import HandMove
from affray.app.inputs.intake import Raw
from affray.app.play import PlayedGame
from affray.cli.texts import say
from affray.cli.writing import ChangedError, digest, revision, write_beside, write_whole
from affray.core.errors import StoreError
from affray.engine.exchange.session import Answer

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = [
    "BattlesFile", "CsvFile", "DrawingFile", "FightFile", "GameFile", "KeptFile", "NextFile",
    "RosterFile",
    "write_next", "write_next_fight",
]  # fmt: skip


def write_next_fight(fight: Fight, file: NextFile, rests: Mapping[str, str], against: str) -> None:
    """Write the fight that follows another one: JSON if the file is called so, else TOML.

    Args:
        fight: a fight that is over.
        file: where to.
        rests: what is done before it, by side or fighter; under "" what everybody does.
        against: roster names of the other side; "": those who are left of it.

    Raises:
        UnknownNameError, SetupError: as for `next_fight`.
        StoreError: the file can't be written.
    """
    from affray.app.next_fight import next_fight

    found = next_fight(fight, rests, against)
    file.put(found.table)
    for name, why in found.absent:
        say(f"{name} is not in it: {why}")
    if found.refused:
        say(f"{file.path}: it can't be fought as it stands: {found.refused}")


def write_next(game: PlayedGame, file: NextFile) -> None:
    """Write the setup after an exchange: JSON if the file is called so, else TOML.

    Raises:
        SetupError: the exchange is not over; nothing can follow it.
        StoreError: the file can't be written.
    """
    from affray.app.next_setup import next_setup

    found = next_setup(game.loaded, game.session)
    file.put(found.table)
    if found.reopened:
        settled = " ".join(f"--settle {step}={names[0]}" for step, names in found.reopened.items())
        say(f"{file.path}: choices are open again; to settle them as before: {settled}")
    if found.refused:
        say(f"{file.path}: it can't be played as it stands: {found.refused}")


class KeptFile:
    """A file that a person named, to be written once or after every answer.

    It is looked at before anything else is done, and replaced only if it is empty or of the same
    kind, and only as long as nobody else changes it.

    Args:
        path: where it lies.

    Attributes:
        what: what such a file holds, for messages.

    Raises:
        StoreError: nothing can be written there, or something else is there.
    """

    what = ""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = revision(path)
        self._text = ""
        if self._known and not self._may_be_replaced():
            raise StoreError(f"{path}: that is not {self.what}; it stays. Name another file")

    def _may_be_replaced(self) -> bool:
        try:
            text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return False
        return not text.strip() or self.is_ours(text)

    def is_ours(self, text: str) -> bool:
        """Whether a text is one that is written to files of this kind."""
        raise NotImplementedError

    def write(self, text: str, lost: str = "") -> None:
        """Write a text, unless that is what was written last.

        Args:
            text: what the file shall hold.
            lost: what is to be said if it can't be written.

        Raises:
            StoreError: it can't be written; or another program has changed the file: that file
                stays, and this text is written beside it.
        """
        if text == self._text or digest(text) == self._known:
            return
        try:
            self._known = write_whole(self.path, text, known=self._known)
        except ChangedError as error:
            beside = write_beside(self.path, text)
            raise StoreError(f"{error}; it stays, and yours is kept in {beside}") from None
        except StoreError as error:
            raise StoreError(f"{error}{lost}") from None
        self._text = text

    def keep(self, raw: Raw, last: str) -> None:
        """Write a table; errors as for `write`.

        Args:
            raw: what is kept.
            last: what would be lost without it, for messages.
        """
        lost = f"; it stays without {last}" if self._text else ""
        self.write(json.dumps(raw, indent=1) + "\n", lost)


def _table(text: str) -> Raw:
    """The table that stands in a JSON text; an empty one if there is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class RosterFile(KeptFile):
    """The file for new roster entries, which come after those that stand there.

    Args:
        path: where it lies.
        system: id of the system whose entries they are.
        replace: whether all that is there is replaced, whoever wrote it.
    """

    what = "a roster that `affray new` wrote for this system"

    def __init__(self, path: Path, system: str, *, replace: bool = False) -> None:
        self._head = self.head_for(system)
        self._replace = replace
        super().__init__(path)

    @staticmethod
    def head_for(system: str) -> str:
        """The line with which such a file begins."""
        return f"# Own entries for {system}, written by affray\n"

    def _may_be_replaced(self) -> bool:
        return self._replace or super()._may_be_replaced()

    def is_ours(self, text: str) -> bool:
        """Whether it begins as such a file does."""
        return text.startswith(self._head)

    @property
    def before(self) -> str:
        """What stands there, and stays."""
        if not self._known or self._replace:
            return ""
        return self.path.read_text(encoding="utf-8")

    def add(self, entry: str) -> None:
        """Write one more entry; errors as for `write`."""
        self.write(f"{self.before.strip() or self._head.strip()}\n\n{entry}\n")


class NextFile(KeptFile):
    """The file for what follows a game or a fight: JSON if it is called so, else TOML."""

    what = "what --next writes"

    def put(self, table: Raw) -> None:
        """Write the table; errors as for `write`."""
        self.write(self._written(table))

    def is_ours(self, text: str) -> bool:
        """Whether it is written as a program writes it, so that no remark of anybody is lost."""
        import tomllib

        try:
            table = json.loads(text) if self._is_json else tomllib.loads(text)
        except (ValueError, RecursionError):
            return False
        return isinstance(table, dict) and "system" in table and self._written(table) == text

    @property
    def _is_json(self) -> bool:
        return self.path.suffix.lower() == ".json"

    def _written(self, table: Raw) -> str:
        from affray.app.views.toml_text import setup_text

        return json.dumps(table, indent=1) + "\n" if self._is_json else setup_text(table)


class BattlesFile(KeptFile):
    """The file for the logs of sample battles."""

    what = "a file of saved battles"

    def is_ours(self, text: str) -> bool:
        """Whether it says so."""
        from affray.app.samples import SCHEMA

        return _table(text).get("schema") == SCHEMA


class CsvFile(KeptFile):
    """The file for numbers as CSV."""

    what = "a CSV file of affray"

    def is_ours(self, text: str) -> bool:
        """Whether it has the same columns."""
        from affray.app.views.csv_tables import COLUMNS

        return text.partition("\n")[0].strip() == ",".join(COLUMNS)


class DrawingFile(KeptFile):
    """The file for a drawing."""

    what = "a drawing of affray"
    mark = "<!-- drawn by affray -->"

    def draw(self, svg: str) -> None:
        """Write the drawing; errors as for `write`."""
        self.write(f"{svg.rstrip()}\n{self.mark}\n")

    def is_ours(self, text: str) -> bool:
        """Whether it bears the mark."""
        return text.rstrip().endswith(self.mark)


class GameFile(KeptFile):
    """The file in which a game is kept while it is played."""

    what = "a saved game"

    def is_ours(self, text: str) -> bool:
        """Whether it says so."""
        return is_saved(_table(text))

    def save(self, game: PlayedGame) -> None:
        """Write the game as it stands; errors as for `keep`."""
        self.keep(game.saved, _answered(game))


class FightFile(KeptFile):
    """The file in which a fight is kept while it is played."""

    what = "a saved fight"

    def is_ours(self, text: str) -> bool:
        """Whether it says so."""
        return _table(text).get("schema") == saved_fights.SCHEMA

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
