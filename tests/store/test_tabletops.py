"""Tables, and the links that let people to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from affray.core.errors import StoreError
from affray.store import tabletops
from affray.store.errors import NotKeptError, RevisionError
from affray.store.opening import Store
from affray.store.tables import links
from affray.store.values import Raw, now_us


def test_a_table_is_changed_at_the_revision_that_its_caller_knows(store: Store) -> None:
    table = store.tabletops.make("Friday\0", {"rolls": "players"})
    assert store.tabletops.tabletop(table.id) == table
    assert (table.title, table.game, table.revision) == ("Friday", None, 0)
    game = store.games.begin("fight", "emlia", "1", {})
    new = store.tabletops.change(table.id, 0, game=game.id)
    assert new == store.tabletops.tabletop(table.id)
    assert (new.title, new.settings, new.game, new.revision) == (
        "Friday", {"rolls": "players"}, game.id, 1,
    )  # fmt: skip
    assert store.games.row(game.id).tabletop == table.id
    newer = store.tabletops.change(table.id, 1, title="Saturday", settings={})
    assert (newer.title, newer.settings, newer.game) == ("Saturday", {}, game.id)
    with pytest.raises(RevisionError, match="at revision 2 by now, not at 1") as refused:
        store.tabletops.change(table.id, 1, title="Sunday")
    assert refused.value.revision == 2
    assert store.tabletops.tabletop(table.id) == newer


def test_a_table_and_its_game_must_be_there(store: Store) -> None:
    table = store.tabletops.make("Friday", {})
    asked: tuple[Callable[[], object], ...] = (
        lambda: store.tabletops.tabletop("none"),
        lambda: store.tabletops.change("none", 0, title="x"),
        lambda: store.tabletops.change(table.id, 0, game="none"),
    )
    for ask in asked:
        with pytest.raises(NotKeptError, match="'none'"):
            ask()
    assert store.tabletops.tabletop(table.id) == table


def test_a_token_leads_to_its_link_and_is_kept_nowhere(store: Store) -> None:
    table = store.tabletops.make("Friday", {})
    role: Raw = {"kind": "player", "sides": [], "fighters": ["Jinx"]}
    link, token = store.tabletops.link(role, tabletop=table.id)
    assert store.tabletops.link_of(token) == link
    assert (link.role, link.tabletop, link.game, link.name) == (role, table.id, None, "")
    assert len(token) == 22
    with store.database.reading() as connection:
        row = connection.execute(select(links)).one()
    assert token not in map(str, row)
    for wrong in ("", link.id, token[:-1], token.swapcase(), row.token_hash, "\ud800\0"):
        with pytest.raises(NotKeptError, match="not valid"):
            store.tabletops.link_of(wrong)


def test_a_link_ends_when_it_expires_and_when_it_is_revoked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = store.games.begin("fight", "emlia", "1", {})
    soon = now_us() + 60_000_000
    expiring, token = store.tabletops.link({}, game=game.id, expires=soon)
    lasting, other = store.tabletops.link({}, game=game.id)
    assert store.tabletops.link_of(token) == expiring
    before = store.changes.last()
    store.tabletops.revoke_link(lasting.id)
    with pytest.raises(NotKeptError):
        store.tabletops.link_of(other)
    assert [(one.kind, one.id) for one in store.changes.after(before)] == [("game", game.id)]
    monkeypatch.setattr(tabletops, "now_us", lambda: soon)
    with pytest.raises(NotKeptError):
        store.tabletops.link_of(token)
    with pytest.raises(NotKeptError, match="no such link"):
        store.tabletops.revoke_link("none")


def test_links_are_listed_with_who_uses_them_and_when(store: Store) -> None:
    table, other = (store.tabletops.make(title, {}) for title in ("Friday", "Saturday"))
    first, token = store.tabletops.link({"kind": "master"}, tabletop=table.id)
    second, _token = store.tabletops.link({"kind": "player"}, tabletop=table.id)
    store.tabletops.link({}, tabletop=other.id)
    store.tabletops.name_link(first.id, "Ada")
    store.tabletops.see_link(first.id)
    named, unnamed = store.tabletops.links(tabletop=table.id)
    assert (named.id, named.name, unnamed) == (first.id, "Ada", second)
    assert named.seen is not None
    assert named.seen >= first.made
    assert store.tabletops.link_of(token) == named
    assert store.tabletops.links(game="none") == ()


def test_a_link_leads_to_exactly_one_place_that_is_there(store: Store) -> None:
    table = store.tabletops.make("Friday", {})
    game = store.games.begin("fight", "emlia", "1", {})
    with pytest.raises(StoreError, match="something is named that isn't there"):
        store.tabletops.link({}, tabletop="none")
    for tabletop, other in ((None, None), (table.id, game.id)):
        with pytest.raises(StoreError, match="one_place"):
            store.tabletops.link({}, tabletop=tabletop, game=other)


def test_who_joined_by_a_link_goes_with_it(store: Store) -> None:
    table = store.tabletops.make("Tuesday", {})
    link, _token = store.tabletops.link({"kind": "player"}, tabletop=table.id)
    own, token = store.tabletops.link(link.role, tabletop=table.id, name="Ann", parent=link.id)
    assert store.tabletops.link_of(token) == own
    store.tabletops.revoke_link(link.id)
    with pytest.raises(NotKeptError, match="not valid"):
        store.tabletops.link_of(token)
    with pytest.raises(NotKeptError, match="not valid"):
        store.tabletops.link(link.role, tabletop=table.id, name="Bob", parent=link.id)
