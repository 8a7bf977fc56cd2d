"""Computer seats: a worker decides while everybody else goes on."""

from __future__ import annotations

import asyncio
import logging

from affray.api.work.workers import Workers
from affray.app.kept_games import Kept, KeptGames, due_at
from affray.core.errors import AffrayError, MovedOnError
from affray.store.errors import DatabaseError

__all__ = ["Computers"]

TRIES = 3
"""So often a decision is tried; then a person has to decide."""
AGAIN_S = 2.0
"""Seconds after which a database that has failed is asked again."""
LOG = logging.getLogger("affray")


class Computers:
    """Computers at the seats of games that are kept; one decision of a game at a time.

    Args:
        games: the games.
        workers: who works out what they decide.
    """

    def __init__(self, games: KeptGames, workers: Workers) -> None:
        self._games, self._workers = games, workers
        self._loop = asyncio.get_running_loop()
        self._at_work: dict[str, asyncio.Task[None]] = {}

    def set_to_work(self, kept: Kept) -> None:
        """Let computers decide in a game for as long as it waits for one; from any thread."""
        if due_at(kept) is not None:
            self._loop.call_soon_threadsafe(self._begin, kept.id)

    def _begin(self, game: str) -> None:
        if game not in self._at_work:
            task = self._at_work[game] = asyncio.create_task(self._work(game))
            task.add_done_callback(lambda _: self._at_work.pop(game, None))

    async def _work(self, game: str) -> None:
        tries = 0
        while tries < TRIES:
            try:
                if not await self._decide(game):
                    return
                tries = 0
            except MovedOnError:
                continue
            except DatabaseError:  # it may be back at any time
                await asyncio.sleep(AGAIN_S)
            except AffrayError as error:
                tries += 1
                LOG.warning("a computer can't decide in game %s: %s", game, error)

    async def _decide(self, game: str) -> bool:
        """Decide once; False: the game waits for no computer."""
        kept = await asyncio.to_thread(self._games.kept, game)
        with kept.lock:
            step, saved, at = due_at(kept), kept.game.saved, kept.game.revision
        if step is None:
            return False
        view = await self._workers.ask(
            "decide", {"game": saved, **({"policy": step.policy} if step.policy else {})},
            client=f"game {game}",
        )  # fmt: skip
        await asyncio.to_thread(self._games.decided, game, at, view)
        return True

    async def end(self) -> None:
        """Let all of them stop."""
        for task in list(self._at_work.values()):
            task.cancel()
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)
