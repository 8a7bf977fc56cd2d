"""What changed since a moment, for servers that share a store."""

from __future__ import annotations

from affray.store.games import NewEntry
from affray.store.opening import Store, open_store


def test_a_second_server_hears_of_each_thing_once_in_order(store: Store, place: str) -> None:
    with open_store(place) as other:
        seen = other.changes.last()
        assert other.changes.after(seen) == ()
        table = store.tabletops.make("Friday", {})
        game = store.games.begin("fight", "emlia", "1", {})
        job = store.jobs.add("duel", {}, client="me", server="one")
        store.games.append(game.id, 0, [NewEntry({}), NewEntry({})], rules="1")
        store.tabletops.change(table.id, 0, title="Saturday")
        found = other.changes.after(seen)
        assert [(one.kind, one.id, one.revision) for one in found] == [
            ("job", job.id, 0), ("game", game.id, 2), ("tabletop", table.id, 1),
        ]  # fmt: skip
        assert other.changes.after(seen, most=1) == found[:1]
        assert other.changes.after(found[0].number) == found[1:]
        assert found[-1].number == other.changes.last()
        assert other.changes.after(found[-1].number) == ()
