"""A store with something in every table."""

from __future__ import annotations

from affray.store.games import NewEntry
from affray.store.opening import Store
from affray.store.replies import Reply
from affray.store.values import Raw, now_us

COMPUTER: Raw = {"kind": "computer", "policy": "win", "seed": 7}
N_ENTRIES = 8


def fill(store: Store) -> str:
    """Fill every table; the id of a game with five entries, the parent of one with three."""
    table = store.tabletops.make("Friday \N{GAME DIE}", {"rolls": "players"})
    game = store.games.begin("fight", "emlia", "1", {"sides": ["a", "b"]}, title="Dock")
    store.tabletops.change(table.id, 0, game=game.id)
    for at in range(5):
        store.games.append(game.id, at, [NewEntry({"n": at}, "Zoë", COMPUTER)], rules="1")
    store.games.fork(game.id, 3)
    store.documents.keep("setup", "emlia", "Dock", {"a": 1.5})
    store.tabletops.link({"kind": "master"}, tabletop=table.id, name="Ada")
    store.tabletops.link({"kind": "spectator"}, game=game.id)
    job = store.jobs.add("duel", {}, client="me", server="one")
    store.jobs.finish(job.id, "done", {"p": 0.25})
    later = now_us() + 3_600_000_000
    store.replies.claim("me", "k", "f", expires=later)
    store.replies.answer("me", "k", Reply("f", 200, {"a": "b"}, "{}"), expires=later)
    return game.id
