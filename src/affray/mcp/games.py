"""Games held in memory while the server runs; the one that nobody has used for longest goes first.

>>> from affray.app.changes import begin_game
>>> games = Games(most=1)
>>> games.hold(begin_game("exchange", "eclipse-phase", "jinx-shoots"))
('game-1', '')
>>> games.hold(begin_game("fight", "empty-earth", ("bo", "husk")))
('game-2', 'game-1')
>>> games.look("game-2").revision
0
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from affray.app.goes_on import Game
from affray.core.errors import LimitError, UnknownNameError
from affray.core.names import unknown
from affray.core.telling import shown

__all__ = ["MOST", "Games", "Held"]

MOST = 50
"""Games that are held; each takes up to about a megabyte."""
WAIT_S = 5.0
"""Seconds to wait for somebody else who is at work on a game."""
_ID = re.compile(r"game-([1-9][0-9]{0,8})")


@dataclass
class Held:
    """A game and the lock of the one who is at work on it."""

    game: Game
    lock: Lock = field(default_factory=Lock)


class Games:
    """The games of this server. Any thread may use them.

    Args:
        most: how many are held.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._lock = Lock()
        self._last = 0

    def hold(self, game: Game) -> tuple[str, str]:
        """Hold a game: its id, and that of the game which is forgotten for it, or ""."""
        with self._lock:
            self._last += 1
            name, gone = f"game-{self._last}", ""
            self._held[name] = Held(game)
            if len(self._held) > self.most:
                gone, _ = self._held.popitem(last=False)
            return name, gone

    def look(self, name: str) -> Game:
        """A game as it stands, also while somebody is at work on it.

        Raises:
            UnknownNameError: no such game, or it is forgotten.
        """
        return self._found(name).game

    @contextmanager
    def at_work(self, name: str) -> Iterator[Held]:
        """Work on a game that nobody else works on meanwhile.

        Raises:
            UnknownNameError: no such game, or it is forgotten.
            LimitError: somebody else is at work on it, and was for `WAIT_S`.
        """
        held = self._found(name)
        if not held.lock.acquire(timeout=WAIT_S):
            raise LimitError(f"{name}: another call is still at work on it", limit="seconds")
        try:
            yield held
        finally:
            held.lock.release()

    def _found(self, name: str) -> Held:
        with self._lock:
            if name in self._held:
                self._held.move_to_end(name)
                return self._held[name]
            known, last = tuple(self._held), self._last
        number = _ID.fullmatch(name)
        if number is not None and int(number[1]) <= last:
            raise UnknownNameError(
                f"game {shown(name)}: forgotten, as only the {self.most} games used last are held; "
                "begin it again from what save_game gave"
            )
        raise unknown("game", name, known)
