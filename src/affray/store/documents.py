"""Documents: setups, sheets and rosters that people keep."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from affray.store import tables
from affray.store.database import Database, next_number
from affray.store.errors import NotKeptError
from affray.store.values import Raw, as_json, as_text, from_json, now_us

__all__ = ["Document", "DocumentRow", "Documents", "document_id"]


class DocumentRow(NamedTuple):
    """A document as lists show it.

    Attributes:
        id: a hash of owner, kind, system, name and content.
        owner: whose it is, in the caller's own words; "" for everybody's.
        kind: "setup", "sheet" or "roster".
        system: id of the system.
        name: what people call it.
        made: when it was first kept, in microseconds.
        changed: the number of the change with which it was kept last; lists follow it.
    """

    id: str
    owner: str
    kind: str
    system: str
    name: str
    made: int
    changed: int


class Document(NamedTuple):
    """A document with its content."""

    row: DocumentRow
    content: Raw


class Documents:
    """The documents of a store. None ever changes: an edited one is another one.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, kind: str, system: str, name: str, content: Raw, *, owner: str = "") -> str:
        """Keep a document: its id. One that is kept already moves to the top of its list.

        Args:
            kind: "setup", "sheet" or "roster".
            system: id of the system.
            name: what people call it.
            content: its table.
            owner: whose it is; "" for everybody's.

        Raises:
            StoreError: it can't be written.
        """
        written = as_json(content)
        owner, kind, system, name = map(as_text, (owner, kind, system, name))
        found = document_id(owner, kind, system, name, written)
        with self._database.writing() as connection:
            # Counted first: whoever keeps the same one at the same time waits for us here.
            changed = next_number(connection)
            again = update(tables.documents).where(_D.id == found).values(changed=changed)
            if not connection.execute(again).rowcount:
                row = DocumentRow(found, owner, kind, system, name, now_us(), changed)
                connection.execute(insert(tables.documents), row._asdict() | {"content": written})
        return found

    def document(self, document: str, *, owner: str = "") -> Document:
        """A document by its id.

        Raises:
            NotKeptError: the owner has no such document.
            StoreError: it can't be read.
        """
        with self._database.reading() as connection:
            asked = select(*_SHOWN, _D.content).where(_D.id == document, _D.owner == owner)
            found = connection.execute(asked).one_or_none()
        if found is None:
            raise _no_document(document)
        *row, content = found
        return Document(DocumentRow(*row), from_json(content))

    def listed(
        self, kind: str, *, owner: str = "", system: str = "", before: int | None = None,
        most: int = 50,
    ) -> tuple[DocumentRow, ...]:  # fmt: skip
        """Documents of a kind, the one kept last first.

        Args:
            kind: "setup", "sheet" or "roster".
            owner: whose.
            system: only those of this system.
            before: the `changed` of the last row of the page before.
            most: rows of a page.

        Raises:
            StoreError: they can't be read.
        """
        wanted = select(*_SHOWN).where(_D.kind == kind, _D.owner == owner)
        wanted = wanted.order_by(_D.changed.desc()).limit(most)
        if system:
            wanted = wanted.where(_D.system == system)
        if before is not None:
            wanted = wanted.where(_D.changed < before)
        with self._database.reading() as connection:
            return tuple(DocumentRow(*row) for row in connection.execute(wanted))

    def forget(self, document: str, *, owner: str = "") -> None:
        """Remove a document.

        Raises:
            NotKeptError: the owner has no such document.
            StoreError: it can't be removed.
        """
        with self._database.writing() as connection:
            asked = delete(tables.documents).where(_D.id == document, _D.owner == owner)
            if not connection.execute(asked).rowcount:
                raise _no_document(document)


def document_id(owner: str, kind: str, system: str, name: str, content: str) -> str:
    """The id of a document; `content` is canonical JSON."""
    whole = sha256(f"[{as_json([owner, kind, system, name])},{content}]".encode()).digest()
    return urlsafe_b64encode(whole).decode().rstrip("=")


_D = tables.documents.c
_SHOWN = tuple(_D[name] for name in DocumentRow._fields)


def _no_document(document: str) -> NotKeptError:
    return NotKeptError(f"there is no document {as_text(document)[:60]!r} here")
