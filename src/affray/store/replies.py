"""First answers to requests that may be repeated, by the key that a client gives them."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from affray.store import tables
from affray.store.database import Database
from affray.store.values import Raw, as_json, as_text, from_json, now_us

__all__ = ["Replies", "Reply"]


class Reply(NamedTuple):
    """The first answer to a request, as far as there is one.

    Attributes:
        fingerprint: of what was asked: another request under the same key has another one.
        status: the status of HTTP; None: the first request is still at work.
        headers: its headers.
        body: its body.
    """

    fingerprint: str
    status: int | None
    headers: Raw
    body: str


class Replies:
    """The first answers of a store.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, client: str, key: str, fingerprint: str, *, expires: int) -> Reply | None:
        """Claim a key for a request: None, or what is there if it was claimed before.

        Args:
            client: who asks.
            key: the key, which the client made.
            fingerprint: of what is asked.
            expires: when the claim ends, in microseconds, if no answer has been noted by then.

        Raises:
            StoreError: it can't be written.
        """
        client, key = as_text(client), as_text(key)
        values = {"client": client, "key": key, "fingerprint": fingerprint, "status": None,
                  "headers": "{}", "body": "", "expires": expires}  # fmt: skip
        with self._database.writing() as connection:
            old = (_R.client == client) & (_R.key == key)
            connection.execute(delete(tables.replies).where(old, _R.expires <= now_us()))
            new = (insert_sqlite if self._database.is_sqlite else insert_postgresql)(tables.replies)
            claimed = new.values(values).on_conflict_do_nothing().returning(_R.key)
            if connection.execute(claimed).one_or_none() is not None:
                return None
            fields = (_R[name] for name in Reply._fields)
            found = connection.execute(select(*fields).where(old)).one_or_none()
        if found is None:  # given up since
            return self.claim(client, key, fingerprint, expires=expires)
        return Reply(*found)._replace(headers=from_json(found.headers))

    def answer(self, client: str, key: str, reply: Reply, *, expires: int) -> None:
        """Note the answer to a request whose key is claimed; it is given again until it expires.

        Raises:
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            which = (_R.client == as_text(client)) & (_R.key == as_text(key))
            values = reply._asdict() | {"headers": as_json(reply.headers), "expires": expires}
            connection.execute(update(tables.replies).where(which).values(values))

    def release(self, client: str, key: str) -> None:
        """Give up a claim: the request failed, and may be tried again under the same key.

        Raises:
            StoreError: it can't be written.
        """
        with self._database.writing() as connection:
            which = (_R.client == as_text(client)) & (_R.key == as_text(key))
            connection.execute(delete(tables.replies).where(which))


_R = tables.replies.c
