"""Documents are kept once, listed by the owner and kind, and forgotten."""

from __future__ import annotations

import pytest

from affray.store.errors import NotKeptError
from affray.store.opening import Store


def test_the_same_document_is_kept_once_and_moves_to_the_top(store: Store) -> None:
    first = store.documents.keep("setup", "emlia", "Dock", {"b": 1, "a": [1.5, None]})
    second = store.documents.keep("setup", "emlia", "Dock", {"b": 2})
    assert first != second
    assert [row.id for row in store.documents.listed("setup")] == [second, first]
    assert store.documents.keep("setup", "emlia", "Dock", {"a": [1.5, None], "b": 1}) == first
    assert [row.id for row in store.documents.listed("setup")] == [first, second]
    found = store.documents.document(first)
    assert found.content == {"b": 1, "a": [1.5, None]}
    assert (found.row.kind, found.row.system, found.row.name) == ("setup", "emlia", "Dock")


def test_an_owner_sees_own_documents_only(store: Store) -> None:
    mine = store.documents.keep("sheet", "emlia", "Nyx", {}, owner="me")
    yours = store.documents.keep("sheet", "emlia", "Nyx", {}, owner="you")
    assert mine != yours
    assert [row.id for row in store.documents.listed("sheet", owner="me")] == [mine]
    assert store.documents.listed("sheet") == ()
    for ask in (store.documents.document, store.documents.forget):
        with pytest.raises(NotKeptError, match="no document"):
            ask(mine, owner="you")
    store.documents.forget(mine, owner="me")
    with pytest.raises(NotKeptError):
        store.documents.document(mine, owner="me")
    assert store.documents.document(yours, owner="you").row.owner == "you"


def test_lists_go_page_by_page_and_by_system(store: Store) -> None:
    for number in range(5):
        system = "emlia" if number % 2 else "affinity"
        store.documents.keep("roster", system, str(number), {"n": number})
    store.documents.keep("sheet", "emlia", "other kind", {})
    page = store.documents.listed("roster", most=2)
    assert [row.name for row in page] == ["4", "3"]
    rest = store.documents.listed("roster", before=page[-1].changed)
    assert [row.name for row in rest] == ["2", "1", "0"]
    assert [row.name for row in store.documents.listed("roster", system="emlia")] == ["3", "1"]
