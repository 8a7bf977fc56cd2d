"""The store in the background: what other servers write wakes who watches here; old rows go."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from affray.api.bells import Bells
from affray.core.errors import StoreError
from affray.store.changes import Changes
from affray.store.database import Database
from affray.store.pruning import prune

__all__ = ["follow", "tidy"]

DAY_S = 86_400.0

EVERY_S = 0.25
"""Seconds between two looks."""
KINDS = {"game": "game", "tabletop": "table", "job": "job"}


async def follow(changes: Changes, bells: Bells) -> None:
    """Ring for what has changed in a store, until this is cancelled.

    A database that is gone is asked again until it is back; what changed meanwhile is not lost.
    """
    known: int | None = None
    while True:
        try:
            if known is None:
                known = await asyncio.to_thread(changes.last)
            for change in await asyncio.to_thread(changes.after, known):
                bells.ring(f"{KINDS[change.kind]}:{change.id}")
                known = change.number
        except StoreError:
            pass
        await asyncio.sleep(EVERY_S)


async def tidy(database: Database) -> None:
    """Remove each day what has expired, and old finished jobs; games and tables stay."""
    while True:
        await asyncio.sleep(DAY_S)
        with suppress(StoreError):  # it may be gone for now; tomorrow is another day
            await asyncio.to_thread(prune, database)
