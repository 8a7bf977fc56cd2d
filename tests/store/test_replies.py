"""A request that is repeated gets the first answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from affray.store import replies
from affray.store.opening import Store
from affray.store.replies import Reply
from affray.store.values import now_us

DONE = Reply("f1", 201, {"ETag": "x"}, '{"id":"a"}')


def test_a_repeat_gets_the_first_answer(store: Store) -> None:
    soon = now_us() + 60_000_000
    assert store.replies.claim("me", "k", "f1", expires=soon) is None
    assert store.replies.claim("me", "k", "f1", expires=soon) == Reply("f1", None, {}, "")
    store.replies.answer("me", "k", DONE, expires=soon)
    assert store.replies.claim("me", "k", "f2", expires=soon) == DONE
    assert store.replies.claim("you", "k", "f1", expires=soon) is None


def test_a_claim_that_is_given_up_or_expires_is_free_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = now_us() + 60_000_000
    assert store.replies.claim("me", "k", "f1", expires=soon) is None
    store.replies.release("me", "k")
    assert store.replies.claim("me", "k", "f2", expires=soon) is None
    monkeypatch.setattr(replies, "now_us", lambda: soon)
    assert store.replies.claim("me", "k", "f3", expires=soon + 1) is None
    assert store.replies.claim("me", "k", "f3", expires=soon + 1) == Reply("f3", None, {}, "")


def test_of_many_at_once_one_claims_it(store: Store) -> None:
    soon = now_us() + 60_000_000
    with ThreadPoolExecutor(8) as threads:
        found = list(
            threads.map(lambda _: store.replies.claim("me", "k\0", "f", expires=soon), range(8))
        )
    assert found.count(None) == 1
    assert found.count(Reply("f", None, {}, "")) == 7
