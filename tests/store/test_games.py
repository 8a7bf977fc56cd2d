"""Games: entries are only added, at the revision that the caller knows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from affray.core.errors import StoreError
from affray.store import games
from affray.store.errors import NotKeptError, RevisionError
from affray.store.games import BY_HAND, GameRow, NewEntry
from affray.store.opening import Store, open_store
from affray.store.values import Raw

SETUP: Raw = {"sides": [["jinx"], ["2xhusk"]], "name": "Zoë \N{GAME DIE}", "odd": "\0\ud800"}
COMPUTER: Raw = {"kind": "computer", "policy": "win", "seed": 2**62}


def begun(store: Store, title: str = "At the dock") -> GameRow:
    return store.games.begin("fight", "eclipse-phase", "1.0", SETUP, title=title)


def entry(number: int) -> NewEntry:
    return NewEntry({"do": "answer", "faces": [number, 7]}, "Ada")


def test_a_game_begins_at_revision_0_and_is_read_as_it_was_written(store: Store) -> None:
    row = begun(store)
    game = store.games.game(row.id)
    assert game.row == row
    assert (row.kind, row.system, row.rules, row.title) == (
        "fight", "eclipse-phase", "1.0", "At the dock",
    )  # fmt: skip
    assert (row.revision, row.state, row.parent, row.begun) == (0, "open", None, row.touched)
    assert game.setup == SETUP
    assert game.entries == ()
    assert len(row.id) == 22


def test_entries_tell_what_who_by_what_when_and_under_which_rules(store: Store) -> None:
    row = begun(store)
    new = [entry(6), NewEntry({"do": "undo", "n": 1}, "Bo\0"), NewEntry({"x": None}, "", COMPUTER)]
    assert store.games.append(row.id, 0, new[:1], rules="1.0") == 1
    assert store.games.append(row.id, 1, new[1:], rules="1.1", state="over", title="Dock") == 3
    game = store.games.game(row.id)
    assert [one.revision for one in game.entries] == [1, 2, 3]
    assert [one.what for one in game.entries] == [one.what for one in new]
    assert [one.who for one in game.entries] == ["Ada", "Bo", ""]
    assert [one.by for one in game.entries] == [BY_HAND, BY_HAND, COMPUTER]
    assert [one.rules for one in game.entries] == ["1.0", "1.1", "1.1"]
    assert all(row.begun <= one.at <= game.row.touched for one in game.entries)
    assert len({one.hash for one in game.entries}) == 3
    assert (game.row.revision, game.row.state, game.row.title) == (3, "over", "Dock")
    assert game.row.changed > row.changed
    assert store.games.row(row.id) == game.row
    assert store.games.entries(row.id, after=1) == game.entries[1:]


def test_at_another_revision_nothing_is_added_and_the_last_one_is_told(store: Store) -> None:
    row = begun(store)
    store.games.append(row.id, 0, [entry(1), entry(2)], rules="1")
    before = store.games.game(row.id)
    for at in (0, 1, 3, -1):
        with pytest.raises(RevisionError, match="is at revision 2 by now") as refused:
            store.games.append(row.id, at, [entry(3)], rules="1", title="never")
        assert refused.value.revision == 2
    assert store.games.game(row.id) == before


def test_of_two_at_the_same_revision_one_wins(store: Store, place: str) -> None:
    row = begun(store)
    n_writers, n_rounds = 4, 10
    together = Barrier(n_writers)

    def write(writer: int) -> int:
        wins = 0
        with open_store(place) as own:
            for at in range(n_rounds):
                together.wait(60)
                try:
                    own.games.append(row.id, at, [NewEntry({"at": at}, str(writer))], rules="1")
                    wins += 1
                except RevisionError as error:
                    assert error.revision == at + 1  # noqa: PT017  # of those in threads
                together.wait(60)
        return wins

    with ThreadPoolExecutor(n_writers) as threads:
        wins = list(threads.map(write, range(n_writers)))
    assert sum(wins) == n_rounds
    assert [one.what for one in store.games.entries(row.id)] == [
        {"at": at} for at in range(n_rounds)
    ]


def test_many_write_to_many_games_at_once_and_nothing_is_lost(store: Store) -> None:
    rows = [begun(store) for _ in range(6)]

    def write(row: GameRow) -> None:
        for at in range(15):
            store.games.append(row.id, at, [entry(at)], rules="1")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, rows))
    assert all(len(store.games.entries(row.id)) == 15 for row in rows)
    numbers = [one.number for one in store.changes.after(0)]
    assert store.changes.last() == 6 + 6 * 15
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 6


def test_a_fork_has_copies_of_the_first_entries_and_its_parent_stays(store: Store) -> None:
    row = begun(store)
    store.games.append(row.id, 0, [entry(1), entry(2), entry(3)], rules="1", state="over")
    parent = store.games.game(row.id)
    forked = store.games.fork(row.id, 2)
    assert store.games.game(row.id) == parent
    game = store.games.game(forked.id)
    assert game.row == forked
    assert (forked.parent, forked.parent_revision, forked.revision) == (row.id, 2, 2)
    assert (forked.state, forked.title, game.setup) == ("open", row.title, parent.setup)
    assert [one._replace(hash="") for one in game.entries] == [
        one._replace(hash="") for one in parent.entries[:2]
    ]
    assert game.entries[0].hash != parent.entries[0].hash
    store.games.append(forked.id, 2, [entry(9)], rules="1")
    assert store.games.row(row.id).revision == 3
    for at in (-1, 4):
        with pytest.raises(NotKeptError, match="revisions from 0 to 3"):
            store.games.fork(row.id, at)


def test_a_game_that_is_not_there_is_told(store: Store) -> None:
    for ask in (
        lambda: store.games.row("nobody\0"),
        lambda: store.games.game("nobody\0"),
        lambda: store.games.append("nobody\0", 0, [entry(1)], rules="1"),
        lambda: store.games.fork("nobody\0", 0),
        lambda: store.games.change("nobody\0", title="x"),
    ):
        with pytest.raises(NotKeptError, match="no game 'nobody'"):
            ask()
    assert store.games.entries("nobody") == ()


def test_an_id_can_be_given_once_and_a_table_must_be_there(store: Store) -> None:
    assert store.games.begin("exchange", "x", "1", {}, id="mine").id == "mine"
    with pytest.raises(StoreError, match="one of this id already"):
        store.games.begin("exchange", "x", "1", {}, id="mine")
    with pytest.raises(StoreError, match="something is named that isn't there"):
        store.games.begin("exchange", "x", "1", {}, tabletop="none")
    assert len(store.games.listed()) == 1


def test_what_json_does_not_have_is_refused_and_nothing_is_added(store: Store) -> None:
    row = begun(store)
    for wrong in (float("nan"), {1, 2}, float("inf")):
        with pytest.raises(StoreError, match="can't be kept as JSON"):
            store.games.append(row.id, 0, [entry(1), NewEntry({"x": wrong})], rules="1")
    assert store.games.row(row.id) == row


def test_lists_show_what_changed_last_first_page_by_page(store: Store) -> None:
    rows = [begun(store, str(number)) for number in range(5)]
    table = store.tabletops.make("Friday", {})
    store.games.append(rows[1].id, 0, [entry(1)], rules="1")
    store.games.change(rows[3].id, title="three", tabletop=table.id)
    first = store.games.listed(most=3)
    assert [one.title for one in first] == ["three", "1", "4"]
    rest = store.games.listed(before=first[-1].changed)
    assert [one.title for one in rest] == ["2", "0"]
    assert [one.title for one in store.games.listed(tabletop=table.id)] == ["three"]
    assert store.games.row(rows[3].id).revision == 0


def test_a_clock_that_is_set_back_leaves_the_order(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [begun(store, str(number)) for number in range(2)]
    monkeypatch.setattr(games, "now_us", lambda: 1)
    store.games.append(rows[0].id, 0, [entry(1)], rules="1")
    store.games.append(rows[0].id, 1, [entry(2)], rules="1")
    assert [one.title for one in store.games.listed()] == ["0", "1"]
    assert [one.what["faces"] for one in store.games.entries(rows[0].id)] == [[1, 7], [2, 7]]
    assert [one.id for one in store.changes.after(0)] == [rows[1].id, rows[0].id]
